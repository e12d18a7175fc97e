"""Commands about the position: list_stones, last_move and others."""

from __future__ import annotations

from refbot.deviations.faults import Faults
from refbot.gtp.extensions.table import Table
from refbot.gtp.session import Session
from refbot.gtp.shown import listed_stones
from refbot.gtp.syntax import Arguments, GtpError

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
    point = arguments.vertex(0, session.size)
    if point is None:
        raise GtpError("invalid vertex")
    return _NAMES[session.game.stones[point]]


@COMMANDS.command("last_move")
def _last_move(session: Session, _: Arguments) -> str:
    moves = session.game.moves[session.settled_stones :]
    if not moves:
        raise GtpError("no previous move known")
    return f"{_NAMES[moves[-1].colour]} {session.vertex(moves[-1].point)}"


@COMMANDS.command("move_history")
def _move_history(session: Session, _: Arguments) -> str:
    moves = session.game.moves[session.settled_stones :]
    return "\n".join(f"{_NAMES[move.colour]} {session.vertex(move.point)}" for move in reversed(moves))
