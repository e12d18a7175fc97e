"""The history over runs names the statistic of an audit that became different."""

from __future__ import annotations

import csv
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from harness.arena.config.reader import check_config
from harness.arena.folder.audit import audit_run
from harness.arena.run.stop import Stop
from harness.report.files.match_run import write_run
from harness.schedule.change import find_change
from harness.schedule.run_summary import RunSummary, summarise_run
from tests.harness.arena.audit.test_audit_run import PROGRAM, config_of
from tests.harness.arena.match_helpers import play_run

SCHEDULED = """
[run]
name = "nightly"
size = 5
komi = 6.0
games = 6
workers = 1
timeout = 600
audit = "all"
openings = {{ kind = "random", moves = 2 }}

[[engine]]
name = "one"
command = "'{python}' -m refbot.cli gtp --playouts {{playouts}}"
playouts = 100
startup = 600

[[engine]]
name = "two"
command = "'{bot}' {{playouts}}"
playouts = 100
startup = 600

[schedule]
cron = "0 0 1 1 *"

[report]
formats = ["csv"]
"""
"""No time of the schedule comes during a test: each start is a run."""


def summary_of(folder: Path, *, faulty: bool) -> RunSummary:
    """A run of two bots with an audit; `faulty`: the second has been exchanged for one with a fault."""
    config = config_of(games=4)
    data = config.model_dump(mode="json")
    data["engine"] = [data["engine"][0], {**data["engine"][2 if faulty else 1], "name": "two"}]
    play_run(check_config(data, "test"), folder)
    audit_run(folder, "all", write_run, stop=Stop(), workers=1)
    summary = summarise_run(folder, "2026-01-01T00:00:00+00:00")
    assert summary is not None
    return replace(summary, name=folder.name)


@pytest.mark.slow
def test_a_bot_that_was_exchanged_is_named_with_the_statistic(tmp_path: Path) -> None:
    before = summary_of(tmp_path / "before", faulty=False)
    after = summary_of(tmp_path / "after", faulty=True)
    assert before.bots["two"].audit_verdicts["lengths"] != "different"
    changes = find_change("two", after, before).sentences
    assert any(s.startswith("audit of lengths: ") and s.endswith(" → different") for s in changes)
    assert not any("audit" in sentence for sentence in find_change("one", after, before).sentences)


def install(bot: Path, fault: str) -> None:
    """Put refbot with this fault, or without any, in the place of the bot."""
    words = f"--fault {fault}" if fault else ""
    bot.write_text(f"#!/bin/sh\nexec '{sys.executable}' -m refbot.cli gtp --playouts $1 {words}\n")
    bot.chmod(0o755)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "change"),
    [("nodes-one-pass", "audit of lengths: "), ("refscore-inverted", "audit of scores: ")],
)
def test_history_csv_names_the_run_and_the_statistic(tmp_path: Path, fault: str, change: str) -> None:
    """The program of a bot is exchanged between two runs of one schedule; its command stays the same."""
    bot, config = tmp_path / "bot.sh", tmp_path / "nightly.toml"
    config.write_text(SCHEDULED.format(python=sys.executable, bot=bot))
    for program in ("", fault):
        install(bot, program)
        done = subprocess.run(
            [*PROGRAM, "schedule", str(config), "--once"], cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode in (1, 3), done.stderr
    with (tmp_path / "reports/nightly/history.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    latest = (tmp_path / "reports/nightly/latest").readlink().name
    named = [row for row in rows if change in row["changed"]]
    assert [(row["run"], row["bot"]) for row in named] == [(latest, "two")]
    assert "→ different" in named[0]["changed"]
