"""Summary of a stored run for the history: the results of each bot."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from harness.arena.config.tables import EngineTable, MatchConfig
from harness.arena.judge.judge import judge
from harness.arena.store.store import Store
from harness.arena.verdicts import (
    ALL_PHASES,
    DIFFERENT,
    EMPTY_BOARD,
    STRONGER,
    WEAKER,
    MatchVerdicts,
    PlayoutStatistics,
    Standing,
)

FOR_THE_SECOND = {STRONGER: WEAKER, WEAKER: STRONGER}
"""By verdict on the first bot of a pair: that on the second. Other verdicts are the same for both."""


@dataclass(frozen=True)
class BotSummary:
    """One bot in one run."""

    engine: EngineTable
    version: str | None  # the name and the version that it reported
    playouts: int | None  # per search
    standing: Standing
    failures: int  # games in which it failed: void, or lost with `forfeits = "loss"`
    # By name: the verdict on this bot against the opponent; of several pairs DIFFERENT, or the last verdict.
    opponents: dict[str, str]
    nodes: PlayoutStatistics | None  # on the empty board, compared with the reference
    audit: PlayoutStatistics | None  # in all audited positions
    seconds_per_move: float | None
    # By (id of a game, moves of its opening …), such as ("p001-g00003", "bE5"): nodes of its first search.
    first_searches: dict[tuple[str, ...], int]

    @property
    def audit_verdicts(self) -> dict[str, str]:
        """The audit's verdict on each statistic of the bot's playouts, by the name of the statistic."""
        return self.audit.verdicts if self.audit is not None else {}


@dataclass(frozen=True)
class RunSummary:
    """One run and its bots, by name."""

    name: str
    began: str  # ISO 8601 with zone
    config: MatchConfig
    bots: dict[str, BotSummary]


def summarise_run(folder: Path, began: str, verdicts: MatchVerdicts | None = None) -> RunSummary | None:
    """Read a stored run; None if it has no config, because no game was played. Raises StoreError.

    The run is judged unless its `verdicts` are given: judging a large run takes seconds.
    """
    with Store.open(folder, read_only=True) as store:
        config = store.config()
        if config is None:
            return None
        bots = _bots(store, verdicts or judge(store, config), config)
    return RunSummary(folder.name, began, config, bots)


def _bots(store: Store, verdicts: MatchVerdicts, config: MatchConfig) -> dict[str, BotSummary]:
    """The summaries of the bots of a run, by name."""
    standings = {row.bot: row for row in verdicts.standings}
    seconds = store.seconds_per_move()
    nodes = {row.bot: row for row in verdicts.playouts if row.phase == EMPTY_BOARD}
    audits = {row.bot: row for row in verdicts.playouts if row.phase == ALL_PHASES}
    searches: defaultdict[str, dict[tuple[str, ...], int]] = defaultdict(dict)
    for search in store.first_searches():
        searches[search.bot][search.game_id, *search.opening] = search.nodes
    opponents: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for pair in verdicts.parity:
        seen_by_second = FOR_THE_SECOND.get(pair.verdict, pair.verdict)
        for bot, other, verdict in (
            (pair.bot_a, pair.bot_b, pair.verdict),
            (pair.bot_b, pair.bot_a, seen_by_second),
        ):
            if opponents[bot].get(other) != DIFFERENT:
                opponents[bot][other] = verdict
    return {
        engine.name: BotSummary(
            engine=config.engines[engine.name],
            version=" ".join(filter(None, (engine.reported_name, engine.reported_version))) or None,
            playouts=engine.playouts,
            standing=standings[engine.name],
            failures=sum(verdicts.failures[engine.name].values()),
            opponents=opponents[engine.name],
            nodes=nodes.get(engine.name),
            audit=audits.get(engine.name),
            seconds_per_move=seconds.get(engine.name),
            first_searches=searches[engine.name],
        )
        for engine in store.engines()
    }
