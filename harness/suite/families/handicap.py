"""Checks of fixed_handicap, place_free_handicap, set_free_handicap."""

from __future__ import annotations

from harness.check.model import Check

CHECKS: tuple[Check, ...] = ()
