"""Measures the cost of `conform serve`: 50 viewers of a changing run, or of a run of 10,000 games.

    python tests/bench/live_page.py [--viewers 50] [--seconds 30]

A run of 10 bots is imitated by its status file. Boards and progress change every second, all pairs and the
standings every two seconds, as in a match. The processor time is that of the server alone.
"""

# ruff: noqa: T201  # what a script prints is its result

from __future__ import annotations

import argparse
import http.client
import tempfile
import threading
import time
from contextlib import suppress
from itertools import combinations
from pathlib import Path

from harness.files import replaced
from harness.report.status.record import as_text, this_process
from harness.report.status.run import FILE, RunStatus
from tests.harness.report.html.run_helpers import random_moves, stored_run
from tests.harness.serve.serve_helpers import Served, serving

BOTS, WORKERS, GAMES = 10, 8, 10_000
WARM_UP = 10  # seconds after the last viewer has the page
TRAIL = [(round(2 * 1.1**n), 0.5, 0.5 - 1 / 1.1**n, 0.5 + 1 / 1.1**n) for n in range(8, 80)]


def status(second: int) -> RunStatus:
    """The status of a match after so many seconds."""
    names, half = [f"bot-{number}" for number in range(BOTS)], second // 2
    now = time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime())
    stones = ("X.O" * 28)[second % 3 :][:81]
    bot = {
        "voids": 0,
        "failures": {},
        "reported": "bot 1",
        "command": "./bot gtp",
        "elo_low": -9,
        "elo_high": 9,
    }
    pair = {"low": 0.4, "high": 0.6, "margin": 0.03, "proved_margin": 0.1, "verdict": "undecided"}
    game = {"black": "bot-0", "white": "bot-1"}
    data = {
        "writer": this_process().model_dump(),
        "state": "playing",
        "started": now,
        "at": now,
        "name": "bench",
        "size": 9,
        "komi": 7.5,
        "margin": 0.03,
        "done": GAMES // 2 + 20 * second,
        "total": GAMES,
        "rate": 20.0,
        "seconds_left": 250.0 - second,
        "benched": {},
        "judged": GAMES // 2 + 40 * half,
        "sound": True,
        "decided": False,
        "bots": [
            {**bot, "rank": rank, "bot": name, "games": 1000 + half, "points": 500, "score": 0.5, "elo": half}
            for rank, name in enumerate(names, 1)
        ],
        "pairs": [
            {
                **pair,
                "bot_a": a,
                "bot_b": b,
                "games": 200 + half,
                "score_a": 0.5,
                "games_needed": 9,
                "trail": TRAIL,
            }
            for a, b in combinations(names, 2)
        ],
        "playouts": [],
        "boards": [
            {**game, "worker": worker, "game_id": f"p001-g{second:05d}", "size": 9, "move": second, "at": now}
            | {"last": "bE5", "stones": stones}
            for worker in range(WORKERS)
        ],
        "recent": [
            {**game, "game_id": f"p001-g{second + n:05d}", "result": "B+3.5", "reason": "score", "moves": 110}
            | {"finished": now}
            for n in range(12)
        ],
        "events": [{"at": now, "kind": "start", "text": "games to play"}],
    }
    return RunStatus.model_validate(data)


def write(folder: Path, second: int) -> None:
    with replaced(folder / FILE) as file:
        file.write(as_text(status(second)))


class Viewer(threading.Thread):
    """Reads a stream until the server ends it."""

    def __init__(self, served: Served, path: str) -> None:
        super().__init__(daemon=True)
        self.served, self.path, self.bytes = served, path, 0

    def run(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self.served.port)
        connection.request(
            "GET", f"/{self.path}events", headers={"Accept-Encoding": "gzip"}
        )  # as browsers do
        response = connection.getresponse()
        with suppress(http.client.IncompleteRead):  # the server has ended
            while chunk := response.read1():
                self.bytes += len(chunk)


def on_processor(served: Served) -> float:
    """Seconds that the threads of the server ran, from the scheduler: ticks are too coarse for bursts."""
    tasks = Path(f"/proc/{served.process.pid}/task").glob("*/schedstat")
    return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9


def measured(
    served: Served, folder: Path | None, path: str, viewers: int, seconds: int
) -> tuple[float, float]:
    """Share of a core, and kilobytes a second for each viewer."""
    served.get(path)  # a store is read when somebody asks for the first time
    watching = [Viewer(served, path) for _ in range(viewers)]
    for viewer in watching:
        viewer.start()
    while not all(viewer.bytes for viewer in watching):
        time.sleep(0.1)
    time.sleep(WARM_UP)
    before, sent, began = on_processor(served), sum(viewer.bytes for viewer in watching), time.monotonic()
    for second in range(seconds):
        if folder is not None:
            write(folder, second)
        time.sleep(1)
    used, took = on_processor(served) - before, time.monotonic() - began
    return used / took, (sum(viewer.bytes for viewer in watching) - sent) / took / viewers / 1000


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--viewers", type=int, default=50)
    options.add_argument("--seconds", type=int, default=30)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        stored_run(
            root / "stored", ["a", "b"], GAMES, [random_moves(9, 30, seed) for seed in range(9)]
        ).close()
        (root / "live").mkdir()
        write(root / "live", 0)
        with serving(root) as served:
            for title, folder, path in (
                ("a run in play, 10 bots, 8 boards", root / "live", served.address_of("live")),
                ("the overview of both", root / "live", ""),
                ("a stored run of 10,000 games", None, served.address_of("stored")),
            ):
                share, rate = measured(served, folder, path, given.viewers, given.seconds)
                print(
                    f"{title}: {given.viewers} viewers, {100 * share:.2f} % of a core, {rate:.1f} kB/s each"
                )


if __name__ == "__main__":
    main()
