"""Checks of cputime, and what Gomill and GoGui ask for."""

from __future__ import annotations

from harness.check.model import Check

CHECKS: tuple[Check, ...] = ()
