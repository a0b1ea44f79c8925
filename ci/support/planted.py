"""The planted bugs: what ci/planted/<component>/<id>.patch says, and the scratch copy they go into.

A patch begins with lines about itself and goes on with an ordinary diff:

    Id:       compact-drops-alignment
    Bug:      Compaction packs tuples by length, not by aligned length.
    Origin:   C07                                  a row of the known faults, or `own`
    Witness:  ci/planted/page/compact-drops-alignment.ops
    Oracle:   P2                                   or asan, ubsan, leak: who must speak
    Target:   page_program                         the fuzz target that must find it
    Property: page_property_test PageProperty.*    the test binary and filter that must
"""

import hashlib
import os
import pathlib
import re
import shutil
import subprocess
from typing import NamedTuple

FOLDER = pathlib.Path("ci/planted")
SCRATCH = pathlib.Path("build/bugs/tree")

# What a report says when one of these ends a run; any other oracle is an invariant's id.
SANITIZERS = {
    "asan": r"ERROR: AddressSanitizer",
    "ubsan": r"runtime error:|UndefinedBehaviorSanitizer",
    "leak": r"ERROR: LeakSanitizer",
}


class Planted(NamedTuple):
    component: str
    path: pathlib.Path
    id: str
    bug: str
    origin: str
    witness: pathlib.Path
    oracle: str
    target: str
    property_binary: str
    property_filter: str

    def spoke(self, report):
        """Whether the oracle that is meant to catch the bug wrote this report."""
        return re.search(SANITIZERS.get(self.oracle, rf"\b{re.escape(self.oracle)} broken"),
                         report) is not None


def load(component=None):
    """All planted bugs, or one component's, by path. ci/tidy checks that their lines are there."""
    planted = []
    for path in sorted(FOLDER.glob("*/*.patch")):
        if component and path.parent.name != component:
            continue
        head = re.split(r"^(?:diff|---) ", path.read_text(), flags=re.MULTILINE)[0]
        field = dict(re.findall(r"^(\w+): +(\S.*?) *$", head, re.MULTILINE))
        binary, _, pattern = field["Property"].partition(" ")
        planted.append(Planted(path.parent.name, path, field["Id"], field["Bug"], field["Origin"],
                               pathlib.Path(field["Witness"]), field["Oracle"], field["Target"],
                               binary, pattern.strip() or "*"))
    return planted


def _git_lines(*arguments):
    run = subprocess.run(["git", *arguments], capture_output=True, text=True, check=False)
    return run.stdout.splitlines() if run.returncode == 0 else []


def due(planted):
    """Those whose witness is to be run now: of every component that the last commit or the working
    tree changed, and a tenth of the others, another tenth after each commit."""
    changed = _git_lines("diff", "--name-only", "HEAD~1")
    commits = int((_git_lines("rev-list", "--count", "HEAD") or ["0"])[0])
    touched = {m[1] for path in changed
               if (m := re.match(r"(?:engine|properties|ci/planted)/(\w+)/", path))}
    return [p for i, p in enumerate(planted)
            if p.component in touched or i % 10 == commits % 10]


def sources(component, target):
    """What decides who finds a bug of a component, and how fast."""
    listed = _git_lines("ls-files", "--cached", "--others", "--exclude-standard")
    wanted = re.compile(rf"engine/|properties/(kit|{component})/|fuzz/|corpus/{target}/seed/|"
                        r"ci/cmake/|CMake|(\w+/)*CMakeLists.txt")
    return [p for p in sorted(listed) if wanted.match(p) and os.path.isfile(p)]


def fingerprint(planted, seeds):
    """Changes when the patch, anything it is built with, or the number of seeds does."""
    digest = hashlib.sha256(str(seeds).encode())
    for path in [planted.path, *sources(planted.component, planted.target)]:
        digest.update(str(path).encode() + b"\0" + pathlib.Path(path).read_bytes() + b"\0")
    return digest.hexdigest()


class Scratch:
    """A copy of the working tree in build/bugs/tree with a build of its own. One build serves all
    bugs: a file is written only when its content changes, so little is compiled anew."""

    def __init__(self, jobs):
        self._jobs = jobs
        self.build = SCRATCH / "build/fuzz"

    def restore(self):
        """Makes the copy equal to the working tree again."""
        listed = _git_lines("ls-files", "--cached", "--others", "--exclude-standard")
        listed = {p for p in listed if os.path.isfile(p)}
        for path in listed:
            to = SCRATCH / path
            content = pathlib.Path(path).read_bytes()
            if not to.exists() or to.read_bytes() != content:
                to.parent.mkdir(parents=True, exist_ok=True)
                to.write_bytes(content)
                shutil.copymode(path, to)
        for to in SCRATCH.rglob("*"):
            path = to.relative_to(SCRATCH)
            if path.parts[0] != "build" and to.is_file() and str(path) not in listed:
                to.unlink()

    def apply(self, planted, *, only_check=False):
        """None, or what git says against the patch."""
        command = ["git", "apply", *(["--check"] if only_check else []),
                   str(planted.path.resolve())]
        # Without the ceiling git would find the project's own repository and skip every path.
        environment = dict(os.environ, GIT_CEILING_DIRECTORIES=str(SCRATCH.resolve().parent))
        run = subprocess.run(command, cwd=SCRATCH, env=environment, capture_output=True, text=True,
                             check=False)
        return run.stderr.strip() if run.returncode else None

    def compile(self, targets):
        """None, or the end of the compiler's output."""
        for command in (["cmake", "--preset", "fuzz"],
                        ["cmake", "--build", "build/fuzz", "-j", str(self._jobs), "--target",
                         *targets]):
            if command[1] == "--preset" and (self.build / "build.ninja").exists():
                continue
            run = subprocess.run(command, cwd=SCRATCH, capture_output=True, text=True, check=False)
            if run.returncode:
                return (run.stdout + run.stderr)[-3000:]
        return None

    def replay(self, witness):
        """(exit status, report) of the witness under the patched engine."""
        run = subprocess.run([self.build / "fuzz/tuplestone", "replay", witness],
                             capture_output=True, text=True, errors="replace", check=False)
        return run.returncode, run.stdout + run.stderr
