"""Records the signature of each fault, outcomes of checks and sums of searches, in `data/signatures.json`.

The program runs the reference bot through the checks, without a fault (the right bot) and with each fault of
the registry, and makes more searches at each probe than the checks do. The diagnosis compares a bot with
these signatures. The bot runs in this process: it is hosted (`harness.selftest.hosted_bot`), or its search is
called directly. A part of the record can be made anew, and the rest kept:

    python -m harness.tools.record_signatures                 everything
    python -m harness.tools.record_signatures --new           after new probes or faults: what is missing
    python -m harness.tools.record_signatures --searches      after changed probes: searches, ref.* dialogues
    python -m harness.tools.record_signatures --choices       the moves at other numbers of playouts
    python -m harness.tools.record_signatures --dialogues 'gtp.handicap.*'
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import partial

from harness.check.effort import QUICK, STANDARD
from harness.check.judges.moments import REFUSED
from harness.check.model import Check, Outcome, Phase
from harness.check.phases.judged_searches import plan_of
from harness.check.procedures.probe import Probe
from harness.check.procedures.search import Series
from harness.diagnosis.choice_law import GRID
from harness.diagnosis.pointing import reads_numbers
from harness.diagnosis.search_statistics import repeats, summed
from harness.diagnosis.signatures import (
    DATA,
    RIGHT_SEARCHES,
    SEARCHES,
    Signature,
    keep_differences,
    recorded_signatures,
    signature_of,
    write,
)
from harness.selftest.direct_search import lies_in_search, search_all
from harness.selftest.faulty import RIGHT, check_hosted, checks_on_board_of, in_parallel
from harness.suite.registry import CHECKS
from refbot.deviations.faults import FAULTS
from refbot.deviations.habits import Habits

Choices = Mapping[int, Mapping[str, Mapping[str, float]]]
"""By number of playouts, by the id of a probe, by move: how often the bot chose it."""

PLAYOUTS = 1000
LEAST_CHOICES = 8
"""Fewest searches at a number of playouts of GRID; chosen: with many playouts, most choices are certain."""

OF_THE_CHOICE = ("amaf", "best-rate", "no-early-pass", "ties", "unseen")
"""Clauses whose faults show in moves alone."""

SHORT, MANY = 10.0, 8
"""Where a mean playout has up to SHORT moves, MANY times the searches are made; chosen: they cost little."""

ROUNDING = 1e-9
"""Largest rounding error by which an unprinted score may lie beyond 0 or 1."""

DOUBT = 2.0
"""Factor of the thresholds of `keep_differences` for faults that searches should not show; chosen."""

AT_PLAY = ("game.", "gtp.play.", "ref.")
"""Dialogues in which a fault of the search may show. All others run only with faults outside the search."""


def record(fault: str, seed: int) -> Signature:
    """Record the whole signature of a fault, or of the right bot (RIGHT)."""
    if fault and FAULTS[fault].where == "command":
        return _by_checks(fault, seed, _dialogues())
    if not lies_in_search(fault):
        return _by_checks(fault, seed, checks_on_board_of(fault))
    talking = [c for c in CHECKS if c.procedure.search_plan is None and c.id.startswith(AT_PLAY)]
    return _with_searches(_by_checks(fault, seed, talking), seed)


def _dialogues(patterns: Sequence[str] = ("*",)) -> list[Check]:
    """Return the checks that are dialogues and whose id matches a pattern."""
    dialogues = (c for c in CHECKS if c.procedure.phase in (Phase.DIALOGUE, Phase.FINAL))
    return [check for check in dialogues if any(fnmatchcase(check.id, one) for one in patterns)]


def _by_checks(fault: str, seed: int, checks: Sequence[Check]) -> Signature:
    """Run these checks on a bot with the fault and the extensions of GTP; return its signature by them."""
    switches = [*filter(None, [fault]), Habits.EXTENSIONS.name]
    clause = "" if fault == RIGHT else FAULTS[fault].clause
    return signature_of(check_hosted(switches, seed, checks, QUICK, PLAYOUTS), fault, clause)


def _with_searches(spoken: Signature, seed: int) -> Signature:
    """Make the searches of all probes in this process; add them to `spoken`, which has the dialogues.

    If a check could not read the scores of a probe, all checks of the probe fail, and the statistics leave
    the probe out.
    """
    searching = [check for check in CHECKS if check.procedure.search_plan is not None]
    probes = _probes()
    made = {series.probe.id: series for series in _make_searches(probes.values(), spoken.fault, seed)}
    readable = {name: series for name, series in made.items() if _is_readable(series)}
    outcomes = dict(spoken.outcomes)
    for check in searching:
        if plan_of(check).probe.id not in readable:
            outcomes[check.id] = Outcome.FAIL
    outcomes |= _identifying_outcomes(spoken.fault, seed, _identifying_checks())
    return replace(
        spoken,
        outcomes=outcomes,
        probes={name: summed(series) for name, series in readable.items()},
        repeats=repeats(readable.values()),
        breaks=_breaks(len(made) - len(readable), len(made)),
    )


def _breaks(unreadable: int, probes: int) -> int:
    """Return the value of `Signature.breaks`: 0 without an unreadable probe, 1 for less than half, else 2."""
    if not unreadable:
        return 0
    return 1 if unreadable < probes / 2 else 2


def _identifying_checks() -> list[Check]:
    """Return the checks that search and whose outcome `identifies` a fault."""
    return [check for check in CHECKS if check.identifies and check.procedure.search_plan is not None]


def _identifying_outcomes(fault: str, seed: int, checks: Iterable[Check]) -> dict[str, Outcome]:
    """Return the outcomes of those checks that fail, each judged after its own number of searches."""
    failing = {}
    for check in checks:
        plan = plan_of(check)
        searches = max(plan.most, plan.least_under(STANDARD, PLAYOUTS))
        (series,) = search_all([plan.probe], fault, searches, PLAYOUTS, seed)
        judgement = check.procedure.judge(series)
        refused = judgement.p_value is not None and judgement.p_value < REFUSED
        if refused or judgement.outcome is Outcome.FAIL:
            failing[check.id] = Outcome.FAIL
    return failing


def _make_searches(probes: Iterable[Probe], fault: str, seed: int, playouts: int = PLAYOUTS) -> list[Series]:
    """Make the searches of a record at these probes; at probes with short playouts, MANY times as many.

    A bot with a fault makes SEARCHES searches; with more than PLAYOUTS playouts, fewer in proportion, but at
    least LEAST_CHOICES. The right bot, with which every fault is compared, always makes RIGHT_SEARCHES.
    """
    searches = max(LEAST_CHOICES, SEARCHES * PLAYOUTS // max(PLAYOUTS, playouts)) if fault else RIGHT_SEARCHES
    short: list[Probe] = []
    long: list[Probe] = []
    for probe in probes:
        (short if _is_short(probe) else long).append(probe)
    return [
        *search_all(short, fault, MANY * searches, playouts, seed),
        *search_all(long, fault, searches, playouts, seed),
    ]


def _is_short(probe: Probe) -> bool:
    """Return True if a mean playout has at most SHORT moves."""
    return probe.expected.mean_length <= SHORT


def _is_readable(series: Series) -> bool:
    """Return True if a check could read every score."""
    low, high = -ROUNDING, 1.0 + ROUNDING
    return all(search.score is not None and low <= search.score <= high for search in series.searches)


def search_again(fault: str, seed: int) -> Signature:
    """Return the recorded signature with new searches and new `ref.` dialogues, for changed probes.

    The moves at other numbers of playouts stay (see `add_choices`). A fault without a recorded signature is
    recorded in full. The signature of a fault outside the search stays as it is.
    """
    if fault not in recorded_signatures():
        return record(fault, seed)
    signature = recorded_signatures()[fault]
    if not lies_in_search(fault):
        return signature
    talking = {check.id: check for check in CHECKS if check.procedure.search_plan is None}
    special = [check for name, check in talking.items() if name.startswith("ref.")]
    again = _by_checks(fault, seed, special).outcomes
    spoken = {name: outcome for name, outcome in signature.outcomes.items() if name in talking}
    for check in special:
        spoken.pop(check.id, None)
    return _with_searches(replace(signature, outcomes={**spoken, **again}), seed)


def add_searches(fault: str, seed: int) -> Signature:
    """Return the recorded signature with searches and moves at the probes that the right bot's record lacks.

    A fault without a recorded signature is recorded in full. So is a fault of the state between commands,
    since it may show at a new probe. Any other fault outside the search needs no searches.
    """
    if fault not in recorded_signatures() or (fault and FAULTS[fault].where == "state"):
        return record(fault, seed)
    if not lies_in_search(fault):
        return recorded_signatures()[fault]
    old = recorded_signatures()[RIGHT].probes
    new = {name: probe for name, probe in _probes().items() if name not in old}
    made = _make_searches(new.values(), fault, seed)
    added = {series.probe.id: summed(series) for series in made if _is_readable(series)}
    signature = recorded_signatures()[fault]
    judged = [check for check in _identifying_checks() if plan_of(check).probe.id in new]
    again = {check.id for check in judged}
    kept = {check: outcome for check, outcome in signature.outcomes.items() if check not in again}
    outcomes = {**kept, **_identifying_outcomes(fault, seed, judged)}
    whole = replace(signature, outcomes=outcomes, probes={**signature.probes, **added})
    return replace(whole, choices=_merged(signature.choices, _choices(whole, new, seed)))


def hold_again(fault: str, seed: int, patterns: Sequence[str]) -> Signature:
    """Return the recorded signature, with those dialogues held anew whose id matches a pattern.

    A fault without a recorded signature is recorded in full.
    """
    if fault not in recorded_signatures():
        return record(fault, seed)
    signature = recorded_signatures()[fault]
    chosen = _dialogues(patterns)
    again = _by_checks(fault, seed, chosen).outcomes
    left_out = {check.id for check in chosen}
    kept = {name: outcome for name, outcome in signature.outcomes.items() if name not in left_out}
    return replace(signature, outcomes={**kept, **again})


def add_choices(fault: str, seed: int) -> Signature:
    """Return the recorded signature with the moves at each number of playouts of GRID.

    The moves of a fault of the choice are recorded at the probes of the checks of the choice, at those with
    short playouts, and where they differ from those of the right bot. The moves of another fault are recorded
    only where they differ, and at numbers below PLAYOUTS: with more playouts, its means show it. A fault
    outside the search has no moves. Raises KeyError for a fault without a recorded signature.
    """
    signature = recorded_signatures()[fault]
    return replace(signature, choices=_choices(signature, _probes(), seed))


def _choices(signature: Signature, probes: Mapping[str, Probe], seed: int) -> Choices:
    """Search at these probes with several numbers of playouts; return the moves. See `add_choices`."""
    fault, numbers = signature.fault, GRID
    if not lies_in_search(fault):
        return {}
    if fault != RIGHT:
        # A signature keeps the moves at a probe only where they differ from those of the right bot.
        wanted = {name for name, own in signature.probes.items() if own.moves}
        if FAULTS[fault].clause in OF_THE_CHOICE:
            wanted |= _probes(check for check in CHECKS if not reads_numbers(check)).keys()
            wanted |= {name for name, probe in probes.items() if _is_short(probe)}
        else:
            numbers = tuple(number for number in GRID if number < PLAYOUTS)
        probes = {name: probe for name, probe in probes.items() if name in wanted}
    choices: dict[int, dict[str, dict[str, float]]] = {}
    for playouts in numbers:
        made = _make_searches(probes.values(), fault, seed, playouts)
        choices[playouts] = {one.probe.id: dict(summed(one).moves) for one in made}
    return choices


def _merged(known: Choices, new: Choices) -> Choices:
    """Join two records of moves. Without the first, return none: moves at new probes alone look like all."""
    if not known:
        return {}
    return {number: {**known.get(number, {}), **new.get(number, {})} for number in {**known, **new}}


def _probes(checks: Iterable[Check] = CHECKS) -> dict[str, Probe]:
    """Return the probes of those checks that search, by id."""
    plans = (plan_of(check) for check in checks if check.procedure.search_plan is not None)
    return {plan.probe.id: plan.probe for plan in plans}


def _stored() -> Mapping[str, Signature]:
    return recorded_signatures() if DATA.exists() else {}


def main() -> None:
    """Command line: record the signatures of all faults, or some of them, or their searches anew."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("faults", nargs="*", metavar="FAULT", help="only these; the others stay as they are")
    for option, job, what in (
        ("--searches", search_again, "searches and ref.* dialogues of changed probes"),
        ("--new", add_searches, "new probes and new faults"),
        ("--choices", add_choices, "moves at other numbers of playouts"),
    ):
        parser.add_argument(option, dest="job", action="store_const", const=job, default=record, help=what)
    parser.add_argument("--dialogues", metavar="GLOB", nargs="+", help="only dialogues of these checks")
    parser.add_argument("--missing", action="store_true", help="only faults without a record")
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.dialogues:
        arguments.job = partial(hold_again, patterns=arguments.dialogues)
    kept = {name: known for name, known in _stored().items() if name == RIGHT or name in FAULTS}
    # A probe is new if the right bot's signature lacks it, so with --new the right bot comes last.
    chosen = [name for name in FAULTS if name not in kept] if arguments.missing else arguments.faults
    if arguments.missing and not chosen:
        return
    names = chosen or ([*FAULTS, RIGHT] if arguments.job is add_searches else [RIGHT, *FAULTS])
    for signature in in_parallel(partial(arguments.job, seed=arguments.seed), names, arguments.jobs):
        kept[signature.fault] = signature
        write(kept.values())  # so that the program can be stopped at any time
        print(f"{len(kept)} known, last {signature.fault or 'the right bot'}", flush=True)  # noqa: T201
    write(
        [keep_differences(s, kept[RIGHT], 1.0 if lies_in_search(s.fault) else DOUBT) for s in kept.values()]
    )


if __name__ == "__main__":
    main()
