"""The config that a run began with. It is played to its end with this config, whatever the file says now."""

from __future__ import annotations

from harness.arena.config.reach import first_beyond
from harness.arena.config.tables import MatchConfig
from harness.arena.errors import MatchError
from harness.arena.folder.folder import edits
from harness.arena.folder.scheduled_run import ScheduledRun
from harness.arena.store.store import DATABASE, Store

NOT_OF_THE_RUN = ("[schedule]", "[run] workers", "[report] keep")
"""What an edited config changes at once, also for a run that began before."""


class OtherProgramsError(MatchError):
    """A stored run starts a program, or reads a file, that the config of the user does not name."""


def own_config(run: ScheduledRun) -> MatchConfig | None:
    """The config that is stored in a run; None before its first start. Raises StoreError."""
    if not (run.folder / DATABASE).exists():
        return None
    with Store.open(run.folder, read_only=True) as store:
        return store.config()


def changes_since(own: MatchConfig, config: MatchConfig) -> str:
    """The differences of the present config from that of a run, in words; empty if nothing has changed."""
    return "; ".join(edits(own, config, NOT_OF_THE_RUN))


def check_programs(run: ScheduledRun, own: MatchConfig, config: MatchConfig) -> None:
    """Raise OtherProgramsError if a run starts a program, or reads a file, that the config does not name.

    The folder of the run may come from a stranger, who wrote the config in it.
    """
    if beyond := first_beyond(own, config):
        raise OtherProgramsError(
            f"run {run.name} is not continued, because in the config {beyond}. To finish it, put that back; "
            "to give it up, use conform schedule --drop. New runs are played meanwhile"
        )
