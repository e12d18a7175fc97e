"""What each fault does to each check: recorded once from real runs, kept as data for the diagnosis.

`python -m harness.checks.signatures` runs the right bot and every fault of the registry through the checks,
with more searches a probe than a check makes, and writes `data/signatures.json`.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln
from scipy.stats import chi2

from harness.checks.judges import judge_fresh, judge_spread_of_nodes
from harness.checks.model import REFUSING, Outcome
from harness.checks.probe import Probing, Search, Series
from harness.checks.run import Findings

FORMAT = "conform-signatures/1"
DATA = Path(__file__).parent / "data" / "signatures.json"
PLAYOUTS = 1000
SEARCHES = 24
"""Searches of each probe behind a recorded signature, where they can be made in this process."""

RIGHT_SEARCHES = 96
"""The same for the right bot, with which every fault is compared."""

SECONDS = 12.0
"""Time for the searches of one check."""

ROUNDING = 1e-9
"""How far a score may be beyond 0 or 1 before it is printed."""

BETTER_APART = 4.0
"""Log Bayes factor from which records of chosen moves are taken to differ."""

AT_PLAY = ("game.", "gtp.play.", "ref.")
"""Dialogues in which a fault of the search may show; the others are held with faults of the wire alone."""

OF_THE_ORDER = (judge_fresh, judge_spread_of_nodes)
"""Judges of how searches differ: what they say does not follow from the sums."""

REFUSED_AT = 1e-5
"""P-value at which Holm's share of the error budget has surely been reached."""

STANDS_OUT = 3.5
"""A record that is within so many standard errors of the right bot's is taken for the same."""

STATE_PROBE = "empty-7.5"
"""Where searches never repeat each other by chance: nearly all of its playouts differ."""

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
        """Whether anything tells the fault from a right bot."""
        return bool(self.outcomes or self.probes or self.breaks or self.repeats > 1.0)


def summed(series: Series) -> Statistics:
    """The statistics of a series of searches."""
    moves = dict(Counter(search.move for search in series.searches).most_common())
    pairs = [
        (s.nodes / series.playouts, s.score) for s in series.searches if _told(s) and s.nodes is not None
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


def _told(search: Search) -> bool:
    return search.nodes is not None and search.score is not None


def signature_of(findings: Findings, fault: str, clause: str) -> Signature:
    """What the findings of one bot say, to compare others with."""
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
        if isinstance(result.check.procedure, Probing) and result.outcome is not Outcome.SKIP:
            silent = result.check.procedure.probe.id not in searched
            tried += 1
            broken += result.outcome in REFUSING and (silent or result.outcome is not Outcome.FAIL)
    if not tried:
        return None
    return 0 if not broken else 1 if broken < tried / 2 else 2


def repeats(found: Iterable[Series]) -> float:
    """Searches a set of random numbers, by those that repeat each other to the last move."""
    for series in found:
        if series.probe.id == STATE_PROBE and series.searches:
            return len(series.searches) / len({(s.nodes, s.score, s.move) for s in series.searches})
    return 1.0


@cache
def signatures() -> Mapping[str, Signature]:
    """The recorded signatures by name of the fault; "" is the right bot."""
    stored = json.loads(files("harness.checks").joinpath("data/signatures.json").read_text("utf-8"))
    return {name: _read(name, entry) for name, entry in stored["faults"].items()}


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


def telling(signature: Signature, right: Signature) -> Signature:
    """The signature without what cannot be told from the right bot's record."""
    probes = {}
    for name, own in signature.probes.items():
        wanted = right.probes.get(name)
        if wanted is None or signature.fault == right.fault:
            probes[name] = own
            continue
        if not moments_differ(own, wanted):
            own = replace(own, mean=(), covariance=())
        if not moves_differ(own.moves, wanted.moves):
            own = replace(own, moves={})
        if own.mean or own.moves:
            probes[name] = own
    return replace(signature, probes=probes)


def moments_differ(first: Statistics, second: Statistics) -> bool:
    """Whether the means, or the spread of the searches, stand out from chance."""
    if not first.mean or not second.mean:
        return False
    for place in range(2):
        spreads = [max(0.0, s.covariance[place][place]) for s in (first, second)]
        error = math.sqrt(max(spreads) * sum(1.0 / (s.searches * s.playouts) for s in (first, second)))
        gap = abs(first.mean[place] - second.mean[place])
        if gap > max(STANDS_OUT * error, 1e-9):
            return True
        degrees = min(first.searches, second.searches) - 1
        if degrees > 0 and min(spreads) > 0.0:
            tail = float(chi2.isf(1e-5, degrees)) / degrees
            if max(spreads) > tail * tail * min(spreads):
                return True
        elif degrees > 3 and max(spreads) > 0.0:
            return True
    return False


def moves_differ(first: Mapping[str, int], second: Mapping[str, int]) -> bool:
    """Whether two records of chosen moves are better explained by two distributions than by one.

    Bayes factor of Dirichlet-multinomials (Good 1967): no pooling, however many moves were chosen once.
    """
    names = {*first, *second}
    one, two = (
        np.array([moves.get(name, 0) for name in names], dtype=np.float64) for moves in (first, second)
    )
    if not one.sum() or not two.sum():
        return False
    return _log_dirichlet(one) + _log_dirichlet(two) - _log_dirichlet(one + two) > BETTER_APART


def _log_dirichlet(counts: npt.NDArray[np.float64]) -> float:
    """Log probability of counts, in one order, if any shares are as likely as others (Jeffreys' ½)."""
    weights = counts + 0.5
    each = float((gammaln(weights) - gammaln(0.5)).sum())
    return each + float(gammaln(0.5 * counts.size) - gammaln(weights.sum()))


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
    unfinished = path.with_suffix(".part")
    unfinished.write_text("\n".join([*lines, "}}"]) + "\n", encoding="utf-8")
    unfinished.replace(path)


def record(fault: str, seed: int) -> Signature:
    """Run the reference bot with a fault through the checks, and sum up."""
    from harness.checks.faulty import RIGHT, check_fault
    from harness.checks.inside import lies_in_search
    from harness.checks.registry import CHECKS
    from refbot.faults import FAULTS

    clause = "" if fault == RIGHT else FAULTS[fault].clause
    if not lies_in_search(fault):
        return signature_of(check_fault(fault, seed, seconds=SECONDS), fault, clause)
    talking = [c for c in CHECKS if not isinstance(c.procedure, Probing) and c.id.startswith(AT_PLAY)]
    spoken = signature_of(check_fault(fault, seed, checks=talking, seconds=SECONDS), fault, clause)
    return _with_searches(spoken, seed)


def _with_searches(spoken: Signature, seed: int) -> Signature:
    """Searches made in this process, where they are cheap, added to what a bot said in dialogues."""
    from harness.checks.inside import search_all
    from harness.checks.registry import CHECKS

    searching = [check for check in CHECKS if isinstance(check.procedure, Probing)]
    probes = {c.procedure.probe.id: c.procedure.probe for c in searching if isinstance(c.procedure, Probing)}
    searches = SEARCHES if spoken.fault else RIGHT_SEARCHES
    made = {s.probe.id: s for s in search_all(probes.values(), spoken.fault, searches, PLAYOUTS, seed)}
    readable = {name: series for name, series in made.items() if _readable(series)}
    outcomes = dict(spoken.outcomes)
    for check in searching:
        assert isinstance(check.procedure, Probing)
        series = readable.get(check.procedure.probe.id)
        if series is None:
            outcomes[check.id] = Outcome.FAIL
        elif check.procedure.judge in OF_THE_ORDER:
            p_value = check.procedure.judge(series, series.probe.expected).p_value
            if p_value is not None and p_value < REFUSED_AT:
                outcomes[check.id] = Outcome.FAIL
    lost = len(made) - len(readable)
    return replace(
        spoken,
        outcomes=outcomes,
        probes={name: summed(series) for name, series in readable.items()},
        repeats=repeats(readable.values()),
        breaks=0 if not lost else 1 if lost < len(made) / 2 else 2,
    )


def _readable(series: Series) -> bool:
    """Whether the check could have read every answer."""
    low, high = -ROUNDING, 1.0 + ROUNDING
    return all(search.score is not None and low <= search.score <= high for search in series.searches)


def search_again(fault: str, seed: int) -> Signature:
    """The recorded signature with its searches made anew: what changes when probes do."""
    from harness.checks.faulty import check_fault
    from harness.checks.inside import lies_in_search
    from harness.checks.registry import CHECKS

    signature = signatures()[fault]
    if not lies_in_search(fault):
        return signature
    talking = {check.id: check for check in CHECKS if not isinstance(check.procedure, Probing)}
    special = [check for name, check in talking.items() if name.startswith("ref.")]
    again = signature_of(check_fault(fault, seed, checks=special), fault, signature.clause).outcomes
    spoken = {name: outcome for name, outcome in signature.outcomes.items() if name in talking}
    for check in special:
        spoken.pop(check.id, None)
    return _with_searches(replace(signature, outcomes={**spoken, **again}), seed)


def _stored() -> Mapping[str, Signature]:
    return signatures() if DATA.exists() else {}


def main() -> None:
    """Command line: record the signatures of all faults, or some of them, or their searches anew."""
    from harness.checks.faulty import RIGHT, in_parallel
    from refbot.faults import FAULTS

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("faults", nargs="*", metavar="FAULT", help="only these; the others stay as they are")
    parser.add_argument("--searches", action="store_true", help="keep what was recorded of dialogues")
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    kept = {name: known for name, known in _stored().items() if name == RIGHT or name in FAULTS}
    job = partial(search_again if arguments.searches else record, seed=arguments.seed)
    names = arguments.faults or (list(kept) if arguments.searches else [RIGHT, *FAULTS])
    for signature in in_parallel(job, names, arguments.jobs):
        kept[signature.fault] = signature
        print(f"{len(kept)} known, last {signature.fault or 'the right bot'}", flush=True)  # noqa: T201
    write([telling(signature, kept[RIGHT]) for signature in kept.values()])


if __name__ == "__main__":
    main()
