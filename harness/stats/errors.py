"""The error of this package."""

from __future__ import annotations


class StatsError(ValueError):
    """Data, probabilities or levels that a test cannot be computed from."""
