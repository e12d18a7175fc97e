"""Pages of the documentation as `conform docs` and `conform spec` print them, for readers without the files.

A link to another page becomes the command that prints that page: "see [the stages](tutorial.md)" is printed
as "see the stages (`conform docs tutorial`)". This command is the *way* to the target of the link; within the
page, the way is a heading. In an installed package, commands are called by their names: it has no `.venv` of
a checkout, and no Makefile.
"""

from __future__ import annotations

import posixpath
import re

from harness.check.clauses import CLAUSES
from harness.report.markdown import anchor
from harness.report.pages.documents import README, is_installed, page, pages

_FENCED_CODE = r"^```.*?^```$"
_INDENTED_CODE = r"^ {4}[^\n]*$"
_CODE_IN_LINE = r"(?P<ticks>`+)[^`].*?(?P=ticks)"  # ends with as many backticks as it begins with
_LINK_TEXT = r"(?P<text>(?:[^\[\]`]|`[^`]*`)+)"  # may have code in it, and brackets inside the code
_LINK = rf"(?<!!)\[{_LINK_TEXT}\]\((?P<target>[^()\s]+)\)"  # after "!" comes an image
_CODE_OR_LINK = re.compile(
    # Code comes first: a match of it takes the whole code, so that no link is found inside.
    "|".join((_FENCED_CODE, _INDENTED_CODE, _CODE_IN_LINE, _LINK)),
    re.MULTILINE | re.DOTALL,
)
# The path of the programs in a checkout, before the name of a program that an installed package has.
_CHECKOUT_PROGRAM = re.compile(r"(?<![\w/])\.venv/bin/(?=(?:conform|refbot)\b)")
# A command line that calls make: indented code, or code in a line.
_MAKE = re.compile(r"^ {4}make |`make ", re.MULTILINE)
_COMMENT = re.compile(r"^<!--.*?-->\n\n?", re.MULTILINE | re.DOTALL)  # notes for editors of the page
_HEADING = re.compile(r"^#{2,} (.*)$", re.MULTILINE)

INSTALLED = (
    "(Here `conform` and `refbot` are installed as commands. `make` needs a checkout of the repository.)"
)


def printed(text: str, name: str, *, installed: bool | None = None) -> str:
    """The text of a page, or a part of it, with links that a reader of a terminal can follow.

    name        the name of the page that has the text: links are relative to this page
    installed   the package is installed without a checkout; None: ask `is_installed`
    """
    linked = _CODE_OR_LINK.sub(lambda found: _with_way(found, name), _COMMENT.sub("", text))
    if not (is_installed() if installed is None else installed):
        return linked
    title, newline, rest = _CHECKOUT_PROGRAM.sub("", linked).partition("\n")
    note = f"\n{INSTALLED}\n" if _MAKE.search(rest) else ""
    return f"{title}{newline}{note}{rest}"


def _with_way(found: re.Match[str], name: str) -> str:
    """The text of a link with the way to its target. Code, and a link to the Web, stay as they are."""
    text, target = found["text"], found["target"]
    is_code = target is None
    if is_code or "://" in target:
        return found[0]
    file, _, fragment = target.partition("#")
    way = _way(name, file, fragment)
    if not way:
        return text
    # A text that only repeats the target says nothing beside the way to it.
    if text.strip("`").lower() in (file.lower(), fragment, way.strip("“”").lower()):
        return way if file else text  # without a file, the way is a heading on this page: the text names it
    # Inside brackets, a colon saves a second pair of brackets.
    in_brackets = found.string[: found.start()].endswith("(")
    return f"{text}: {way}" if in_brackets else f"{text} ({way})"


def _way(name: str, file: str, fragment: str) -> str:
    """The way to the target of a link on page `name`: a command, a heading, or the path of another file.

    Empty if this page has no such section.
    """
    if not file:
        return _section(name, fragment)
    path = posixpath.normpath(posixpath.join(posixpath.dirname(_path(name)), file))
    other = next((page for page in pages() if _path(page) == path), None)
    if other is None:
        return path
    if fragment in CLAUSES and CLAUSES[fragment].page == other:
        return f"`conform spec {fragment}`"
    section = _section(other, fragment)
    return f"`conform docs {other}`, {section}" if section else f"`conform docs {other}`"


def _path(name: str) -> str:
    """The path of a page in the repository."""
    return "README.md" if name == README else f"docs/{name}.md"


def _section(name: str, fragment: str) -> str:
    """The heading of a section in quotation marks; empty if the page has no such section."""
    headings = _HEADING.findall(page(name)) if fragment else []
    heading = next((heading for heading in headings if anchor(heading) == fragment), "")
    return f"“{heading.replace('`', '')}”" if heading else ""
