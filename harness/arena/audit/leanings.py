"""Evidence that a bot chooses its moves by a faulty rule: its leaning towards moves that this rule prefers.

The leaning of a move towards a rule is the ratio of two chances: that the faulty rule chooses the move, and
that the right rule does. A bot with this rule has high ranks among the moves of the reference. A right bot
has uniform ranks (`harness.stats.ranks`), even if the chances are rough.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from harness.arena.audit.replay import Choice
from harness.stats import rank_of
from refbot.deviations.fault import Fault
from refbot.deviations.faults import FAULTS
from refbot.playouts import Amaf, playouts
from refbot.rules import Position
from refbot.search.select import chances

LEAST_PLAYOUTS = 400
"""Least number of playouts under each rule; otherwise as many as the bot makes per search. Chosen."""
DRAWS = 96
"""Searches of the bot that are simulated from the records of these playouts. More are slower. Chosen."""

RULES: Mapping[str, Fault] = {
    name: fault for name, fault in FAULTS.items() if fault.where in ("amaf", "selection")
}
"""The faults in the all-moves-as-first records or in the choice. None of them changes lengths or scores."""

Chances = npt.NDArray[np.float64]


def leanings(
    position: Position,
    candidates: npt.NDArray[np.int64],
    komi: float,
    count: int,
    moves: Sequence[Choice],
    own: Choice,
    seed: int,
) -> dict[str, tuple[int, int]]:
    """Return by rule the rank of the bot's move `own` among `moves`, which a reference bot chose here.

    A rank is (number of moves with a smaller leaning, number with an equal leaning): (14, 0) among 15 moves
    says that the rule prefers the bot's move to 14 of them. A rule that does not distinguish these moves is
    left out. `count`: playouts per search of the bot.
    """
    columns = {int(point): column for column, point in enumerate(candidates)}
    # In `ratios`: a candidate has its column, a pass the column after them, any other move the last.
    columns_of = [columns.get(move, -1) if move is not None else len(columns) for move in (*moves, own)]
    (_, of_right_rule), *of_faulty_rules = _chances(position, candidates, komi, count, seed)
    ranks = {}
    for name, of_rule in of_faulty_rules:
        ratios = np.append(np.log(of_rule / of_right_rule), 0.0)
        *others, bots_own = (float(ratios[column]) for column in columns_of)
        rank = rank_of(bots_own, others)
        if rank.equal < rank.others:
            ranks[name] = rank.below, rank.equal
    return ranks


def _chances(
    position: Position, candidates: npt.NDArray[np.int64], komi: float, count: int, seed: int
) -> Iterator[tuple[str, Chances]]:
    """Yield (rule, chances that a search chooses each candidate; the last is the chance of a pass).

    The right rule comes first, with the name "". All rules use the same playouts and the same random numbers,
    so only the rules differ. No chance is 0: half a draw is added to each.
    """
    rng = np.random.default_rng(seed)
    noise = rng.standard_normal((2, DRAWS, len(candidates)))
    played = max(LEAST_PLAYOUTS, count)
    right = _records(position, played, komi, seed, frozenset())
    for name, fault in (("", None), *RULES.items()):
        faults = frozenset() if fault is None else frozenset({fault})
        in_records = fault is not None and fault.where == "amaf"
        records = _records(position, played, komi, seed, faults) if in_records else right
        visits, wins = _simulate_searches(records, candidates, count, played, noise)
        found = chances(
            visits, wins, after_pass=position.passes > 0, faults=frozenset() if in_records else faults
        )
        yield name, (found.sum(axis=0) + 0.5) / (DRAWS + 1.0)


def _records(position: Position, played: int, komi: float, seed: int, faults: frozenset[Fault]) -> Amaf:
    """Run playouts with the scalar kernel, whose playouts do not change with a fault in the records."""
    stats = playouts(position, played, komi, seed=seed, amaf=True, faults=faults, kernel="scalar")
    assert stats.amaf is not None
    return stats.amaf


def _simulate_searches(
    records: Amaf,
    candidates: npt.NDArray[np.int64],
    count: int,
    played: int,
    noise: npt.NDArray[np.float64],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Simulate DRAWS searches of `count` playouts. Return (visits, wins) of the candidates.

    Both have a row for each search. They are normal around the records of the `played` playouts. The
    independence of moves is approximate.
    """
    share = records.visits[candidates] / played
    win_rate = records.wins[candidates] / np.maximum(1, records.visits[candidates])
    spread = np.sqrt(count * share * np.maximum(0.0, 1.0 - share))
    visits = np.maximum(0, np.rint(count * share + spread * noise[0])).astype(np.int64)
    spread = np.sqrt(win_rate * (1.0 - win_rate) / np.maximum(1, visits))
    wins = np.rint(2.0 * visits * np.clip(win_rate + spread * noise[1], 0.0, 1.0)) / 2.0
    return visits, wins
