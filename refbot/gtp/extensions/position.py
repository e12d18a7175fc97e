"""Commands about the position: list_stones, last_move and others."""

from __future__ import annotations

from refbot.deviations.faults import Faults
from refbot.gtp.extensions.table import Table
from refbot.gtp.placing import COLOURS
from refbot.gtp.session import Session
from refbot.gtp.shown import listed_stones
from refbot.gtp.syntax import Arguments, GtpError
from refbot.rules import Move

COMMANDS = Table()

_NAMES = ("empty", "black", "white")


@COMMANDS.command("list_stones")
def _list_stones(session: Session, arguments: Arguments) -> str:
    if Faults.LIST_STONES_ANY_COLOUR in session.faults:
        colour = "b" if arguments.words[:1] and arguments.words[0].lower().startswith("b") else "w"
    else:
        colour = arguments.colour(0)
    return " ".join(session.vertex(point) for point in listed_stones(session, colour))


@COMMANDS.command("color")
def _color(session: Session, arguments: Arguments) -> str:
    point = _point(session, arguments, 0)
    if Faults.COLOR_OF_CAPTURED in session.faults:
        played = [move.colour for move in session.game.moves if move.point == point]
        return _NAMES[played[-1] if played else 0]
    return _NAMES[session.game.stones[point]]


@COMMANDS.command("is_legal")
def _is_legal(session: Session, arguments: Arguments) -> str:
    colour, point = arguments.colour(0), arguments.vertex(1, session.size)
    if Faults.IS_LEGAL_ANYWHERE in session.faults or point is None:
        return "1"
    return str(int(session.game.legality(COLOURS[colour], point) is None))


@COMMANDS.command("captures")
def _captures(session: Session, arguments: Arguments) -> str:
    """Answer the number of stones that a colour has captured."""
    captor = COLOURS[arguments.colour(0)]
    side = captor if Faults.CAPTURES_OF_OTHER in session.faults else 3 - captor
    return str(session.game.captured(side))


@COMMANDS.command("last_move")
def _last_move(session: Session, _: Arguments) -> str:
    moves = _moves(session)
    if Faults.LAST_MOVE_SKIPS_PASSES in session.faults:
        moves = [move for move in moves if move.point is not None]
    if not moves:
        raise GtpError("no previous move known")
    return _shown(session, moves[-1])


@COMMANDS.command("move_history")
def _move_history(session: Session, _: Arguments) -> str:
    moves = _moves(session)
    first_first = Faults.MOVE_HISTORY_FIRST_FIRST in session.faults
    return "\n".join(_shown(session, move) for move in (moves if first_first else reversed(moves)))


def _moves(session: Session) -> list[Move]:
    """Return the moves of the game without the set-up stones that undo keeps."""
    return list(session.game.moves[session.settled_stones :])


def _shown(session: Session, move: Move) -> str:
    return f"{_NAMES[move.colour]} {session.vertex(move.point)}"


def _point(session: Session, arguments: Arguments, index: int) -> int:
    """Return an argument as a point of the board. Raises GtpError, also for a pass."""
    point = arguments.vertex(index, session.size)
    if point is None:
        raise GtpError("invalid vertex")
    return point
