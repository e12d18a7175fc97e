"""Checks of showboard, list_stones and similar commands."""

from __future__ import annotations

from harness.check.model import Check

CHECKS: tuple[Check, ...] = ()
