"""The folder of a schedule that somebody has sent: its history without an end, escape sequences in its state.

Before: `conform schedule --history` read a history of any size into the memory; `--list` printed the result
in `schedule.json` as it stood. After: the history has a maximal size; what is unprintable is escaped.
"""

import json
import os
from pathlib import Path

import pytest

from harness.arena.folder.history import FILE, MOST_BYTES, read_history
from tests.command_line import conform_forked
from tests.harness.arena.match_helpers import Command

STATE = {
    "format": "conform-schedule/1",
    "handled": "2026-11-27T15:14:33+00:00",
    "run": "20261127T151433Z",
    "at": "2026-11-27T15:14:46+00:00",
}
ODD = "\x07\x1b]0;title\x07\u202e\x9b2J"


def test_a_history_without_an_end_is_refused(tmp_path: Path) -> None:
    with (tmp_path / FILE).open("wb") as file:
        os.truncate(file.fileno(), 1 << 40)
    with pytest.raises(OSError, match=f"is longer than {MOST_BYTES:,} bytes"):
        read_history(tmp_path)


def test_a_list_shows_the_state_escaped(tmp_path: Path, player: Command) -> None:
    config, folder = tmp_path / "config.toml", tmp_path / "reports" / "nightly"
    engines = "".join(f"[[engine]]\nname = '{name}'\ncommand = {json.dumps(player())}\n" for name in "ab")
    config.write_text(f"[run]\nname = 'nightly'\nsize = 5\n{engines}[schedule]\ncron = '@yearly'\n")
    folder.mkdir(parents=True)
    (folder / "schedule.json").write_text(json.dumps({**STATE, "result": f"2 games{ODD}"}))
    code, text = conform_forked("schedule", config, "--reports", tmp_path / "reports", "--list")
    assert code == 0, text
    assert "2 games" in text
    assert not set(ODD) - set("0]2J;title") & set(text)
