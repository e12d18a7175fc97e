"""Stored runs for the tests of pages: games of random legal moves, without an engine."""

from pathlib import Path

from harness.arena.config.reader import check_config
from harness.arena.config.tables import MatchConfig
from harness.arena.pairings import pairings
from harness.arena.records import Ending, Failure, GameRecord, Introduction, Played, Search
from harness.arena.store.store import Store
from harness.go import random_game
from harness.gtp import format_vertex

PLAYOUTS = 100


def config_of(names: list[str], size: int = 9, games: int = 4) -> MatchConfig:
    """A match of these bots, which are never started."""
    engines = [{"name": name, "command": "./bot", "playouts": PLAYOUTS} for name in names]
    run = {"name": "pages", "size": size, "komi": 7.5, "games": games}
    return check_config({"run": run, "engine": engines}, "test")


def random_moves(size: int, length: int, seed: int) -> tuple[Played, ...]:
    """Legal moves at random, Black first."""
    moves = random_game(size, seed, length).moves
    return tuple(Played(move.colour, format_vertex(move.point)) for move in moves)


def searches_of(moves: tuple[Played, ...], opening: int) -> tuple[Search, ...]:
    """A search behind each move after the opening; every tenth reports neither nodes nor a score."""
    return tuple(
        Search(
            number,
            move.colour,
            move.vertex,
            None if number % 10 == 0 else 40 * PLAYOUTS + number,
            None if number % 10 == 0 else round(number / (len(moves) + 1), 3),
            0.01,
        )
        for number, move in enumerate(moves, 1)
        if number > opening
    )


def stored_run(
    folder: Path, names: list[str], games: int, moves: list[tuple[Played, ...]], size: int = 9
) -> Store:
    """A store with `games` games of each pair, their moves in turn from `moves`. The last game fails."""
    store = Store.create(folder)
    store.set_config(config_of(names, size, max(2, games)), "2026-11-22T08:00:00+00:00")
    for name in names:
        store.introduce(Introduction(name, "bot", "1", PLAYOUTS))
    schedule = [
        pair.game(number) for number in range(1, games + 1) for pair in pairings(names, "round-robin")
    ]
    for place, game in enumerate(schedule):
        line = moves[place % len(moves)]
        ending = Ending("score", "B+3.5", "b") if place % 2 else Ending("score", "W+1.5", "w")
        failure = None
        if place == len(schedule) - 1:
            ending = Ending("crash", "W+F", "w", "b", f"{game.black} ended <b>early</b>\x1b[2J")
            failure = Failure(
                game.black, "./bot", "ended", "printf 'x'", "> x\n", "", b"\xff\x00</pre><script>"
            )
        opening = min(2, len(line))
        searches = searches_of(line, opening)
        when = "2026-11-22T08:00:00+00:00"
        record = GameRecord(
            game, (size, 7.5), "random 1", opening, line, searches, ending, when, when, failure
        )
        store.add(record)
    return store
