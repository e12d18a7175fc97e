"""How long right bots of different speeds wait for their verdict: `bench_verdict.py [RUNS] [RATE …]`.

Each row is `conform check` (below 1,000 playouts a second with `--budget quick`) on the plain bot, above
15,000 on the reference bot, slowed down to RATE playouts a second from the empty board; rate 0 is the
reference bot as it is. Medians of RUNS runs.
"""

# ruff: noqa: T201  # what a script prints is its result

from __future__ import annotations

import json
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ENGINES = Path(__file__).parents[1] / "engines"
RATES = (0, 43_000, 10_000, 2_000)
QUICK_BELOW = 1_000
MOST_OF_PLAIN = 15_000  # playouts a second that the plain bot reaches


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    rates = tuple(map(int, sys.argv[2:])) or RATES
    rows: dict[int, list[tuple[float, str]]] = {rate: [] for rate in rates}
    for seed in range(1, runs + 1):
        for rate in rates:
            rows[rate].append(checked(rate, seed))
    print(f"{'playouts/s':>10} {'seconds':>8} {'slowest':>8}  verdicts")
    for rate, row in rows.items():
        seconds = [one[0] for one in row]
        verdicts = ", ".join(sorted({one[1] for one in row}))
        name = f"{rate:,}" if rate else "refbot"
        median = statistics.median(seconds)
        print(f"{name:>10} {median:8.1f} {max(seconds):8.1f}  {verdicts}")


def checked(rate: int, seed: int) -> tuple[float, str]:
    """Wall seconds of one check, and its verdict."""
    plain = rate <= MOST_OF_PLAIN
    words = ["slow_bot.py", "--rate"] if plain else ["slow_refbot.py"]
    slow = [sys.executable, str(ENGINES / words[0]), *words[1:], str(rate)]
    bot = shlex.join(slow if rate else [sys.executable, "-m", "refbot.cli", "gtp"])
    budget = "quick" if 0 < rate < QUICK_BELOW else "standard"
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        words = [sys.executable, "-c", "from harness.cli import main; main()", "check", bot]
        words += ["--budget", budget, "--seed", str(seed), "-q", "--json", str(report)]
        began = time.monotonic()
        subprocess.run(words, stdout=subprocess.DEVNULL, check=False)
        seconds = time.monotonic() - began
        entry = json.loads(report.read_text("utf-8"))["bots"][0]
    return seconds, entry["verdict"]


if __name__ == "__main__":
    main()
