"""The time commands of the draft and of KGS: they read the arguments and give the times to the `Searcher`.

Without a fault or habit, times do not change the number of playouts. "Stones" are the moves that a side has
for one byo-yomi period; with 0 stones the byo-yomi time is ignored. Each command raises GtpError for what it
refuses.

Some faults accept a word that cannot be read (GtpSyntaxError). They do not accept a missing word: its
MissingArgumentError, a subclass, is raised again.
"""

from __future__ import annotations

from collections.abc import Callable

from refbot.deviations.faults import Faults
from refbot.deviations.habits import Habits
from refbot.gtp.session import Session
from refbot.gtp.syntax import Arguments, DeliberateCrashError, GtpError, GtpSyntaxError, MissingArgumentError

KGS_SYSTEMS = {"none": 0, "absolute": 1, "byoyomi": 3, "canadian": 3}
"""By time system: how many of these numbers follow its name: main time, byo-yomi time, stones or periods."""


def set_time(session: Session, arguments: Arguments) -> None:
    """Obey time_settings: main time, byo-yomi time, stones."""
    faults = session.faults
    if Faults.TIME_SETTINGS_CRASHES in faults:
        raise DeliberateCrashError("time settings")
    if Faults.TIME_SETTINGS_ARGUMENT_CRASHES in faults and not arguments.words:
        raise DeliberateCrashError("no time")
    lenient = Faults.TIME_SETTINGS_WORD_IS_ZERO in faults
    missing_is_zero = Faults.TIME_SETTINGS_OF_TWO in faults and len(arguments.words) == 2
    main_time, byo_yomi, stones = (
        0 if missing_is_zero and index == 2 else _read(arguments.count, index, lenient=lenient)
        for index in range(3)
    )
    if Faults.NO_LIMIT_REFUSED in faults and byo_yomi and not stones:
        raise GtpError("no stones in byo-yomi")
    session.searcher.set_time(main_time, byo_yomi if stones else 0)


def set_time_left(session: Session, arguments: Arguments) -> None:
    """Obey time_left: colour, seconds, stones. The `Searcher` gets the seconds of either colour.

    Controllers do send seconds below zero.
    """
    faults = session.faults
    try:
        arguments.colour(0)
    except MissingArgumentError:
        raise
    except GtpSyntaxError:
        if Faults.TIME_LEFT_ANY_COLOUR not in faults:
            raise
    if Faults.TIME_LEFT_WITHOUT_STONES in faults and len(arguments.words) == 2:
        return
    lenient = Faults.TIME_LEFT_WORD_IS_ZERO in faults
    seconds, stones = (
        _read(arguments.integer, 1, lenient=lenient),
        _read(arguments.count, 2, lenient=lenient),
    )
    if Faults.TIME_LEFT_DIVIDES_BY_STONES in faults and not stones:
        raise GtpError("no stones in byo-yomi")
    if Faults.TIME_LEFT_OVER_CRASHES in faults and seconds <= 0:
        raise DeliberateCrashError("no time left")
    session.searcher.set_time_left(seconds)


def set_kgs_time(session: Session, arguments: Arguments) -> None:
    """Obey kgs-time_settings: a time system and its numbers."""
    faults = session.faults
    system = arguments.word(0)
    if system not in KGS_SYSTEMS:
        if Habits.KGS_TIME_ANY_SYSTEM in session.habits:
            return
        raise GtpSyntaxError("expected none, absolute, byoyomi or canadian")
    if Faults.KGS_TIME_NONE_REFUSED in faults and system == "none":
        raise GtpSyntaxError("expected a time")
    if Habits.KGS_BYOYOMI_REFUSED in session.habits and system == "byoyomi":
        raise GtpError("byoyomi is not supported")
    if Faults.KGS_TIME_NUMBERS_UNREAD in faults:
        return
    numbers = [arguments.count(index + 1) for index in range(KGS_SYSTEMS[system])]
    main_time, byo_yomi, stones_or_periods = (*numbers, 0, 0, 0)[:3]
    session.searcher.set_time(main_time, byo_yomi if stones_or_periods else 0)


def _read(number: Callable[[int], int], index: int, *, lenient: bool) -> int:
    """Return `number(index)`, an argument; `lenient`: 0 for a word that it refuses. Raises GtpSyntaxError."""
    try:
        return number(index)
    except MissingArgumentError:
        raise
    except GtpSyntaxError:
        if lenient:
            return 0
        raise
