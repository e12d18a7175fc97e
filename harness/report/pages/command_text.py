"""Finds what docs/gtp.md says about one command of GTP: its section, and its rows in tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress

from harness.report.pages.documents import protocol, section_of

_TABLE = re.compile(r"^\|.*\|\n\|[-| ]+\|\n(?:\|.*\|\n)+", re.MULTILINE)
_HEADING = re.compile(r"^##+ .*\n", re.MULTILINE)


def command_text(name: str) -> str:
    """What the page says about a command, in Markdown; empty if it says nothing."""
    page = protocol()
    parts = list(_rows(page, name))
    with suppress(KeyError):
        parts.insert(0, section_of(page, name))
    return "\n".join(parts)


def _rows(page: str, name: str) -> Iterator[str]:
    """For each table with rows about a command: the heading of its section, its head, and these rows."""
    for table in _TABLE.finditer(page):
        head, rule, *rows = table[0].splitlines(keepends=True)
        mine = [row for row in rows if _is_about(row, name)]
        if mine:
            heading = _HEADING.findall(page, 0, table.start())[-1]
            yield f"{heading}\n{head}{rule}{''.join(mine)}"


def _is_about(row: str, name: str) -> bool:
    """Return whether the first cell of a row is this command, with or without its arguments."""
    return re.match(rf"\| `{re.escape(name)}[ `]", row) is not None
