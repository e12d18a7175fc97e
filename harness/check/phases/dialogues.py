"""The phases that ask one check after the other, and the one that finds the number of playouts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from threading import Thread

from harness.check.model import Check
from harness.check.phases.context import Context
from harness.check.phases.events import Event
from harness.check.phases.examination import examine
from harness.check.phases.explorations import explore_beside
from harness.check.phases.search_planner import plan_of
from harness.check.procedures.search import SYMMETRIES


@dataclass(frozen=True)
class Dialogues:
    """Each check asks its lines and judges the answers.

    searches   the checks that search later: what they need is read meanwhile
    """

    checks: Sequence[Check]
    searches: Sequence[Check] = ()
    name: str = "dialogues"

    def run(self, context: Context) -> Iterator[Event]:
        """Examine one check after the other."""
        if self.checks:
            Thread(target=_read_positions, args=(self.searches,), daemon=True).start()
        for check in self.checks:
            yield from examine(context, check)
            if not context.results.missing:
                yield from explore_beside(context)


class PlayoutNumber:
    """The number of playouts is taken from the user, asked of the bot, or inferred."""

    name = "number of playouts"

    def run(self, context: Context) -> Iterator[Event]:
        """Find the number, unless it is known."""
        yield from context.find_count()


def _read_positions(checks: Sequence[Check]) -> None:
    """Read what searches need, which is then remembered: the bot's answers leave this process time for it."""
    for check in checks:
        probe = plan_of(check).probe
        for turn in range(SYMMETRIES if probe.turns else 1):
            probe.turned(turn).setup()
        check.needs  # noqa: B018 (a cached property)
