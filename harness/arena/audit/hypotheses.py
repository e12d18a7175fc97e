"""Predicts what a bot with a known fault reports and chooses in an audited position.

A prediction comes from refbot with this fault. A fault in the playouts needs new playouts. A fault in the
choice of the move uses the right bot's playouts. A fault in the reports changes the right bot's numbers.
`harness.arena.audit.evidence` compares the predictions with the bot.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import numpy.typing as npt

from harness.arena.audit.reference import CHOICES, choose_move, records_of, sums_of
from harness.arena.audit.replay import Choice, Root, point_of, seed_of
from harness.arena.store.audit import AuditedSearch, ReferenceSums
from harness.arena.store.rows import StoredSearch
from refbot.deviations.fault import Fault
from refbot.deviations.faults import FAULTS, Faults
from refbot.playouts import PlayoutStats, playouts
from refbot.rules import BLACK

RIGHT = ""
"""Stands for the bot without a fault, in place of a fault's name."""
LEAST_PLAYOUTS = 400
"""Least number of playouts for a prediction; with many playouts, more (`_count_playouts`). Chosen."""
RIGHT_SEARCHES = 4 * CHOICES
"""Searches that predict the right bot's moves. Each fault has CHOICES searches."""
UNNOTICED = frozenset(
    {
        Faults.REFSCORE_TWO_DECIMALS,  # smaller than the rounding that an audit allows (SCORE_TOLERANCE)
        Faults.NODES_EXPONENT,  # shows only above a million moves
        Faults.PASS_KEEPS_REPORT,  # shows only where a pass is the only move
    }
)
"""Faults in the reports that almost no position of a match shows."""

Matrix = npt.NDArray[np.float64]


def hypotheses() -> tuple[str, ...]:
    """Return the names of the known faults that a single search can show.

    Faults in the random numbers show only when a search is repeated, so they are not among them.
    """
    return tuple(
        name
        for name, fault in FAULTS.items()
        if (fault.in_search or fault is Faults.REFSCORE_PERCENT)  # a match stores any number
        and fault.searches_per_seed == 1
        and fault not in UNNOTICED
    )


def affected_statistics(name: str) -> frozenset[str]:
    """Return the statistics that a fault can change: some of "lengths", "scores" and "moves"."""
    fault = FAULTS[name]
    if fault.clause == "ref-nodes":
        return frozenset({"lengths"})
    if fault.clause == "ref-score":
        return frozenset({"scores"})
    if fault.where in ("amaf", "selection"):
        return frozenset({"moves"})
    if fault.clause in ("area-scoring", "komi"):
        return frozenset({"scores", "moves"})
    return frozenset({"lengths", "scores", "moves"})


@dataclass(frozen=True, eq=False)
class AuditedPosition:
    """An audited search of a bot, with its position.

    before   the bot's previous search in the same game, with its position; None for the first search
    """

    search: AuditedSearch
    root: Root
    komi: float
    playouts: int  # of the bot, per search
    before: tuple[StoredSearch, Root] | None = None

    @property
    def choice(self) -> Choice:
        """The move that the bot chose. Raises VertexError if it resigned."""
        return point_of(self.search.vertex, self.root.position.size)

    @property
    def has_choice(self) -> bool:
        """True if the bot had several candidates and did not resign, so that its move can be compared."""
        return len(self.root.candidates) > 1 and self.search.vertex != "resign"


@dataclass(frozen=True, eq=False)
class Predicted:
    """The predicted report of a bot. Vectors and matrices have the order (length, score).

    mean         mean of one playout, such as (110 moves, 0.52)
    covariance   covariance of one playout
    playouts     number of playouts behind the prediction; 0 if it depends on an unknown earlier search
    rare         variances to add to `covariance`, so that no prediction is certain where all sampled playouts
                 are alike: they stand for one more playout, half the points of the board longer and with the
                 other result. They are equal for all hypotheses: otherwise the right bot, which has the most
                 playouts, would win in such a position.
    """

    mean: Matrix
    covariance: Matrix
    playouts: float
    rare: Matrix


def predict_reports(audited: AuditedPosition, faults: Sequence[str]) -> dict[str, Predicted]:
    """Return the predicted report by fault (RIGHT: none). A fault that cannot change reports is left out."""
    right = _prediction(audited.search.sums, audited)
    found = {RIGHT: right}
    for name in faults:
        fault = FAULTS[name]
        if fault.where == "playout":  # where refbot's code has the fault
            stats = _play(
                audited, audited.root, _count_playouts(audited), f"{name}/reports", frozenset({fault})
            )
            found[name] = _prediction(sums_of(stats, audited.root.position), audited)
        elif fault.playout_counted > 1:  # each playout counts several times: fewer independent ones
            found[name] = replace(right, covariance=right.covariance * fault.playout_counted)
        elif fault.where == "report":
            found[name] = _with_report_fault(fault, right, audited)
    return found


def predict_choices(audited: AuditedPosition, faults: Sequence[str]) -> dict[str, tuple[Choice, ...]]:
    """Return the predicted moves by fault: RIGHT_SEARCHES moves for RIGHT, CHOICES moves for each fault.

    A fault that changes none of the moves is left out, and so is a fault in the reports.
    """
    searches = _search(audited, frozenset(), RIGHT_SEARCHES)
    right = _choose(audited, searches, frozenset())
    found = {}
    for name in faults:
        fault = FAULTS[name]
        if fault.where == "selection":
            found[name] = _choose(audited, searches[:CHOICES], frozenset({fault}))
        elif fault.where in ("playout", "amaf"):
            found[name] = _choose(audited, _search(audited, frozenset({fault}), CHOICES), frozenset())
        elif fault.playout_counted > 1:
            searched = _search(audited, frozenset(), CHOICES, times=fault.playout_counted)
            found[name] = _choose(audited, searched, frozenset())
    changed = {name: moves for name, moves in found.items() if moves != right[:CHOICES]}
    return {RIGHT: right, **changed}


def _search(
    audited: AuditedPosition, faults: frozenset[Fault], searches: int, *, times: int = 1
) -> list[PlayoutStats]:
    """Search with these faults in the playouts. `times`: the bot counts each playout this often."""
    count = max(1, audited.playouts // times)
    purpose = "/".join([*(fault.name for fault in faults), str(times)])
    return [_play(audited, audited.root, count, f"{purpose}/{k}", faults) for k in range(searches)]


def _choose(
    audited: AuditedPosition, searches: Sequence[PlayoutStats], faults: frozenset[Fault]
) -> tuple[Choice, ...]:
    return tuple(
        choose_move(audited.root, stats, _seed(audited, f"tie {number}"), faults)
        for number, stats in enumerate(searches)
    )


def _with_report_fault(fault: Fault, right: Predicted, audited: AuditedPosition) -> Predicted:
    """Return the right bot's prediction, changed as a fault in the reports changes it."""
    change = _CHANGES.get(fault)
    if change is not None:
        return change(right, audited)
    black = audited.root.position.to_move == BLACK
    inverted = {
        Faults.REFSCORE_BLACK: not black,
        Faults.REFSCORE_WHITE: black,
        Faults.REFSCORE_INVERTED: True,
    }
    if not inverted[fault]:
        return right
    opposite = _scale(right, score=-1.0)  # the score r is reported as 1 − r
    return replace(opposite, mean=opposite.mean + np.array([0.0, 1.0]))


def _scale(prediction: Predicted, length: float = 1.0, score: float = 1.0) -> Predicted:
    """Return the prediction for a bot that multiplies its lengths and its scores by these factors."""
    scales = np.array([length, score])
    squares = np.outer(scales, scales)
    mean, rare = prediction.mean * scales, prediction.rare * squares
    return replace(prediction, mean=mean, covariance=prediction.covariance * squares, rare=rare)


def _cumulative_nodes(right: Predicted, audited: AuditedPosition) -> Predicted:
    """The bot never resets its nodes: it adds those of this search to those of the previous one."""
    if audited.before is None or audited.before[0].nodes is None:
        return replace(right, playouts=0.0)
    reported = audited.before[0].nodes / audited.playouts
    return replace(right, mean=right.mean + np.array([reported, 0.0]))


def _stale_nodes(right: Predicted, audited: AuditedPosition) -> Predicted:
    """The bot reports the nodes of its previous search, and the score of this one."""
    if audited.before is None:
        return replace(right, playouts=0.0)
    _, root = audited.before
    stats = _play(audited, root, _count_playouts(audited), "before", frozenset())
    previous = _prediction(sums_of(stats, audited.root.position), audited)
    return Predicted(
        mean=np.array([previous.mean[0], right.mean[1]]),
        covariance=np.diag([previous.covariance[0, 0], right.covariance[1, 1]]),
        playouts=min(previous.playouts, right.playouts),
        rare=previous.rare,
    )


def _best_rate(right: Predicted, audited: AuditedPosition) -> Predicted:
    """The bot reports the win rate of its move (all moves as first), instead of the mean result."""
    rates = []
    searches = _search(audited, frozenset(), CHOICES)
    for move, stats in zip(_choose(audited, searches, frozenset()), searches, strict=True):
        if move is None:  # without a candidate, the score is reported as it is
            return right
        records = records_of(stats)
        rates.append(float(records.wins[move] / max(1, records.visits[move])))
    variance = float(np.var(rates, ddof=1)) * audited.playouts
    return Predicted(
        mean=np.array([right.mean[0], float(np.mean(rates))]),
        covariance=np.diag([right.covariance[0, 0], variance]),
        playouts=CHOICES * audited.playouts,
        # A few equal rates do not show that the rates never vary.
        rare=np.diag([right.rare[0, 0], right.covariance[1, 1] / CHOICES]),
    )


def _without_draws(right: Predicted, audited: AuditedPosition, *, counted: bool) -> Predicted:
    """The bot counts a draw as 0, or (`counted` is false) not at all.

    The sums give the share of draws: r − r² is ¼ for a draw, otherwise 0.
    """
    sums = audited.search.sums
    draws = 4.0 * (sums.wins - sums.wins_squared) / sums.playouts
    if draws <= 0.0:
        return right
    won = float(right.mean[1]) - 0.5 * draws
    counted_share = 1.0 if counted else max(1.0 - draws, 1.0 / sums.playouts)  # of all playouts
    rate = won / counted_share
    return replace(
        right,
        mean=np.array([right.mean[0], rate]),
        covariance=np.diag([right.covariance[0, 0], rate * (1.0 - rate) / counted_share]),
    )


_CHANGES: Mapping[Fault, Callable[[Predicted, AuditedPosition], Predicted]] = {
    Faults.NODES_AVERAGE: lambda right, audited: _scale(right, length=1.0 / audited.playouts),
    Faults.NODES_PLAYOUTS: lambda right, _: replace(
        _scale(right, length=0.0), mean=np.array([1.0, right.mean[1]])
    ),
    Faults.NODES_CUMULATIVE: _cumulative_nodes,
    Faults.NODES_STALE: _stale_nodes,
    Faults.REFSCORE_PERCENT: lambda right, _: _scale(right, score=100.0),
    Faults.REFSCORE_BEST_MOVE: _best_rate,
    Faults.REFSCORE_DRAWS_ZERO: partial(_without_draws, counted=True),
    Faults.REFSCORE_WITHOUT_DRAWS: partial(_without_draws, counted=False),
}
"""By fault in the reports, the change of the right bot's prediction. The other faults invert the score."""


def _count_playouts(audited: AuditedPosition) -> int:
    """Return the number of playouts for a prediction."""
    return max(LEAST_PLAYOUTS, 2 * audited.playouts)


def _prediction(sums: ReferenceSums, audited: AuditedPosition) -> Predicted:
    """Return the prediction that follows from the sums over playouts."""
    variances = [sums.length_sd**2, sums.score_sd**2]
    covariance = np.diag(variances) + sums.covariance * np.array([[0.0, 1.0], [1.0, 0.0]])
    rare = np.diag([(0.5 * audited.root.position.size**2) ** 2, 1.0]) / _count_playouts(audited)
    return Predicted(np.array([sums.length, sums.score]), covariance, sums.playouts, rare)


def _play(
    audited: AuditedPosition, root: Root, count: int, purpose: str, faults: frozenset[Fault]
) -> PlayoutStats:
    """Play `count` playouts from `root`. `purpose` is a part of the seed."""
    seed = _seed(audited, purpose)
    return playouts(root.position, count, audited.komi, seed=seed, amaf=True, faults=faults)


def _seed(audited: AuditedPosition, purpose: str) -> int:
    return seed_of(audited.search.game_id, audited.search.move, "diagnosis", purpose)
