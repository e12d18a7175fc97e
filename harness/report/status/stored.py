"""The status of a run from its store, for a run whose status file is missing or damaged."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from harness.arena.config.pairs import count_all_games
from harness.arena.config.tables import MatchConfig
from harness.arena.judge.judge import judge, pair_scores
from harness.arena.store.rows import is_complete
from harness.arena.store.store import Store
from harness.arena.verdicts import MatchVerdicts
from harness.report.status.moment import GROWTH, MOST_TRAILS, RECENT, TrailPoint
from harness.report.status.run import GameRow, RunStatus, config_fields, verdict_fields


def stored_status(store: Store) -> RunStatus | None:
    """The status of a stored run; None if the store has no config. Judges all games. Raises StoreError."""
    config = store.config()
    if config is None:
        return None
    verdicts = judge(store, config)
    events = store.events()
    total = count_all_games(config, store.engine_names(), store.played())
    complete = (bool(total) and verdicts.games >= total) or is_complete(events)
    recent = list(store.last_games(RECENT))
    if events:
        started, at = events[0].at, events[-1].at
    else:
        first = next(iter(store.games()), None)
        started, at = first.started if first else "", recent[0].finished if recent else ""
    return RunStatus(
        writer=None,
        state="complete" if complete else "stopped",
        started=started,
        at=at,
        done=verdicts.games,
        total=total,
        rate=0.0,
        seconds_left=None,
        benched={},
        boards=(),
        recent=tuple(
            GameRow(
                game_id=game.game_id,
                black=game.black,
                white=game.white,
                result=game.result,
                reason=game.reason,
                moves=game.move_count,
                finished=game.finished,
            )
            for game in recent
        ),
        **config_fields(config, events),
        **verdict_fields(verdicts, config, store.engines(), _trails(store, config, verdicts)),
    )


def _trails(store: Store, config: MatchConfig, verdicts: MatchVerdicts) -> dict[int, list[TrailPoint]]:
    """The trails of the first MOST_TRAILS pairs, by number of the pair."""
    scores = pair_scores(store, config)
    return {pair.number: make_trail(scores.get(pair.number, ())) for pair in verdicts.pairs[:MOST_TRAILS]}


def make_trail(scores: Sequence[float]) -> list[TrailPoint]:
    """Return the trail of a pair: from point to point the games grow by GROWTH; the last point shows all.

    `scores` are the points of the pair's first bot in each couple of games, 0 to 2.
    """
    from harness.stats.parity import CONFIDENCE, mean_interval  # scipy: half a second

    per_game = np.array(scores) / 2.0
    points, couples = [], 1
    while couples <= per_game.size:
        low, high = mean_interval(per_game[:couples], 1.0 - CONFIDENCE)
        points.append(TrailPoint(2 * couples, float(per_game[:couples].mean()), low, high))
        following = int(GROWTH * couples) + 1
        couples = min(following, per_game.size) if couples < per_game.size else following
    return points
