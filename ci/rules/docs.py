"""The pages that people read."""

import posixpath
import re
import urllib.parse

from rules.tree import Finding, rule

LINK = re.compile(r"(?<!!)\[[^\]\[]*\]\(([^)\s]+)\)")


def _prose(tree, path):
    """(number, line) of a page without its code blocks and code words."""
    fenced = False
    for number, line in tree.lines(path):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced:
            yield number, re.sub(r"`[^`]*`", "", line)


def _anchors(text):
    """What a heading is called in a link."""
    heads = re.findall(r"^#+ +(.*?)\s*$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in heads}


@rule(
    "links_resolve",
    good=[{"README.md": "[a](docs/a.md#the-end) [b](https://x.y) [c](ci/)",
           "docs/a.md": "# The end", "ci/x": ""}],
    bad=[({"README.md": "\n[a](docs/a.md)"}, "README.md:2"),
         ({"README.md": "[a](b.md#c)", "b.md": "# D"}, "README.md:1")],
)
def links_resolve(tree):
    """A link inside the project leads somewhere."""
    folders = {posixpath.dirname(p) for p in tree.paths}
    folders |= {posixpath.dirname(f) for f in folders}
    for path in tree.having(suffix=".md"):
        for number, line in _prose(tree, path):
            for link in LINK.findall(line):
                if re.match(r"\w+:", link):
                    continue
                target, _, anchor = urllib.parse.unquote(link).partition("#")
                target = posixpath.normpath(posixpath.join(posixpath.dirname(path), target)) \
                    if target else path
                if target not in tree.paths and target not in folders:
                    yield Finding(path, number, f"the link to {link} leads nowhere")
                elif anchor and anchor not in _anchors(tree.text(target) or ""):
                    yield Finding(path, number, f"{target} has no heading for #{anchor}")


@rule(
    "components_have_pages",
    good=[{"engine/page/p.h": "", "docs/components/page.md": "# Page\n"}],
    bad=[({"engine/page/p.h": ""}, "docs/components/page.md")],
)
def components_have_pages(tree):
    """Each room of the engine has its page, with what is not tested."""
    for component in tree.components():
        page = f"docs/components/{component}.md"
        if page not in tree.paths:
            yield Finding(page, 0, f"is missing: what engine/{component} is, its invariants, what "
                          "is not tested")


@rule(
    "pages_are_in_the_reading_order",
    good=[{"docs/README.md": "[a](a.md), [b](c/b.md)", "docs/a.md": "", "docs/c/b.md": ""}],
    bad=[({"docs/README.md": "[a](a.md)", "docs/a.md": "", "docs/c/b.md": ""}, "docs/c/b.md")],
)
def pages_are_in_the_reading_order(tree):
    """docs/README.md leads to every page."""
    order = "docs/README.md"
    links = LINK.findall(tree.text(order) or "") if order in tree.paths else []
    named = {posixpath.normpath(posixpath.join("docs", link.partition("#")[0])) for link in links}
    for page in tree.having(under="docs/", suffix=".md"):
        if page != order and page not in named:
            yield Finding(page, 0, f"is not in the reading order: link it in {order}")


@rule(
    "tables_line_up",
    good=[{"a.md": "| a  | b |\n|----|---|\n| cc | d |\n"}],
    bad=[({"a.md": "| a | b |\n|---|---|\n| c |\n"}, "a.md:3")],
)
def tables_line_up(tree):
    """A row of a table has as many cells as its head."""
    for path in tree.having(suffix=".md"):
        width = 0
        for number, line in _prose(tree, path):
            if not line.startswith("|"):
                width = 0
                continue
            cells = len(re.findall(r"(?<!\\)\|", line))
            if width and cells != width:
                yield Finding(path, number, f"a row of {cells - 1} cells in a table of {width - 1}")
            width = width or cells
