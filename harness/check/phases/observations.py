"""Observations that several checks judge: made once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness.check.bot.session import Session
from harness.check.model import Check


class Observations:
    """The observations that are kept for another check, by the check that made them."""

    def __init__(self, checks: Sequence[Check]) -> None:
        self._shared = {check.shares for check in checks}
        self._kept: dict[str, Any] = {}

    def take(self, check: Check, session: Session) -> Any:
        """Observe, or take what another check has observed: only once, so that a failure is seen again.

        Raises what `Procedure.observe` raises.
        """
        if check.shares in self._kept:
            seen = self._kept.pop(check.shares)
        else:
            seen = check.procedure.observe(session)
        if check.id in self._shared:
            self._kept[check.id] = seen
        return seen
