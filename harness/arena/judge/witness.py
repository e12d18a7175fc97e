"""The second board of a verification, with code of refbot: it shares no code with the referee's board.

Points are numbered row by row from A1. A `Board` of refbot has a set of points for each colour, as an
integer: a black stone on point 10 is bit 10 of `black`.
"""

from __future__ import annotations

from harness.go import REFERENCE, Rules
from refbot.rules import WHITE, Game, IllegalMoveError
from refbot.rules.board import ALLOW_MULTI, FORBID_SUICIDE, Board, board_of, each, grid, put


class OtherRules:
    """A game on a board under rules that `refbot.rules.Game` does not have. It keeps every earlier board."""

    def __init__(self, size: int, rules: Rules) -> None:
        self._rules = rules
        self._grid = grid(size)
        self.size = size
        self._boards = [Board(0, 0)]
        self._movers = [WHITE]

    def play(self, colour: int, point: int | None) -> int:
        """Play a move or a pass. Return the number of stones that left the board. Raises IllegalMoveError."""
        before = self._boards[-1]
        after = before if point is None else self._after(colour, point)
        self._boards.append(after)
        self._movers.append(colour)
        return _stones(before) + (point is not None) - _stones(after)

    @property
    def stones(self) -> bytes:
        """A byte for each point, row by row from A1: 0 empty, 1 black, 2 white."""
        board = bytearray(self.size**2)
        for value, points in zip((1, 2), self._boards[-1], strict=True):
            for point in each(points):
                board[point] = value
        return bytes(board)

    def _after(self, colour: int, point: int) -> Board:
        """The board after a move. Raises IllegalMoveError."""
        before, stone = self._boards[-1], 1 << point
        if (before.black | before.white) & stone:
            raise IllegalMoveError(colour, point, "occupied")
        suicide = ALLOW_MULTI if self._rules.suicide else FORBID_SUICIDE
        sides = put(self._grid, before.seen_by(colour), stone, suicide)
        if sides is None:
            raise IllegalMoveError(colour, point, "suicide")
        after = board_of(colour, sides)
        if self._repeats(after, colour):
            raise IllegalMoveError(colour, point, "repetition")
        return after

    def _repeats(self, after: Board, colour: int) -> bool:
        """Return True if the rules forbid the board `after`, to which `colour` has moved, as a repetition."""
        match self._rules.ko:
            case "positional":
                return after in self._boards
            case "situational":
                return (after, colour) in zip(self._boards, self._movers, strict=True)
        return colour != self._movers[-1] and after in self._boards[-2:-1]  # a recapture at once


def witness(size: int, komi: float, rules: Rules) -> Game | OtherRules:
    """The second board for these rules."""
    return Game(size, komi) if rules == REFERENCE else OtherRules(size, rules)


def _stones(board: Board) -> int:
    """The number of stones on a board."""
    return board.black.bit_count() + board.white.bit_count()
