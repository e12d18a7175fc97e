"""The start of the GTP engine: a quick reader of its usual options, and the process around the server."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from refbot.deviations.fault import Fault
from refbot.deviations.faults import FAULTS
from refbot.deviations.habit import Habit
from refbot.deviations.habits import HABITS, Habits
from refbot.errors import os_reason
from refbot.gtp.loop import run
from refbot.gtp.searcher import Searcher, Settings
from refbot.gtp.server import Server
from refbot.gtp.session import Session
from refbot.measure.warm import compile_missing
from refbot.rules import MAX_SIZE, MIN_SIZE

IO_FAILED = 1  # exit code

_COUNT = r"[1-9][0-9]{0,8}"
_NUMBERS: dict[str, tuple[str, type[int] | type[float]]] = {
    "--playouts": (_COUNT, int),
    "--threads": (_COUNT, int),
    "--size": (_COUNT, int),
    "--seed": (r"[0-9]{1,18}", int),
    "--komi": (r"-?[0-9]{1,4}(\.[0-9]{1,4})?", float),
}
"""The usual options with a number: the pattern of its text, and its type."""


def usual_settings(words: Sequence[str]) -> Settings | None:
    """Return the settings from the options of `refbot gtp`; None if one is unusual or wrong.

    Then `refbot.cli.app` must read them: it knows every option and explains errors. Loading it takes longer
    than the rest of the start.
    """
    numbers: dict[str, Any] = {}
    faults: set[Fault] = set()
    habits: set[Habit] = set()
    remaining = iter(words)
    for option in remaining:
        if option == "--extensions":
            habits.add(Habits.EXTENSIONS)
            continue
        word = next(remaining, "")  # "" is no value of an option
        pattern, read = _NUMBERS.get(option, ("", float))
        if option == "--fault" and word in FAULTS:
            faults.add(FAULTS[word])
        elif option == "--habit" and word in HABITS:
            habits.add(HABITS[word])
        elif pattern and re.fullmatch(pattern, word):
            numbers[option.removeprefix("--")] = read(word)
        else:
            return None
    settings = Settings(faults=faults, habits=habits, **numbers)
    return settings if MIN_SIZE <= settings.size <= MAX_SIZE else None


def serve(settings: Settings) -> NoReturn:
    """Speaks GTP on standard input and output as `run` does, then ends the process.

    The exit code is 0 (1 with the habit exit-code-1), also if the reader of the answers has gone. It is
    IO_FAILED after any other error of reading or writing. Raises DeliberateCrashError where a fault ends the
    process.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # an interrupt ends even a search, without a traceback
    compile_missing([Searcher(settings).kernels(settings.size)])
    try:
        run(Server(Session(settings)))
    except OSError as error:
        if sys.stderr is not None:
            print(  # noqa: T201 - the message of a failed read or write
                f"refbot: reading commands or writing answers failed: {os_reason(error)}", file=sys.stderr
            )
        sys.exit(IO_FAILED)
    # An orderly exit would take the compiler up to a second, and nothing is left to write.
    os._exit(1 if Habits.EXIT_CODE_1 in settings.habits else 0)
