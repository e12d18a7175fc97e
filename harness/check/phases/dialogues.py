"""Two kinds of phases: fixed dialogues, one check after the other; and the number of playouts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from threading import Thread

from harness.check.model import Check
from harness.check.phases.context import Context
from harness.check.phases.events import Event
from harness.check.phases.examination import examine
from harness.check.phases.explorations import explore_beside
from harness.check.phases.judged_searches import plan_of
from harness.check.procedures.search import SYMMETRIES
from harness.check.profile import Profile


@dataclass(frozen=True)
class Dialogues:
    """A phase of dialogues: each check sends its lines and judges the answers.

    searches   checks of the later phase of searches: a thread prepares their positions meanwhile
    """

    checks: Sequence[Check]
    searches: Sequence[Check] = ()
    name: str = "dialogues"

    def run(self, context: Context) -> Iterator[Event]:
        """Examine one check after the other; meanwhile, let the explorations begin in the background."""
        if self.checks:
            Thread(target=_fill_caches, args=(self.searches,), daemon=True).start()
        for check in self.checks:
            yield from examine(context, check)
            # A bot that lacks an ability fails an exploration beside the run, which then explores again.
            if not context.results.missing:
                yield from explore_beside(context)


class PlayoutNumber:
    """The phase that finds the number of playouts per search (see `find_playouts`)."""

    name = "number of playouts"

    def run(self, context: Context) -> Iterator[Event]:
        """Find the number, unless it is known."""
        if context.profile is not Profile.GTP:  # no check of that profile is about playouts
            yield from context.find_count()


def _fill_caches(checks: Sequence[Check]) -> None:
    """Compute the cached positions and needs of these checks, while the run waits for answers of the bot."""
    for check in checks:
        probe = plan_of(check).probe
        for turn in range(SYMMETRIES if probe.turns else 1):
            probe.turned(turn).setup()
        check.needs  # noqa: B018 (a cached property)
