"""Faults of optional commands and of the common extensions of GTP.

An entry has the fields `misconception` and `imitates` of `Fault`. A fault of a command that only
`refbot gtp --extensions` has implies this option (`Fault.extension`).
"""

from __future__ import annotations

from functools import partial

from refbot.deviations.fault import Fault

_command = partial(Fault, where="wire")
_extension = partial(_command, extension=True)


_analysis = partial(_extension, "gtp-analysis")


class CommandFaults:
    """Faults of optional commands, by clause."""

    # gtp-analysis
    ANALYSIS_SIGN_MISSING = _analysis(
        "an analysis begins without its sign", "engines that print the sign when a command has ended"
    )
    ANALYSIS_ID_DROPPED = _analysis(
        "an analysis begins with = and without the id",
        "a sign that is printed by the search, not by the server",
    )
    ANALYSIS_TWO_EMPTY_LINES = _analysis(
        "an analysis ends with two empty lines", "println of a text that ends with a line feed"
    )
    ANALYSIS_NEXT_GLUED = _analysis(
        "no empty line stands between an analysis and the next answer", "a search that is stopped in silence"
    )
    ANALYSIS_EMPTY_LINE_BETWEEN = _analysis(
        "an empty line follows each line of analysis", "print of a line that ends with a line feed"
    )
    ANALYSIS_ENDER_UNANSWERED = _analysis(
        "the line that ends an analysis is not answered", "a loop that reads a line to see whether to stop"
    )
    ANALYSIS_GOES_ON = _analysis(
        "a line of analysis comes after the next answer",
        "a thread that prints at intervals, stopped too late",
    )
    ANALYSIS_AFTER_ITS_END = _analysis(
        "lines of analysis come only when the analysis ends", "an output that is not flushed after each line"
    )
    ANALYSIS_NOT_BY_ANOTHER = _analysis(
        "an analysis that ends another one is refused", "a flag that only other commands clear"
    )
    ANALYSIS_NOT_ENDED_BY_ANOTHER = _analysis(
        "no empty line ends an analysis if another one follows", "Pachi, which lets its search go on"
    )
    ANALYSIS_WITHOUT_VISITS = _analysis("a record names no visits", "engines that print playouts, or nothing")
    ANALYSIS_NAMES_STONES = _analysis(
        "an analysis lists points with stones, with 0 visits", "a loop over all points to list many moves"
    )
    ANALYSIS_VISITS_FALL = _analysis(
        "the visits of a move fall from line to line", "visits of the last interval, printed as the sum"
    )
    ANALYSIS_PLAYS = _analysis(
        "the best move stays on the board after an analysis", "a search on the real board, cut short"
    )
    ANALYSIS_INTERVAL_CRASHES = _analysis(
        "an interval that is no number ends the process", "int(word), stoi: an exception that nobody catches"
    )
    ANALYSIS_WITHOUT_MOVE_CRASHES = _analysis(
        "an analysis without a legal move ends the process", "the best of an empty list"
    )
    ANALYSIS_COLOUR_ANY = _analysis(
        "every word is a colour of an analysis", "a test of the first letter of the word"
    )
    ANALYSIS_GENMOVE_NOT_PLAYED = _analysis(
        "lz-genmove_analyze names a move and does not make it", "an analysis whose result nobody plays"
    )
    ANALYSIS_GENMOVE_BARE = _analysis(
        "lz-genmove_analyze answers a vertex without the word play", "the answer of genmove, printed as it is"
    )
    ANALYSIS_SEARCH_PLAYS = _analysis(
        "kata-search_analyze makes the move that it names", "one function for it and kata-genmove_analyze"
    )
