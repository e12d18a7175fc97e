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
    PageLimits,
    coded_moves,
    coded_searches,
)
from harness.report.visible import one_line

MOST_NAME = 60
"""Characters of the name of a bot on the page: configs allow no more."""
MOST_OPENING = 80
"""Characters of the name of an opening on the page. Chosen: a line."""
MOST_DETAIL = 300
"""Characters of the sentence about the end of a game. Chosen: a few lines."""
ROW = 60
"""Characters of a game in the list, without its moves, its searches and texts of its own. An estimate."""


@dataclass
class RunData:
    """The games of a run in code, and sums over their searches."""

    viewer: dict[str, Any] = field(default_factory=dict)  # the JSON that `viewer.js` reads
    by_move: dict[str, dict[int, Sums]] = field(default_factory=dict)  # by bot and move number
    by_bot: dict[str, Sums] = field(default_factory=dict)  # over all games of the run
    began: str = ""  # ISO 8601: when the first of the `charted` games began, and the last of them ended
    ended: str = ""
    charted: int = 0  # games behind `by_move`: the first ones of the run
    listed: int = 0  # games in the page
    coded: int = 0  # games whose moves are in the page
    detailed: int = 0  # games whose searches are in the page

    def add_to_charts(self, game: StoredGame, searches: list[StoredSearch]) -> None:
        """Add the searches of a game to the sums by move, and let its times extend `began` and `ended`."""
        for search in searches:
            self.by_move[search.bot][search.move].add(search)
        self.charted += 1
        self.began = min(self.began or game.started, game.started)
        self.ended = max(self.ended, game.finished)


def run_data(store: Store, limits: PageLimits | None = None) -> RunData:
    """Collect the data. `limits` bounds the size of the page, and the games behind its charts."""
    limits = limits or PageLimits()
    names = store.engine_names()
    sums, most_nodes = store.recorded.search_sums()
    data = RunData(
        by_move={name: defaultdict(Sums) for name in names},
        by_bot={name: sums.get(name, Sums()) for name in names},
    )
    games = _GameList(store, limits, most_nodes)
    for game, searches in islice(_games(store), limits.games):
        data.add_to_charts(game, searches)
        games.add(game, searches)
    data.listed, data.coded, data.detailed = len(games.rows), games.coded, games.detailed
    data.viewer = games.as_data()
    return data


class _GameList:
    """The list of games for `viewer.js`, which leaves out what goes beyond the limits of the page.

    A row is [id, Black, White, result, reason, opening, moves of the opening, moves, searches]. Bots, reasons
    and openings are numbers of texts in lists; moves and searches are in the code of `game_codes`.
    """

    def __init__(self, store: Store, limits: PageLimits, most_nodes: int) -> None:
        """`most_nodes`: the largest number of nodes that a search of the run reported."""
        config = store.config()
        self._size = config.run.size if config else 0
        self._engines = list(store.engines())
        self._names = store.engine_names()
        self._numbers = {name: number for number, name in enumerate(self._names)}
        # Nodes per coded unit, rounded up: the largest number of nodes must fit.
        self._step = -(-most_nodes // MOST_NODES) or 1
        self._texts_left, self._moves_left, self._searches_left = limits.texts, limits.moves, limits.searches
        self._reasons, self._openings = _Numbered(), _Numbered()
        self._details: dict[int, str] = {}  # by index of the row: the sentence about the end of the game
        self._sizes: dict[str, int] = {}  # by id of a game: its board size, if not that of the run
        self.rows: list[list[Any]] = []
        self.coded = self.detailed = 0  # rows with moves, rows with searches

    def add(self, game: StoredGame, searches: list[StoredSearch]) -> None:
        """Add a game; leave it and all later ones out once the texts of the list would become too long."""
        opening = one_line(game.opening, MOST_OPENING)
        texts = ROW + len(self._openings.text_if_new(opening)) + len(game.detail[:MOST_DETAIL])
        self._texts_left -= texts
        if self._texts_left < 0:
            return
        if game.size != self._size:
            self._sizes[game.game_id] = game.size
        if game.detail:
            self._details[len(self.rows)] = one_line(game.detail, MOST_DETAIL)
        moves, coded = self._codes_that_fit(game, searches)
        self.coded += moves is not None
        self.detailed += bool(coded)
        black, white = self._numbers[game.black], self._numbers[game.white]
        row = [game.game_id, black, white, game.result, self._reasons[game.reason]]
        self.rows.append([*row, self._openings[opening], game.opening_moves, moves, coded])

    def _codes_that_fit(self, game: StoredGame, searches: list[StoredSearch]) -> tuple[str | None, str]:
        """The code of the moves (None if it does not fit) and that of the searches (empty if not)."""
        moves = coded_moves(game)
        if len(moves) > self._moves_left:
            return None, ""
        self._moves_left -= len(moves)
        coded = coded_searches(game, searches, self._step)
        if len(coded) > self._searches_left:
            return moves, ""
        self._searches_left -= len(coded)
        return moves, coded

    def as_data(self) -> dict[str, Any]:
        """The JSON that `viewer.js` reads."""
        return {
            "alphabet": ALPHABET,
            "mark": MARK,
            "size": self._size,
            "sizes": self._sizes,
            "nodesStep": self._step,
            "scoreSteps": SCORE_STEPS,
            "bots": [one_line(name, MOST_NAME) for name in self._names],
            "playouts": [engine.playouts for engine in self._engines],
            "reasons": list(self._reasons),
            "openings": list(self._openings),
            "details": self._details,
            "games": self.rows,
        }


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
