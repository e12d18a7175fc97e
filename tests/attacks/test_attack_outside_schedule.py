"""A run has a game that its schedule does not have, with legal moves and right checksums.

Before: `conform verify` said that everything is right. After: it names the game and ends with exit code 1; a
game of a pair that the config does not have is refused by every command.
"""

from pathlib import Path

import pytest

from harness.arena.judge.verification import verify_games
from harness.arena.store.errors import StoreError
from harness.arena.store.store import Store
from tests.attacks.schema_edits import changed
from tests.command_line import conform_forked
from tests.harness.arena.stored_runs import GAMES


def test_a_game_after_the_last_is_named(run: Path) -> None:
    with changed(run) as db:
        db.execute(f"UPDATE game SET number = {GAMES + 7}, game_id = 'p001-g00031' WHERE number = {GAMES}")
    assert conform_forked("verify", run, "-q")[0] == 1
    with Store.open(run, read_only=True) as store:
        config = store.config()
        assert config is not None
        found = {game.game_id: game.contradictions for game in verify_games(store, config)}
    assert any("the schedule has no game" in sentence for sentence in found["p001-g00031"])
    assert not any("the schedule has no game" in sentence for sentence in found["p001-g00001"])


@pytest.mark.parametrize("change", ["pair = 2", "black = 'a', white = 'a'", "white = 'c'"])
def test_a_game_of_no_pair_is_refused(run: Path, change: str) -> None:
    with changed(run) as db:
        db.execute(f"UPDATE game SET {change} WHERE number = 3")
    with pytest.raises(StoreError):
        Store.open(run, read_only=True).config()
    for command in ("report", "verify"):
        code, text = conform_forked(command, run)
        assert (code, len(text.splitlines())) == (2, 1), text
