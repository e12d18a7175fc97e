"""The folder of the run in which a bot plays: its games, its lock, its verdicts.

Before: a bot in the sandbox could read it, and write it where it lies in the bot's own folder, as Python and
`conform` could. After: the folder is empty for the bot, and a bot whose own folder holds it is not started.
"""

import sys
from pathlib import Path

import pytest

from harness.arena.config.tables import MatchConfig
from harness.arena.run.engine_pool import EnginePool
from harness.gtp import EngineStartError, Launch
from harness.gtp.launch import resolve
from tests.harness.arena.match_helpers import MakeConfig
from tests.sandboxed import every_user, needs_sandbox, successes

pytestmark = needs_sandbox


@every_user
def test_a_bot_does_not_see_the_folder_of_the_run(shown: Path, user: str) -> None:
    run = shown / "run"
    run.mkdir()
    (run / "run.db").write_text("games")
    attacks = {
        "read": "open(target).read()",
        "list": "if not os.listdir(os.path.dirname(target)): raise OSError('empty')",
        "write": 'write(os.path.join(os.path.dirname(target), "new"), flags=os.O_WRONLY | os.O_CREAT)',
    }
    assert successes(attacks, str(run / "run.db"), user=user, hidden=[run]) == set()
    assert {"read", "list"} <= successes(attacks, str(run / "run.db"), user=user, sandbox=False)


@pytest.mark.parametrize("own", ["run", "python"])
def test_a_bot_is_not_started_where_it_could_change_what_checks_it(tmp_path: Path, own: str) -> None:
    run = tmp_path / "runs" / "run"
    run.mkdir(parents=True)
    folder = tmp_path if own == "run" else Path(sys.prefix).parent
    with pytest.raises(EngineStartError, match="belongs to conform"):
        resolve(Launch("/bin/true", cwd=folder, sandbox=True, hidden=(run,)))


def test_a_bot_in_the_folder_of_the_run_is_not_started(tmp_path: Path) -> None:
    (tmp_path / "bot").write_text("#!/bin/sh\n")
    (tmp_path / "bot").chmod(0o755)
    with pytest.raises(EngineStartError, match="in the folder of the run"):
        resolve(Launch(str(tmp_path / "bot"), sandbox=True, hidden=(tmp_path,)))


def test_the_workers_of_a_match_hide_its_folder(tmp_path: Path, make_config: MakeConfig) -> None:
    config: MatchConfig = make_config()
    pool = EnginePool(config, folder=tmp_path)
    players = [pool._player(name) for name in config.engines]
    assert {player.launch.hidden for player in players} == {(tmp_path,)}
