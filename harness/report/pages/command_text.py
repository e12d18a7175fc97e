"""Finds what docs/gtp.md says about one command of GTP: its section, and its rows in tables."""

from __future__ import annotations

import re
from contextlib import suppress

from harness.report.pages.documents import protocol, section_of

_SECTION = re.compile(r"^##+ .*\n(?:(?!^##).*\n)*", re.MULTILINE)
_TABLE = re.compile(r"^\|.*\|\n\|[-| ]+\|\n(?:\|.*\|\n)+", re.MULTILINE)


def command_text(name: str) -> str:
    """Return the text of the page about a command, in Markdown; empty if there is none."""
    page = protocol()
    parts = [text for section in _SECTION.findall(page) if (text := _excerpt(section, name))]
    with suppress(KeyError):
        parts.insert(0, section_of(page, name))
    return "\n".join(parts)


def _excerpt(section: str, name: str) -> str:
    """The heading and first paragraph of a section, and the rows about a command; empty without such rows."""
    tables = []
    for table in _TABLE.findall(section):
        head, rule, *rows = table.splitlines(keepends=True)
        if mine := [row for row in rows if _is_about(row, name)]:
            tables.append("".join([head, rule, *mine]))
    if not tables:
        return ""
    heading, introduction = section.split("\n\n", 2)[:2]
    return "\n".join(
        [f"{heading}\n", *([] if introduction.startswith("|") else [f"{introduction}\n"]), *tables]
    )


def _is_about(row: str, name: str) -> bool:
    """Return whether the first cell of a row is this command, with or without its arguments."""
    return re.match(rf"\| `{re.escape(name)}[ `]", row) is not None
