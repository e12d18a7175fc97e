"""`gtp.explore`, `ref.explore`, `ref.parity`: random dialogues, random positions and a match; all run last.

The explorations look for faults that no other check is about. The match is played in a thorough run alone
(`--budget thorough`), and only while nothing deviates and the bot's number of playouts is known.
"""

from __future__ import annotations

from harness.check.procedures.parity_match import ParityMatch
from harness.explore.procedures import ExploreDialogues, ExplorePositions
from harness.suite.statement import must

DIALOGUES = must(
    "gtp.explore", "In random sessions, the bot gives only answers that a conforming bot can give.",
    ExploreDialogues(), may_stay_open=True,
)  # fmt: skip
POSITIONS = must(
    "ref.explore",
    "In random positions near the end of a game, playouts and choices are those of a conforming bot.",
    ExplorePositions(), may_stay_open=True, clause="uniform",
)  # fmt: skip
PARITY = must(
    "ref.parity",
    "In a match with the same number of playouts, the bot scores 50 % against the reference bot, "
    "and its playouts are those of the reference bot in the same positions.",
    ParityMatch(), may_stay_open=True,
    clause="parity",
    hint="look for a failing ref.* check first: a match shows any weakness, but not its cause",
    kills="best-lowest amaf-opponent",
)  # fmt: skip
CHECKS = (DIALOGUES, POSITIONS, PARITY)
