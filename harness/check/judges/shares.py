"""Judges of chosen moves against the shares that a conforming bot gives them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from harness.check.judges.moments import finite
from harness.check.model import Judgement, Outcome
from harness.stats import ChoiceEvidence, judge_against_sample

DRAWN = 6_000
DRAWING_SEED = 1
BLUR = 0.02
"""Share of the expected choices spread over all candidates: what the normal approximation may be off by."""

SHARES_SHOWN = 4
"""Number of moves that a report shows with their shares."""


def judge_shares(
    chosen: Sequence[str],
    names: Sequence[str],
    counts: Sequence[float],
    alternatives: Sequence[Sequence[float]] = (),
) -> Judgement:
    """Judge whether moves are chosen as often as in a sample of a conforming bot's searches.

    `counts` are those of the sample, one for each of `names`; `alternatives` the same of bots known to be
    wrong. A pass that only the error budget may turn into a failure.
    """
    total, made = sum(counts), len(chosen)
    likely = sorted(zip(counts, names, strict=True), reverse=True)[:SHARES_SHOWN]
    wanted = ", ".join(f"{name} {count / total:.0%}" for count, name in likely)
    often = Counter(chosen).most_common(SHARES_SHOWN)
    seen = ", ".join(f"{name} {times / made:.0%}" for name, times in often) + f" of {made}"
    strange = [name for name in chosen if name not in names]
    if strange:
        return Judgement(Outcome.FAIL, "a candidate", strange[0])
    evidence = judge_against_sample([names.index(name) for name in chosen], counts, alternatives)
    return pass_unless_refuted(evidence, wanted, seen)


def pass_unless_refuted(evidence: ChoiceEvidence, wanted: str, seen: str) -> Judgement:
    """A pass that only the error budget may turn into a failure: nothing shows that a choice is fair."""
    numbers = {"p_value": evidence.p_value, "distance": evidence.distance}
    return Judgement(Outcome.PASS, wanted, seen, numbers=finite(numbers), p_value=evidence.p_value)
