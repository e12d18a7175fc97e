"""Checks of lz-analyze, kata-analyze, their genmove variants, cgos-analyze."""

from __future__ import annotations

from harness.check.model import Check

CHECKS: tuple[Check, ...] = ()
