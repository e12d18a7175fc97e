"""`ref.cap.*`: the move cap, and from where a bot counts.

The clause can be read in two ways: 3 N N moves from the start of the real game (our reading, SHOULD), or from
the start of the playout. What agrees with neither is a fault (MUST).
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from harness.checks.judges import judge_moments
from harness.checks.model import Check, Judgement, Level, Outcome
from harness.checks.positions import DAME
from harness.checks.probe import Probe, ProbeJudge, Probing, Series
from harness.go import Colour
from harness.oracle.expected import Expected

must = partial(Check, clause="move-cap", level=Level.MUST)
should = partial(Check, clause="move-cap", level=Level.SHOULD)

CAP = 3 * 9 * 9
NATURAL = 6
"""Moves of a playout from the four neutral points that no cap cuts short."""


def late(moves_made: int) -> Probe:
    """Four neutral points so late in a game that the cap is near: passes make up the number of moves."""
    return passed_on(Probe(f"late-{moves_made}", DAME[4], "b", 5.5), moves_made)


def passed_on(drawn: Probe, moves_made: int) -> Probe:
    """The position so late in a game: passes of both sides in turn make up the number of moves."""
    colours: tuple[Colour, Colour] = ("b", "w")
    passes = moves_made - len(drawn.stones.stones())
    return replace(drawn, tail=tuple((colours[number % 2], "pass") for number in range(passes)))


def judge_cap(either: bool, natural: int = NATURAL) -> ProbeJudge:
    """Whether playouts are as long as the cap of the game lets them; `either`: or the `natural` length."""

    def judge(series: Series, expected: Expected) -> Judgement:
        lengths = {(search.nodes or 0) / series.playouts for search in series.searches}
        readings = {expected.mean_length: "the cap counts from the start of the game"}
        if either:
            readings[natural] = "the cap counts from the start of the playout"
        seen = ", ".join(f"{length:g} moves a playout" for length in sorted(lengths))
        wanted = " or ".join(f"{length:g} ({meaning})" for length, meaning in readings.items())
        right = len(lengths) == 1 and lengths <= set(readings)
        named = f": {readings[lengths.pop()]}" if right else ""
        return Judgement(Outcome.PASS if right else Outcome.FAIL, wanted, seen + named)

    return judge


NEUTRAL = replace(late(CAP), id="neutral", komi=6.0)
"""A playout of one move leaves three neutral points; without them the game is drawn at this komi."""


def judge_single_moves(margin: float) -> ProbeJudge:
    """The mean result of playouts of one move; nothing to judge for a bot that counts the cap otherwise."""
    return of_single_moves(judge_moments(result_margin=margin, lengths=False))


def of_single_moves(judge_result: ProbeJudge) -> ProbeJudge:
    """A judge of results that has nothing to say where playouts are longer than one move."""

    def judge(series: Series, expected: Expected) -> Judgement:
        if any(search.nodes != series.playouts for search in series.searches):
            return Judgement(Outcome.SKIP, observed="the bot does not count the game's moves towards the cap")
        return judge_result(series, expected)

    return judge


_LATE = (
    (CAP - 3, "three", "With three moves to go, a playout takes three."),
    (CAP - 1, "one", "With one move to go, a playout takes one."),
    (CAP, "none", "With no move to go, one move is tried all the same."),
    (CAP + 10, "beyond", "Far beyond the cap, one move is tried all the same."),
)
CHECKS = (
    must(
        id="ref.cap.small-board",
        title="No playout is longer than 3 N N moves: on 3x3, where many would be.",
        procedure=Probing(
            Probe("empty-3x3", ". . .\n. . .\n. . .", "b", 0.5, table="3x3 empty, komi 0.5"),
            judge_moments(0.03, 0.03),
            least=4,
            most=60,
            may_refuse_size=True,
        ),
        hint="stop after 27 moves on 3x3 and count the board as it stands",
    ),
    *(
        must(
            id=f"ref.cap.{name}",
            title=title,
            procedure=Probing(late(made), judge_cap(either=True), least=1, most=1),
            hint="stop at 243 moves on 9x9, passes included, but not before the first",
        )
        for made, name, title in _LATE
    ),
    must(
        id="ref.score.neutral",
        clause="area-scoring",
        title="An empty point between both colours counts for neither.",
        procedure=Probing(NEUTRAL, judge_single_moves(0.05), least=8, most=8),
        hint="flood each empty region: it counts only if it reaches one colour alone",
    ),
    should(
        id="ref.cap.game",
        title="The cap counts the moves of the real game.",
        procedure=Probing(late(CAP - 3), judge_cap(either=False), least=1, most=1),
        hint="the exception for a first move has a meaning only if the game's own moves count",
    ),
)
