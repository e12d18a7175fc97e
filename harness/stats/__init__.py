"""Pure functions on numbers: estimates, tests and their error levels. No input or output, no Go.

Every `judge_…` takes data in the order of observation and returns a frozen record. Its p-values keep their
error rate even if they are looked at after every observation. The checks turn them into outcomes (pass, fail,
inconclusive). Formulas and sources: docs/statistics.md.
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
    fitting_concentration,
)
from harness.stats.dispersion import DispersionEvidence, SerialEvidence, judge_dispersion, judge_serial
from harness.stats.effects import Effects, random_effects
from harness.stats.elo import EloDifference, count_pairs, elo_difference, elo_of_score
from harness.stats.evidence import StatsError
from harness.stats.mean import MeanEvidence, PlayoutsNeeded, Reference, judge_mean, playouts_needed
from harness.stats.multiplicity import Budget, Share, holm
from harness.stats.parity import ParityEvidence, judge_parity, score_interval
from harness.stats.pooled import Estimate, PooledEvidence, PooledMean, standard_errors
from harness.stats.ranks import HIGH, Rank, RankEvidence, p_of_any, rank_of
from harness.stats.ratings import Meeting, Rating, Ratings, rate
from harness.stats.repeats import RepeatEvidence, judge_repeats, normal_likeliest
from harness.stats.sprt import Hypotheses, SprtEvidence, judge_sprt
from harness.stats.stronger import StrongerEvidence, judge_stronger
from harness.stats.two_samples import Difference, compare_choices, compare_means, compare_variances
