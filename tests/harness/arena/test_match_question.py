"""The questions of a match, from the config to the files and pages that a user reads."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from harness.arena.config.reader import check_config
from harness.arena.config.tables import MatchConfig
from harness.arena.folder.play import MatchSettings, follow, run_match
from harness.arena.judge.judge import judge
from harness.arena.pairings import pairings
from harness.arena.records import Ending, Played
from harness.arena.store.store import Store
from harness.arena.verdicts import MatchVerdicts
from harness.cli.exits import ExitCode
from harness.cli.forecast import games_to_decide
from harness.cli.match import exit_code
from harness.report.ci.junit import match_junit
from harness.report.files.run_folder import RunFolder
from harness.report.html.run_page import run_page
from harness.report.status.run import parse_run_status
from harness.report.text.match_console import show_verdicts
from harness.report.text.status_text import pairs_sentence, run_tables
from tests.harness.arena.match_helpers import SIZE, engine_command, without_workers
from tests.harness.arena.stored_runs import record

SPRT = {"kind": "sprt", "elo0": 0, "elo1": 100}


def config_of(question: object, commands: Sequence[str] = ("x", "y"), **run: object) -> MatchConfig:
    engines = [{"name": name, "command": own} for name, own in zip(("new", "old"), commands, strict=True)]
    return check_config({"run": {"size": SIZE, **run}, "judge": question, "engine": engines}, "test")


def judged(folder: Path, config: MatchConfig, wins: str) -> tuple[Store, MatchVerdicts]:
    """A stored match in which the first engine wins (1) or loses (0) these games, and its verdicts."""
    store = Store.create(folder)
    store.set_config(config, "now")
    (pair,) = pairings(["new", "old"], "pair")
    for number, won in enumerate(wins, 1):
        black = (won == "1") == (number % 2 == 1)
        ending = Ending("resign", "B+R" if black else "W+R", "b" if black else "w")
        moves = (Played("b", f"{'ABCDE'[number % 5]}{1 + number // 5 % 5}"),)
        store.add(record(pair.game(number), board=(SIZE, 7.5), ending=ending, moves=moves, searches=()))
    return store, judge(store, config)


def printed(verdicts: MatchVerdicts, width: int = 160) -> str:
    console = Console(record=True, width=width)
    show_verdicts(console, verdicts)
    return console.export_text()


@pytest.mark.parametrize(
    ("question", "verdicts", "codes"),
    [
        (SPRT, ("passed", "failed"), (ExitCode.CONFORMS, ExitCode.DEVIATES)),
        ({"kind": "stronger"}, ("stronger", "weaker"), (ExitCode.CONFORMS, ExitCode.DEVIATES)),
        ({"kind": "parity"}, ("different", "different"), (ExitCode.DEVIATES, ExitCode.DEVIATES)),
    ],
)
def test_the_answer_is_in_every_place_and_in_the_exit_code(
    tmp_path: Path, question: Any, verdicts: tuple[str, str], codes: tuple[ExitCode, ExitCode]
) -> None:
    for place, wins in enumerate(("1110" * 30 + "11" * 20, "0001" * 30 + "00" * 20)):
        config = config_of(question, games=400)
        store, found = judged(tmp_path / str(place), config, wins)
        with store:
            page = run_page(store, found)
        console, junit = printed(found), match_junit(found, "test")
        for text in (page, console):
            assert verdicts[place] in text
            assert ("LLR" in text) == (question == SPRT)
        assert ("<failure" in junit) == (codes[place] is ExitCode.DEVIATES)
        expected = None if question["kind"] == "parity" else "stronger"
        assert exit_code(found, complete=True, expected=expected) is codes[place]
        won = wins.count("1")
        for text in (console, printed(found, width=80)):
            assert f"{won}-0-{len(wins) - won}" in text
            assert re.search(r"[+-]\d+ ± \d+", text)
            assert f"{100 * found.parity[0].los:.1f} %" in text


def test_an_open_question_has_the_exit_code_of_undecided_matches(tmp_path: Path) -> None:
    store, found = judged(tmp_path, config_of(SPRT), "10")
    store.close()
    assert exit_code(found, complete=True) is ExitCode.INCONCLUSIVE
    assert "undecided, about" in printed(found)


def test_a_narrow_terminal_still_shows_the_ratio(tmp_path: Path) -> None:
    store, found = judged(tmp_path, config_of(SPRT), "1110" * 10)
    store.close()
    lines = printed(found, width=80).splitlines()
    assert max(map(len, lines)) <= 80
    assert any("LLR" in line for line in lines)


def test_a_match_ends_when_its_question_is_answered(tmp_path: Path) -> None:
    """The old engine resigns at once. Of a hundred thousand games few are played, and all files say why."""
    commands = (
        engine_command("complaining.py", tag="new"),
        engine_command("complaining.py", at="genmove", way="resign", nth=0),
    )
    config = config_of(SPRT, commands, games=100_000, workers=1, audit="off")
    folder = tmp_path / "run"
    with without_workers():
        ended = follow(run_match(MatchSettings(config, folder)), RunFolder(pause=0.0).handle)
    (row,) = ended.verdicts.parity
    assert row.verdict == "passed"
    assert ended.complete
    assert 8 <= row.games < 50_000
    with (folder / "parity.csv").open() as file:
        (line,) = csv.DictReader(file)
    assert (line["verdict"], int(line["losses"])) == ("passed", 0)
    assert float(line["llr"]) >= float(line["llr_high"])
    status = parse_run_status((folder / "status.json").read_bytes())
    assert status.pairs[0].verdict == "passed"
    assert status.pairs[0].elo is None  # infinite: JSON has no such number
    assert "100 Elo" in status.question
    assert pairs_sentence(status.pairs) == "pair: 1 passed"
    assert any("LLR" in text for text in run_tables(status, None))


@pytest.mark.parametrize(
    ("question", "words"),
    [(SPRT, "To end the test"), ({"kind": "parity"}, "To show equal bots equal"), ({"kind": "stronger"}, "")],
)
def test_the_forecast_names_the_games_that_an_answer_takes(question: Any, words: str) -> None:
    purpose, games = games_to_decide(config_of(question))
    assert purpose.startswith(words)
    assert (games > 0) == bool(words)
