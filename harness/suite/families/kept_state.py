"""`gtp.kept.*`: a refused command or a query changes nothing that other commands can show."""

from __future__ import annotations

from harness.check.model import Check

CHECKS: tuple[Check, ...] = ()
