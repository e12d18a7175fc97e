"""Searches of the reference bot by direct calls in this process, without GTP.

They show only faults of the search itself. Faults of GTP, of the rules of the game and of state between games
need a bot that gets commands.
"""

from __future__ import annotations

from collections.abc import Iterable

from harness.check.procedures.probe import Probe
from harness.check.procedures.search import SYMMETRIES, SearchRecord, Series
from harness.gtp import format_vertex
from refbot import search as refbot_search
from refbot.deviations.faults import FAULTS
from refbot.rules import BLACK, WHITE, Game

COLOURS = {"b": BLACK, "w": WHITE}


def lies_in_search(fault: str) -> bool:
    """Return whether direct searches show the fault. True for the right bot ("")."""
    return not fault or FAULTS[fault].in_search


def search_all(probes: Iterable[Probe], fault: str, searches: int, playouts: int, seed: int) -> list[Series]:
    """Make `searches` searches at each probe, under its symmetries in turn, with one fault ("" for none).

    playouts   per search
    seed       of the random numbers of all searches together
    """
    bot = refbot_search.Search(playouts, [fault] if fault else [], seed)
    return [Series(probe, playouts, tuple(_searches(bot, probe, searches))) for probe in probes]


def _searches(bot: refbot_search.Search, probe: Probe, searches: int) -> Iterable[SearchRecord]:
    """Yield the searches at one probe, with the moves on the board of the probe; their seconds are 0."""
    turns = range(SYMMETRIES if probe.turns else 1)
    games = [_game(probe.turned(turn)) for turn in turns]
    for number in range(searches):
        turn = number % len(games)
        found = bot.search(games[turn], COLOURS[probe.to_move])
        point = None if found.move is None else divmod(int(found.move), probe.size)
        move = probe.turned_back(format_vertex(point).upper(), turn)
        yield SearchRecord(move, found.nodes, found.score, 0.0)


def _game(probe: Probe) -> Game:
    """Return the reference bot's game at a probe."""
    game = Game(probe.size, probe.komi)
    for move in probe.position.moves:
        point = None if move.point is None else move.point[0] * probe.size + move.point[1]
        game.play(COLOURS[move.colour], point)
    return game
