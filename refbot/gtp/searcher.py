"""The settings of a GTP engine, and its searches with these settings."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from refbot.compile.kernels import default_kernel
from refbot.deviations.fault import Fault
from refbot.deviations.faults import Faults
from refbot.deviations.habit import Habit
from refbot.deviations.habits import Habits
from refbot.deviations.options import NO_OPTIONS, Options
from refbot.gtp.syntax import DeliberateCrashError, GtpError, GtpSyntaxError
from refbot.measure.warm import KernelSet, kernels_of, load_kernels
from refbot.rules import Game

if TYPE_CHECKING:
    from refbot.search import Search, SearchResult

MAX_PLAYOUTS = 10**9  # per search; the kernels' sums of integers stay far from an overflow
HURRY = 10  # seconds; with less time left, the habit hurried makes fewer playouts
SHORT_PERIOD = 10  # seconds; with a shorter byo-yomi period, the habit overtime makes a search too long
OVERTIME_FACTOR = 10.0  # of the habit overtime: the time of a search, as a multiple of its byo-yomi period


@dataclass(frozen=True)
class Settings:
    """The settings of an engine. The defaults follow the specification where it names a value."""

    size: int = 9
    komi: float = 7.5
    playouts: int = 1000
    seed: int | None = None
    threads: int = 1
    faults: AbstractSet[Fault] = frozenset()
    habits: AbstractSet[Habit] = frozenset()
    policy: str = "random"
    options: Options = NO_OPTIONS
    dynamic_komi: str | None = None  # a mode of `refbot.search.dynamic_komi`
    device: str = "cpu"  # one of `refbot.compile.devices`


class Searcher:
    """Searches with the settings of an engine. A search loads the compiled kernels that it needs."""

    def __init__(self, settings: Settings) -> None:
        self.faults = frozenset(settings.faults)
        self.habits = frozenset(settings.habits)
        self.playouts = settings.playouts
        self._settings = settings
        self._options = settings.options
        if Habits.CAP_FROM_ROOT in self.habits:
            self._options = replace(self._options, cap_from_root=True)
        self._main_time = 0  # seconds, for the fault clock-halves-playouts
        self._byo_yomi = 0  # seconds of a period, for the habit overtime
        self._time_left: int | None = None  # seconds, for the habit hurried; None: not known
        self._search: Search | None = None

    def set_playouts(self, playouts: int) -> None:
        """Sets the number of playouts of every search from now on. Raises GtpSyntaxError out of range."""
        if not 1 <= playouts <= MAX_PLAYOUTS:
            raise GtpSyntaxError("unacceptable number of playouts")
        self.playouts = playouts

    def set_time(self, main_time: int, byo_yomi: int = 0) -> None:
        """Sets the time for a whole game and that of a period after it, in seconds; forgets the time left."""
        self._main_time, self._byo_yomi, self._time_left = main_time, byo_yomi, None

    def set_time_left(self, seconds: int) -> None:
        """Sets the seconds that are left, of the game or of a period; below 0 after the time is used up."""
        self._time_left = seconds

    @property
    def overtime(self) -> float:
        """Seconds that the habit overtime adds to a search; 0 unless periods are below SHORT_PERIOD."""
        if Habits.OVERTIME not in self.habits or not 0 < self._byo_yomi < SHORT_PERIOD:
            return 0.0
        return OVERTIME_FACTOR * self._byo_yomi

    def playouts_now(self) -> int:
        """The number of playouts of the next search: `playouts`, unless a fault or a habit changes it."""
        if Faults.CLOCK_HALVES_PLAYOUTS in self.faults and self._main_time > 0:
            return (self.playouts + 1) // 2  # half, rounded up
        if Habits.HURRIED in self.habits and self._time_left is not None and self._time_left < HURRY:
            return (self.playouts + 9) // 10  # a tenth, rounded up
        return self.playouts

    def kernels(self, size: int) -> KernelSet:
        """The kernels of the next search on this board size. Raises GtpError if the device cannot play."""
        from refbot.compile.devices import DeviceError

        given = self._settings
        try:
            return kernels_of(
                size, self.playouts_now(), given.threads, amaf=True, policy=given.policy,
                options=self._options, faults=self.faults,
                kernel=default_kernel(given.seed), device=given.device,
            )  # fmt: skip
        except DeviceError as error:  # the board has become too large
            raise GtpError(str(error)) from error

    def search(self, game: Game, mover: int, most: int = MAX_PLAYOUTS) -> SearchResult:
        """Chooses a move for a side without making it, by at most `most` playouts.

        Raises GtpError if the device cannot play.
        """
        load_kernels(self.kernels(game.size))
        if self._search is None:
            self._search = self._new_search()
        elif Faults.SECOND_SEARCH_CRASHES in self.faults:
            raise DeliberateCrashError("a second search")
        self._search.playouts = min(most, self.playouts_now())
        return self._search.search(game, mover)

    def _new_search(self) -> Search:
        from refbot.search import Search
        from refbot.search.dynamic_komi import parse_mode

        given = self._settings
        rule = None if given.dynamic_komi is None else parse_mode(given.dynamic_komi)
        return Search(
            self.playouts,
            self.faults,
            given.seed,
            given.threads,
            given.policy,
            self._options,
            rule,
            given.device,
        )
