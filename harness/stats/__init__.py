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
from harness.stats.diagnosis import (
    CONFORMING,
    SOMETHING_ELSE,
    Counted,
    Diagnosis,
    Measured,
    Moments,
    Shares,
    diagnose,
    playouts_to_tell,
)
from harness.stats.equivalence import Tost, fixed_n, half_log_e, off_half_log_e, tost_mean, tost_proportion
from harness.stats.joint import JointEvidence, JointReference, judge_joint
from harness.stats.mean import MeanEvidence, PlayoutsNeeded, Reference, judge_mean, playouts_needed
from harness.stats.multiplicity import Budget, Share, e_holm, holm
from harness.stats.parity import ParityEvidence, judge_parity
from harness.stats.proportion import ProportionEvidence, judge_at_least, judge_proportion
from harness.stats.ratings import Meeting, Rating, Ratings, elo_difference, expected_score, rate
from harness.stats.repeats import (
    RepeatEvidence,
    equal_totals,
    judge_repeats,
    normal_equal_totals,
    normal_likeliest,
    total_distribution,
)
from harness.stats.spread import SerialEvidence, SpreadEvidence, judge_serial, judge_spread
from harness.stats.two_samples import Difference, compare_choices, compare_means, compare_spreads

__all__ = [
    "CONFORMING",
    "SOMETHING_ELSE",
    "Budget",
    "ChoiceEvidence",
    "Counted",
    "Diagnosis",
    "Difference",
    "JointEvidence",
    "JointReference",
    "MeanEvidence",
    "Measured",
    "Meeting",
    "Moments",
    "ParityEvidence",
    "PlayoutsNeeded",
    "ProportionEvidence",
    "Rating",
    "Ratings",
    "Reference",
    "RepeatEvidence",
    "SerialEvidence",
    "Share",
    "Shares",
    "SpreadEvidence",
    "Tost",
    "compare_choices",
    "compare_means",
    "compare_spreads",
    "diagnose",
    "e_holm",
    "elo_difference",
    "equal_totals",
    "expected_score",
    "fixed_n",
    "half_log_e",
    "holm",
    "judge_against_sample",
    "judge_at_least",
    "judge_choices",
    "judge_joint",
    "judge_mean",
    "judge_orbits",
    "judge_parity",
    "judge_proportion",
    "judge_repeats",
    "judge_serial",
    "judge_spread",
    "judge_uniform",
    "normal_equal_totals",
    "normal_likeliest",
    "off_half_log_e",
    "playouts_needed",
    "playouts_to_tell",
    "rate",
    "square_orbits",
    "tost_mean",
    "tost_proportion",
    "total_distribution",
]
