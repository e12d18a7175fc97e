"""Probes: positions in which a bot must search, and the lines that set them up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import zip_longest

from harness.check.positions import EMPTY
from harness.go import Colour, Point, Position, Symmetry, all_points, diagram, opponent, symmetries
from harness.gtp import format_vertex, parse_vertex
from harness.oracle import AmafValue
from harness.oracle.amaf import expected_amaf
from harness.oracle.expected import Expected, expected, stored_moments

SETUP_PATHS = {
    "": "board komi moves",
    "komi-last": "board other-komi moves komi",  # the game is played under another komi
    "komi-first": "other-komi komi board moves",  # boardsize and clear_board leave the komi as it is
    "generated": "board komi earlier-moves generated-move",  # the last move is the only candidate of its side
    "searched": "board other-komi moves search undo komi",  # another komi first, and the move taken back
    "undone": "board komi moves pass undo",  # stones, ko and number of moves are as before
    "komi-before-undo": "board other-komi moves pass komi undo",
    "undone-all-along": "board komi moves-undone",  # undo a pass of the other side after each
    "komi-other-size": "other-board komi board moves",  # a new board size leaves the komi as it is
    "after-another-game": "board other-komi other-game clear komi moves",
}
"""Ways to set up the same position, by name: a list of parts. Its searches must not depend on the way.

They find state that a bot should not keep: a komi that it read only once, records of an earlier search, a ko
ban that undo did not restore. A bot that keeps it is right after the direct way ("") and wrong after another
one. Ways that take moves back need `undo`. `Probe.setup` makes lines of each part. An example is "undone":

    boardsize 9, clear_board, komi 7.5, play b E5, play w C3, play b pass, undo
"""

OTHER_SIZE = 9
"""The board size of the part "other-board" of a path, before the size of the probe."""

MOST_LISTED = 6
"""Largest number of moves after the stones that a description lists; chosen: they fit in one line."""

TURNED = 2_048
"""Size of the cache of turned probes; chosen: more than one run of checks has."""


@dataclass(frozen=True)
class StoredExpectation:
    """Expected playouts and AMAF values at a probe, enumerated in advance and stored."""

    expected: Expected
    amaf: Mapping[Point, AmafValue]


@dataclass(frozen=True)
class Probe:
    """A position to search: a diagram of stones, then further moves (captures, passes), then a genmove.

    `play` sets up the stones one by one. No order captures a stone: a chain that is not complete yet has an
    empty neighbour, the point of its next stone.
    """

    id: str
    board: str  # as `harness.go.diagram` reads it
    to_move: Colour = "b"
    komi: float = 7.5
    tail: tuple[tuple[Colour, str], ...] = ()  # moves after the stones: (colour, vertex)
    table: str = ""  # the entry of the oracle's tables, where it cannot be enumerated
    known: StoredExpectation | None = field(default=None, compare=False, repr=False)
    turns: bool = True  # search under the eight symmetries of the board, one after the other
    setup_path: str = ""  # one of SETUP_PATHS
    other_komi: float = 0.0  # komi of the part "other-komi" of a path

    @cached_property
    def stones(self) -> Position:
        """The position of the diagram alone."""
        return diagram(self.board)

    @property
    def resumes(self) -> bool:
        """True if its setup path has an earlier search of the same game."""
        return not {"search", "generated-move"}.isdisjoint(SETUP_PATHS[self.setup_path].split())

    @property
    def size(self) -> int:
        """Board size."""
        return self.stones.size

    @cached_property
    def moves(self) -> tuple[tuple[Colour, str], ...]:
        """Every move of the game that leads to the position: plays of the stones, then the tail.

        Until the tail, colours take turns, beginning with Black. Passes at the beginning stand for the stones
        that a side lacks for this. So even a bot that ignores the colour in a command and plays for the side
        to move reaches the position.
        """
        stones = self.stones.stones()
        after = self.tail[0][0] if self.tail else self.to_move  # the side to move after the stones
        other = opponent(after)
        mine = [format_vertex(p) for p, colour in stones.items() if colour == after]
        theirs = [format_vertex(p) for p, colour in stones.items() if colour != after]
        backwards: list[tuple[Colour, str]] = []  # from the last move before the tail to the first
        for my_move, their_move in zip_longest(reversed(mine), reversed(theirs), fillvalue="pass"):
            backwards += [(other, their_move), (after, my_move)]
        if backwards and backwards[-1] == ("w", "pass"):
            backwards.pop()  # Black begins by himself
        if backwards and backwards[-1][0] == "w":
            backwards.append(("b", "pass"))
        return (*reversed(backwards), *self.tail)

    @cached_property
    def position(self) -> Position:
        """The referee's position before the search, with the whole game as its history."""
        position = Position(self.size)
        for colour, vertex in self.moves:
            position.play(colour, parse_vertex(vertex, self.size))
        return position

    @cached_property
    def must_pass(self) -> bool:
        """True if the side to move has no candidate: no search can change its move."""
        return not self.position.candidates(self.to_move)

    @cached_property
    def expected(self) -> Expected:
        """The expected playouts of a conforming bot: stored, from a table, or else enumerated.

        Raises StateLimitError if there are too many states to enumerate.
        """
        if self.known is not None:
            return self.known.expected
        if self.table:
            return stored_moments()[self.table]
        return expected(self.position, self.to_move, self.komi)

    @cached_property
    def amaf(self) -> Mapping[Point, AmafValue]:
        """The exact AMAF values (visits and wins of a playout), by candidate that a playout can credit.

        Empty for a stored probe without them. Raises StateLimitError if there are too many states.
        """
        if self.known is not None:
            return self.known.amaf
        return expected_amaf(self.position, self.to_move, self.komi)

    @lru_cache(TURNED)  # noqa: B019 (the probes of the checks live as long as the program)
    def turned(self, turn: int) -> Probe:
        """Return the probe under a symmetry of the board, by its number (0 to 7, 0 changes nothing)."""
        image = symmetries(self.size)[turn]
        stones = Position(self.size)
        points = self.stones.stones().items()
        stones.set_up(*([_moved(image, p) for p, colour in points if colour == side] for side in "bw"))
        tail = tuple((c, format_vertex(image(parse_vertex(v, self.size)))) for c, v in self.tail)
        known = self.known and StoredExpectation(
            self.known.expected, {_moved(image, point): value for point, value in self.known.amaf.items()}
        )
        return replace(self, board=stones.draw(), tail=tail, known=known)

    def turned_back(self, vertex: str, turn: int) -> str:
        """Translate a move that the bot answered at `turned(turn)` back to the board of this probe."""
        if vertex in ("PASS", "RESIGN"):
            return vertex
        place = parse_vertex(vertex, self.size)
        image = symmetries(self.size)[turn]
        return next(format_vertex(p) for p in all_points(self.size) if image(p) == place)

    @property
    def occasion(self) -> str:
        """Side to move, komi and the moves after the stones, in one line."""
        side = "Black" if self.to_move == "b" else "White"
        passes = sum(vertex == "pass" for _, vertex in self.tail)
        if len(self.tail) <= MOST_LISTED:
            since = "".join(f", after {colour} {vertex}" for colour, vertex in self.tail)
        else:
            since = f", after {len(self.tail)} more moves" + (f", {passes} of them passes" if passes else "")
        return f"{side} to move, komi {self.komi:g}{since}"

    def setup(self) -> tuple[bytes, ...]:
        """Return the lines that set up the position on its path of SETUP_PATHS."""
        return self._setup

    @cached_property
    def _setup(self) -> tuple[bytes, ...]:
        """The lines of `setup`, made once."""
        plays = [f"play {colour} {vertex}" for colour, vertex in self.moves]
        exchanged = [f"play {opponent(colour)} {vertex}" for colour, vertex in self.moves]
        undone = (
            (play, f"play {opponent(c)} pass", "undo") for play, (c, _) in zip(plays, self.moves, strict=True)
        )
        parts = {
            "board": [f"boardsize {self.size}", "clear_board"],
            "other-board": [f"boardsize {OTHER_SIZE}", "clear_board"],
            "clear": ["clear_board"],
            "komi": [f"komi {self.komi:g}"],
            "other-komi": [f"komi {self.other_komi:g}"],
            "moves": plays,
            "earlier-moves": plays[:-1],
            "generated-move": [f"genmove {colour}" for colour, _ in self.moves[-1:]],
            "moves-undone": [line for lines in undone for line in lines],
            "pass": [f"play {self.to_move} pass"],
            "search": [self.question().decode("ascii").strip()],
            "undo": ["undo"],
            # Black passes first in the other game, so that its colours take turns too.
            "other-game": ["play b pass", *exchanged, f"genmove {opponent(self.to_move)}"],
        }
        lines = (line for part in SETUP_PATHS[self.setup_path].split() for line in parts[part])
        return tuple(line.encode("ascii") + b"\n" for line in lines)

    def question(self) -> bytes:
        """Return the genmove line that makes the bot search."""
        return f"genmove {self.to_move}\n".encode("ascii")


def _moved(image: Symmetry, point: Point) -> Point:
    moved = image(point)
    assert moved is not None, "only a pass has no image"
    return moved


def empty_board(komi: float) -> Probe:
    """Return the probe of the empty 9x9 board."""
    return Probe(f"empty-{komi:g}", EMPTY, komi=komi, table=f"9x9 empty, komi {komi:g}", turns=False)
