"""Signatures of the faults: the effect of each fault on each check, as data for the diagnosis.

`harness.tools.record_signatures` records it.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from harness.check.model import REFUSING, Outcome
from harness.check.phases.findings import Findings
from harness.check.procedures.probe import Probe, empty_board
from harness.check.procedures.search import SearchRecord, Series
from harness.check.stored_data import DATA_FOLDER, data_of
from harness.files import replaced
from harness.stats import special
from harness.suite.registry import CHECKS
from refbot.deviations.faults import FAULTS

FORMAT = "conform-signatures/1"
DATA = DATA_FOLDER / "signatures.json"

BETTER_APART = 4.0
"""Log Bayes factor from which records of chosen moves are taken to differ."""

STANDS_OUT = 3.5
"""Standard errors within which a record counts as equal to the right bot's."""

STATE_PROBE = empty_board(7.5).id
"""Where searches never repeat each other by chance: nearly all of its playouts differ."""

LIKE_RECORDED = (0.8, 1.25)
"""Chosen moves are compared if the number of playouts is within these factors of the recorded one."""

LARGE = 9
ENOUGH_TO_REPEAT = 4
"""Searches of empty boards in which a bot that repeats some would have done so."""

Vector = tuple[float, ...]


@dataclass(frozen=True)
class Statistics:
    """The searches of one probe, summed up: moves and result of a playout, and the chosen moves.

    `mean` and `covariance` are those of (length, result) of one playout; the covariance is estimated from the
    differences between searches. Both are empty for a bot without ref-nodes or ref-score.
    """

    searches: int
    playouts: int  # of one search
    mean: Vector = ()
    covariance: tuple[Vector, ...] = ()
    moves: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Signature:
    """All that a bot with one fault showed.

    `outcomes` are those of checks that did not pass. `repeats` is how many searches share their random
    numbers: 1 for a bot that draws new ones for each. `breaks` is what `breaks` made of the findings.
    """

    fault: str
    clause: str
    outcomes: Mapping[str, Outcome] = field(default_factory=dict)
    probes: Mapping[str, Statistics] = field(default_factory=dict)
    repeats: float = 1.0
    breaks: int | None = 0

    @property
    def shows(self) -> bool:
        """True if any record differs from that of a right bot."""
        return bool(self.outcomes or self.probes or self.breaks or self.repeats > 1.0)


def summed(series: Series) -> Statistics:
    """The statistics of a series of searches."""
    moves = dict(Counter(search.move for search in series.searches).most_common())
    if not series.playouts:  # without the number of playouts there is no mean
        return Statistics(len(series.searches), 0, moves=moves)
    pairs = [
        (s.nodes / series.playouts, s.score) for s in series.searches if _complete(s) and s.nodes is not None
    ]
    if len(pairs) < len(series.searches) or not pairs:
        return Statistics(len(series.searches), series.playouts, moves=moves)
    table = np.array(pairs, dtype=np.float64)
    spread = np.zeros((2, 2))
    if len(pairs) > 1:
        spread = np.cov(table, rowvar=False) * series.playouts
    return Statistics(
        len(pairs),
        series.playouts,
        tuple(map(float, table.mean(axis=0))),
        tuple(tuple(map(float, row)) for row in spread),
        moves,
    )


def comparable_moves(series: Series, recorded: Statistics) -> bool:
    """Return whether the moves can be compared with recorded ones: both depend on the number of playouts."""
    low, high = LIKE_RECORDED
    return bool(recorded.moves) and low * recorded.playouts <= series.playouts <= high * recorded.playouts


def _complete(search: SearchRecord) -> bool:
    return search.nodes is not None and search.score is not None


def signature_of(findings: Findings, fault: str, clause: str) -> Signature:
    """Return the signature of one bot's findings, to compare other bots with."""
    return Signature(
        fault,
        clause,
        {r.check.id: r.outcome for r in findings.results if r.outcome is not Outcome.PASS},
        {series.probe.id: summed(series) for series in findings.series},
        repeats(findings.series),
        breaks(findings),
    )


def breaks(findings: Findings) -> int | None:
    """0, 1 or 2: whether no, some or most checks found no readable search; None if none could be tried."""
    searched = {series.probe.id for series in findings.series}
    tried = broken = 0
    for result in findings.results:
        plan = result.check.procedure.search_plan
        if plan is not None and result.outcome not in (Outcome.SKIP, Outcome.BLOCKED):
            silent = plan.probe.id not in searched
            tried += 1
            broken += result.outcome in REFUSING and (silent or result.outcome is not Outcome.FAIL)
    if not tried:
        return None
    return 0 if not broken else 1 if broken < tried / 2 else 2


def repeats(found: Iterable[Series]) -> float:
    """Searches a set of random numbers, by those that repeat each other to the last move."""
    made, different = _made_and_different(one for one in found if one.probe.id == STATE_PROBE)
    return made / different if different else 1.0


def never_repeats(found: Iterable[Series]) -> bool:
    """Return whether enough searches were seen to know that none repeats another."""
    made, different = _made_and_different(one for one in found if _is_large_and_empty(one.probe))
    return made == different >= ENOUGH_TO_REPEAT


def _is_large_and_empty(probe: Probe) -> bool:
    """Return whether its searches never repeat each other by chance, nor are turned."""
    return not probe.moves and probe.size >= LARGE


def _made_and_different(found: Iterable[Series]) -> tuple[int, int]:
    """How many searches were made at probes, and how many of them differ from the others at theirs."""
    all_series = tuple(found)
    different = sum(len({(s.nodes, s.score, s.move) for s in one.searches}) for one in all_series)
    return sum(len(one.searches) for one in all_series), different


@cache
def signatures() -> Mapping[str, Signature]:
    """The signatures by name of the fault; "" is the right bot.

    A fault that was not recorded yet has the signature that the checks claim: it fails those that are there
    to catch it.
    """
    recorded = recorded_signatures()
    return {**recorded, **{name: _claimed(name) for name in FAULTS if name not in recorded}}


@cache
def recorded_signatures() -> Mapping[str, Signature]:
    """The signatures that were recorded, without those of faults that the registry no longer has."""
    stored = data_of("signatures")["faults"]
    return {name: _read(name, entry) for name, entry in stored.items() if not name or name in FAULTS}


def _claimed(fault: str) -> Signature:
    failing = {check.id: Outcome.FAIL for check in CHECKS if fault in check.kills}
    return Signature(fault, FAULTS[fault].clause, failing)


def _read(name: str, entry: Mapping[str, Any]) -> Signature:
    return Signature(
        name,
        entry["clause"],
        {check: Outcome(outcome) for outcome, checks in entry["outcomes"].items() for check in checks},
        {probe: _read_statistics(values) for probe, values in entry["probes"].items()},
        entry.get("repeats", 1.0),
        entry.get("breaks", 0),
    )


def _read_statistics(values: Sequence[Any]) -> Statistics:
    searches, playouts, moves, *moments = values
    if not moments:
        return Statistics(searches, playouts, moves=moves)
    length, result, var_length, var_result, both = moments
    return Statistics(searches, playouts, (length, result), ((var_length, both), (both, var_result)), moves)


def telling(signature: Signature, right: Signature, doubt: float = 1.0) -> Signature:
    """Return the signature without the records that equal the right bot's.

    `doubt` raises the thresholds, for faults that are not expected to show in searches at all: among so many
    comparisons some stand out by chance.
    """
    probes = {}
    for name, own in signature.probes.items():
        wanted = right.probes.get(name)
        if wanted is None or signature.fault == right.fault:
            probes[name] = own
            continue
        kept = own
        if not moments_differ(own, wanted, doubt):
            kept = replace(kept, mean=(), covariance=())
        if not moves_differ(own.moves, wanted.moves, doubt):
            kept = replace(kept, moves={})
        if kept.mean or kept.moves:
            probes[name] = kept
    return replace(signature, probes=probes)


def moments_differ(first: Statistics, second: Statistics, doubt: float = 1.0) -> bool:
    """Return whether the means, or the spread of the searches, stand out from chance."""
    if not first.mean or not second.mean:
        return False
    for place in range(2):
        spreads = [max(0.0, s.covariance[place][place]) for s in (first, second)]
        error = math.sqrt(max(spreads) * sum(1.0 / (s.searches * s.playouts) for s in (first, second)))
        gap = abs(first.mean[place] - second.mean[place])
        if gap > max(doubt * STANDS_OUT * error, 1e-9):
            return True
        degrees = min(first.searches, second.searches) - 1
        if degrees > 0 and min(spreads) > 0.0:
            tail = float(special.chdtri(degrees, 1e-5**doubt)) / degrees
            if max(spreads) > tail * tail * min(spreads):
                return True
        elif degrees > 3 and max(spreads) > 0.0:
            return True
    return False


def moves_differ(first: Mapping[str, int], second: Mapping[str, int], doubt: float = 1.0) -> bool:
    """Return whether two records of chosen moves are better explained by two distributions than by one.

    Bayes factor of Dirichlet-multinomials (Good 1967): no pooling, however many moves were chosen once.
    """
    names = {*first, *second}
    one, two = (
        np.array([moves.get(name, 0) for name in names], dtype=np.float64) for moves in (first, second)
    )
    if not one.sum() or not two.sum():
        return False
    return _log_dirichlet(one) + _log_dirichlet(two) - _log_dirichlet(one + two) > doubt * BETTER_APART


def _log_dirichlet(counts: npt.NDArray[np.float64]) -> float:
    """Log probability of counts, in one order, if any shares are as likely as others (Jeffreys' ½)."""
    weights = counts + 0.5
    each = float((special.gammaln(weights) - special.gammaln(0.5)).sum())
    return each + float(special.gammaln(0.5 * counts.size) - special.gammaln(weights.sum()))


def as_data(recorded: Iterable[Signature]) -> dict[str, Any]:
    """Signatures as JSON keeps them, in the order of their names."""
    return {
        "format": FORMAT,
        "faults": {s.fault: _entry(s) for s in sorted(recorded, key=lambda s: s.fault)},
    }


def _entry(signature: Signature) -> dict[str, Any]:
    by_outcome: dict[str, list[str]] = {}
    for check, outcome in signature.outcomes.items():
        by_outcome.setdefault(str(outcome), []).append(check)
    entry: dict[str, Any] = {"clause": signature.clause, "outcomes": by_outcome}
    if signature.repeats > 1.0:
        entry["repeats"] = round(signature.repeats, 2)
    if signature.breaks != 0:
        entry["breaks"] = signature.breaks
    entry["probes"] = {name: _values(statistics) for name, statistics in signature.probes.items()}
    return entry


def _values(statistics: Statistics) -> list[Any]:
    values: list[Any] = [statistics.searches, statistics.playouts, dict(statistics.moves)]
    if statistics.mean:
        (var_length, both), (_, var_result) = statistics.covariance
        moments = (*statistics.mean, var_length, var_result, both)
        values += [_rounded(value) for value in moments]
    return values


def _rounded(value: float) -> float:
    """Seven digits: far below what the number of playouts lets one know."""
    return float(f"{value:.7g}") if math.isfinite(value) else 0.0


def write(recorded: Iterable[Signature], path: Path = DATA) -> None:
    """Write the data file, a line a probe."""
    data = as_data(recorded)
    lines = [f'{{"format": "{FORMAT}", "faults": {{']
    for number, (name, entry) in enumerate(data["faults"].items()):
        comma = "," if number + 1 < len(data["faults"]) else ""
        lines.append(f"{json.dumps(name)}: {json.dumps(entry, separators=(',', ':'))}{comma}")
    with replaced(path) as file:
        file.write("\n".join([*lines, "}}"]) + "\n")
