"""What lines and functions look like: format, length, words that must not stay, modes of files."""

import ast
import re
import shutil
import subprocess

from rules.tree import Finding, rule

COLUMNS = 100
CMAKE_COLUMNS = 120
FUNCTION_LINES = 70
CODE = (".h", ".cc", ".py", ".sh", ".cmake", "CMakeLists.txt")


def _scripts(tree):
    """Files in ci/ without a suffix, and what continuous integration starts."""
    return [p for p in tree.paths if re.fullmatch(r"ci/\w+|\.ci/\w+", p)]


def _code(tree):
    return tree.having(suffix=CODE) + _scripts(tree)


@rule(
    "clang_format",
    good=[{".clang-format": "BasedOnStyle: Google\n", "a.cc": "int main() { return 0; }\n"}],
    bad=[({".clang-format": "BasedOnStyle: Google\n", "a.cc": "int x;\nint  main();\n"},
          "a.cc:2")],
)
def clang_format(tree):
    """Sources are what clang-format 19 makes of them."""
    files = tree.cxx()
    program = shutil.which("clang-format-19")
    if not files:
        return
    if program is None:
        yield Finding(".clang-format", 0, "clang-format-19 is not installed; ci/test installs it")
        return
    run = subprocess.run([program, "--dry-run", *files], cwd=tree.root, capture_output=True,
                         text=True, check=False)
    seen = set()
    for path, number in re.findall(r"^(\S+?):(\d+):\d+: warning:", run.stderr, re.MULTILINE):
        if path not in seen:
            seen.add(path)
            yield Finding(path, int(number), "not formatted; `ci/tidy --fix` does it")


@rule(
    "line_length",
    good=[{"a.cc": "x" * 100 + "\n", "a.cmake": "x" * 120, "notes.md": "x" * 300 + "\n"}],
    bad=[({"a.cc": "\n" + "x" * 101 + "\n"}, "a.cc:2"), ({"ci/test": "x" * 101}, "ci/test:1")],
)
def line_length(tree):
    """Code fits 100 columns, CMake 120."""
    for path in _code(tree):
        for number, line in tree.lines(path):
            allowed = CMAKE_COLUMNS if path.endswith(("CMakeLists.txt", ".cmake")) else COLUMNS
            if len(line) > allowed:
                yield Finding(path, number, f"{len(line)} columns, {allowed} are allowed")


def _without_text(source):
    """C++ source with comments, literals and preprocessor lines blanked, line for line."""
    def blank(found):
        return re.sub(r"[^\n]", " ", found[0])

    literals = (r'R"(?P<d>[^()\\ ]{0,16})\(.*?\)(?P=d)"'  # raw strings
                r"|//[^\n]*|/\*.*?\*/"                     # comments
                r'|"(?:\\.|[^"\\\n])*"'                    # strings
                r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'")   # characters, not digit separators
    source = re.sub(literals, blank, source, flags=re.DOTALL)
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", blank, source, flags=re.MULTILINE)


def _kind(head, inside):
    """What a `{` opens, by the words since the last `;`, `{` or `}`."""
    if inside == "function":
        return "block"
    bare = re.sub(r"\([^()]*\)", "", head)
    while "(" in bare and bare != (bare := re.sub(r"\([^()]*\)", "", bare)):
        pass
    if re.search(r"\b(namespace|class|struct|union|enum|extern)\b", bare):
        return "scope"
    return "function" if "(" in head and inside == "scope" else "block"


def cxx_functions(source):
    """(first line, number of lines) of each function body with its head's last line."""
    stack, head, line = [], [], 1
    for character in _without_text(source):
        if character == "{":
            inside = "function" if "function" in (k for k, _ in stack) else (
                stack[-1][0] if stack else "scope")
            stack.append((_kind("".join(head), inside), line))
            head = []
        elif character == "}" and stack:
            kind, first = stack.pop()
            if kind == "function":
                yield first, line - first + 1
            head = []
        elif character == ";":
            head = []
        else:
            head.append(character)
        line += character == "\n"


def _functions(tree, path):
    if path.endswith((".h", ".cc")):
        return cxx_functions(tree.text(path))
    try:
        nodes = ast.walk(ast.parse(tree.text(path)))
    except SyntaxError:
        return []
    return [(n.lineno, n.end_lineno - n.lineno + 1) for n in nodes
            if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))]


@rule(
    "function_length",
    good=[
        {"a.cc": "namespace n {\nstruct S {\n" + "int f();\n" * 90 + "};\n}\n"},
        {"a.cc": "int f() {\n" + "g('{');\n" * 68 + "}\n"},
        {"a.cc": "constexpr int kTable[] = {\n" + "1,\n" * 90 + "};\n"},
    ],
    bad=[
        ({"a.cc": "\nint f() {\n" + "g(1'0);  // {\n" * 69 + "}\n"}, "a.cc:2"),
        ({"a.cc": "class C {\n C() : x_(1) {\n" + "if (a) { b(); }\n" * 69 + "}\n};\n"}, "a.cc:2"),
        ({"a.py": "def f():\n" + "    g()\n" * 70}, "a.py:1"),
    ],
)
def function_length(tree):
    """A function fits on a screen."""
    python = [p for p in _scripts(tree) if "python3" in (tree.text(p) or "").split("\n", 1)[0]]
    for path in tree.cxx() + tree.having(suffix=".py") + python:
        for first, lines in _functions(tree, path):
            if lines > FUNCTION_LINES:
                yield Finding(path, first, f"a function of {lines} lines, {FUNCTION_LINES} are "
                              "allowed: give its parts names")


# Written in pieces, so that this file does not find itself.
UNFINISHED = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b|\bDISA" r"BLED_|\bGTEST_" r"SKIP\b")
MACHINE = re.compile(r"(?<![\w.])/(home|ro" r"ot|wo" r"rk|Users)/\w|\.\./sha" r"red\b")


@rule(
    "nothing_unfinished",
    good=[{"a.cc": "// to do well\n"}],
    bad=[({"a.cc": "\n// TO" "DO: later\n"}, "a.cc:2"),
         ({"b_test.cc": "TEST(A, DISA" "BLED_B) {}\n"}, "b_test.cc:1"),
         ({"b_test.cc": "GTEST_" "SKIP();\n"}, "b_test.cc:1")],
)
def nothing_unfinished(tree):
    """No notes to self, and no test that does not run."""
    for path in tree.paths:
        for number, line in tree.lines(path):
            if found := UNFINISHED.search(line):
                yield Finding(path, number, f"`{found[0]}`: finish it, or leave it out; what is "
                              "not done yet belongs into an issue")


@rule(
    "no_machine_paths",
    good=[{"a.md": "see /usr/bin, and homework/x\n"}],
    bad=[({"a.md": "see /ho" "me/me/x\n"}, "a.md:1"), ({"a.sh": "cd ../sha" "red\n"}, "a.sh:1")],
)
def no_machine_paths(tree):
    """Nothing points at one person's machine."""
    for path in tree.paths:
        for number, line in tree.lines(path):
            if found := MACHINE.search(line):
                yield Finding(path, number, f"`{found[0]}` exists on one machine only; name the "
                              "path from the project's top folder")


@rule(
    "file_modes",
    good=[{"ci/test!": "#!/usr/bin/env bash\n", "ci/lib.sh": "x=1\n", "ci/a/b.sh!": "#!/bin/sh\n"}],
    bad=[({"ci/test": "#!/usr/bin/env bash\n"}, "ci/test"),
         ({"ci/test": "echo\n"}, "ci/test"),
         ({"ci/x/b.sh": "#!/bin/sh\n"}, "ci/x/b.sh"),
         ({"a.cc!": "int x;\n"}, "a.cc")],
)
def file_modes(tree):
    """Commands can be run, and nothing else can."""
    commands = set(_scripts(tree))
    for path in tree.paths:
        script = (tree.text(path) or "").startswith("#!")
        if script and not tree.executable(path):
            yield Finding(path, 0, f"is a command without the run bit: `chmod a+x {path}`")
        elif not script and tree.executable(path):
            yield Finding(path, 0, f"has the run bit and no #! line: `chmod a-x {path}`")
        elif not script and path in commands:
            yield Finding(path, 0, "is a command and does not begin with #!")
