"""The plan of a check that makes a bot search, as the planner of searches and the reports see it.

Two types are `Any`: the module of probes imports `harness.check.model`, which imports this module.
"""

from __future__ import annotations

from typing import Any, Protocol


class SearchPlan(Protocol):
    """A procedure that makes a bot search; see `harness.check.procedures.search.SearchProcedure`."""

    @property
    def probe(self) -> Any:
        """The position to search: a `harness.check.procedures.probe.Probe`."""

    @property
    def shown(self) -> Any:
        """The probe as the bot got it in the search that failed: `probe` itself, or under a symmetry."""

    @property
    def least(self) -> int:
        """Least number of searches."""

    @property
    def least_quick(self) -> int | None:
        """Least number of searches in a quick run; None: the same as `least`."""

    @property
    def most(self) -> int:
        """Limit of the number of searches in a standard run."""
