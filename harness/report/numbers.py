"""Numbers in words: counts with their noun, points of a match, probabilities."""

from __future__ import annotations


def points_text(points: float) -> str:
    """Points of a match, exactly: a draw is half a point."""
    return f"{points:.1f}".removesuffix(".0")


def amount(number: int, noun: str) -> str:
    """A number with its noun, whose plural is regular: `1 check`, `2,000 checks`, `2 searches`."""
    ending = "" if number == 1 else "es" if noun.endswith(("ch", "s", "sh", "x")) else "s"
    return f"{number:,} {noun}{ending}"


def probability_text(probability: float) -> str:
    """A probability with three decimals, but never 1.000."""
    return "over 0.999" if probability > 0.999 else f"{probability:.3f}"
