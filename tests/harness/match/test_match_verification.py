import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from harness.go import Position
from harness.gtp import format_vertex
from harness.match import Ending, Game, GameRecord, MatchConfig, Pairing, Played, Store, verify_games
from harness.match.openings import play_out
from harness.match.store_checksums import seal
from tests.harness.match.match_helpers import MakeConfig
from tests.harness.match.test_match_damage import conform
from tests.harness.match.test_match_store import record

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


def changed(run: Path, change: Callable[[str], str], column: str = "moves") -> None:
    """Change a column of the third game, with a checksum that fits: only the rules can notice it."""
    with closing(sqlite3.connect(run / "run.db")) as db, db:
        ((key, value),) = db.execute(f"SELECT id, {column} FROM game WHERE number = 3").fetchall()
        db.execute(f"UPDATE game SET {column} = ? WHERE id = ?", (change(value), key))
        seal(db, "game", key)


def test_games_that_were_played_by_the_rules_are_confirmed(run: Path, make_config: MakeConfig) -> None:
    assert contradictions(run, config(make_config)) == {}
    code, text = conform("verify", run)
    assert (code, "8 games" in text, "every move is legal" in text) == (0, True, True), text
    with Store.open(run, read_only=True) as store:
        assert sum(game.captures for game in verify_games(store, config(make_config))) > GAMES


def test_the_sample_run_is_confirmed() -> None:
    code, text = conform("verify", ROOT / "reports" / "sample")
    assert (code, "every move is legal" in text) == (0, True), text


@pytest.mark.parametrize(
    ("column", "change", "words"),
    [
        ("moves", lambda moves: f"{moves.split()[0]} {moves}", "illegal (occupied)"),
        ("moves", lambda moves: moves.rsplit(" ", 1)[0], "moves are counted"),
        ("moves", lambda moves: f"bZ9 {moves}", "not a vertex"),
        ("moves", lambda moves: f"xA1 {moves}", "no colour"),
        ("moves", lambda moves: moves + " bpass", "the hash of the moves"),
        ("result", lambda result: result + "5", "the moves and the reason give"),
        ("komi", lambda _: 0.5, "the config has"),
        ("size", lambda _: 99, "a board of size 99"),
        ("reason", lambda _: "resign", "the moves and the reason give"),
        ("white", lambda _: "c", "not an engine"),
    ],
)
def test_what_the_rules_contradict_is_found(
    run: Path, make_config: MakeConfig, column: str, change: Callable[[str], str], words: str
) -> None:
    changed(run, change, column)
    (found,) = contradictions(run, config(make_config)).items()
    assert found[0] == "p001-g00003"
    assert words in found[1]


def test_the_command_names_the_game_and_ends_with_1(run: Path) -> None:
    changed(run, lambda moves: " ".join([moves.split()[0], *moves.split()[:1], *moves.split()[2:]]))
    code, text = conform("verify", run / "run.db")
    assert code == 1
    assert "p001-g00003: move 2" in text
    assert "1 game with moves that contradict" in text
    code, text = conform("verify", run.parent)
    assert (code, "no run is stored there" in text) == (2, True), text
