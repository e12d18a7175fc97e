"""Commands about game records: printsgf and savesgf."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from refbot.deviations.faults import Faults
from refbot.deviations.habits import Habits
from refbot.gtp.extensions.table import Table
from refbot.gtp.record import written
from refbot.gtp.session import Session
from refbot.gtp.syntax import Arguments, DeliberateCrashError, GtpError
from refbot.rules import BLACK, WHITE, Game

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
    fixed = Faults.PRINTSGF_KOMI_FIXED in session.faults
    komi = session.komi_at_start if fixed else session.komi
    if Habits.PRINTSGF_POSITION in session.habits:
        game, stones = Game(session.size), session.game.stones
        for point, colour in enumerate(stones):
            if colour:
                game.play(colour, point)
        settled = len(game.moves)
        komi += _prisoners(session.game)
    if Faults.PRINTSGF_KEEPS_UNDONE in session.faults:
        game = _with_undone(session)
    return written(game, settled, komi, session.faults)


def _with_undone(session: Session) -> Game:
    """The game with the moves that undo took back, the last one first again."""
    game = session.new_game(session.size)
    for move in (*session.game.moves, *reversed(session.display.undone)):
        game.play(move.colour, move.point)
    return game


def _prisoners(game: Game) -> int:
    """White's stones that Black has captured, minus Black's that White has."""
    played = Counter(move.colour for move in game.moves if move.point is not None)
    left = Counter(game.stones)
    return (played[WHITE] - left[WHITE]) - (played[BLACK] - left[BLACK])


def _write(path: str, text: str) -> None:
    """Writes a file. Raises GtpError."""
    try:
        Path(path).write_text(f"{text}\n", encoding="utf-8")
    except (OSError, ValueError) as error:
        raise GtpError("cannot save file") from error
