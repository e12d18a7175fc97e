"""`gtp.explore` and `ref.explore`: generated dialogues and positions, for what no other check lists."""

from __future__ import annotations

from harness.check.model import Check, Level
from harness.explore.procedures import ExploreDialogues, ExplorePositions

DIALOGUES = Check(
    id="gtp.explore",
    clause="gtp",
    level=Level.MUST,
    title="In random sessions, every answer is one that a right bot can give.",
    procedure=ExploreDialogues(),
    may_stay_open=True,
    identifies=False,
)
POSITIONS = Check(
    id="ref.explore",
    clause="uniform",
    level=Level.MUST,
    title="In random positions near the end of a game, playouts and choices are those of a right bot.",
    procedure=ExplorePositions(),
    may_stay_open=True,
    identifies=False,
)
CHECKS = (DIALOGUES, POSITIONS)
