"""The clocks of a run: in the store, in the files, and for `conform verify`."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sgfmill.sgf

from harness.arena.config.tables import MatchConfig
from harness.arena.judge.judge import judge
from harness.arena.judge.verification import verify_games
from harness.arena.records import Clocks, GameRecord, Search
from harness.arena.store.store import Store
from harness.report.files.format_sgf import Records
from harness.report.files.match_run import write_run
from harness.report.html.run_page import run_page
from harness.report.text.clock_text import time_controls
from harness.report.text.match_console import findings
from tests.harness.arena.scripted_engine import Script
from tests.harness.arena.test_match_clock import WHITE, match

BYOYOMI = {"main_time": 10, "byoyomi": {"time": 20, "periods": 3}}
"""White needs 10 s, 21 s, and then too long."""
TIMES = (10.0, 21.0, 70.0)

Keep = Callable[[GameRecord, MatchConfig], Store]


@pytest.fixture
def keep(tmp_path: Path) -> Iterator[Keep]:
    stores: list[Store] = []

    def kept(record: GameRecord, config: MatchConfig) -> Store:
        store = Store.create(tmp_path / f"run{len(stores)}")
        stores.append(store)
        store.set_config(config, "now")
        store.add(record)
        return store

    yield kept
    for store in stores:
        store.close()


def played(**run: Any) -> tuple[GameRecord, MatchConfig]:
    game = match(Script(TIMES, vertices=WHITE), **run)
    return game.play(), game.config


def contradictions(store: Store, config: MatchConfig) -> str:
    (game,) = verify_games(store, config)
    return "; ".join(game.contradictions)


def test_a_loss_on_time_is_stored_counted_and_written(keep: Keep, tmp_path: Path) -> None:
    record, config = played(**BYOYOMI)
    store = keep(record, config)
    verdicts = judge(store, config)
    standings = {row.bot: row for row in verdicts.standings}
    assert (standings["a"].points, standings["b"].points) == (1.0, 0.0)
    assert (standings["b"].time_losses, standings["b"].timeouts, standings["b"].voids) == (1, 0, 0)
    assert standings["a"].time_losses == 0
    write_run(store, verdicts, tmp_path, ("csv", "sgf"))
    with (tmp_path / "searches.csv").open() as file:
        late = list(csv.DictReader(file))[-1]
    assert (late["move"], late["color"], float(late["seconds"])) == ("6", "w", 70.0)
    with (tmp_path / "games.csv").open() as file:
        (row,) = csv.DictReader(file)
    assert (row["reason"], row["result"], row["offender"]) == ("time", "B+T", "")
    assert (row["black_clock"], row["white_clock"]) == ("10+3x20", "10+3x20")
    assert contradictions(store, config) == ""


def sgf_of(keep: Keep, record: GameRecord, config: MatchConfig) -> str:
    store = keep(record, config)
    return Records(store, config).text(store.game("p001-g00001"))


def test_the_file_of_a_game_has_its_clocks(keep: Keep) -> None:
    text = sgf_of(keep, *played(**BYOYOMI))
    game = sgfmill.sgf.Sgf_game.from_string(text)
    root = game.get_root()
    assert (root.get("TM"), root.get("OT"), root.get("RE")) == (10, "3x20 byo-yomi", "B+T")
    nodes = game.get_main_sequence()
    assert [node.get("WL") for node in nodes if node.has_property("WL")] == [20.0, 20.0]
    assert [node.get("OW") for node in nodes if node.has_property("OW")] == [3, 2]
    assert [node.get("BL") for node in nodes if node.has_property("BL")] == [10.0, 10.0, 10.0]


def test_sides_with_other_clocks_are_described_in_words(keep: Keep) -> None:
    game = match(Script(TIMES, vertices=WHITE), {"main_time": 20}, main_time=10)
    text = sgf_of(keep, game.play(), game.config)
    assert "TM[" not in text
    assert "time of Black: 10, of White: 20" in text


def longer(record: GameRecord, index: int, seconds: float) -> GameRecord:
    reading = record.readings[index]
    changed = [*record.readings]
    changed[index] = reading._replace(seconds=reading.seconds + seconds)
    return replace(record, readings=changed)


def slower(record: GameRecord, move: int) -> GameRecord:
    searches = [Search(*s[:5], 100.0) if s.move == move else s for s in record.searches]
    return replace(record, searches=searches)


CHANGES: dict[str, tuple[Callable[[GameRecord], GameRecord], str]] = {
    "another clock": (lambda r: replace(r, clocks=Clocks("60", "10+3x20")), "the config gives 10+3x20"),
    "no clock": (lambda r: replace(r, clocks=None, readings=()), "no side has a clock"),
    "a reading is missing": (lambda r: replace(r, readings=r.readings[1:]), "has no reading"),
    "a clock that goes back": (lambda r: longer(r, 2, 0.5), "too much"),
    "the late side has won": (
        lambda r: replace(r, ending=replace(r.ending, result="W+T", winner="w")),
        "was late, and has won on time",
    ),
    "a move after the end of the clock": (lambda r: slower(r, 4), "the game went on"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_clocks_that_contradict_the_game_are_found(keep: Keep, change: str) -> None:
    record, config = played(**BYOYOMI)
    make, words = CHANGES[change]
    assert words in contradictions(keep(make(record), config), config)


def test_a_game_without_clocks_has_no_rows_of_clocks(keep: Keep) -> None:
    record, config = played()
    store = keep(record, config)
    assert not store.has_clocks
    assert "TM[" not in Records(store, config).text(store.game("p001-g00001"))


def test_clocks_and_losses_on_time_are_on_the_page_and_the_console(keep: Keep) -> None:
    record, config = played(**BYOYOMI)
    store = keep(record, config)
    verdicts = judge(store, config)
    page = run_page(store, verdicts)
    assert "b has 10 s for its moves, then 3 periods of 20 s of byo-yomi" in page
    for text in (page, "\n".join(map(str, findings(verdicts)))):
        assert "b lost 1 of its 1 game on the clock" in text
        assert "a lost" not in text


def test_a_page_without_clocks_does_not_mention_them(keep: Keep) -> None:
    record, config = played()
    store = keep(record, config)
    assert 'id="clocks"' not in run_page(store, judge(store, config))


def test_each_kind_of_clock_has_words() -> None:
    keys = {"main_time": 60, "increment": 2}
    config = match(Script(), {"main_time": 60, "byoyomi": {"time": 30, "stones": 5}}).config
    assert list(time_controls(config)) == ["b has 60 s for its moves, then 30 s of byo-yomi for each 5 moves"]
    config = match(Script(), keys).config
    assert list(time_controls(config)) == ["b has 60 s for its moves, then 2 s more after each"]
