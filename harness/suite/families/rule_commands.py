"""Checks of commands about rules, komi and the size of the board."""

from __future__ import annotations

from harness.check.model import Check

CHECKS: tuple[Check, ...] = ()
