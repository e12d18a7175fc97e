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

    on_bot   called with index and findings of each bot when it is checked
    notify   called with a sentence about each lost worker; its bots are checked again

    After Ctrl-C, the results of unfinished bots are inconclusive. Raises ClusterError.
    """
    found: dict[int, Findings] = {}
    try:
        for place, packed in pool.each(_checked, [pack(one) for one in bots], notify):
            found[place] = unpack(packed)
            on_bot(place, found[place])
    except KeyboardInterrupt:
        pass
    return [found.get(place) or _interrupted(one) for place, one in enumerate(bots)]


def _checked(settings: bytes) -> bytes:
    return pack(findings_of(run_check(unpack(settings))))


def _interrupted(settings: RunSettings) -> Findings:
    judgement = Judgement(Outcome.INCONCLUSIVE, observed=INTERRUPTED)
    results = tuple(Result(check, judgement) for check in settings.checks)
    return Findings(settings.launch.command, results=results, interrupted=True)
