"""The published experiments that are matches: every line has its engine, and each config is played."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from scipy.stats import binomtest

from harness.arena.config.reader import ConfigError
from harness.arena.judge.judge import judge
from harness.arena.store.store import Store
from harness.cli import seed_matches
from harness.seeds import MATCH_TABLES, binomial_interval
from harness.seeds.experiments import published
from harness.seeds.matches import CONFIGS, OPPONENT, engine_of, example, lines, match_experiments
from refbot.search.dynamic_komi import parse_mode

PROGRAM = [sys.executable, "-c", "from harness.cli import main; main()"]
ALL = sorted(CONFIGS)
PASSER = shlex.join([sys.executable, str(Path(__file__).parents[2] / "engines" / "instant.py")])


def options(command: str) -> dict[str, str]:
    words = shlex.split(command)
    return {word: words[place + 1] for place, word in enumerate(words) if word.startswith("--")}


@pytest.mark.parametrize(("table", "size"), ALL)
def test_every_published_line_has_an_engine_with_its_setting(table: str, size: int) -> None:
    config = example(CONFIGS[table, size])
    assert (config.run.size, config.run.format, config.engine[0].name) == (size, "gauntlet", OPPONENT)
    wanted = set()
    for line in lines(table, size):
        wanted.add(engine_of(line))
        given = options(config.engines[engine_of(line)].command)
        assert given.get("--size", "9") == str(size)
        assert given.get("--cutoff") == (str(line.cutoff_moves) if "cutoff" in table else None)
        mode = given.get("--dynamic-komi")
        if "cutoff" in table or line.variant.startswith("constant"):
            assert mode is None
            continue
        assert mode is not None
        komi = parse_mode(mode)
        words = line.variant.split()
        if "playouts" in words:
            assert (komi.source, komi.count) == ("playouts", 100)
        else:
            count = int(words[2]) if words[0] == "mean" else 1
            assert (komi.source, komi.count) == ("searches", count)
            assert (komi.slope, komi.offset) == (line.slope, line.offset)
    assert wanted == set(config.engines) - {OPPONENT}


def test_every_table_is_in_configs_on_each_of_its_boards() -> None:
    for table in MATCH_TABLES:
        assert {size for of, size in CONFIGS if of == table} == set(published(table)["size"])


def test_games_playouts_and_opponent_can_be_chosen() -> None:
    chosen = {"games": 6, "playouts": 50, "against": "other --strong", "workers": None}
    (experiment,) = match_experiments("yamashita-2010-komi", (19,), chosen)
    assert experiment.config.run.games == 6
    assert experiment.opponent.command == "other --strong"
    assert {engine.playouts for engine in experiment.config.engine} == {None, 50}
    assert experiment.missing == "other is not installed"
    (as_it_is,) = match_experiments("yamashita-2010-komi", (9,))
    assert (as_it_is.config, as_it_is.missing) == (example("komi-9x9"), "")
    with pytest.raises(ConfigError, match="must be even"):
        match_experiments("yamashita-2010-komi", (9,), {"games": 7})


def test_a_finished_match_has_no_time_to_come(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(seed_matches, "pairs_left", lambda *_: ([], 0))
    (experiment,) = match_experiments("yamashita-2010-komi", (9,), {"against": "no-such-program"})
    assert seed_matches._cost(experiment, tmp_path).endswith("so none is played. To play more, raise --games")


@pytest.mark.parametrize(("won", "games"), [(0, 20), (20, 20), (3, 20), (119, 1000)])
def test_the_interval_is_that_of_clopper_and_pearson(won: int, games: int) -> None:
    exact = binomtest(won, games).proportion_ci(0.95, method="exact")
    assert binomial_interval(won, games) == pytest.approx((exact.low, exact.high))


@pytest.mark.parametrize(
    ("table", "size"),
    [pytest.param(*key, marks=pytest.mark.slow) for key in ALL],
)
def test_each_experiment_is_played_at_a_small_size(table: str, size: int, tmp_path: Path) -> None:
    words = ["seeds", table, "--size", size, "--games", 2, "--playouts", 2, "--workers", 1, "--out", tmp_path]
    # GNU Go takes a minute for a game on 19x19; the passer gives its area away.
    words += ["--against", PASSER] if size == 19 else []
    ended = subprocess.run([*PROGRAM, *map(str, words)], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, ""), ended.stdout
    assert "games to play, 1 at once: about" in ended.stdout
    experiment = match_experiments(table, (size,))[0]
    with Store.open(tmp_path / f"{CONFIGS[table, size]}-2-playouts", read_only=True) as store:
        config = store.config()
        assert config is not None
        rows = list(experiment.rows(judge(store, config)))
    table_printed = ended.stdout.split("measured")[1].splitlines()[1:]
    figures = lines(table, size)
    assert [row.published for row in rows] == [line.win_rate for line in figures]
    assert len(table_printed) >= len(rows)
    printed = " ".join(" ".join(table_printed).split())
    for row in rows:
        low, high = row.interval or (0.0, 1.0)
        assert f"{row.measured:.3f} {low:.3f} to {high:.3f}" in printed
        assert row.agrees is None  # another bot, another opponent
        if size == 19:
            assert row.measured == 1.0


@pytest.mark.slow
def test_a_quiet_match_prints_its_win_rates_alone(tmp_path: Path) -> None:
    words = ["seeds", "yamashita-2010-cutoff", "--size", 19, "--games", 2, "--playouts", 2, "--workers", 1]
    words += ["--against", PASSER, "--out", tmp_path, "--quiet"]
    ended = subprocess.run([*PROGRAM, *map(str, words)], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    head, table = ended.stdout.split("measured")
    assert "yamashita-2010-cutoff, 19x19" in head
    assert "to play" not in head
    assert "1.000" in table


@pytest.mark.slow  # `missing` above has the reason
def test_what_is_not_installed_is_skipped_and_reported(tmp_path: Path) -> None:
    words = ["seeds", "yamashita-2010-komi", "--size", "9", "--against", "fuego", "--out", str(tmp_path)]
    ended = subprocess.run([*PROGRAM, *words], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "skipped: fuego is not installed" in ended.stdout
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_cluster_plays_the_games(tmp_path: Path) -> None:
    words = ["seeds", "yamashita-2010-cutoff", "--size", 19, "--games", 2, "--playouts", 2, "--workers", 1]
    words += ["--against", PASSER, "--out", tmp_path, "--cluster", "local"]
    ended = subprocess.run([*PROGRAM, *map(str, words)], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, ""), ended.stdout
    with Store.open(tmp_path / "cutoff-19x19-2-playouts", read_only=True) as store:
        config = store.config()
        assert config is not None
        assert len(list(store.games())) == 2 * (len(config.engine) - 1)
