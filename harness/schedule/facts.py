"""What a stored run says about each bot, as far as a history over runs needs it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from harness.match import DIFFERENT, EngineTable, Judgement, MatchConfig, Standing, Store, judge
from harness.match.judge import PlayoutStatistics

_FIRST_SEARCHES = """
    SELECT CASE search.colour WHEN 'b' THEN black ELSE white END, game_id, moves, opening_moves, nodes
    FROM game JOIN search ON search.game = game.id AND search.move = game.opening_moves + 1
    WHERE nodes IS NOT NULL"""
_SECONDS = """
    SELECT CASE colour WHEN 'b' THEN black ELSE white END AS bot, avg(seconds)
    FROM game JOIN search ON search.game = game.id GROUP BY bot"""


@dataclass(frozen=True)
class BotFacts:
    """One bot in one run."""

    engine: EngineTable
    version: str | None  # as it calls itself: name and version
    playouts: int | None
    standing: Standing
    failures: int  # void games that it is to blame for
    opponents: dict[str, str]  # name: verdict of the pair
    nodes: PlayoutStatistics | None  # on the empty board, against the reference
    seconds_per_move: float | None
    first_searches: dict[tuple[str, ...], int]  # game and opening: nodes of this bot's search after it

    @property
    def different_from(self) -> set[str]:
        """The opponents that it does not score alike with."""
        return {name for name, verdict in self.opponents.items() if verdict == DIFFERENT}


@dataclass(frozen=True)
class RunFacts:
    """One run."""

    name: str
    began: str
    config: MatchConfig
    bots: dict[str, BotFacts]


def facts(folder: Path, began: str) -> RunFacts | None:
    """Read a stored run; None if it has no config, so that nothing was played. Raises StoreError."""
    with Store.open(folder) as store:  # not read-only, which would leave files of SQLite behind
        config = store.config()
        if config is None:
            return None
        judgement = judge(store, config)
        bots = _bots(store, judgement, config)
    return RunFacts(folder.name, began, config, bots)


def _bots(store: Store, judgement: Judgement, config: MatchConfig) -> dict[str, BotFacts]:
    introduced = {
        name: (" ".join(part for part in (called, version) if part) or None, playouts)
        for name, called, version, playouts in store.rows(
            "SELECT name, reported_name, reported_version, playouts FROM engine"
        )
    }
    standings = {row.bot: row for row in judgement.standings}
    seconds = dict(store.rows(_SECONDS))
    nodes = {row.bot: row for row in judgement.playouts}
    searches: defaultdict[str, dict[tuple[str, ...], int]] = defaultdict(dict)
    for bot, game, moves, length, count in store.rows(_FIRST_SEARCHES):
        searches[bot][game, *moves.split(" ", length)[:length]] = count
    opponents: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for pair in judgement.parity:
        opponents[pair.bot_a][pair.bot_b] = pair.verdict
        opponents[pair.bot_b][pair.bot_a] = pair.verdict
    return {
        name: BotFacts(
            engine=config.engines[name],
            version=introduced[name][0],
            playouts=introduced[name][1],
            standing=standings[name],
            failures=sum(judgement.failures[name].values()),
            opponents=opponents[name],
            nodes=nodes.get(name),
            seconds_per_move=seconds.get(name),
            first_searches=searches[name],
        )
        for name in store.engines()
    }
