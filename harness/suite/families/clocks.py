"""Checks of time_settings, time_left, kgs-time_settings."""

from __future__ import annotations

from harness.check.model import Check

CHECKS: tuple[Check, ...] = ()
