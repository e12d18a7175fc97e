"""Every check there is, in the order in which they are reported."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from fnmatch import fnmatchcase

from harness.checks import (
    admin,
    battery,
    board,
    capping,
    choosing,
    drawing,
    midgame,
    playing,
    rules,
    unseen,
    wire,
)
from harness.checks.model import Check

CHECKS: tuple[Check, ...] = (
    *wire.CHECKS,
    *admin.CHECKS,
    *board.CHECKS,
    *rules.CHECKS,
    *playing.CHECKS,
    *drawing.CHECKS,
    *capping.CHECKS,
    *battery.CHECKS,
    *choosing.CHECKS,
    *midgame.CHECKS,
    *unseen.CHECKS,
)


class UnknownCheckError(ValueError):
    """A pattern that no check matches."""

    def __init__(self, pattern: str) -> None:
        near = difflib.get_close_matches(pattern, [check.id for check in CHECKS], n=1, cutoff=0.4)
        self.pattern = pattern
        self.nearest = near[0] if near else None
        hint = f"did you mean {near[0]!r}?" if near else "conform checks lists them"
        super().__init__(f"no check matches {pattern!r}: {hint}")


def find(pattern: str) -> tuple[Check, ...]:
    """The checks whose id matches a pattern with * and ?. Raises UnknownCheckError if none does."""
    found = tuple(check for check in CHECKS if fnmatchcase(check.id, pattern))
    if not found:
        raise UnknownCheckError(pattern)
    return found


def select(only: Sequence[str] = (), skip: Sequence[str] = ()) -> tuple[Check, ...]:
    """The checks to run. Raises UnknownCheckError."""
    wanted = {check.id for pattern in only for check in find(pattern)} if only else {c.id for c in CHECKS}
    unwanted = {check.id for pattern in skip for check in find(pattern)}
    return tuple(check for check in CHECKS if check.id in wanted - unwanted)
