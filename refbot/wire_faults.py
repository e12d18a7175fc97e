"""Faults of the GTP layer: clause `gtp`, and what a colour or a setting means on the wire."""

from __future__ import annotations

from refbot.fault import Fault

WIRE_FAULTS: tuple[Fault, ...] = (
    Fault(
        "genmove-ignores-colour",
        "complete-games",
        "genmove always moves for the side whose turn it seems to be",
        "engines that keep the side to move in the board and never read the argument",
        "wire",
    ),
)
