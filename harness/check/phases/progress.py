"""How far a run is: for a line on a terminal."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    """What a run is doing.

    doing          in a few words
    decided        checks with a result, of `total`
    failures       MUST checks that failed so far
    seconds_left   estimate of the time until everything is decided; None where nothing is known
    suspicion      a check has just failed for the first time: worth a line at once
    """

    doing: str
    searches: int
    decided: int
    total: int
    failures: int
    seconds_left: float | None = None
    suspicion: bool = False
