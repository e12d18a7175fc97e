"""Audits one run: after its last game, or later by `conform audit`."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import closing, nullcontext
from dataclasses import dataclass
from pathlib import Path

from harness.arena.config.tables import Amount, MatchConfig
from harness.arena.errors import PlayError
from harness.arena.folder.lock import locked
from harness.arena.judge.judge import judge
from harness.arena.judge.playouts import differing_statistics, judge_playouts
from harness.arena.run.events import SearchesAudited
from harness.arena.run.runner import wanted_workers
from harness.arena.run.stop import Stop
from harness.arena.store.errors import StoreError
from harness.arena.store.store import Store
from harness.arena.verdicts import MatchVerdicts
from harness.files import timestamp
from harness.go import REFERENCE
from harness.tasks import cluster_pool

AUTO_SHARE = 0.1
"""Processor time of an automatic audit, as a fraction of the time of the searches. Chosen: a short wait."""
DIAGNOSIS_SHARE = 0.2
"""Fraction of the time of an automatic audit that is kept for the diagnosis. Chosen: most bots need none."""
LEAST_AUTO_SECONDS = 1.0
"""With less processor time, no automatic audit starts. Chosen: it would only load the kernels."""


Audited = Generator[SearchesAudited, None, bool]
"""The progress of an audit. Returns False if a stop was requested; the time limit of "auto" is no stop."""


@dataclass(frozen=True)
class AuditedRun:
    """The verdicts on a run after an audit.

    searches    number of searches that all audits of the run have audited
    complete    False if a stop was requested before the end of the audit
    """

    verdicts: MatchVerdicts
    searches: int
    complete: bool


def audit_run(
    folder: Path,
    amount: Amount,
    write: Callable[[Store, MatchVerdicts, Path, Iterable[str]], object],
    *,
    stop: Stop,
    workers: int | None = None,
    cluster: str | None = None,
    device: str = "cpu",
    handle: Callable[[SearchesAudited], object] = lambda _: None,
) -> AuditedRun:
    """Audit the stored run in `folder` and `write` its files again. Raises one of USER_ERRORS.

    write     is called with the store, the verdicts, the folder and the formats of the config
    handle    is called with the progress
    workers   number of processes; None: as many as the config wants
    cluster   the address of a dask scheduler whose workers play the references; None: this machine plays
              them, on its `device` (one of refbot's DEVICES). This machine always makes the diagnosis
    """
    Store.open(folder, read_only=True, checked=False).close()  # no lock is made where there is no run
    with locked(folder), Store.take_over(folder) as store:
        config = store.config()
        if config is None:
            raise StoreError(
                folder, "no game has been played there yet: play the match first (conform match)"
            )
        if config.run.rules.rules != REFERENCE:
            raise PlayError(
                f"{folder}: its searches cannot be audited, because refbot follows the reference rules "
                f"and the games follow the rules {config.run.rules.name}"
            )
        steps = audit_store(store, config, amount, stop=stop, workers=workers, cluster=cluster, device=device)
        complete = run_to_end(steps, handle)
        verdicts = judge(store, config)
        write(store, verdicts, folder, config.report.formats)
        return AuditedRun(verdicts, store.audit.count(), complete)


def run_to_end(audited: Audited, handle: Callable[[SearchesAudited], object] = lambda _: None) -> bool:
    """Run an audit to its end. Return its result: False if a stop was requested."""
    with closing(audited):
        while True:
            try:
                handle(next(audited))
            except StopIteration as end:
                return bool(end.value)


def audit_store(
    store: Store,
    config: MatchConfig,
    amount: Amount,
    *,
    stop: Stop,
    workers: int | None = None,
    cluster: str | None = None,
    device: str = "cpu",
) -> Audited:
    """Audit `amount` of the searches in an open store, and diagnose the bots that it finds different.

    Nothing is audited in a run with other rules than refbot's, nor automatically if the audit would have less
    than LEAST_AUTO_SECONDS. The `device` plays the playouts of the references; a diagnosis needs playouts
    with faults, which a CPU plays.
    """
    if amount == "off" or config.run.rules.rules != REFERENCE:
        return True
    seconds = AUTO_SHARE * store.recorded.search_seconds() if amount == "auto" else None
    if seconds is not None and seconds < LEAST_AUTO_SECONDS:
        return True
    from harness.arena.audit import Audit, Diagnoser, gpu_player  # loads numba, which costs a second

    count = workers or wanted_workers(config)
    with nullcontext() if cluster is None else cluster_pool(cluster, count) as pool:
        audit = Audit(
            store,
            amount,
            stop=stop,
            workers=pool.capacity if pool else count,
            executor=pool.executor if pool else None,
            seconds=None if seconds is None else (1.0 - DIAGNOSIS_SHARE) * seconds,
            play_game=gpu_player(device, max(run.size for run in config.runs)),
        )
        for done, planned in audit.steps():
            yield SearchesAudited("audit", done, planned)
    store.note("audit", f"{audit.outcome.audited} searches", timestamp())
    if not audit.outcome.complete:
        return False
    differing = differing_statistics(judge_playouts(store, config)[0])
    left = None if seconds is None else DIAGNOSIS_SHARE * seconds
    diagnoser = Diagnoser(store, stop=stop, workers=count, seconds=left)
    for done, planned in diagnoser.steps(differing):
        yield SearchesAudited("diagnosis", done, planned)
    return diagnoser.complete
