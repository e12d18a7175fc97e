"""What to do with one bot, and what a run found out about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from harness.check.model import Check, Result
from harness.check.phases.playout_count import PlayoutCount
from harness.check.procedures.search import Series
from harness.gtp import Launch, Limits
from harness.stats import Budget, holm

ALPHA = 0.001
"""Chance of refusing a bot that conforms, over a whole run of checks."""


GIVE_UP_SECONDS = 600.0
"""Time after which a run without a bound reports what it has."""


@dataclass(frozen=True)
class Effort:
    """How much a run asks for, and how long it may take.

    margin_factor    factor on the margins of equivalence
    quick            make fewer searches where a check allows it
    refined_margin   factor for a second pass once everything is decided; None for a single pass
    seconds          time after which no further search starts
    match            play a match at the end, if the bot does not deviate
    explored         number of generated sessions that are held
    """

    margin_factor: float = 1.0
    quick: bool = False
    refined_margin: float | None = None
    seconds: float = GIVE_UP_SECONDS
    match: bool = False
    explored: int = 60


QUICK = Effort(margin_factor=3.0, quick=True, explored=25)
STANDARD = Effort()
THOROUGH = Effort(refined_margin=0.5, seconds=3 * GIVE_UP_SECONDS, match=True, explored=300)
EFFORTS = {"quick": QUICK, "standard": STANDARD, "thorough": THOROUGH}
"""By the name that `check --budget` takes."""


@dataclass(frozen=True)
class Assignment:
    """What to do with one bot.

    playouts    per search, as the user gave them; None to find the number out
    seed        of everything random in the harness
    instances   processes of the bot that search side by side; None for as many as there are idle cores
    """

    launch: Launch
    checks: Sequence[Check]
    playouts: int | None = None
    effort: Effort = STANDARD
    limits: Limits = field(default_factory=Limits)
    seed: int = 1
    instances: int | None = 1


@dataclass(frozen=True)
class Findings:
    """The results for one bot, in the order of the checks, and the searches behind them."""

    command: str
    name: str = ""
    version: str = ""
    count: PlayoutCount = field(default_factory=lambda: PlayoutCount(None, "unknown"))
    results: tuple[Result, ...] = ()
    series: tuple[Series, ...] = ()  # the searches at every probe
    budget: Budget = field(default_factory=lambda: holm({}, ALPHA))
    unusable: str = ""  # why the bot could not be checked at all
    hint: str = ""
    seconds: float = 0.0
    searches: int = 0
    long_search: float = 0.0  # seconds of the longest search but one
    usual_search: float = 0.0  # seconds of the median search
    instances: int = 1
    busy: bool = False  # other processes took the cores
    interrupted: bool = False  # by the user, before the run was complete
    commands: frozenset[str] | None = None  # that the bot has; None where that is not known
    lacking: frozenset[str] = frozenset()  # required commands that it always refused
