"""Faults of optional commands and of the common extensions of GTP.

An entry has the fields `misconception` and `imitates` of `Fault`. A fault of a command that only
`refbot gtp --extensions` has implies this option (`Fault.extension`).
"""

from __future__ import annotations

from functools import partial

from refbot.deviations.fault import Fault

_command = partial(Fault, where="wire")
_extension = partial(_command, extension=True)


class CommandFaults:
    """Faults of optional commands, by clause."""

    # gtp-score
    FINAL_SCORE_LEAVES_PASSES = _command(
        "gtp-score",
        "final_score leaves two passes in the game",
        "engines that play a game to its end to score it, and do not take every move back",
    )
