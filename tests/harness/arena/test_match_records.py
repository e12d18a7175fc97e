"""Records of a game beside its moves: GTP logs, comments, programs; and where the files are."""

import re
from pathlib import Path

import pytest
from sgfmill.sgf import Sgf_game

from harness.arena.config.examples import example_text
from harness.arena.config.tables import MatchConfig
from harness.arena.judge.judge import judge
from harness.arena.pairings import Pairing
from harness.arena.records import packed_log, unpacked_log
from harness.arena.store.store import Store
from harness.report.files.match_run import write_run
from harness.report.records.run_paths import RunPaths, remove_files_of
from tests.command_line import conform
from tests.harness.arena.match_helpers import Command, MakeConfig, engine_command, play_run, query
from tests.harness.arena.stored_runs import record


def scripted(tmp_path: Path, name: str, *answers: str, stderr: str = "") -> str:
    return engine_command(
        "scripted.py", tmp_path / f"{name}.txt", *answers, **{"stderr": stderr} if stderr else {}
    )


def test_the_log_of_every_game_is_kept_if_wanted(make_config: MakeConfig, tmp_path: Path) -> None:
    engines = {"a": scripted(tmp_path, "a"), "b": scripted(tmp_path, "b")}
    config = make_config(engines, games=2, logs="all")
    play_run(config, tmp_path / "run")
    text = (tmp_path / "run" / "logs" / "p001-g00001.txt").read_text()
    of_black, of_white = text.split("# White: b\n")
    assert of_black.startswith("# Black: a\n")
    assert re.search(r"> boardsize 5\n.*> genmove b\n.*< = pass\n", of_black, re.DOTALL)
    assert "genmove w" in of_white
    assert "genmove w" not in of_black
    assert conform("verify", tmp_path / "run").returncode == 0
    log = tmp_path / "run" / "logs" / "p001-g00002.txt"
    before = log.read_text()
    log.unlink()
    assert conform("report", tmp_path / "run").returncode == 3  # undecided
    assert log.read_text() == before


def test_no_log_is_kept_by_default_and_the_end_of_a_failure_always(
    make_config: MakeConfig, player: Command, tmp_path: Path
) -> None:
    engines = {"a": player(), "b": player(fail="exit", move=8)}
    for logs in ("failed", "off"):
        play_run(make_config(engines, games=2, logs=logs), tmp_path / logs)
        assert query(tmp_path / logs, "SELECT count(*) FROM game_log") == [(0,)]
        assert not (tmp_path / logs / "logs").exists()
    (long,), (short,) = (
        query(tmp_path / logs, "SELECT transcript FROM failure LIMIT 1") for logs in ("failed", "off")
    )
    assert "boardsize" in str(long[0])
    assert "boardsize" not in str(short[0])
    assert str(long[0]).splitlines()[-3:][0].split()[1:] == str(short[0]).splitlines()[-3:][0].split()[1:]
    assert "genmove" in str(short[0])


def test_a_log_that_is_no_log_is_refused_and_none_is_read_without_end() -> None:
    text = "1.0 > genmove b\n" * 1000
    assert unpacked_log(packed_log(text)) == text
    with pytest.raises(ValueError, match="header"):
        unpacked_log(b"no log")
    assert len(unpacked_log(packed_log(" " * 100_000_000))) <= 1 << 22


def comments(run: Path) -> list[list[str]]:
    found = []
    for file in sorted((run / "sgf").glob("*.sgf")):
        game = Sgf_game.from_bytes(file.read_bytes())
        found.append([node.get("C") for node in game.get_main_sequence()[1:]])
    return found


def test_an_engine_that_explains_its_moves_is_asked(make_config: MakeConfig, tmp_path: Path) -> None:
    engines = {
        "a": scripted(tmp_path, "a", "gomill-explain_last_move=I give up ]\\\nreally", stderr="thinking"),
        "b": scripted(tmp_path, "b", stderr="so am I"),
    }
    run = tmp_path / "run"
    play_run(make_config(engines, games=2), run)
    first, second = comments(run)
    assert first[0].splitlines()[1:] == ["I give up ]\\", "really"]
    assert [len(comment.splitlines()) for comment in (*first, *second)] == [3, 1, 1, 3]
    assert conform("verify", run).returncode == 0
    run = tmp_path / "stderr"
    play_run(make_config(engines, games=2, comments="stderr"), run)
    first, second = comments(run)
    assert [comment.splitlines()[1:] for comment in first] == [["I give up ]\\", "really"], ["so am I"]]
    run = tmp_path / "off"
    play_run(make_config(engines, games=2, comments="off"), run)
    assert query(run, "SELECT count(*) FROM comment") == [(0,)]


def test_a_record_names_the_programs_of_both_sides(make_config: MakeConfig, tmp_path: Path) -> None:
    engines = {"a": scripted(tmp_path, "a"), "b": engine_command("instant.py")}
    play_run(make_config(engines, games=2), tmp_path / "run")
    (file,) = (tmp_path / "run" / "sgf").glob("*00001.sgf")
    text = Sgf_game.from_bytes(file.read_bytes()).get_root().get("C")
    assert text.splitlines() == ["score", f"Black: scripted 7, {engines['a']}", f"White: {engines['b']}"]


def test_paths_of_small_and_large_runs() -> None:
    small, large = RunPaths(), RunPaths(grouped=True)
    assert small.game_file("p001-g00001", "score") == "sgf/p001-g00001.sgf"
    assert small.game_file("p001-g00001", "crash") == "sgf/void/p001-g00001.sgf"
    assert large.game_file("p001-g01000", "score") == "sgf/p001-g00001/p001-g01000.sgf"
    assert large.game_file("p002-g01001", "crash") == "sgf/void/p002-g01001/p002-g01001.sgf"
    assert large.failure_folder("p001-g123456") == "failures/p001-g123001/p001-g123456"
    assert RunPaths(collection=True).game_file("p001-g00001", "crash") == "void.sgf"


def stored_games(config: MatchConfig, folder: Path, games: int) -> None:
    with Store.create(folder) as store:
        store.set_config(config, "now")
        first, second = config.engines
        pair = Pairing(1, first, second)
        have = {number for _, number in store.played()}
        for number in range(1, games + 1):
            if number not in have:
                store.add(record(pair.game(number)))


def test_a_run_that_grows_large_moves_its_files_into_folders(make_config: MakeConfig, tmp_path: Path) -> None:
    run = tmp_path / "run"
    for games, files in ((1000, {"sgf": 1000}), (1002, {"sgf/p001-g00001": 1000, "sgf/p001-g01001": 2})):
        config = make_config({"a": "x", "b": "y"}, games=games)
        stored_games(config, run, games)
        with Store.open(run) as store:
            write_run(store, judge(store, config), run, ("sgf", "csv"))
        found = {str(path.parent.relative_to(run)) for path in run.rglob("*.sgf")}
        assert {name: len([*(run / name).glob("*.sgf")]) for name in found} == files
        rows = (run / "games.csv").read_text().splitlines()
        assert all((run / name).is_file() for row in rows[1:] for name in row.split(",") if ".sgf" in name)
    remove_files_of(["p001-g01002"], run)
    assert not (run / "sgf" / "p001-g01001" / "p001-g01002.sgf").exists()


def test_a_collection_has_all_games(make_config: MakeConfig, tmp_path: Path) -> None:
    config = make_config({"a": "x", "b": "y"}, games=4, size=9, komi=7.5)
    config = config.model_copy(update={"report": config.report.model_copy(update={"sgf": "collection"})})
    stored_games(config, tmp_path, 4)
    with Store.open(tmp_path) as store:
        write_run(store, judge(store, config), tmp_path, ("sgf", "csv"))
    text = (tmp_path / "games.sgf").read_text()
    assert re.findall(r"GN\[(.*?)\]", text) == [f"p001-g0000{number}" for number in (1, 2, 3, 4)]
    assert not (tmp_path / "sgf").exists()
    assert ",games.sgf," in (tmp_path / "games.csv").read_text()


@pytest.mark.parametrize(("name", "games"), [("handicap", 6), ("records", 2)])
def test_the_example_configs_run(tmp_path: Path, name: str, games: int) -> None:
    text = example_text(f"{name}.toml").replace("games = 20\n", "games = 2\n")
    engine = engine_command("instant.py")
    path = tmp_path / f"{name}.toml"
    path.write_text(text.replace("refbot gtp --playouts {playouts}", engine))
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "one.sgf").write_text("(;SZ[9]HA[2]AB[cc][gg]KM[0.5];W[ee];B[ec])")
    ended = conform("match", path, "--games", "2", "--workers", "1", "--out", tmp_path / "run", "-q")
    assert ended.returncode == 3, ended.stdout + ended.stderr
    assert query(tmp_path / "run", "SELECT count(*) FROM game WHERE reason = 'score'") == [(games,)]
    assert conform("verify", tmp_path / "run").returncode == 0
    if name == "records":
        assert (tmp_path / "run" / "games.sgf").read_text().count("HA[2]AB") == 2
        assert len([*(tmp_path / "run" / "logs").iterdir()]) == 2
        assert query(tmp_path / "run", "SELECT DISTINCT komi, opening FROM game") == [(0.5, "one.sgf")]
