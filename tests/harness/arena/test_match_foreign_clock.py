"""A real engine with a clock. Its times are ample: nothing here depends on the speed of the machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.arena.config.reader import check_config
from harness.arena.judge.verification import verify_games
from harness.arena.store.store import Store
from tests.foreign_engines import GNUGO, needs_engine
from tests.harness.arena.match_helpers import play_run
from tests.thorough import Mutant, thorough


@thorough(
    Mutant(
        "harness/arena/clock.py",
        'return f"{_plain(self.main_time)}{ending}"',
        "return _plain(self.main_time)",
        "tests/harness/arena/test_match_clock.py::test_the_text_of_a_time_control_is_read_again",
    )
)
@needs_engine(GNUGO)
@pytest.mark.parametrize(
    ("clock", "text"),
    [
        ({"byoyomi": {"time": "10m", "periods": 3}}, "0+3x600"),
        ({"main_time": 0.001, "byoyomi": {"time": "10m", "stones": 5}}, "0.001+5/600"),
        ({"main_time": "1h", "increment": 2}, "3600+2"),
    ],
)
def test_gnugo_plays_with_each_kind_of_clock(tmp_path: Path, clock: dict[str, object], text: str) -> None:
    tables = [{"name": name, "command": GNUGO.command(tmp_path)} for name in "ab"]
    run = {"size": 5, "games": 2, "workers": 1, "audit": "off", "scorer": "area", **clock}
    config = check_config({"run": run, "engine": tables}, "test")
    play_run(config, tmp_path / "run")
    with Store.open(tmp_path / "run") as store:
        games = list(store.games())
        assert {game.reason for game in games} <= {"score", "resign"}
        for game in games:
            clocks = store.clocks_of_game(game.game_id)
            assert clocks is not None
            assert (clocks.black, clocks.white) == (text, text)
            assert len(clocks.readings) == len(store.searches_of_game(game.game_id))
        assert not any(game.contradictions for game in verify_games(store, config))
