"""The checks of several bots on a dask cluster: each bot on one worker, as on one machine."""

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
    """Check the bots, each with the command that its settings name, which the workers must have.

    `on_bot` gets the place and the findings of each bot as soon as it is checked, `notify` a sentence about
    each lost worker, whose bots are checked again. After an interrupt, nothing is decided about the bots that
    were not finished. Raises ClusterError.
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
