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


# Lines are `page head_bytes=8 record_bytes=16` and `page tag 1 add, bytes: size 1..8160, kind:
# choice heap index`: a record, its fields, and each field's values.
ADD = "page tag 1 add, bytes: size 1..200, kind: choice heap"


def _wire_bytes(high):
    return next(n for n in (1, 2, 4, 8) if high < 256**n)


def _field_grown(old, new):
    """A choice may get more names, a size a higher end of the same width; nothing else changes."""
    if new == old or (": choice " in old and new.startswith(old + " ")):
        return True
    sizes = [re.fullmatch(r"(\w+: size \d+)\.\.(\d+)", f) for f in (old, new)]
    if not all(sizes):
        return False
    ends = [int(s[2]) for s in sizes]
    return (sizes[0][1] == sizes[1][1] and ends[0] <= ends[1] and
            _wire_bytes(ends[0]) == _wire_bytes(ends[1]))


def _is_grown(old, new):
    """The same record with the same fields, perhaps grown, and perhaps more behind them."""
    (name, *fields), (new_name, *new_fields) = old.split(", "), new.split(", ")
    return name == new_name and len(fields) <= len(new_fields) and all(
        _field_grown(*pair) for pair in zip(fields, new_fields))


def unkept(recorded, printed):
    """The recorded lines that no printed line keeps."""
    return [old for old in recorded if not any(_is_grown(old, new) for new in printed)]


def _shrunk(new):
    return {RECORD: ADD + "\n", "@languages": new + "\n"}, RECORD


@rule(
    "languages_only_grow",
    good=[{RECORD: ADD + "\n", "@languages": ADD + "\n"},
          {RECORD: ADD + "\nx tag 0 x\n", "@languages": "x tag 0 x\n" + ADD + "\n"}],
    bad=[_shrunk("page tag 1 add, bytes: size 1..200"),
         _shrunk("page tag 1 add, kind: choice heap, bytes: size 1..200"),
         _shrunk(ADD.replace("200", "199")), _shrunk(ADD.replace("200", "300")),
         _shrunk(ADD.replace("heap", "index heap")), _shrunk(ADD.replace("tag 1", "tag 2")),
         ({RECORD: "page record_bytes=16\n", "@languages": "page record_bytes=24\n"}, RECORD),
         (_shrunk(ADD + " index, x: flag")[0], RECORD), ({"@languages": ADD + "\n"}, RECORD)],
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
    elif sorted(recorded) != sorted(printed):
        yield Finding(RECORD, 0, "the languages have grown: `ci/tidy --record` writes it down")
