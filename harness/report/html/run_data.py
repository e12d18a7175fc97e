"""The data of the games for the page of a run: their code for `viewer.js`, and sums for the charts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from typing import Any

from harness.arena.store.rows import StoredGame, StoredSearch
from harness.arena.store.store import Store
from harness.report.html.game_codes import (
    ALPHABET,
    MARK,
    MOST_NODES,
    SCORE_STEPS,
    Limits,
    coded_moves,
    coded_searches,
)
from harness.report.visible import one_line


@dataclass
class Sums:
    """Sums over some searches of a bot."""

    searches: int = 0
    nodes: int = 0
    with_nodes: int = 0  # searches that reported nodes
    seconds: float = 0.0
    slowest: float = 0.0  # seconds of the slowest search

    def add(self, search: StoredSearch) -> None:
        """Add one search."""
        self.searches += 1
        self.seconds += search.seconds
        self.slowest = max(self.slowest, search.seconds)
        if search.nodes is not None:
            self.nodes += search.nodes
            self.with_nodes += 1


@dataclass
class RunData:
    """The games of a run in code, and sums over their searches."""

    viewer: dict[str, Any]  # the JSON that `viewer.js` reads
    by_move: dict[str, dict[int, Sums]] = field(default_factory=dict)  # by bot and move number
    by_bot: dict[str, Sums] = field(default_factory=dict)
    coded: int = 0  # games whose moves are in the page
    detailed: int = 0  # games whose searches are in the page


def run_data(store: Store, limits: Limits | None = None) -> RunData:
    """Collect the data in one pass over the games. `limits` bounds the code on the page."""
    limits = limits or Limits()
    config = store.config()
    size = config.run.size if config else 0
    names = store.engine_names()
    most_nodes = max((search.nodes or 0 for search in store.searches()), default=0)
    step = -(-most_nodes // MOST_NODES) or 1  # nodes per coded unit, so that the largest number fits
    numbers = {name: number for number, name in enumerate(names)}
    data = RunData({}, {name: defaultdict(Sums) for name in names}, {name: Sums() for name in names})
    rows: list[list[Any]] = []
    details: dict[int, str] = {}
    sizes: dict[str, int] = {}
    reasons, openings = _Numbered(), _Numbered()
    moves_left, searches_left = limits.moves, limits.searches
    for game, searches in _games(store):
        for search in searches:
            data.by_move[search.bot][search.move].add(search)
            data.by_bot[search.bot].add(search)
        if game.size != size:
            sizes[game.game_id] = game.size
        moves = coded_moves(game)
        shown = len(moves) <= moves_left
        coded = coded_searches(game, searches, step) if shown else ""
        coded = coded if len(coded) <= searches_left else ""
        moves_left -= len(moves) if shown else 0
        searches_left -= len(coded)
        data.coded += shown
        data.detailed += bool(coded)
        if game.detail:
            details[len(rows)] = one_line(game.detail, 300)
        row = [game.game_id, numbers[game.black], numbers[game.white], game.result, reasons[game.reason]]
        rows.append(
            [*row, openings[one_line(game.opening)], game.opening_moves, moves if shown else None, coded]
        )
    data.viewer = {
        "alphabet": ALPHABET,
        "mark": MARK,
        "size": size,
        "sizes": sizes,
        "nodesStep": step,
        "scoreSteps": SCORE_STEPS,
        "bots": [one_line(name, 60) for name in names],
        "playouts": [engine.playouts for engine in store.engines()],
        "reasons": list(reasons),
        "openings": list(openings),
        "details": details,
        "games": rows,
    }
    return data


class _Numbered(dict[str, int]):
    """Numbers texts by their first use: `numbered[text]` is the number of a text, from 0."""

    def __missing__(self, text: str) -> int:
        self[text] = len(self)
        return self[text]


def _games(store: Store) -> Iterator[tuple[StoredGame, list[StoredSearch]]]:
    """Every game with its searches. The store yields both in the order of the schedule."""
    groups = groupby(store.searches(), key=attrgetter("game_id"))
    group = next(groups, None)  # the searches of the next game that has any
    for game in store.games():
        searches: list[StoredSearch] = []
        if group is not None and group[0] == game.game_id:
            searches = list(group[1])
            group = next(groups, None)
        yield game, searches
