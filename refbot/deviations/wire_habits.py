"""Habits of the GTP layer: lines of input, the form of answers, names, numbers and the list of commands.

`refbot.deviations.habits` says what the entries mean.
"""

from __future__ import annotations

from functools import partial

from refbot.deviations.habit import Habit

_large_id = partial(Habit, open_because="an id is at most 2^31 - 1")
_long_line = partial(Habit, open_because="no length of a line is promised")
_text = partial(Habit, open_because="the text of a success without a result has no meaning to a controller")
_worded = partial(Habit, open_because="the answer begins with a question mark; its words are a SHOULD")
_case = partial(Habit, open_because="a vertex is not case-sensitive")
_decimal = partial(Habit, open_because="the form of a finite decimal number is open")


class WireHabits:
    """Habits of lines, answers and commands."""

    # lines
    LEADING_BLANK_UNANSWERED = Habit(
        "a line that starts with a blank gets no answer",
        "oakfoam, Pachi",
        "the draft does not mention blanks before the first word",
    )
    BLANKS_KEPT_APART = Habit(
        "two blanks make an empty argument",
        "oakfoam, KataGo, minizero",
        "the draft separates words by one blank and does not mention several",
    )
    ID_GLUED = Habit(
        "5name is the id 5 and the command name",
        "michi, michi-c2",
        "the draft does not mention an id that no blank ends",
    )
    ID_ALONE_UNANSWERED = Habit(
        "a line with only an id gets no answer",
        "GNU Go",
        "the draft does not mention an id without a command",
    )
    ID_CLAMPED = _large_id("an id above 2^31 - 1 is answered as 2^31 - 1", "Leela")
    ID_OF_ANY_LENGTH = _large_id("an id above 2^31 - 1 is answered as it is", "michi, pygtp, Sabaki's engine")
    EXTRA_ARGUMENT_REFUSED = Habit(
        "a command without arguments refuses to have any",
        "Fuego, gogui-dummy",
        "the draft does not mention more arguments than a command needs",
    )
    LONG_LINE_SPLIT = _long_line(
        "a line of more than 255 bytes is several lines",
        "a fixed buffer: GNU Go from 1,000 bytes on, Pachi from 4,096",
    )
    LONG_LINE_REFUSED = _long_line(
        "a command of more than 255 bytes fails", "readers that guard their buffer"
    )
    END_OF_INPUT_IGNORED = Habit(
        "the process lives on after its input has ended",
        "a read whose result is not tested",
        "the draft ends a process by quit and does not mention the end of input",
    )
    LAST_LINE_LOST = Habit(
        "a last line without its line feed is not obeyed",
        "michi-c2; loops over lines",
        "a command ends with a line feed",
    )
    # the form of answers
    CRLF_ANSWERS = Habit(
        "each line of an answer ends with CR LF", "engines on Windows", "a CR means nothing in GTP"
    )
    TRAILING_BLANKS = Habit(
        "each line of an answer ends with two blanks",
        "fixed_handicap of Pachi; loops that print a blank after each word",
        "blanks separate words, and no word follows",
    )
    SEVERAL_BLANKS_BEFORE_TEXT = Habit(
        "three blanks stand before the text of an answer",
        "GNU Go's get_komi",
        "the draft does not mention several blanks",
    )
    NO_BLANK_BEFORE_NOTHING = Habit(
        "an answer without text is the sign and the id alone",
        "pygtp, Sabaki's engine",
        "the blank separates the sign from a text, and there is none",
    )
    BYTE_BY_BYTE = Habit(
        "each byte of an answer is written by itself",
        "unbuffered output in C",
        "a pipe carries bytes, whatever they were written in",
    )
    PLAY_ANSWERS_TEXT = _text("play answers true", "minigo")
    SETUP_ANSWERS_TEXT = _text(
        "boardsize, clear_board and komi answer several lines of text",
        "minizero, whose boardsize shows the board",
    )
    QUIT_ANSWERS_TEXT = _text("quit answers bye", "libego")
    # errors
    ERRORS_EMPTY = _worded("an error has no text", "engines that print the sign alone")
    ERRORS_EXPLAINED = _worded(
        "an error says more than the draft: illegal move: not by the rules of this engine",
        "Fuego: illegal move: 3 W E5 (occupied)",
    )
    ERRORS_UPPER_CASE = _worded("an error is written in capitals", "Orego, which writes a capital letter")
    ERRORS_LONG = _worded(
        "an error is a line of 2,000 characters", "engines that print the text of an exception"
    )
    ERRORS_OF_SEVERAL_LINES = Habit(
        "an error has three lines",
        "engines that print the trace of an exception",
        "an answer may have several lines, as long as none is empty",
    )
    # vertices and numbers
    VERTEX_LOWER_CASE = _case(
        "a vertex is answered in lower case: d4", "engines that keep one table of names"
    )
    PASS_UPPER_CASE = _case("a pass is answered as PASS", "Fuego, minizero")
    SCORE_IN_17_DIGITS = _decimal(
        "ref-score has 17 significant digits", "%.17g, which keeps every double exactly"
    )
    SCORE_IN_3_DECIMALS = _decimal("ref-score has three decimals", "%.3f")
    SCORE_WITH_EXPONENT = _decimal(
        "ref-score is written with an exponent: 4.25e-01", "%e; streams set to scientific"
    )
    SCORE_WITHOUT_LEADING_ZERO = _decimal(
        "ref-score begins with the decimal point: .425", "bc, Fortran, Perl one-liners"
    )
    ZERO_BEFORE_SEARCH = Habit(
        "ref-nodes and ref-score answer 0 before the first search",
        "counters that start at 0",
        "both report the last genmove, and there was none",
    )
    # commands
    UNDO_MISSING = Habit(
        "there is no undo",
        "KataGo 1.0, pygtp, Sabaki's engine",
        "GTP requires eleven commands, and undo is none of them",
    )
    UNDO_ONCE = Habit(
        "undo takes back one move, then fails until the next one is made",
        "engines that keep one earlier board",
        "an engine that cannot take back a move may say so",
    )
    UNDO_UNLISTED = Habit(
        "list_commands leaves out undo, which known_command knows",
        "Pachi: kgs-chat",
        "a command that no controller should use by itself may be hidden from it",
    )
    OPTIONAL_COMMANDS_MISSING = Habit(
        "the required commands, ref-nodes and ref-score are all there is",
        "bots written for a tournament",
        "GTP requires eleven commands, the specification two",
    )
    PRIVATE_COMMANDS_MISSING = Habit(
        "there are no ref-playouts, ref-stats and ref-amaf",
        "bots written from the specification alone",
        "these commands are no part of the specification",
    )
    EXTRA_COMMANDS = Habit(
        "there are forty private commands more",
        "GNU Go, Pachi, KataGo",
        "an engine may have private commands",
    )
    LIST_REVERSED = Habit(
        "list_commands lists the commands in reverse order",
        "tables sorted by a hash",
        "the draft orders no list",
    )
    KNOWN_COMMAND_NEEDS_ARGUMENT = Habit(
        "known_command fails without an argument",
        "Pachi, Fuego, KataGo",
        "a missing argument is a syntax error, and every command may fail with one",
    )
    FINAL_SCORE_REFUSED = Habit(
        "final_score fails with cannot score",
        "engines that score by playing a game out",
        "the draft lets an engine say so",
    )
    VERSION_EMPTY = Habit(
        "version answers an empty text",
        "bots without releases",
        "the draft asks an engine without a version for it",
    )
    NAME_WITH_SIGNS = Habit(
        "name answers text with quotes, brackets, slashes and percent signs",
        "names with a version, a network and a date",
        "a name is any text on one line",
    )
