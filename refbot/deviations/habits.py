"""The registry of harmless habits: behaviour of real engines that GTP and the specification leave open.

A bot with a habit breaks no rule, so a habit is not a fault. But a controller may fail to cope with it. A new
habit is one entry here and one branch where the rule is implemented: `if Habits.ID_GLUED in switches`. An
entry is made by `_open(why no rule forbids it)(what the bot does, which engines do it)`.
The draft in a reason is that of version 2 of GTP.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from refbot.deviations.switches import Switch, UnknownSwitchError, looked_up, members


@dataclass(frozen=True, eq=False)
class Habit(Switch):
    """One behaviour that a bot without faults may have."""

    habit: str  # what a bot with this habit does
    open_because: str  # why no rule forbids it
    imitates: str  # which engines do it, or what kind of program
    extension: bool = False  # of a command that only an engine with --extensions has


def _open(because: str, *, extension: bool = False) -> Callable[[str, str], Habit]:
    """A function that makes a Habit, with this reason, from its fields `habit` and `imitates`."""
    return lambda habit, imitates: Habit(habit, because, imitates, extension)


_slow = _open("no rule says how long anything takes")
_large_id = _open("an id is at most 2^31 - 1")
_long_line = _open("no length of a line is promised")
_text = _open("the text of a success without a result has no meaning to a controller")
_worded = _open("the answer begins with a question mark; its words are a SHOULD")
_case = _open("a vertex is not case-sensitive")
_decimal = _open("the form of a finite decimal number is open")
_stderr = _open("GTP uses stdin and stdout alone")

_analysis = _open("no document fixes how often an analysis prints, and what", extension=True)


class Habits:
    """Every habit."""

    # commands beyond the draft
    EXTENSIONS = _open("an engine may have any command beside the required ones")(
        "speaks the common extensions of GTP: records, analysis, rules, commands of servers and tools",
        "GNU Go, KataGo, Leela Zero",
    )

    # time
    SLOW_START = _slow(
        "the first answer comes after 20 seconds", "Leela Zero and AQ, which tune themselves at start"
    )
    SLOW_ANSWERS = _slow("each answer comes 20 milliseconds late", "engines that ask for input at intervals")
    SLOW_END = _slow(
        "the process ends a second after its answer to quit", "engines that write a game record at the end"
    )
    OVERTIME = _open("the draft obliges no engine to keep its time")(
        "with a few seconds of byo-yomi, a search takes ten times as long as a period",
        "engines with a fixed number of playouts",
    )
    KGS_TIME_ANY_SYSTEM = _open(
        "KGS names four time systems and does not say what else is refused", extension=True
    )("kgs-time_settings succeeds with any word in place of a time system", "Pachi")
    KGS_BYOYOMI_REFUSED = _open("an engine may have no such clock", extension=True)(
        "kgs-time_settings refuses byoyomi", "engines with one kind of overtime"
    )
    # the position, its status and records
    SHOWBOARD_ON_STDERR = _open("the draft lets an engine draw the board as it likes")(
        "showboard draws the board on stderr and answers nothing", "Leela Zero"
    )
    SHOWBOARD_COUNTS = _open("the draft lets an engine draw the board as it likes")(
        "showboard adds how often it was asked", "engines that show a clock or a node count"
    )
    SHOWBOARD_WITH_NOTES = _open("the form of a board is free")(
        "showboard also shows the time, and how many commands were refused",
        "Leela Zero, which shows the clocks; Pachi, which shows what it knows of the game",
    )
    STATUS_ON_ONE_LINE = _open("blanks and line feeds separate vertices")(
        "final_status_list answers all chains on one line", "michi-c2"
    )
    STATUS_ANY_WORD = _open("the draft calls the argument a string")(
        "final_status_list answers nothing to an unknown word", "Leela Zero"
    )
    SEKI_UNKNOWN = _open("an engine may not know seki")(
        "final_status_list refuses seki", "engines that score by area"
    )
    FINAL_STATUS_REFUSED = _open("an engine that cannot score may say so")(
        "final_status_list fails with cannot score", "Pachi, where it would be too early to pass"
    )
    LOADSGF_ANSWERS_COLOUR = _text("loadsgf answers the colour to move", "GNU Go")
    LOADSGF_ANY_TEXT = _open("the draft does not say what a file must hold")(
        "loadsgf takes text that is no game record for an empty one", "Leela Zero"
    )
    LOADSGF_REFUSES_FILES = _open("an engine may be unable to read the files of the controller")(
        "loadsgf fails with cannot load file, whatever the file",
        "engines in a container or on another machine",
    )
    PRINTSGF_POSITION = _open("the command belongs to no specification")(
        "printsgf writes the position as a set-up, without moves, with a komi that makes up for prisoners",
        "GNU Go",
    )
    # lines
    LEADING_BLANK_UNANSWERED = _open("the draft does not mention blanks before the first word")(
        "a line that starts with a blank gets no answer", "oakfoam, Pachi"
    )
    BLANKS_KEPT_APART = _open("the draft separates words by one blank and does not mention several")(
        "two blanks make an empty argument", "oakfoam, KataGo, minizero"
    )
    ID_GLUED = _open("the draft does not mention an id that no blank ends")(
        "5name is the id 5 and the command name", "michi, michi-c2"
    )
    ID_ALONE_UNANSWERED = _open("the draft does not mention an id without a command")(
        "a line with only an id gets no answer", "GNU Go"
    )
    ID_CLAMPED = _large_id("an id above 2^31 - 1 is answered as 2^31 - 1", "Leela")
    ID_OF_ANY_LENGTH = _large_id("an id above 2^31 - 1 is answered as it is", "michi, pygtp, Sabaki's engine")
    EXTRA_ARGUMENT_REFUSED = _open("the draft does not mention more arguments than a command needs")(
        "a command without arguments refuses to have any", "Fuego, gogui-dummy"
    )
    LONG_LINE_SPLIT = _long_line(
        "a line of more than 255 bytes is several lines",
        "a fixed buffer: GNU Go from 1,000 bytes on, Pachi from 4,096",
    )
    LONG_LINE_REFUSED = _long_line(
        "a command of more than 255 bytes fails", "readers that guard their buffer"
    )
    END_OF_INPUT_IGNORED = _open("the draft ends a process by quit and does not mention the end of input")(
        "the process lives on after its input has ended", "a read whose result is not tested"
    )
    LAST_LINE_LOST = _open("a command ends with a line feed")(
        "a last line without its line feed is not obeyed", "michi-c2; loops over lines"
    )
    # the form of answers
    CRLF_ANSWERS = _open("a CR means nothing in GTP")(
        "each line of an answer ends with CR LF", "engines on Windows"
    )
    TRAILING_BLANKS = _open("blanks separate words, and no word follows")(
        "each line of an answer ends with two blanks",
        "fixed_handicap of Pachi; loops that print a blank after each word",
    )
    SEVERAL_BLANKS_BEFORE_TEXT = _open("the draft does not mention several blanks")(
        "three blanks stand before the text of an answer", "GNU Go's get_komi"
    )
    NO_BLANK_BEFORE_NOTHING = _open("the blank separates the sign from a text, and there is none")(
        "an answer without text is the sign and the id alone", "pygtp, Sabaki's engine"
    )
    BYTE_BY_BYTE = _open("a pipe carries bytes, whatever they were written in")(
        "each byte of an answer is written by itself", "unbuffered output in C"
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
    ERRORS_OF_SEVERAL_LINES = _open("an answer may have several lines, as long as none is empty")(
        "an error has three lines", "engines that print the trace of an exception"
    )
    # vertices and numbers
    VERTEX_LOWER_CASE = _case(
        "a vertex is answered in lower case: d4", "engines that keep one table of names"
    )
    PASS_UPPER_CASE = _case("a pass is answered as PASS", "Fuego, minizero")
    SCORE_IN_17_DIGITS = _decimal("ref-score has 17 significant digits", "%.17g, which no double is lost by")
    SCORE_IN_3_DECIMALS = _decimal("ref-score has three decimals", "%.3f")
    SCORE_WITH_EXPONENT = _decimal(
        "ref-score is written with an exponent: 4.25e-01", "%e; streams set to scientific"
    )
    SCORE_WITHOUT_LEADING_ZERO = _decimal(
        "ref-score begins with the decimal point: .425", "bc, Fortran, Perl one-liners"
    )
    ZERO_BEFORE_SEARCH = _open("both report the last genmove, and there was none")(
        "ref-nodes and ref-score answer 0 before the first search", "counters that start at 0"
    )
    # commands
    UNDO_MISSING = _open("GTP requires eleven commands, and undo is none of them")(
        "there is no undo", "KataGo 1.0, pygtp, Sabaki's engine"
    )
    UNDO_ONCE = _open("an engine that cannot take back a move may say so")(
        "undo takes back one move, then fails until the next one is made",
        "engines that keep one earlier board",
    )
    UNDO_UNLISTED = _open("a command that no controller should use by itself may be hidden from it")(
        "list_commands leaves out undo, which known_command knows", "Pachi: kgs-chat"
    )
    OPTIONAL_COMMANDS_MISSING = _open("GTP requires eleven commands, the specification two")(
        "the required commands, ref-nodes and ref-score are all there is", "bots written for a tournament"
    )
    PRIVATE_COMMANDS_MISSING = _open("these commands are no part of the specification")(
        "there are no ref-playouts, ref-stats and ref-amaf", "bots written from the specification alone"
    )
    EXTRA_COMMANDS = _open("an engine may have private commands")(
        "there are forty private commands more", "GNU Go, Pachi, KataGo"
    )
    LIST_REVERSED = _open("the draft orders no list")(
        "list_commands lists the commands in reverse order", "tables sorted by a hash"
    )
    KNOWN_COMMAND_NEEDS_ARGUMENT = _open(
        "a missing argument is a syntax error, and every command may fail with one"
    )("known_command fails without an argument", "Pachi, Fuego, KataGo")
    FINAL_SCORE_REFUSED = _open("the draft lets an engine say so")(
        "final_score fails with cannot score", "engines that score by playing a game out"
    )
    VERSION_EMPTY = _open("the draft asks an engine without a version for it")(
        "version answers an empty text", "bots without releases"
    )
    NAME_WITH_SIGNS = _open("a name is any text on one line")(
        "name answers text with quotes, brackets, slashes and percent signs",
        "names with a version, a network and a date",
    )
    # handicaps
    HANDICAP_FEWER = _open("the draft lets an engine place fewer stones")(
        "place_free_handicap places three stones at most", "KataGo, which places 30 at most"
    )
    HANDICAP_OF_ONE = _open("the draft calls handicaps of two stones and more valid")(
        "a handicap of one stone or none is accepted", "Pachi; KataGo's set_free_handicap"
    )
    HANDICAP_ON_ANY_BOARD = _open("the stones stand on sensible points")(
        "a fixed handicap of five to nine stones is placed on 7x7 and on boards of even size", "Pachi"
    )
    HANDICAP_HALF_SET = _open("a controller that was refused clears the board")(
        "set_free_handicap with a bad vertex is refused, and the stones before it stay",
        "GNU Go, KataGo",
    )
    HANDICAP_UNDONE = _open("a controller that takes back more than the moves of a game has lost count")(
        "undo takes back the stones of a handicap one by one", "engines that place the stones as moves"
    )
    # the game
    SIZE_9_ONLY = _open("the specification leaves other sizes open")(
        "boardsize refuses all sizes but 9", "Pachi and Leela Zero, which are compiled for one size"
    )
    BOARDSIZE_KEEPS_POSITION = _open("the position after boardsize is arbitrary; clear_board follows")(
        "boardsize with the size in force leaves the stones where they are",
        "engines that do nothing if nothing changes",
    )
    IMPLIED_PASS_COUNTED = _open("the specification leaves open whether a pass is implied")(
        "when a colour moves twice in a row, the move cap counts a pass of the other colour between",
        "engines that count the moves of a game by its turns",
    )
    CAP_FROM_ROOT = _open("the other reading of an open clause; it is noted as a SHOULD")(
        "the move cap counts the moves of a playout, and no moves of the game",
        "bots whose playouts count for themselves",
    )
    SUPERKO_BY_PLAY_ACCEPTED = _open("to refuse such a move is a SHOULD")(
        "play accepts a move that repeats a position; genmove never makes one",
        "KataGo, Leela Zero, michi, which let a controller do as it likes",
    )
    PASS_WITHOUT_SEARCH = _open("no playout can change that move")(
        "genmove passes at once where it has no candidate; ref-nodes and ref-score then answer 0",
        "bots that list their candidates first",
    )
    # the process
    STDERR_CHATTER = _stderr("each line of input is logged on stderr", "Pachi, Leela Zero, KataGo")
    STDERR_FLOOD = _stderr(
        "genmove writes a megabyte to stderr", "Leela Zero, Pachi, which log each step of a search"
    )
    EXIT_CODE_1 = _open("GTP does not mention exit codes")(
        "the process ends with exit code 1 after quit",
        "michi without its quit; interpreters that end by an exception",
    )
    TERM_IGNORED = _open("GTP does not mention signals")(
        "the signal SIGTERM has no effect",
        "engines that save a game first, wrappers that keep signals from their engine",
    )
    # the number of playouts
    HURRIED = _open(
        "the number of playouts holds until a controller changes it, and time_left comes from a controller"
    )(
        "with less than ten seconds left, a search makes a tenth of its playouts",
        "engines that would rather play badly than lose on time",
    )
    PLAYOUTS_FIXED = _open("the command is not part of the specification")(
        "ref-playouts answers the number of playouts but cannot set it",
        "engines with a number of playouts that is compiled in",
    )
    # arguments
    VERTEX_WITH_REST = _open("the draft does not say how a controller may misspell a vertex")(
        "a vertex may have a rest: D4x is D4", "engines that read with sscanf"
    )
    NUMBER_WITH_REST = _open("the draft does not say how a controller may misspell a number")(
        "a number may have a rest: 9x is 9 and 7,5 is 7", "engines that read with strtol and strtod"
    )
    KOMI_INFINITE = _open("the draft calls any float a komi")(
        "inf and 1e999 are komi values", "engines that read with strtod"
    )
    KOMI_PLAIN = _open("the draft does not say how a number is written")(
        "a komi is read in plain decimals alone: +9, .5, 7. and 1e1 are refused",
        "engines that check every character before they read a number",
    )
    # analysis
    ANALYSIS_LINE_A_MOVE = _analysis(
        "each move has a line of its own", "engines that print as chess engines do"
    )
    ANALYSIS_EXTRA_FIELDS = _analysis(
        "a record has fields that no controller knows", "KataGo, which warns readers of new fields"
    )
    ANALYSIS_PRINTED_ONCE = _analysis(
        "one line is printed, then none until the analysis ends", "Leela Zero with a limit of visits"
    )
    ANALYSIS_ENDS_BY_ITSELF = _analysis(
        "the answer ends after its first line", "engines whose search ends when it has found a move"
    )
    ANALYSIS_WITHOUT_COLOUR = _analysis(
        "an analysis takes an interval and no colour", "Leela Zero before 0.17: lz-analyze 50"
    )
    ANALYSIS_SILENT_WITHOUT_MOVE = _analysis(
        "an analysis prints no line where there is no legal move", "engines that do not list the pass"
    )
    ANALYSIS_GENMOVE_WITHOUT_LINES = _analysis(
        "lz-genmove_analyze prints only the line of its move",
        "Pachi, whose search may end before its interval",
    )
    ANALYSIS_BLANK_IGNORED = _analysis("an empty line does not end an analysis", "Pachi")

    # commands of servers and tools
    CLEANUP_RESIGNS = _open("an engine may resign a game at any time", extension=True)(
        "kgs-genmove_cleanup resigns", "Leela Zero, when it has lost the dispute"
    )
    ENDS_WITH_GAME = _open("a bot of a server may leave between two games", extension=True)(
        "the process answers kgs-game_over and ends", "bots of KGS that play a single game"
    )
    KGS_RULES_IGNORED = _open("an engine may play by rules that its operator has chosen", extension=True)(
        "kgs-rules accepts any name", "Pachi with rules given at its start"
    )
    CHAT_REFUSED = _open("an engine need not chat", extension=True)(
        "kgs-chat is refused with a sentence", "Leela Zero"
    )
    CPU_TIME_WHOLE = _open("the form of a finite decimal number is open", extension=True)(
        "cputime and gomill-cpu_time count whole seconds", "engines that use time()"
    )
    CPU_TIME_UNKNOWN = _open("not every engine knows how much time it used", extension=True)(
        "gomill-cpu_time is refused", "engines on a GPU or on several machines"
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
