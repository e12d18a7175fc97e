"""The statement of a check: its id and its sentence, how it is observed, then a hint and the faults it kills.

A family writes each of its checks in these three lines, one check below the other.
"""

from __future__ import annotations

from functools import partial

from harness.check.model import Check, Level, Procedure, Requirements


def _stated(
    level: Level,
    name: str,
    title: str,
    procedure: Procedure,
    *,
    clause: str = "gtp",
    requires: Requirements = Requirements(),  # noqa: B008 (frozen)
    hint: str = "",
    kills: str = "",
    tolerates: str = "",
    may_stay_open: bool = False,
    identifies: bool = False,
    shares: str = "",
) -> Check:
    """A check of this level: see `Check`; `kills` and `tolerates` are names with blanks between them."""
    return Check(
        name, clause, level, title, procedure, requires, hint, tuple(kills.split()), tuple(tolerates.split()),
        may_stay_open, identifies, shares,
    )  # fmt: skip


must = partial(_stated, Level.MUST)
should = partial(_stated, Level.SHOULD)
info = partial(_stated, Level.INFO)
