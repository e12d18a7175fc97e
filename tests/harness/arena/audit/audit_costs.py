"""What an audit costs: in a match with `audit = "auto"`, for a stored game, in memory (`make audit-costs`).

Times are processor time of all processes, so that other programs on the machine matter little. Stored games
are those of refbot in this process. The last two lines audit small games, ten times as many in the second.
"""

# ruff: noqa: T201  # what a script prints is its result

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import psutil

from harness.arena.audit import Audit, plan
from harness.arena.config.reader import check_config
from harness.arena.config.tables import MatchConfig
from harness.arena.folder.folder import open_run
from harness.arena.run.stop import Stop
from tests.harness.arena.audit.simulated_match import play_games
from tests.harness.arena.match_helpers import play_run
from tests.interpreter import PYTHON

REFBOT = f"{PYTHON} -m refbot.cli gtp --playouts {{playouts}}"
CORES = 2


def config_of(size: int, games: int, playouts: int, audit: str | int = "off") -> MatchConfig:
    run: dict[str, Any] = {"size": size, "komi": 7.5, "games": games, "seed": 1, "workers": 1}
    run |= {"timeout": 600, "audit": audit, "openings": {"kind": "random", "moves": 2}}
    engines = [
        {"name": name, "command": REFBOT, "playouts": playouts, "startup": 600.0} for name in ("one", "two")
    ]
    return check_config({"run": run, "engine": engines, "report": {"formats": ["csv"]}}, "bench")


def seconds_of_all() -> float:
    """Processor time of this process and of those that it has ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def match(games: int, playouts: int, audit: str) -> None:
    """Play and audit one real match, and print its processor time."""
    with tempfile.TemporaryDirectory() as folder:
        outcome = play_run(config_of(9, games, playouts, audit), Path(folder), workers=True)
        searches = sum(row.searches for row in outcome.verdicts.playouts if row.phase == "all")
    print(f"{seconds_of_all():.1f} {searches}")


def stored(size: int, games: int, playouts: int, choices: int) -> None:
    """Audit stored games, and print four numbers.

    `choices`: moves to compare for each bot. Printed are the processor time, the searches, the number of
    compared moves, and the most memory in use.
    """
    plan.CHOICES_PER_BOT = choices
    config = config_of(size, games, playouts)
    with tempfile.TemporaryDirectory() as folder, open_run(config, Path(folder)) as store:
        play_games(store, config, {}, 1)
        before = seconds_of_all()
        peaks: list[int] = []
        own = psutil.Process()

        audit = Audit(store, "all", stop=Stop())
        for _ in audit.steps():
            peaks.append(own.memory_info().rss)
        outcome = audit.outcome.audited
        compared = sum(1 for _ in store.audit.choices())
        print(f"{seconds_of_all() - before:.2f} {outcome} {compared} {max(peaks) / 1e6:.0f}")


def in_process(*words: object) -> list[str]:
    """What this script prints with these words, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.harness.arena.audit.audit_costs", *map(str, words)],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[4],
    )
    return done.stdout.split()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("part", nargs="*", help="one measurement, for a process of its own")
    parser.add_argument("--games", type=int, default=20, help="on 9x9")
    options = parser.parse_args()
    if options.part:
        kind, *numbers = options.part
        if kind == "stored":
            stored(*map(int, numbers))
        else:
            match(int(numbers[0]), int(numbers[1]), kind)
        return
    games = options.games
    off, _ = map(float, in_process("off", games, 1000))
    auto, searches = map(float, in_process("auto", games, 1000))
    print(f"{games} games of 9x9, 1,000 playouts: {off:.1f} s of processor time without an audit;")
    print(f"  with an automatic one {auto:.1f} s ({100 * (auto / off - 1):+.1f} %), {searches:.0f} searches")
    most = plan.CHOICES_PER_BOT
    alone, searches, _, _ = map(float, in_process("stored", 9, games, 1000, 0))
    seconds, _, compared, _ = map(float, in_process("stored", 9, games, 1000, most))
    each, of_choice = alone / searches, (seconds - alone) / compared
    whole = 1000 / games * searches * each + 2 * most * of_choice
    print(f"audit of a search of 9x9: {1e3 * each:.1f} ms, of a move besides: {1e3 * of_choice:.1f} ms;")
    print(f"  a thousand games between two bots on {CORES} cores: {whole / CORES / 60:.1f} min")
    for many in (100, 1000):
        seconds, searches, _, memory = map(float, in_process("stored", 5, many, 10, most))
        print(f"{many} games of 5x5: {searches:.0f} searches, {seconds:.1f} s, at most {memory:.0f} MB")


if __name__ == "__main__":
    main()
