"""How long each check took."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from harness.check.model import Check
from harness.check.phases.search_planner import plan_of
from harness.check.procedures.search import Series


class Durations:
    """Seconds by check. A search that several checks share is split evenly between them."""

    def __init__(self) -> None:
        self._seconds: defaultdict[str, float] = defaultdict(float)

    def of(self, check: str) -> float:
        """The seconds of a check; 0 for a check that did not run."""
        return self._seconds.get(check, 0.0)

    @contextmanager
    def measured(self, check: str) -> Iterator[None]:
        """Add the length of a `with` block to a check."""
        began = time.monotonic()
        try:
            yield
        finally:
            self._add(check, time.monotonic() - began)

    def share_searches(self, checks: Sequence[Check], series: Sequence[Series], instances: int) -> None:
        """Add the searches of each probe to the checks that are about it.

        `instances` processes search side by side, so that their searches took that fraction of the time.
        """
        spent = {one.probe.id: sum(search.seconds for search in one.searches) for one in series}
        sharing = Counter(plan_of(check).probe.id for check in checks)
        for check in checks:
            probe = plan_of(check).probe.id
            self._add(check.id, spent.get(probe, 0.0) / sharing[probe] / instances)

    def _add(self, check: str, seconds: float) -> None:
        self._seconds[check] += seconds
