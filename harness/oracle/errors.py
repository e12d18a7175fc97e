"""The errors of this package."""

from __future__ import annotations


class OracleError(Exception):
    """Base class of all errors of `harness.oracle`."""


class StateLimitError(OracleError):
    """An enumeration met more states than the caller allowed; `states` is that limit."""

    def __init__(self, states: int) -> None:
        super().__init__(f"playouts from this position pass through more than {states} states")
        self.states = states


class DrawError(OracleError, ValueError):
    """Choices that cannot be drawn: the normal approximation does not hold for so few playouts."""
