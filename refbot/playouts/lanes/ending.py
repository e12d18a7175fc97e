"""How a game of the lane kernel is decided: by the area, or by a short cut."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from refbot.compile.jit import leaf
from refbot.deviations.options import Options
from refbot.playouts.tally import CONSIDERED, EARLY_END, FOUND, MERCY_END, WRONG


class EndRules(NamedTuple):
    """The limits that decide an ended game. A limit that is not in use is infinite."""

    komi: float
    short_cuts: bool  # one of the limits is in use
    mercy: float  # stones
    early_score: float  # points
    check_early_score: bool

    @classmethod
    def of(cls, komi: float, options: Options) -> EndRules:
        """The rules of a search."""
        return cls(
            float(komi),
            options.mercy is not None or options.early_score is not None,
            float("inf") if options.mercy is None else float(options.mercy),
            float("inf") if options.early_score is None else float(options.early_score),
            options.check_early_score,
        )


@leaf
def _result(margin):  # type: ignore[no-untyped-def]
    """2 if Black has won, 1 for a draw, 0 if White has won; `margin` is Black's.

    Without a branch, which would be mispredicted every other time, and only after the areas are counted.
    """
    return np.int64(margin > 0.0) + np.int64(margin >= 0.0)


@leaf
def decided_by_stones(stones, black_to_move, rules):  # type: ignore[no-untyped-def]
    """Return whether an ended game needs no count of areas; `stones` is the lead of the side to move."""
    if not rules.short_cuts or rules.check_early_score:
        return False
    lead = stones if black_to_move else -stones
    return abs(lead) > rules.mercy or abs(lead - rules.komi) > rules.early_score


@leaf
def decide(margin, stones, black_to_move, rules, tally):  # type: ignore[no-untyped-def]
    """(Black's lead without komi, result in half-points of Black) of a game that has ended.

    Where a short cut decides, the lead is that in stones; such ends are counted in `tally`. `margin` in area
    and `stones` are those of the side to move. They are needed as far as `decided_by_stones` and `rules` say.
    """
    sign = 1 if black_to_move else -1
    lead, lead_in_stones = sign * margin, sign * stones
    by_area = _result(lead - rules.komi)
    if rules.mercy < np.inf:
        tally[MERCY_END, CONSIDERED] += 1
        if abs(lead_in_stones) > rules.mercy:
            tally[MERCY_END, FOUND] += 1
            return lead_in_stones, _result(np.float64(lead_in_stones))
    if rules.early_score < np.inf:
        tally[EARLY_END, CONSIDERED] += 1
        if abs(lead_in_stones - rules.komi) > rules.early_score:
            tally[EARLY_END, FOUND] += 1
            result = _result(lead_in_stones - rules.komi)
            if rules.check_early_score:
                tally[EARLY_END, WRONG] += by_area != result
            return lead_in_stones, result
    return lead, by_area
