"""Checks several bots on a dask cluster: one worker checks one bot, as `conform check` does."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from harness.check.model import Judgement, Outcome, Result
from harness.check.phases.findings import Findings
from harness.check.phases.run import INTERRUPTED, findings_of, run_check
from harness.check.phases.settings import RunSettings
from harness.remote.packing import pack, unpack
from harness.tasks import ClusterPool


def check_on(
    pool: ClusterPool,
    bots: Sequence[RunSettings],
    on_bot: Callable[[int, Findings], object],
    notify: Callable[[str], object],
) -> list[Findings]:
    """Check the bots. The command in the settings of each bot must exist on the workers.

    on_bot   called with the index and the findings of each bot once it is checked
    notify   called with a sentence about each lost worker; its bots are checked again

    After Ctrl-C, the results of unfinished bots are inconclusive. Raises ClusterError.
    """
    found: dict[int, Findings] = {}
    try:
        for index, packed in pool.each(_check_one, [pack(one) for one in bots], notify):
            found[index] = unpack(packed)
            on_bot(index, found[index])
    except KeyboardInterrupt:
        pass
    return [found.get(index) or _interrupted(one) for index, one in enumerate(bots)]


def _check_one(settings: bytes) -> bytes:
    """Check a bot on a worker: packed settings in, packed findings out."""
    return pack(findings_of(run_check(unpack(settings))))


def _interrupted(settings: RunSettings) -> Findings:
    """Return the findings of a bot that was not checked to the end: every result is inconclusive."""
    judgement = Judgement(Outcome.INCONCLUSIVE, observed=INTERRUPTED)
    results = tuple(Result(check, judgement) for check in settings.checks)
    return Findings(settings.launch.command, results=results, interrupted=True)
