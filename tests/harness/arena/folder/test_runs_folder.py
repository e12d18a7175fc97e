"""The folder of a run: what an edited config may change, and which run a second start continues."""

from pathlib import Path

import pytest

from harness.arena.config.reader import check_config
from harness.arena.config.tables import MatchConfig
from harness.arena.folder.errors import ContinuationError
from harness.arena.folder.folder import UnfinishedRun, open_run, unfinished_run
from harness.arena.pairings import pairings
from harness.arena.records import Ending, GameRecord
from harness.arena.store.errors import DamagedStoreError
from harness.arena.store.store import Store


def make_config(engines: str = "ab", games: int = 4, **run: object) -> MatchConfig:
    tables = [{"name": name, "command": f"./{name}"} for name in engines]
    return check_config({"run": {"size": 5, "games": games, **run}, "engine": tables}, "test")


def play(config: MatchConfig, folder: Path) -> list[str]:
    """Store every game of a config that is not stored yet, and return the ids of all."""
    with open_run(config, folder) as store:
        for pair in pairings(store.engine_names(), config.run.format):
            for number in range(1, config.run.games + 1):
                ending = Ending("score", "0", None)
                store.add(GameRecord(pair.game(number), (5, 7.5), "none", 0, (), (), ending, "t", "t"))
        return [game.game_id for game in store.games()]


def test_engines_and_games_may_be_added(tmp_path: Path) -> None:
    before = play(make_config(), tmp_path)
    after = play(make_config("abc", games=6, timeout=30), tmp_path)
    assert len(before) == 4
    assert len(after) == 3 * 6
    assert set(before) <= set(after)


@pytest.mark.parametrize(
    ("config", "words"),
    [
        (make_config(komi=6.5), "[run] komi: 7.5 became 6.5"),
        (make_config(seed=2), "[run] seed: 1 became 2"),
        (make_config(scorer="players"), '[run] scorer: not set became "players"'),
        (make_config(rules="japanese"), 'rules: { ko = "positional", suicide = false, counting = "area" }'),
        (
            make_config(openings="random"),
            '[run] openings: { kind = "none" } became { kind = "random", moves = 4 }',
        ),
        (make_config(games=2), "[run] games: 4 are played already, 2 are asked for"),
        (
            check_config(
                {
                    "run": {"size": 5, "games": 4},
                    "engine": [{"name": "a", "command": "./a"}, {"name": "b", "command": "./other"}],
                },
                "test",
            ),
            'engine \'b\' command: "./b" became "./other"',
        ),
    ],
)
def test_what_would_change_stored_games_is_refused_and_changes_nothing(
    tmp_path: Path, config: MatchConfig, words: str
) -> None:
    play(make_config(), tmp_path)
    with pytest.raises(ContinuationError) as caught:
        open_run(config, tmp_path)
    assert words in str(caught.value)
    assert "choose another --out" in str(caught.value)
    with Store.open(tmp_path, read_only=True) as store:
        assert store.config() == make_config()


def test_the_newest_unfinished_run_is_found_with_what_differs(tmp_path: Path) -> None:
    config = make_config(name="mine")
    play(config, tmp_path / "mine-1")
    assert unfinished_run(config, tmp_path) == UnfinishedRun(tmp_path / "mine-1", ())
    other = unfinished_run(make_config(name="mine", komi=0), tmp_path)
    assert other == UnfinishedRun(tmp_path / "mine-1", (f"[run] komi: {config.run.komi} became 0.0",))
    assert unfinished_run(make_config(name="other"), tmp_path) is None
    (tmp_path / "mine-3").mkdir()  # without a store
    with open_run(config, tmp_path / "mine-2") as store:
        store.note("complete", "", "now")
    assert unfinished_run(config, tmp_path) is None
    (tmp_path / "mine-2/run.db").write_text("damaged")
    with pytest.raises(DamagedStoreError):
        unfinished_run(config, tmp_path)


def test_a_name_is_no_pattern_and_no_prefix(tmp_path: Path) -> None:
    config = make_config(name="night [9x9]")
    play(config, tmp_path / "night [9x9]-1")
    play(make_config(name="night [9x9]-large"), tmp_path / "night [9x9]-large-2")
    assert unfinished_run(config, tmp_path) == UnfinishedRun(tmp_path / "night [9x9]-1", ())
