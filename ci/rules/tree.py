"""What a rule sees: the files of a folder. And what it gives: findings.

A rule is a generator over a Tree that yields a Finding for each thing to mend. It is declared
together with small example trees, which are its own test (`ci/tidy --selftest`):

    @rule("no_tabs", good=[{"a.py": "x = 1\n"}], bad=[({"a.py": "\tx\n"}, "a.py:1")])
    def no_tabs(tree): ...

A good example must give no finding, a bad one exactly one, at the place named beside it. So a rule
that finds nothing, or finds everything, fails its own test.
"""

import os
import pathlib
import subprocess
from typing import NamedTuple


class Finding(NamedTuple):
    path: str
    line: int  # from 1; 0 is the file as a whole
    what: str  # what is wrong and how to mend it

    @property
    def place(self):
        return f"{self.path}:{self.line}" if self.line else self.path


class Rule(NamedTuple):
    name: str
    check: object
    good: list
    bad: list


RULES = []


def rule(name, *, good, bad):
    def declare(check):
        RULES.append(Rule(name, check, good, bad))
        return check

    return declare


class Tree:
    """Files below `root`, by their path from there; read once, as text."""

    def __init__(self, root, paths, languages=None):
        self.root = pathlib.Path(root)
        self.paths = sorted(paths)
        self.languages = languages  # what `tuplestone languages` prints, or None: not built
        self._texts = {}

    @staticmethod
    def of_git(root, languages=None):
        """Tracked files and new ones that git does not ignore, as they are on disk."""
        command = ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others"]
        listed = subprocess.run(
            command + ["--exclude-standard"], check=True, capture_output=True
        ).stdout.decode()
        paths = [p for p in set(listed.split("\0")) if p and os.path.isfile(os.path.join(root, p))]
        return Tree(root, paths, languages)

    @staticmethod
    def of_example(root, files):
        """Writes an example's files below `root`. "name!" makes a file with the run bit;
        "@languages" is no file but what `tuplestone languages` prints."""
        paths = []
        for name, text in files.items():
            if name == "@languages":
                continue
            path = pathlib.Path(root, name.rstrip("!"))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            path.chmod(0o755 if name.endswith("!") else 0o644)
            paths.append(name.rstrip("!"))
        return Tree(root, paths, files.get("@languages"))

    def text(self, path):
        """The file's text, or None if it is not UTF-8."""
        if path not in self._texts:
            try:
                self._texts[path] = (self.root / path).read_text(encoding="utf-8")
            except UnicodeDecodeError:
                self._texts[path] = None
        return self._texts[path]

    def lines(self, path):
        """(number, line) pairs; none for a binary file."""
        text = self.text(path)
        return enumerate((text or "").splitlines(), start=1)

    def executable(self, path):
        return os.access(self.root / path, os.X_OK)

    def having(self, *, under="", suffix=()):
        """Paths that lie in a folder (given with its slash) and end in one of the suffixes."""
        suffix = (suffix,) if isinstance(suffix, str) else tuple(suffix)
        return [p for p in self.paths if p.startswith(under) and (not suffix or p.endswith(suffix))]

    def cxx(self):
        return self.having(suffix=(".h", ".cc"))

    def components(self):
        """The rooms of the engine that have code."""
        return sorted({p.split("/")[1] for p in self.having(under="engine/", suffix=(".h", ".cc"))})

    def targets(self):
        """The fuzz targets, each a file fuzz/<target>_fuzzer.cc."""
        names = self.having(under="fuzz/", suffix="_fuzzer.cc")
        return [p.removeprefix("fuzz/").removesuffix("_fuzzer.cc") for p in names]
