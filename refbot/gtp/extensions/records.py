"""Commands about game records: printsgf and savesgf."""

from __future__ import annotations

from pathlib import Path

from refbot.deviations.faults import Faults
from refbot.deviations.habits import Habits
from refbot.gtp.extensions.table import Table
from refbot.gtp.record import written
from refbot.gtp.session import Session
from refbot.gtp.syntax import Arguments, DeliberateCrashError, GtpError
from refbot.rules import Game

COMMANDS = Table()


@COMMANDS.command("printsgf")
def _printsgf(session: Session, arguments: Arguments) -> str:
    """Answers the record, or writes it to a file if there is a name for one."""
    if not arguments.words:
        return _record(session)
    _write(arguments.words[0], _record(session))
    return ""


@COMMANDS.command("savesgf")
def _savesgf(session: Session, arguments: Arguments) -> str:
    empty = Faults.SAVESGF_EMPTY in session.faults
    try:
        _write(arguments.word(0), "" if empty else _record(session))
    except GtpError:
        if Faults.SAVESGF_UNWRITABLE_CRASHES in session.faults and arguments.words:
            raise DeliberateCrashError("cannot write") from None
        raise
    return ""


def _record(session: Session) -> str:
    game, settled = session.game, session.settled_stones
    if Habits.PRINTSGF_POSITION in session.habits:
        game = Game(session.size)
        stones = session.game.stones
        for point, colour in enumerate(stones):
            if colour:
                game.play(colour, point)
        settled = len(game.moves)
    komi_at_start = Faults.PRINTSGF_KOMI_FIXED in session.faults
    return written(game, settled, session.komi_at_start if komi_at_start else session.komi, session.faults)


def _write(path: str, text: str) -> None:
    """Writes a file. Raises GtpError."""
    try:
        Path(path).write_text(f"{text}\n", encoding="utf-8")
    except (OSError, ValueError) as error:
        raise GtpError("cannot save file") from error
