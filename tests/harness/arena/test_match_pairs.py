"""Pairs with conditions of their own: their games, verification, continuation, files and page."""

import json
import re
from pathlib import Path

import pytest
from rich.console import Console

from harness.arena.config.pairs import conditions_of, count_all_games, pairs_of
from harness.arena.config.reader import ConfigError, check_config, parse_config
from harness.arena.config.tables import MatchConfig
from harness.arena.folder.errors import ContinuationError
from harness.arena.folder.folder import open_run
from harness.arena.judge.judge import judge
from harness.arena.pairings import Pairing, pairings
from harness.arena.store.store import Store
from harness.report.files.match_run import write_run
from harness.report.html.run_page import run_page
from harness.report.text.pairs_table import pairs_table
from tests.command_line import conform
from tests.harness.arena.match_helpers import engine_command, play_run, query, stored

PASSING = engine_command("instant.py")
PAIRS: list[dict[str, object]] = [
    {"black": "a", "white": "b"},
    {"black": "b", "white": "c", "size": 9, "komi": 0.5, "handicap": 2, "openings": "none", "games": 4},
    {"black": "c", "white": "a", "colours": "fixed", "games": 3},
    {"black": "a", "white": "b", "komi": -3.0},
]


def pair_config(pairs: list[dict[str, object]] = PAIRS, **run: object) -> MatchConfig:
    engines = [{"name": name, "command": PASSING} for name in "abc"]
    options = {"size": 5, "komi": 7.5, "games": 2, "workers": 1, "openings": "random", **run}
    return check_config({"run": options, "engine": engines, "pair": pairs}, "test")


def test_the_tables_are_the_pairs_and_their_games() -> None:
    config = pair_config()
    pairs = pairs_of(config, list("abc"))
    assert pairs == [
        Pairing(1, "a", "b", 2),
        Pairing(2, "b", "c", 4),
        Pairing(3, "c", "a", 3, fixed=True),
        Pairing(4, "a", "b", 2),
    ]
    assert count_all_games(config, list("abc")) == 11
    fixed = [pairs[2].game(number) for number in (1, 2, 3)]
    assert [(game.black, game.white, game.opening) for game in fixed] == [
        ("c", "a", 0), ("c", "a", 1), ("c", "a", 2),
    ]  # fmt: skip
    assert [conditions_of(config, pair) for pair in (1, 2, 3, 4)] == [
        "", "9x9, komi 0.5, handicap 2, openings none", "fixed colours", "komi -3",
    ]  # fmt: skip


def test_pairs_that_differ_by_their_kind_of_handicap_differ_in_the_table(tmp_path: Path) -> None:
    pairs: list[dict[str, object]] = [
        {}, {"handicap_style": "free"}, {"handicap_bonus": "N"}, {"handicap": 0},
    ]  # fmt: skip
    tables = [{"black": "a", "white": "b", **pair} for pair in pairs]
    config = pair_config(tables, handicap=3, size=9, openings="none")
    found = [conditions_of(config, pair) for pair in (1, 2, 3, 4)]
    assert found == ["", "free handicap 3", "handicap 3, bonus N", "no handicap"]
    with Store.create(tmp_path) as store:
        store.set_config(config, "now")
        verdicts = judge(store, config)
    for width in (80, 160):
        console = Console(record=True, width=width)
        console.print(pairs_table(verdicts))
        table = console.export_text()
        assert all(words in table for words in found)


def test_seeds_of_a_gauntlet_play_everybody_but_each_other() -> None:
    met = [(pair.number, pair.first, pair.second) for pair in pairings("abcde", "gauntlet", 2)]
    assert met == [(2, "a", "c"), (3, "b", "c"), (4, "a", "d"), (5, "b", "d"), (7, "a", "e"), (8, "b", "e")]
    assert pairings("abcd", "gauntlet", 2) == pairings("abcde", "gauntlet", 2)[:4]
    config = pair_config([], format="gauntlet", gauntlet_seeds=2)
    assert [(pair.first, pair.second) for pair in pairs_of(config, "abc")] == [("a", "c"), ("b", "c")]


@pytest.mark.parametrize(
    ("pairs", "run", "words"),
    [
        ([{"black": "a", "white": "x"}], {}, r"\[\[pair\]\] 1 white: no engine has the name 'x'"),
        (
            [{"black": "a", "white": "b"}],
            {"referee": "b", "scorer": "referee"},
            "'b' is the referee and plays no game",
        ),
        ([{"black": "a", "white": "a"}], {}, "with itself"),
        ([{"black": "a", "white": "b", "games": 3}], {}, "games: must be even"),
        ([{"black": "a", "white": "b"}] * 2, {}, r"\[\[pair\]\] 2: repeats an earlier"),
        (
            [{"black": "a", "white": "b", "handicap": 3}],
            {"openings": "none"},
            "5x5 has no fixed points: leave",
        ),
        ([{"black": "a", "white": "b", "opening": "none"}], {}, "did you mean 'openings'"),
        (
            [{"black": "a", "white": "b"}],
            {"games": 3},
            r"\[\[pair\]\] 1: games of \[run\] must be even, not 3",
        ),
        (
            [{"black": "a", "white": "b", "size": 5}],
            {"handicap": 2, "openings": "none"},
            r"\[\[pair\]\] 1: handicap of \[run\] must fit the board: 5x5",
        ),
        ([{"black": "a", "white": "b"}], {"format": "gauntlet"}, "no effect beside"),
        ([], {"format": "gauntlet", "gauntlet_seeds": 3}, "no opponent"),
        ([{"black": "a"}], {}, "white: is missing"),
    ],
)
def test_mistakes_in_pairs(pairs: list[dict[str, object]], run: dict[str, object], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        pair_config(pairs, **run)


def test_a_number_that_is_a_truth_value_is_one_mistake() -> None:
    with pytest.raises(ConfigError) as caught:
        pair_config([{"black": "a", "white": "b", "games": True, "handicap": True}])
    assert "even" not in str(caught.value)
    assert "stones" not in str(caught.value)


def test_a_mistake_in_a_pair_has_its_line() -> None:
    text = "[run]\n[[engine]]\nname='a'\ncommand='x'\n[[engine]]\nname='b'\ncommand='x'\n"
    text += "[[pair]]\nblack='a'\nwhite='b'\n[[pair]]\nblack='b'\nwhite='c'\n"
    with pytest.raises(ConfigError) as caught:
        parse_config(text, "x.toml")
    assert str(caught.value) == "x.toml:13: [[pair]] 2 white: no engine has the name 'c'"


def test_a_run_with_pairs_is_played_verified_shown_and_continued(tmp_path: Path) -> None:
    run = tmp_path / "run"
    ended = play_run(pair_config(), run)
    assert ended.verdicts.games == 11
    assert [row.games for row in ended.verdicts.parity] == [2, 4, 2, 2]
    assert query(run, "SELECT DISTINCT pair, size, komi FROM game ORDER BY pair") == [
        (1, 5, 7.5), (2, 9, 0.5), (3, 5, 7.5), (4, 5, -3.0),
    ]  # fmt: skip
    assert query(run, "SELECT game.pair, stones FROM game_handicap JOIN game ON id = game GROUP BY 1, 2") == [
        (2, 2)
    ]
    verified = conform("verify", run)
    assert verified.returncode == 0, verified.stdout
    rows = (run / "parity.csv").read_text().splitlines()
    assert rows[0].endswith(",pair,conditions")
    assert rows[2].endswith(',2,"9x9, komi 0.5, handicap 2, openings none"')
    with Store.open(run) as store:
        page = run_page(store, ended.verdicts)
        write_run(store, ended.verdicts, run, ["gogui-dat"])
    assert "# Size: 9\n# Komi: 0.5\n" in (run / "gogui-002.dat").read_text()
    for name, exchanged in (("gogui-001.dat", ["0", "1"]), ("gogui-003.dat", ["0", "0", "0"])):
        games = [line.split("\t") for line in (run / name).read_text().splitlines() if line[0] != "#"]
        assert [game[4] for game in games] == exchanged
    (data,) = re.findall(r'id="games-data">(.*?)</script>', page, re.DOTALL)
    viewer = json.loads(data)
    assert viewer["size"] == 5
    assert viewer["sizes"] == {f"p002-g0000{number}": 9 for number in (1, 2, 3, 4)}
    assert "9x9, komi 0.5, handicap 2" in page

    more = [*PAIRS[:2], {**PAIRS[2], "games": 5}, PAIRS[3], {"black": "b", "white": "a", "komi": 0.0}]
    before = stored(run)
    assert play_run(pair_config(more), run).verdicts.games == 15
    after = stored(run)
    assert set(before) < set(after)
    assert len(after) == 15
    refused: list[tuple[list[dict[str, object]], str]] = [
        (more[:2], "3 is gone"),
        ([*more[:4], {**more[4], "komi": 1.0}], "5 komi: 0.0 became 1.0"),
        ([{"black": "a", "white": "c"}, *more[1:]], "'a' - 'b' became 'a' - 'c'"),
        ([*more[:2], {**more[2], "games": 3}, *more[3:]], "3 games: 5 are played already, 3 are asked for"),
        ([], "5 tables became 0"),
    ]
    for changed, words in refused:
        with pytest.raises(ContinuationError, match=re.escape(words)):
            play_run(pair_config(changed), run)
    assert stored(run) == after
    assert conform("verify", run).returncode == 0


def test_a_run_of_pairs_without_an_end_is_continued(tmp_path: Path) -> None:
    pairs: list[dict[str, object]] = [{"black": "a", "white": "b"}]
    play_run(pair_config(pairs, games=2), tmp_path)
    open_run(pair_config(pairs, games=0), tmp_path).close()


def test_two_pairs_of_the_same_bots_have_duplicates_of_their_own(tmp_path: Path) -> None:
    """A pair of bots may play again with another komi: equal moves are then no repetition of a game."""
    pairs = [{"black": "a", "white": "b", "komi": komi} for komi in (0.5, 9.5)]
    ended = play_run(pair_config(pairs, openings="none"), tmp_path / "run")
    assert ended.verdicts.duplicates == {}
    assert [row.pair for row in ended.verdicts.parity] == [1, 2]
