"""Predictions for refbot with a fault in the positions of a match: lengths, scores and chosen moves.

A fault of the playouts needs playouts of its own. A fault of the choice chooses from the records of the right
bot's playouts. A fault of the reports changes the right bot's numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from harness.arena.audit.reference import CHOICES, chosen, records_of, sums_of
from harness.arena.audit.replay import Root, point_of, seed_of
from harness.arena.store.audit import AuditedSearch, ReferenceSums
from harness.arena.store.rows import StoredSearch
from refbot.deviations.fault import Fault
from refbot.deviations.faults import FAULTS, Faults
from refbot.playouts import PlayoutStats, playouts
from refbot.rules import BLACK

RIGHT = ""
"""In place of a fault's name: the bot without any."""
LEAST_PLAYOUTS = 400
"""Playouts of a hypothesis in a position; the double of the bot's, if that is more. Chosen."""
RIGHT_SEARCHES = 4 * CHOICES
"""Searches of the right bot whose moves are compared. Every fault has CHOICES of them, so that none gains."""
UNNOTICED = frozenset(
    {
        Faults.REFSCORE_TWO_DECIMALS,  # smaller than what an audit allows for printing
        Faults.NODES_EXPONENT,  # shows from a million moves on
        Faults.PASS_KEEPS_REPORT,  # shows only where the bot cannot but pass
    }
)
"""Faults of the reports that hardly any position of a match shows."""

Matrix = npt.NDArray[np.float64]
Choice = int | None
"""A point; None for a pass."""


def hypotheses() -> tuple[str, ...]:
    """The faults that show in searches of single positions.

    Searches that share random numbers show it only by their repetition, which no single position has.
    """
    return tuple(
        name
        for name, fault in FAULTS.items()
        if (fault.in_search or fault is Faults.REFSCORE_PERCENT)  # a match stores any number
        and fault.searches_per_seed == 1
        and fault not in UNNOTICED
    )


def may_change(name: str) -> frozenset[str]:
    """Which of lengths, scores and moves a fault may change: no other difference is explained by it."""
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
class Place:
    """An audited search of a bot, with its position.

    `before`: the bot's search before it in the same game, with its position; None at the first one.
    """

    search: AuditedSearch
    root: Root
    komi: float
    playouts: int  # of the bot
    before: tuple[StoredSearch, Root] | None = None

    @property
    def choice(self) -> Choice:
        """The move that the bot chose. Not for a search that the bot answered by resigning."""
        return point_of(self.search.vertex, self.root.position.size)

    @property
    def compares_choice(self) -> bool:
        """The bot had a choice, and made it."""
        return len(self.root.candidates) > 1 and self.search.vertex != "resign"


@dataclass(frozen=True, eq=False)
class Shown:
    """Length and score of a playout as a bot with a fault reports them: mean and covariance of one playout.

    `rare`: the variances of one kind of playout that is too rare to be among those that were played: one that
    is longer by half the number of points, or ends with the other result. They are the same for the right
    bot, although more playouts of it are known: it would else be favoured wherever all playouts are alike.
    `playouts`: the number of playouts that these come from. 0: the search before is not known, on which
    the report depends.
    """

    mean: Matrix
    covariance: Matrix
    playouts: float
    rare: Matrix


def shown_reports(place: Place, faults: Sequence[str]) -> dict[str, Shown]:
    """Return the reports of the right bot and of bots with the faults that change a report."""
    right = _summed(place.search.sums, place)
    found = {RIGHT: right}
    for name in faults:
        fault = FAULTS[name]
        if fault.where == "playout":
            stats = _played(place, place.root, _count(place), f"{name}/reports", frozenset({fault}))
            found[name] = _summed(sums_of(stats, place.root.position), place)
        elif fault.playout_counted > 1:
            found[name] = replace(right, covariance=right.covariance * fault.playout_counted)
        elif fault.where == "report":
            found[name] = _reported(fault, right, place)
    return found


def shown_choices(place: Place, faults: Sequence[str]) -> dict[str, tuple[Choice, ...]]:
    """The moves that the right bot chooses, and those of bots with faults that change the choice."""
    searches = _searches(place, frozenset(), RIGHT_SEARCHES)
    right = _chosen(place, searches, frozenset())
    found = {}
    for name in faults:
        fault = FAULTS[name]
        if fault.where == "selection":
            found[name] = _chosen(place, searches[:CHOICES], frozenset({fault}))
        elif fault.where in ("playout", "amaf"):
            found[name] = _chosen(place, _searches(place, frozenset({fault}), CHOICES), frozenset())
        elif fault.playout_counted > 1:
            searched = _searches(place, frozenset(), CHOICES, times=fault.playout_counted)
            found[name] = _chosen(place, searched, frozenset())
    changed = {name: moves for name, moves in found.items() if moves != right[:CHOICES]}
    return {RIGHT: right, **changed}


def _searches(place: Place, faults: frozenset[Fault], searches: int, *, times: int = 1) -> list[PlayoutStats]:
    """Searches of a bot whose playouts have these faults, or that counts each playout several times."""
    count = max(1, place.playouts // times)
    purpose = "/".join([*(fault.name for fault in faults), str(times)])
    return [_played(place, place.root, count, f"{purpose}/{k}", faults) for k in range(searches)]


def _chosen(place: Place, searches: Sequence[PlayoutStats], faults: frozenset[Fault]) -> tuple[Choice, ...]:
    return tuple(
        chosen(place.root, stats, _seed(place, f"tie {number}"), faults)
        for number, stats in enumerate(searches)
    )


def _reported(fault: Fault, right: Shown, place: Place) -> Shown:
    """The right bot's numbers as a bot with this fault reports them."""
    change = _CHANGES.get(fault)
    if change is not None:
        return change(right, place)
    black = place.root.position.to_move == BLACK
    turned = {Faults.REFSCORE_BLACK: not black, Faults.REFSCORE_WHITE: black, Faults.REFSCORE_INVERTED: True}
    if not turned[fault]:
        return right
    opposite = _scaled(right, score=-1.0)
    return replace(opposite, mean=opposite.mean + np.array([0.0, 1.0]))


def _scaled(shown: Shown, length: float = 1.0, score: float = 1.0) -> Shown:
    scales = np.array([length, score])
    squares = np.outer(scales, scales)
    return replace(
        shown, mean=shown.mean * scales, covariance=shown.covariance * squares, rare=shown.rare * squares
    )


def _after_last(right: Shown, place: Place) -> Shown:
    """The sum over all searches: what the search before reported, and the moves of this one."""
    if place.before is None or place.before[0].nodes is None:
        return replace(right, playouts=0.0)
    reported = place.before[0].nodes / place.playouts
    return replace(right, mean=right.mean + np.array([reported, 0.0]))


def _of_last(right: Shown, place: Place) -> Shown:
    """The lengths of the position before, with the score of this one."""
    if place.before is None:
        return replace(right, playouts=0.0)
    _, root = place.before
    stats = _played(place, root, _count(place), "before", frozenset())
    earlier = _summed(sums_of(stats, place.root.position), place)
    return Shown(
        np.array([earlier.mean[0], right.mean[1]]),
        np.diag([earlier.covariance[0, 0], right.covariance[1, 1]]),
        min(earlier.playouts, right.playouts),
        earlier.rare,
    )


def _best_rate(right: Shown, place: Place) -> Shown:
    """The rate of the move that is played, from searches with as many playouts as the bot's."""
    rates = []
    searches = _searches(place, frozenset(), CHOICES)
    for move, stats in zip(_chosen(place, searches, frozenset()), searches, strict=True):
        if move is None:  # without a candidate, the score is reported as it is
            return right
        records = records_of(stats)
        rates.append(float(records.wins[move] / max(1, records.visits[move])))
    variance = float(np.var(rates, ddof=1)) * place.playouts
    return Shown(
        np.array([right.mean[0], float(np.mean(rates))]),
        np.diag([right.covariance[0, 0], variance]),
        CHOICES * place.playouts,
        np.diag([right.rare[0, 0], right.covariance[1, 1] / CHOICES]),
    )


def _without_draws(right: Shown, place: Place) -> Shown:
    """The wins alone: r² falls short of r by ¼ for a draw, and by nothing otherwise."""
    sums = place.search.sums
    draws = 4.0 * (sums.wins - sums.wins_squared) / sums.playouts
    if draws <= 0.0:
        return right
    wins = float(right.mean[1]) - 0.5 * draws
    return replace(
        right,
        mean=np.array([right.mean[0], wins]),
        covariance=np.diag([right.covariance[0, 0], wins * (1.0 - wins)]),
    )


_CHANGES: Mapping[Fault, Callable[[Shown, Place], Shown]] = {
    Faults.NODES_AVERAGE: lambda right, place: _scaled(right, length=1.0 / place.playouts),
    Faults.NODES_PLAYOUTS: lambda right, _: replace(
        _scaled(right, length=0.0), mean=np.array([1.0, right.mean[1]])
    ),
    Faults.NODES_CUMULATIVE: _after_last,
    Faults.NODES_STALE: _of_last,
    Faults.REFSCORE_PERCENT: lambda right, _: _scaled(right, score=100.0),
    Faults.REFSCORE_BEST_MOVE: _best_rate,
    Faults.REFSCORE_DRAWS_ZERO: _without_draws,
}
"""How faults of the reports change the right bot's numbers; the other ones turn the score round."""


def _count(place: Place) -> int:
    """The playouts of a hypothesis."""
    return max(LEAST_PLAYOUTS, 2 * place.playouts)


def _summed(sums: ReferenceSums, place: Place) -> Shown:
    """Mean and covariance of one playout."""
    variances = [sums.length_sd**2, sums.score_sd**2]
    covariance = np.diag(variances) + sums.covariance * np.array([[0.0, 1.0], [1.0, 0.0]])
    rare = np.diag([(0.5 * place.root.position.size**2) ** 2, 1.0]) / _count(place)
    return Shown(np.array([sums.length, sums.score]), covariance, sums.playouts, rare)


def _played(place: Place, root: Root, count: int, purpose: str, faults: frozenset[Fault]) -> PlayoutStats:
    seed = _seed(place, purpose)
    return playouts(root.position, count, place.komi, seed=seed, amaf=True, faults=faults)


def _seed(place: Place, purpose: str) -> int:
    return seed_of(place.search.game_id, place.search.move, "diagnosis", purpose)
