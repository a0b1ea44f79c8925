"""What ci/fuzz and ci/bugs print: tables whose columns line up, and progress on terminals only."""

import os
import shutil
import sys

TERMINAL = sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"
COLOUR = TERMINAL and not os.environ.get("NO_COLOR")


def red(text):
    return f"\x1b[31m{text}\x1b[0m" if COLOUR else text


def shorten(text, first=80, last=40):
    """A long report without its middle."""
    lines = text.strip().splitlines()
    if len(lines) <= first + last + 1:
        return "\n".join(lines)
    left_out = f"... {len(lines) - first - last} lines left out ..."
    return "\n".join([*lines[:first], left_out, *lines[-last:]])


def table(head, rows):
    """Columns as wide as their widest cell; numbers to the right, words to the left."""
    rows = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    numeric = [all(row[i][:1].isdigit() or row[i] in ("", "-") for row in rows)
               for i in range(len(head))]

    def line(row):
        cells = (c.rjust(w) if n else c.ljust(w) for c, w, n in zip(row, widths, numeric))
        return "  ".join(cells).rstrip()

    return "\n".join([line(head), "  ".join("-" * w for w in widths), *map(line, rows)])


class Progress:
    """Lines that are rewritten in place while something runs. Silent where there is no terminal."""

    def __init__(self):
        self._shown = 0

    def show(self, lines):
        if not TERMINAL:
            return
        columns, height = shutil.get_terminal_size()
        lines = [line[:columns - 1] for line in lines[:height - 1]]
        self.clear()
        sys.stdout.write("".join(f"{line}\n" for line in lines))
        sys.stdout.flush()
        self._shown = len(lines)

    def clear(self):
        if TERMINAL and self._shown:
            sys.stdout.write(f"\x1b[{self._shown}F\x1b[J")
            sys.stdout.flush()
        self._shown = 0
