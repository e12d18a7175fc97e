"""The status of a run from its store, for a run whose status file is missing or damaged."""

from __future__ import annotations

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
    """The trails of the first MOST_TRAILS pairs, by number: the games grow from point to point by GROWTH."""
    from harness.stats.parity import CONFIDENCE, mean_interval  # scipy: half a second

    scores = pair_scores(store, config)
    trails = {}
    for pair in verdicts.pairs[:MOST_TRAILS]:
        means = np.array(scores.get(pair.number, ())) / 2.0  # points per game in each couple of two games
        points, couples = [], 1
        while couples <= means.size:
            low, high = mean_interval(means[:couples], 1.0 - CONFIDENCE)
            points.append(TrailPoint(2 * couples, float(means[:couples].mean()), low, high))
            is_nearly_at_end = couples < means.size < GROWTH * couples  # the last point shows all games
            couples = means.size if is_nearly_at_end else int(GROWTH * couples) + 1
        trails[pair.number] = points
    return trails
