"""The page of a run, and the code of its games."""

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from harness.arena.judge.judge import judge
from harness.arena.store.store import Store
from harness.arena.verdicts import EQUAL, UNDECIDED
from harness.report.html.game_codes import ALPHABET, BASE, MARK, PageLimits, coded_moves, digits
from harness.report.html.run_data import run_data
from harness.report.html.run_page import FILE, run_page, write_page
from tests.harness.report.html.page_helpers import Page
from tests.harness.report.html.run_helpers import random_moves, stored_run

NAMES = ["first", "second", "third"]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return stored_run(tmp_path / "run", NAMES, 6, [random_moves(9, 60, seed) for seed in range(4)])


def page_of(store: Store) -> str:
    config = store.config()
    assert config is not None
    return run_page(store, judge(store, config))


def test_the_page_has_every_part_of_a_run(store: Store) -> None:
    text = page_of(store)
    headings = re.findall("<h2>(.*?)</h2>", text)
    parts = "Start here, Standings, Crosstable, Parity, Playout lengths, Speed, Games, Failures"
    assert headings == parts.split(", ")
    page = Page(text)
    for name in NAMES:
        assert name in page.text


def test_a_page_claims_nothing_of_pairs_that_were_dropped_undecided(store: Store) -> None:
    config = store.config()
    assert config is not None
    verdicts = judge(store, config)
    dropped = tuple(replace(pair, dropped=True) for pair in verdicts.pairs)
    open_rows = tuple(replace(row, verdict=UNDECIDED) for row in verdicts.parity)
    none = {name: Counter[str]() for name in NAMES}
    found = replace(verdicts, pairs=dropped, parity=open_rows, failures=none, playouts=())
    assert found.sound
    assert found.decided
    assert "Pairs that were dropped before a verdict do not count." in run_page(store, found)
    equal = tuple(replace(row, verdict=EQUAL) for row in verdicts.parity)
    assert "do not count." not in run_page(store, replace(found, parity=equal))


def test_each_pair_has_a_band_that_ends_at_its_bounds(store: Store) -> None:
    config = store.config()
    assert config is not None
    verdicts = judge(store, config)
    page = page_of(store)
    for row in verdicts.parity:
        pair = f"Score of {row.bot_a} against {row.bot_b} over {row.games} games"
        assert f"{pair}: {row.low:.3f} to {row.high:.3f}" in page
    assert page.count("<polygon") == len(verdicts.parity)


def test_the_page_is_written_as_a_whole_into_the_folder(store: Store, tmp_path: Path) -> None:
    config = store.config()
    assert config is not None
    write_page(store, judge(store, config), tmp_path / "out")
    assert [path.name for path in (tmp_path / "out").iterdir()] == [FILE]


@pytest.mark.parametrize("size", [5, 9, 13, 19])
def test_the_code_of_moves_can_be_read_back(size: int, tmp_path: Path) -> None:
    with stored_run(tmp_path / "run", NAMES[:2], 2, [random_moves(size, 40, 3)], size) as store:
        game = next(iter(store.games()))
    code, length, read = coded_moves(game), 1 if size <= 9 else 2, []
    colour = "w"
    while code:
        if code[0] == MARK:
            code = code[1:]
        else:
            colour = "b" if colour == "w" else "w"
        number = 0
        for char in code[:length]:
            number = number * BASE + ALPHABET.index(char)
        code = code[length:]
        row, column = divmod(number, size)
        vertex = "pass" if number == size * size else f"{'ABCDEFGHJKLMNOPQRST'[column]}{row + 1}"
        read.append(f"{colour}{vertex}")
    assert " ".join(read) == game.moves


def test_no_digit_needs_an_escape() -> None:
    assert not set(ALPHABET) & set("\"'&<>\\")
    assert MARK not in ALPHABET
    assert all(char.isascii() and char.isprintable() for char in ALPHABET)


def test_a_number_that_does_not_fit_is_refused() -> None:
    assert digits(BASE**2 - 1, 2) == ALPHABET[-1] * 2
    with pytest.raises(ValueError, match="does not fit"):
        digits(BASE**2, 2)


def test_a_run_too_large_for_the_page_drops_numbers_of_searches_first_then_moves(store: Store) -> None:
    everything = run_data(store)
    assert everything.coded == everything.detailed == 18
    few = run_data(store, PageLimits(moves=500, searches=600))
    assert 0 < few.detailed < few.coded < 18
    assert len(few.viewer["games"]) == 18
    assert [game[7] is None for game in few.viewer["games"]].count(True) == 18 - few.coded


def test_the_list_of_games_and_the_games_behind_the_charts_are_bounded(store: Store) -> None:
    everything = run_data(store)
    assert everything.listed == everything.charted == 18
    few = run_data(store, PageLimits(texts=600))
    assert 0 < few.listed < 18
    assert few.charted == 18
    assert [game[0] for game in few.viewer["games"]] == [
        game[0] for game in everything.viewer["games"][: few.listed]
    ]
    fewer = run_data(store, PageLimits(games=5))
    assert fewer.listed == fewer.charted == 5
    assert fewer.by_bot == everything.by_bot  # the table of speeds is about all games
    for bot, own in everything.by_bot.items():
        assert own.searches == sum(sums.searches for sums in everything.by_move[bot].values())
        assert own.nodes == sum(sums.nodes for sums in everything.by_move[bot].values())
        assert own.slowest == max(sums.slowest for sums in everything.by_move[bot].values())


def test_the_limits_keep_a_page_below_five_megabytes() -> None:
    """The parts without a limit (tables, charts, scripts) have a few hundred kilobytes."""
    limits = PageLimits()
    assert limits.moves + limits.searches + limits.texts <= 4_500_000


def test_a_run_without_a_game_has_a_page_without_figures(tmp_path: Path) -> None:
    with stored_run(tmp_path / "run", NAMES[:2], 0, [()]) as store:
        text = page_of(store)
    assert "0 games" in text
    assert "No game has been played yet" in text
    assert "Played" not in Page(text).text
    cells = re.findall(r'<td class="number">([^<]*)</td>', text[: text.index("<h2>Games")])
    assert not [cell for cell in cells if re.search(r"693|100\.0", cell)]


def test_the_head_has_the_date_and_the_intervals_are_called_so(store: Store) -> None:
    text = Page(page_of(store)).text
    assert "Played 2026-11-22 08:00 UTC" in text
    assert "95 % interval" in text
    assert "Bounds" not in text


def test_each_pair_has_one_badge(store: Store) -> None:
    text = page_of(store)
    parity = text[text.index("<h2>Parity") : text.index("<h2>Playout lengths")]
    assert parity.count('class="badge') == 3  # of three bots


def test_a_long_name_is_whole_in_the_standings_and_short_elsewhere(tmp_path: Path) -> None:
    names = [f"an-engine-with-a-name-as-long-as-a-name-can-be-build-000000{n}" for n in (1, 2)]
    with stored_run(tmp_path / "run", names, 2, [random_moves(9, 20, 1)]) as store:
        text = page_of(store)
    assert f"<bdi>{names[0]}</bdi>" in text[text.index("<h2>Standings") :]
    parity = text[text.index("<h2>Parity") : text.index("<h2>Games")]
    for name in names:
        assert f'<bdi title="{name}">' in parity
        assert f">{name}<" not in parity
