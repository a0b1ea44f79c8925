"""Prints a target's dictionary: python3 -B ci/support/dictionary.py TARGET

A target whose input is a program takes its text form, too: the words are those of its language. One
whose input is bytes has a file of its own, fuzz/TARGET.dict, since only people know their formats.
"""

import pathlib
import re
import sys


def words_of(language_lines):
    """Names of operations and fields, and the values a field chooses from."""
    words = set()
    for line in language_lines:
        tag = re.match(r"\S+ tag \d+ ([^,]+)(.*)", line)
        if not tag:
            continue
        words.add(tag[1])
        for name, field in re.findall(r", (\w+): ([^,]+)", tag[2]):
            words.add(name + "=")
            kind, *choices = field.split()
            if kind == "choice":
                words.update(choices)
            if kind == "flag":
                words.update(("yes", "no"))
    return words


def dictionary(target, languages):
    of_bytes = pathlib.Path("fuzz", target + ".dict")
    if of_bytes.exists():
        return of_bytes.read_text()
    if target != "ops_text":  # which reads every language
        languages = [line for line in languages if line.startswith(target + " ")]
    words = words_of(languages)
    if not words:
        sys.exit(f"dictionary.py: '{target}' has neither a language nor fuzz/{target}.dict")
    return "".join(f'"{word}"\n' for word in sorted(words))


def main():
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} TARGET")
    languages = pathlib.Path("ci/languages.txt").read_text().splitlines()
    sys.stdout.write(dictionary(sys.argv[1], languages))


if __name__ == "__main__":
    main()
