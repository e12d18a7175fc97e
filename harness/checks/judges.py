"""Judges of searches: pure functions from a series of searches to a judgement.

Where every conforming playout gives the same value, one search is proof. Elsewhere a judge gives a p-value
that may be looked at after every search; the error budget of the whole check decides what it refuses.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence

from harness.checks.model import Judgement, Outcome
from harness.checks.probe import Probe, ProbeJudge, Search, Series
from harness.go import Point
from harness.gtp import format_vertex, parse_vertex
from harness.oracle.choice import acceptable
from harness.oracle.expected import Expected
from harness.stats import (
    ChoiceEvidence,
    MeanEvidence,
    Reference,
    judge_against_sample,
    judge_mean,
    judge_orbits,
    judge_repeats,
    judge_serial,
    judge_spread,
    judge_uniform,
    normal_likeliest,
    playouts_needed,
    square_orbits,
)

BETA = 0.05
"""Chance of passing a bot that deviates by the whole margin."""

SCORE_TOLERANCE = 0.0005
"""How far a printed score may be off for its printing: bots print three decimals or more."""

LEAST_SPREAD_SEARCHES = 10

SHARES_TOLD = 4
"""Moves that are told with their share."""


def length_reference(expected: Expected) -> Reference:
    """The reference for sums of playout lengths."""
    return Reference(
        expected.mean_length,
        expected.sd_length,
        expected.se_length,
        skew=expected.skew_length,
        kurtosis=expected.kurtosis_length,
    )


def result_reference(expected: Expected) -> Reference:
    """The reference for sums of playout results; the shape is that of a win or a loss."""
    if expected.certain_result:
        return Reference(expected.mean_result, 0.0)
    p, sd = expected.mean_result, expected.sd_result
    return Reference(p, sd, expected.se_result, skew=(1 - 2 * p) / sd, kurtosis=max(0.0, 1 / sd**2 - 6))


def judge_moments(
    length_margin: float = 0.05, result_margin: float = 0.05, *, lengths: bool = True, results: bool = True
) -> ProbeJudge:
    """Mean length and mean result against the expected ones.

    Margins are in standard deviations of one playout: a deviation within them is as good as none.
    """

    def judge(series: Series, expected: Expected) -> Judgement:
        wanted = _expected_text(expected, lengths, results)
        seen = _observed_text(series, lengths, results)
        if series.passed_unsearched:
            return Judgement(Outcome.SKIP, wanted, "the bot does not search where it can only pass")
        impossible = _impossible(series, expected, lengths, results)
        if impossible:
            return Judgement(Outcome.FAIL, wanted, seen, numbers=_sums(series))
        evidence = []
        if lengths and not expected.certain_length:
            nodes = [float(search.nodes or 0) for search in series.searches]
            margin = length_margin * series.precision * expected.sd_length
            evidence.append((length_reference(expected), nodes, margin))
        if results and not expected.certain_result:
            wins = [(search.score or 0.0) * series.playouts for search in series.searches]
            margin = result_margin * series.precision * expected.sd_result
            evidence.append((result_reference(expected), wins, margin))
        if not evidence:
            return Judgement(Outcome.PASS, wanted, seen, numbers=_sums(series))
        judged = [
            (judge_mean(totals, series.playouts, reference, margin=margin), reference)
            for reference, totals, margin in evidence
        ]
        return _statistical(series, wanted, seen, judged)

    return judge


def _statistical(
    series: Series, wanted: str, seen: str, judged: list[tuple[MeanEvidence, Reference]]
) -> Judgement:
    p_value = min(1.0, len(judged) * min(evidence.p_value for evidence, _ in judged))
    proved = all(evidence.equivalence_p <= BETA for evidence, _ in judged)
    more = max(
        playouts_needed(evidence, reference, alpha=1e-5, beta=BETA, playouts=series.playouts).likely
        for evidence, reference in judged
    )
    numbers = _sums(series) | {"p_value": p_value}
    if not proved and math.isfinite(more):
        numbers["playouts_needed"] = math.ceil(more)
    for name, (evidence, _) in zip(("first", "second"), judged, strict=False):
        numbers |= {f"{name}_deviation": evidence.deviation, f"{name}_proved_margin": evidence.proved_margin}
    outcome = Outcome.PASS if proved else Outcome.INCONCLUSIVE
    return Judgement(outcome, wanted, seen, numbers=_finite(numbers), p_value=p_value)


def _impossible(series: Series, expected: Expected, lengths: bool, results: bool) -> bool:
    """Whether some search said what no conforming search can say."""
    least, most = series.playouts * expected.shortest, series.playouts * expected.longest
    return any(
        (lengths and not least <= (search.nodes or 0) <= most)
        or (
            results
            and expected.certain_result
            and abs((search.score or 0.0) - expected.mean_result) > SCORE_TOLERANCE
        )
        for search in series.searches
    )


def judge_spread_of_nodes(series: Series, expected: Expected) -> Judgement:
    """Whether repeated searches spread as independent playouts do: no less, no more, no memory."""
    totals = [float(search.nodes or 0) for search in series.searches]
    return _judge_spread(series, totals, length_reference(expected), "moves")


def judge_spread_of_results(series: Series, expected: Expected) -> Judgement:
    """The same for the number of playouts that are won."""
    totals = [(search.score or 0.0) * series.playouts for search in series.searches]
    return _judge_spread(series, totals, result_reference(expected), "wins")


def _judge_spread(series: Series, totals: list[float], reference: Reference, unit: str) -> Judgement:
    wanted = f"searches that differ by {reference.sd * math.sqrt(series.playouts):.0f} {unit} (sd)"
    if len(totals) < LEAST_SPREAD_SEARCHES:
        return Judgement(Outcome.INCONCLUSIVE, wanted, f"{len(totals)} searches", p_value=1.0)
    spread = judge_spread(totals, series.playouts, reference)
    serial = judge_serial(totals, series.playouts, reference)
    p_value = min(1.0, 3 * min(spread.narrow_p, spread.wide_p, serial.p_value))
    seen = (
        f"{spread.ratio:.2f} times that over {len(totals)} searches, "
        f"correlation of neighbours {serial.correlation:+.2f}"
    )
    numbers = {"ratio": spread.ratio, "correlation": serial.correlation, "p_value": p_value}
    return Judgement(Outcome.PASS, wanted, seen, numbers=_finite(numbers), p_value=p_value)


def judge_fresh(series: Series, expected: Expected) -> Judgement:
    """Whether searches repeat each other more often than chance lets them."""
    answers = [(search.nodes, search.score) for search in series.searches]
    evidence = judge_repeats(answers, normal_likeliest(expected.sd_length, series.playouts))
    seen = f"{evidence.repeats} of {evidence.searches} searches repeat an earlier one to the last move"
    return Judgement(
        Outcome.PASS,
        "searches of one position that differ",
        seen,
        numbers={"repeats": float(evidence.repeats), "p_value": evidence.p_value},
        p_value=evidence.p_value,
    )


def _expected_text(expected: Expected, lengths: bool, results: bool) -> str:
    parts = []
    if lengths:
        exactly = ", exactly" if expected.certain_length else ""
        parts.append(f"{expected.mean_length:.3f} moves a playout{exactly}")
    if results:
        exactly = ", exactly" if expected.certain_result else ""
        parts.append(f"score {expected.mean_result:.4f}{exactly}")
    return "; ".join(parts)


def _observed_text(series: Series, lengths: bool, results: bool) -> str:
    means = _sums(series)
    parts = []
    if lengths:
        parts.append(f"{means['mean_length']:.3f} moves a playout")
    if results:
        parts.append(f"score {means['mean_result']:.4f}")
    return f"{'; '.join(parts)} over {len(series.searches)} x {series.playouts} playouts"


def _sums(series: Series) -> dict[str, float]:
    searches = len(series.searches)
    return {
        "searches": float(searches),
        "playouts": float(searches * series.playouts),
        "mean_length": _mean(series, lambda search: (search.nodes or 0) / series.playouts),
        "mean_result": _mean(series, lambda search: search.score or 0.0),
    }


def _mean(series: Series, value: Callable[[Search], float]) -> float:
    return math.fsum(map(value, series.searches)) / max(1, len(series.searches))


def _finite(numbers: dict[str, float]) -> dict[str, float]:
    return {name: value for name, value in numbers.items() if math.isfinite(value)}


def judge_moves(allowed: Sequence[str] = ()) -> ProbeJudge:
    """Whether every chosen move is among those a conforming bot can choose.

    `allowed` names them; without it they are the referee's candidates whose exact AMAF value can be the
    best in a search, or a pass where there is no candidate.
    """

    def judge(series: Series, expected: Expected) -> Judgement:
        moves = allowed or choosable(series.probe, series.playouts)
        counted = Counter(search.move for search in series.searches)
        strange = [move for move in counted if move not in moves]
        seen = ", ".join(f"{move} {times}" for move, times in counted.most_common(6))
        outcome = Outcome.FAIL if strange else Outcome.PASS
        return Judgement(
            outcome,
            " or ".join(moves),
            f"{seen} times of {len(series.searches)}",
            numbers={"searches": float(len(series.searches)), "strange": float(len(strange))},
        )

    return judge


def choosable(probe: Probe, playouts: int) -> tuple[str, ...]:
    """The moves that a conforming bot can choose at a probe with so many playouts."""
    candidates = probe.position.candidates(probe.to_move)
    if not candidates:
        return ("PASS",)
    points = acceptable(probe.amaf, candidates, playouts)
    return tuple(format_vertex(point) for point in sorted(points))


def judge_ties(series: Series, expected: Expected) -> Judgement:
    """Whether a choice among equal candidates is random: each as often as the others."""
    equals = [format_vertex(point) for point in series.probe.position.candidates(series.probe.to_move)]
    counted = Counter(search.move for search in series.searches)
    wanted = f"each of {len(equals)} equal candidates about as often"
    seen = ", ".join(f"{move} {times}" for move, times in counted.most_common(6)) + " times"
    strange = [move for move in counted if move not in equals]
    if strange:
        return Judgement(Outcome.FAIL, wanted, seen)
    choices = [equals.index(search.move) for search in series.searches]
    return _unless_refuted(judge_uniform(choices, len(equals)), wanted, seen)


def judge_symmetry(series: Series, expected: Expected) -> Judgement:
    """Whether, on an empty board, points that are images of each other are chosen about equally often."""
    size = series.probe.size
    counted = Counter(search.move for search in series.searches)
    wanted = "points that are alike chosen alike"
    seen = ", ".join(f"{move} {times}" for move, times in counted.most_common(6)) + " times"
    points = [point_of(search.move, size) for search in series.searches]
    chosen = [row * size + column for row, column in filter(None, points)]
    if len(chosen) < len(points):
        return Judgement(Outcome.FAIL, wanted, seen)
    return _unless_refuted(judge_orbits(chosen, square_orbits(size)), wanted, seen)


def judge_shares(
    chosen: Sequence[str],
    names: Sequence[str],
    counts: Sequence[float],
    alternatives: Sequence[Sequence[float]] = (),
) -> Judgement:
    """Whether moves are chosen as often as in a sample of a conforming bot's searches.

    `counts` are those of the sample, one for each of `names`; `alternatives` the same of bots known to be
    wrong. A pass that only the error budget may turn into a failure.
    """
    total, made = sum(counts), len(chosen)
    likely = sorted(zip(counts, names, strict=True), reverse=True)[:SHARES_TOLD]
    wanted = ", ".join(f"{name} {count / total:.0%}" for count, name in likely)
    often = Counter(chosen).most_common(SHARES_TOLD)
    seen = ", ".join(f"{name} {times / made:.0%}" for name, times in often) + f" of {made}"
    strange = [name for name in chosen if name not in names]
    if strange:
        return Judgement(Outcome.FAIL, "a candidate", strange[0])
    evidence = judge_against_sample([names.index(name) for name in chosen], counts, alternatives)
    return _unless_refuted(evidence, wanted, seen)


def _unless_refuted(evidence: ChoiceEvidence, wanted: str, seen: str) -> Judgement:
    """A pass that only the error budget may turn into a failure: nothing shows that a choice is fair."""
    numbers = {"p_value": evidence.p_value, "distance": evidence.distance}
    return Judgement(Outcome.PASS, wanted, seen, numbers=_finite(numbers), p_value=evidence.p_value)


def point_of(move: str, size: int) -> Point | None:
    """The point that a chosen move names; None for a pass, or a resignation."""
    return None if move == "RESIGN" else parse_vertex(move, size)
