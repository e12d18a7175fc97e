"""How the config starts an engine: its words, its environment, and the commands that are sent first."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from harness.arena.config.reader import ConfigError, check_config
from harness.arena.config.tables import MatchConfig
from harness.arena.folder.errors import ContinuationError
from harness.arena.game.reproduction import search_line
from harness.arena.judge.failure_hint import hint_of
from harness.arena.records import Game, GameRecord
from harness.arena.run.engine_pool import EnginePool
from harness.arena.run.runner import exit_seconds
from harness.arena.store.rows import StoredFailure
from harness.gtp.launch import environment
from tests.harness.arena.match_helpers import SIZE, Command, play_run, stored
from tests.harness.arena.scripted_engine import Script
from tests.harness.arena.test_match_clock import WHITE, match

TELL = """
import os, sys
with open(sys.argv[1], "a") as file:
    names = ("CONFORM_GAME", "CONFORM_SLOT", "CONFORM_COLOR", "MINE", "OTHER")
    print(*(os.environ.get(name, "-") for name in names), *sys.argv[2:], sep="|", file=file)
while line := sys.stdin.readline():
    words = line.split()
    print("=", "pass" if words[0] == "genmove" else "", flush=True)
    print(flush=True)
    if words[0] == "quit":
        break
"""


def config_of(**engine: Any) -> MatchConfig:
    tables = [{"name": "a", "command": "./a"}, {"name": "b", "command": "./b", **engine}]
    return check_config({"run": {"size": SIZE}, "engine": tables}, "test")


def complaints(**engine: Any) -> str:
    with pytest.raises(ConfigError) as caught:
        config_of(**engine)
    return str(caught.value)


def test_gtp_is_sent_after_each_start_and_gtp_game_before_each_game() -> None:
    white = Script(vertices=WHITE)
    keys = {
        "gtp": ["first 1", "second"],
        "gtp_game": ["own {size} {komi} {color} {game} {opponent}", 'json {"a": 1}'],
    }
    both = match(white, keys, main_time=60)
    both.play()
    both.play()
    before_game = ["time_settings 60 0 0", "own 5 7.5 white p001-g00001 a", 'json {"a": 1}']
    start = ["name", "version", "list_commands", "first 1", "second"]
    game = [f"boardsize {SIZE}", "clear_board", "komi 7.5", *before_game]
    sent = [
        line for line in white.sent if line.split()[0] not in ("play", "genmove", "time_left", "final_score")
    ]
    assert sent[: len(start)] == start
    assert [line for line in sent[len(start) :] if not line.startswith("final")] == [*game, *game]
    both.players[1].stop(politely=False)
    white.sent.clear()
    both.play()
    assert white.sent[: len(start)] == start


@pytest.mark.parametrize("key", ["gtp", "gtp_game"])
def test_a_refused_command_is_a_failure_with_a_hint(key: str) -> None:
    both = match(Script(vertices=WHITE, refuses="own"), {key: ["own 3"]})
    record = both.play()
    assert (record.ending.reason, record.ending.offender) == ("protocol", "w")
    assert "refused own 3" in record.ending.detail
    failure = record.failure
    assert failure is not None
    detail = record.ending.detail
    stored_failure = StoredFailure("g", "b", "protocol", detail, "./b", failure.exit, "", "", "", b"")
    assert f"correct {key} of b" in hint_of(stored_failure, both.config)


def failed(**keys: Any) -> GameRecord:
    return match(Script(vertices=WHITE, refuses="genmove"), keys).play()


def test_the_line_by_hand_sends_what_the_game_sent() -> None:
    failure = failed(gtp=["first 1"], gtp_game=["own {color} 100%"], byoyomi={"time": 5, "stones": 2}).failure
    assert failure is not None
    assert failure.reproduce == (
        f"printf 'first 1\\nboardsize {SIZE}\\nclear_board\\nkomi 7.5\\n"
        "time_settings 0 5 2\\nown white 100%%\\nplay b A5\\ntime_left w 5 2\\ngenmove w\\nquit\\n' | b"
    )


ANALYSES = tuple(f"\ninfo move A1 visits 1 winrate 50\nplay {vertex.lower()}" for vertex in WHITE)


@pytest.mark.parametrize(
    ("genmove", "line"),
    [
        ("lz-genmove_analyze", "lz-genmove_analyze w 1000"),
        ("kata-genmove_analyze", "kata-genmove_analyze w 1000"),
        ("cgos-genmove_analyze", "cgos-genmove_analyze w"),
    ],
)
def test_an_engine_is_asked_by_a_genmove_with_analysis(genmove: str, line: str) -> None:
    white = Script(vertices=ANALYSES, genmove=genmove)
    record = match(white, {"genmove": genmove}).play()
    assert [move.vertex for move in record.moves if move.colour == "w"][: len(WHITE)] == list(WHITE)
    assert [search.vertex for search in record.searches if search.colour == "w"][: len(WHITE)] == list(WHITE)
    asked = [sent for sent in white.sent if "genmove" in sent]
    assert asked[0] == line
    assert set(asked) == {line}
    assert record.ending.reason == "score"


@pytest.mark.parametrize(
    ("answer", "reason", "result"),
    [
        ("\nplay resign", "resign", "B+R"),
        ("\nplay PASS", "score", None),
        ("\ninfo move A1 visits 1", "protocol", "B+F"),
        ("\nplay I1", "protocol", "B+F"),
        ("\nplay A5", "illegal", "B+F"),
    ],
)
def test_the_last_line_of_an_analysis_is_the_move(answer: str, reason: str, result: str | None) -> None:
    white = Script(vertices=(answer,) * 9, genmove="genmove_analyze")
    ending = match(white, {"genmove": "genmove_analyze"}).play().ending
    assert ending.reason == reason
    assert result in (None, ending.result)


def test_a_failure_shows_the_genmove_that_was_sent() -> None:
    white = Script(refuses="lz-genmove", genmove="lz-genmove_analyze")
    failure = match(white, {"genmove": "lz-genmove_analyze"}).play().failure
    assert failure is not None
    assert "\\nlz-genmove_analyze w 1000\\nquit" in failure.reproduce


def test_a_run_goes_on_with_the_same_genmove_only(player: Command, tmp_path: Path) -> None:
    tables: list[dict[str, Any]] = [{"name": name, "command": player()} for name in "ab"]
    run = {"size": SIZE, "games": 2, "workers": 1, "audit": "off"}
    play_run(check_config({"run": run, "engine": tables}, "test"), tmp_path)
    tables[1]["genmove"] = "lz-genmove_analyze"
    with pytest.raises(ContinuationError, match="genmove"):
        play_run(check_config({"run": run, "engine": tables}, "test"), tmp_path)


def test_another_command_is_no_genmove() -> None:
    assert "genmove" in complaints(genmove="reg_genmove")


def test_the_line_of_a_search_sends_the_commands_of_the_config(player: Command, tmp_path: Path) -> None:
    tables: list[dict[str, Any]] = [
        {"name": name, "command": player(first=place)} for place, name in enumerate("ab")
    ]
    run = {"size": SIZE, "games": 2, "workers": 1, "audit": "off"}
    play_run(check_config({"run": run, "engine": tables}, "test"), tmp_path)
    tables[1] |= {"gtp": ["first"], "gtp_game": ["own {opponent} {game} it's"]}
    config = check_config({"run": run, "engine": tables}, "test")
    from harness.arena.store.store import Store

    with Store.open(tmp_path) as store:
        line = search_line(store.game("p001-g00001"), 2, "w", config)
    assert line.startswith(
        f"printf 'first\\nboardsize {SIZE}\\nclear_board\\nkomi 7.5\\nown a p001-g00001 it\\047s\\nplay b "
    )


def test_args_are_words_that_nothing_splits() -> None:
    config = config_of(args=["--name", "two words", "$HOME", "-n={playouts}"], playouts=7)
    command = config.engines["b"].launch().command
    assert shlex.split(command) == ["./b", "--name", "two words", "$HOME", "-n=7"]
    assert config.engines["b"].takes_playouts
    assert "has {playouts}, but the engine has no playouts" in complaints(args=["{playouts}"])


def test_variables_are_inherited_by_name_or_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINE", "1")
    monkeypatch.setenv("OTHER", "2")
    wanted = {False: (False, False), True: (True, True), "list": (True, False)}
    for given, (mine, other) in wanted.items():
        launch = (
            config_of(inherit_env=["MINE", "NOT_SET"] if given == "list" else given).engines["b"].launch()
        )
        env = environment(launch)
        assert ("MINE" in env, "OTHER" in env) == (mine, other)
        assert "NOT_SET" not in env
        assert "MINE" not in launch.shell_line  # whoever pastes the line has them
    assert environment(config_of(inherit_env=True, env={"MINE": "3"}).engines["b"].launch())["MINE"] == "3"


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"gtp": ["a\nb"]}, "must be one GTP command"),
        ({"gtp": ["# nothing"]}, "must be one GTP command"),
        ({"gtp": "komi 5"}, "should be an array"),
        ({"gtp_game": ["own {colour}"]}, "has {colour}; known are {size}"),
        ({"inherit_env": ["A=B"]}, "list of names of environment variables"),
        ({"inherit_env": 3}, "list of names of environment variables"),
        ({"quit": 0}, "greater than 0"),
        ({"byoyomi": {"time": 5}}, "needs either stones (Canadian) or periods (Japanese)"),
        ({"byoyomi": {"time": 5, "stones": 1, "periods": 2}}, "needs either stones"),
        ({"byoyomi": {"time": 5, "stone": 1}}, "did you mean 'stones'"),
        ({"increment": 3}, "needs main_time"),
        ({"main_time": 0}, "leaves no time for any move"),
        ({"main_time": -1}, "greater than or equal to 0"),
        ({"main_time": 3, "increment": 3, "byoyomi": {"time": 5, "stones": 1}}, "leave one of them out"),
    ],
)
def test_mistakes_are_explained(keys: dict[str, Any], words: str) -> None:
    assert words in complaints(**keys)


def test_an_engine_knows_its_game_its_worker_and_its_colour(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINE", "mine")
    monkeypatch.setenv("OTHER", "other")
    program, told = tmp_path / "tell.py", tmp_path / "told"
    program.write_text(TELL)
    command = shlex.join([sys.executable, "-S", "-E", str(program), str(told)])
    tables = [
        {"name": "a", "command": command, "args": ["a b"], "inherit_env": ["MINE"]},
        {"name": "b", "command": command, "args": ["b"], "env": {"CONFORM_SLOT": "own"}},
    ]
    run = {"size": SIZE, "games": 2, "workers": 1, "restart": "game", "audit": "off", "scorer": "area"}
    play_run(check_config({"run": run, "engine": tables}, "test"), tmp_path / "run")
    assert [reason for _, reason, *_ in stored(tmp_path / "run")] == ["score", "score"]
    lines = [line for line in told.read_text().splitlines() if not line.startswith("-")]  # a try at first
    assert lines == [
        "p001-g00001|1|black|mine|-|a b",
        "p001-g00001|own|white|-|-|b",
        "p001-g00002|own|black|-|-|b",
        "p001-g00002|1|white|mine|-|a b",
    ]


def test_each_worker_has_a_slot() -> None:
    pools = [EnginePool(config_of(), slot) for slot in (1, 2)]
    assert [pool.slot for pool in pools] == [1, 2]
    assert Game("g", 1, 1, "a", "b", 0).engine("b") == "a"


def test_engines_get_their_time_to_end() -> None:
    white = Script(vertices=WHITE)
    match(white, {"quit": "40s"}).play()
    assert white.limits[0].quit == 40
    assert exit_seconds(config_of()) < 40
    assert exit_seconds(config_of(quit="40s")) > 40
