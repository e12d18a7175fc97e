"""The checks of several bots on a dask cluster: each bot on one worker, as on one machine."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from harness.check.model import Judgement, Outcome, Result
from harness.check.phases.findings import Assignment, Findings
from harness.check.phases.runner import INTERRUPTED, run_checks
from harness.remote.packing import pack, unpack
from harness.tasks import ClusterPool


def check_on(
    pool: ClusterPool,
    assignments: Sequence[Assignment],
    on_bot: Callable[[int, Findings], object],
    notify: Callable[[str], object],
) -> list[Findings]:
    """Check the bots, each with the command that its assignment names, which the workers must have.

    `on_bot` gets the place and the findings of each bot as soon as it is checked, `notify` a sentence about
    each lost worker, whose bots are checked again. After an interrupt, nothing is decided about the bots that
    were not finished. Raises ClusterError.
    """
    found: dict[int, Findings] = {}
    try:
        for place, packed in pool.each(_checked, [pack(one) for one in assignments], notify):
            found[place] = unpack(packed)
            on_bot(place, found[place])
    except KeyboardInterrupt:
        pass
    return [found.get(place) or _interrupted(one) for place, one in enumerate(assignments)]


def _checked(assignment: bytes) -> bytes:
    return pack(run_checks(unpack(assignment)))


def _interrupted(assignment: Assignment) -> Findings:
    judgement = Judgement(Outcome.INCONCLUSIVE, observed=INTERRUPTED)
    results = tuple(Result(check, judgement) for check in assignment.checks)
    return Findings(assignment.launch.command, results=results, interrupted=True)
