"""Judge of the number of decimals in ref-score."""

from __future__ import annotations

import math
from statistics import NormalDist

from harness.check.model import Judgement, Outcome
from harness.check.procedures.search import Series
from harness.oracle.expected import Expected

COARSE = 100
"""A score with two decimals is a multiple of 1/100."""

THIRD = 0.0005
"""How far a score with three decimals may be from the mean that it stands for."""


def judge_decimals(series: Series, expected: Expected) -> Judgement:
    """Refuted if every score is a multiple of 0.01, and those of a right bot hardly ever all are."""
    scores = [search.score for search in series.searches if search.score is not None]
    coarse = [score for score in scores if abs(COARSE * score - round(COARSE * score)) < 1e-9]
    wanted = "at least three decimals"
    seen = ", ".join(f"{score:.9g}" for score in scores[:4])
    p_value = 1.0
    if scores and len(coarse) == len(scores):
        p_value = chance_of_two_decimals(series.playouts, expected) ** len(scores)
    return Judgement(Outcome.PASS, wanted, seen, numbers={"p_value": p_value}, p_value=p_value)


def chance_of_two_decimals(playouts: int, expected: Expected) -> float:
    """The chance, at most, that a mean written with three decimals or more is a multiple of 0.01.

    Either of its own, for one number of wins in P / gcd(P, 100), or rounded to three decimals, where the mean
    is about normal.
    """
    of_its_own = math.gcd(playouts, COARSE) / playouts
    spread = NormalDist(expected.mean_result, expected.sd_result / math.sqrt(playouts))
    rounded = sum(
        spread.cdf(step / COARSE + THIRD) - spread.cdf(step / COARSE - THIRD) for step in range(COARSE + 1)
    )
    return min(1.0, 2.0 * of_its_own + rounded)
