"""The real game: its moves so far, the legal moves, and the score.

Colours are BLACK and WHITE. A point is row x size + column, with row 0 at the bottom: on 9x9, C2 is 11. Some
faults of `refbot.deviations` are branches here; a game without them follows the specification.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from refbot.deviations.fault import Fault
from refbot.deviations.faults import Faults, checked, mask
from refbot.rules import board
from refbot.rules.board import Board, Points, Sides
from refbot.rules.errors import (
    MAX_SIZE,
    MIN_SIZE,
    IllegalMoveError,
    NothingToUndoError,
    UnacceptableSizeError,
)
from refbot.rules.position import BLACK, EMPTY, NO_POINT, WHITE, Position

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

OCCUPIED, SUICIDE, KO, SUPERKO = "occupied", "suicide", "ko", "superko"
MOST_CAPTURED = 32  # the fault capture-at-most-32 removes no stone where more are captured
WINDOWS = {Faults.SUPERKO_RECENT: 8, Faults.SUPERKO_LAST_FORTY: 40}
"""The number of last positions that superko compares with these faults."""
_SUPERKO_FAULTS = WINDOWS.keys() | {
    Faults.SUPERKO_NONE,
    Faults.SUPERKO_SIMPLE,
    Faults.SUPERKO_LAST_CAP,
    Faults.SUPERKO_SITUATIONAL,
}
"""With these faults superko does not compare all positions of the game, or not for both colours."""
_EMPTY_BOARD = Board(0, 0)
_NO_BOARD = Board(-1, -1)  # equal to no board
_FAULTS_WITH_KO_BAN = frozenset({Faults.SUPERKO_SIMPLE, Faults.SNAPBACK_AS_KO, Faults.CLEAR_KEEPS_KO})
"""With these faults the ban of simple ko refuses a move. Without them superko does, as a move that retakes a
ko repeats a board."""
_CAPTURE_FAULTS = frozenset(
    {
        Faults.CAPTURE_AT_MOST_32,
        Faults.CAPTURE_NEVER,
        Faults.CAPTURE_ONE_STONE,
        Faults.CAPTURE_ONE_CHAIN,
        Faults.CAPTURE_THREE_CHAINS,
    }
)
"""With these faults, a capture removes too few stones."""
_FAULTS_THAT_REFUSE_MORE = frozenset({Faults.SUICIDE_BEFORE_CAPTURE, Faults.KO_FOR_EVER})
"""With these faults fewer moves are legal than `Game.candidates` finds at first."""


class Move(NamedTuple):
    """One move of the game; `point` None is a pass."""

    colour: int
    point: int | None


class _State(NamedTuple):
    """The position after a move: the board and the ban of simple ko."""

    board: Board
    ko: int  # the point that simple ko forbids to the opponent of the mover


class Game:
    """A game of Go under area scoring, positional superko, no suicide.

    Either colour may move at any time. `faults` are members or names of `refbot.deviations.faults`; faults of
    other parts of the bot have no effect here. With `counts_implied_passes`, `position` counts a pass of the
    other colour between two moves in a row of one colour. Raises UnacceptableSizeError outside 2 to 25, and
    UnknownFaultError.
    """

    def __init__(
        self,
        size: int = 9,
        komi: float = 7.5,
        faults: Iterable[str | Fault] = frozenset(),
        *,
        counts_implied_passes: bool = False,
    ) -> None:
        if not MIN_SIZE <= size <= MAX_SIZE:
            raise UnacceptableSizeError(size)
        self.size = size
        self.komi = komi
        self.faults = checked(faults)
        self._counts_implied_passes = counts_implied_passes
        self._eye_mask = mask(self.faults)  # for `board.refused_eyes`
        self._grid = board.grid(size)
        self._boards: list[Board] = []  # all positions of the game, for superko
        self._movers: list[int] = []  # the colour whose move led to each of them; EMPTY for the first
        self.moves: list[Move] = []
        self.miscounted = 0  # number of moves that faults add to `counted`; negative if they leave moves out
        self.clear()

    def clear(self) -> None:
        """Empties the board and forgets the history; size and komi stay."""
        # (colour, point) of a ban that outlives the game before: the fault clear-keeps-ko
        self._kept_ban = self._present_ban if Faults.CLEAR_KEEPS_KO in self.faults else None
        self.miscounted = self.counted if Faults.COUNT_NEVER_RESET in self.faults else 0
        self.moves = []
        self.ghosts = 0  # undone stones that still score, Black's less White's; 0 without a fault
        self._states = [_State(_EMPTY_BOARD, NO_POINT)]
        self._all_bans: set[tuple[int, int]] = set()  # of this game, for the fault ko-for-ever
        self._forgotten = 0  # number of first positions that superko ignores; 0 without a fault
        if Faults.SUPERKO_SURVIVES_CLEAR not in self.faults:
            self._boards.clear()
            self._movers.clear()
        self._remember(EMPTY)

    def _remember(self, mover: int) -> None:
        """Adds the position on the board to those that superko compares."""
        if Faults.SUPERKO_FIRST_CAP in self.faults and len(self._boards) >= 3 * self.size**2:
            return
        self._boards.append(self._states[-1].board)
        self._movers.append(mover)

    def lift_ko(self) -> None:
        """Lifts the present ban of simple ko. Only faults call this."""
        self._states[-1] = _State(self._board, NO_POINT)

    def forget_present_board(self) -> None:
        """Makes superko ignore the present board. Only a fault calls this."""
        self._boards[-1] = _NO_BOARD

    def forget_boards(self) -> None:
        """Makes superko ignore all positions up to now. Only a fault calls this."""
        self._forgotten = len(self._boards)

    @property
    def _board(self) -> Board:
        return self._states[-1].board

    def captured(self, colour: int) -> int:
        """Return the number of stones of a colour that were captured in this game, suicides included."""
        played = sum(move.colour == colour and move.point is not None for move in self.moves)
        return max(0, played - self.stones.count(colour))

    @property
    def stones(self) -> list[int]:
        """The board: EMPTY, BLACK or WHITE for each point."""
        stones = [EMPTY] * (self.size * self.size)
        for point in board.each(self._board.black):
            stones[point] = BLACK
        for point in board.each(self._board.white):
            stones[point] = WHITE
        return stones

    @property
    def to_move(self) -> int:
        """The colour whose turn it is: Black first, then the colour that did not move last."""
        return 3 - self.moves[-1].colour if self.moves else BLACK

    @property
    def passes(self) -> int:
        """The number of passes in a row at the end of the game."""
        count = 0
        for move in reversed(self.moves):
            if move.point is not None:
                break
            count += 1
        return count

    def ko_point(self, colour: int) -> int:
        """The point that simple ko forbids to `colour` now, or NO_POINT."""
        if not self.moves:
            return self._kept_ban[1] if self._kept_ban and self._kept_ban[0] == colour else NO_POINT
        return NO_POINT if self.moves[-1].colour == colour else self._states[-1].ko

    @property
    def _present_ban(self) -> tuple[int, int] | None:
        """(Colour, point) of the ban of simple ko after the last move; None if there is none."""
        if not self.moves or self._states[-1].ko == NO_POINT:
            return None
        return 3 - self.moves[-1].colour, self._states[-1].ko

    def legality(self, colour: int, point: int | None) -> str | None:
        """Return the reason against a move: "occupied", "suicide", "ko", "superko"; None for a legal one."""
        reason, _ = self._try_move(colour, point)
        return reason

    def play(self, colour: int, point: int | None, *, may_repeat: bool = False) -> int:
        """Makes a move; returns how many enemy stones it captured. `point` None is a pass, always legal.

        With `may_repeat`, superko is off and only simple ko forbids a repetition. Raises IllegalMoveError;
        the game is then unchanged.
        """
        reason, state = self._try_move(colour, point, may_repeat=may_repeat)
        if state is None:
            assert point is not None
            assert reason is not None
            raise IllegalMoveError(colour, point, reason)
        before = self._board.seen_by(colour)
        self.moves.append(Move(colour, point))
        self._states.append(state)
        self._remember(colour)
        if state.ko != NO_POINT:
            self._all_bans.add((3 - colour, state.ko))
        return (before.other & ~state.board.seen_by(colour).other).bit_count()

    def undo(self) -> Move:
        """Takes the last move back and returns it. Raises NothingToUndoError.

        With the fault undo-skips-passes, a pass is taken back together with the move before it.
        """
        if not self.moves:
            raise NothingToUndoError
        last = self.moves.pop()
        if Faults.UNDO_KEEPS_SCORE in self.faults and last.point is not None:
            self.ghosts += 1 if last.colour == BLACK else -1
        self._states.pop()
        if Faults.SUPERKO_SURVIVES_UNDO not in self.faults:
            self._forget_last()
        if Faults.SUPERKO_LOST_WITH_PASS in self.faults and last.point is None:
            self._forget_last()
        skips = Faults.UNDO_SKIPS_PASSES in self.faults and last.point is None and self.moves
        return self.undo() if skips else last

    def _forget_last(self) -> None:
        del self._boards[-1:], self._movers[-1:]

    def position(self, to_move: int | None = None) -> Position:
        """The start of a playout in which `to_move` moves first (default: whose turn it is)."""
        import numpy as np

        colour = self.to_move if to_move is None else to_move
        point = self.moves[-1].point if self.moves else None
        return Position(
            self.size,
            np.array(self.stones, np.int8),
            colour,
            self.ko_point(colour),
            self.counted,
            self.passes,
            NO_POINT if point is None else point,
        )

    @property
    def counted(self) -> int:
        """The number of moves of the game that count towards the cap of a playout."""
        moves = len(self.moves)
        if Faults.CAP_PASSES_UNCOUNTED in self.faults:
            moves = sum(move.point is not None for move in self.moves)
        return moves + self.miscounted + self._implied_passes

    @property
    def _implied_passes(self) -> int:
        """The number of times that one colour moved twice in a row, if passes between are to be counted."""
        if not self._counts_implied_passes:
            return 0
        return sum(one.colour == other.colour for one, other in pairwise(self.moves))

    def candidates(self, colour: int) -> npt.NDArray[np.int64]:
        """Return the points, in order, that `colour` may play and that are not its one-point eyes."""
        import numpy as np

        found = board.each(self._playable(colour))
        if self.faults & _FAULTS_THAT_REFUSE_MORE:
            found = (point for point in found if self.legality(colour, point) is None)
        return np.fromiter(found, np.int64)

    def _playable(self, colour: int) -> Points:
        """The candidates as a set, before the faults in _FAULTS_THAT_REFUSE_MORE.

        Most points are harmless: a stone there has a liberty and captures nothing, so that only superko can
        forbid it. The moves at all other points are tried one by one.
        """
        sides, earlier = self._board.seen_by(colour), self._earlier(colour)
        empty = self._grid.all & ~(sides.own | sides.other)
        possible = empty & ~board.refused_eyes(self._grid, sides, self._eye_mask)
        if Faults.CANDIDATES_LEAVE_ENEMY_EYES in self.faults:
            possible &= ~board.refused_eyes(self._grid, Sides(sides.other, sides.own), 0)
        if self.faults & _FAULTS_WITH_KO_BAN and (ko := self.ko_point(colour)) != NO_POINT:
            possible &= ~(1 << ko)
        harmless = possible & board.harmless(self._grid, sides)
        found = harmless & ~self._repeating(colour, earlier)
        for point in board.each(possible ^ harmless):
            after = board.put(self._grid, sides, 1 << point, self._suicide)
            if after is not None and not self._is_repetition(colour, after, earlier):
                found |= 1 << point
        return found

    def _repeating(self, colour: int, earlier: Sequence[Board]) -> Points:
        """Return the empty points where a stone that captures nothing would repeat a board of `earlier`.

        A board that can be repeated in this way has the enemy stones of the present board, and its own stones
        with exactly one more, at the point. Own stones may be in the result too: the caller drops them.
        """
        if Faults.SUPERKO_CAPTURES_ONLY in self.faults:
            return 0
        own, other = self._board.seen_by(colour)
        mine, theirs = (0, 1) if colour == BLACK else (1, 0)
        points = 0
        for before in earlier:
            if before[theirs] == other and (more := before[mine] ^ own).bit_count() == 1:
                points |= more
        return points

    def _is_repetition(self, colour: int, after: Sides, earlier: Sequence[Board]) -> bool:
        """Return True if superko refuses a move of `colour` that leads to the board `after`."""
        captures = after.other != self._board.seen_by(colour).other
        if Faults.SUPERKO_CAPTURES_ONLY in self.faults and not captures:
            return False
        return board.board_of(colour, after) in earlier

    def area_score(self) -> float:
        """Black's area minus White's area and komi; positive when Black is ahead."""
        return float(board.area(self._grid, self._board)) - self.komi

    @property
    def _suicide(self) -> int:
        """The suicides that are legal, as `board.put` takes them."""
        if Faults.SUICIDE_GAME in self.faults:
            return board.ALLOW_ALL
        return board.ALLOW_MULTI if Faults.SUICIDE_GAME_MULTI in self.faults else board.FORBID_SUICIDE

    def _earlier(self, colour: int, *, may_repeat: bool = False) -> Sequence[Board]:
        """The earlier boards that superko forbids a move of `colour` to repeat."""
        first = self._forgotten
        if not (first or may_repeat or self.faults & _SUPERKO_FAULTS):
            return self._boards
        if may_repeat or self.faults & {Faults.SUPERKO_NONE, Faults.SUPERKO_SIMPLE}:
            first = len(self._boards)
        for fault in self.faults & WINDOWS.keys():
            first = max(0, len(self._boards) - WINDOWS[fault])
        if Faults.SUPERKO_LAST_CAP in self.faults:
            first = max(0, len(self._boards) - 3 * self.size**2)
        if Faults.SUPERKO_SITUATIONAL in self.faults:
            pairs = zip(self._boards[first:], self._movers[first:], strict=True)
            return [made for made, mover in pairs if mover == colour]
        return self._boards[first:]

    def _is_enclosed(self, point: int, other: Points) -> bool:
        """Return True if all neighbours of a point are in `other`."""
        return not self._grid.beside(1 << point) & ~other

    def _left_standing(self, captured: Points) -> Points:
        """Return the captured stones that stay on the board because of a fault; none without such a fault."""
        lowest = captured & -captured
        if Faults.CAPTURE_ONE_STONE in self.faults:
            return captured ^ lowest
        if Faults.CAPTURE_ONE_CHAIN in self.faults:
            return captured & ~self._grid.grown(lowest, captured)
        if Faults.CAPTURE_THREE_CHAINS in self.faults:
            for _ in range(3):
                captured &= ~self._grid.grown(captured & -captured, captured)
            return captured
        if Faults.CAPTURE_NEVER in self.faults:
            return captured
        too_many = Faults.CAPTURE_AT_MOST_32 in self.faults and captured.bit_count() > MOST_CAPTURED
        return captured if too_many else 0

    def _try_move(
        self, colour: int, point: int | None, *, may_repeat: bool = False
    ) -> tuple[str | None, _State | None]:
        """Return (the reason that forbids a move, None), or (None, the position after the move)."""
        if point is None:
            return None, _State(self._board, NO_POINT)
        before, stone = self._board.seen_by(colour), 1 << point
        if (before.own | before.other) & stone:
            return OCCUPIED, None
        if Faults.KO_FOR_EVER in self.faults and (colour, point) in self._all_bans:
            return KO, None
        banned = point == self.ko_point(colour)
        if banned and self.faults & _FAULTS_WITH_KO_BAN:
            return KO, None
        after = board.put(self._grid, before, stone, self._suicide)
        if after is None:
            return SUICIDE, None
        # `may_repeat` leaves superko on at the point that simple ko forbids: superko refuses that move.
        earlier = self._earlier(colour, may_repeat=may_repeat and not banned)
        if self._is_repetition(colour, after, earlier):
            return (KO if banned else SUPERKO), None
        captured = before.other ^ after.other
        if captured and Faults.SUICIDE_BEFORE_CAPTURE in self.faults:
            if self._is_enclosed(point, before.other):
                return SUICIDE, None
        elif captured and self.faults & _CAPTURE_FAULTS:
            after = Sides(after.own, after.other | self._left_standing(captured))
        return None, _State(board.board_of(colour, after), self._ko_after(colour, point, captured, after))

    def _ko_after(self, colour: int, point: int, captured: Points, after: Sides) -> int:
        """The point that simple ko forbids after a move at `point`, or NO_POINT."""
        if captured.bit_count() == 1 and (
            Faults.SNAPBACK_AS_KO in self.faults or board.is_single_in_atari(self._grid, after, 1 << point)
        ):
            return captured.bit_length() - 1
        if Faults.KO_KEPT_BY_TAKER in self.faults and self.moves and self.moves[-1].colour == colour:
            kept = self._states[-1].ko
            return kept if point != kept else NO_POINT
        return NO_POINT
