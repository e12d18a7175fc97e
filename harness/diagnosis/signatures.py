"""Signatures of the known faults: the recorded behaviour of a bot with one fault, at every check and probe.

`harness.tools.record_signatures` runs the bots; `signature_of` makes a signature of the findings, and `write`
the data file. The diagnosis reads the file with `signatures`. A probe is a position that is searched.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from harness.check.model import REFUSING, Outcome
from harness.check.phases.findings import Findings
from harness.check.stored_data import DATA_FOLDER, data_of
from harness.diagnosis.search_statistics import (
    Statistics,
    moments_differ,
    moves_differ,
    pooled_rare,
    repeats,
    summed,
)
from harness.files import replaced
from harness.suite.registry import CHECKS
from refbot.deviations.faults import FAULTS

FORMAT = "conform-signatures/1"
DATA = DATA_FOLDER / "signatures.json"

SEARCHES = 24
"""Searches of each probe for the signature of a fault; chosen."""

RIGHT_SEARCHES = 96
"""Searches of each probe for the right bot; chosen: more, since every fault is compared with it."""


@dataclass(frozen=True)
class Signature:
    """Recorded behaviour of a bot with one fault.

    fault      name of the fault; empty for the right bot
    clause     the clause that the fault breaks; empty for the right bot
    outcomes   of the checks that did not pass, by id
    probes     statistics of the searches, by id of the probe; for a fault, where they differ from a right
               bot's
    choices    moves at other numbers of playouts (see `choice_law`), by number of playouts, id of the probe
               and move: the number of searches, such as {50: {"eye-corner": {"E5": 20, "A1": 4}}}
    uncertain  moves that the fault may choose at the bot's number of playouts, by probe, where the searches
               on record are too few to tell; only in signatures that `choice_law` projects
    repeats    number of searches that share their random numbers; 1 for new random numbers in every search
    breaks     how many checks had broken searches: 0, 1, 2 or None, as the function `breaks` returns it
    """

    fault: str
    clause: str
    outcomes: Mapping[str, Outcome] = field(default_factory=dict)
    probes: Mapping[str, Statistics] = field(default_factory=dict)
    choices: Mapping[int, Mapping[str, Mapping[str, float]]] = field(default_factory=dict)
    repeats: float = 1.0
    breaks: int | None = 0
    uncertain: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    @property
    def shows(self) -> bool:
        """True if the signature of a fault has an effect, moves at other numbers of playouts aside."""
        return bool(self.outcomes or self.probes or self.breaks or self.repeats > 1.0)

    @cached_property
    def has_means(self) -> bool:
        """True if the signature has means. That of a fault has them where a mean or a variance differs."""
        return any(one.mean for one in self.probes.values())


def signature_of(findings: Findings, fault: str, clause: str) -> Signature:
    """Return the signature of a bot with one fault, from its findings, with the statistics of all searches.

    A check that was not made counts as failed if it is named in `blocked_by` of a result: another check saw
    that the ability is missing, as a whole game may.
    """
    seen = {name: Outcome.FAIL for result in findings.results for name in result.blocked_by}
    made = {result.check.id: result.outcome for result in findings.results}
    return Signature(
        fault,
        clause,
        {name: outcome for name, outcome in (seen | made).items() if outcome is not Outcome.PASS},
        {series.probe.id: summed(series) for series in findings.series},
        repeats=repeats(findings.series),
        breaks=breaks(findings),
    )


def breaks(findings: Findings) -> int | None:
    """Return how many checks had broken searches: 0 none, 1 fewer than half, 2 half or more.

    None if no check was to search.

    The searches of a check are broken if it failed because the bot crashed or fell silent, or because none of
    its searches could be read.
    """
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


@cache
def signatures() -> Mapping[str, Signature]:
    """Return the signatures of all faults by name; "" is the right bot.

    The signature of a fault without a record has one effect: the checks that list the fault in `kills` fail.
    """
    recorded = recorded_signatures()
    return {**recorded, **{name: _claimed(name) for name in FAULTS if name not in recorded}}


@cache
def recorded_signatures() -> Mapping[str, Signature]:
    """Return the recorded signatures of the right bot and of the faults that the registry still has."""
    stored = data_of("signatures")["faults"]
    return {name: _read(name, entry) for name, entry in stored.items() if not name or name in FAULTS}


def _claimed(fault: str) -> Signature:
    """Return the signature of a fault without a record, from the `kills` of the checks."""
    failing = {check.id: Outcome.FAIL for check in CHECKS if fault in check.kills}
    return Signature(fault, FAULTS[fault].clause, failing)


def _read(name: str, entry: Mapping[str, Any]) -> Signature:
    """Return the signature in an entry of the data file, which `_entry` has made."""
    return Signature(
        name,
        entry["clause"],
        {check: Outcome(outcome) for outcome, checks in entry["outcomes"].items() for check in checks},
        {probe: _read_statistics(values) for probe, values in entry["probes"].items()},
        {int(number): moves for number, moves in entry.get("choices", {}).items()},
        entry.get("repeats", 1.0),
        entry.get("breaks", 0),
    )


def _read_statistics(values: Sequence[Any]) -> Statistics:
    """Return the statistics in a list that `_values` has made."""
    searches, playouts, moves, *moments = values
    if not moments:
        return Statistics(searches, playouts, moves=moves)
    length, result, var_length, var_result, both = moments
    return Statistics(searches, playouts, (length, result), ((var_length, both), (both, var_result)), moves)


def keep_differences(signature: Signature, right: Signature, doubt: float = 1.0) -> Signature:
    """Return the signature of a fault with only those statistics and moves that differ from the right bot's.

    Probes that the right bot's record lacks are kept too.

    doubt   factor on the thresholds. Use more than 1 for a fault that should not show in searches: among many
            comparisons, some differ by chance
    The signature of the right bot itself stays whole.
    """
    if signature.fault == right.fault:
        return signature
    probes = {}
    for name, own in signature.probes.items():
        wanted = right.probes.get(name)
        if wanted is None:
            probes[name] = own  # there is nothing to compare it with
            continue
        kept = own
        if not moments_differ(own, wanted, doubt):
            kept = replace(kept, mean=(), covariance=())
        if not _differ(own.moves, wanted.moves, doubt):
            kept = replace(kept, moves={})
        if kept.mean or kept.moves:
            probes[name] = kept
    choices = {
        number: _own_moves(moves, right.choices.get(number, {}), doubt)
        for number, moves in signature.choices.items()
    }
    return replace(signature, probes=probes, choices=choices)


def _own_moves(
    moves: Mapping[str, Mapping[str, float]], wanted: Mapping[str, Mapping[str, float]], doubt: float
) -> dict[str, Mapping[str, float]]:
    """Return the moves at those probes where they differ from the `wanted` moves of a right bot, by probe."""
    return {
        name: own for name, own in moves.items() if name not in wanted or _differ(own, wanted[name], doubt)
    }


def _differ(own: Mapping[str, float], wanted: Mapping[str, float], doubt: float) -> bool:
    """Return True if two records of chosen moves differ, each move by itself or all rare ones together."""
    return moves_differ(own, wanted, doubt) or moves_differ(*pooled_rare(own, wanted), doubt)


def write(recorded: Iterable[Signature], path: Path = DATA) -> None:
    """Write the data file: JSON with one line for each fault, sorted by name."""
    lines = [
        f"{json.dumps(one.fault)}: {json.dumps(_entry(one), separators=(',', ':'))}"
        for one in sorted(recorded, key=lambda one: one.fault)
    ]
    with replaced(path) as file:
        file.write(f'{{"format": "{FORMAT}", "faults": {{\n' + ",\n".join(lines) + "\n}}\n")


def _entry(signature: Signature) -> dict[str, Any]:
    """Return the entry of the data file: the recorded fields, with the ids of checks by outcome."""
    by_outcome: defaultdict[str, list[str]] = defaultdict(list)
    for check, outcome in signature.outcomes.items():
        by_outcome[str(outcome)].append(check)
    entry: dict[str, Any] = {"clause": signature.clause, "outcomes": by_outcome}
    if signature.repeats > 1.0:
        entry["repeats"] = round(signature.repeats, 2)
    if signature.breaks != 0:
        entry["breaks"] = signature.breaks
    entry["probes"] = {name: _values(statistics) for name, statistics in signature.probes.items()}
    if signature.choices:
        entry["choices"] = signature.choices
    return entry


def _values(statistics: Statistics) -> list[Any]:
    """Return the list that `_read_statistics` reads: searches, playouts, moves and, with means, five moments.

    These are length, result, their variances and their covariance, with seven digits: more than is certain.
    0 stands for a moment that is not finite.
    """
    values: list[Any] = [statistics.searches, statistics.playouts, dict(statistics.moves)]
    if statistics.mean:
        (var_length, both), (_, var_result) = statistics.covariance
        moments = (*statistics.mean, var_length, var_result, both)
        values += [float(f"{value:.7g}") if math.isfinite(value) else 0.0 for value in moments]
    return values
