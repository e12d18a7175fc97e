"""Tables, code and anchors in Markdown, for pages of the documentation.

The text is ours: only bars are escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence


def code(text: str) -> str:
    """Return text as code; empty for an empty text."""
    return f"`{text}`" if text else ""


def anchor(heading: str) -> str:
    """Return the fragment of a link to a heading, as GitHub makes it: "two-faults" for "Two faults"."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of a table."""
    lines = [head, ["---"] * len(head), *rows]
    return [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines]
