"""One config on its schedule: what is due, and what was missed."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path

from harness.match import FolderInUse, MatchConfig, Stop, locked
from harness.schedule import runs
from harness.schedule.clock import Clock
from harness.schedule.keeper import PROBLEMS, Player, Result, RunKeeper, told
from harness.schedule.log import Log
from harness.schedule.playing import play_run
from harness.schedule.runs import Run
from harness.schedule.state import State, read_state, write_state
from harness.schedule.times import Timetable

BUSY_PAUSE = timedelta(seconds=30)
"""Until the next look at a config that another process runs."""
PROBLEM_PAUSE = timedelta(minutes=10)
"""Until the next look at a folder that cannot be used."""
COUNTED = 1000
"""Missed times are counted up to so many."""
CLOCK_ERROR = timedelta(days=1)
"""Who has seen a time so far ahead of now has seen a wrong clock."""


class Job:
    """A config, its folder and its times. Nothing is done but under the folder's lock."""

    def __init__(
        self,
        config: MatchConfig,
        reports: Path,
        clock: Clock,
        stop: Stop,
        log: Log,
        player: Player = play_run,
    ) -> None:
        self.name = config.run.name
        self.folder = reports / self.name
        self.timetable = Timetable(config.schedule) if config.schedule else None
        self._make_up = config.schedule is None or config.schedule.misfire == "run"
        self._clock = clock
        self._log = log
        self._keeper = RunKeeper(config, self.folder, clock, stop, log, player)
        self._state = State(clock.now())
        self._away_until = clock.now()  # of the times up to here nobody took notice: they are missed
        self._not_before = clock.now()

    def wake(self) -> None:
        """Take up what an earlier start has left. Raises MatchProblem, StateError and OSError."""
        with suppress(FolderInUse), locked(self.folder):
            self._recall()
            write_state(self.folder, self._state)

    def next_look(self) -> datetime:
        """When something is to be done. Only with a timetable."""
        return max(self._next_time(), self._not_before)

    def slept(self, until: datetime) -> None:
        """The machine was suspended, or its clock set: the times up to then are missed."""
        self._away_until = until

    def go_on(self) -> Result | None:
        """Go on with a run that was cut, if there is one."""
        return self._guarded(self._go_on)

    def attend(self) -> Result | None:
        """Do what is due: a cut run first, then a new one. None if nothing is, or it is skipped."""
        return self._guarded(self._attend)

    def run_now(self) -> list[Result]:
        """Go on with a cut run; a new one if there is none, or if a time has come since that one began."""
        results = []
        if cut := self.go_on():
            results.append(cut)
            if not cut.complete or not self.timetable or self._next_time() > self._clock.now():
                return results
        begun = self._guarded(lambda: self._begin(None, "asked for"))
        return [*results, begun] if begun else results

    def _next_time(self) -> datetime:
        assert self.timetable is not None
        return self.timetable.next(self._state.handled)

    def _attend(self) -> Result | None:
        now = self._clock.now()
        if self._next_time() > now:
            return None  # another process has done it
        self._look_at_missed(now)
        due = self._next_time()
        if due > now:
            return None
        if cut := self._go_on():
            if not cut.ended:
                self._save(replace(self._state, handled=now))  # the next time is the next try
            if not cut.complete:
                return cut
        return self._begin(due, f"due {shown(due)}")

    def _look_at_missed(self, now: datetime) -> None:
        """Tell of times that were missed; with misfire = "skip" they are dealt with by that."""
        assert self.timetable is not None
        until = min(now, self._away_until)
        missed = list(islice(self.timetable.within(self._state.handled, until), COUNTED))
        if not missed:
            return
        many = f"{'at least ' * (len(missed) == COUNTED)}{len(missed)} time{'s' * (len(missed) > 1)}"
        since = f"{many} missed since {shown(missed[0])}"
        if self._make_up:
            self._log.event(self.name, f"{since}; one run makes up for it")
            return
        self._save(replace(self._state, handled=until))
        self._log.event(self.name, f"{since}; skipped")

    def _go_on(self) -> Result | None:
        cut = self._keeper.cut()
        return self._ended(cut, self._keeper.go_on(cut)) if cut else None

    def _begin(self, due: datetime | None, reason: str) -> Result:
        now = self._clock.now()
        run = self._keeper.begin(due, reason)
        self._save(replace(self._state, handled=now))
        return self._ended(run, self._keeper.play(run))

    def _ended(self, run: Run, result: Result) -> Result:
        self._away_until = self._clock.now()
        at = self._away_until.isoformat(timespec="seconds")
        told = "stopped" if result.ended and not result.complete else str(result)
        self._save(replace(self._state, run=run.name, at=at, result=told))
        return result

    def _recall(self) -> None:
        """What any process has done up to now: the stored state, and the runs that have been begun."""
        now = self._clock.now()
        self._state = read_state(self.folder) or self._state
        if self._state.handled > now + CLOCK_ERROR:
            self._log.important(
                self.name, f"the clock was set back: it was {shown(self._state.handled)} before"
            )
            self._state = replace(self._state, handled=now)
        begun = [datetime.fromisoformat(run.began) for run in runs.runs(self.folder)]
        latest = max((time for time in begun if time <= now), default=self._state.handled)
        self._state = replace(self._state, handled=max(self._state.handled, latest))

    def _save(self, state: State) -> None:
        self._state = state
        write_state(self.folder, state)

    def _guarded(self, work: Callable[[], Result | None]) -> Result | None:
        """Alone with the config's folder. Whatever happens is a result: one run ends no scheduler."""
        pause, bug = PROBLEM_PAUSE, False
        try:
            with locked(self.folder):
                self._recall()
                return work()
        except FolderInUse as error:
            pause, problem = BUSY_PAUSE, str(error)
        except PROBLEMS as error:
            problem = told(error)
        except Exception:
            problem, bug = traceback.format_exc(), True
        self._not_before = self._clock.now() + pause
        self._log.important(self.name, f"{'internal error' if bug else 'problem'}: {problem}")
        return Result(self.name, None, problem, bug)


def shown(time: datetime) -> str:
    """A time for people, in its own zone."""
    return f"{time:%Y-%m-%d %H:%M} {time.tzname()}"
