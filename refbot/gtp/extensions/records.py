"""Commands about game records: printsgf and savesgf."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from pathlib import Path

from refbot.deviations.fault import Fault
from refbot.deviations.faults import Faults
from refbot.deviations.habits import Habits
from refbot.gtp.extensions.table import Table
from refbot.gtp.session import Session
from refbot.gtp.syntax import Arguments, DeliberateCrashError, GtpError
from refbot.rules import BLACK, WHITE, Game

COMMANDS = Table()

_LETTERS = "abcdefghijklmnopqrstuvwxyz"  # columns from the left, rows from the top


@COMMANDS.command("printsgf")
def _printsgf(session: Session, arguments: Arguments) -> str:
    """Answer the record; with an argument, write it to the file of this name instead."""
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
    """Return the game of the session in SGF; with the habit printsgf-position, only its position."""
    game, settled = session.game, session.settled_stones
    fixed = Faults.PRINTSGF_KOMI_FIXED in session.faults
    komi = session.memory.komi_at_start if fixed else session.komi
    if Habits.PRINTSGF_POSITION in session.habits:
        game, stones = Game(session.size), session.game.stones
        for point, colour in enumerate(stones):
            if colour:
                game.play(colour, point)
        settled = len(game.moves)
        komi += session.game.captured(WHITE) - session.game.captured(BLACK)  # as GNU Go does
    if Faults.PRINTSGF_KEEPS_UNDONE in session.faults:
        game = _with_undone(session)
    return _sgf(game, settled, komi, session.game.to_move, session.faults)


def _with_undone(session: Session) -> Game:
    """Return the game with the moves that undo took back played again, where they are still legal.

    This is the fault printsgf-keeps-undone.
    """
    game = session.new_game(session.size)
    for move in session.game.moves:
        game.play(move.colour, move.point, may_repeat=True)  # a habit lets play repeat a board
    for move in reversed(session.memory.undone):
        if game.legality(move.colour, move.point) is None:
            game.play(move.colour, move.point)
    return game


def _sgf(game: Game, settled: int, komi: float, to_move: int, faults: AbstractSet[Fault]) -> str:
    """Return a game in SGF; its first `settled` moves are stones of a set-up.

    `to_move` is the colour to move after a set-up without moves. Each move has a line: `;B[ee]`. Without a
    fault, no line is empty, because an empty line would end the answer.
    """

    def point(index: int | None) -> str:
        if index is None:
            return ""
        row, column = divmod(index, game.size)
        line = row if Faults.PRINTSGF_UPSIDE_DOWN in faults else game.size - 1 - row
        return _LETTERS[column] + _LETTERS[line]

    head = f"(;GM[1]FF[4]CA[UTF-8]AP[refbot]SZ[{game.size}]KM[{_decimal(komi)}]"
    set_up = () if Faults.PRINTSGF_FORGETS_SETUP in faults else game.moves[:settled]
    for name, colour in (("AB", BLACK), ("AW", WHITE)):
        points = [f"[{point(stone.point)}]" for stone in set_up if stone.colour == colour]
        head += name + "".join(points) if points else ""
    moves = game.moves[settled:]
    head += "" if moves else f"PL[{'BW'[to_move - 1]}]"
    head += "\n" if Faults.PRINTSGF_EMPTY_LINE in faults else ""
    if Faults.PRINTSGF_DROPS_PASSES in faults:
        moves = [move for move in moves if move.point is not None]
    return "\n".join([head, *(f";{'BW'[move.colour - 1]}[{point(move.point)}]" for move in moves)]) + ")"


def _decimal(number: float) -> str:
    """Return a number to six decimals without an exponent, which SGF does not know."""
    return f"{number:.6f}".rstrip("0").rstrip(".")


def _write(path: str, text: str) -> None:
    """Write a file. Raises GtpError if that fails."""
    try:
        Path(path).write_text(f"{text}\n", encoding="utf-8")
    except (OSError, ValueError) as error:
        raise GtpError("cannot save file") from error
