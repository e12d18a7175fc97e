"""An unfinished run among the runs of a schedule, whose stored config starts a program of the stranger.

Before: `conform schedule` continued the run with its own config, and so started whatever this names, without
the sandbox that the config of the user asks for. After: it starts no program, and reads no file of openings,
that the config of the user does not name; new runs are played, until such a run is given up.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.attacks.schema_edits import changed
from tests.command_line import conform_forked
from tests.harness.arena.match_helpers import Command
from tests.thorough import Mutant, thorough

CONFIG = """
[run]
name = "nightly"
size = 5
games = 2
workers = 1
audit = "off"
[[engine]]
name = "a"
command = {command}
[[engine]]
name = "b"
command = {command}
[report]
formats = ["csv"]
[schedule]
cron = "@yearly"
"""
EDITS: dict[str, Callable[[dict[str, Any], Path], object]] = {
    "command": lambda config, mark: config["engine"][1].update(command=f"touch {mark}"),
    "args": lambda config, mark: config["engine"][0].update(command="sh", args=["-c", f"touch {mark}"]),
    "env": lambda config, mark: config["engine"][0].update(env={"LD_PRELOAD": "/tmp/other.so"}),
    "gtp": lambda config, mark: config["engine"][0].update(gtp=[f"savesgf {mark}"]),
    "openings": lambda config, mark: config["run"].update(
        openings={"kind": "sgf", "files": [str(mark.parent / "**" / "*.sgf")]}
    ),
}


def forgotten(key: str, right: str, wrong: str) -> pytest.MarkDecorator:
    """A key of an engine that is not compared."""
    quick = f"tests/harness/arena/test_match_reach.py::test_another_start_is_beyond[{key}]"
    return thorough(Mutant("harness/arena/config/reach.py", right, wrong, quick))


THOROUGH = {
    "command": forgotten("command", '("command", ', "("),
    "args": forgotten("args", '("command", "args", ', "("),
    "env": forgotten("env", '"env", ', ""),
    "gtp": forgotten("gtp", '"gtp", ', ""),
}


@pytest.mark.parametrize("edit", [pytest.param(edit, marks=THOROUGH.get(edit, ())) for edit in EDITS])
def test_a_run_of_a_stranger_starts_no_program_of_his(tmp_path: Path, player: Command, edit: str) -> None:
    file, reports, mark = tmp_path / "nightly.toml", tmp_path / "reports", tmp_path / "outside" / "mark"
    file.write_text(CONFIG.format(command=json.dumps(player())))
    schedule = ("schedule", file, "--reports", reports, "--once", "-q")
    assert conform_forked(*schedule)[0] in (0, 1, 3)
    (run,) = (path.parent for path in reports.rglob("run.db") if not path.parent.is_symlink())
    with changed(run) as db:
        config = json.loads(db.execute("SELECT text FROM config").fetchone()[0])
        EDITS[edit](config, mark)
        config["run"]["games"] = 4
        db.execute("UPDATE config SET text = ?", (json.dumps(config),))
    mark.parent.mkdir()
    record = json.loads((run / "scheduled.json").read_text())
    (run / "scheduled.json").write_text(json.dumps({**record, "ended": None}))

    code, text = conform_forked(*schedule)
    assert code in (0, 1, 3), text  # of a new run
    assert "is not continued, because in the config no" in text
    assert list(mark.parent.iterdir()) == []
    assert len([path for path in reports.rglob("run.db") if "latest" not in path.parts]) == 2
    assert json.loads((run / "scheduled.json").read_text())["ended"] is None

    assert conform_forked("schedule", file, "--reports", reports, "--drop")[0] == 0
    assert json.loads((run / "scheduled.json").read_text())["given_up"]
