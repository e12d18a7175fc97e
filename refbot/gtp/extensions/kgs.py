"""Commands of KGS: moves of the cleanup, the end of a game, rules and chat. `clocks` has its time command."""

from __future__ import annotations

from refbot.deviations.faults import Faults
from refbot.deviations.habits import Habits
from refbot.gtp.extensions.table import Table
from refbot.gtp.session import Session
from refbot.gtp.syntax import Arguments, DeliberateCrashError, GtpError, MissingArgumentError

COMMANDS = Table()

RULES = ("chinese",)
"""The sets of rules of KGS that the engine can play: area, positional superko, no suicide."""


@COMMANDS.command("kgs-genmove_cleanup")
def _genmove_cleanup(session: Session, arguments: Arguments) -> str:
    """Make a move like genmove, and do not pass while dead enemy stones stand.

    A reference bot passes only where no move is left, so it captures dead stones in any case.
    """
    colour = arguments.colour(0)
    if Habits.CLEANUP_RESIGNS in session.habits:
        return "resign"
    if Faults.CLEANUP_PASSES in session.faults:
        session.play(colour, None)
        return session.vertex(None)
    if Faults.CLEANUP_NOT_PLAYED in session.faults:
        return session.vertex(session.search(colour).move)
    vertex = session.genmove(colour)
    return f"{colour} {vertex}" if Faults.CLEANUP_ANSWERS_PLAY in session.faults else vertex


@COMMANDS.command("kgs-game_over")
def _game_over(session: Session, _: Arguments) -> str:
    """Take note that the game has ended. The engine goes on, unless a habit or fault ends it."""
    if Faults.GAME_OVER_CRASHES in session.faults:
        raise DeliberateCrashError("the game is over")
    session.memory.closed = Faults.GAME_OVER_CLOSES in session.faults
    session.ended = Habits.ENDS_WITH_GAME in session.habits
    return ""


@COMMANDS.command("kgs-rules")
def _rules(session: Session, arguments: Arguments) -> str:
    """Accept a name of rules in RULES; case counts."""
    name = arguments.word(0)
    if name not in RULES and Faults.KGS_RULES_CRASHES in session.faults:
        raise DeliberateCrashError("unknown rules")
    if name not in RULES and Habits.KGS_RULES_IGNORED not in session.habits:
        raise GtpError("unsupported rules")
    return ""


@COMMANDS.command("kgs-chat")
def _chat(session: Session, arguments: Arguments) -> str:
    """Answer a chat message: its kind ("game" or "private"), who wrote it, and the words."""
    try:
        kind, speaker, _ = (arguments.word(index) for index in range(3))
    except MissingArgumentError as error:
        if Faults.CHAT_WITHOUT_WORDS_CRASHES in session.faults:
            raise DeliberateCrashError("no message") from error
        raise
    if kind == "private" and Faults.PRIVATE_CHAT_CRASHES in session.faults:
        raise DeliberateCrashError("a private message")
    if Habits.CHAT_REFUSED in session.habits:
        raise GtpError("I am a program and do not chat.")
    shown = speaker.encode("ascii", "replace").decode("ascii")  # an answer is ASCII
    return f"Hello {shown}, I am a program."
