"""`ref.parity`: the proof that takes games, played last and only in a run with enough time."""

from __future__ import annotations

from harness.checks.model import Check, Level
from harness.checks.procedures.parity_match import ParityMatch

CHECKS = (
    Check(
        id="ref.parity",
        clause="parity",
        level=Level.MUST,
        title="In a match at as many playouts, the bot scores as the reference bot does.",
        procedure=ParityMatch(),
        hint="it is weaker or stronger than the reference with as many playouts: see the other ref.*",
        kills=("best-lowest", "amaf-opponent"),
        may_stay_open=True,
    ),
)
