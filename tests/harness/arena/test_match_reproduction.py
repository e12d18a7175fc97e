"""Lines for a shell that repeat a failed game or a search: the engine gets what it got in the game."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from harness.arena.config.openings import OpeningBooks
from harness.arena.config.reader import check_config
from harness.arena.config.tables import MatchConfig
from harness.arena.game.game import play_game
from harness.arena.game.reproduction import search_line
from harness.arena.pairings import Pairing
from harness.arena.records import Failure
from harness.arena.run.engine_pool import EnginePool
from harness.arena.store.store import Store
from tests.harness.arena.match_helpers import PATIENCE, engine_command
from tests.harness.arena.stored_runs import record as stored_record

QUESTIONS = ("name", "version", "list_commands", "ref-playouts", "final_score", "final_status_list dead")
"""Commands that ask and change nothing."""
RECORD = "(;SZ[9]AB[aa]AW[ba];B[ii];W[hh])"

SETTINGS: dict[str, tuple[dict[str, Any], dict[str, Any], list[str]]] = {
    "plain": ({}, {}, []),
    "rules": ({"rules": "japanese"}, {}, ["kgs-rules="]),
    "rules, the second command": ({"rules": "japanese"}, {}, ["kata-set-rules=?no", "kgs-rules="]),
    "rules refused": ({"rules": "japanese"}, {}, ["kgs-rules=?no"]),
    "clock": ({"main_time": 90, "byoyomi": {"time": 5, "stones": 2}}, {}, ["time_settings=", "time_left="]),
    "start": ({}, {"gtp": ["first 1"], "gtp_game": ["own {color}, it's 100%"]}, []),
    "playouts": ({}, {"playouts": 50}, ["ref-playouts="]),
    "playouts without a command": ({}, {"playouts": 50}, []),
    "opening": ({"openings": {"kind": "sgf", "files": ["game.sgf"]}}, {}, []),
    "fixed handicap": ({"handicap": 2}, {}, ["fixed_handicap=C3 G7"]),
    "fixed handicap, other points": ({"handicap": 2}, {}, ["fixed_handicap=C3 G6", "set_free_handicap="]),
    "free handicap": ({"handicap": 2, "handicap_style": "free"}, {}, ["set_free_handicap="]),
    "handicap by play": ({"handicap": 2}, {}, []),
    "set-up refused": ({}, {}, ["komi=?no"]),
}


def config_of(
    folder: Path, run: dict[str, Any], engine: dict[str, Any], answers: list[str], black: tuple[str, ...] = ()
) -> MatchConfig:
    """A match of two scripted engines. Without an answer to genmove in `answers`, "b" refuses to move."""
    commands = (
        engine_command("scripted.py", folder / "a.txt", *black),
        engine_command("scripted.py", folder / "b.txt", "genmove=?tired", *answers),
    )
    tables = [{"name": name, "command": command} for name, command in zip("ab", commands, strict=True)]
    tables[1] |= engine
    keys = {"size": 9, "games": 2, "workers": 1, "timeout": 60, "audit": "off", **run}
    return check_config({"run": keys, "engine": tables}, "test")


def got(log: Path) -> list[str]:
    """What an engine got that may change its answers; the log is emptied."""
    lines = [line for line in log.read_text().splitlines() if line not in (*QUESTIONS, "quit")]
    log.unlink()
    return lines


def failure_in(config: MatchConfig) -> Failure:
    pool = EnginePool(config)
    try:
        game = Pairing(1, "a", "b").game(1)
        record = play_game(game, config.run, OpeningBooks(config).opening(game), *pool.players_of(game))
    finally:
        pool.close(politely=False)
    assert record.failure is not None
    return record.failure


@pytest.mark.parametrize("name", SETTINGS)
def test_the_line_by_hand_sends_what_the_game_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.sgf").write_text(RECORD)
    line = failure_in(config_of(tmp_path, *SETTINGS[name])).reproduce
    in_game = got(tmp_path / "b.txt")
    subprocess.run(["sh", "-c", line], check=True, stdout=subprocess.DEVNULL, timeout=PATIENCE)
    assert got(tmp_path / "b.txt") == in_game
    assert len(in_game) > 1


def test_the_line_by_hand_has_the_stones_that_the_engine_chose(tmp_path: Path) -> None:
    """An engine may choose other points the next time; then the moves of the game would be illegal."""
    keys = {"handicap": 3, "handicap_style": "free"}
    black = ("place_free_handicap=E5 D4", "set_free_handicap=", "play=?no")
    line = failure_in(config_of(tmp_path, keys, {}, ["genmove=pass"], black)).reproduce
    dialogue = line.partition("' | ")[0]
    assert dialogue.endswith("komi 7.5\\nset_free_handicap E5 D4\\nplay w pass\\ngenmove b\\nquit\\n")


def test_an_engine_that_cannot_start_is_asked_for_its_name(tmp_path: Path) -> None:
    config = config_of(tmp_path, {}, {"gtp": ["first"]}, ["first=?no"])
    line = failure_in(config).reproduce
    assert line.startswith("printf 'first\\nname\\nquit\\n' | ")


def test_the_line_of_a_search_sets_the_playouts_and_the_time(tmp_path: Path) -> None:
    keys = {"gtp": ["first"], "playouts": 70, "main_time": 30}
    config = config_of(tmp_path, {}, keys, ["ref-playouts="])
    with Store.create(tmp_path) as store:
        store.add(stored_record(Pairing(1, "a", "b").game(1), board=(9, 6.5)))
        line = search_line(store.game("p001-g00001"), 2, "w", config)
    start = "first\\nref-playouts 70\\nboardsize 9\\nclear_board\\nkomi 6.5\\ntime_settings 30 0 0\\nplay b "
    assert line.startswith(f"printf '{start}")
    assert line.partition("' | ")[0].endswith("genmove w\\nref-nodes\\nref-score\\nquit\\n")
