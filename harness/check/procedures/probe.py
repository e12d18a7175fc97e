"""Probes: positions in which a bot is made to search, and the ways in which it is led there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import zip_longest

from harness.check.positions import EMPTY
from harness.go import Colour, Point, Position, Symmetry, all_points, diagram, opponent, symmetries
from harness.gtp import format_vertex, parse_vertex
from harness.oracle import AmafValue
from harness.oracle.expected import Expected, expected, expected_amaf, tables

SETUP_PATHS = {
    "": "board komi moves",
    "komi-last": "board other-komi moves komi",  # the game is played under another komi
    "komi-first": "other-komi komi board moves",  # boardsize and clear_board leave the komi as it is
    "generated": "board komi earlier-moves generated-move",  # the only candidate of that side
    "searched": "board other-komi moves search undo komi",  # another komi first, and the move taken back
    "undone": "board komi moves pass undo",  # stones, ko and number of moves are as before
    "komi-before-undo": "board other-komi moves pass komi undo",
    "undone-all-along": "board komi moves-undone",  # a pass of the other side after each, taken back
    "after-another-game": "board other-komi other-game clear komi moves",
}
"""Ways to lead a bot to one and the same position: what it does there must not depend on the way.

Bots keep state that they should not keep: a komi that was read once, records of an earlier search, a ko that
was lifted and not put back. Led straight to a position, such a bot is right; after a detour it is not. The
detours that take moves back need `undo`. The parts of a path are explained in `Probe.setup`.
"""

FEW = 6
"""Number of last moves up to which a description lists them; chosen: they fit in one line."""

TURNED = 2_048
"""Number of turned probes that are kept; chosen: more than one run of checks has."""


@dataclass(frozen=True)
class Known:
    """Stored expectation at a probe, enumerated before."""

    expected: Expected
    amaf: Mapping[Point, AmafValue]


@dataclass(frozen=True)
class Probe:
    """A position to search from: drawn stones, then moves of the game (captures, passes), then a genmove.

    The stones are laid by `play` in an order in which nothing is captured: any order does, since every
    chain of a final position that is not yet complete touches an empty point of its own.
    """

    id: str
    board: str  # as `harness.go.diagram` reads it
    to_move: Colour = "b"
    komi: float = 7.5
    tail: tuple[tuple[Colour, str], ...] = ()  # moves after the stones: (colour, vertex)
    table: str = ""  # the entry of the oracle's tables, where it cannot be enumerated
    known: Known | None = field(default=None, compare=False, repr=False)
    turns: bool = True  # searched under all symmetries of the board in turn
    setup_path: str = ""  # one of SETUP_PATHS
    other_komi: float = 0.0  # in force on the way, where the path asks for another komi

    @cached_property
    def stones(self) -> Position:
        """The drawn stones alone."""
        return diagram(self.board)

    @property
    def size(self) -> int:
        """Board size."""
        return self.stones.size

    @cached_property
    def moves(self) -> tuple[tuple[Colour, str], ...]:
        """Every move of the game that leads to the position; colours take turns, beginning with Black.

        A side that has fewer stones passes first. No bot then has to imply a pass between two moves of one
        colour, and one that looks at whose turn it is, not at the colour of the command, is led right.
        """
        stones = self.stones.stones()
        after = self.tail[0][0] if self.tail else self.to_move  # who has the turn once the stones are laid
        other = opponent(after)
        mine = [format_vertex(p) for p, colour in stones.items() if colour == after]
        theirs = [format_vertex(p) for p, colour in stones.items() if colour != after]
        turns: list[tuple[Colour, str]] = []
        for my_move, their_move in zip_longest(reversed(mine), reversed(theirs), fillvalue="pass"):
            turns += [(other, their_move), (after, my_move)]
        if turns and turns[-1] == ("w", "pass"):
            turns.pop()  # Black begins by himself
        if turns and turns[-1][0] == "w":
            turns.append(("b", "pass"))
        return (*reversed(turns), *self.tail)

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
        """The answers of a conforming bot here: stored, tabulated, or else enumerated."""
        if self.known is not None:
            return self.known.expected
        if self.table:
            return tables()[self.table]
        return expected(self.position, self.to_move, self.komi)

    @cached_property
    def amaf(self) -> Mapping[Point, AmafValue]:
        """Exact AMAF values of the candidates. Raises StateLimitError where they cannot be enumerated."""
        if self.known is not None:
            return self.known.amaf
        return expected_amaf(self.position, self.to_move, self.komi)

    @lru_cache(TURNED)  # noqa: B019 (the probes of the checks live as long as the program)
    def turned(self, turn: int) -> Probe:
        """The probe under one of the eight symmetries of the board: everything expected stays as it is."""
        image = symmetries(self.size)[turn]
        stones = Position(self.size)
        points = self.stones.stones().items()
        stones.set_up(*([_moved(image, p) for p, colour in points if colour == side] for side in "bw"))
        tail = tuple((c, format_vertex(image(parse_vertex(v, self.size)))) for c, v in self.tail)
        known = self.known and Known(
            self.known.expected, {_moved(image, point): value for point, value in self.known.amaf.items()}
        )
        return replace(self, board=stones.draw(), tail=tail, known=known)

    def turned_back(self, vertex: str, turn: int) -> str:
        """A vertex that was answered under a symmetry, as it stands in the probe itself."""
        if vertex in ("PASS", "RESIGN"):
            return vertex
        place = parse_vertex(vertex, self.size)
        image = symmetries(self.size)[turn]
        return next(format_vertex(p) for p in all_points(self.size) if image(p) == place)

    @property
    def occasion(self) -> str:
        """Who is to move, the komi, and what has happened since the stones were laid; one line."""
        side = "Black" if self.to_move == "b" else "White"
        passes = sum(vertex == "pass" for _, vertex in self.tail)
        if len(self.tail) <= FEW:
            since = "".join(f", after {colour} {vertex}" for colour, vertex in self.tail)
        else:
            since = f", after {len(self.tail)} more moves" + (f", {passes} of them passes" if passes else "")
        return f"{side} to move, komi {self.komi:g}{since}"

    def setup(self) -> tuple[bytes, ...]:
        """The lines that lead a bot to the position, by its path of SETUP_PATHS."""
        return self._setup

    @cached_property
    def _setup(self) -> tuple[bytes, ...]:
        plays = [f"play {colour} {vertex}" for colour, vertex in self.moves]
        exchanged = [f"play {opponent(colour)} {vertex}" for colour, vertex in self.moves]
        undone = (
            (play, f"play {opponent(c)} pass", "undo") for play, (c, _) in zip(plays, self.moves, strict=True)
        )
        parts = {
            "board": [f"boardsize {self.size}", "clear_board"],
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
            # Black passes first in that game, so that the colours take turns there too.
            "other-game": ["play b pass", *exchanged, f"genmove {opponent(self.to_move)}"],
        }
        lines = (line for part in SETUP_PATHS[self.setup_path].split() for line in parts[part])
        return tuple(line.encode("ascii") + b"\n" for line in lines)

    def question(self) -> bytes:
        """The line that makes the bot search."""
        return f"genmove {self.to_move}\n".encode("ascii")


def _moved(image: Symmetry, point: Point) -> Point:
    moved = image(point)
    assert moved is not None, "only a pass has no image"
    return moved


def empty_board(komi: float) -> Probe:
    """The empty 9x9 board."""
    return Probe(f"empty-{komi:g}", EMPTY, komi=komi, table=f"9x9 empty, komi {komi:g}", turns=False)
