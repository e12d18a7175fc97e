"""Checks of loadsgf, printsgf, savesgf."""

from __future__ import annotations

from harness.check.model import Check

CHECKS: tuple[Check, ...] = ()
