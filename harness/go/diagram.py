"""`diagram`: read a position from a board drawn as text. `Position.draw` writes such text."""

from __future__ import annotations

from harness.go.errors import BoardError
from harness.go.position import Position

_SYMBOLS = frozenset("XO.")
_IGNORED = str.maketrans("", "", "0123456789()")


def diagram(text: str) -> Position:
    """Read a drawn board: X is Black, O is White, a dot is empty; the top line is the highest row.

    Ignores blanks, parentheses, row numbers and lines of column letters, which `Position.draw` writes. Raises
    BoardError for other symbols, a board that is not square, and a chain without a liberty.
    """
    rows = _rows(text)
    position = Position(len(rows))
    black, white = [], []
    for row, line in enumerate(reversed(rows)):
        if len(line) != position.size:
            raise BoardError(
                f"a diagram of {position.size} lines needs {position.size} points in each; "
                f"this line has {len(line)}: {line!r}"
            )
        black += [(row, column) for column, symbol in enumerate(line) if symbol == "X"]
        white += [(row, column) for column, symbol in enumerate(line) if symbol == "O"]
    position.set_up(black, white)
    return position


def _rows(text: str) -> list[str]:
    """Return the symbols of each row of a drawn board, from the top. Raises BoardError."""
    rows = []
    for line in text.upper().splitlines():
        symbols = "".join(line.translate(_IGNORED).split())
        if not symbols or symbols.startswith("A"):  # a line of column letters begins with A
            continue
        if not _SYMBOLS.issuperset(symbols):
            raise BoardError(f"expected only X, O and . in a diagram: {line.strip()!r}")
        rows.append(symbols)
    return rows
