"""The data of the games for the page of a run: their code for `viewer.js`, and sums for the charts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby, islice
from operator import attrgetter
from typing import Any

from harness.arena.store.recorded import Sums
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

MOST_OPENING = 80
"""Characters of the name of an opening on the page. Chosen: a line."""
MOST_DETAIL = 300
"""Characters of the sentence about the end of a game. Chosen: a few lines."""
ROW = 60
"""Characters of a game in the list, without its moves, its searches and texts of its own."""


@dataclass
class RunData:
    """The games of a run in code, and sums over their searches."""

    viewer: dict[str, Any]  # the JSON that `viewer.js` reads
    by_move: dict[str, dict[int, Sums]] = field(default_factory=dict)  # by bot and move number
    by_bot: dict[str, Sums] = field(default_factory=dict)
    began: str = ""  # ISO 8601: when the first of the games began, and the last of them ended
    ended: str = ""
    charted: int = 0  # games behind `by_move`
    listed: int = 0  # games in the page
    coded: int = 0  # games whose moves are in the page
    detailed: int = 0  # games whose searches are in the page


def run_data(store: Store, limits: Limits | None = None) -> RunData:
    """Collect the data. `limits` bounds the size of the page, and the games behind its charts."""
    limits = limits or Limits()
    config = store.config()
    size = config.run.size if config else 0
    names = store.engine_names()
    sums, most_nodes = store.recorded.search_sums()
    step = -(-most_nodes // MOST_NODES) or 1  # nodes per coded unit, so that the largest number fits
    numbers = {name: number for number, name in enumerate(names)}
    data = RunData({}, {name: defaultdict(Sums) for name in names}, {n: sums.get(n, Sums()) for n in names})
    rows: list[list[Any]] = []
    details: dict[int, str] = {}
    sizes: dict[str, int] = {}
    reasons, openings = _Numbered(), _Numbered()
    moves_left, searches_left, texts_left = limits.moves, limits.searches, limits.texts
    for game, searches in islice(_games(store), limits.games):
        for search in searches:
            data.by_move[search.bot][search.move].add(search)
        data.charted += 1
        data.began = min(data.began or game.started, game.started)
        data.ended = max(data.ended, game.finished)
        opening = one_line(game.opening, MOST_OPENING)
        texts_left -= ROW + len(openings.text_if_new(opening)) + len(game.detail[:MOST_DETAIL])
        if texts_left < 0:
            continue
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
            details[len(rows)] = one_line(game.detail, MOST_DETAIL)
        row = [game.game_id, numbers[game.black], numbers[game.white], game.result, reasons[game.reason]]
        rows.append([*row, openings[opening], game.opening_moves, moves if shown else None, coded])
    data.listed = len(rows)
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

    def text_if_new(self, text: str) -> str:
        """The text if it has no number yet; else empty."""
        return "" if text in self else text

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
