"""Probes: positions in which a bot is made to search, and what its searches answered."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import zip_longest

from harness.checks.model import Judgement
from harness.checks.routes import ROUTES, Way
from harness.go import Colour, Point, Position, Symmetry, all_points, diagram, symmetries
from harness.gtp import Exchange, format_vertex, parse_vertex
from harness.oracle import AmafValue
from harness.oracle.expected import Expected, expected, expected_amaf, tables

FEW = 6
"""Moves that are told one by one."""


@dataclass(frozen=True)
class Known:
    """What is expected at a probe, where it was enumerated before and stored."""

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
    route: str = ""  # how a bot is led there: one of `harness.checks.routes.ROUTES`
    other_komi: float = 0.0  # in force on the way, where the route asks for another komi

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
        """Every move of the game that leads to the position, colours taking turns as far as they can.

        The last stone is the opponent's where that is possible: a bot that looks at whose turn it is, not
        at the colour of the command, is then led right.
        """
        stones = self.stones.stones()
        mine = [format_vertex(p) for p, colour in stones.items() if colour == self.to_move]
        theirs = [format_vertex(p) for p, colour in stones.items() if colour != self.to_move]
        other: Colour = "w" if self.to_move == "b" else "b"
        turns = []
        for my_move, their_move in zip_longest(reversed(mine), reversed(theirs)):
            turns += [(other, their_move)] if their_move else []
            turns += [(self.to_move, my_move)] if my_move else []
        return (*reversed(turns), *self.tail)

    @cached_property
    def position(self) -> Position:
        """The referee's position before the search, with the whole game as its history."""
        position = Position(self.size)
        for colour, vertex in self.moves:
            position.play(colour, parse_vertex(vertex, self.size))
        return position

    @cached_property
    def expected(self) -> Expected:
        """What a conforming bot answers here: stored, or tabulated, or else enumerated."""
        if self.known is not None:
            return self.known.expected
        if self.table:
            return tables()[self.table]
        return expected(self.position, self.to_move, self.komi)

    @cached_property
    def amaf(self) -> Mapping[Point, AmafValue]:
        """Exact AMAF values of the candidates. Raises TooLarge where they cannot be enumerated."""
        if self.known is not None:
            return self.known.amaf
        return expected_amaf(self.position, self.to_move, self.komi)

    @cache  # noqa: B019 (probes live as long as the program)
    def turned(self, turn: int) -> Probe:
        """The probe under one of the eight symmetries of the board: everything expected stays as it is."""
        image = symmetries(self.size)[turn]
        stones = Position(self.size)
        points = self.stones.stones().items()
        stones.set_up(
            [_moved(image, p) for p, colour in points if colour == "b"],
            [_moved(image, p) for p, colour in points if colour == "w"],
        )
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
            since = f", after {len(self.tail)} more moves, {passes} of them passes"
        return f"{side} to move, komi {self.komi:g}{since}"

    def setup(self) -> tuple[bytes, ...]:
        """The lines that lead a bot to the position."""
        way = Way(self.size, self.komi, self.moves, self.to_move, self.other_komi)
        return tuple(line.encode("ascii") + b"\n" for line in ROUTES[self.route](way))

    def question(self) -> bytes:
        """The line that makes the bot search."""
        return f"genmove {self.to_move}\n".encode("ascii")


def _moved(image: Symmetry, point: Point) -> Point:
    moved = image(point)
    assert moved is not None, "only a pass has no image"
    return moved


@dataclass(frozen=True)
class Search:
    """What a bot said of one search. `nodes` and `score` are None where it has no such command."""

    move: str  # upper case, PASS, or RESIGN
    nodes: int | None
    score: float | None
    seconds: float  # from genmove to its answer


class UnreadableAnswer(ValueError):  # noqa: N818 (an observation about the bot)
    """An answer that does not say what the command is there to say."""

    def __init__(self, exchange: Exchange, wanted: str) -> None:
        super().__init__(wanted)
        self.exchange = exchange
        self.wanted = wanted


def read_nodes(exchange: Exchange) -> int:
    """The integer in an answer to `ref-nodes`. Raises UnreadableAnswer."""
    if exchange.answer is None or not exchange.ok or not re.fullmatch(r"\d+", exchange.text.strip()):
        raise UnreadableAnswer(exchange, "= and a whole number")
    return int(exchange.text)


def read_score(exchange: Exchange) -> float:
    """The number in an answer to `ref-score`. Raises UnreadableAnswer."""
    text = exchange.text.strip()
    if exchange.ok and re.fullmatch(r"-?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", text):
        score = float(text)
        if 0.0 <= score <= 1.0:
            return score
    raise UnreadableAnswer(exchange, "= and a number from 0 to 1")


def read_move(exchange: Exchange, size: int) -> str:
    """The move in an answer to `genmove`. Raises UnreadableAnswer."""
    text = exchange.text.strip()
    try:
        if exchange.ok and text.lower() == "resign":
            return "RESIGN"
        if exchange.ok:
            return format_vertex(parse_vertex(text, size)).upper()
    except ValueError:
        pass
    raise UnreadableAnswer(exchange, "= and a vertex")


@dataclass(frozen=True)
class Series:
    """The searches made in one probe, in order, and the number of playouts each of them is to have."""

    probe: Probe
    playouts: int
    searches: tuple[Search, ...]
    precision: float = 1.0  # factor on the margins of equivalence; a large budget asks for more

    @property
    def passed_unsearched(self) -> bool:
        """Whether the bot passed without a playout, as it may where it has no candidate."""
        return all(search.nodes == 0 and search.move == "PASS" for search in self.searches) and not (
            self.probe.position.candidates(self.probe.to_move)
        )


ProbeJudge = Callable[[Series, Expected], Judgement]


@dataclass(frozen=True)
class Probing:
    """The procedure of a check that makes a bot search: where, how often, and who judges.

    The plan gives every check `least` searches, then more while it is undecided, up to `most`.
    """

    probe: Probe
    judge: ProbeJudge
    least: int = 1
    most: int = 1
    hasty: int | None = None  # in place of `least`, if the budget is a quick one
    needs: tuple[str, ...] = ("ref-nodes", "ref-score")
    needs_count: bool = True  # judging takes the number of playouts
    may_refuse_size: bool = False  # a bot that does not play on such a board has nothing to show
    speaks: bool = False  # its outcome tells the diagnosis what no mean of its searches does
    only_with: tuple[str, ...] = ()  # commands that a bot need not have: without them there is nothing to see
