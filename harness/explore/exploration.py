"""An exploration as data: its plan, the events in which it becomes known, and what they add up to."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Generator
from dataclasses import dataclass, field

from harness.check.model import Check, Result
from harness.check.phases.events import Event
from harness.check.phases.playout_count import PlayoutCount
from harness.explore.abilities import Abilities, Feature
from harness.explore.coverage import Coverage
from harness.explore.dialogues import MOST_ATTEMPTS
from harness.gtp import Launch, Limits

MOST_FOUND = 5
"""Number of deviations after which an exploration ends. Chosen: more are rarely mended at once."""

TURN = 10
"""Number of sessions, then of positions, that are taken in turn. Chosen: both begin within seconds."""

SAVED = -1
"""The number of a saved case, in place of that of a session."""


@dataclass(frozen=True)
class Plan:
    """Plan of an exploration.

    dialogues   the check as whose failure a session is reported
    positions   the check as whose failure a position is reported
    playouts    per search, as the user gave them; None to find the number out
    seconds     time after which nothing new starts
    sessions    number of sessions, and of positions, at most; None for no limit
    instances   processes of the bot side by side; None for as many as there are idle cores
    cases       checks of saved cases, held first
    attempts    sessions that the reduction of one deviation may take
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


@dataclass(frozen=True)
class BotPrepared(Event):
    """The bot is known: what it can do, its number of playouts, and how many of its processes work."""

    name: str
    version: str
    count: PlayoutCount
    abilities: Abilities
    instances: int


@dataclass(frozen=True)
class StepEnded(Event):
    """Some sessions or positions were gone through.

    unconfirmed   deviations that did not come back in a new process, and silences on a busy machine
    """

    coverage: Coverage = field(default_factory=Coverage)
    unconfirmed: int = 0


@dataclass(frozen=True)
class DeviationFound(Event):
    """A deviation in its reduced form, or a saved case that failed.

    number         of the session or position that showed it first; SAVED for a saved case
    in_positions   a position showed it
    without        features that later sessions do without; with none of them, each session would deviate
    """

    result: Result
    number: int = SAVED
    in_positions: bool = False
    without: frozenset[Feature] = frozenset()

    @property
    def order(self) -> tuple[int, bool, int]:
        """The place among all deviations, in the order in which one machine comes to them."""
        return self.number // TURN, self.in_positions, self.number


@dataclass(frozen=True)
class ExplorationEnded(Event):
    """The last event of every exploration. `unusable` says why a bot could not be explored at all."""

    seconds: float
    interrupted: bool = False
    unusable: str = ""
    hint: str = ""


Events = Generator[Event, None, None]


@dataclass
class Exploration:
    """Findings of an exploration so far: what its events add up to.

    results       a failure for each deviation, in its reduced form, and one for each saved case that failed
    unconfirmed   deviations that did not come back in a new process, and silences on a busy machine
    unusable      why the bot could not be explored at all
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
                place = bisect_right(self._found, event.order, key=lambda one: one.order)
                self._found.insert(place, event)
                self.results.insert(place, event.result)
            case ExplorationEnded():
                self.seconds, self.interrupted = event.seconds, event.interrupted
                self.unusable, self.hint = event.unusable, event.hint
