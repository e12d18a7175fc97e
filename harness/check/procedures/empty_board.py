"""Probes on the empty board, whose expected values are tabulated."""

from __future__ import annotations

from harness.check.positions.empty import EMPTY
from harness.check.procedures.probe import Probe


def empty_board(komi: float) -> Probe:
    """The empty 9x9 board."""
    return Probe(f"empty-{komi:g}", EMPTY, komi=komi, table=f"9x9 empty, komi {komi:g}", turns=False)
