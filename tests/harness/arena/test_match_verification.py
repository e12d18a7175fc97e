import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from harness.arena.config.openings import OpeningBook, play_out
from harness.arena.config.tables import MatchConfig
from harness.arena.judge.verification import verify_games
from harness.arena.pairings import Pairing
from harness.arena.records import Ending, Game, GameRecord, Played
from harness.arena.store.checksums import seal
from harness.arena.store.store import Store
from harness.go import Position
from harness.gtp import format_vertex
from tests.command_line import conform_forked
from tests.harness.arena.match_helpers import MakeConfig
from tests.harness.arena.stored_runs import record

KOMI = 6.0
GAMES = 8
ROOT = Path(__file__).parents[3]


def random_game(game: Game) -> GameRecord:
    """A game of random moves to its end, with many captures."""
    position = Position(5)
    play_out(position, random.Random(game.number))
    moves = tuple(Played(move.colour, format_vertex(move.point)) for move in position.moves)
    margin = position.area_score() - KOMI
    reason = "score" if [move.vertex for move in moves[-2:]] == ["pass", "pass"] else "move-cap"
    ending = Ending(reason, "0", None)  # type: ignore[arg-type]
    if margin:
        ending = Ending(reason, f"{'B' if margin > 0 else 'W'}+{abs(margin):g}", "b" if margin > 0 else "w")  # type: ignore[arg-type]
    return record(game, board=(5, KOMI), moves=moves, searches=(), ending=ending)


@pytest.fixture
def run(tmp_path: Path, make_config: MakeConfig) -> Path:
    folder = tmp_path / "run"
    with Store.create(folder) as store:
        store.set_config(config(make_config), "now")
        for number in range(1, GAMES + 1):
            store.add(random_game(Pairing(1, "a", "b").game(number)))
    return folder


def config(make_config: MakeConfig) -> MatchConfig:
    return make_config({"a": "true", "b": "true"}, games=GAMES, komi=KOMI)


def contradictions(run: Path, config: MatchConfig) -> dict[str, str]:
    """What the rules find, also in rows that a look at their values alone refuses."""
    with Store.open(run, read_only=True, checked=False) as store:
        return {
            g.game_id: "; ".join(g.contradictions) for g in verify_games(store, config) if g.contradictions
        }


def changed(run: Path, change: Callable[[str], object], column: str = "moves") -> None:
    """Change a column of the third game, with a checksum that fits: only the rules can notice it."""
    with closing(sqlite3.connect(run / "run.db")) as db, db:
        ((key, value),) = db.execute(f"SELECT id, {column} FROM game WHERE number = 3").fetchall()
        db.execute(f"UPDATE game SET {column} = ? WHERE id = ?", (change(value), key))
        seal(db, "game", key)


def test_games_that_were_played_by_the_rules_are_confirmed(run: Path, make_config: MakeConfig) -> None:
    assert contradictions(run, config(make_config)) == {}
    code, text = conform_forked("verify", run)
    assert (code, "8 games" in text, "every move is legal" in text) == (0, True, True), text
    with Store.open(run, read_only=True) as store:
        assert sum(game.captures for game in verify_games(store, config(make_config))) > GAMES


def test_games_of_the_sample_run_are_confirmed() -> None:
    with Store.open(ROOT / "reports" / "sample", read_only=True) as store:
        found = store.config()
        assert found is not None
        assert not any(game.contradictions for game in islice(verify_games(store, found), 10))


@pytest.mark.slow
def test_the_sample_run_is_confirmed() -> None:
    code, text = conform_forked("verify", ROOT / "reports" / "sample")
    assert (code, "every move is legal" in text) == (0, True), text


@pytest.mark.parametrize(
    ("column", "change", "words"),
    [
        ("moves", lambda moves: f"{moves.split()[0]} {moves}", "illegal (occupied)"),
        ("moves", lambda moves: moves.rsplit(" ", 1)[0], "moves are counted"),
        ("opening_moves", lambda _: 999, "the opening has 999 moves, the game"),
        ("moves", lambda moves: f"bZ9 {moves}", "not a vertex"),
        ("moves", lambda moves: f"xA1 {moves}", "no colour"),
        ("moves", lambda moves: moves + " bpass", "the hash of the moves"),
        ("result", lambda result: result + "5", "the moves and the reason give"),
        ("komi", lambda _: 0.5, "the config has"),
        ("size", lambda _: 99, "a board of size 99"),
        ("reason", lambda _: "resign", "the moves and the reason give"),
        ("white", lambda _: "c", "the schedule has 'a' and 'b'"),
    ],
)
def test_what_the_rules_contradict_is_found(
    run: Path, make_config: MakeConfig, column: str, change: Callable[[str], str], words: str
) -> None:
    changed(run, change, column)
    (found,) = contradictions(run, config(make_config)).items()
    assert found[0] == "p001-g00003"
    assert words in found[1]


@pytest.mark.parametrize(
    ("column", "value", "words"),
    [
        ("pair", 7, "the schedule has no pair 7"),
        ("number", GAMES + 1, f"no game {GAMES + 1} of pair 1"),
        ("game_id", "p001-g00099", "the schedule has the id p001-g00003"),
        ("opening", "random 2", "the opening is 'random 2', the schedule has 'none'"),
        ("opening_moves", 1, "the moves of the opening are not those of 'none'"),
    ],
)
def test_a_game_that_is_not_the_one_of_the_schedule_is_found(
    run: Path, make_config: MakeConfig, column: str, value: object, words: str
) -> None:
    changed(run, lambda _: value, column)
    (found,) = contradictions(run, config(make_config)).values()
    assert words in found


def test_exchanged_colours_are_found(run: Path, make_config: MakeConfig) -> None:
    changed(run, lambda _: "b", "black")
    changed(run, lambda _: "a", "white")
    (found,) = contradictions(run, config(make_config)).values()
    assert "'b' has Black" in found


@pytest.mark.parametrize(
    ("moves", "words"),
    [
        ("bA1 bB1 wE5 bpass wpass", "a side moves twice in a row"),
        ("wA1 bB1 wpass bpass", "the wrong side moves first"),
        ("bA1 wpass bpass wE5 bpass wpass", "goes on after two passes"),
    ],
)
def test_moves_out_of_turn_are_found(tmp_path: Path, make_config: MakeConfig, moves: str, words: str) -> None:
    """The rules of both boards allow any side to move."""
    with Store.create(tmp_path / "run") as store:
        store.set_config(config(make_config), "now")
        played = tuple(Played("b" if move[0] == "b" else "w", move[1:]) for move in moves.split())
        game = Pairing(1, "a", "b").game(1)
        ending = Ending("resign", "B+R", "b")
        store.add(record(game, board=(5, KOMI), moves=played, searches=(), ending=ending))
    (found,) = contradictions(tmp_path / "run", config(make_config)).values()
    assert words in found


def test_games_of_another_schedule_are_all_named(run: Path, make_config: MakeConfig) -> None:
    with Store.open(run) as store:
        for number in range(1, 31):
            beyond = Pairing(1, "a", "b").game(GAMES + number)
            store.add(random_game(replace(beyond, id=f"stranger-{number}")))
    found = contradictions(run, config(make_config))
    assert sorted(found) == sorted(f"stranger-{number}" for number in range(1, 31))
    code, text = conform_forked("verify", run)
    assert (code, "30 games with contradictions" in text) == (1, True), text


def test_a_random_opening_is_drawn_again(tmp_path: Path, make_config: MakeConfig) -> None:
    openings = {"kind": "random", "moves": 3}
    settings = make_config({"a": "true", "b": "true"}, games=GAMES, komi=KOMI, openings=openings)
    book = OpeningBook(settings.run)
    with Store.create(tmp_path / "run") as store:
        store.set_config(settings, "now")
        for number in (1, 2, 3, 4):
            game = Pairing(1, "a", "b").game(number)
            opening = book.opening(game.opening if number < 4 else 3)  # the last has another one
            store.add(
                record(
                    game,
                    board=(5, KOMI),
                    moves=opening.moves,
                    opening_moves=len(opening.moves),
                    opening=f"random {game.opening + 1}",
                    searches=(),
                    ending=Ending("resign", "B+R", "b"),
                )
            )
    found = contradictions(tmp_path / "run", settings)
    assert list(found) == ["p001-g00004"]
    assert "the moves of the opening are not those of 'random 2'" in found["p001-g00004"]


def test_the_command_names_the_game_and_ends_with_1(run: Path) -> None:
    changed(run, lambda moves: " ".join([moves.split()[0], *moves.split()[:1], *moves.split()[2:]]))
    code, text = conform_forked("verify", run / "run.db")
    assert code == 1
    assert "p001-g00003: move 2" in text
    assert "1 game with contradictions" in text
    code, text = conform_forked("verify", run.parent)
    assert (code, "no run is stored there" in text) == (2, True), text
