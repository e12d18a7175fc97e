"""Handicap games: where the stones stand, what engines get, who moves first, what is recorded."""

from pathlib import Path

import pytest
from sgfmill.sgf import Sgf_game

from harness.arena.config.handicap import handicap_bonus, handicap_points
from harness.arena.config.reader import ConfigError
from harness.arena.config.tables import MatchConfig
from harness.arena.folder.errors import ContinuationError
from harness.arena.judge.verification import verify_games
from harness.arena.store.store import Store
from tests.command_line import conform
from tests.harness.arena.match_helpers import MakeConfig, engine_command, play_run, query, stored

GTP_NINE = "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10"


def test_fixed_points_are_those_of_gtp() -> None:
    assert " ".join(handicap_points(2, 19)) == "D4 Q16"
    assert " ".join(handicap_points(3, 19)) == "D4 Q16 D16"
    assert " ".join(handicap_points(5, 19)) == "D4 Q16 D16 Q4 K10"
    assert " ".join(handicap_points(6, 19)) == "D4 Q16 D16 Q4 D10 Q10"
    assert " ".join(handicap_points(9, 19)) == GTP_NINE
    assert " ".join(handicap_points(4, 9)) == "C3 G7 C7 G3"
    assert " ".join(handicap_points(4, 12)) == "C3 K10 C10 K3"
    assert " ".join(handicap_points(5, 13)) == "D4 K10 D10 K4 G7"


@pytest.mark.parametrize(("stones", "size"), [(2, 6), (5, 8), (5, 7), (1, 9), (10, 19)])
def test_points_that_gtp_does_not_have_are_refused(stones: int, size: int) -> None:
    with pytest.raises(ValueError, match="no fixed points"):
        handicap_points(stones, size)


def test_the_bonus_follows_the_rules() -> None:
    assert [handicap_bonus("N", n) for n in (None, 0, 2, 9)] == [0, 0, 2, 9]
    assert [handicap_bonus("N-1", n) for n in (None, 0, 2, 9)] == [0, 0, 1, 8]
    assert handicap_bonus("none", 9) == 0


def scripted(log: Path, *answers: str) -> str:
    return engine_command("scripted.py", log, *answers)


def handicap_match(
    make_config: MakeConfig, tmp_path: Path, black: list[str], white: list[str], **run: object
) -> tuple[MatchConfig, Path]:
    """Play a game of two scripted engines on 9x9. Their logs are a.txt and b.txt."""
    engines = {"a": scripted(tmp_path / "a.txt", *black), "b": scripted(tmp_path / "b.txt", *white)}
    options = {"size": 9, "komi": 0.5, "games": 2, "colours": "fixed", "handicap": 4, **run}
    config = make_config(engines, **options)
    play_run(config, tmp_path / "run")
    return config, tmp_path / "run"


def first_game(log: Path) -> list[str]:
    """The lines of the first game after `komi`."""
    lines = log.read_text().split("komi 0.5\n")[1].splitlines()
    return [line for line in lines if line != "clear_board"]


def test_white_moves_first_and_each_engine_gets_the_stones_as_it_can(
    make_config: MakeConfig, tmp_path: Path
) -> None:
    _, run = handicap_match(make_config, tmp_path, ["fixed_handicap=C3 G7 C7 G3"], ["set_free_handicap="])
    assert first_game(tmp_path / "a.txt")[:3] == ["fixed_handicap 4", "play w pass", "genmove b"]
    assert first_game(tmp_path / "b.txt")[:2] == ["set_free_handicap C3 G7 C7 G3", "genmove w"]
    moves = "bC3 bG7 bC7 bG3 wpass bpass"
    assert [game[3] for game in stored(run)] == [moves, moves]
    assert query(run, "SELECT stones, handicap_bonus FROM game_handicap") == [(4, 0)] * 2
    assert query(run, "SELECT DISTINCT black, white, result, opening FROM game") == [
        ("a", "b", "B+80.5", "handicap 4")
    ]
    (file,) = (run / "sgf").glob("*00001.sgf")
    game = Sgf_game.from_bytes(file.read_bytes())
    assert game.get_handicap() == 4
    assert game.get_root().get("PL") == "w"
    assert game.get_root().get_setup_stones()[0] == {(2, 2), (6, 6), (6, 2), (2, 6)}
    assert game.get_komi() == 0.5
    assert conform("verify", run).returncode == 0
    header, row, _ = (run / "games.csv").read_text().splitlines()
    cells = dict(zip(header.split(","), row.split(","), strict=True))
    assert (cells["handicap"], cells["handicap_bonus"]) == ("4", "0")


def test_an_engine_without_handicap_commands_gets_the_stones_by_play(
    make_config: MakeConfig, tmp_path: Path
) -> None:
    handicap_match(make_config, tmp_path, [], [], handicap=2)
    for log in ("a.txt", "b.txt"):
        assert first_game(tmp_path / log)[:2] == ["play b C3", "play b G7"]


def test_a_referee_gets_the_stones_as_moves_and_the_bonus_as_komi(
    make_config: MakeConfig, tmp_path: Path
) -> None:
    """So it counts as the config says, whatever it would give White for the stones of a handicap command."""
    knows = ["fixed_handicap=C3 G7 C7 G3", "set_free_handicap=", "kata-set-rules=", "final_score=B+1"]
    logs = {name: tmp_path / f"{name}.txt" for name in ("a", "b", "judge")}
    engines = {name: scripted(log, *knows) for name, log in logs.items()}
    options = {"handicap": 4, "handicap_bonus": "N", "colours": "fixed", "size": 9, "komi": 0.5}
    play_run(make_config(engines, scorer="referee", referee="judge", games=1, **options), tmp_path / "run")
    lines = {name: log.read_text().splitlines() for name, log in logs.items()}
    assert "fixed_handicap 4" in lines["a"]
    assert "komi 4.5" in lines["judge"]
    assert not any("handicap " in line for line in lines["judge"])
    stones = [line for line in lines["judge"] if line.startswith("play")][:4]
    assert stones == ["play b C3", "play b G7", "play b C7", "play b G3"]
    for name, bonus in (("a", "N"), ("b", "N"), ("judge", "0")):
        (rules,) = (line for line in lines[name] if line.startswith("kata-set-rules"))
        assert f'"whiteHandicapBonus":"{bonus}"' in rules
    assert query(tmp_path / "run", "SELECT scored_by, result FROM game_score JOIN game ON id = game") == [
        ("referee", "B+1")
    ]


@pytest.mark.parametrize("answer", ["C3 G7 C7 G4", "?not here", "C3 G7", "C3 G7 C7 C7"])
def test_an_engine_with_other_fixed_points_gets_ours(
    make_config: MakeConfig, tmp_path: Path, answer: str
) -> None:
    handicap_match(make_config, tmp_path, [f"fixed_handicap={answer}"], [])
    assert first_game(tmp_path / "a.txt")[:2] == ["fixed_handicap 4", "play b C3"]
    assert "fixed_handicap 4\nclear_board\nplay b C3" in (tmp_path / "a.txt").read_text()


def test_free_stones_stand_where_black_wants_them(make_config: MakeConfig, tmp_path: Path) -> None:
    _, run = handicap_match(
        make_config,
        tmp_path,
        ["place_free_handicap=E5 c4 D3"],
        ["set_free_handicap="],
        handicap_style="free",
        handicap_bonus="N",
    )
    assert first_game(tmp_path / "a.txt")[:2] == ["place_free_handicap 4", "play w pass"]
    assert first_game(tmp_path / "b.txt")[:2] == ["set_free_handicap E5 C4 D3", "genmove w"]
    # Black placed three stones: 81 points, less komi and three points for three stones.
    assert query(run, "SELECT DISTINCT moves, result, opening FROM game") == [
        ("bE5 bC4 bD3 wpass bpass", "B+77.5", "free handicap 4")
    ]
    assert query(run, "SELECT DISTINCT stones, handicap_bonus FROM game_handicap") == [(3, 3)]
    assert conform("verify", run).returncode == 0


@pytest.mark.parametrize("answer", ["C3", "C3 C3", "C3 pass", "Z99 C3", "C3 C4 C5 C6 C7", "?no", ""])
def test_an_odd_free_handicap_is_a_failure_of_black(
    make_config: MakeConfig, tmp_path: Path, answer: str
) -> None:
    _, run = handicap_match(
        make_config, tmp_path, [f"place_free_handicap={answer}"], [], handicap_style="free"
    )
    assert [game[1:] for game in stored(run)] == [("protocol", "a", "")] * 2
    assert conform("verify", run).returncode == 0


def test_verification_knows_the_stones_and_the_bonus(make_config: MakeConfig, tmp_path: Path) -> None:
    config, run = handicap_match(make_config, tmp_path, [], [], handicap_bonus="N-1")
    assert query(run, "SELECT DISTINCT result FROM game") == [("B+77.5",)]
    assert conform("verify", run).returncode == 0
    changed = config.model_copy(update={"run": config.run.model_copy(update={"handicap": 3})})
    with pytest.raises(ContinuationError, match="handicap: 4 became 3"):
        play_run(changed, run)
    with Store.open(run) as store:
        found = [*verify_games(store, changed)]
    assert all("the opening is 'handicap 4'" in game.contradictions[0] for game in found)
    unfair = config.model_copy(update={"run": config.run.model_copy(update={"handicap_bonus": "N"})})
    with Store.open(run) as store:
        found = [*verify_games(store, unfair)]
    assert all("White gets 3 points" in game.contradictions[0] for game in found)


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"handicap": 2, "size": 5}, "5x5 has no fixed points"),
        ({"handicap": 5, "size": 8}, "at most 4 handicap stones"),
        ({"handicap": 1, "size": 9}, "must be 2 to 9 stones"),
        ({"handicap": 2, "size": 9, "openings": "random"}, "cannot be combined with random openings"),
        ({"games": 3}, "must be even"),
    ],
)
def test_what_cannot_be_a_handicap_is_a_mistake(
    make_config: MakeConfig, keys: dict[str, object], words: str
) -> None:
    with pytest.raises(ConfigError, match=words):
        make_config(**keys)


def test_a_record_with_a_handicap_is_set_as_one(make_config: MakeConfig, tmp_path: Path) -> None:
    file = tmp_path / "x.sgf"
    file.write_text("(;SZ[9]HA[2]AB[cc][gg]KM[5.5];W[ee])")
    openings = {"kind": "sgf", "files": [str(file)], "komi": "file"}
    engines = {"a": scripted(tmp_path / "a.txt", "set_free_handicap="), "b": scripted(tmp_path / "b.txt")}
    play_run(make_config(engines, size=9, komi=0.5, games=2, openings=openings), tmp_path / "run")
    text = (tmp_path / "a.txt").read_text()
    assert "komi 5.5\nset_free_handicap G3 C7\nplay w E5\ngenmove b\n" in text
    assert query(tmp_path / "run", "SELECT DISTINCT komi, result FROM game") == [(5.5, "W+4.5")]
    assert conform("verify", tmp_path / "run").returncode == 0
