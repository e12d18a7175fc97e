"""Pure functions on numbers: what observations say, and how sure that is. No input, no output, no Go.

Every `judge_…` takes data in the order they were observed and returns a small frozen record. Its p-values
may be looked at after every observation without spoiling their error rate. Outcomes (pass, fail,
inconclusive) are made from them by the checks. Formulas and sources: docs/statistics.md.
"""

from harness.stats.choice import (
    ChoiceEvidence,
    judge_against_sample,
    judge_choices,
    judge_orbits,
    judge_uniform,
    square_orbits,
)
from harness.stats.mean import MeanEvidence, PlayoutsNeeded, Reference, judge_mean, playouts_needed
from harness.stats.multiplicity import Budget, Share, e_holm, holm
from harness.stats.proportion import ProportionEvidence, judge_at_least, judge_proportion
from harness.stats.repeats import (
    RepeatEvidence,
    equal_totals,
    judge_repeats,
    normal_equal_totals,
    normal_likeliest,
    total_distribution,
)
from harness.stats.spread import SerialEvidence, SpreadEvidence, judge_serial, judge_spread

__all__ = [
    "Budget",
    "ChoiceEvidence",
    "MeanEvidence",
    "PlayoutsNeeded",
    "ProportionEvidence",
    "Reference",
    "RepeatEvidence",
    "SerialEvidence",
    "Share",
    "SpreadEvidence",
    "e_holm",
    "equal_totals",
    "holm",
    "judge_against_sample",
    "judge_at_least",
    "judge_choices",
    "judge_mean",
    "judge_orbits",
    "judge_proportion",
    "judge_repeats",
    "judge_serial",
    "judge_spread",
    "judge_uniform",
    "normal_equal_totals",
    "normal_likeliest",
    "playouts_needed",
    "square_orbits",
    "total_distribution",
]
