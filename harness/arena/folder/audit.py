"""The audit of one run: after its last game, or later by `conform audit`."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from harness.arena.config.tables import Amount, MatchConfig
from harness.arena.folder.lock import locked
from harness.arena.folder.writer import RunWriter
from harness.arena.judge.judge import judge
from harness.arena.judge.playouts import differing_statistics, judge_playouts
from harness.arena.run.coordinator import Stop
from harness.arena.run.runner import wanted_workers
from harness.arena.store.errors import StoreError
from harness.arena.store.store import Store
from harness.arena.verdicts import MatchVerdicts
from harness.files import timestamp
from harness.tasks import cluster_pool

AUTO_SHARE = 0.1
"""Part of the time of the bots' searches that an automatic audit takes at most, of the processor."""

DIAGNOSIS_SHARE = 0.2
"""Part of this time that is kept for the diagnosis."""

LEAST_AUTO_SECONDS = 1.0
"""An automatic audit does not begin with less processor time: it would only load the kernels."""


class AuditProgress(Protocol):
    """Shows how far an audit is."""

    def __call__(self, done: int, planned: int, what: str = "audit", /) -> None:
        """Show how many of the planned searches are done. `what` they are for: audit or diagnosis."""


@dataclass(frozen=True)
class AuditedRun:
    """The verdicts on a run after an audit. `searches`: those audited so far, by all audits."""

    verdicts: MatchVerdicts
    searches: int
    complete: bool


def audit_run(
    folder: Path,
    amount: Amount,
    writer: RunWriter,
    *,
    stop: Stop,
    workers: int | None = None,
    cluster: str | None = None,
    progress: AuditProgress = lambda *_: None,
) -> AuditedRun:
    """Audit the stored run in `folder` and write its files again. Raises MatchError and OSError.

    `cluster`: the address of a dask scheduler whose workers compute; None computes on this machine.
    """
    with Store.open(folder) as store, locked(folder):
        config = store.config()
        if config is None:
            raise StoreError(folder, "no game has been played there yet")
        complete = audit_store(
            store, config, amount, stop=stop, workers=workers, cluster=cluster, progress=progress
        )
        verdicts = judge(store, config)
        writer.write(store, verdicts, folder, config.report.formats)
        return AuditedRun(verdicts, store.audit.count(), complete)


def audit_store(
    store: Store,
    config: MatchConfig,
    amount: Amount,
    *,
    stop: Stop,
    workers: int | None = None,
    cluster: str | None = None,
    progress: AuditProgress = lambda *_: None,
) -> bool:
    """Audit `amount` of the searches in an open store. False if it was stopped before the end."""
    seconds = AUTO_SHARE * store.search_seconds() if amount == "auto" else None
    if amount == "off" or (seconds is not None and seconds < LEAST_AUTO_SECONDS):
        return True
    from harness.arena.audit import Audit  # loads numba, which costs a second

    count = workers or wanted_workers(config)
    with nullcontext() if cluster is None else cluster_pool(cluster, count) as pool:
        outcome = Audit(
            store,
            amount,
            stop=stop,
            workers=pool.workers if pool else count,
            executor=pool.executor if pool else None,
            seconds=None if seconds is None else (1.0 - DIAGNOSIS_SHARE) * seconds,
            progress=progress,
        ).run()
    store.note("audit", f"{outcome.audited} searches", timestamp())
    if not outcome.complete:
        return False
    left = None if seconds is None else DIAGNOSIS_SHARE * seconds
    return _diagnose(store, config, stop=stop, workers=count, seconds=left, progress=progress)


def _diagnose(
    store: Store,
    config: MatchConfig,
    *,
    stop: Stop,
    workers: int,
    seconds: float | None,
    progress: AuditProgress,
) -> bool:
    """Diagnose the bots that the audit finds different. False if it was stopped."""
    from harness.arena.audit import Diagnoser

    rows, _ = judge_playouts(store, config)
    differing = differing_statistics(rows)

    def show(done: int, planned: int) -> None:
        progress(done, planned, "diagnosis")

    return Diagnoser(store, stop=stop, workers=workers, seconds=seconds, progress=show).run(differing)
