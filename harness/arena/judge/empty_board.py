"""Judges the bots' playouts from the empty board, whose mean length the oracle knows. Needs no audit."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from harness.arena.config.tables import MatchConfig
from harness.arena.store.rows import FirstSearch
from harness.arena.store.store import Store
from harness.arena.verdicts import DIFFERENT, EQUAL, UNDECIDED, PlayoutStatistics
from harness.oracle.expected import Expected, stored_moments

if TYPE_CHECKING:
    from harness.stats import MeanEvidence

# harness.stats imports scipy, so functions import it when they are called (see `judge`).

PLAYOUT_MARGIN = 0.0025
"""Two mean playout lengths are equal if they differ by at most this fraction of the reference's.

Chosen: half this margin would need four times as many searches.
"""


def verdict_of(equivalence_p: float, beta: float, *, differs: bool) -> str:
    """Return DIFFERENT if a test `differs`, else EQUAL if `equivalence_p` is at most `beta`, else UNDECIDED.

    equivalence_p   p-value against "differs by the margin or more"
    """
    return DIFFERENT if differs else EQUAL if equivalence_p <= beta else UNDECIDED


def judge_stored_empty_board(
    store: Store, config: MatchConfig, counts: Mapping[str, int], alpha: float
) -> tuple[PlayoutStatistics, ...]:
    """Return the rows of `judge_empty_board` for the games in the store."""
    totals: defaultdict[str, list[int]] = defaultdict(list)
    add_first_searches(store.first_searches(empty_board=True), totals, config)
    return judge_empty_board(totals, config, counts, alpha)


def add_first_searches(
    searches: Iterable[FirstSearch], totals: defaultdict[str, list[int]], config: MatchConfig
) -> None:
    """Add the nodes of searches on the empty board to the `totals` of `judge_empty_board`.

    Searches on boards of another size than that of `[run]` are left out.
    """
    for search in searches:
        if config.size_of(search.game_id) == config.run.size:  # the reference is for this size
            totals[search.bot].append(search.nodes)


def judge_empty_board(
    totals: Mapping[str, list[int]], config: MatchConfig, counts: Mapping[str, int], alpha: float
) -> tuple[PlayoutStatistics, ...]:
    """Return a row for each bot in `counts` with nodes on the empty board; no rows if the oracle lacks it.

    totals   by bot, the nodes of each first search on the empty board
    counts   playouts per search of the bots for which it is known, in the order of the rows
    alpha    chance of any false alarm
    """
    from harness.stats import holm

    moments = empty_board_moments(config.run.size, config.run.komi)
    if moments is None:
        return ()
    judged = {bot: _judge_nodes(totals[bot], counts[bot], moments) for bot in counts if totals.get(bot)}
    rejected = set(holm({bot: e.p_value for bot, e in judged.items()}, alpha).refused)
    reference = moments.mean_length
    return tuple(
        PlayoutStatistics(
            bot, e.searches, e.playouts, e.mean, reference, e.deviation, e.low, e.high,
            verdict_of(e.equivalence_p, config.run.beta, differs=bot in rejected),
        )
        for bot, e in judged.items()
    )  # fmt: skip


def _judge_nodes(totals: list[int], playouts: int, moments: Expected) -> MeanEvidence:
    from harness.stats import Reference, judge_mean

    reference = Reference(
        moments.mean_length,
        moments.sd_length,
        moments.se_length,
        moments.skew_length,
        moments.excess_kurtosis_length,
    )
    return judge_mean(totals, playouts, reference, margin=PLAYOUT_MARGIN * moments.mean_length)


def empty_board_moments(size: int, komi: float) -> Expected | None:
    """Return the moments of a playout from the empty board; None where the oracle has no table.

    Only the moments of the length may be used: the table may be that of another komi.
    """
    known = stored_moments()
    exact = known.get(f"{size}x{size} empty, komi {komi:g}")
    if exact is not None:
        return exact
    return next((e for name, e in known.items() if name.startswith(f"{size}x{size} empty,")), None)
