"""The GTP commands: each reads its arguments, calls the session, and returns the text of its answer.

`Server` finds the function of a command by `find`, and adds the sign and the id to the text. A function
raises GtpError to refuse the command. The functions begin with the branches of *faults* (deliberate errors)
and *habits* (odd but allowed behaviour); both are *switches*, and `session.switches` has both.
"""

from __future__ import annotations

import json
import sys
import time
from functools import cache

from refbot.deviations.faults import Faults
from refbot.deviations.habits import Habits
from refbot.deviations.switches import Switch
from refbot.gtp import clocks, extensions, handicap
from refbot.gtp.about import NAME, version
from refbot.gtp.extensions.table import Run
from refbot.gtp.session import Session
from refbot.gtp.shown import STATUSES, shown_stones, status_lists
from refbot.gtp.syntax import NO_SWITCHES, Arguments, Command, DeliberateCrashError, GtpError, GtpSyntaxError
from refbot.gtp.wording import draw, score_text

PROTOCOL_VERSION = 2
# The commands that GTP requires, and the two of the specification.
REQUIRED = frozenset(
    ("protocol_version", "name", "version", "known_command", "list_commands", "quit")
) | frozenset(("boardsize", "clear_board", "komi", "play", "genmove", "ref-nodes", "ref-score"))
PRIVATE = frozenset(("ref-playouts", "ref-stats", "ref-amaf"))  # not in the specification
EXTRA_COMMANDS = 40  # of the habit extra-commands; chosen: a list longer than a screen
NAME_WITH_SIGNS = 'Bot "C:\\refbot" <9x9> [net=b6/c96] 100% (c) #{1}'  # of the habit name-with-signs
SETUP_TEXT = "a new game\nmay it be a good one"  # of the habit setup-answers-text
WITHOUT_ARGUMENTS = frozenset(  # of the habit extra-argument-refused
    ("protocol_version", "name", "version", "list_commands", "quit", "clear_board", "undo", "final_score")
)

_table: dict[str, Run] = {}


def _command(run: Run) -> Run:
    """Enter a function into the table: `_known_command` is `known_command`, `_ref_nodes` is `ref-nodes`."""
    name = run.__name__.removeprefix("_")
    _table[name.replace("_", "-") if name.startswith("ref_") else name] = run
    return run


@cache
def _available(switches: frozenset[Switch]) -> dict[str, Run]:
    """Return the commands that an engine with these switches has, in the order of `list_commands`."""
    missing = {
        name
        for switch, group in (
            (Faults.KOMI_MISSING, {"komi"}),
            (Habits.UNDO_MISSING, {"undo"}),
            (Habits.PRIVATE_COMMANDS_MISSING, PRIVATE),
            (Habits.OPTIONAL_COMMANDS_MISSING, _table.keys() - REQUIRED),
        )
        if switch in switches
        for name in group
    }
    found = {name: run for name, run in _table.items() if name not in missing}
    if Habits.EXTENSIONS in switches:
        found |= extensions.COMMANDS
    if Habits.EXTRA_COMMANDS in switches:
        found |= {f"refbot-extra_{number}": _nothing for number in range(EXTRA_COMMANDS)}
    return found


def find(name: str, switches: frozenset[Switch]) -> Run | None:
    """Return the function of the command with this name; None if the engine has no such command."""
    if Faults.NAME_CASE_IGNORED in switches:
        name = name.lower()
    if Faults.PREFIX_MATCHED in switches:
        name = next((known for known in _table if name.startswith(known)), name)
    return _available(switches).get(name)


def names(switches: frozenset[Switch] = NO_SWITCHES) -> list[str]:
    """Return the names of the commands that an engine with these switches has: this module's, then others.

    Faults and habits of `list_commands` change its answer, not these names.
    """
    return list(_available(switches))


def has_unwanted_arguments(command: Command) -> bool:
    """Return whether a command has arguments although it is one of WITHOUT_ARGUMENTS."""
    return len(command.arguments) > 0 and command.name in WITHOUT_ARGUMENTS


# Administration


@_command
def _protocol_version(session: Session, _: Arguments) -> str:
    return str(PROTOCOL_VERSION - 1 if Faults.PROTOCOL_VERSION_1 in session.faults else PROTOCOL_VERSION)


@_command
def _name(session: Session, _: Arguments) -> str:
    if Faults.NAME_TWO_LINES in session.faults:
        return f"{NAME}\nby its authors"
    return NAME_WITH_SIGNS if Habits.NAME_WITH_SIGNS in session.switches else NAME


@_command
def _version(session: Session, _: Arguments) -> str:
    if Habits.VERSION_EMPTY in session.switches:
        return ""
    return version()


@_command
def _known_command(session: Session, arguments: Arguments) -> str:
    # "The command never fails" (draft 2, 6.3.1): without an argument the answer is false.
    if Habits.KNOWN_COMMAND_NEEDS_ARGUMENT in session.habits:
        arguments.word(0)  # raises an error if there is none
    if Faults.KNOWN_COMMAND_CRASHES in session.faults and not arguments.words:
        raise DeliberateCrashError("no name")
    known = bool(arguments.words) and _is_known(arguments.words[0], session.switches)
    if Faults.KNOWN_COMMAND_FAILS in session.faults and not known:
        raise GtpError("false")
    if Faults.KNOWN_COMMAND_DIGITS in session.faults:
        return "1" if known else "0"
    return "true" if known else "false"


def _is_known(name: str, switches: frozenset[Switch]) -> bool:
    if Faults.KNOWN_CASE_IGNORED in switches:
        name = name.lower()
    if Faults.PREFIX_KNOWN in switches and any(known.startswith(name) for known in names(switches)):
        return True
    return name in names(switches)


@_command
def _list_commands(session: Session, _: Arguments) -> str:
    listed = names(session.switches)
    if Faults.LIST_OMITS_REQUIRED in session.faults:
        listed = [name for name in listed if name != "komi"]
    if Habits.UNDO_UNLISTED in session.switches:
        listed = [name for name in listed if name != "undo"]
    if Faults.LIST_NAMES_UNKNOWN in session.faults:
        listed.append("resign")
    if Habits.LIST_REVERSED in session.switches:
        listed.reverse()
    return (" " if Faults.LIST_ON_ONE_LINE in session.faults else "\n").join(listed)


@_command
def _quit(session: Session, _: Arguments) -> str:
    session.ended = True
    return "bye" if Habits.QUIT_ANSWERS_TEXT in session.switches else ""


# Setup


@_command
def _boardsize(session: Session, arguments: Arguments) -> str:
    try:
        size = arguments.integer(0)
    except GtpSyntaxError:
        if Faults.UNREAD_SIZE_SUCCEEDS in session.faults and arguments.words:
            return ""
        raise
    session.set_size(size & 0xFF if Faults.SIZE_IN_A_BYTE in session.faults else size)
    return _after_setup(session)


@_command
def _clear_board(session: Session, _: Arguments) -> str:
    session.clear()
    return _after_setup(session)


@_command
def _komi(session: Session, arguments: Arguments) -> str:
    session.set_komi(arguments.number(0))
    return _after_setup(session)


def _after_setup(session: Session) -> str:
    return SETUP_TEXT if Habits.SETUP_ANSWERS_TEXT in session.switches else ""


@_command
def _fixed_handicap(session: Session, arguments: Arguments) -> str:
    return _vertices(session, handicap.place_fixed(session, arguments))


@_command
def _place_free_handicap(session: Session, arguments: Arguments) -> str:
    return _vertices(session, handicap.place_free(session, arguments))


@_command
def _set_free_handicap(session: Session, arguments: Arguments) -> str:
    handicap.set_free(session, arguments)
    return ""


@_command
def _loadsgf(session: Session, arguments: Arguments) -> str:
    """Set up the position of an SGF file: before the move with a number, or without one at the end."""
    if Faults.LOADSGF_NO_NAME_CRASHES in session.faults and not arguments.words:
        raise DeliberateCrashError("no file")
    path = arguments.word(0)
    before_move = arguments.integer(1) if len(arguments.words) > 1 else None
    if Habits.LOADSGF_REFUSES_FILES in session.habits:
        raise GtpError("cannot load file")
    from refbot.gtp.loading import load  # here, as few engines read a file, and all must start fast

    load(session, path, before_move)
    answers_colour = Habits.LOADSGF_ANSWERS_COLOUR in session.habits
    return ("", "black", "white")[session.game.to_move] if answers_colour else ""


# Play


@_command
def _play(session: Session, arguments: Arguments) -> str:
    colour = arguments.colour(0)
    if Faults.RESIGN_IN_HISTORY in session.faults and arguments.word(1).lower() == "resign":
        session.play(colour, None)
    else:
        try:
            point = arguments.vertex(1, session.size)
        except GtpError as error:
            if Faults.OFF_BOARD_PLAYS in session.faults and not isinstance(error, GtpSyntaxError):
                return ""
            raise
        session.play(colour, point)
    return "true" if Habits.PLAY_ANSWERS_TEXT in session.habits else ""


@_command
def _genmove(session: Session, arguments: Arguments) -> str:
    if Faults.GENMOVE_ONE_LETTER_ONLY in session.faults and len(arguments.word(0)) > 1:
        raise GtpSyntaxError("invalid color")
    colour = arguments.colour(0)
    vertex = session.genmove(colour)
    return f"{colour} {vertex}" if Faults.GENMOVE_ANSWERS_PLAY in session.faults else vertex


@_command
def _reg_genmove(session: Session, arguments: Arguments) -> str:
    try:
        colour = arguments.colour(0)
    except GtpSyntaxError:
        if Faults.REG_GENMOVE_ANY_COLOUR not in session.faults or not arguments.words:
            raise
        colour = "b"
    return session.vertex(session.reg_genmove(colour))


@_command
def _undo(session: Session, _: Arguments) -> str:
    if Faults.UNDO_LISTED_ONLY in session.faults:
        raise GtpError("not implemented")
    session.undo()
    # By this, `session.undo` notices that no move was made between two undos.
    session.memory.undone_to = session.game.moves[-1] if session.game.moves else None
    return ""


# Time


@_command
def _time_settings(session: Session, arguments: Arguments) -> str:
    clocks.set_time(session, arguments)
    return ""


@_command
def _time_left(session: Session, arguments: Arguments) -> str:
    clocks.set_time_left(session, arguments)
    return ""


# The position


@_command
def _showboard(session: Session, _: Arguments) -> str:
    drawn = draw(shown_stones(session), session.size)
    if Habits.SHOWBOARD_ON_STDERR in session.habits:
        sys.stderr.write(f"{drawn}\n")
        return ""
    session.memory.times_shown += Habits.SHOWBOARD_COUNTS in session.habits
    if Faults.SHOWBOARD_EMPTY_LINE in session.faults:
        board, _gap, columns = drawn.rpartition("\n")
        drawn = f"{board}\n\n{columns}"
    if Faults.SHOWBOARD_UNDOES in session.faults and session.game.moves:
        session.game.undo()
    notes = f"\nshown {session.memory.times_shown} times" if session.memory.times_shown else ""
    if Habits.SHOWBOARD_WITH_NOTES in session.switches:
        notes += f"\n{time.monotonic():.6f} s, {session.memory.refusals} commands refused"
    return f"\n{drawn}{notes}"


@_command
def _final_score(session: Session, _: Arguments) -> str:
    if Habits.FINAL_SCORE_REFUSED in session.switches:
        raise GtpError("cannot score")
    if Faults.FINAL_SCORE_UNFINISHED in session.faults and session.game.passes < 2:
        return "not finished"
    score = session.score()
    if Faults.FINAL_SCORE_LEAVES_PASSES in session.faults:
        session.game.play(session.game.to_move, None)
        session.game.play(session.game.to_move, None)
    if Faults.FINAL_SCORE_SIGN in session.faults:
        score = -score
    if Faults.FINAL_SCORE_BARE in session.faults:
        return f"{score:g}"
    if score == 0:
        return "0"
    return f"{'B' if score > 0 else 'W'}+{abs(score):g}"


@_command
def _final_status_list(session: Session, arguments: Arguments) -> str:
    """Answer the chains with a status, one a line, each as the vertices of its stones."""
    status = arguments.word(0)
    if Habits.FINAL_STATUS_REFUSED in session.habits:
        raise GtpError("cannot score")
    if Habits.SEKI_UNKNOWN in session.habits and status == "seki":
        raise GtpSyntaxError("expected alive or dead")
    if Habits.STATUS_ANY_WORD in session.habits and status not in STATUSES:
        return ""
    lines = [_vertices(session, chain) for chain in status_lists(session, status)]
    return (" " if Habits.STATUS_ON_ONE_LINE in session.habits else "\n").join(lines)


# The commands of the specification, and the private ones of the reference bot


@_command
def _ref_nodes(session: Session, _: Arguments) -> str:
    nodes = session.nodes
    if Faults.NODES_EXPONENT in session.faults:
        return f"{nodes:g}"
    return f"{nodes:.1f}" if Faults.NODES_DECIMALS in session.faults else str(nodes)


@_command
def _ref_score(session: Session, _: Arguments) -> str:
    text = score_text(session.reported_score, session.switches)
    return text.replace(".", ",") if Faults.REFSCORE_COMMA in session.faults else text


@_command
def _ref_playouts(session: Session, arguments: Arguments) -> str:
    """Answer the number of playouts per search; with an argument, set it."""
    if not arguments.words:
        return str(session.searcher.playouts)
    if Habits.PLAYOUTS_FIXED in session.habits:
        raise GtpError("the number of playouts is fixed")
    session.searcher.set_playouts(arguments.integer(0))
    return ""


@_command
def _ref_stats(session: Session, _: Arguments) -> str:
    """Answer sums over the playouts of the last search, and the longest playout, as JSON."""
    result = session.last_search
    return json.dumps(
        {
            "playouts": result.playouts,
            "nodes": result.nodes,
            "squared_lengths": result.stats.moves_squared,
            "longest": result.stats.longest,
            "wins": round(2 * result.score * result.playouts) / 2,  # from the score that ref-score reports
            "seconds": round(result.stats.seconds, 6),
        }
    )


@_command
def _ref_amaf(session: Session, _: Arguments) -> str:
    """Answer the records of the last search, one candidate a line: vertex, visits, wins."""
    result = session.last_search
    return "\n".join(
        f"{session.vertex(int(point))} {result.amaf.visits[point]} {result.amaf.wins[point]:.1f}"
        for point in result.candidates
    )


def _nothing(_session: Session, _: Arguments) -> str:
    """Do nothing: the commands of the habit extra-commands."""
    return ""


def _vertices(session: Session, points: list[int]) -> str:
    return " ".join(session.vertex(point) for point in points)
