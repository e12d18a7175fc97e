"""An exploration as data: its plan, its events, and the findings that the events add up to."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field

from harness.check.model import Check, Result
from harness.check.phases.events import Event
from harness.check.phases.playout_count import PlayoutCount
from harness.check.profile import Profile
from harness.explore.abilities import Abilities, Feature
from harness.explore.coverage import Coverage
from harness.explore.dialogues import MOST_ATTEMPTS
from harness.gtp import Launch, Limits

MOST_FOUND = 5
"""Number of deviations after which no session and no turn starts. Chosen: an author rarely mends more."""

TURN = 10
"""An exploration takes this many sessions, then as many positions, in turn. Chosen: seconds for each."""

SAVED = -1
"""Session number in an event about a saved case."""


@dataclass(frozen=True)
class Plan:
    """Plan of an exploration.

    dialogues   check that a deviating session is reported under
    positions   check that a deviating position is reported under
    playouts    playouts per search, from the user; None: measure the number
    seconds     time after which nothing new starts
    sessions    most sessions, and most positions; None for no limit
    instances   number of processes of the bot at once; None: one per idle core
    cases       checks of saved cases, run first
    attempts    most sessions of one way to reduce a deviation
    profile     what the bot is checked against; None: by the commands that it lists
    rules       rules of the bot, as far as the user gave them; the others are found out
    """

    launch: Launch
    dialogues: Check
    positions: Check
    limits: Limits = field(default_factory=Limits)
    playouts: int | None = None
    seed: int = 1
    seconds: float = 600.0
    sessions: int | None = None
    instances: int | None = 1
    cases: tuple[Check, ...] = ()
    attempts: int = MOST_ATTEMPTS
    profile: Profile | None = None
    rules: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Part:
    """A part of an exploration, for a worker on another machine.

    Without `abilities`, the part is the preparation: find the abilities, and run the saved cases. With them,
    it is the sessions, or with `of_positions` the positions, with these numbers.
    """

    plan: Plan
    numbers: range = range(0)
    abilities: Abilities | None = None
    count: PlayoutCount | None = None
    of_positions: bool = False


@dataclass(frozen=True)
class BotPrepared(Event):
    """The preparation ended. `instances` is the number of processes of the bot in use."""

    name: str
    version: str
    count: PlayoutCount
    abilities: Abilities
    instances: int


@dataclass(frozen=True)
class StepEnded(Event):
    """Some sessions or positions ended.

    unconfirmed   deviations that did not come back in a new process, and missing answers on a busy machine
    """

    coverage: Coverage = field(default_factory=Coverage)
    unconfirmed: int = 0


@dataclass(frozen=True)
class DeviationFound(Event):
    """A deviation in its reduced form, or a saved case that failed.

    number         number of the session or position after which it was certain; SAVED for a saved case
    in_positions   a search of positions showed it; False for a saved case
    without        features of a deviating session, which later sessions avoid. If there are none, every later
                   session would deviate, so none is held
    """

    result: Result
    number: int = SAVED
    in_positions: bool = False
    without: frozenset[Feature] = frozenset()

    @property
    def order(self) -> tuple[int, bool, int]:
        """Sort key: the order in which an exploration on one machine finds the deviations."""
        return self.number // TURN, self.in_positions, self.number


@dataclass(frozen=True)
class ExplorationEnded(Event):
    """The last event of every exploration. `unusable`: why the bot could not be explored, or no further."""

    seconds: float
    interrupted: bool = False
    unusable: str = ""
    hint: str = ""


Events = Generator[Event, None, None]


@dataclass
class Exploration:
    """Findings of an exploration so far, added up from its events.

    results       a failure for each deviation, in its reduced form, and one for each saved case that failed
    unconfirmed   deviations that did not come back in a new process, and missing answers on a busy machine
    unusable      why the bot could not be explored, or no further; empty if it could
    """

    command: str
    name: str = ""
    version: str = ""
    count: PlayoutCount = field(default_factory=lambda: PlayoutCount(None, "unknown"))
    abilities: Abilities | None = None
    coverage: Coverage = field(default_factory=Coverage)
    results: list[Result] = field(default_factory=list)
    unconfirmed: int = 0
    seconds: float = 0.0
    interrupted: bool = False
    unusable: str = ""
    hint: str = ""
    _found: list[DeviationFound] = field(default_factory=list)

    def note(self, event: Event) -> None:
        """Add an event."""
        match event:
            case BotPrepared():
                self.name, self.version = event.name, event.version
                self.count, self.abilities = event.count, event.abilities
            case StepEnded():
                self.coverage.add(event.coverage)
                self.unconfirmed += event.unconfirmed
            case DeviationFound():
                index = bisect_right(self._found, event.order, key=lambda one: one.order)
                self._found.insert(index, event)
                self.results.insert(index, event.result)
            case ExplorationEnded():
                self.seconds, self.interrupted = event.seconds, event.interrupted
                self.unusable, self.hint = event.unusable, event.hint
