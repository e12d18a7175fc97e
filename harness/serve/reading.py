"""The data behind a place (a run, a running check, a report or a history), read from its files.

A run is read from its status file, or from its store if it has no readable one. An unreadable place becomes
a reading with a problem, never an exception. An index keeps the status that was read from a store.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from operator import itemgetter
from pathlib import Path

from harness.arena.errors import MatchError
from harness.arena.folder.errors import StateFileError
from harness.arena.folder.scheduled_run import RECORD, scheduled_run
from harness.arena.store.store import DATABASE, Store
from harness.files import epoch_seconds, read_file
from harness.report.errors import ReportError, StatusFileError
from harness.report.numbers import amount, left_text, of_total
from harness.report.records.stored_check import CheckedOnce, read_report
from harness.report.status.check import CheckStatus, parse_check_status
from harness.report.status.phase import (
    COMPLETE,
    ENDED,
    GIVEN_UP,
    STOPPED,
    STORED,
    Phase,
    phase_of_check,
    phase_of_run,
)
from harness.report.status.run import (
    FILE,
    RunStatus,
    parse_run_status,
    read_status,
)
from harness.report.status.stored import stored_status
from harness.report.text.status_text import pairs_sentence, report_sentences
from harness.serve.index import RunIndex, files_of
from harness.serve.places import Kind, Place, Signature, signature

DAMAGED = Phase("unreadable", "fail", "✗", "")
REPORTED = Phase("ended", "skip", "■", "Its report is complete.")
KEPT = Phase("history", "skip", "■", "")
UNREAD = Phase("not read yet", "skip", "…", "It has no status.json. Its store is read soon.")
CANDIDATES = 500
"""Number of places that are searched for running ones: those that changed last. Chosen: a run that is played
changes every second, and a run that is audited at least once an hour. Nobody starts 500 runs in an hour."""


@dataclass(frozen=True)
class Reading:
    """The data of a place. At most one of `run`, `check` and `reports` is set, by the kind of the place."""

    place: Place
    phase: Phase
    at: str = ""  # when its last change was written (of a report: when its check began); ISO 8601
    run: RunStatus | None = None
    check: CheckStatus | None = None
    reports: tuple[CheckedOnce, ...] = ()
    problem: str = ""  # why a file could not be read
    given_up: bool = False  # the scheduler gave the run up

    @property
    def troubled(self) -> bool:
        """True if the place has a problem, or is a run or check that neither runs nor is complete."""
        return bool(self.problem) or not (self.phase.running or self.phase in (COMPLETE, REPORTED, KEPT))

    @property
    def counted(self) -> tuple[int, int]:
        """Return (done, total): the games of a run, or the checks of a check; (0, 0) for other places."""
        if self.run is not None:
            return self.run.done, self.run.total
        bots = self.check.bots if self.check is not None else ()
        return sum(bot.decided for bot in bots), sum(bot.total for bot in bots)

    @property
    def progress(self) -> str:
        """The progress of a run or a check, in words; empty for other places."""
        done, total = self.counted
        if self.run is None:
            return of_total(done, total, "check") if total else ""
        left = left_text(self.run.seconds_left if self.phase.running else None)
        return ", ".join(filter(None, (of_total(done, total, "game"), left)))

    @property
    def result(self) -> str:
        """The result so far, or the problem, in words."""
        if self.run is not None:
            failed = sum(sum(bot.failures.values()) for bot in self.run.bots)
            pairs = pairs_sentence(self.run.pairs) if self.run.pairs else ""
            failures = f"{amount(failed, 'game')} failed" if failed else ""
            return "; ".join(filter(None, (self.problem or pairs, failures)))
        if self.check is not None:
            failed = sum(len(bot.failed) for bot in self.check.bots)
            return f"{failed} failed so far" if failed else ""
        return "; ".join(report_sentences(self.reports)) if self.reports else self.problem


def in_order(readings: Iterable[Reading]) -> list[Reading]:
    """Sort the readings: running ones first, then the newest."""
    return sorted(readings, key=lambda one: (one.phase.running, epoch_seconds(one.at)), reverse=True)


class Allowance:
    """A limit on the reading of stores: the first is free, the others must begin within a processor time."""

    def __init__(self, seconds: float) -> None:
        """`seconds`: processor time of the thread since it asked for its first store."""
        self._seconds = seconds
        self._began: float | None = None  # the processor time of the thread at the first store

    def take(self) -> bool:
        """Return True if one more store may be read. Only one thread may call it."""
        now = time.thread_time()
        if self._began is None:
            self._began = now
            return True
        return now - self._began < self._seconds


class Reader:
    """Reads places repeatedly. A file is parsed only when it is new or changed.

    Several threads may use a reader. The lock guards the cache; it is not held while a file is read.
    """

    def __init__(self, index: RunIndex | None = None) -> None:
        """`index`: the statuses that earlier processes read from stores; None: every store is read again."""
        self._index = index
        self._known: dict[str, tuple[Signature, Reading]] = {}
        self._lock = threading.Lock()

    def forget_all_but(self, keys: set[str]) -> None:
        """Drop the cached readings of all other places."""
        with self._lock:
            self._known = {key: known for key, known in self._known.items() if key in keys}

    def newest(self, places: Iterable[Place], most: int, seconds: float = math.inf) -> list[Reading]:
        """Return at most `most` readings: running places, then those that changed last.

        Reads the `most` places that changed last. Reads the next ones too, up to number CANDIDATES, since
        they may be running; but no run without a status file. Of all others, reads only directory entries.

        seconds   limit of the processor time for reading stores that are not in the index. A place whose
                  store was not read has the phase UNREAD; a later call reads it.
        """
        allowance = Allowance(seconds)
        changed = [(_changed(place), place) for place in places]
        changed.sort(key=itemgetter(0), reverse=True)
        newest = [place for _, place in changed[:most]]
        may_run = [place for _, place in changed[most:CANDIDATES] if signature(place.watched)]
        readings = (self.read(place, allowance) for place in newest + may_run)
        return in_order(filter(None, readings))[:most]

    def read(self, place: Place, allowance: Allowance | None = None) -> Reading | None:
        """Read the place; None if its file no longer exists. Damaged contents become a problem.

        `allowance`: limits the reading of stores; None: no limit.
        """
        now = _signature(place)
        if now and place.kind is Kind.MATCH:
            now += signature(place.path / RECORD)  # it changes when the scheduler gives the run up
        with self._lock:
            if not now:
                self._known.pop(place.key, None)
                return None
            before, reading = self._known.get(place.key, ((), None))
        if reading is None or before != now:
            reading = self._read_or_problem(place, allowance)
            if reading.phase is UNREAD:
                return reading
            with self._lock:
                self._known[place.key] = now, reading
        return _with_phase(reading)

    def _read_or_problem(self, place: Place, allowance: Allowance | None) -> Reading:
        """Read a place, and whether its run was given up. Every error becomes a reading with a problem."""
        try:
            reading = self._read(place, allowance)
            return reading if reading.run is None else replace(reading, given_up=_is_given_up(place))
        except (ReportError, MatchError, OSError) as error:
            return Reading(place, DAMAGED, problem=str(error))
        except Exception as error:  # one run from a stranger must not hide all others
            what = f"{type(error).__name__}: {error}"[:200]
            return Reading(place, DAMAGED, problem=f"cannot be read; please report it: {what}")

    def _read(self, place: Place, allowance: Allowance | None) -> Reading:
        """Read the files of a place. Raises ReportError, MatchError and OSError."""
        match place.kind:
            case Kind.MATCH:
                return self._read_run(place, allowance)
            case Kind.CHECK:
                text = read_status(place.path)
                check = parse_check_status(text or b"", place.path.name)
                return Reading(place, REPORTED, at=check.at, check=check)
            case Kind.REPORT:
                page = read_file(place.path).decode("utf-8", "replace")
                reports = tuple(read_report(page, place.path.name))
                return Reading(place, REPORTED, at=reports[0].started if reports else "", reports=reports)
            case Kind.HISTORY:
                return Reading(place, KEPT, at=_written(place.watched))

    def _read_run(self, place: Place, allowance: Allowance | None) -> Reading:
        """Read the status file of a run; without one, or with a damaged one, the index or its store."""
        problem = ""
        try:
            text = read_status(place.path / FILE)
            if text is not None:
                status = parse_run_status(text)
                return Reading(place, STORED, at=status.at, run=status)
        except StatusFileError as error:
            problem = str(error)
        # Before the store is read: a change during the reading then makes the entry of the index invalid.
        files = files_of(place.path)
        stored = self._index.find(place.path, files) if self._index else None
        if stored is None:
            if allowance is not None and not allowance.take():
                return Reading(place, UNREAD, at=_written(place.path / DATABASE), problem=problem)
            with Store.open(place.path, read_only=True) as store:
                stored = stored_status(store)
            if stored is None:
                return Reading(place, DAMAGED, problem=problem or "no game has been played there yet")
            if self._index:
                self._index.keep(place.path, files, stored)
        return Reading(place, STORED, at=stored.at, run=stored, problem=problem)


def _signature(place: Place) -> Signature:
    """Return the signature of the file that shows a change of the place; empty if there is no such file.

    A run without a status file is known by its database.
    """
    status = signature(place.watched)
    if status or place.kind is not Kind.MATCH:
        return status
    database = signature(place.path / DATABASE)
    return (*database, *signature(place.path / f"{DATABASE}-wal")) if database else ()


def _changed(place: Place) -> int:
    """Return the time of the last change of a place, in nanoseconds since 1970; 0 if it no longer exists."""
    times = _signature(place)[2::3]  # each third number of a signature is a time
    return max(times, default=0)


def _written(path: Path) -> str:
    """Return the time at which a file was written last, in ISO 8601. Raises OSError."""
    return datetime.fromtimestamp(path.stat().st_mtime, UTC).isoformat(timespec="seconds")


def _with_phase(reading: Reading) -> Reading:
    """Return the reading with its present phase: the process may have ended after it wrote the file."""
    now = datetime.now(UTC)
    if reading.check is not None:
        return replace(reading, phase=phase_of_check(reading.check, now))
    if reading.run is not None:
        stored = reading.run.writer is None and reading.run.state != "complete"
        phase = STORED if stored else phase_of_run(reading.run, now)
        unfinished = phase in (STORED, STOPPED, ENDED)
        return replace(reading, phase=GIVEN_UP if unfinished and reading.given_up else phase)
    return reading


def _is_given_up(place: Place) -> bool:
    """Return True if the scheduler gave the run up: the record of the run says so, and not its status."""
    try:
        run = scheduled_run(place.path)
    except StateFileError:
        return False
    return run is not None and run.given_up is not None
