"""Empty boards, drawn."""

from __future__ import annotations


def empty(size: int) -> str:
    """The empty board of a size, as `harness.go.diagram` reads it."""
    return "\n".join(". " * size for _ in range(size))


EMPTY = empty(9)
