"""What `conform status` says of a run in each state, from its start to the last file."""

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from harness.arena.config.tables import MatchConfig
from harness.arena.folder.folder import unfinished_run
from harness.arena.folder.play import MatchSettings, follow, run_match
from harness.arena.run.events import Event, MatchStarted, PhaseStarted
from harness.arena.run.stop import Stop
from harness.arena.store.errors import StoreError
from harness.arena.store.rows import StoredEvent, is_complete
from harness.arena.store.store import Store
from harness.report.files.run_folder import RunFolder
from harness.report.status.phase import COMPLETE, ENDED, RUNNING, SILENT, STOPPED, phase_of_run
from harness.report.status.record import this_process
from harness.report.status.run import FILE, RunStatus, parse_run_status, read_status
from harness.report.text.status_text import run_sentences
from tests.harness.arena.match_helpers import without_workers
from tests.harness.schedule.scheduler_helpers import make_config

GAMES = 4


def status(folder: Path) -> RunStatus:
    text = read_status(folder / FILE)
    assert text is not None
    return parse_run_status(text)


def said(folder: Path) -> str:
    """The state and the first sentence of `conform status`."""
    found = status(folder)
    phase = phase_of_run(found, datetime.now(UTC))
    return f"{phase.word}: {run_sentences(found, phase)[0]}"


def step_of(event: Event) -> str:
    """The name of the step of a run that begins with an event; empty if none does."""
    match event:
        case MatchStarted():
            return "start"
        case PhaseStarted(name=name):
            return name
    return ""


class Life:
    """A run whose status is read at each of its steps."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.said: dict[str, str] = {}
        self.stop = Stop()
        self.at: Callable[[str], object] = lambda _: None

    def handle(self, event: Event) -> None:
        if step := step_of(event):
            self.said[step] = said(self.folder)
            self.at(step)

    def play(self, config: MatchConfig) -> bool:
        settings = MatchSettings(config, self.folder, self.stop)
        with without_workers():
            return follow(run_match(settings), RunFolder(pause=0.0).handle, self.handle).complete


@pytest.fixture
def life(tmp_path: Path) -> Life:
    return Life(tmp_path / "nightly-1")


@pytest.fixture
def config() -> MatchConfig:
    return make_config(games=GAMES)


def test_a_run_works_until_its_last_file_is_written(life: Life, config: MatchConfig) -> None:
    assert life.play(config)
    assert life.said == {
        "start": f"running: 0 of {GAMES} games (0 %), starting",
        "games": f"running: 0 of {GAMES} games (0 %), starting",
        "audit": f"running: {GAMES} of {GAMES} games (100 %), audit",
        "verdicts": f"running: {GAMES} of {GAMES} games (100 %), writing files",
    }
    assert said(life.folder) == f"{COMPLETE.word}: {GAMES} of {GAMES} games (100 %)"
    assert unfinished_run(config, life.folder.parent) is None


def test_a_run_that_is_stopped_in_its_audit_is_stopped_and_continues(life: Life, config: MatchConfig) -> None:
    life.at = lambda step: life.stop.ask() if step == "audit" else None
    assert not life.play(make_config(games=GAMES, audit="all"))
    assert said(life.folder).startswith(STOPPED.word)
    found = unfinished_run(config, life.folder.parent)
    assert found is not None
    assert found.folder == life.folder
    life.stop, life.at = Stop(), lambda _: None
    assert life.play(config)
    assert life.said["start"] == f"running: {GAMES} of {GAMES} games (100 %), starting"
    assert said(life.folder).startswith(COMPLETE.word)
    assert unfinished_run(config, life.folder.parent) is None


def test_a_run_that_fails_before_its_first_event_raises_its_own_error(
    life: Life, config: MatchConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: Store) -> None:
        raise StoreError(life.folder, "the run cannot be read")

    monkeypatch.setattr(Store, "played", fail)
    with pytest.raises(StoreError, match="the run cannot be read"):
        life.play(config)


@pytest.mark.parametrize("step", ["start", "games", "audit", "verdicts"])
def test_a_run_that_fails_at_any_step_is_stopped(life: Life, config: MatchConfig, step: str) -> None:
    def fail(name: str) -> None:
        if name == step:
            raise OSError("the disk is full")

    life.at = fail
    with pytest.raises(OSError, match="the disk is full"):
        life.play(config)
    assert said(life.folder).startswith(STOPPED.word)


@pytest.mark.parametrize("step", ["start", "games", "audit", "verdicts"])
def test_a_run_that_is_killed_at_any_step_is_broken_off(life: Life, config: MatchConfig, step: str) -> None:
    """A child process plays and is gone at this step, without a word."""
    child = os.fork()
    if not child:
        this_process.cache_clear()  # a fork is another process
        life.at = lambda name: os._exit(0) if name == step else None
        life.play(config)
        os._exit(1)
    _, code = os.waitpid(child, 0)
    assert code == 0
    assert said(life.folder).startswith(ENDED.word)


def test_a_run_without_a_benched_engine_is_not_complete(life: Life) -> None:
    assert life.play(make_config(games=GAMES, command="true", bench_after=1))
    assert said(life.folder).startswith(STOPPED.word)


def test_the_age_of_a_status_does_not_depend_on_the_wall_clock(life: Life, config: MatchConfig) -> None:
    assert life.play(config)
    written = status(life.folder).model_copy(update={"state": "playing", "at": "2001-01-01T00:00:00+00:00"})
    assert phase_of_run(written, datetime.now(UTC)) is RUNNING
    assert written.monotonic is not None
    old = written.model_copy(update={"at": "2999-01-01T00:00:00+00:00", "monotonic": written.monotonic - 1e6})
    assert phase_of_run(old, datetime.now(UTC)) is SILENT
    assert phase_of_run(old.model_copy(update={"doing": "writing files"}), datetime.now(UTC)) is RUNNING


@pytest.mark.parametrize(
    ("kinds", "complete"),
    [
        ("", False),
        ("start", False),
        ("start complete", True),
        ("start complete audit", True),
        ("start complete start", False),
        ("start complete start lost stop", False),
        ("start stop start complete salvaged", True),
    ],
)
def test_only_the_last_start_of_a_run_counts(kinds: str, complete: bool) -> None:
    assert is_complete(StoredEvent("now", kind, "") for kind in kinds.split()) is complete
