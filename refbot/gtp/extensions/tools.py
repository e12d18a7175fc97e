"""Commands about tools: cputime, and what Gomill and GoGui ask for."""

from __future__ import annotations

import time

from refbot.deviations.faults import Faults
from refbot.deviations.habits import Habits
from refbot.gtp.about import NAME, version
from refbot.gtp.extensions.table import Table
from refbot.gtp.placing import have_liberties
from refbot.gtp.session import Session
from refbot.gtp.syntax import Arguments, DeliberateCrashError, GtpError, GtpSyntaxError

COMMANDS = Table()

ANALYZE_COMMANDS = (
    ("plist", "Legal moves", "gogui-rules_legal_moves"),
    ("string", "Result", "gogui-rules_final_result"),
    ("hstring", "Engine", "gomill-describe_engine"),
    ("string", "Last move", "gomill-explain_last_move"),
)
"""The commands that GoGui shows in a menu: the type of the answer, the label, and the command."""


def _seconds(session: Session) -> str:
    """Return the processor time that the process has used, in seconds, as the answer of a command."""
    if Habits.CPU_TIME_WHOLE in session.habits:
        return str(int(time.process_time()))
    if Faults.CPU_TIME_FALLS in session.faults:
        return f"{1000 - time.process_time():.6f}"
    unit = " s" if Faults.CPU_TIME_WITH_UNIT in session.faults else ""
    return f"{time.process_time():.3f}{unit}"


@COMMANDS.command("cputime")
def _cputime(session: Session, _: Arguments) -> str:
    return _seconds(session)


@COMMANDS.command("gomill-cpu_time")
def _gomill_cpu_time(session: Session, _: Arguments) -> str:
    if Habits.CPU_TIME_UNKNOWN in session.habits:
        raise GtpError("the processor time is not known")
    return "nan" if Faults.GOMILL_CPU_TIME_NAN in session.faults else _seconds(session)


@COMMANDS.command("gomill-describe_engine")
def _describe_engine(session: Session, _: Arguments) -> str:
    space = "\n\n" if Faults.DESCRIPTION_BLANK_LINE in session.faults else "\n"
    return f"{NAME} {version()}{space}{session.searcher.playouts} playouts per search"


@COMMANDS.command("gomill-explain_last_move")
def _explain_last_move(session: Session, _: Arguments) -> str:
    """Answer a comment on the last search, which may be older than the last move; empty if there is none."""
    try:
        search = session.last_search
    except GtpError:
        return ""
    if Faults.MOVE_UNEXPLAINED in session.faults:
        raise GtpError("no comment")
    return f"{search.playouts} playouts, score {search.score:.3f}"


@COMMANDS.command("gomill-genmove_ex")
def _genmove_ex(session: Session, arguments: Arguments) -> str:
    """Make a move like genmove. The words after the colour are keywords, which have no effect here."""
    if not arguments.words:
        if Faults.KEYWORDS_UNLISTED in session.faults:
            raise GtpSyntaxError("missing argument")
        return ""  # the list of the keywords that the engine knows is empty
    try:
        colour = arguments.colour(0)
    except GtpSyntaxError as error:
        if Faults.GENMOVE_EX_COLOUR_CRASHES in session.faults:
            raise DeliberateCrashError("no such colour") from error
        raise
    if Faults.KEYWORD_REFUSED in session.faults and len(arguments.words) > 1:
        raise GtpSyntaxError("unknown keyword")
    return session.genmove(colour)


@COMMANDS.command("gogui-analyze_commands")
def _analyze_commands(session: Session, _: Arguments) -> str:
    """List the commands for the menu of GoGui, one a line: type/label/command."""
    found = list(ANALYZE_COMMANDS)
    if Faults.ANALYZES_UNKNOWN in session.faults:
        found.append(("dboard", "Territory", "refbot-territory"))
    if Faults.ANALYZES_WITHOUT_LABEL in session.faults:
        return "\n".join(f"{kind}/{command}" for kind, _, command in found)
    return "\n".join("/".join(entry) for entry in found)


def _moves(session: Session, arguments: Arguments) -> list[tuple[str, int | None]]:
    """Return the moves of `COLOUR VERTEX COLOUR VERTEX …`; None is a pass. Raises GtpError."""
    return [
        (arguments.colour(place), arguments.vertex(place + 1, session.size))
        for place in range(0, len(arguments.words), 2)
    ]


@COMMANDS.command("gogui-setup")
def _setup(session: Session, arguments: Arguments) -> str:
    """Set up stones of both colours on a board without moves. Passes are ignored.

    Of two stones on one point, the last counts. A position with a chain without liberties is refused.
    """
    stones = {point: colour for colour, point in _moves(session, arguments) if point is not None}
    if session.game.moves:
        raise GtpError("board not empty")
    if not have_liberties(session.size, [(colour, point) for point, colour in stones.items()]):
        raise GtpError("a chain has no liberty")
    all_black = Faults.SETUP_ALL_BLACK in session.faults
    session.place_handicap([("b" if all_black else colour, point) for point, colour in stones.items()])
    return ""


@COMMANDS.command("gogui-play_sequence")
def _play_sequence(session: Session, arguments: Arguments) -> str:
    """Play several moves. If one is illegal, all of them are taken back."""
    moves = _moves(session, arguments)
    if Faults.SEQUENCE_OF_ONE in session.faults:
        del moves[1:]
    for number, (colour, point) in enumerate(moves):
        try:
            session.play(colour, point)
        except GtpError:
            if Faults.SEQUENCE_LEFT_HALF not in session.faults:
                for _ in range(number):
                    session.undo()
            raise
    return ""


@COMMANDS.command("gogui-interrupt")
def _interrupt(session: Session, _: Arguments) -> str:
    """Do nothing: no search runs when this command is read."""
    if Faults.INTERRUPT_REFUSED in session.faults:
        raise GtpError("nothing to interrupt")
    return ""
