"""Checks of handicaps whose next command depends on an answer: free placement, boards of other sizes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from harness.check.bot.session import Session
from harness.check.bot.wording import exchange_text
from harness.check.model import Ability, Judgement, Outcome, Requirements, failed, passed
from harness.check.procedures.conversation import Conversation, first_search
from harness.check.procedures.held_steps import HeldStep, hold, judge_steps
from harness.check.procedures.reliance import SentLine, requirements
from harness.check.procedures.script import Step
from harness.go import FEWEST_HANDICAP, Point, all_points
from harness.gtp import Exchange, VertexError, format_vertex, parse_vertex, printable

REPEATS, NOT_PLACED = "place-handicap-repeats", "place-handicap-not-placed"
"""Faults that `PlacedFreely` must catch. A failure lists in `unlike` the fault that it does not show."""

ASKED = 4
"""Stones to ask for. Chosen: few, because a slow engine searches for each of them."""


@dataclass(frozen=True)
class PlacedRecord:
    """The answer to place_free_handicap, White's moves on the answered points, and White's move elsewhere.

    The moves are missing if the answer is not a list of FEWEST_HANDICAP to ASKED distinct points.
    """

    size: int
    placed: Exchange
    on_stones: tuple[Exchange, ...] = ()
    elsewhere: Exchange | None = None


@dataclass(frozen=True)
class PlacedFreely(Conversation):
    """`gtp.handicap.place`: the answered points hold stones, and White moves next."""

    @property
    def requires(self) -> Requirements:
        """Requirements of the lines."""
        lines = (*first_search(9)[:2], b"place_free_handicap 4\n", b"play w C3\n")
        own = requirements(map(SentLine, lines))
        return own.with_those_of(Requirements(abilities=frozenset({Ability.REFUSES_MOVES})))

    def observe(self, session: Session) -> PlacedRecord:
        """Ask for a handicap; let White play on each of the answered points, and on another point."""
        bot, size = session.bot, session.introduction.size
        bot.set_up(first_search(size)[:2])
        placed = bot.ask(f"place_free_handicap {ASKED}\n".encode("ascii"))
        points = _read_points(placed, size)
        if points is None:
            return PlacedRecord(size, placed)
        on_stones = tuple(bot.ask(_white_at(point)) for point in points)
        return PlacedRecord(size, placed, on_stones, bot.ask(_white_at(_free_point(points, size))))

    def judge(self, observation: PlacedRecord) -> Judgement:
        """The answer must list 2 to ASKED distinct points; a move there is refused, one elsewhere not."""
        expected = f"place_free_handicap {ASKED} → = and {FEWEST_HANDICAP} to {ASKED} distinct points"
        placed, elsewhere = observation.placed, observation.elsewhere
        points = _read_points(placed, observation.size)
        if points is None or elsewhere is None:
            return failed(expected, exchange_text(placed), unlike=(NOT_PLACED,))
        for stone in observation.on_stones:
            if stone.ok:
                seen = f"{placed.text}, then {exchange_text(stone)}"
                return failed(f"{expected}, each with a stone", seen, unlike=(REPEATS,))
        if not elsewhere.ok:
            return failed(f"{expected}, and a move elsewhere", exchange_text(elsewhere))
        return passed(expected, placed.text)


def _read_points(exchange: Exchange, size: int) -> list[Point] | None:
    """Return the points of an answer; None unless it lists FEWEST_HANDICAP to ASKED distinct points alone."""
    try:
        points = [parse_vertex(word, size) for word in exchange.text.split()]
    except VertexError:
        return None
    found = [point for point in points if point is not None]
    right = exchange.ok and FEWEST_HANDICAP <= len(points) <= ASKED and len(set(found)) == len(points)
    return found if right else None


def _free_point(stones: Sequence[Point], size: int) -> Point:
    """Return an empty point with no stone beside it. `stones`: at most ASKED, so there is one."""
    return next(
        (row, column)
        for row, column in all_points(size)
        if all(abs(row - up) + abs(column - right) > 1 for up, right in stones)
    )


def _white_at(point: Point) -> bytes:
    return f"play w {format_vertex(point)}\n".encode("ascii")


@dataclass(frozen=True)
class OtherSizes(Conversation):
    """A dialogue on boards of several sizes. Sizes that the bot refuses are left out.

    write   returns the steps for a board size, at least one; they begin after boardsize and clear_board
    """

    sizes: tuple[int, ...]
    write: Callable[[int], Sequence[Step]]

    @property
    def requires(self) -> Requirements:
        """Requirements of the steps on all sizes."""
        own = Requirements(abilities=frozenset({Ability.CHANGES_SIZE, Ability.CLEARS_THE_BOARD}))
        for size in self.sizes:
            own = own.with_those_of(requirements((step.line for step in self.write(size)), size))
        return own

    def describe(self) -> list[str]:
        """Return each line of the dialogues with its expected answer."""
        lines = ["on each of these boards that the bot accepts:"]
        for size in self.sizes:
            steps = [Step(f"boardsize {size}\n".encode("ascii")), *self.write(size)]
            lines += [f"  {printable(step.send).rstrip():<40} → {step.expect[0]}" for step in steps]
        return lines

    def observe(self, session: Session) -> tuple[tuple[int, tuple[HeldStep, ...]], ...]:
        """Hold the dialogue on each size, then restore the size; end at once at an unexpected answer."""
        bot = session.bot
        held: list[tuple[int, tuple[HeldStep, ...]]] = []
        for size in self.sizes:
            if not bot.ask(f"boardsize {size}\n".encode("ascii")).ok:
                continue
            bot.set_up([b"clear_board\n"])
            turns = hold(bot, self.write(size))
            held.append((size, turns))
            if turns[-1].unexpected is not None:
                return tuple(held)
        bot.set_up(first_search(session.introduction.size)[:2])
        return tuple(held)

    def judge(self, observation: tuple[tuple[int, tuple[HeldStep, ...]], ...]) -> Judgement:
        """Every answer must be as expected. `observe` ends at another one, so the last dialogue decides."""
        if not observation:
            return Judgement(Outcome.SKIP, observed="the bot plays on none of these boards")
        size, turns = observation[-1]
        return judge_steps(turns, size)
