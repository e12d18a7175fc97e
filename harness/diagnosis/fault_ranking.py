"""Ranking of the known faults by the probability that they explain the findings.

`Suspects.rank` returns a `Suspicion` for each fault that the findings leave possible, and one for "something
else". `harness.stats.fault_sets` computes the probabilities of sets of one and two faults; this module
decides which sets are possible, and how well each fits. `diagnose` makes causes of the suspicions.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

import numpy as np

from harness.check.clauses import CLAUSES, Part
from harness.check.model import Result
from harness.check.phases.findings import Findings
from harness.diagnosis.deviations import Channel, find_deviations
from harness.diagnosis.earlier_games import shows_in_a_first_game
from harness.diagnosis.observations import gather
from harness.diagnosis.plausible_faults import channels_reached, clear_channels, find_plausible
from harness.diagnosis.search_statistics import repeats, summed
from harness.diagnosis.signatures import Signature
from harness.diagnosis.spread import counts_playouts_twice
from harness.stats import fault_sets
from harness.stats.diagnosis import (
    SOMETHING_ELSE,
    Counted,
    Shares,
    expected_log,
    log_anything,
    log_mixture,
    log_probability,
)
from harness.suite.registry import CHECKS

UNKNOWN = SOMETHING_ELSE
"""In place of the name of a fault: the bot has a fault that is not known."""

MOST_NAMED = 3
"""Most faults that a report names. Chosen: a reader can try three."""

LEAST_NAMED = 0.05
"""Least probability of a fault that is named. Chosen: below it, the fault is wrong 19 times in 20."""

ALIKE = 0.5
"""Faults that explain the same failures are named together if each has at least this fraction of the
probability of the first. Chosen: a fault half as probable is still worth a try."""

MISMATCH = 1e-3
"""Chance that an observation fits no prediction, whatever fault the bot has. Chosen: small, but above 0,
because two authors rarely make exactly the same error."""

FEW_MISFITS, MOST_MISFITS = 2, 0.3
"""A fault fits if at most this number of observations do not fit, or at most this fraction of those that it
changes and predicts rightly. Chosen: the same fault by another author differs in few of them."""

MOST_UNTOUCHED = 1
"""A fault fits well if at most this number of means is wrong where it changes nothing. Chosen: the record of
a rare effect may miss it at one position; a relative, such as another wrong index, shows at several."""

TOO_UNLIKELY = 5.0
"""A fault of the choice fits if the log probability of all chosen moves is at most this number of standard
deviations below what the fault predicts. Chosen: chance does not reach it in a million bots, another rule of
the choice does."""

RIGHT_MOVES = 1e3
"""A fault fits only if the chosen moves are less than this factor more likely for a right bot. Chosen: by
Markov's inequality, this wrongs at most one in a thousand bots with the fault."""

REPEATS = 2.0
"""A bot repeats its searches if it makes this number of searches of an empty board for each different one.
Chosen: short searches may be alike by chance, once; the known fault that repeats least makes four alike."""


class Fit(StrEnum):
    """How well faults explain what was observed."""

    WELL = "well"
    NEARLY = "nearly"  # a relative: searches also deviate where the faults change nothing
    BADLY = "badly"  # too much is not explained, even if the faults are more probable than all others


@dataclass(frozen=True)
class Suspicion:
    """A fault that may explain the findings.

    fault         name of a known fault, or UNKNOWN
    clause        the clause of the fault; empty for UNKNOWN
    probability   of all sets that have this fault, together. A set of two counts for both of its faults, so
                  the probabilities of several suspicions may have a sum above 1
    fit           how well the fault explains the findings; only a fault that fits well is named
    """

    fault: str
    clause: str
    probability: float
    fit: Fit = Fit.WELL

    @property
    def known(self) -> bool:
        """True for a known fault that fits well."""
        return self.fault != UNKNOWN and self.fit is Fit.WELL


class Suspects:
    """The known faults that the findings leave possible, and the probabilities of sets of them.

    known   signatures of the faults to consider, and of the right bot ("")
    """

    def __init__(self, findings: Findings, known: Mapping[str, Signature]) -> None:
        right = known[""]
        seen = find_deviations(findings.series, right)
        failing = [result for result in findings.results if result.refuses]
        self._possible = {
            name: signature
            for name, signature in find_plausible(findings, known, seen).items()
            if not name or not shows_in_a_first_game(signature, failing)
        }
        evidence = self._evidence = gather(findings, self._possible, seen)
        self._table = fault_sets.tabulate(
            evidence.observed, evidence.conforming, evidence.faults, mismatch=MISMATCH
        )
        self._reached = {name: channels_reached(self._possible[name], right) for name in self._table.faults}
        self._clear = clear_channels(seen)
        numbers = [series for series in findings.series if summed(series).mean]
        self._repeats = repeats(numbers) >= REPEATS or (  # moves alone are often alike
            # A wrong playout may vary more, but its means are wrong too.
            self._clear <= {Channel.MOVE} and counts_playouts_twice(findings.series)
        )

    def rank(self, given: Sequence[str] = (), among: Collection[str] | None = None) -> tuple[Suspicion, ...]:
        """Return all faults that are not ruled out, and UNKNOWN, the most probable first.

        given   faults that the bot has: they are not suspected again, and one more is looked for. Those that
                the findings rule out are ignored
        among   faults that may be the one more; None: all
        """
        given = [fault for fault in given if fault in self._reached]
        singles = {
            name
            for name in self._reached
            if name not in given and (among is None or name in among) and self._is_possible((*given, name))
        }
        found = fault_sets.rank_sets(self._table, singles, given, self._is_possible_pair)
        shares: defaultdict[str, dict[Fit, float]] = defaultdict(lambda: dict.fromkeys(Fit, 0.0))
        for names, share in found:
            fit = Fit.WELL if share < LEAST_NAMED else self._fit(names)  # improbable sets are not named
            # A set without a new fault says that something else is wrong beside the given faults.
            for name in set(names).difference(given) or {UNKNOWN}:
                shares[name][fit] += share
        suspicions = (
            Suspicion(
                name,
                self._possible[name].clause if name != UNKNOWN else "",
                min(1.0, sum(own.values())),
                Fit.WELL if name == UNKNOWN else max(Fit, key=own.__getitem__),  # the best of equal shares
            )
            for name, own in shares.items()
        )
        return tuple(sorted(suspicions, key=lambda item: (-item.probability, item.fault)))

    def _is_possible_pair(self, pair: tuple[str, str]) -> bool:
        """Return True if two faults may be all that is wrong: of two clauses, and not both of the choice.

        Two faults of one clause would be one cause. Two of the choice choose moves that no record predicts.
        The pair must also be possible as a set.
        """
        one, other = (self._possible[fault].clause for fault in pair)
        both_choose = all(CLAUSES[clause].part is Part.CHOICE for clause in (one, other))
        return one != other and not both_choose and self._is_possible(pair)

    def _is_possible(self, faults: Collection[str]) -> bool:
        """Return True if a set of faults may be all that is wrong: no channel is left over, no fault hidden.

        Together, the faults change each channel in which the bot clearly deviates. A bot that repeats its
        searches always chooses the same move, and a bot that counts its playouts several times chooses as
        with fewer of them: both hide a fault of the choice alone.
        """
        reached = frozenset[Channel]().union(*(self._reached[fault] for fault in faults))
        repeats_itself = self._repeats or any(self._possible[fault].repeats > 1.0 for fault in faults)
        return self._clear <= reached and not (repeats_itself and any(map(self._changes_moves_alone, faults)))

    def _changes_moves_alone(self, fault: str) -> bool:
        """Return True if a fault changes no number. One of the choice may change no recorded move either."""
        chooses = CLAUSES[self._possible[fault].clause].part is Part.CHOICE
        return self._reached[fault] == {Channel.MOVE} or (chooses and not self._reached[fault])

    def _fit(self, faults: Collection[str]) -> Fit:
        """Return how well the faults together explain the observations.

        BADLY if too many observations do not fit (FEW_MISFITS), if the bot looks right at the position of a
        check that lists one of the faults alone in `kills`, or if the chosen moves speak against the faults.
        NEARLY if too many means are wrong where the faults change nothing (MOST_UNTOUCHED).
        """
        predicted = self._table.predict(faults)
        explained, unexplained = predicted.count_explained()
        own = np.isin(self._table.names, [name for fault in faults for name in _own_searches(fault)])
        right_where_it_must_show = own & self._table.right.fits & ~predicted.fits
        if (
            unexplained > max(FEW_MISFITS, MOST_MISFITS * explained)
            or right_where_it_must_show.any()
            or self._has_right_moves(predicted)
            or not self._has_moves_of(faults)
        ):
            return Fit.BADLY
        untouched = (~predicted.fits & ~predicted.differs & self._table.measured).sum()
        return Fit.WELL if untouched <= MOST_UNTOUCHED else Fit.NEARLY

    def _has_right_moves(self, predicted: fault_sets.SetPrediction) -> bool:
        """Return True if the moves are RIGHT_MOVES likelier for a right bot, where the faults change them."""
        moves = np.array([name.startswith("moves ") for name in self._table.names], dtype=bool)
        log_ratios = (predicted.values - self._table.right.values)[moves & predicted.differs]
        return bool(log_ratios.sum() < -math.log(RIGHT_MOVES))

    def _has_moves_of(self, faults: Collection[str]) -> bool:
        """Return False if the moves of all searches together are TOO_UNLIKELY for these faults of the choice.

        True if one fault is not of the choice: its moves are not recorded well enough. Where several faults
        change the moves of a position, the better prediction counts.
        """
        if any(CLAUSES[self._possible[fault].clause].part is not Part.CHOICE for fault in faults):
            return True
        surplus = variance = 0.0  # of the observed log probability, over its mean under the faults
        for name, seen in self._evidence.observed.items():
            right = self._evidence.conforming[name]
            if not isinstance(seen, Counted) or not isinstance(right, Shares) or math.isinf(right.sample):
                continue  # no choice of moves
            own = [self._evidence.faults[fault].get(name) for fault in faults]
            shares = [one for one in own if isinstance(one, Shares)] or [right]
            best = max(shares, key=lambda one: log_probability(seen, one))
            mean, spread = expected_log(seen, best)
            broadest = log_anything(seen, right, [])
            surplus += log_mixture(log_probability(seen, best), broadest, MISMATCH) - mean
            variance += spread
        return surplus >= -TOO_UNLIKELY * math.sqrt(variance)


@cache
def _own_searches(fault: str) -> tuple[str, ...]:
    """Return the names of the observations at the probes of checks whose `kills` is this fault alone.

    For example ("moves eye-corner", "moments eye-corner").
    """
    plans = [check.procedure.search_plan for check in CHECKS if check.kills == (fault,)]
    return tuple(f"{kind} {plan.probe.id}" for plan in plans if plan for kind in ("moves", "moments"))


def most_probable(suspicions: Sequence[Suspicion]) -> tuple[Suspicion, ...]:
    """Return the suspicions to name, at most MOST_NAMED and none below LEAST_NAMED, the most probable first.

    One of them may be UNKNOWN: it has its own probability, and those of all faults that do not fit well.
    """
    unknown = min(1.0, sum(item.probability for item in suspicions if not item.known))
    named = [Suspicion(UNKNOWN, "", unknown), *(item for item in suspicions if item.known)]
    worthy = [item for item in named if item.probability >= LEAST_NAMED]
    return tuple(sorted(worthy, key=lambda item: -item.probability)[:MOST_NAMED])


def most_claimed(alike: Sequence[Suspicion], explained: Sequence[Result]) -> list[Suspicion]:
    """Among faults that explain the same failures, keep the likely ones named in `kills` by most checks.

    alike       not empty, the most probable first; a likely one has ALIKE of the first one's probability
    explained   the failures: only their checks count
    """
    claims = Counter(fault for result in explained for fault in result.check.kills)
    likely = [item for item in alike if item.probability >= ALIKE * alike[0].probability]
    most = max(claims[item.fault] for item in likely)
    return [item for item in likely if claims[item.fault] == most]
