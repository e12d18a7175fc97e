"""Checks of kgs-genmove_cleanup, kgs-game_over, kgs-rules."""

from __future__ import annotations

from harness.check.model import Check

CHECKS: tuple[Check, ...] = ()
