"""`Position`: a game of Go in progress, for the referee.

The code is simple, so that a reader can verify it. A board is a `bytes` value, one byte for each point:
EMPTY, BLACK or WHITE. A point has an index into it: row * size + column, so C2 on 9x9 has the index 11. A
move makes a new value. Superko forbids a move whose key (`Position._key`) is in the set of all keys so far.
"Clause" means a clause of docs/spec.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from harness.go.errors import BoardError, IllegalMoveError, Reason
from harness.go.geometry import (
    COLUMN_LETTERS,
    MAX_SIZE,
    Colour,
    Point,
    all_points,
    diagonals,
    neighbours,
    opponent,
)
from harness.go.rules import REFERENCE, Rules

EMPTY, BLACK, WHITE = 0, 1, 2
_STONE: dict[Colour, int] = {"b": BLACK, "w": WHITE}
_COLOUR: tuple[Colour, Colour] = ("b", "w")  # the colour of a stone is _COLOUR[stone - 1]


class Move(NamedTuple):
    """One move of a game; the point is None for a pass."""

    colour: Colour
    point: Point | None


class _Before(NamedTuple):
    """The state that `undo` restores."""

    board: bytes
    ko: tuple[Colour, Point] | None
    added: bytes | None  # the key that the move added for superko; None if it added none


class Position:
    """A board with its history. Either colour may move at any time, as in GTP.

    Points are (row, column) with (0, 0) = A1; None is a pass. Colours are "b" and "w".
    """

    def __init__(self, size: int, rules: Rules = REFERENCE) -> None:
        """An empty board. Raises BoardError for a size outside 1 to 25."""
        if not 1 <= size <= MAX_SIZE:
            raise BoardError(f"board size {size} is outside 1 to {MAX_SIZE}")
        self.size = size
        self.rules = rules
        self.moves: list[Move] = []
        self._neighbours = neighbours(size)
        self._diagonals = diagonals(size)
        self._board = bytes(size * size)
        self._stones_at_start: dict[Colour, int] = {"b": 0, "w": 0}
        self._seen = self._first_seen()  # keys of superko since the start of the history
        self._past: list[_Before] = []  # one for each move
        self._ko: tuple[Colour, Point] | None = None  # the move that simple ko forbids next

    def copy(self) -> Position:
        """An independent position with the same history."""
        clone = Position(self.size, self.rules)
        clone.moves = self.moves.copy()
        clone._board = self._board
        clone._stones_at_start = self._stones_at_start
        clone._seen = self._seen.copy()
        clone._past = self._past.copy()
        clone._ko = self._ko
        return clone

    def set_up(self, black: Iterable[Point], white: Iterable[Point]) -> None:
        """Put exactly these stones on the board and start a new history.

        Raises BoardError for a point off the board or given twice and for a chain without a liberty; the
        position is then unchanged.
        """
        board = bytearray(self.size * self.size)
        for colour, points in (("b", black), ("w", white)):
            for point in points:
                if not self._is_on_board(point):
                    raise BoardError(f"{point} is not on a board of size {self.size}")
                index = self._index(point)
                if board[index]:
                    raise BoardError(f"two stones on {point}")
                board[index] = BLACK if colour == "b" else WHITE
        alive = self._alive(board)
        for index, stone in enumerate(board):
            if stone and index not in alive:
                raise BoardError(f"the chain at {vertex_of(divmod(index, self.size))} has no liberty")
        self._board = bytes(board)
        self._stones_at_start = {"b": board.count(BLACK), "w": board.count(WHITE)}
        self._seen = self._first_seen()
        self._past = []
        self._ko = None
        self.moves = []

    # Moves

    def play(self, colour: Colour, point: Point | None) -> None:
        """Make a move or a pass. Raises IllegalMoveError for an illegal one, and then changes nothing."""
        board, ko = self._board, self._ko
        if point is None:
            self._ko = None
        else:
            reason, after, captured = self._try_move(colour, point)
            if reason is not None:
                raise IllegalMoveError(colour, point, reason)
            self._board = after
            self._ko = self._ko_after(colour, self._index(point), captured)
        key = self._key(colour, self._board)
        if key is None or key in self._seen:  # a pass may repeat a key
            self._past.append(_Before(board, ko, None))
        else:
            self._seen.add(key)
            self._past.append(_Before(board, ko, key))
        self.moves.append(Move(colour, point))

    def undo(self) -> None:
        """Take the last move back. Raises IndexError if there is none."""
        if not self.moves:
            raise IndexError("no move to undo")
        self.moves.pop()
        self._board, self._ko, added = self._past.pop()
        if added is not None:
            self._seen.discard(added)

    def legality(self, colour: Colour, point: Point | None) -> Reason | None:
        """The rule that forbids the move, or None if it is legal. A pass is always legal."""
        return None if point is None else self._try_move(colour, point)[0]

    def legal_points(self, colour: Colour) -> list[Point]:
        """The points where `colour` may play, lowest row first; passing is not listed."""
        return [point for point in all_points(self.size) if self.legality(colour, point) is None]

    def candidates(self, colour: Colour) -> list[Point]:
        """Clause `best-rate`: legal points that are not one-point eyes of the mover."""
        return [point for point in self.legal_points(colour) if not self.is_eye(colour, point)]

    def is_eye(self, colour: Colour, point: Point) -> bool:
        """Clause `eye`: empty, only own stones beside it, and no more enemy diagonals than allowed.

        One enemy diagonal is allowed in the middle of the board, none on an edge or in a corner.
        """
        if not self.is_surrounded(colour, point):
            return False
        diagonal, enemy = self._diagonals[self._index(point)], _STONE[opponent(colour)]
        enemies = sum(self._board[beside] == enemy for beside in diagonal)
        in_the_middle = len(diagonal) == 4
        return enemies <= (1 if in_the_middle else 0)

    def is_surrounded(self, colour: Colour, point: Point) -> bool:
        """Return True if the point is empty, with only own stones beside it: an eye, or a false one."""
        index, own = self._index(point), _STONE[colour]
        return not self._board[index] and all(
            self._board[beside] == own for beside in self._neighbours[index]
        )

    def ko_ban(self, colour: Colour) -> Point | None:
        """The point that simple ko forbids to `colour` at this move, or None."""
        return self._ko[1] if self._ko is not None and self._ko[0] == colour else None

    def _try_move(self, colour: Colour, point: Point) -> tuple[Reason | None, bytes, list[int]]:
        """Return (the rule that forbids the move, the board after it, the indices of the captured stones).

        The rule is None for a legal move. The two others are of use only then.
        """
        if not self._is_on_board(point):
            return "off-board", b"", []
        index = self._index(point)
        if self._board[index]:
            return "occupied", b"", []
        board = bytearray(self._board)
        board[index], enemy = _STONE[colour], _STONE[opponent(colour)]
        captured = []
        for beside in self._neighbours[index]:
            if board[beside] == enemy:
                dead = self._dead_chain(board, beside)
                for stone in dead:
                    board[stone] = EMPTY
                captured += dead
        if not captured and (lost := self._dead_chain(board, index)):
            if len(lost) == 1 or not self.rules.suicide:
                return "suicide", b"", captured
            for stone in lost:
                board[stone] = EMPTY
        after = bytes(board)
        if self._ko == (colour, point):
            return "ko", after, captured
        if self._key(colour, after) in self._seen:
            return "superko", after, captured
        return None, after, captured

    def _first_seen(self) -> set[bytes]:
        """Return the keys that superko knows at the start of a history."""
        first = self._key("w", self._board)  # Black is to move, as after a move of White
        return set() if first is None else {first}

    def _key(self, colour: Colour, board: bytes) -> bytes | None:
        """Return the key that superko compares after `colour` has moved; None under simple ko."""
        match self.rules.ko:
            case "positional":
                return board
            case "situational":
                return board + colour.encode()
        return None

    def _ko_after(self, colour: Colour, index: int, captured: list[int]) -> tuple[Colour, Point] | None:
        """Clause `simple-ko`: return the recapture (colour, point) that is forbidden now; None if none is.

        One is forbidden if the stone at `index`, played just now, captured a single stone, is itself single,
        and has no liberty but the point of the captured stone.
        """
        if len(captured) != 1:
            return None
        enemy = opponent(colour)
        others = (self._board[beside] for beside in self._neighbours[index] if beside != captured[0])
        if any(other != _STONE[enemy] for other in others):
            return None
        return enemy, divmod(captured[0], self.size)

    # The board

    def stones(self) -> dict[Point, Colour]:
        """The colour of every stone by its point (row, column), lowest row first."""
        return {divmod(i, self.size): _COLOUR[stone - 1] for i, stone in enumerate(self._board) if stone}

    def at(self, point: Point) -> Colour | None:
        """The stone on a point of the board, or None where it is empty."""
        stone = self._board[self._index(point)]
        return _COLOUR[stone - 1] if stone else None

    @property
    def fingerprint(self) -> bytes:
        """The board alone: size * size bytes, lowest row first, 0 empty, 1 black, 2 white."""
        return self._board

    @property
    def to_move(self) -> Colour:
        """The opponent of the last mover; Black before the first move."""
        return opponent(self.moves[-1].colour) if self.moves else "b"

    @property
    def has_ended(self) -> bool:
        """True if the last two moves were passes."""
        return [move.point for move in self.moves[-2:]] == [None, None]

    def chain(self, point: Point) -> tuple[frozenset[Point], frozenset[Point]]:
        """Return (points of the chain on `point`, its liberties). Raises BoardError for an empty point."""
        colour = self._board[self._index(point)]
        if not colour:
            raise BoardError(f"no stone on {point}")
        stones, border = self._region(self._index(point))
        liberties = (index for index in border if not self._board[index])
        return (
            frozenset(divmod(index, self.size) for index in stones),
            frozenset(divmod(index, self.size) for index in liberties),
        )

    def area_score(self) -> int:
        """Clause `area-scoring`: Black's stones and empty regions minus White's, without komi.

        An empty region is Black's if it borders on black stones only.
        """
        score = self._board.count(BLACK) - self._board.count(WHITE)
        done: set[int] = set()
        for index, stone in enumerate(self._board):
            if stone or index in done:
                continue
            region, border = self._region(index)
            done |= region
            reached = {self._board[beside] for beside in border}
            if reached == {BLACK}:
                score += len(region)
            elif reached == {WHITE}:
                score -= len(region)
        return score

    def captured(self) -> dict[Colour, int]:
        """The number of stones of each colour ("b", "w") that were captured, suicides included."""
        on_board = {"b": self._board.count(BLACK), "w": self._board.count(WHITE)}
        put = Counter(self._stones_at_start) + Counter(m.colour for m in self.moves if m.point is not None)
        return {colour: put[colour] - on_board[colour] for colour in _COLOUR}

    def score(self, dead: Iterable[Point] = ()) -> int:
        """Black's score minus White's under the rules, without komi, after the `dead` stones were removed.

        Raises KeyError for a dead point without a stone.
        """
        removed = set(dead)
        if not removed and self.rules.counting == "area":
            return self.area_score()
        left = self.stones()
        prisoners = Counter(self.captured()) + Counter(left.pop(point) for point in removed)
        end = Position(self.size)
        end.set_up(*([point for point in left if left[point] == colour] for colour in _COLOUR))
        area = end.area_score()
        if self.rules.counting == "area":
            return area
        stones = end._board.count(BLACK) - end._board.count(WHITE)
        return area - stones + prisoners["w"] - prisoners["b"]

    def draw(self, mark: Point | Iterable[Point] = ()) -> str:
        """The board as text with coordinates: X is Black, O is White; marked points are in parentheses."""
        marked = _as_points(mark)
        margin = len(str(self.size))
        header = " " * margin + "".join(f" {letter} " for letter in COLUMN_LETTERS[: self.size]).rstrip()
        lines = [header]
        for row in reversed(range(self.size)):
            line = f"{row + 1:>{margin}}"
            for column in range(self.size):
                symbol = ".XO"[self._board[row * self.size + column]]
                line += f"({symbol})" if (row, column) in marked else f" {symbol} "
            lines.append(f"{line}{row + 1}")
        return "\n".join([*lines, header])

    def __repr__(self) -> str:
        return f"<Position {self.size}x{self.size}, {len(self.moves)} moves>\n{self.draw()}"

    def _region(self, start: int) -> tuple[set[int], set[int]]:
        """The chain, or the empty region, that contains point `start`; and the points that border on it."""
        content = self._board[start]
        region, border, waiting = {start}, set(), [start]
        while waiting:
            for beside in self._neighbours[waiting.pop()]:
                if self._board[beside] != content:
                    border.add(beside)
                elif beside not in region:
                    region.add(beside)
                    waiting.append(beside)
        return region, border

    def _alive(self, board: bytearray) -> set[int]:
        """The stones of `board` whose chains have a liberty."""
        table = self._neighbours
        waiting = [
            index for index, stone in enumerate(board) if stone and any(not board[p] for p in table[index])
        ]
        found = set(waiting)
        while waiting:
            stone = waiting.pop()
            own = {p for p in table[stone] if board[p] == board[stone]} - found
            found |= own
            waiting.extend(own)
        return found

    def _dead_chain(self, board: bytearray, start: int) -> list[int]:
        """The stones of the chain at `start` if it has no liberty on `board`, else an empty list."""
        own, table = board[start], self._neighbours
        chain, members = [start], {start}
        for stone in chain:  # grows while it is walked
            for beside in table[stone]:
                content = board[beside]
                if content == EMPTY:
                    return []
                if content == own and beside not in members:
                    members.add(beside)
                    chain.append(beside)
        return chain

    def _is_on_board(self, point: Point) -> bool:
        return 0 <= point[0] < self.size and 0 <= point[1] < self.size

    def _index(self, point: Point) -> int:
        return point[0] * self.size + point[1]


def vertex_of(point: Point) -> str:
    """A point as GTP writes it, such as C3."""
    return f"{COLUMN_LETTERS[point[1]]}{point[0] + 1}"


def _as_points(mark: Point | Iterable[Point]) -> set[Point]:
    match mark:
        case (int(row), int(column)):
            return {(row, column)}
    return set(mark)
