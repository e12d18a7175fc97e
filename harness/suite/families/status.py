"""Checks of final_score and final_status_list."""

from __future__ import annotations

from harness.check.model import Check

CHECKS: tuple[Check, ...] = ()
