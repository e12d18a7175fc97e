"""Checks of final_status_list on a board where every stone is alive beyond dispute.

The settled board has vertical bands of one colour; each band is a chain with three one-point eyes. It exists
for each size from 7 on. On 9x9:

    9 X X O O O O O X X
    8 . X O O . O O X .     eyes in the rows 2, 5 and 8
    7 X X O O O O O X X
    6 X X O O O O O X X
    5 . X O O . O O X .
    …
    1 X X O O O O O X X
      A B C D E F G H J
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum

from harness.check.bot.session import Session
from harness.check.bot.wording import exchange_text, sent_text
from harness.check.model import Ability, Judgement, Outcome, Requirements, failed, passed
from harness.check.procedures.conversation import Conversation, as_lines, new_game
from harness.check.procedures.reliance import SentLine, requirements
from harness.go import Colour, Point, Position
from harness.gtp import Exchange, VertexError, format_vertex, parse_vertex

NO_STONE = "no stone is there"
"""The reason of a `VertexError` for a listed point without a stone."""

EMPTY_POINTS, TWICE = "final-status-empty-points", "final-status-twice"
"""Faults that the check of the stones must catch. A failure lists in `unlike` those that it does not show."""

STATUSES = ("alive", "dead", "seki")
EDGE, INNER = 2, 3
"""Widths of the bands of the settled board: at the edge, and the least width inside."""


class Aspect(Enum):
    """A requirement on the lists. The value is what a report expects."""

    STONES = "stones on the board, each of them once"
    CHAINS = "whole chains"
    ALIVE = "every stone as alive, since each chain has three eyes"


def settled_position(size: int) -> Position:
    """Return the position of the settled board, after a pass of each side."""
    position = Position(size)
    for colour, point in settled_moves(size):
        position.play(colour, point)
    return position


def settled_moves(size: int) -> list[tuple[Colour, Point | None]]:
    """Return the moves that lead to the settled board. The colours take turns; None is a pass."""
    stones: dict[Colour, list[Point]] = {"b": [], "w": []}
    for number, (first, width) in enumerate(_bands(size)):
        eyes = {(row, _eye_column(first, width, size)) for row in (1, size // 2, size - 2)}
        colour: Colour = "b" if number % 2 == 0 else "w"
        points = ((row, column) for row in range(size) for column in range(first, first + width))
        stones[colour] += [point for point in points if point not in eyes]
    moves: list[tuple[Colour, Point | None]] = []
    for turn in range(max(map(len, stones.values()))):
        for colour in ("b", "w"):
            own = stones[colour]
            moves.append((colour, own[turn] if turn < len(own) else None))
    return [*moves, ("b", None), ("w", None)]


def _eye_column(first: int, width: int, size: int) -> int:
    """Return the column of the eyes of a band: at the edge of the board, or in the middle of the band."""
    if first == 0:
        return 0
    return size - 1 if first + width == size else first + width // 2


def _bands(size: int) -> Iterator[tuple[int, int]]:
    """Yield first column (from 0) and width of each band: an odd number, black ones at both edges.

    On 9x9: (0, 2), (2, 5), (7, 2). The last inner band takes the columns that are left over.
    """
    inner = size - 2 * EDGE
    count = inner // INNER
    count -= 1 - count % 2
    yield 0, EDGE
    for number in range(count):
        width = INNER if number < count - 1 else inner - INNER * (count - 1)
        yield EDGE + INNER * number, width
    yield size - EDGE, EDGE


def _setup(size: int) -> tuple[bytes, ...]:
    moves = (f"play {colour} {format_vertex(point)}" for colour, point in settled_moves(size))
    return (*new_game(size), *as_lines("komi 6.5", *moves))


@dataclass(frozen=True)
class ListsRecord:
    """The answers to final_status_list with each status."""

    size: int
    answers: tuple[Exchange, ...]


@dataclass(frozen=True)
class StatusLists(Conversation):
    """final_status_list of a settled board: alive, dead and seki must divide the stones."""

    aspect: Aspect

    @property
    def requires(self) -> Requirements:
        """Requirements of the set-up."""
        return replace(requirements(map(SentLine, _setup(9))), optional_commands=("final_status_list",))

    def observe(self, session: Session) -> ListsRecord:
        """Set up the board and ask for each status."""
        bot, size = session.bot, session.introduction.size
        bot.set_up(_setup(size))
        return ListsRecord(
            size, tuple(bot.ask(f"final_status_list {status}\n".encode("ascii")) for status in STATUSES)
        )

    def judge(self, observation: ListsRecord) -> Judgement:
        """Judge one aspect of the lists.

        Skip if the bot refuses the list of living stones: it may be unable to judge positions. Other
        lists that it refuses are left out.
        """
        position = settled_position(observation.size)
        answered = [exchange for exchange in observation.answers if exchange.ok]
        if not observation.answers[0].ok:
            return Judgement(Outcome.SKIP, observed=exchange_text(observation.answers[0]))
        lists: list[list[Point]] = []
        for exchange in answered:
            try:
                lists.append(_points(exchange, position))
            except VertexError as error:
                unread = (EMPTY_POINTS,) if error.reason != NO_STONE else ()
                return self._not_of_stones(f"{_asked(exchange)} → “{error}”", TWICE, *unread)
        wrong = _wrong_points(answered, lists)
        if wrong:
            return self._not_of_stones(wrong, EMPTY_POINTS)
        if self.aspect is Aspect.STONES:
            return passed(self.aspect.value, f"{sum(map(len, lists))} stones")
        return (
            _judge_chains(position, answered, lists)
            if self.aspect is Aspect.CHAINS
            else _judge_alive(position, lists[0])
        )

    def _not_of_stones(self, observed: str, *others: str) -> Judgement:
        """Return the failure of a list; `others` are faults that would have failed in another way."""
        reported_by = "" if self.aspect is Aspect.STONES else Ability.LISTS_STATUSES
        return Judgement(Outcome.FAIL, Aspect.STONES.value, observed, reported_by=reported_by, unlike=others)


def _asked(exchange: Exchange) -> str:
    return sent_text(exchange.sent)


def _points(exchange: Exchange, position: Position) -> list[Point]:
    """Return the points of a list. Raises VertexError for a word that names no stone."""
    points: list[Point] = []
    for word in exchange.text.split():
        point = parse_vertex(word, position.size)
        if point is None or position.at(point) is None:
            raise VertexError(word, position.size, NO_STONE)
        points.append(point)
    return points


def _wrong_points(answered: list[Exchange], lists: list[list[Point]]) -> str:
    """Describe a stone that is named twice; empty if there is none."""
    named: dict[Point, str] = {}
    for exchange, points in zip(answered, lists, strict=True):
        twice = next((point for point, times in Counter(points).items() if times > 1), None)
        if twice is not None:
            return f"{_asked(exchange)} names {format_vertex(twice)} twice"
        for point in points:
            if point in named:
                return f"{named[point]} and {_asked(exchange)} both name {format_vertex(point)}"
            named[point] = _asked(exchange)
    return ""


def _judge_chains(position: Position, answered: list[Exchange], lists: list[list[Point]]) -> Judgement:
    """Fail if a list names a stone without the other stones of its chain."""
    for exchange, points in zip(answered, lists, strict=True):
        for point in points:
            missing = sorted(position.chain(point)[0] - set(points))
            if missing:
                names = f"{format_vertex(point)} and not {format_vertex(missing[0])} of the same chain"
                return failed(Aspect.CHAINS.value, f"{_asked(exchange)} names {names}")
    return passed(Aspect.CHAINS.value)


def _judge_alive(position: Position, alive: list[Point]) -> Judgement:
    """Fail if the list of living stones lacks one."""
    missing = sorted(set(position.stones()) - set(alive))
    if not missing:
        return passed(Aspect.ALIVE.value, f"{len(alive)} stones")
    observed = f"final_status_list alive leaves out {format_vertex(missing[0])}"
    more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
    return failed(Aspect.ALIVE.value, f"{observed}{more}\n{position.draw()}")
