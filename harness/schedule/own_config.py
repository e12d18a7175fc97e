"""The config that a run began with. The run is played to its end with it, even if the file changes."""

from __future__ import annotations

from harness.arena.config.reach import first_beyond
from harness.arena.config.tables import MatchConfig
from harness.arena.errors import MatchError
from harness.arena.folder.folder import edits
from harness.arena.folder.scheduled_run import ScheduledRun
from harness.arena.store.store import DATABASE, Store

NOT_OF_THE_RUN = ("[schedule]", "[run] workers", "[report] keep")
"""Tables and keys whose edits take effect at once, also for a run that began before the edit."""


class OtherProgramsError(MatchError):
    """A stored run starts a program, or reads a file, that the config of the user does not name."""


def own_config(run: ScheduledRun) -> MatchConfig | None:
    """The config that is stored in a run; None before its first start. Raises StoreError."""
    if not (run.folder / DATABASE).exists():
        return None
    with Store.open(run.folder, read_only=True) as store:
        return store.config()


def changes_since(own: MatchConfig, config: MatchConfig) -> str:
    """Describe how the present config differs from the config of a run; empty if nothing has changed."""
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
