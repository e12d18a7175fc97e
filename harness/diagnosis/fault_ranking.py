"""Ranking of the known faults by the probability that they explain the findings."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

import numpy as np

from harness.check.clauses import CLAUSES, Part
from harness.check.model import Result
from harness.check.phases.findings import Findings
from harness.diagnosis.deviations import Channel, find_deviations
from harness.diagnosis.earlier_games import shows_in_a_first_game
from harness.diagnosis.effects import channels_reached, clear_channels, plausible
from harness.diagnosis.observations import counts_playouts_twice, gather
from harness.diagnosis.search_statistics import repeats, summed
from harness.diagnosis.signatures import Signature
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
MOST_NAMED = 3
"""Most faults that a report names. Chosen: a reader can try three."""

LEAST_NAMED = 0.05
"""Least probability of a fault that is named. Chosen: below it, the fault is wrong 19 times in 20."""

ALIKE = 0.5
"""Faults that explain the same failures are named together if each has this fraction of the probability of
the first, or more."""

MISMATCH = 1e-3
"""Chance that an observation fits no prediction, whatever fault the bot has. Chosen: small, but above 0,
because two authors rarely make exactly the same error."""

FEW_MISFITS, MOST_MISFITS = 2, 0.3
"""Most observations that a named fault may leave unexplained: the larger of a number, and a fraction of those
that it explains. Chosen: the same fault by another author differs in few of them."""

MOST_UNTOUCHED = 1
"""Most means of searches that may be wrong where a named fault changes nothing. Chosen: the record of a rare
effect may miss it at one position; a relative of the fault, such as another wrong index, shows at several."""

TOO_UNLIKELY = 5.0
"""Standard deviations by which the log probability of all chosen moves may lie below its mean under a named
fault of the choice. Chosen: chance does not reach it in a million bots, another rule of the choice does."""

RIGHT_MOVES = 1e3
"""A named fault must not make the chosen moves this factor less likely than a right bot does. Chosen: by
Markov's inequality, moves of a bot with the fault do so once in a thousand times."""

REPEATS = 2.0
"""A bot repeats its searches if it makes this number of searches of an empty board for each different one.
Chosen: short searches may be alike by chance, once; the known fault that repeats least makes four alike."""


class Fit(StrEnum):
    """How well faults explain what was observed."""

    WELL = "well"
    NEARLY = (
        "nearly"  # well, but searches deviate where the faults change nothing: it is a relative of theirs
    )
    BADLY = "badly"  # better than others, but not well


@dataclass(frozen=True)
class Suspicion:
    """A fault that may explain the findings.

    fault         name of a known fault, or UNKNOWN ("something else", without a clause)
    probability   among all explanations
    fit           how well the fault explains the findings; only one that fits well is named
    """

    fault: str
    clause: str
    probability: float
    fit: Fit = Fit.WELL

    @property
    def known(self) -> bool:
        """True for a fault of the registry that explains the findings."""
        return self.fault != UNKNOWN and self.fit is Fit.WELL


class Suspects:
    """The known faults that the findings leave possible, and the probabilities of sets of them."""

    def __init__(self, findings: Findings, known: Mapping[str, Signature]) -> None:
        right = known[""]
        seen = find_deviations(findings.series, right)
        failing = [result for result in findings.results if result.refuses]
        self._possible = {
            name: signature
            for name, signature in plausible(findings, known, seen).items()
            if not (name and shows_in_a_first_game(signature, failing))
        }
        evidence = self._evidence = gather(findings, self._possible, seen)
        self._table = fault_sets.tabulate(
            evidence.observed, evidence.conforming, evidence.faults, mismatch=MISMATCH
        )
        self._reached = {name: channels_reached(self._possible[name], right) for name in self._table.faults}
        self._seen = clear_channels(seen)
        numbers = [series for series in findings.series if summed(series).mean]
        self._repeats = repeats(numbers) >= REPEATS or (  # moves alone are often alike
            # A wrong playout may vary more, but its means are wrong too.
            self._seen <= {Channel.MOVE} and counts_playouts_twice(findings.series)
        )

    def rank(self, given: Sequence[str] = (), among: Collection[str] | None = None) -> tuple[Suspicion, ...]:
        """Return all faults that are not ruled out, and "something else", the most probable first.

        given   faults that the bot has: they are not suspected again, and one more is looked for
        among   faults that may be the next one; by default all
        The probability of a fault is that of all sets with it.
        """
        given = [fault for fault in given if fault in self._reached]
        possible = [name for name in self._reached if self._are_seen((*given, name))]
        singles = {name for name in possible if name not in given and (among is None or name in among)}
        found = fault_sets.rank_sets(self._table, singles, given, self._are_two)
        shares: defaultdict[str, dict[Fit, float]] = defaultdict(lambda: dict.fromkeys(Fit, 0.0))
        for names, share in found:
            fit = Fit.WELL if share < LEAST_NAMED else self._fit(names)
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

    def _are_two(self, pair: tuple[str, str]) -> bool:
        """Return whether two faults may be all that is wrong. Two faults of one clause would be one cause.

        Two faults of the choice choose other moves than each of them: no record predicts these.
        """
        one, other = (self._possible[fault].clause for fault in pair)
        both_choose = all(CLAUSES[clause].part is Part.CHOICE for clause in (one, other))
        return one != other and not both_choose and self._are_seen(pair)

    def _are_seen(self, faults: Collection[str]) -> bool:
        """Return whether the faults together explain the channels, and none hides another.

        A bot that repeats its searches always chooses the same move, and one that repeats its playouts
        chooses as with fewer of them: both hide a fault of the choice alone.
        """
        repeat = self._repeats or any(self._possible[fault].repeats > 1.0 for fault in faults)
        return self._reaches_all(faults) and not (repeat and any(map(self._changes_moves_alone, faults)))

    def _changes_moves_alone(self, fault: str) -> bool:
        """Return whether a fault changes no number. One of the choice may change no recorded move either."""
        chooses = CLAUSES[self._possible[fault].clause].part is Part.CHOICE
        return self._reached[fault] == {Channel.MOVE} or (chooses and not self._reached[fault])

    def _reaches_all(self, faults: Iterable[str]) -> bool:
        """Return whether the faults together change all channels in which the bot clearly deviates."""
        return self._seen <= frozenset[Channel]().union(*(self._reached[fault] for fault in faults))

    def _fit(self, faults: Collection[str]) -> Fit:
        """Return how well the faults together explain the observations, and the choices of moves."""
        predicted = self._table.predict(faults)
        explained, unexplained = predicted.count_explained()
        own = np.isin(self._table.names, [name for fault in faults for name in _own_searches(fault)])
        right_where_it_must_show = own & self._table.right.fits & ~predicted.fits
        if (
            unexplained > max(FEW_MISFITS, MOST_MISFITS * explained)
            or right_where_it_must_show.any()
            or self._moves_are_right(predicted)
            or not self._choose_alike(faults)
        ):
            return Fit.BADLY
        untouched = (~predicted.fits & ~predicted.differs & self._table.measured).sum()
        return Fit.WELL if untouched <= MOST_UNTOUCHED else Fit.NEARLY

    def _moves_are_right(self, predicted: fault_sets.SetPrediction) -> bool:
        """Return True if the chosen moves speak for a right bot against faults that change some of them."""
        moves = np.array([name.startswith("moves ") for name in self._table.names], dtype=bool)
        gaps = (predicted.values - self._table.right.values)[moves & predicted.differs]
        return bool(gaps.sum() < -math.log(RIGHT_MOVES))

    def _choose_alike(self, faults: Collection[str]) -> bool:
        """Return True if the chosen moves of all searches together may be those of a bot with the faults.

        Few moves at one position exclude little, all of them much. Where both of two faults change the
        choice, the better prediction counts. Only faults of the choice are recorded well enough for this.
        """
        if any(CLAUSES[self._possible[fault].clause].part is not Part.CHOICE for fault in faults):
            return True
        gap = variance = 0.0
        for name, seen in self._evidence.observed.items():
            right = self._evidence.conforming[name]
            if not isinstance(seen, Counted) or not isinstance(right, Shares) or math.isinf(right.sample):
                continue  # no choice of moves
            own = [self._evidence.faults[fault].get(name) for fault in faults]
            shares = [one for one in own if isinstance(one, Shares)] or [right]
            best = max(shares, key=lambda one: log_probability(seen, one))
            mean, spread = expected_log(seen, best)
            broadest = log_anything(seen, right, [])
            gap += log_mixture(log_probability(seen, best), broadest, MISMATCH) - mean
            variance += spread
        return gap >= -TOO_UNLIKELY * math.sqrt(variance)


@cache
def _own_searches(fault: str) -> tuple[str, ...]:
    """Return the names of the observations at the positions of checks that were made for a fault alone."""
    plans = [check.procedure.search_plan for check in CHECKS if check.kills == (fault,)]
    return tuple(f"{kind} {plan.probe.id}" for plan in plans if plan for kind in ("moves", "moments"))


def most_probable(suspicions: Sequence[Suspicion]) -> tuple[Suspicion, ...]:
    """Return at most MOST_NAMED suspicions to name. Faults that do not fit count as UNKNOWN."""
    unknown = min(1.0, sum(item.probability for item in suspicions if not item.known))
    named = [Suspicion(UNKNOWN, "", unknown), *(item for item in suspicions if item.known)]
    worthy = [item for item in named if item.probability >= LEAST_NAMED]
    return tuple(sorted(worthy, key=lambda item: -item.probability)[:MOST_NAMED])


def most_claimed(alike: Sequence[Suspicion], explained: Sequence[Result]) -> list[Suspicion]:
    """Among tied faults, keep the likely ones that most of the failing checks name in `kills`."""
    claims = Counter(fault for result in explained for fault in result.check.kills)
    likely = [item for item in alike if item.probability >= ALIKE * alike[0].probability]
    most = max(claims[item.fault] for item in likely)
    return [item for item in likely if claims[item.fault] == most]
