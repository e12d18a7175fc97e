"""Commands about analysis: lz-analyze, kata-analyze and their kin.

An analysis goes on until the next line of input (`Session.analysis`). The variants of genmove and
kata-search_analyze end by themselves, with a line that names the move.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from refbot.deviations.faults import Faults
from refbot.deviations.habits import Habits
from refbot.gtp.analysis import INTERVAL, Analysis, Request, Style, cgos, katago, leela_zero
from refbot.gtp.extensions.table import Run, Table
from refbot.gtp.placing import COLOURS
from refbot.gtp.session import Session
from refbot.gtp.syntax import (
    Arguments,
    DeliberateCrashError,
    GtpError,
    GtpSyntaxError,
    parse_colour,
    parse_float,
    parse_int,
    parse_vertex,
)

COMMANDS = Table()

SWITCHES = frozenset(
    {
        *("ownership", "ownershipStdev", "movesOwnership", "movesOwnershipStdev", "pvVisits", "pvEdgeVisits"),
        *("rootInfo", "noResultValue"),
    }
)
"""Keys of kata-analyze whose value is true or false. Keys about parts of a line that refbot lacks have no
effect."""

KEYS = SWITCHES | {"interval", "minmoves", "maxmoves", "avoid", "allow"}

_CENTISECOND = 0.01
_STYLES: dict[str, Style] = {
    "lz-analyze": leela_zero,
    "kata-analyze": katago,
    "analyze": leela_zero,
    "cgos-analyze": cgos,
}


def request_of(session: Session, arguments: Arguments, *, takes_colour: bool = True) -> Request:
    """Read `[colour] [interval] [KEY VALUE …]`, such as `b 50 maxmoves 3 avoid w D4,E5 1`.

    The interval is in centiseconds; without one, INTERVAL holds. Without a colour, it is the side to move.
    The keys are KEYS. `maxmoves` below 1 is 1. `avoid` and `allow` have three values: a colour, points, and a
    number of moves. Without effect are this number, `minmoves`, and `avoid` and `allow` for the other colour.

    takes_colour   a colour may come first; else the analysis is for the side to move

    Raises GtpError for a point off the board, and GtpSyntaxError for what cannot be read.
    """
    words = list(arguments.words)
    colour = "bw"[session.game.to_move - 1]
    if words and not _begins_number(words[0]) and words[0] not in KEYS:
        if not takes_colour:
            raise GtpSyntaxError("cannot parse the arguments: expected [interval] [KEY VALUE ...], no colour")
        colour = _colour(words.pop(0), arguments)
    interval = _interval(words.pop(0), arguments) if words and words[0] not in KEYS else INTERVAL
    request = Request(colour, interval)
    for key, values in _pairs(words):
        request = _with_key(request, key, values, session.size, arguments)
    return request


def _with_key(request: Request, key: str, values: list[str], size: int, arguments: Arguments) -> Request:
    """Return the request with one key and its values. Raises GtpError."""
    match key:
        case "interval":
            return replace(request, interval=_interval(values[0], arguments))
        case "minmoves" | "maxmoves":
            number = parse_int(values[0], arguments.switches)
            return replace(request, most=max(1, number)) if key == "maxmoves" else request
        case "avoid" | "allow":
            points = {parse_vertex(text, size, arguments.switches) for text in values[1].split(",")}
            if parse_colour(values[0], arguments.switches) != request.colour:
                return request  # about later moves of a variation
            if key == "avoid":
                return replace(request, avoided=request.avoided | points)
            return replace(request, allowed=(request.allowed or frozenset()) | points)
        case _:  # one of SWITCHES
            others = request.wanted - {key}
            return replace(request, wanted=others | {key} if values[0] == "true" else others)


def _begins_number(word: str) -> bool:
    return word[:1].isdigit() or word[:1] in "+-."


def _colour(word: str, arguments: Arguments) -> str:
    if Faults.ANALYSIS_COLOUR_ANY in arguments.switches:
        return "w" if word[:1] in "wW" else "b"
    return parse_colour(word, arguments.switches)


def _interval(word: str, arguments: Arguments) -> float:
    """Read centiseconds; return seconds. Less than one centisecond counts as one.

    Raises GtpSyntaxError for a negative number and for a word that is no number.
    """
    try:
        hundredths = parse_float(word, arguments.switches)
    except GtpSyntaxError as error:
        if Faults.ANALYSIS_INTERVAL_CRASHES in arguments.switches:
            raise DeliberateCrashError("interval") from error
        raise
    if hundredths < 0:
        raise GtpSyntaxError("expected an interval in centiseconds")
    return _CENTISECOND * max(1.0, hundredths)


def _pairs(words: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield each key with its values.

    Raises GtpSyntaxError for an unknown key, for missing values, and for a value of SWITCHES other than true
    and false.
    """
    place = 0
    while place < len(words):
        key = words[place]
        count = 3 if key in ("avoid", "allow") else 1
        values = words[place + 1 : place + 1 + count]
        if key not in KEYS:
            keys = ", ".join(sorted(KEYS))
            raise GtpSyntaxError(f"cannot parse the arguments: expected one of the keys {keys}")
        if len(values) < count:
            needed = "a colour, points and a number of moves" if count > 1 else "a value"
            raise GtpSyntaxError(f"cannot parse the arguments: {key} needs {needed}")
        if key in SWITCHES and values[0] not in ("true", "false"):
            raise GtpSyntaxError("expected true or false")
        yield key, values
        place += 1 + count


def _analysis(style: Style) -> Run:
    """Return the command that begins an analysis with lines in this style."""

    def run(session: Session, arguments: Arguments) -> str:
        if Faults.ANALYSIS_NOT_BY_ANOTHER in session.faults and session.memory.ended_analysis:
            raise GtpError("analysis is running")
        takes_colour = Habits.ANALYSIS_WITHOUT_COLOUR not in session.habits
        request = request_of(session, arguments, takes_colour=takes_colour)
        analysis = Analysis(session, request, style)
        analysis.search()  # before the answer begins: this may raise GtpError
        session.analysis = analysis
        return ""

    return run


def _genmove(style: Style) -> Run:
    """Return the command that makes a move and answers with the analysis of its search.

    The keys of the request change the lines, not the choice of the move.
    """

    def run(session: Session, arguments: Arguments) -> str:
        request = request_of(session, arguments)
        lines, move = _make_move(session, request, style)
        if Faults.ANALYSIS_GENMOVE_NOT_PLAYED in session.faults:
            session.game.undo()
        if Faults.ANALYSIS_GENMOVE_BARE in session.faults:
            return f"{lines}{move}"
        return f"{lines}play {move}"

    return run


def _make_move(session: Session, request: Request, style: Style) -> tuple[str, str]:
    """Make the move of genmove. Return (lines of analysis of its search between line feeds, its vertex).

    Without lines of analysis, the text is a single line feed.
    """
    before = session.last_search_or_none
    analysis = Analysis(session, request, style)
    move = session.genmove(request.colour)
    if (latest := session.last_search_or_none) is before or latest is None:
        return "\n", move  # it passed at once
    analysis.add(latest)
    if Habits.ANALYSIS_GENMOVE_WITHOUT_LINES in session.habits:
        return "\n", move
    return f"\n{analysis.lines()}\n", move


@COMMANDS.command("kata-search_analyze")
def _search(session: Session, arguments: Arguments) -> str:
    """Answer as kata-genmove_analyze does; leave the board as it is.

    The search has at most `refbot.gtp.analysis.MOST_PLAYOUTS` playouts.
    """
    request = request_of(session, arguments)
    analysis = Analysis(session, request, katago)
    move = analysis.search().move
    if Faults.ANALYSIS_SEARCH_PLAYS in session.faults:
        session.game.play(COLOURS[request.colour], move)
    return f"\n{analysis.lines()}\nplay {session.vertex(move)}"


for _name, _style in _STYLES.items():
    COMMANDS[_name] = _analysis(_style)
    COMMANDS[_name.replace("analyze", "genmove_analyze")] = _genmove(_style)
