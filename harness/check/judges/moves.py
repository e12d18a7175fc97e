"""Judges of chosen moves: the moves are among known ones, are equally likely, or have known shares."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from harness.check.judges.moments import finite
from harness.check.model import Judgement, Outcome
from harness.check.procedures.chosen_move import Violation, in_words, violation
from harness.check.procedures.probe import Probe
from harness.check.procedures.search import Series, SeriesJudge
from harness.go import Point, opponent
from harness.gtp import format_vertex, parse_vertex
from harness.oracle.choice import acceptable_moves
from harness.oracle.expected import Expected
from harness.stats import ChoiceEvidence, judge_against_sample, judge_orbits, judge_uniform, square_orbits

MOVES_SHOWN = 6
"""Number of moves that a report shows with how often each was chosen."""

SHARES_SHOWN = 4
"""Number of moves that a report shows with their shares."""

BLUR = 0.02
"""Share of the expected choices that is spread evenly over all candidates; chosen.

It covers the error of the normal approximation.
"""

Counts = Sequence[float] | npt.NDArray[np.float64]


def judge_moves(allowed: Sequence[str] = (), own: Collection[Violation] = ()) -> SeriesJudge:
    """Make a judge of whether a conforming bot can choose every move of the searches.

    allowed   these moves; by default the candidates whose exact AMAF value can be the best in a search, or a
              pass if there is no candidate
    own       violations that the check itself reports; the check of any other violation reports that one
    """

    def judge(series: Series, expected: Expected) -> Judgement:
        moves = allowed or choosable(series.probe, series.playouts)
        counted = Counter(search.move for search in series.searches)
        wrong = [move for move in counted if move not in moves]
        seen = ", ".join(f"{move} {times}" for move, times in counted.most_common(MOVES_SHOWN))
        outcome = Outcome.FAIL if wrong else Outcome.PASS
        made = len(series.searches)
        of_made = f"of {made} {'search' if made == 1 else 'searches'}"
        return Judgement(
            outcome,
            " or ".join(moves),
            f"{seen} {of_made}{_violation_text(series.probe, wrong)}",
            numbers={"searches": float(made), "strange": float(len(wrong))},
            reported_by=_reporter(series.probe, wrong, own),
        )

    return judge


def judge_colour(series: Series, expected: Expected) -> Judgement:
    """Judge whether a bot moves for the colour that genmove names, where no point is a candidate of both."""
    probe = series.probe
    other = probe.position.candidates(opponent(probe.to_move))
    judgement = judge_moves()(series, expected)
    of_other = [s.move for s in series.searches if s.move in {format_vertex(point) for point in other}]
    if not of_other:
        return judgement
    colour = "White" if probe.to_move == "b" else "Black"
    observed = f"{judgement.observed}; {of_other[0]} is open to {colour} alone"
    return replace(judgement, observed=observed, reported_by="")


def _reporter(probe: Probe, wrong: Sequence[str], own: Collection[Violation]) -> str:
    """Return the id of the check that reports these wrong moves: the check of the first one's violation.

    Empty without wrong moves, and if this check reports them, since one of them is no violation, or is one of
    its `own`.
    """
    violations = [violation(probe.position, probe.to_move, move) for move in wrong]
    if not violations or any(found is None or found in own for found in violations):
        return ""
    return str(violations[0])


def with_reporter(judgement: Judgement, series: Series, candidates: Collection[str]) -> Judgement:
    """Return the judgement; if a move is no candidate, with the check that reports it."""
    wrong = [search.move for search in series.searches if search.move not in candidates]
    return replace(judgement, reported_by=_reporter(series.probe, wrong, ())) if wrong else judgement


def _violation_text(probe: Probe, wrong: Sequence[str]) -> str:
    """Describe the violation by the first wrong move; empty without one."""
    found = violation(probe.position, probe.to_move, wrong[0]) if wrong else None
    return f"; {wrong[0]} is {in_words(found, probe.position, probe.to_move)}" if found is not None else ""


def choosable(probe: Probe, playouts: int) -> tuple[str, ...]:
    """The moves that a conforming bot can choose at a probe with this number of playouts."""
    candidates = probe.position.candidates(probe.to_move)
    if not candidates:
        return ("PASS",)
    points = acceptable_moves(probe.amaf, candidates, playouts)
    return tuple(format_vertex(point) for point in sorted(points))


def judge_ties(series: Series, expected: Expected) -> Judgement:
    """Judge whether the candidates, all of equal value, are chosen equally often."""
    equals = [format_vertex(point) for point in series.probe.position.candidates(series.probe.to_move)]
    counted = Counter(search.move for search in series.searches)
    wanted = f"each of {len(equals)} equal candidates about as often"
    seen = ", ".join(f"{move} {times}" for move, times in counted.most_common(MOVES_SHOWN)) + " times"
    wrong = [move for move in counted if move not in equals]
    if wrong:
        return Judgement(Outcome.FAIL, wanted, seen, reported_by=_reporter(series.probe, wrong, ()))
    found = judge_uniform([equals.index(search.move) for search in series.searches], len(equals))
    return pass_with_p_value(found, wanted, seen)


def judge_symmetry(series: Series, expected: Expected) -> Judgement:
    """Judge whether points of an empty board that a board symmetry exchanges are chosen equally often.

    A pass or resignation fails at once: on an empty board, a right bot always has a point to play on.
    """
    size = series.probe.size
    counted = Counter(search.move for search in series.searches)
    wanted = "points that are alike chosen alike"
    seen = ", ".join(f"{move} {times}" for move, times in counted.most_common(MOVES_SHOWN)) + " times"
    points = [point_of(search.move, size) for search in series.searches]
    chosen = [row * size + column for row, column in filter(None, points)]
    if len(chosen) < len(points):
        wrong = [move for move in counted if move in ("PASS", "RESIGN")]
        return Judgement(Outcome.FAIL, wanted, seen, reported_by=_reporter(series.probe, wrong, ()))
    return pass_with_p_value(judge_orbits(chosen, square_orbits(size)), wanted, seen)


def point_of(move: str, size: int) -> Point | None:
    """Return the point of a move; None for a pass or a resignation."""
    return None if move == "RESIGN" else parse_vertex(move, size)


def judge_shares(
    chosen: Sequence[str],
    names: Sequence[str],
    counts: Counts,
    alternatives: Sequence[Counts] = (),
) -> Judgement:
    """Judge whether moves are chosen as often as in a sample of a conforming bot's searches.

    A move that is not among the names fails at once.

    chosen         the moves of the searches
    names, counts  the moves of the sample, and how often each occurs in it
    alternatives   such counts of wrong bots
    """
    total, made = sum(counts), len(chosen)
    likely = sorted(zip(counts, names, strict=True), reverse=True)[:SHARES_SHOWN]
    wanted = ", ".join(f"{name} {count / total:.0%}" for count, name in likely)
    often = Counter(chosen).most_common(SHARES_SHOWN)
    seen = ", ".join(f"{name} {times / made:.0%}" for name, times in often) + f" of {made}"
    wrong = [name for name in chosen if name not in names]
    if wrong:
        return Judgement(Outcome.FAIL, "a candidate", wrong[0])
    evidence = judge_against_sample([names.index(name) for name in chosen], counts, alternatives)
    return pass_with_p_value(evidence, wanted, seen)


def pass_with_p_value(evidence: ChoiceEvidence, wanted: str, seen: str) -> Judgement:
    """Return a pass with its p-value: the error budget may make it a failure (see `Judgement.p_value`)."""
    numbers = {"p_value": evidence.p_value, "distance": evidence.distance}
    return Judgement(Outcome.PASS, wanted, seen, numbers=finite(numbers), p_value=evidence.p_value)
