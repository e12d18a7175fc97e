"""Records what each fault does to each check: makes `data/signatures.json`.

`python -m harness.tools.record_signatures` runs the right bot and every fault of the registry through the
checks, with more searches at each probe than a check makes. All of it happens in this process: the bot is
hosted (`harness.selftest.hosted_bot`), or its search is called directly.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial

from harness.check.effort import QUICK
from harness.check.model import Outcome
from harness.check.phases.search_planner import plan_of
from harness.check.procedures.probe import Probe
from harness.check.procedures.search import Series
from harness.diagnosis.search_statistics import repeats, summed
from harness.diagnosis.signatures import (
    DATA,
    Signature,
    keep_differences,
    recorded_signatures,
    signature_of,
    write,
)
from harness.selftest.direct_search import lies_in_search, search_all
from harness.selftest.faulty import RIGHT, check_fault, in_parallel
from harness.suite.registry import CHECKS
from refbot.deviations.faults import FAULTS

PLAYOUTS = 1000
SEARCHES = 24
"""Searches of each probe behind a recorded signature, where they can be made in this process."""

RIGHT_SEARCHES = 96
"""The same for the right bot, with which every fault is compared."""

SHORT = 10.0
"""Moves of a playout up to which searches cost next to nothing: `MANY` times as many are made there."""

MANY = 8

ROUNDING = 1e-9
"""How far a score may be beyond 0 or 1 before it is printed."""

DOUBT = 2.0
"""On the thresholds for faults of the wire, which searches should not show."""

AT_PLAY = ("game.", "gtp.play.", "ref.")
"""Dialogues in which a fault of the search may show; the others are held with faults of the wire alone."""

REFUSED_AT = 1e-5
"""P-value at which Holm's share of the error budget has surely been reached."""


def record(fault: str, seed: int) -> Signature:
    """Run the reference bot with a fault through the checks, and sum up."""
    clause = "" if fault == RIGHT else FAULTS[fault].clause
    if not lies_in_search(fault):
        return signature_of(check_fault(fault, seed, hosted=True, effort=QUICK), fault, clause)
    talking = [c for c in CHECKS if c.procedure.search_plan is None and c.id.startswith(AT_PLAY)]
    spoken = signature_of(check_fault(fault, seed, checks=talking, hosted=True), fault, clause)
    return _with_searches(spoken, seed)


def _with_searches(spoken: Signature, seed: int) -> Signature:
    """Searches made in this process, where they are cheap, added to what a bot said in dialogues."""
    searching = [check for check in CHECKS if check.procedure.search_plan is not None]
    probes = {plan_of(check).probe.id: plan_of(check).probe for check in searching}
    made = {series.probe.id: series for series in _made(probes.values(), spoken.fault, seed)}
    readable = {name: series for name, series in made.items() if _readable(series)}
    outcomes = dict(spoken.outcomes)
    for check in searching:
        if plan_of(check).probe.id not in readable:
            outcomes[check.id] = Outcome.FAIL
    outcomes |= _identifying_outcomes(spoken.fault, seed)
    lost = len(made) - len(readable)
    return replace(
        spoken,
        outcomes=outcomes,
        probes={name: summed(series) for name, series in readable.items()},
        repeats=repeats(readable.values()),
        breaks=0 if not lost else 1 if lost < len(made) / 2 else 2,
    )


def _identifying_outcomes(fault: str, seed: int) -> dict[str, Outcome]:
    """Which checks that speak fail, each after as many searches as it makes itself."""
    failing = {}
    for check in CHECKS:
        if check.identifies:
            plan = plan_of(check)
            (series,) = search_all([plan.probe], fault, plan.most, PLAYOUTS, seed)
            judgement = check.procedure.judge(series)
            refused = judgement.p_value is not None and judgement.p_value < REFUSED_AT
            if refused or judgement.outcome is Outcome.FAIL:
                failing[check.id] = Outcome.FAIL
    return failing


def _made(probes: Iterable[Probe], fault: str, seed: int) -> list[Series]:
    """The searches of a signature, more of them where playouts are short."""
    searches = SEARCHES if fault else RIGHT_SEARCHES
    short: list[Probe] = []
    long: list[Probe] = []
    for probe in probes:
        (short if probe.expected.mean_length <= SHORT else long).append(probe)
    return [
        *search_all(short, fault, MANY * searches, PLAYOUTS, seed),
        *search_all(long, fault, searches, PLAYOUTS, seed),
    ]


def _readable(series: Series) -> bool:
    """Return whether the check could have read every answer."""
    low, high = -ROUNDING, 1.0 + ROUNDING
    return all(search.score is not None and low <= search.score <= high for search in series.searches)


def search_again(fault: str, seed: int) -> Signature:
    """The recorded signature with its searches made anew: what changes when probes do."""
    if fault not in recorded_signatures():
        return record(fault, seed)
    signature = recorded_signatures()[fault]
    if not lies_in_search(fault):
        return signature
    talking = {check.id: check for check in CHECKS if check.procedure.search_plan is None}
    special = [check for name, check in talking.items() if name.startswith("ref.")]
    again = signature_of(
        check_fault(fault, seed, checks=special, hosted=True), fault, signature.clause
    ).outcomes
    spoken = {name: outcome for name, outcome in signature.outcomes.items() if name in talking}
    for check in special:
        spoken.pop(check.id, None)
    return _with_searches(replace(signature, outcomes={**spoken, **again}), seed)


def add_searches(fault: str, seed: int) -> Signature:
    """The recorded signature with searches at new probes; made anew where it takes a conversation."""
    if not lies_in_search(fault) or fault not in recorded_signatures():
        return record(fault, seed)
    plans = [plan_of(check) for check in CHECKS if check.procedure.search_plan is not None]
    old = recorded_signatures()[RIGHT].probes
    new = {plan.probe.id: plan.probe for plan in plans if plan.probe.id not in old}
    made = _made(new.values(), fault, seed)
    added = {series.probe.id: summed(series) for series in made if _readable(series)}
    signature = recorded_signatures()[fault]
    identifying = {check.id for check in CHECKS if check.identifies}
    kept = {name: outcome for name, outcome in signature.outcomes.items() if name not in identifying}
    outcomes = {**kept, **_identifying_outcomes(fault, seed)}
    return replace(signature, outcomes=outcomes, probes={**signature.probes, **added})


def _stored() -> Mapping[str, Signature]:
    return recorded_signatures() if DATA.exists() else {}


def main() -> None:
    """Command line: record the signatures of all faults, or some of them, or their searches anew."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("faults", nargs="*", metavar="FAULT", help="only these; the others stay as they are")
    parser.add_argument("--searches", action="store_true", help="keep what was recorded of dialogues")
    parser.add_argument("--new", action="store_true", help="new probes, and how checks end")
    parser.add_argument("--missing", action="store_true", help="only faults without a record")
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    kept = {name: known for name, known in _stored().items() if name == RIGHT or name in FAULTS}
    job = partial(
        add_searches if arguments.new else search_again if arguments.searches else record, seed=arguments.seed
    )
    # What is new is known by the right bot's record, which therefore is the last to get it.
    chosen = [name for name in FAULTS if name not in kept] if arguments.missing else arguments.faults
    if arguments.missing and not chosen:
        return
    names = chosen or ([*FAULTS, RIGHT] if arguments.new else [RIGHT, *FAULTS])
    for signature in in_parallel(job, names, arguments.jobs):
        kept[signature.fault] = signature
        write(kept.values())  # it can be stopped at any time
        print(f"{len(kept)} known, last {signature.fault or 'the right bot'}", flush=True)  # noqa: T201
    write(
        [keep_differences(s, kept[RIGHT], 1.0 if lies_in_search(s.fault) else DOUBT) for s in kept.values()]
    )


if __name__ == "__main__":
    main()
