"""How far a run goes: engines and pairs that are dropped, runs without an end, limits of one start."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.arena.config.reader import ConfigError, check_config
from harness.arena.config.tables import MatchConfig
from harness.arena.judge.judge import judge
from harness.arena.judge.verification import verify_games
from harness.arena.records import Introduction
from harness.arena.run.events import MatchEnded, MatchStarted, ProgressMade
from harness.arena.run.notices import Notices
from harness.arena.run.stop import Stop
from harness.arena.store.store import Store
from tests.harness.arena.match_helpers import (
    SIZE,
    Command,
    Quiet,
    play_here,
    play_run,
    stored,
    without_workers,
)


@pytest.fixture
def config_of(player: Command) -> Any:
    def config(names: str = "abc", **run: object) -> MatchConfig:
        tables = [{"name": name, "command": player(first=place)} for place, name in enumerate("abcd")]
        values = {"size": SIZE, "games": 2, "workers": 1, "timeout": 60, "audit": "off", **run}
        return check_config({"run": values, "engine": [t for t in tables if t["name"] in names]}, "test")

    return config


def pairs_of(folder: Path) -> list[str]:
    """The pair and the number of each game, such as 1.2."""
    return sorted(f"{int(game_id[1:4])}.{int(game_id[6:])}" for game_id, *_ in stored(folder))


def test_an_engine_that_leaves_the_config_plays_no_further_games(config_of: Any, tmp_path: Path) -> None:
    play_run(config_of("abc"), tmp_path)
    ended = play_run(config_of("ac", games=4), tmp_path)
    assert ended.complete
    two = ["1.1", "1.2", "2.1", "2.2", "3.1", "3.2"]
    assert pairs_of(tmp_path) == sorted([*two, "2.3", "2.4"])
    assert {row.bot for row in ended.verdicts.standings} == set("abc")  # its games still count
    with Store.open(tmp_path) as store:
        config = store.config()
        assert config is not None
        assert [engine.name for engine in config.engine if engine.dropped] == ["b"]
        assert not [game for game in verify_games(store, config) if game.contradictions]
    play_run(config_of("abc", games=4), tmp_path)  # it comes back
    assert len(pairs_of(tmp_path)) == 3 * 4


def test_a_skipped_pair_plays_no_further_games(config_of: Any, tmp_path: Path, quiet: Quiet) -> None:
    assert play_here(config_of(skip=[["c", "a"]]), tmp_path, quiet)
    assert pairs_of(tmp_path) == ["1.1", "1.2", "3.1", "3.2"]
    progress = [event for event in quiet.events if isinstance(event, ProgressMade)]
    assert (progress[-1].done, progress[-1].total) == (4, 4)
    with Store.open(tmp_path) as store:
        verdicts = judge(store, config_of(skip=[["a", "c"]]))
    assert [pair.number for pair in verdicts.pairs if pair.dropped] == [2]


def test_a_skipped_pair_must_be_of_engines_that_exist(config_of: Any) -> None:
    with pytest.raises(ConfigError, match="no engine is called 'z'"):
        config_of(skip=[["a", "z"]])


def test_a_scheduled_run_has_an_end(config_of: Any) -> None:
    config = config_of(games=0).model_dump(mode="json", exclude_none=True)
    with pytest.raises(ConfigError, match="leaves no time for the next run"):
        check_config({**config, "schedule": {"cron": "@daily"}}, "test")


def test_an_engine_that_cannot_hear_of_its_clock_is_named_once(
    config_of: Any, tmp_path: Path, quiet: Quiet
) -> None:
    assert play_here(config_of("ab", main_time=600, restart="game"), tmp_path, quiet)
    told = [sentence for sentence in quiet.sentences if "has a clock" in sentence]
    assert [sentence.partition(" ")[0] for sentence in told] == ["a", "b"]
    assert all("does not list time_left and time_settings" in sentence for sentence in told)


def test_one_command_is_enough_to_hear_of_each_part_of_a_clock(config_of: Any) -> None:
    notices = Notices(config_of("ab", main_time=600), ())
    for settings in ("time_settings", "kgs-time_settings", "kata-time_settings"):
        commands = (settings, "time_left", "ref-playouts")
        assert not [*notices.about_engine(Introduction("a", "", "", None, commands))]
    told = [n.text for n in notices.about_engine(Introduction("a", "", "", None, ("kata-time_settings",)))]
    assert len(told) == 1
    assert "does not list time_left:" in told[0]


def test_a_start_ends_after_its_number_of_games(config_of: Any, tmp_path: Path) -> None:
    stop = Stop(max_games=3)
    ended = play_run(config_of(), tmp_path, stop)
    assert not ended.complete
    assert not stop.interrupted
    assert "all its games (3)" in stop.limit
    assert len(pairs_of(tmp_path)) == 3
    assert play_run(config_of(), tmp_path, Stop(max_games=3)).complete  # exactly what is left
    assert len(pairs_of(tmp_path)) == 6


def test_a_start_begins_no_game_after_its_time(config_of: Any, tmp_path: Path) -> None:
    moments = iter([0.0, 1.0, 2.0, *[8 * 3600.0] * 1000])
    stop = Stop(seconds=8 * 3600, now=lambda: next(moments))
    ended = play_run(config_of(games=1000), tmp_path, stop)
    assert not ended.complete
    assert (stop.asked, stop.interrupted) == (1, False)
    assert "time of this start is over" in stop.limit
    assert len(pairs_of(tmp_path)) < 1000


def test_a_run_without_an_end_goes_on_with_each_start(config_of: Any, tmp_path: Path) -> None:
    for played in (4, 8):
        ended = play_run(config_of("ab", games=0), tmp_path, Stop(max_games=4))
        assert not ended.complete
        assert pairs_of(tmp_path) == [f"1.{number}" for number in range(1, played + 1)]
    with Store.open(tmp_path) as store:
        config = store.config()
        assert config is not None
        assert not [game for game in verify_games(store, config) if game.contradictions]


def test_a_run_without_an_end_has_no_total(config_of: Any, tmp_path: Path, quiet: Quiet) -> None:
    from harness.arena.folder.play import MatchSettings, follow, run_match

    settings = MatchSettings(config_of("ab", games=0), tmp_path, Stop(max_games=1))
    with without_workers():
        ended = follow(run_match(settings), quiet.handle)
    assert isinstance(ended, MatchEnded)
    started = [event for event in quiet.events if isinstance(event, MatchStarted)]
    progress = [event for event in quiet.events if isinstance(event, ProgressMade)]
    assert started[0].total == progress[-1].total == 0
    assert progress[-1].seconds_left is None
