"""Pairwise comparison of the searches of several bots, without a reference. All functions are pure.

Each pair of bots has a test for each statistic that both have at a probe (a position to search), under one
error budget (Holm). A pair without a difference is undecided without any test, or if a mean is not shown to
be equal within a margin (two one-sided tests); otherwise it agrees.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from statistics import fmean, stdev

from harness.check.phases.playout_count import PlayoutCount
from harness.check.procedures.search import SearchRecord, Series
from harness.stats import Budget, compare_choices, compare_means, compare_variances, holm

ALPHA = 0.01
"""Chance of reporting a difference between equal bots, over all tests; chosen."""

BETA = 0.05
"""Chance that a mean of two bots that differs by the margin counts as equal; chosen."""

MARGIN = 0.05
"""Difference of means below which bots agree, in standard deviations of one playout; chosen."""

PRINTED = 0.0005
"""Rounding error of a printed score: bots print three decimals or more."""


@dataclass(frozen=True)
class SearchedBot:
    """One bot: its command line, its introduction, number of playouts and searches.

    series    by id of a probe, the searches there; None for a bot that could not be run
    refused   by id of a probe, why the bot could not search it; None as `series`
    reason    why searches are missing; empty if none are
    """

    command: str
    name: str = ""
    version: str = ""
    count: PlayoutCount = field(default_factory=lambda: PlayoutCount(None, "unknown"))
    series: Mapping[str, Series] | None = None
    refused: Mapping[str, str] | None = None
    reason: str = ""


@dataclass(frozen=True)
class Test:
    """The comparison of two bots in one statistic at one probe.

    statistic   "length" (moves per playout), "result" (the score), "spread" (of the lengths), "choice" (the
                moves), or "answers": only one of the bots could search the probe
    """

    probe: str
    statistic: str
    p_value: float
    first: str = ""  # value of the first bot, as text
    second: str = ""
    undecided: bool = False  # the values are not shown to be equal within the margin


@dataclass(frozen=True)
class Pair:
    """Two bots, by their numbers, and their tests; `different` are the tests that show a difference."""

    first: int
    second: int
    tests: tuple[Test, ...]
    different: tuple[Test, ...] = ()

    @property
    def verdict(self) -> str:
        """One of "differ", "undecided" and "agree"."""
        if self.different:
            return "differ"
        open_tests = any(test.undecided for test in self.tests)
        return "undecided" if open_tests or not self.tests else "agree"


@dataclass(frozen=True)
class Comparison:
    """Findings of a comparison. Each of `groups` has the numbers of bots of which no two differ.

    (0, 2), (1,) says that bots 0 and 2 do not differ, and that bot 1 differs from one of them.
    """

    bots: tuple[SearchedBot, ...]
    pairs: tuple[Pair, ...]
    budget: Budget
    groups: tuple[tuple[int, ...], ...]
    searches: int  # most searches of a bot at a probe
    seconds: float

    @property
    def odd(self) -> int | None:
        """The number of the one bot outside the group of all others; None if there is no such bot."""
        alone = [group[0] for group in self.groups if len(group) == 1]
        return alone[0] if len(self.groups) == 2 and len(alone) == 1 else None


def judge(bots: Sequence[SearchedBot], seconds: float = 0.0, *, choices: bool = True) -> Comparison:
    """Compare every pair of the bots that could be run.

    seconds   duration of the searches, for the report
    choices   compare the chosen moves too
    """
    able = [number for number, bot in enumerate(bots) if bot.series is not None]
    pairs = [
        Pair(a, b, tuple(t for t in _tests(bots[a], bots[b]) if choices or t.statistic != "choice"))
        for a, b in combinations(able, 2)
    ]
    p_values = {_name(number, test): test.p_value for number, pair in enumerate(pairs) for test in pair.tests}
    budget = holm(p_values, ALPHA)
    rejected = set(budget.refused)  # names of the tests that show a difference
    pairs = [
        replace(pair, different=tuple(test for test in pair.tests if _name(number, test) in rejected))
        for number, pair in enumerate(pairs)
    ]
    made = [len(one.searches) for bot in bots for one in (bot.series or {}).values()]
    return Comparison(tuple(bots), tuple(pairs), budget, _groups(able, pairs), max(made, default=0), seconds)


def _name(pair: int, test: Test) -> str:
    return f"{pair} {test.probe} {test.statistic}"


def _groups(able: Sequence[int], pairs: Iterable[Pair]) -> tuple[tuple[int, ...], ...]:
    """Put each bot into the first group with no bot that differs from it, or into a new group.

    `able`: numbers of the bots that could be run. The largest group comes first.
    """
    differ = {frozenset((pair.first, pair.second)) for pair in pairs if pair.different}
    groups: list[list[int]] = []
    for number in able:
        home = next((g for g in groups if all(frozenset((number, m)) not in differ for m in g)), None)
        if home is None:
            groups.append([number])
        else:
            home.append(number)
    return tuple(tuple(group) for group in sorted(groups, key=lambda group: -len(group)))


def _tests(first: SearchedBot, second: SearchedBot) -> Iterable[Test]:
    """Yield all tests of two bots."""
    assert first.series is not None
    assert second.series is not None
    refused = (first.refused or {}, second.refused or {})
    for probe in dict.fromkeys((*first.series, *second.series, *refused[0], *refused[1])):
        answers = [reasons.get(probe, "") for reasons in refused]
        if any(answers):
            if not all(answers):
                yield Test(probe, "answers", 0.0, answers[0] or "searches", answers[1] or "searches")
        elif probe in first.series and probe in second.series:
            yield from _probe_tests(first, second, probe)


def _probe_tests(first: SearchedBot, second: SearchedBot, probe: str) -> Iterable[Test]:
    """Yield the tests of two bots at a probe that both have searched, on the same number of searches."""
    assert first.series is not None
    assert second.series is not None
    one, two = first.series[probe], second.series[probe]
    made = min(len(one.searches), len(two.searches))
    pair = (one.searches[:made], two.searches[:made])
    # Compare moves per playout, or moves per search unless both numbers of playouts are known.
    known = first.count.playouts is not None and second.count.playouts is not None
    counts = (one.playouts, two.playouts) if known else (1, 1)
    lengths = _values(
        pair, lambda search, side: None if search.nodes is None else search.nodes / counts[side]
    )
    results = _values(pair, lambda search, _: search.score)
    if lengths:
        yield _mean_test(probe, "length", lengths, counts, 0.0)
        if counts[0] == counts[1]:  # a mean of more playouts spreads less
            first_sd, second_sd = (f"sd {_sd(sample):.4f}" for sample in lengths)
            yield Test(probe, "spread", compare_variances(*lengths), first_sd, second_sd)
    if results:
        yield _mean_test(probe, "result", results, counts, PRINTED)
    if one.playouts == two.playouts:  # 1 in a series if not known; more playouts choose other moves
        moves = [[search.move for search in searches] for searches in pair]
        p_value = compare_choices(moves[0], moves[1], one.probe.size**2 + 2)
        yield Test(probe, "choice", p_value, _most(moves[0]), _most(moves[1]))


def _values(
    pair: tuple[Sequence[SearchRecord], Sequence[SearchRecord]],
    value: Callable[[SearchRecord, int], float | None],
) -> tuple[list[float], list[float]] | None:
    """Return (a number of each search of the first bot, of the second bot).

    `value` gets a search and the number of the bot in the pair, 0 or 1. Return None if a search has no such
    number, or if a bot made no search.
    """
    samples: tuple[list[float], list[float]] = ([], [])
    for side, searches in enumerate(pair):
        for search in searches:
            number = value(search, side)
            if number is None:
                return None
            samples[side].append(number)
    return samples if all(samples) else None


def _mean_test(
    probe: str,
    statistic: str,
    samples: tuple[list[float], list[float]],
    playouts: tuple[int, int],
    tolerance: float,
) -> Test:
    """The test of the means of two samples. `tolerance`: the rounding error of a value."""
    playout_sd = max(_sd(sample) * math.sqrt(count) for sample, count in zip(samples, playouts, strict=True))
    found = compare_means(*samples, margin=MARGIN * playout_sd + tolerance, tolerance=tolerance)
    first, second = (f"{fmean(sample):.4f}" for sample in samples)
    return Test(probe, statistic, found.p_value, first, second, found.equivalence_p > BETA)


def _sd(sample: Sequence[float]) -> float:
    return stdev(sample) if len(sample) > 1 else 0.0


def _most(moves: Sequence[str]) -> str:
    """The three most frequent moves with their numbers, such as "E5 40, D4 3, C3 1"."""
    return ", ".join(f"{move} {times}" for move, times in Counter(moves).most_common(3))
