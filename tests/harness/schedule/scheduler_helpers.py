"""Configs, processes, a clock, a log and runs without games, for the tests of the scheduler."""

import shlex
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from harness.arena.config.reader import check_config
from harness.arena.config.tables import MatchConfig
from harness.arena.folder.folder import open_run
from harness.arena.folder.play import Events, MatchSettings
from harness.arena.judge.judge import judge
from harness.arena.run.events import MatchEnded, MatchStarted
from harness.arena.run.stop import Stop
from harness.arena.store.store import Store
from harness.arena.verdicts import MatchVerdicts
from harness.schedule import Clock, Job, Log, Scheduler
from tests.harness.arena.match_helpers import PROGRAM

ENGINES = Path(__file__).parents[2] / "engines"
INSTANT = shlex.join([sys.executable, "-S", "-E", str(ENGINES / "instant.py")])
HANGING = shlex.join([sys.executable, "-S", "-E", str(ENGINES / "hostile.py"), "hang", "--at", "8"])
SCHEDULE = '[schedule]\ncron = "0 0 1 1 *"\n'
"""No time of it comes during a test."""
LONG = 1000
"""Games that take seconds, of engines that answer at once: time to stop a run in its middle."""
START = datetime(2026, 1, 5, 12, 0, 30, tzinfo=UTC)  # a Monday


def at(hour: int, minute: int = 0, day: int = 5) -> datetime:
    """A time on the day of `START`, or on another day of that month."""
    return datetime(2026, 1, day, hour, minute, tzinfo=UTC)


def make_config(
    name: str = "nightly",
    cron: str | None = "0 * * * *",
    timezone: str = "UTC",
    misfire: str = "run",
    keep: int | None = None,
    command: str = INSTANT,
    **run: object,
) -> MatchConfig:
    tables: dict[str, object] = {
        "run": {"name": name, "size": 5, "games": 2, "workers": 1, **run},
        "engine": [{"name": bot, "command": command} for bot in "ab"],
        "report": {"formats": ["csv"]} | ({"keep": keep} if keep else {}),
    }
    if cron:
        tables["schedule"] = {"cron": cron, "timezone": timezone, "misfire": misfire}
    return check_config(tables, "test")


def config(
    folder: Path, name: str = "nightly", *, games: int = 2, rest: str = SCHEDULE, command: str = INSTANT
) -> Path:
    engines = "".join(f"[[engine]]\nname = '{bot}'\ncommand = '''{command}'''\n" for bot in "ab")
    run = f"[run]\nname = '{name}'\nsize = 5\ngames = {games}\nworkers = 1\n"
    path = folder / f"{name}.toml"
    path.write_text(f"{run}{engines}{rest}[report]\nformats = ['csv']\n")
    return path


def start(*words: object, cwd: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*PROGRAM, "schedule", *map(str, words)], stderr=subprocess.PIPE, text=True, cwd=cwd
    )


def stored(folder: Path) -> list[str]:
    """The games of a config's runs."""
    found = []
    for path in folder.glob("2*Z/run.db"):
        try:
            with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as db:
                found += [name for (name,) in db.execute("SELECT game_id FROM game ORDER BY game_id")]
            db.close()
        except sqlite3.Error:
            continue  # it is just being made
    return found


def wait_until(process: subprocess.Popen[str], condition: Callable[[], bool]) -> None:
    while not condition():
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)


class FakeClock(Clock):
    """A clock that runs only while somebody waits or plays; at `end` it asks for a stop."""

    def __init__(self, now: datetime = START, end: datetime | None = None) -> None:
        self.time = now
        self.end = end
        self.sleeps: list[tuple[datetime, timedelta]] = []  # suspended at, for so long
        self.settings: list[tuple[datetime, datetime]] = []  # set at this time to that, while somebody waits

    def now(self) -> datetime:
        return self.time

    def wait(self, until: datetime, stop: Stop) -> None:
        if self.settings and self.settings[0][0] < until:
            _, self.time = self.settings.pop(0)
            if self.time < until:
                return
        for begins, length in [sleep for sleep in self.sleeps if sleep[0] < until]:
            self.sleeps.remove((begins, length))
            until = max(until, begins + length)
        if self.end is not None and until > self.end:
            self.time = self.end
            stop.ask()
        else:
            self.time = max(self.time, until).astimezone(UTC)


class Lines(Log):
    """A log that is kept."""

    def __init__(self) -> None:
        super().__init__(quiet=True)
        self.lines: list[str] = []

    def event(self, source: str, sentence: str) -> None:
        self.lines.append(f"{source}: {sentence}")

    def important(self, source: str, sentence: str) -> None:
        self.lines.append(f"{source}: {sentence}")

    def count(self, part: str) -> int:
        """The number of lines with this text."""
        return sum(part in line for line in self.lines)


class Setting:
    """Schedulers over one reports folder, whose runs play no games and take as long as is said."""

    def __init__(self, reports: Path, now: datetime = START) -> None:
        self.reports = reports
        self.clock = FakeClock(now)
        self.log = Lines()
        self.stop = Stop()
        self.length = timedelta(minutes=5)
        self.begun: list[tuple[str, datetime]] = []
        self.fails: Callable[[MatchConfig], None] = lambda config: None
        self.judge: Callable[[Store, MatchConfig], MatchVerdicts] = judge

    def keep_running(self, *configs: MatchConfig, until: datetime, new: bool = False) -> bool:
        """Start a process now and stop it at a time. `new`: it begins with a new run of each config."""
        self.stop = Stop()
        self.clock.end = until
        return Scheduler(self.jobs(*configs), self.clock, self.stop, self.log).keep_running(new=new)

    def once(self, *configs: MatchConfig) -> None:
        """Start a process now that plays one run of each config."""
        self.stop = Stop()
        self.clock.end = None
        Scheduler(self.jobs(*configs), self.clock, self.stop, self.log).play_once()

    def jobs(self, *configs: MatchConfig) -> list[Job]:
        return [
            Job(config, self.reports, self.clock, self.stop, self.log, play=self.play) for config in configs
        ]

    def play(self, settings: MatchSettings) -> Events:
        config, folder, stop = settings.config, settings.folder, settings.stop
        self.begun.append((config.run.name, self.clock.time))
        with open_run(config, folder) as store:
            self.fails(config)
            complete = not stop.asked
            self.clock.time += self.length
            if self.clock.end is not None and self.clock.time >= self.clock.end:
                stop.ask()  # as the clock does it; what runs without a pause does not ask the clock
            formats = config.report.model_copy(update={"formats": ("csv",)})
            yield MatchStarted(folder, config.model_copy(update={"report": formats}), 0, 0, store)
            yield MatchEnded(self.judge(store, config), complete)

    def times(self, name: str = "nightly") -> list[str]:
        """When runs of a config were begun or gone on with."""
        return [f"{time:%d %H:%M}" for begun, time in self.begun if begun == name]
