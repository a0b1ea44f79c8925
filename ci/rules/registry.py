"""Everything is listed where it belongs: folders, sources, corpora, planted bugs."""

import re

from rules.tree import Finding, rule

TOP_FOLDERS = {"engine", "properties", "fuzz", "corpus", "ci", "docs"}


@rule(
    "top_folders",
    good=[{"engine/a.h": "", ".github/x.yml": "", "README.md": ""}],
    bad=[({"src/a.h": ""}, "src/a.h")],
)
def top_folders(tree):
    """The house has six rooms; dot-folders excepted."""
    for path in tree.paths:
        top = path.split("/")[0]
        if "/" in path and not top.startswith(".") and top not in TOP_FOLDERS:
            yield Finding(path, 0, f"{top}/ is no folder of this project; there are "
                          f"{', '.join(sorted(TOP_FOLDERS))}")


def _listed(tree):
    """Every file that some CMake file names, as a path from the top folder."""
    listed = set()
    for path in tree.having(suffix=("CMakeLists.txt", ".cmake")):
        folder = path.rsplit("/", 1)[0] + "/" if "/" in path else ""
        for _, line in tree.lines(path):
            for word in re.findall(r"[\w./${}-]+", line.split("#")[0]):
                listed.add(folder + word)
                listed.add(re.sub(r"^\$\{\w+_SOURCE_DIR\}/", "", word))
    return listed


def _follows_from_target(tree, path, listed):
    """fuzz/<target>_fuzzer.cc is listed by the target's name."""
    name = re.fullmatch(r"fuzz/(\w+)_fuzzer\.cc", path)
    return bool(name) and f"fuzz/{name[1]}" in listed


@rule(
    "sources_are_listed",
    good=[
        {"engine/CMakeLists.txt": "tuplestone_component(page SOURCES page/p.cc)\n",
         "engine/page/p.cc": ""},
        {"ci/cmake/rooms.cmake": "x(${PROJECT_SOURCE_DIR}/ci/cmake/p.cc)\n", "ci/cmake/p.cc": ""},
        {"fuzz/CMakeLists.txt": "tuplestone_target(ops)\n", "fuzz/ops_fuzzer.cc": ""},
    ],
    bad=[
        ({"engine/CMakeLists.txt": "# page/p.cc\n", "engine/page/p.cc": ""}, "engine/page/p.cc"),
        ({"fuzz/CMakeLists.txt": "x(page/p.h)\n", "engine/page/p.h": ""}, "engine/page/p.h"),
    ],
)
def sources_are_listed(tree):
    """A file that no build knows rots unseen."""
    listed = _listed(tree)
    for path in tree.cxx():
        if path not in listed and not _follows_from_target(tree, path, listed):
            yield Finding(path, 0, "no CMakeLists.txt lists this file; add it to its room's call")


@rule(
    "targets_have_seeds",
    good=[{"fuzz/page_fuzzer.cc": "", "corpus/page/seed/one.ops": "# One.\n",
           "fuzz/canary_fuzzer.cc": ""}],
    bad=[({"fuzz/page_fuzzer.cc": ""}, "fuzz/page_fuzzer.cc"),
         ({"corpus/pge/seed/one.ops": "# One.\n"}, "corpus/pge")],
)
def targets_have_seeds(tree):
    """Each target starts from a corpus, and each corpus has a target. The canary needs none."""
    folders = {p.split("/")[1] for p in tree.having(under="corpus/") if p.count("/") > 1}
    for target in tree.targets():
        if target != "canary" and not tree.having(under=f"corpus/{target}/seed/"):
            yield Finding(f"fuzz/{target}_fuzzer.cc", 0,
                          f"has no seeds: put files, one idea each, into corpus/{target}/seed/")
    for folder in sorted(folders - set(tree.targets())):
        yield Finding(f"corpus/{folder}", 0, f"there is no fuzz/{folder}_fuzzer.cc to read it")


@rule(
    "corpus_files_explain_themselves",
    good=[{"corpus/t/regress/a.ops": "# Why.\nhead\n", "corpus/t/regress/b.bin": "x",
           "corpus/t/regress/b.why": "Why.\n"}],
    bad=[({"corpus/t/seed/a.ops": "head\n"}, "corpus/t/seed/a.ops:1"),
         ({"corpus/t/regress/b.bin": "x"}, "corpus/t/regress/b.bin"),
         ({"corpus/t/regress/c.why": "Why.\n"}, "corpus/t/regress/c.why"),
         ({"corpus/t/x/a.ops": "# Why.\n"}, "corpus/t/x/a.ops")],
)
def corpus_files_explain_themselves(tree):
    """Text begins with a comment that says why it is kept; a binary crash has a .why beside it."""
    files = set(tree.having(under="corpus/"))
    for path in sorted(files):
        if not re.match(r"corpus/\w+/(seed|regress)/[^/]+$", path):
            yield Finding(path, 0, "a corpus file lies in corpus/<target>/seed/ or regress/")
        elif path.endswith(".ops"):
            if not (tree.text(path) or "").startswith("#"):
                yield Finding(path, 1, "begins with a `# ` line that says what it is for")
        elif path.endswith(".why"):
            stem = path.removesuffix("why")
            if not any(p.startswith(stem) and p != path for p in files):
                yield Finding(path, 0, "explains no file: the input of the same name is missing")
        elif "/regress/" in path and re.sub(r"\.[^./]*$", "", path) + ".why" not in files:
            yield Finding(path, 0, "has no .why beside it; `tuplestone keep` writes both")


PLANTED_FIELDS = ("Id", "Bug", "Origin", "Witness", "Oracle", "Target", "Property")
PLANTED = "".join(f"{f}: x\n" for f in PLANTED_FIELDS if f not in ("Id", "Witness"))


@rule(
    "planted_bugs_are_complete",
    good=[{"ci/planted/page/a.patch": f"Id: a\nWitness: ci/planted/page/a.ops\n{PLANTED}",
           "ci/planted/page/a.ops": "# Why.\n"}],
    bad=[({"ci/planted/page/a.patch": f"Id: a\nWitness: ci/planted/page/a.ops\n{PLANTED}"},
          "ci/planted/page/a.patch"),
         ({"ci/planted/page/a.patch": f"Id: b\nWitness: ci/planted/page/a.ops\n{PLANTED}",
           "ci/planted/page/a.ops": "# Why.\n"}, "ci/planted/page/a.patch"),
         ({"ci/planted/page/a.patch": "Id: a\n"}, "ci/planted/page/a.patch"),
         ({"ci/planted/page/a.ops": "# Why.\n"}, "ci/planted/page/a.ops")],
)
def planted_bugs_are_complete(tree):
    """A planted bug says what it is, where it comes from and who must find it."""
    files = set(tree.having(under="ci/planted/"))
    witnesses = set()
    for path in tree.having(under="ci/planted/", suffix=".patch"):
        head = re.split(r"^(?:diff|---) ", tree.text(path) or "", flags=re.MULTILINE)[0]
        fields = dict(re.findall(r"^(\w+): +(\S.*)$", head, re.MULTILINE))
        witnesses.add(fields.get("Witness"))
        missing = [f for f in PLANTED_FIELDS if f not in fields]
        if missing:
            yield Finding(path, 0, f"lacks the line(s) {', '.join(f + ':' for f in missing)}")
        elif not path.endswith(f"/{fields['Id']}.patch"):
            yield Finding(path, 0, f"is named otherwise than its Id, {fields['Id']}")
        elif fields["Witness"] not in files:
            yield Finding(path, 0, f"names a witness that is not there: {fields['Witness']}")
    for path in sorted(files - witnesses):
        if not path.endswith((".patch", ".md")):
            yield Finding(path, 0, "is the witness of no patch")
