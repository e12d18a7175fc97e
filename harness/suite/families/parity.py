"""`ref.parity`: the proof that takes games, played last and only in a run with enough time."""

from __future__ import annotations

from harness.check.model import Check, Level
from harness.check.procedures.parity_match import ParityMatch

CHECKS = (
    Check(
        id="ref.parity",
        clause="parity",
        level=Level.MUST,
        title="In a match with the same number of playouts, the bot scores 50 % against the reference bot, "
        "and its playouts are those of the reference bot in the same positions.",
        procedure=ParityMatch(),
        hint="look for a failing ref.* check first: a match shows any weakness, but not its cause",
        kills=("best-lowest", "amaf-opponent"),
        may_stay_open=True,
    ),
)
