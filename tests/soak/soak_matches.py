"""Matches under attack: `soak_matches.py [--minutes M] [--games G] [--pause S]`.

Two right engines and two that misbehave in every way (unreliable_player.py) play one match after another. At
random moments the coordinator, a worker, an engine or a guard is killed; a worker or an engine is stopped;
the match gets Ctrl-C or SIGTERM; `report`, `status` and a second match come to the folder. Whenever the match
has ended before its last game, the same command is given again: also after it gave up a game over which three
workers died, as its message says. That is no fault as long as no more workers died than were killed here.

What must hold: no game is lost, stored twice or altered; no right engine is blamed for what was not done to
it; no process, zombie, descriptor or temporary file is left; each command ends with an exit code that its
page promises; and a game costs as much processor time at the end as at the beginning. The cost is measured in
calm stretches, in which nothing is done to the match and its engines behave: what they do otherwise costs
more than the games, and never the same.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import shlex
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from harness.arena.config.openings import play_out
from harness.go import Position, all_points
from harness.gtp import format_vertex
from tests.harness.arena.match_helpers import PROGRAM
from tests.soak.family import Family, family_of, send, tagged
from tests.soak.ledger import Ledger, blamed, faults_of_complete_run, lost_workers

PLAYER = Path(__file__).parents[1] / "engines" / "unreliable_player.py"
ENGINES = ("right-1", "right-2", "unreliable-1", "unreliable-2")
PAIRS = len(ENGINES) * (len(ENGINES) - 1) // 2
SIZE = 5
SHARE = 0.015  # of the games in which an unreliable engine misbehaves
TIMEOUT, STARTUP = 3.0, 10.0  # seconds an engine has for an answer, and for its first
LOOK = 0.5  # seconds between two looks at the store
PATIENCE = 900.0  # seconds in which every command and every leftover ends, on any machine
WARM_UP = 50  # games after which a start of the match costs no more than its games
WINDOW = 3.0  # seconds of calm play that are measured at least
CALMS, CALM = 10, 8  # calm stretches, evenly spread over the time; windows of each
FIRST_CALM = 0.3  # where the first one begins: as the others, in a match that has some games
VERDICTS = (0, 1, 3)
BUSY = "another conform uses this folder"
GIVEN_UP = "run the same command again to continue"

ACTIONS = {
    "kill coordinator": 3, "kill worker": 6, "kill engine": 6, "kill guard": 6, "stop worker": 0.2,
    "stop engine": 1, "ctrl-c": 0.5, "sigterm": 0.5, "report": 1, "two reports": 0.5, "status": 1,
    "second match": 1, "salvage": 0.5,
}  # fmt: skip
"""How often each comes, in relation to the others."""


@dataclass
class Window:
    """A part of a calm stretch."""

    games: int
    seconds: float
    processor: float

    @property
    def cost(self) -> float:
        """Milliseconds of processor time a game."""
        return 1e3 * self.processor / self.games

    @property
    def speed(self) -> float:
        """Games a second."""
        return self.games / self.seconds


@dataclass
class Findings:
    """The counts over all runs."""

    done: Counter[str] = field(default_factory=Counter)
    windows: list[Window] = field(default_factory=list)
    descriptors: list[int] = field(default_factory=list)
    megabytes: list[float] = field(default_factory=list)
    most_zombies: int = 0
    games: int = 0
    blamed: Counter[tuple[str, str]] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def fault(self, sentence: str) -> None:
        self.faults.append(sentence)
        print(f"FAULT: {sentence}", flush=True)


class Soak:
    """One match after another in folders of their own."""

    def __init__(self, folder: Path, games: int, pause: float, rng: random.Random, seconds: float) -> None:
        self.folder, self.pause, self.rng = folder, pause, rng
        self.began, self.seconds = time.monotonic(), seconds
        self.games = max(2, games // PAIRS // 2 * 2)  # of each pair
        self.tag = f"conform-soak-{os.getpid()}"
        self.book = folder / "book.txt"
        self.temporary = folder / "tmp"
        self.config = folder / "match.toml"
        self.calm = folder / "calm"  # while this file exists, the engines behave
        self.temporary.mkdir()
        write_book(self.book)
        self.write_config()
        self.found = Findings()
        self.side: list[tuple[str, subprocess.Popen[str]]] = []
        self.killed = 0  # workers of this run: a stopped one is killed by the match

    # --- one run -------------------------------------------------------------------------------------------

    def play(self, number: int, until: float) -> None:
        """Play one run to its end, or stop it when the time is over."""
        run = self.folder / f"run-{number}"
        ledger, command = Ledger(run), self.command(run)
        complete, self.killed, faults = False, 0, len(self.found.faults)
        while not complete and len(self.found.faults) == faults and time.monotonic() < until:
            self.finish_side_commands("salvage")  # it holds the lock of the folder
            match = self.start(command)
            self.disturb(match, run, ledger, until)
            complete = self.is_complete(match, run)
            if (run / "run.db").exists():
                ledger.look()
                for sentence in ledger.differences():
                    self.found.fault(f"{run.name}: {sentence}")
        self.finish_side_commands()
        self.found.games += len(ledger)
        if complete:
            self.found.done["runs"] += 1
            for sentence in faults_of_complete_run(run, list(ENGINES), self.games, self.book):
                self.found.fault(f"{run.name}: {sentence}")
        if len(ledger):
            self.verify(run)
            self.found.blamed += blamed(run)
            self.check_blame()
        self.look_for_leftovers(run)
        shutil.rmtree(run, ignore_errors=True)

    def is_complete(self, match: subprocess.Popen[str], run: Path) -> bool:
        """Judge how a match has ended. Return True if it has played its last game."""
        text = self.output_of(match)
        given_up = match.returncode == 2 and GIVEN_UP in text
        if given_up:
            self.found.done["games given up"] += 1
        self.judge(match, text, "match", (*VERDICTS, 130, -signal.SIGKILL, *([2] if given_up else [])))
        died = lost_workers(run) if (run / "run.db").exists() else 0
        if died > self.killed:
            self.found.fault(f"{run.name}: {died} workers died, {self.killed} were killed: {text[-2000:]}")
        return match.returncode in VERDICTS

    def disturb(self, match: subprocess.Popen[str], run: Path, ledger: Ledger, until: float) -> None:
        """Do one thing after another to a match, until it has ended or was ended."""
        calm_since, before = math.inf, None
        at_start = len(ledger)
        due = time.monotonic() + self.rng.expovariate(1 / self.pause)
        while match.poll() is None:
            time.sleep(LOOK)
            self.collect_side_commands()
            now = time.monotonic()
            if (run / "run.db").exists():
                ledger.look()
            if now > until:
                match.send_signal(signal.SIGINT)
                self.wait(match)
                return
            if self.is_calm(now):
                self.calm.touch()
                warm = len(ledger) > at_start + WARM_UP
                calm_since = min(calm_since, now) if warm and not self.side else math.inf
                if now - calm_since > WINDOW:
                    before = self.measure(match, ledger, before)
                continue
            self.calm.unlink(missing_ok=True)
            calm_since, before = math.inf, None
            if now < due:
                continue
            due = now + self.rng.expovariate(1 / self.pause)
            (action,) = self.rng.choices(list(ACTIONS), list(ACTIONS.values()))
            try:
                self.act(action, match, run)
            except psutil.Error:
                continue  # it has just ended

    def is_calm(self, now: float) -> bool:
        """Return whether the match is left alone until the windows that are due have been measured."""
        calm = len(self.found.windows) // CALM
        return calm < CALMS and now >= self.began + self.seconds * (calm + FIRST_CALM) / CALMS

    def act(self, action: str, match: subprocess.Popen[str], run: Path) -> None:
        """Do something to the match. Raises psutil.Error if it has ended."""
        family = family_of(match.pid)
        self.found.most_zombies = max(self.found.most_zombies, family.zombies)
        targets = {
            "kill coordinator": (family.coordinator,), "kill worker": family.workers,
            "kill engine": family.engines, "kill guard": family.guards, "stop worker": family.workers,
            "stop engine": family.engines, "ctrl-c": (family.coordinator,), "sigterm": (family.coordinator,),
        }  # fmt: skip
        if action in targets:
            verb = action.partition(" ")[0]
            signals = {"kill": signal.SIGKILL, "stop": signal.SIGSTOP, "ctrl-c": signal.SIGINT}
            if targets[action] and send(self.rng.choice(targets[action]), signals.get(verb, signal.SIGTERM)):
                self.found.done[action] += 1
                self.killed += action in ("kill worker", "stop worker")
            if verb in ("ctrl-c", "sigterm"):
                self.wait(match)
            return
        if not (run / "run.db").exists():
            return
        self.found.done[action] += 1
        if action == "second match":
            second = self.start(self.command(run))
            text = self.output_of(second)
            if match.poll() is None and (second.returncode != 2 or BUSY not in text):
                self.found.fault(f"a second match ended with {second.returncode}: {text}")
            return
        form = self.rng.choice(("csv", "sgf", "html", "json", "junit", "gogui-dat"))
        words = {"status": ["status", str(run)], "salvage": ["report", str(run), "--salvage", "-q"]}
        report = ["report", str(run), "-q", "--format", form]
        for _ in range(1 + (action == "two reports")):
            self.side.append((action, self.start([*PROGRAM, *words.get(action, report)])))

    def measure(self, match: subprocess.Popen[str], ledger: Ledger, before: Sample | None) -> Sample | None:
        """Note what the games since `before` cost."""
        try:
            family = family_of(match.pid)
            sample = Sample(family, len(ledger), time.monotonic(), family.processor_seconds)
        except psutil.Error:
            return None
        if not family.descriptors:
            return None  # it is ending
        self.found.descriptors.append(family.descriptors)
        self.found.megabytes.append(family.megabytes)
        self.found.most_zombies = max(self.found.most_zombies, family.zombies)
        if before is None or before.at > sample.at - WINDOW:
            return before or sample
        games, used = sample.games - before.games, sample.processor - before.processor
        if games > 0 and used > 0:
            self.found.windows.append(Window(games, sample.at - before.at, used))
        return sample

    # --- commands ------------------------------------------------------------------------------------------

    def command(self, run: Path) -> list[str]:
        return [*PROGRAM, "match", str(self.config), "--out", str(run), "-q"]

    def write_config(self) -> None:
        lines = ["[run]", f"size = {SIZE}", f"games = {self.games}", "workers = 2", f"timeout = {TIMEOUT}"]
        for name in ENGINES:
            share = SHARE if name.startswith("unreliable") else 0.0
            program = [sys.executable, "-S", "-E", str(PLAYER), str(self.book), "--share", str(share)]
            program += ["--calm", str(self.calm)]
            command = json.dumps(shlex.join([*program, "--tag", self.tag]))
            lines += ["[[engine]]", f'name = "{name}"', f"command = {command}", f"startup = {STARTUP}"]
        self.config.write_text("\n".join(lines))

    def start(self, words: list[str]) -> subprocess.Popen[str]:
        return subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            env={**os.environ, "TMPDIR": str(self.temporary)},
            start_new_session=True,
        )

    def output_of(self, process: subprocess.Popen[str]) -> str:
        try:
            return process.communicate(timeout=PATIENCE)[0]
        except subprocess.TimeoutExpired:
            process.kill()
            self.found.fault(f"{process.args!r} did not end within {PATIENCE:.0f} s")
            return process.communicate()[0]

    def wait(self, process: subprocess.Popen[str]) -> None:
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            self.found.fault(f"the match did not end within {PATIENCE:.0f} s after a signal")

    def judge(self, process: subprocess.Popen[str], text: str, what: str, allowed: tuple[int, ...]) -> None:
        """Note a fault unless a command has ended with an allowed exit code, and without a traceback."""
        if process.returncode not in allowed or "Traceback" in text:
            self.found.fault(f"{what} ended with {process.returncode}: {text[-2000:]}")

    def collect_side_commands(self) -> None:
        for what, process in [entry for entry in self.side if entry[1].poll() is not None]:
            self.side.remove((what, process))
            self.judge_side(what, process)

    def finish_side_commands(self, *kinds: str) -> None:
        """Wait for the commands of these kinds; for all without any."""
        for what, process in [entry for entry in self.side if not kinds or entry[0] in kinds]:
            self.side.remove((what, process))
            self.judge_side(what, process)

    def judge_side(self, what: str, process: subprocess.Popen[str]) -> None:
        """A report has a verdict, or the folder had no game; a salvage is refused while a match plays."""
        allowed: tuple[int, ...] = (0,) if what == "status" else (*VERDICTS, 2)
        text = self.output_of(process)
        if process.returncode == 2 and not ("no game has been played" in text or BUSY in text):
            allowed = VERDICTS
        self.judge(process, text, what, allowed)

    def verify(self, run: Path) -> None:
        """Both boards play every stored game again."""
        process = self.start([*PROGRAM, "verify", str(run)])
        self.judge(process, self.output_of(process), "verify", (0,))

    def check_blame(self) -> None:
        """A right engine has failed only where it was killed. It may be late where the machine stood."""
        failed = sum(
            number
            for (name, reason), number in self.found.blamed.items()
            if name.startswith("right") and reason != "timeout"
        )
        if failed > self.found.done["kill engine"]:
            self.found.fault(f"right engines failed {failed} times")

    # --- what is left --------------------------------------------------------------------------------------

    def look_for_leftovers(self, run: Path) -> None:
        deadline = time.monotonic() + 60.0
        while (left := list(tagged(self.tag))) and time.monotonic() < deadline:
            time.sleep(0.5)
        for process in left:
            self.found.fault(f"left running: {process}")
            with suppress(psutil.Error):
                process.kill()
        files = [path for path in run.rglob(".*") if path.is_file()] + list(self.temporary.iterdir())
        for path in files:
            self.found.fault(f"left behind: {path}")
        children = psutil.Process().children(recursive=True)
        if children:
            self.found.fault(f"left below the soak: {children}")


@dataclass(frozen=True)
class Sample:
    """The state of a match at one moment."""

    family: Family
    games: int
    at: float
    processor: float


def write_book(path: Path) -> None:
    """A random legal game for each first move."""
    lines = []
    for number, point in enumerate(all_points(SIZE)):
        position = Position(SIZE)
        position.play("b", point)
        play_out(position, random.Random(number))
        lines.append(" ".join(format_vertex(move.point) for move in position.moves))
    path.write_text("\n".join(lines))


def report(found: Findings, seconds: float) -> None:
    """Print what was done and seen."""
    kills = sum(number for what, number in found.done.items() if what.startswith("kill"))
    print(f"{found.games:,} games in {seconds:.0f} s ({found.games / seconds:.1f} a second)")
    print(f"done: {dict(found.done.most_common())}; SIGKILLs {kills}")
    print(f"failed games by (engine, reason): {dict(found.blamed.most_common())}")
    first, last = found.windows[:CALM], found.windows[-CALM:]
    if found.windows:
        # Medians: a window may hold the end of a run, where few games come and its reports are written.
        costs = [statistics.median(window.cost for window in part) for part in (first, last)]
        speeds = [statistics.median(window.speed for window in part) for part in (first, last)]
        print(
            f"calm: {len(found.windows)} windows; first tenth {costs[0]:.2f} ms of processor a game, "
            f"{speeds[0]:.1f} games a second; last tenth {costs[1]:.2f} ms, {speeds[1]:.1f} a second; "
            f"speed by processor time, last to first: {costs[0] / costs[1]:.2f}"
        )
        fds, size = found.descriptors, found.megabytes
        print(f"descriptors: first {fds[0]}, last {fds[-1]}, most {max(fds)}")
        print(f"zombies: most at once {found.most_zombies}")
        print(f"memory in MB: first {size[0]:.0f}, last {size[-1]:.0f}, most {max(size):.0f}")
    print(f"faults: {len(found.faults)}")
    for sentence in found.faults[:20]:
        print(f"  {sentence}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=50.0)
    parser.add_argument("--games", type=int, default=30_000, help="games of each run")
    parser.add_argument("--pause", type=float, default=2.0, help="mean seconds between two things done")
    parser.add_argument("--seed", type=int, default=None)
    options = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="conform-soak-") as folder:
        seconds = 60 * options.minutes
        soak = Soak(Path(folder), options.games, options.pause, random.Random(options.seed), seconds)
        number = 0
        while time.monotonic() < began + seconds:
            number += 1
            soak.play(number, began + seconds)
    report(soak.found, time.monotonic() - began)
    return int(bool(soak.found.faults))


if __name__ == "__main__":
    sys.exit(main())
