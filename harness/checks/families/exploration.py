"""`gtp.explore`: generated dialogues, looking for deviations that no other check lists."""

from __future__ import annotations

from harness.checks.explore.dialogue_exploration import ExploreDialogues
from harness.checks.model import Check, Level

DIALOGUES = Check(
    id="gtp.explore",
    clause="gtp",
    level=Level.MUST,
    title="In random sessions, every answer is one that a right bot can give.",
    procedure=ExploreDialogues(),
    identifies=False,
)
CHECKS = (DIALOGUES,)
