"""Stored runs for tests of readers: a small complete match with games of every kind."""

from __future__ import annotations

import random
from pathlib import Path

from harness.arena.config.tables import MatchConfig
from harness.arena.pairings import Pairing
from harness.arena.records import Ending, Failure, Game, GameRecord, Introduction, Played, Search, Setup
from harness.arena.store.store import Store
from harness.gtp import Colour, other
from tests.harness.arena.match_helpers import MakeConfig

GAMES = 24
Content = dict[str, object]
GAME = Game("p001-g00001", 1, 1, "a", "b", 0)
COLOURS: tuple[Colour, Colour] = ("b", "w")


def record(game: Game = GAME, **changes: object) -> GameRecord:
    """The record of a game with these changes."""
    values = {
        "game": game,
        "board": (9, 7.5),
        "opening": "none",
        "opening_moves": 0,
        "moves": (Played("b", "E5"), Played("w", "pass"), Played("b", "pass")),
        "searches": (Search(1, "b", "E5", 111, 0.4, 0.5), Search(2, "w", "pass", None, None, 0.25)),
        "ending": Ending("score", "B+73.5", "b"),
        "started": "2026-01-01T00:00:00+00:00",
        "finished": "2026-01-01T00:00:01+00:00",
    }
    return GameRecord(**{**values, **changes})  # type: ignore[arg-type]


def stored_run(folder: Path, config: MatchConfig, games: int = GAMES) -> Path:
    """A complete run: won, lost and drawn games, and failures."""
    with Store.create(folder) as store:
        store.set_config(config, "now")
        store.note("start", f"{games} games to play", "now")
        for name in ("a", "b"):
            store.introduce(Introduction(name, f"{name}-bot", "1.0", 100))
        for number in range(1, games + 1):
            store.add(a_game(Pairing(1, "a", "b").game(number)))
        store.note("complete", "", "now")
    return folder


def config(make_config: MakeConfig, games: int = GAMES) -> MatchConfig:
    return make_config({"a": "true", "b": "true"}, games=games, workers=1)


def write_config(path: Path) -> None:
    """The config of the run as a file."""
    engines = "".join(f'[[engine]]\nname = "{name}"\ncommand = "true"\n' for name in ("a", "b"))
    run = f"size = 5\ngames = {GAMES}\nworkers = 1\ntimeout = 60\n"
    path.write_text(f'[run]\n{run}audit = "off"\n{engines}')  # the moves of the games are not legal


def a_game(game: Game) -> GameRecord:
    """Any moves, numbers and results, the same for equal numbers of the game; each eighth game has failed."""
    rng = random.Random(game.number)
    moves = [Played(COLOURS[turn % 2], f"{rng.choice('ABCDE')}{rng.randint(1, 5)}") for turn in range(12)]
    searches = [
        Search(number, move.colour, move.vertex, rng.randrange(10**6), rng.random(), rng.random())
        for number, move in enumerate(moves, 1)
    ]
    values: dict[str, object] = {"board": (5, 7.5), "moves": tuple(moves), "searches": tuple(searches)}
    if game.number % 3 == 0:
        values |= {"opening_moves": 4, "setup": Setup(3, 2)}
    if game.number % 8 == 0:
        failure = Failure("a", "./a", "ended", "printf", "said" * 50, "heard" * 50, b"\xff" * 50)
        loser: Colour = "b" if game.black == "a" else "w"
        winner = other(loser)
        ending = Ending("crash", f"{winner.upper()}+F", winner, loser, "gone")
        return record(game, **values, ending=ending, failure=failure)
    endings = (Ending("score", "B+2.5", "b"), Ending("resign", "W+R", "w"), Ending("score", "0", None))
    return record(game, **values, ending=rng.choice(endings))


def content(folder: Path) -> Content:
    """Everything that readers get from a store. Raises StoreError."""
    with Store.open(folder, read_only=True) as store:
        return {
            "config": store.config(),
            "engines": store.engines(),
            "games": list(store.games()),
            "results": list(store.results()),
            "searches": list(store.searches()),
            "failures": list(store.failures()),
            "events": store.events(),
        }
