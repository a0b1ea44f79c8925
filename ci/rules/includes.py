"""The arrows between the rooms: who may include whom.

    base <- page;  base <- memory <- tuple;  memory <- tape;  tuple, tape <- sort <- hash
    engine <- properties/kit <- properties/<c> <- fuzz/, fuzz/cli

Unit tests, their headers and benchmarks (`*_test.cc`, `*_for_test.h`, `*_bench.cc`) may include
anything, and so may ci/outside, which stands for another project.
Not seen: symbols used through a header that somebody else includes.
"""

import re

from rules.tree import Finding, rule

# Each room of the engine and the rooms it may include, beside itself.
ENGINE = {
    "base": set(),
    "page": {"base"},
    "memory": {"base"},
    "tuple": {"base", "memory"},
    "tape": {"base", "memory"},
    "sort": {"base", "memory", "tuple", "tape"},
    "hash": {"base", "memory", "tuple", "tape", "sort"},
}

# Headers in angle brackets that are neither the standard library's nor C's, and where they may be.
SYSTEM = {
    r"sanitizer/.*": r"engine/base/poison\.h|engine/memory/.*|properties/kit/.*|fuzz/.*",
    r"(unistd|fcntl|signal|poll|dirent)\.h|sys/.*|linux/.*":
        r"engine/(base|page)/\w*(file|source|store)\w*\.(h|cc)|properties/kit/.*|fuzz/.*",
    r"\w+intrin\.h": r"engine/.*",  # a compiler's own; the file needs a way without
}

# A model may know how the engine's plain types look, and nothing else of it.
PLAIN_TYPES = re.compile(r"engine/(base/(align|bytes)|\w+/\w*(types|options|limits))\.h")

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')
RAPIDCHECK_ADAPTER = re.compile(r"properties/kit/property\.(h|cc)")


def _exempt(path):
    tests = path.endswith(("_test.cc", "_for_test.h", "_bench.cc"))
    return tests or path.startswith("ci/outside/")


def _includes(tree):
    """(path, line, header, in quotes) of every file that the arrows bind."""
    for path in tree.cxx():
        if _exempt(path):
            continue
        for number, line in tree.lines(path):
            if found := INCLUDE.match(line):
                yield path, number, found[1] or found[2], found[1] is not None


def _rooms(path):
    """("engine", "page") of engine/page/page.h; the second is "" for a file right below."""
    parts = path.split("/")
    return parts[0], parts[1] if len(parts) > 2 else ""


def _may_suites(user, used):
    """May properties/<user> include properties/<used>?"""
    if used in ("kit", user) or user == "pipeline":
        return True
    return user != "kit" and used in ENGINE.get(user, set())


def _allowed(path, header):
    """Whether one of our own files may include another, by their rooms."""
    (user, user_room), (used, used_room) = _rooms(path), _rooms(header)
    if user == "engine":
        return used == "engine" and (
            used_room == user_room or used_room in ENGINE.get(user_room, set()))
    if user == "properties":
        return used == "engine" or (used == "properties" and _may_suites(user_room, used_room))
    if user == "fuzz":
        return used in ("engine", "properties", "fuzz")
    return False


@rule(
    "include_arrows",
    good=[
        {"engine/sort/s.cc": '#include "engine/tape/t.h"\n#include <vector>\n'},
        {"engine/page/p_test.cc": '#include "engine/hash/h.h"\n#include "properties/kit/k.h"\n'},
        {"properties/sort/sort_suite.h": '#include "properties/tape/tape_suite.h"\n'},
        {"properties/pipeline/p.h": '#include "properties/page/page_suite.h"\n'},
        {"fuzz/cli/main.cc": '#include "fuzz/entry.h"\n#include "properties/kit/run.h"\n'},
    ],
    bad=[
        ({"engine/memory/m.h": '\n#include "engine/page/p.h"\n'}, "engine/memory/m.h:2"),
        ({"engine/base/b.h": '#include "engine/memory/m.h"\n'}, "engine/base/b.h:1"),
        ({"engine/page/p.cc": '#include "properties/kit/k.h"\n'}, "engine/page/p.cc:1"),
        ({"properties/kit/k.h": '#include "properties/page/p.h"\n'}, "properties/kit/k.h:1"),
        ({"properties/page/p.h": '#include "properties/sort/s.h"\n'}, "properties/page/p.h:1"),
        ({"properties/page/p.h": '#include "fuzz/entry.h"\n'}, "properties/page/p.h:1"),
    ],
)
def include_arrows(tree):
    """Our own headers are included along the arrows only."""
    ours = ("engine", "properties", "fuzz", "ci", "corpus", "docs")
    for path, number, header, _ in _includes(tree):
        if _rooms(header)[0] not in ours or _rooms(path)[0] not in ours:
            continue
        if not _allowed(path, header):
            yield Finding(
                path, number,
                f"{header} is against the arrows: move what you need into a room both may use")


@rule(
    "foreign_headers",
    good=[
        {"engine/page/p.cc": '#include "absl/types/span.h"\n#include <cstdint>\n'},
        {"engine/base/file_store.cc": "#include <unistd.h>\n"},
        {"properties/page/p_test.cc": "#include <gtest/gtest.h>\n"},
        {"properties/kit/property.cc": "#include <rapidcheck.h>\n"},
        {"ci/outside/a.h": '#include "b.h"\n'},
    ],
    bad=[
        ({"engine/page/p.cc": "#include <gtest/gtest.h>\n"}, "engine/page/p.cc:1"),
        ({"engine/page/p.cc": "#include <unistd.h>\n"}, "engine/page/p.cc:1"),
        ({"engine/page/p.cc": '#include "boost/any.hpp"\n'}, "engine/page/p.cc:1"),
        ({"properties/page/page_suite.h": "#include <rapidcheck.h>\n"},
         "properties/page/page_suite.h:1"),
    ],
)
def foreign_headers(tree):
    """Abseil and the standard library everywhere; others only where the design says."""
    for path, number, header, quoted in _includes(tree):
        if header.startswith("absl/") or (quoted and _rooms(header)[0] in
                                          ("engine", "properties", "fuzz")):
            continue
        if re.match(r"rapidcheck|gtest/|gmock/", header) and RAPIDCHECK_ADAPTER.fullmatch(path):
            continue
        if not quoted and re.fullmatch(r"[a-z_0-9]+", header):  # <vector>, <cstdint>
            continue
        place = next((p for h, p in SYSTEM.items() if re.fullmatch(h, header)), None)
        if place is None:
            yield Finding(path, number, f"{header} belongs into a *_test.cc, or nowhere: outside "
                          "of tests there are only Abseil and the standard library")
        elif not re.fullmatch(place, path):
            yield Finding(path, number, f"{header} is for files that match {place}")


@rule(
    "libfuzzer_only_in_fuzz",
    good=[{"fuzz/entry.h": "int LLVMFuzzerTestOneInput();\n"}],
    bad=[({"properties/kit/k.cc": "int LLVMFuzzerTestOneInput();\n"}, "properties/kit/k.cc:1")],
)
def libfuzzer_only_in_fuzz(tree):
    """libFuzzer's entry points stand in fuzz/ only, so that all else links without it."""
    for path in tree.cxx():
        for number, line in tree.lines(path):
            code = line.split("//")[0]
            if not path.startswith("fuzz/") and re.search(r"\bLLVMFuzzer\w+\s*\(", code):
                yield Finding(path, number, "libFuzzer's functions belong into fuzz/")


@rule(
    "models_share_no_code",
    good=[
        {"properties/page/page_model.cc": '#include "engine/page/page_types.h"\n'},
        {"properties/page/page_suite.cc": '#include "engine/page/page.h"\n'},
    ],
    bad=[({"properties/page/page_model.h": '#include "engine/page/page.h"\n'},
          "properties/page/page_model.h:1")],
)
def models_share_no_code(tree):
    """A model that shares the engine's code shares its bugs."""
    for path, number, header, _ in _includes(tree):
        is_model = re.fullmatch(r"properties/\w+/\w+_model\.(h|cc)", path)
        if is_model and header.startswith("engine/") and not PLAIN_TYPES.fullmatch(header):
            yield Finding(path, number, f"a model includes no engine code beyond plain types "
                          f"(*_types.h, *_options.h, *_limits.h), and {header} is none")
