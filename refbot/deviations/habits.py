"""Harmless habits: what real engines do where GTP and the specification leave it open. One registry.

A bot with a habit breaks no rule, so a habit is no fault; but some controllers have trouble with it. A new
habit is one entry here and one branch where the rule lives: `if Habits.ID_GLUED in switches`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from refbot.deviations.switches import Switch, UnknownSwitchError, looked_up, members


@dataclass(frozen=True, eq=False)
class Habit(Switch):
    """One thing that a right bot may do."""

    habit: str  # what a bot with this habit does
    open_because: str  # why no rule forbids it
    imitates: str  # which engines do it


class Habits:
    """Every habit."""

    # time
    SLOW_START = Habit(
        "the first answer comes after 20 seconds",
        "no rule says how long anything takes",
        "Leela Zero and AQ, which tune themselves at start",
    )
    SLOW_ANSWERS = Habit(
        "each answer comes 20 milliseconds late",
        "no rule says how long anything takes",
        "engines that ask for input at intervals",
    )
    SLOW_END = Habit(
        "the process ends a second after its answer to quit",
        "no rule says how long anything takes",
        "engines that write a game record at the end",
    )
    # lines
    LEADING_BLANK_UNANSWERED = Habit(
        "a line that starts with a blank gets no answer",
        "the draft does not mention blanks before the first word",
        "oakfoam, Pachi",
    )
    BLANKS_KEPT_APART = Habit(
        "two blanks make an empty argument",
        "the draft separates words by one blank and does not mention several",
        "oakfoam, KataGo, minizero",
    )
    ID_GLUED = Habit(
        "5name is the id 5 and the command name",
        "the draft does not mention an id that no blank ends",
        "michi, michi-c2",
    )
    ID_ALONE_UNANSWERED = Habit(
        "a line with only an id gets no answer",
        "the draft does not mention an id without a command",
        "GNU Go",
    )
    ID_CLAMPED = Habit(
        "an id above 2^31 - 1 is answered as 2^31 - 1",
        "an id is at most 2^31 - 1",
        "Leela",
    )
    ID_OF_ANY_LENGTH = Habit(
        "an id above 2^31 - 1 is answered as it is",
        "an id is at most 2^31 - 1",
        "michi, pygtp, Sabaki's engine",
    )
    EXTRA_ARGUMENT_REFUSED = Habit(
        "a command without arguments refuses to have any",
        "the draft does not mention more arguments than a command needs",
        "Fuego, gogui-dummy",
    )
    LONG_LINE_SPLIT = Habit(
        "a line of more than 255 bytes is several lines",
        "no length of a line is promised",
        "a fixed buffer: GNU Go from 1,000 bytes on, Pachi from 4,096",
    )
    LONG_LINE_REFUSED = Habit(
        "a command of more than 255 bytes fails",
        "no length of a line is promised",
        "readers that guard their buffer",
    )
    END_OF_INPUT_IGNORED = Habit(
        "the process lives on after its input has ended",
        "the draft ends a process by quit and does not mention the end of input",
        "a read whose result is not tested",
    )
    LAST_LINE_LOST = Habit(
        "a last line without its line feed is not obeyed",
        "a command ends with a line feed",
        "michi-c2; loops over lines",
    )
    # the form of answers
    CRLF_ANSWERS = Habit(
        "each line of an answer ends with CR LF",
        "a CR means nothing in GTP",
        "engines on Windows",
    )
    TRAILING_BLANKS = Habit(
        "each line of an answer ends with two blanks",
        "blanks separate words, and no word follows",
        "fixed_handicap of Pachi; loops that print a blank after each word",
    )
    SEVERAL_BLANKS_BEFORE_TEXT = Habit(
        "three blanks stand before the text of an answer",
        "the draft does not mention several blanks",
        "GNU Go's get_komi",
    )
    NO_BLANK_BEFORE_NOTHING = Habit(
        "an answer without text is the sign and the id alone",
        "the blank separates the sign from a text, and there is none",
        "pygtp, Sabaki's engine",
    )
    BYTE_BY_BYTE = Habit(
        "each byte of an answer is written by itself",
        "a pipe carries bytes, whatever they were written in",
        "unbuffered output in C",
    )
    PLAY_ANSWERS_TEXT = Habit(
        "play answers true",
        "the text of a success without a result has no meaning to a controller",
        "minigo",
    )
    SETUP_ANSWERS_TEXT = Habit(
        "boardsize, clear_board and komi answer several lines of text",
        "the text of a success without a result has no meaning to a controller",
        "minizero, whose boardsize shows the board",
    )
    QUIT_ANSWERS_TEXT = Habit(
        "quit answers bye",
        "the text of a success without a result has no meaning to a controller",
        "libego",
    )
    # errors
    ERRORS_EMPTY = Habit(
        "an error has no text",
        "the answer begins with a question mark; its words are a SHOULD",
        "engines that print the sign alone",
    )
    ERRORS_EXPLAINED = Habit(
        "an error says more than the draft: illegal move: not by the rules of this engine",
        "the answer begins with a question mark; its words are a SHOULD",
        "Fuego: illegal move: 3 W E5 (occupied)",
    )
    ERRORS_UPPER_CASE = Habit(
        "an error is written in capitals",
        "the answer begins with a question mark; its words are a SHOULD",
        "Orego, which writes a capital letter",
    )
    ERRORS_LONG = Habit(
        "an error is a line of 2,000 characters",
        "the answer begins with a question mark; its words are a SHOULD",
        "engines that print the text of an exception",
    )
    ERRORS_OF_SEVERAL_LINES = Habit(
        "an error has three lines",
        "an answer may have several lines, as long as none is empty",
        "engines that print the trace of an exception",
    )
    # vertices and numbers
    VERTEX_LOWER_CASE = Habit(
        "a vertex is answered in lower case: d4",
        "a vertex is not case-sensitive",
        "engines that keep one table of names",
    )
    PASS_UPPER_CASE = Habit(
        "a pass is answered as PASS",
        "a vertex is not case-sensitive",
        "Fuego, minizero",
    )
    SCORE_IN_17_DIGITS = Habit(
        "ref-score has 17 significant digits",
        "the form of a finite decimal number is open",
        "%.17g, which no double is lost by",
    )
    SCORE_IN_3_DECIMALS = Habit(
        "ref-score has three decimals",
        "the form of a finite decimal number is open",
        "%.3f",
    )
    SCORE_WITH_EXPONENT = Habit(
        "ref-score is written with an exponent: 4.25e-01",
        "the form of a finite decimal number is open",
        "%e; streams set to scientific",
    )
    SCORE_WITHOUT_LEADING_ZERO = Habit(
        "ref-score begins with the decimal point: .425",
        "the form of a finite decimal number is open",
        "bc, Fortran, Perl one-liners",
    )
    ZERO_BEFORE_SEARCH = Habit(
        "ref-nodes and ref-score answer 0 before the first search",
        "both report the last genmove, and there was none",
        "counters that start at 0",
    )
    # commands
    UNDO_MISSING = Habit(
        "there is no undo",
        "GTP requires eleven commands, and undo is none of them",
        "KataGo 1.0, pygtp, Sabaki's engine",
    )
    UNDO_ONCE = Habit(
        "undo takes back one move, then fails until the next one is made",
        "an engine that cannot take back a move may say so",
        "engines that keep one earlier board",
    )
    OPTIONAL_COMMANDS_MISSING = Habit(
        "the required commands, ref-nodes and ref-score are all there is",
        "GTP requires eleven commands, the specification two",
        "bots written for a tournament",
    )
    PRIVATE_COMMANDS_MISSING = Habit(
        "there are no ref-playouts, ref-stats and ref-amaf",
        "these commands are no part of the specification",
        "bots written from the specification alone",
    )
    EXTRA_COMMANDS = Habit(
        "there are forty private commands more",
        "an engine may have private commands",
        "GNU Go, Pachi, KataGo",
    )
    LIST_REVERSED = Habit(
        "list_commands lists the commands in reverse order",
        "the draft orders no list",
        "tables sorted by a hash",
    )
    KNOWN_COMMAND_NEEDS_ARGUMENT = Habit(
        "known_command fails without an argument",
        "a missing argument is a syntax error, and every command may fail with one",
        "Pachi, Fuego, KataGo",
    )
    FINAL_SCORE_REFUSED = Habit(
        "final_score fails with cannot score",
        "the draft lets an engine say so",
        "engines that score by playing a game out",
    )
    VERSION_EMPTY = Habit(
        "version answers an empty text",
        "the draft asks an engine without a version for it",
        "bots without releases",
    )
    NAME_WITH_SIGNS = Habit(
        "name answers text with quotes, brackets, slashes and percent signs",
        "a name is any text on one line",
        "names with a version, a network and a date",
    )
    # the game
    SIZE_9_ONLY = Habit(
        "boardsize refuses all sizes but 9",
        "the specification leaves other sizes open",
        "Pachi and Leela Zero, which are compiled for one size",
    )
    BOARDSIZE_KEEPS_POSITION = Habit(
        "boardsize with the size in force leaves the stones where they are",
        "the position after boardsize is arbitrary; clear_board follows",
        "engines that do nothing if nothing changes",
    )
    IMPLIED_PASS_COUNTED = Habit(
        "when a colour moves twice in a row, the move cap counts a pass of the other colour between",
        "the specification leaves open whether a pass is implied",
        "engines that count the moves of a game by its turns",
    )
    CAP_FROM_ROOT = Habit(
        "the move cap counts the moves of a playout, and no moves of the game",
        "the other reading of an open clause; it is noted as a SHOULD",
        "bots whose playouts count for themselves",
    )
    SUPERKO_BY_PLAY_ACCEPTED = Habit(
        "play accepts a move that repeats a position; genmove never makes one",
        "to refuse such a move is a SHOULD",
        "KataGo, Leela Zero, michi, which let a controller do as it likes",
    )
    PASS_WITHOUT_SEARCH = Habit(
        "genmove passes at once where it has no candidate; ref-nodes and ref-score then answer 0",
        "no playout can change that move",
        "bots that list their candidates first",
    )
    # the process
    STDERR_CHATTER = Habit(
        "each line of input is logged on stderr",
        "GTP uses stdin and stdout alone",
        "Pachi, Leela Zero, KataGo",
    )
    STDERR_FLOOD = Habit(
        "genmove writes a megabyte to stderr",
        "GTP uses stdin and stdout alone",
        "Leela Zero, Pachi, which log each step of a search",
    )
    EXIT_CODE_1 = Habit(
        "the process ends with exit code 1 after quit",
        "GTP does not mention exit codes",
        "michi without its quit; interpreters that end by an exception",
    )
    TERM_IGNORED = Habit(
        "the signal SIGTERM has no effect",
        "GTP does not mention signals",
        "engines that save a game first, wrappers that keep signals from their engine",
    )
    HURRIED = Habit(
        "with less than ten seconds left, a search makes a tenth of its playouts",
        "the number of playouts holds until a controller changes it, and time_left comes from a controller",
        "engines that would rather play badly than lose on time",
    )
    PLAYOUTS_FIXED = Habit(
        "ref-playouts answers the number of playouts but cannot set it",
        "the command is not part of the specification",
        "engines with a number of playouts that is compiled in",
    )
    VERTEX_WITH_REST = Habit(
        "a vertex may have a rest: D4x is D4",
        "the draft does not say how a controller may misspell a vertex",
        "engines that read with sscanf",
    )
    NUMBER_WITH_REST = Habit(
        "a number may have a rest: 9x is 9 and 7,5 is 7",
        "the draft does not say how a controller may misspell a number",
        "engines that read with strtol and strtod",
    )
    KOMI_INFINITE = Habit(
        "inf and 1e999 are komi values",
        "the draft calls any float a komi",
        "engines that read with strtod",
    )
    KOMI_PLAIN = Habit(
        "a komi is read in plain decimals alone: +9, .5, 7. and 1e1 are refused",
        "the draft does not say how a number is written",
        "engines that check every character before they read a number",
    )


HABITS: dict[str, Habit] = members(Habit, Habits)
"""Every habit by its name."""


class UnknownHabitError(UnknownSwitchError):
    """A habit that the registry does not have."""

    def __init__(self, name: str) -> None:
        super().__init__("habit", name, HABITS)


def checked_habits(names: Iterable[str | Habit]) -> frozenset[Habit]:
    """The habits of these names. Raises UnknownHabitError for the first unknown name."""
    return looked_up(names, HABITS, UnknownHabitError)
