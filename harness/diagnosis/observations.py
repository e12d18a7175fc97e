"""Observations of one bot's run, and the predictions of a right bot and of each known fault for them.

The observations have names: "moments PROBE" is the mean length and result of the playouts at a probe (a
position that is searched), "moves PROBE" how often each move was chosen there, "outcome CHECK" the outcome of
a check whose outcome is evidence (see `_is_evidence`), and "broken searches" whether searches could be read.
`fault_ranking` calls `gather`, and `harness.stats.fault_sets` computes the probabilities of the hypotheses
from the result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from harness.check.model import JUDGED, REFUSING, Check, Level, Outcome, Phase, Result
from harness.check.phases.findings import Findings
from harness.check.procedures.search import Series
from harness.diagnosis.choice_law import lapsed_outcomes
from harness.diagnosis.deviations import PRINTING, Channel, Deviations
from harness.diagnosis.moments import adds_up, conforming_moments, predict_moments, right_within_error
from harness.diagnosis.search_statistics import RARE, has_no_repeats, summed
from harness.diagnosis.signatures import Signature, breaks
from harness.diagnosis.spread import SHARE_OF_VARIANCE, relative_variance
from harness.stats.diagnosis import Counted, Measured, Observation, Prediction, Shares, log_probability
from refbot.deviations.faults import FAULTS

LEAST_SHARE = 0.05
"""A move that each record has at most RARE times, or with at most this share, is one of "the others", which
count as one move. Chosen: few moves remain."""

ODD = {Level.MUST: 0.01, Level.SHOULD: 0.1, Level.INFO: 0.3}
"""Probability that a check ends otherwise than the bot's fault makes it end, by the level of the check.
Chosen: bots have other habits, mostly where the specification only recommends or informs."""

ALWAYS_EVIDENCE = (Phase.DIALOGUE, Phase.FINAL)
"""Phases of the checks whose outcomes are always evidence: nothing else shows what they find. Outcomes of
explorations and matches are no evidence, because any fault may fail them."""


@dataclass
class Evidence:
    """Observations, and the predictions for them.

    observed     by the name of the observation, such as "outcome gtp.frame.form"
    conforming   a right bot's prediction for each observation, by the same names
    faults       by the name of a fault: its predictions, where they differ from a right bot's
    """

    observed: dict[str, Observation] = field(default_factory=dict)
    conforming: dict[str, Prediction] = field(default_factory=dict)
    faults: dict[str, dict[str, Prediction]] = field(default_factory=dict)

    def add(
        self, name: str, seen: Observation, right: Prediction, wrong: Mapping[str, Prediction | None]
    ) -> None:
        """Add an observation, and what a right bot and each fault (`wrong`) predict; None: as a right bot."""
        self.observed[name], self.conforming[name] = seen, right
        for fault, prediction in wrong.items():
            if prediction is not None:
                self.faults[fault][name] = prediction


def gather(findings: Findings, known: Mapping[str, Signature], seen: Deviations) -> Evidence:
    """Gather the evidence in the findings of one bot.

    Faults without any recorded effect are left out, and those that the spread of the searches rules out.

    known   recorded signature of each fault to consider; "" is the right bot
    seen    the deviations of the searches in the findings
    """
    right = known[""]
    faults = _admitted(findings.series, known, seen)
    lapsed = lapsed_outcomes(right, findings.series[0].playouts) if findings.series else frozenset()
    evidence = Evidence(faults={name: {} for name in faults})
    for result in findings.results:
        if _is_evidence(result.check, lapsed) and result.outcome in JUDGED:
            _add_outcome(evidence, result, faults)
    _add_breaks(evidence, findings, faults)
    checks = (r.check for r in findings.results if r.check.id not in lapsed)
    plans = [check.procedure.search_plan for check in checks if check.identifies]
    # The outcomes of these checks are evidence already, if they were judged: the moves at their probes must
    # not count again.
    judged = {plan.probe.id for plan in plans if plan is not None}
    longest = max((series.probe.expected.mean_length for series in findings.series), default=0.0)
    adding = {name for name, signature in faults.items() if adds_up(signature, right)}
    for series in findings.series:
        if series.probe.id in right.probes:
            wrong = series.probe.id in seen.of(Channel.LENGTH)
            _add_moments(evidence, series, right, faults, longest, adding, wrong_length=wrong)
            if series.probe.id not in judged:
                wrong = series.probe.id in seen.of(Channel.MOVE)
                _add_moves(evidence, series, right, faults, wrong_moves=wrong)
    return evidence


def _admitted(
    found: Sequence[Series], known: Mapping[str, Signature], seen: Deviations
) -> dict[str, Signature]:
    """Return the faults with a recorded effect, without those that predict a wider spread than was observed.

    These repeat searches, count playouts several times or add earlier searches. If the searches do not
    spread like that, the faults are left out: their wide predictions would fit any wrong mean.
    """
    variance, distinct = relative_variance(found), has_no_repeats(found)

    def spreads_like(name: str, signature: Signature) -> bool:
        fault = FAULTS[name]
        return (
            (signature.repeats == 1.0 or not distinct)
            and (fault.playout_counted == 1 or variance >= SHARE_OF_VARIANCE * fault.playout_counted)
            and (bool(seen.unsteady) or not fault.counts_earlier_searches)
        )

    return {name: own for name, own in known.items() if name and own.shows and spreads_like(name, own)}


def _is_evidence(check: Check, lapsed: Collection[str]) -> bool:
    """Return True if a check's outcome is evidence; `lapsed`: ids of checks whose records do not hold."""
    return check.procedure.phase in ALWAYS_EVIDENCE or (check.identifies and check.id not in lapsed)


def _add_outcome(evidence: Evidence, result: Result, faults: Mapping[str, Signature]) -> None:
    """Add the outcome of a check, as the counts (passed, refused) of one run.

    A fault predicts its recorded outcome, or else a failure of the checks that list it in `kills`. If the
    record and the bot were refused for different outcomes, such as a crash and a wrong answer, it predicts a
    pass. A record that was not judged predicts nothing: even chances.
    """
    odd = ODD[result.check.level]
    passes, fails = Shares((1.0 - odd, odd)), Shares((odd, 1.0 - odd))
    refuses = result.outcome in REFUSING

    def predicted(signature: Signature) -> Prediction | None:
        claimed = Outcome.FAIL if signature.fault in result.check.kills else Outcome.PASS
        recorded = signature.outcomes.get(result.check.id, claimed)
        if recorded in REFUSING:
            return fails if recorded is result.outcome or not refuses else passes
        return None if recorded is Outcome.PASS else Shares((0.5, 0.5))

    wrong = {fault: predicted(signature) for fault, signature in faults.items()}
    evidence.add(f"outcome {result.check.id}", Counted((0, 1) if refuses else (1, 0)), passes, wrong)


def _add_breaks(evidence: Evidence, findings: Findings, faults: Mapping[str, Signature]) -> None:
    """Add the observation "broken searches": no, some or most checks had them (`breaks`: 0, 1 or 2).

    Add nothing if that is unknown.
    """
    observed = breaks(findings)
    if observed is not None:
        # Chosen: one bot in fifty breaks more or fewer searches than its fault predicts.
        shares = [Shares(tuple(0.98 if kind == place else 0.01 for kind in range(3))) for place in range(3)]
        wrong = {fault: shares[s.breaks] if s.breaks else None for fault, s in faults.items()}
        seen = Counted(tuple(int(observed == kind) for kind in range(3)))
        evidence.add("broken searches", seen, shares[0], wrong)


def _add_moments(
    evidence: Evidence,
    series: Series,
    right: Signature,
    faults: Mapping[str, Signature],
    longest: float,
    adding: Collection[str],
    *,
    wrong_length: bool,
) -> None:
    """Add the mean length and the mean result at a probe; nothing if a search did not report both.

    Nothing either if the bot passed without a search, as it may if it has no candidate.

    longest        greatest expected mean length at any probe that was searched
    adding         faults that report sums of searches: only their lengths may exceed `longest`
    wrong_length   the mean length at this probe deviates
    """
    seen = summed(series)
    if not seen.mean or series.passed_unsearched:
        return
    probe = series.probe.id
    wanted = conforming_moments(series, right.probes[probe])
    unseen = right_within_error(wanted, right.probes[probe])
    sums = max(longest, seen.mean[0])
    wrong = {
        fault: predict_moments(
            signature, series, wanted, unseen, sums if fault in adding else longest, wrong_length=wrong_length
        )
        for fault, signature in faults.items()
    }
    # The result of a search is known to half a win, or to the rounding of the printed score.
    step = seen.searches * max(0.5, PRINTING * series.playouts)
    observed = Measured(seen.mean, seen.searches * series.playouts, (1.0, step))
    evidence.add(f"moments {probe}", observed, wanted, wrong)


def _add_moves(
    evidence: Evidence,
    series: Series,
    right: Signature,
    faults: Mapping[str, Signature],
    *,
    wrong_moves: bool,
) -> None:
    """Add how often each move was chosen at a probe; nothing if no right bot's moves are recorded there.

    wrong_moves   the moves at this probe deviate: a fault that may change them then predicts that it does
    """
    probe = series.probe.id
    recorded = right.probes[probe]
    if not recorded.moves:
        return
    own = {name: s.probes[probe].moves for name, s in faults.items() if probe in s.probes}
    if wrong_moves:
        own |= {name: s.uncertain[probe] for name, s in faults.items() if probe in s.uncertain}
    own = {name: moves for name, moves in own.items() if moves}
    named = _often_chosen([recorded.moves, *own.values()])
    counts = _counts(Counter(search.move for search in series.searches), named)
    observed, usual = Counted(tuple(map(int, counts))), _shares(recorded.moves, named)
    # Searches that share their random numbers choose alike, or differ if the board is turned in between.
    either = (usual, _shares(recorded.moves, named, 2.0))
    repeated = max(either, key=lambda shares: log_probability(observed, shares))
    wrong = {
        fault: _shares(moves, named) if faults[fault].repeats == 1.0 else repeated
        for fault, moves in own.items()
    }
    evidence.add(f"moves {probe}", observed, usual, wrong)


def _often_chosen(records: list[Mapping[str, float]]) -> list[str]:
    """Return the moves that any record has more than RARE times and with more than LEAST_SHARE, sorted."""
    often = (
        move
        for moves in records
        for move, times in moves.items()
        if times > max(RARE, LEAST_SHARE * sum(moves.values()))
    )
    return sorted(set(often))


def _counts(moves: Mapping[str, float], named: list[str]) -> tuple[float, ...]:
    """Return how often each of the named moves was chosen, in their order, then all other moves together."""
    counted = [moves.get(move, 0) for move in named]
    return (*counted, sum(times for move, times in moves.items() if move not in named))


def _shares(moves: Mapping[str, float], named: list[str], sample: float | None = None) -> Shares:
    """Return the shares of the named moves and, last, of all others, as estimated from `sample` searches.

    sample   None for the number of searches in `moves`
    """
    counts = _counts(moves, named)
    total = sum(counts)
    return Shares(tuple(count / total for count in counts), float(total) if sample is None else sample)
