"""The real game: what has been played, what may be played, and the score."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from refbot.errors import RefbotError
from refbot.fault import Fault
from refbot.faults import Faults, checked, mask
from refbot.rules import board
from refbot.rules.position import BLACK, EMPTY, NO_POINT, Position

MIN_SIZE, MAX_SIZE = 2, 25
OCCUPIED, SUICIDE, KO, SUPERKO = "occupied", "suicide", "ko", "superko"
MOST_CAPTURED = 32  # of the fault capture-at-most-32
WINDOWS = {Faults.SUPERKO_RECENT: 8, Faults.SUPERKO_LAST_FORTY: 40}  # positions that these faults compare
_KEYS_SEED = 0x60
_BANNING = frozenset(
    {Faults.SUPERKO_SIMPLE, Faults.SNAPBACK_AS_KO}
)  # with these faults a ban alone refuses a move
_NO_BOARD = -1  # on every point: equal to no board
_FIRST_HISTORY = 256  # positions; doubled when full
_CAPTURING = frozenset(
    {
        Faults.CAPTURE_AT_MOST_32,
        Faults.CAPTURE_NEVER,
        Faults.CAPTURE_ONE_STONE,
        Faults.CAPTURE_ONE_CHAIN,
        Faults.SUICIDE_BEFORE_CAPTURE,
    }
)  # faults of captures
_REFUSING_MORE = frozenset({Faults.SUICIDE_BEFORE_CAPTURE, Faults.KO_FOR_EVER})
"""With these faults fewer moves are legal than the kernels find."""


class IllegalMoveError(RefbotError, ValueError):
    """A move that the rules forbid; `reason` is "occupied", "suicide", "ko" or "superko"."""

    def __init__(self, colour: int, point: int, reason: str) -> None:
        self.colour, self.point, self.reason = colour, point, reason
        super().__init__(f"illegal move: {reason}")


class NothingToUndoError(RefbotError, ValueError):
    """The game has no move to take back."""

    def __init__(self) -> None:
        super().__init__("no move to take back")


class UnacceptableSizeError(RefbotError, ValueError):
    """A board size outside MIN_SIZE to MAX_SIZE."""

    def __init__(self, size: int) -> None:
        self.size = size
        super().__init__(f"size must be {MIN_SIZE} to {MAX_SIZE}, not {size}")


@dataclass(frozen=True)
class Move:
    """One move of the game; `point` None is a pass."""

    colour: int
    point: int | None


@dataclass(frozen=True, eq=False)
class _State:
    """The board after a move."""

    stones: npt.NDArray[np.int8]
    hash: np.uint64
    ko: int  # the point that simple ko forbids to the opponent of the mover


class _History:
    """All positions of the game, for superko; grows by doubling."""

    def __init__(self, points: int) -> None:
        self.boards = np.empty((_FIRST_HISTORY, points), np.int8)
        self.values = np.empty(_FIRST_HISTORY, np.uint64)
        self.movers = np.empty(_FIRST_HISTORY, np.int8)
        self.length = 0

    def add(self, state: _State, mover: int) -> None:
        if self.length == len(self.values):
            self.boards = np.concatenate([self.boards, np.empty_like(self.boards)])
            self.values = np.concatenate([self.values, np.empty_like(self.values)])
            self.movers = np.concatenate([self.movers, np.empty_like(self.movers)])
        self.boards[self.length] = state.stones
        self.values[self.length] = state.hash
        self.movers[self.length] = mover
        self.length += 1


class Game:
    """A game of Go under area scoring, positional superko, no suicide.

    Either colour may move at any time. `faults` are members or names of `refbot.faults`; those of
    other parts of the bot are ignored here. With `counts_implied_passes` a Position counts a pass of the
    other colour between two moves of one colour. Raises UnacceptableSizeError for a size outside 2 to 25.
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
        self._eye_mask = mask(self.faults)
        rng = np.random.default_rng(_KEYS_SEED)
        self._near = board.neighbours(size)
        self._keys = rng.integers(1, 2**63, (2, size * size), np.uint64)
        self._history = _History(size * size)
        self.clear()

    def clear(self) -> None:
        """Back to the empty board, no history; size and komi stay."""
        stones = np.zeros(self.size * self.size, np.int8)
        self.moves: list[Move] = []
        self._states = [_State(stones, np.uint64(0), NO_POINT)]
        self._bans: set[tuple[int, int]] = set()  # of the fault ko-for-ever
        self._forgotten = 0  # number of the first positions that superko ignores; only a fault ignores any
        self.uncounted = 0  # moves that a Position does not count; only a fault leaves moves uncounted
        if Faults.SUPERKO_SURVIVES_CLEAR not in self.faults:
            self._history.length = 0
        self._history.add(self._states[0], EMPTY)

    def lift_ko(self) -> None:
        """Forget the point that simple ko forbids now: what a fault does."""
        last = self._states[-1]
        self._states[-1] = _State(last.stones, last.hash, NO_POINT)

    def forget_board(self) -> None:
        """Makes superko ignore the board as it stands, which a fault needs."""
        self._history.boards[self._history.length - 1] = _NO_BOARD

    def forget(self) -> None:
        """Makes superko ignore all positions up to now, which a fault needs."""
        self._forgotten = self._history.length

    @property
    def stones(self) -> npt.NDArray[np.int8]:
        """The board, shape (size * size,); a view to read, not to write."""
        return self._states[-1].stones

    @property
    def to_move(self) -> int:
        """The colour whose turn it is: Black first, then the colour that did not move last."""
        return 3 - self.moves[-1].colour if self.moves else BLACK

    @property
    def passes(self) -> int:
        """How many passes in a row the game ends with."""
        count = 0
        for move in reversed(self.moves):
            if move.point is not None:
                break
            count += 1
        return count

    def ko_point(self, colour: int) -> int:
        """The point that simple ko forbids to `colour` now, or NO_POINT."""
        if not self.moves or self.moves[-1].colour == colour:
            return NO_POINT
        return self._states[-1].ko

    def legality(self, colour: int, point: int | None) -> str | None:
        """Why `colour` may not play at `point`: "occupied", "suicide", "ko", "superko"; None if it may."""
        reason, _ = self._try(colour, point)
        return reason

    def play(self, colour: int, point: int | None, *, may_repeat: bool = False) -> int:
        """Plays, and returns how many enemy stones were captured.

        Raises IllegalMoveError, and then nothing has changed. A pass is always legal. With `may_repeat` a
        move may repeat a position, unless it takes back in a ko at once.
        """
        reason, state = self._try(colour, point, may_repeat=may_repeat)
        if state is None:
            assert point is not None
            assert reason is not None
            raise IllegalMoveError(colour, point, reason)
        before = self.stones
        self.moves.append(Move(colour, point))
        self._states.append(state)
        self._history.add(state, colour)
        if state.ko != NO_POINT:
            self._bans.add((3 - colour, state.ko))
        if point is None:
            return 0
        return int(np.count_nonzero(before == 3 - colour) - np.count_nonzero(state.stones == 3 - colour))

    def undo(self) -> Move:
        """Takes the last move back and returns it. Raises NothingToUndoError."""
        if not self.moves:
            raise NothingToUndoError
        self._states.pop()
        if Faults.SUPERKO_SURVIVES_UNDO not in self.faults:
            self._history.length -= 1
        if Faults.SUPERKO_LOST_WITH_PASS in self.faults and self.moves[-1].point is None:
            self._history.length = max(0, self._history.length - 1)
        return self.moves.pop()

    def position(self, to_move: int | None = None) -> Position:
        """The start of a playout in which `to_move` moves first (default: whose turn it is)."""
        colour = self.to_move if to_move is None else to_move
        point = self.moves[-1].point if self.moves else None
        return Position(
            self.size,
            self.stones.copy(),
            colour,
            self.ko_point(colour),
            self._counted - self.uncounted + self._implied_passes,
            self.passes,
            NO_POINT if point is None else point,
        )

    @property
    def _counted(self) -> int:
        """The moves of the game that count towards the cap."""
        if Faults.CAP_PASSES_UNCOUNTED in self.faults:
            return sum(move.point is not None for move in self.moves)
        return len(self.moves)

    @property
    def _implied_passes(self) -> int:
        if not self._counts_implied_passes:
            return 0
        return sum(one.colour == other.colour for one, other in pairwise(self.moves))

    def candidates(self, colour: int) -> npt.NDArray[np.int64]:
        """The points, in order, that `colour` may play and that are not its one-point eyes."""
        banned = self.ko_point(colour) if self.faults & _BANNING else NO_POINT
        found: npt.NDArray[np.int64] = board.candidates(
            self.stones, self._near, self.size, colour, banned, self._suicide, self._eye_mask,
            self._states[-1].hash, self._keys, *self._compared(colour),
        )  # fmt: skip
        if self.faults & _REFUSING_MORE:
            return np.array([point for point in found if self.legality(colour, int(point)) is None], np.int64)
        return found

    def area_score(self) -> float:
        """Black's area minus White's area and komi; positive when Black is ahead."""
        return float(board.area(self.stones, self._near)) - self.komi

    @property
    def _suicide(self) -> int:
        if Faults.SUICIDE_GAME in self.faults:
            return board.ALLOW_ALL
        return board.ALLOW_MULTI if Faults.SUICIDE_GAME_MULTI in self.faults else board.FORBID_SUICIDE

    def _compared(self, colour: int, *, may_repeat: bool = False) -> tuple[object, ...]:
        """Which earlier positions a move of `colour` must not repeat: the last arguments of the kernels."""
        history, first = self._history, self._forgotten
        if may_repeat or self.faults & {Faults.SUPERKO_NONE, Faults.SUPERKO_SIMPLE}:
            first = history.length
        for fault in self.faults & WINDOWS.keys():
            first = max(0, history.length - WINDOWS[fault])
        mover = colour if Faults.SUPERKO_SITUATIONAL in self.faults else EMPTY
        return mover, history.boards, history.values, history.movers, first, history.length

    def _is_enclosed(self, colour: int, point: int) -> bool:
        """Whether all neighbours of a point are stones of the other colour."""
        return all(self.stones[near] == 3 - colour for near in self._near[point] if near != NO_POINT)

    def _put_back(self, before: npt.NDArray[np.int8], stones: npt.NDArray[np.int8], colour: int) -> None:
        """Put captured stones back on the board: what some faults do."""
        removed = np.flatnonzero((before == 3 - colour) & (stones == EMPTY))
        if Faults.CAPTURE_ONE_STONE in self.faults:
            removed = removed[1:]
        elif Faults.CAPTURE_ONE_CHAIN in self.faults:
            first = self._chain(before, int(removed[0]))
            removed = np.array([point for point in removed if int(point) not in first], np.int64)
        elif Faults.CAPTURE_NEVER not in self.faults and len(removed) <= MOST_CAPTURED:
            return
        stones[removed] = 3 - colour

    def _chain(self, stones: npt.NDArray[np.int8], start: int) -> set[int]:
        """The points of the chain at a point."""
        chain, found = {start}, [start]
        while found:
            for near in self._near[found.pop()]:
                if near != NO_POINT and stones[near] == stones[start] and int(near) not in chain:
                    chain.add(int(near))
                    found.append(int(near))
        return chain

    def _try(
        self, colour: int, point: int | None, *, may_repeat: bool = False
    ) -> tuple[str | None, _State | None]:
        """The reason that forbids a move, or the board after it."""
        before = self._states[-1]
        if point is None:
            return None, _State(before.stones, before.hash, NO_POINT)
        if before.stones[point] != EMPTY:
            return OCCUPIED, None
        banned = point == self.ko_point(colour)
        if Faults.KO_FOR_EVER in self.faults and (colour, point) in self._bans:
            return KO, None
        if banned and self.faults & _BANNING:
            return KO, None
        stones = before.stones.copy()
        compared = self._compared(colour, may_repeat=may_repeat and not banned)
        status, captured, captured_point, value = board.play(
            stones, self._near, colour, point, self._suicide, before.hash, self._keys, *compared
        )
        if status == board.SUICIDE:
            return SUICIDE, None
        if status == board.REPEATS:
            return (KO if banned else SUPERKO), None
        if captured and self.faults & _CAPTURING:
            if Faults.SUICIDE_BEFORE_CAPTURE in self.faults and self._is_enclosed(colour, point):
                return SUICIDE, None
            if Faults.SUICIDE_BEFORE_CAPTURE not in self.faults:
                self._put_back(before.stones, stones, colour)
        bans = captured == 1 and (
            Faults.SNAPBACK_AS_KO in self.faults or board.is_lone(stones, self._near, point)
        )
        ko = captured_point if bans else NO_POINT
        if Faults.KO_KEPT_BY_TAKER in self.faults and ko == NO_POINT:
            again = self.moves and self.moves[-1].colour == colour
            ko = before.ko if again and point != before.ko else NO_POINT
        return None, _State(stones, np.uint64(value), ko)
