"""Boards for the superko rule."""

from __future__ import annotations

from harness.check.positions.settled import settled

SENT_TWO = settled("A1 C1 D5", white="B1 C2 D1 D2 E1 E2")
WINNING = 400.0
"""A komi with which White has won every playout, and no candidate is better than another."""
