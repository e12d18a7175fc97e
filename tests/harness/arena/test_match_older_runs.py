"""Runs that earlier versions have written: they are read, verified, reported and continued.

Each file of `old_runs` is the `run.db` of a run of four games on 5x5, named by the day of the version that
wrote it, compressed and otherwise unchanged. The first is of the first version with this schema; it has no
programs, audits, durations or scorers.
"""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from harness.arena.judge.judge import judge
from harness.arena.store.store import Store
from tests.command_line import conform

OLD_RUNS = sorted((Path(__file__).parent / "old_runs").glob("*.db.gz"))
CONFIG = """
[run]
name = "old"
size = 5
games = {games}
seed = 3
workers = 1
timeout = 120
openings = "random"
audit = "off"
{engines}"""
ENGINE = """
[[engine]]
name = "{name}"
command = "refbot gtp --playouts {{playouts}}"
playouts = {playouts}
startup = 300
"""


def config_file(folder: Path, games: int) -> Path:
    """The config of the old runs, with this number of games."""
    engines = "".join(ENGINE.format(name=n, playouts=p) for n, p in (("two", 2), ("three", 3)))
    path = folder / "old.toml"
    path.write_text(CONFIG.format(games=games, engines=engines))
    return path


@pytest.fixture(params=OLD_RUNS, ids=[path.name for path in OLD_RUNS])
def run(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The folder of an old run."""
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "run.db").write_bytes(gzip.decompress(request.param.read_bytes()))
    return folder


def games_of(folder: Path) -> dict[str, tuple[str, str]]:
    """The result and the moves of each game."""
    with Store.open(folder, read_only=True) as store:
        return {game.game_id: (game.result, game.moves) for game in store.games()}


def test_there_are_old_runs() -> None:
    assert len(OLD_RUNS) >= 2


def test_an_old_run_is_read_verified_and_reported(run: Path) -> None:
    before = (run / "run.db").read_bytes()
    with Store.open(run, read_only=True) as store:
        config = store.config()
        assert config is not None
        assert judge(store, config).games == 4
    verified = conform("verify", run)
    assert verified.returncode == 0, verified.stderr
    assert "4 games, " in verified.stdout
    reported = conform("report", run)
    assert reported.returncode == 3, reported.stderr  # four games decide nothing
    assert len((run / "games.csv").read_text().splitlines()) == 5
    assert conform("status", run).returncode == 0
    assert (run / "run.db").read_bytes() == before


def test_an_old_run_is_continued_with_its_games(run: Path, tmp_path: Path) -> None:
    before = games_of(run)
    done = conform("match", config_file(tmp_path, games=6), "--out", run, "-q")
    assert done.returncode == 3, done.stdout + done.stderr
    after = games_of(run)
    assert len(after) == 6
    assert {name: after[name] for name in before} == before
    assert conform("verify", run).returncode == 0


def test_an_old_run_refuses_what_would_change_its_games(run: Path, tmp_path: Path) -> None:
    path = config_file(tmp_path, games=6)
    path.write_text(path.read_text().replace("seed = 3", "seed = 4"))
    done = conform("match", path, "--out", run, "-q")
    assert (done.returncode, "[run] seed: 3 became 4" in done.stderr) == (2, True), done.stderr
    assert len(games_of(run)) == 4
