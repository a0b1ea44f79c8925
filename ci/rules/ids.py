"""Names that must hold together: invariant ids, probes, and the record of the languages."""

import re

from rules.tree import Finding, rule

DECLARED = re.compile(r'\bInvariant\s+(k\w+)\s*\{\s*"([A-Z]+\d+)([^"]*)"')
DECLARED_OK = 'inline constexpr Invariant kP1{"P1", "a"};\n'


def _declared(tree):
    """(path, line, constant, id, whole name) of each invariant in the engine's headers."""
    for path in tree.having(under="engine/", suffix=".h"):
        text = tree.text(path) or ""
        for found in DECLARED.finditer(re.sub(r"//[^\n]*", lambda m: " " * len(m[0]), text)):
            line = text.count("\n", 0, found.start()) + 1
            yield path, line, found[1], found[2], (found[2] + found[3])


def _names(constant, name):
    """A pattern for the constant, or for the id as a word."""
    return re.compile(rf"\b(?:{constant}|{re.escape(name)})\b")


def _example(check="", test="", page=""):
    return {"engine/page/p.h": DECLARED_OK, "engine/page/p.cc": check,
            "properties/page/p_test.cc": test, "docs/components/page.md": page}


@rule(
    "invariants_are_checked_tested_documented",
    good=[_example("TUPLESTONE_CHECK(kP1, x);", "// P1", "| P1 |"),
          _example("", "// P1", "P1") | {"properties/page/page_suite.cc": 'Expect("P1");'}],
    bad=[(_example("", "// P1", "P1"), "engine/page/p.h:1"),
         (_example("// kP1", "// P1", "P1"), "engine/page/p.h:1"),
         (_example("Check(kP1)", "// P11", "P1"), "engine/page/p.h:1"),
         (_example("Check(kP1)", "// P1", "P2"), "engine/page/p.h:1")],
)
def invariants_are_checked_tested_documented(tree):
    """An id that no check, no test or no page names protects nobody."""
    code, tests = [], []
    for path in tree.cxx():
        text = tree.text(path) or ""
        if path.endswith("_test.cc"):
            tests.append(text)
        elif path.startswith(("engine/", "properties/")):
            code.append(re.sub(r"//[^\n]*", "", DECLARED.sub("", text)))
    for path, line, constant, letter_id, name in _declared(tree):
        page = f"docs/components/{path.split('/')[1]}.md"
        pattern = _names(constant, name)
        if not any(pattern.search(text) for text in code):
            yield Finding(path, line, f"{name}: no check and no suite names it; use {constant}")
        if not any(pattern.search(text) for text in tests):
            yield Finding(path, line, f"{name}: no test names it; say the id above the test")
        text = tree.text(page) if page in tree.paths else None
        if text is not None and not re.search(rf"\b{letter_id}\b", text):
            yield Finding(path, line, f"{name}: {page} does not explain {letter_id}")


@rule(
    "probes_belong_to_their_room",
    good=[{"engine/page/p.cc": 'TUPLESTONE_PROBE("page.full");\n'}],
    bad=[({"engine/page/p.cc": '\nTUPLESTONE_PROBE("sort.full");\n'}, "engine/page/p.cc:2")],
)
def probes_belong_to_their_room(tree):
    """A probe's name begins with the room it stands in."""
    for path in tree.having(under="engine/", suffix=(".h", ".cc")):
        if path.endswith("_test.cc"):
            continue
        room = path.split("/")[1]
        for number, line in tree.lines(path):
            found = re.search(r'TUPLESTONE_PROBE\("([^"]*)"\)', line.split("//")[0])
            if found and not found[1].startswith(room + "."):
                yield Finding(path, number, f'"{found[1]}" stands in the room {room}: '
                              f'name it "{room}.…"')


RECORD = "ci/languages.txt"


def _is_grown(old, new):
    """A line may get more words at its end, never other ones."""
    return new == old or new.startswith(old + " ")


def unkept(recorded, printed):
    """The recorded lines that are neither printed nor the beginning of a printed line."""
    return [old for old in recorded if not any(_is_grown(old, new) for new in printed)]


@rule(
    "languages_only_grow",
    good=[{RECORD: "page 1 add bytes\n", "@languages": "page 1 add bytes\n"}],
    bad=[({RECORD: "page 1 add bytes\n", "@languages": "page 1 add\n"}, RECORD),
         ({RECORD: "page 1 add\n", "@languages": "page 1 add\npage 2 cut\n"}, RECORD),
         ({RECORD: "page 1 add\n", "@languages": "page 1 add bytes\n"}, RECORD),
         ({"@languages": "page 1 add\n"}, RECORD)],
)
def languages_only_grow(tree):
    """Tags, fields and record sizes of the operation languages are for ever: old corpora keep
    their meaning. What `tuplestone languages` prints is recorded in ci/languages.txt."""
    if tree.languages is None:
        return
    recorded = (tree.text(RECORD) or "").splitlines() if RECORD in tree.paths else []
    printed = tree.languages.splitlines()
    lost = unkept(recorded, printed)
    if lost:
        yield Finding(RECORD, 0, f"`{lost[0]}` is recorded and no longer so ({len(lost)} such): "
                      "tags, fields and sizes may only be added; saved inputs would change meaning")
    elif recorded != printed:
        yield Finding(RECORD, 0, "the languages have grown: `ci/tidy --record` writes it down")
