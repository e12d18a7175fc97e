"""How a game of the lane kernel is decided: by the area, or by a short cut."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from refbot.jit import part
from refbot.options import Options
from refbot.playouts.lanes.score import area_margin, stone_margin
from refbot.playouts.tally import CONSIDERED, EARLY_END, FOUND, MERCY_END, WRONG


class EndRules(NamedTuple):
    """What decides a game that has ended. A limit that is not in use is infinite."""

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


@part
def _result(margin):  # type: ignore[no-untyped-def]
    """2 if Black has won, 1 for a draw, 0 if White has won; `margin` is Black's."""
    return 2 if margin > 0.0 else 1 if margin == 0.0 else 0


@part
def half_points(mine, theirs, black_to_move, rules, tally):  # type: ignore[no-untyped-def]
    """The result of a game that has ended, in half-points of Black. Counts short cuts in `tally`."""
    sign = 1.0 if black_to_move else -1.0
    if rules.short_cuts:
        stones = sign * stone_margin(mine, theirs)
        if rules.mercy < np.inf:
            tally[MERCY_END, CONSIDERED] += 1
            if abs(stones) > rules.mercy:
                tally[MERCY_END, FOUND] += 1
                return _result(stones)
        if rules.early_score < np.inf:
            tally[EARLY_END, CONSIDERED] += 1
            result = _result(stones - rules.komi)
            if abs(stones - rules.komi) > rules.early_score:
                tally[EARLY_END, FOUND] += 1
                if rules.check_early_score:
                    tally[EARLY_END, WRONG] += (
                        _result(sign * area_margin(mine, theirs) - rules.komi) != result
                    )
                return result
    return _result(sign * area_margin(mine, theirs) - rules.komi)
