"""The registry of harmless habits: behaviour of real engines that GTP and the specification leave open.

A bot with a habit breaks no rule, so a habit is not a fault. But a controller may fail to cope with it. A new
habit is one entry, here or in `wire_habits`, and one branch where the rule is implemented: `if
Habits.ID_GLUED in switches`. The arguments of an entry are what the bot does, which engines do it, and why no
rule forbids it; with `extension`, only a bot with --extensions has its command. Entries with the same reason
share a function, such as `_slow`. The draft in a reason is that of version 2 of GTP.

HABITS lists the habits in the order of the base classes of `Habits`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from refbot.deviations.habit import Habit
from refbot.deviations.switches import UnknownSwitchError, look_up, members
from refbot.deviations.wire_habits import WireHabits

_slow = partial(Habit, open_because="no rule says how long anything takes")
_text = partial(Habit, open_because="the text of a success without a result has no meaning to a controller")
_stderr = partial(Habit, open_because="GTP uses stdin and stdout alone")
_analysis = partial(
    Habit, open_because="no document fixes how often an analysis prints, and what", extension=True
)


class EngineHabits:
    """Habits of time, of the position, of statuses and game records; and the extensions as a whole."""

    # commands beyond the draft
    EXTENSIONS = Habit(
        "speaks the common extensions of GTP: records, analysis, rules, commands of servers and tools",
        "GNU Go, KataGo, Leela Zero",
        "an engine may have any command beside the required ones",
    )

    # time
    SLOW_START = _slow(
        "the first answer comes after 20 seconds", "Leela Zero and AQ, which tune themselves at start"
    )
    SLOW_ANSWERS = _slow("each answer comes 20 milliseconds late", "engines that ask for input at intervals")
    SLOW_END = _slow(
        "the process ends a second after its answer to quit", "engines that write a game record at the end"
    )
    OVERTIME = Habit(
        "with a few seconds of byo-yomi, a search takes ten times as long as a period",
        "engines with a fixed number of playouts",
        "the draft obliges no engine to keep its time",
    )
    KGS_TIME_ANY_SYSTEM = Habit(
        "kgs-time_settings succeeds with any word in place of a time system",
        "Pachi",
        "KGS names four time systems and does not say what else is refused",
        extension=True,
    )
    KGS_BYOYOMI_REFUSED = Habit(
        "kgs-time_settings refuses byoyomi",
        "engines with one kind of overtime",
        "an engine may have no such clock",
        extension=True,
    )
    # the position, its status and records
    SHOWBOARD_ON_STDERR = Habit(
        "showboard draws the board on stderr and answers nothing",
        "Leela Zero",
        "the draft lets an engine draw the board as it likes",
    )
    SHOWBOARD_COUNTS = Habit(
        "showboard adds how often it was asked",
        "engines that show a clock or a node count",
        "the draft lets an engine draw the board as it likes",
    )
    SHOWBOARD_WITH_NOTES = Habit(
        "showboard also shows the time, and how many commands were refused",
        "Leela Zero, which shows the clocks; Pachi, which shows what it knows of the game",
        "the form of a board is free",
    )
    STATUS_ON_ONE_LINE = Habit(
        "final_status_list answers all chains on one line",
        "michi-c2",
        "blanks and line feeds separate vertices",
    )
    STATUS_ANY_WORD = Habit(
        "final_status_list answers nothing to an unknown word",
        "Leela Zero",
        "the draft calls the argument a string",
    )
    SEKI_UNKNOWN = Habit(
        "final_status_list refuses seki", "engines that score by area", "an engine may not know seki"
    )
    FINAL_STATUS_REFUSED = Habit(
        "final_status_list fails with cannot score",
        "Pachi, where it would be too early to pass",
        "an engine that cannot score may say so",
    )
    LOADSGF_ANSWERS_COLOUR = _text("loadsgf answers the colour to move", "GNU Go")
    LOADSGF_ANY_TEXT = Habit(
        "loadsgf takes text that is no game record for an empty one",
        "Leela Zero",
        "the draft does not say what a file must hold",
    )
    LOADSGF_REFUSES_FILES = Habit(
        "loadsgf fails with cannot load file, whatever the file",
        "engines in a container or on another machine",
        "an engine may be unable to read the files of the controller",
    )
    PRINTSGF_POSITION = Habit(
        "printsgf writes the position as a set-up, without moves, with a komi that makes up for prisoners",
        "GNU Go",
        "the command belongs to no specification",
    )


class GameHabits:
    """Habits of handicaps, of the game, of the process, of arguments, and of commands beyond the draft."""

    # handicaps
    HANDICAP_FEWER = Habit(
        "place_free_handicap places three stones at most",
        "KataGo, which places 30 at most",
        "the draft lets an engine place fewer stones",
    )
    HANDICAP_OF_ONE = Habit(
        "a handicap of one stone or none is accepted",
        "Pachi; KataGo's set_free_handicap",
        "the draft calls handicaps of two stones and more valid",
    )
    HANDICAP_ON_ANY_BOARD = Habit(
        "a fixed handicap of five to nine stones is placed on 7x7 and on boards of even size",
        "Pachi",
        "the stones stand on sensible points",
    )
    HANDICAP_HALF_SET = Habit(
        "set_free_handicap with a bad vertex is refused, and the stones before it stay",
        "GNU Go, KataGo",
        "a controller that was refused clears the board",
    )
    HANDICAP_UNDONE = Habit(
        "undo takes back the stones of a handicap one by one",
        "engines that place the stones as moves",
        "a controller that takes back more than the moves of a game has lost count",
    )
    # the game
    SIZE_9_ONLY = Habit(
        "boardsize refuses all sizes but 9",
        "Pachi and Leela Zero, which are compiled for one size",
        "the specification leaves other sizes open",
    )
    BOARDSIZE_KEEPS_POSITION = Habit(
        "boardsize with the size in force leaves the stones where they are",
        "engines that do nothing if nothing changes",
        "the position after boardsize is arbitrary; clear_board follows",
    )
    IMPLIED_PASS_COUNTED = Habit(
        "when a colour moves twice in a row, the move cap counts a pass of the other colour between",
        "engines that count the moves of a game by its turns",
        "the specification leaves open whether a pass is implied",
    )
    CAP_FROM_ROOT = Habit(
        "the move cap counts the moves of a playout, and no moves of the game",
        "bots whose playouts count for themselves",
        "the other reading of an open clause; it is noted as a SHOULD",
    )
    SUPERKO_BY_PLAY_ACCEPTED = Habit(
        "play accepts a move that repeats a position; genmove never makes one",
        "KataGo, Leela Zero, michi, which let a controller do as it likes",
        "to refuse such a move is a SHOULD",
    )
    PASS_WITHOUT_SEARCH = Habit(
        "genmove passes at once where it has no candidate; ref-nodes and ref-score then answer 0",
        "bots that list their candidates first",
        "no playout can change that move",
    )
    # the process
    STDERR_CHATTER = _stderr("each line of input is logged on stderr", "Pachi, Leela Zero, KataGo")
    STDERR_FLOOD = _stderr(
        "genmove writes a megabyte to stderr", "Leela Zero, Pachi, which log each step of a search"
    )
    EXIT_CODE_1 = Habit(
        "the process ends with exit code 1 after quit",
        "michi without its quit; interpreters that end by an exception",
        "GTP does not mention exit codes",
    )
    TERM_IGNORED = Habit(
        "the signal SIGTERM has no effect",
        "engines that save a game first, wrappers that keep signals from their engine",
        "GTP does not mention signals",
    )
    # the number of playouts
    HURRIED = Habit(
        "with less than ten seconds left, a search makes a tenth of its playouts",
        "engines that would rather play badly than lose on time",
        "the number of playouts holds until a controller changes it, and time_left comes from a controller",
    )
    PLAYOUTS_FIXED = Habit(
        "ref-playouts answers the number of playouts but cannot set it",
        "engines with a number of playouts that is compiled in",
        "the command is not part of the specification",
    )
    # arguments
    VERTEX_WITH_REST = Habit(
        "a vertex may have a rest: D4x is D4",
        "engines that read with sscanf",
        "the draft does not say how a controller may misspell a vertex",
    )
    NUMBER_WITH_REST = Habit(
        "a number may have a rest: 9x is 9 and 7,5 is 7",
        "engines that read with strtol and strtod",
        "the draft does not say how a controller may misspell a number",
    )
    KOMI_INFINITE = Habit(
        "inf and 1e999 are komi values", "engines that read with strtod", "the draft calls any float a komi"
    )
    KOMI_PLAIN = Habit(
        "a komi is read in plain decimals alone: +9, .5, 7. and 1e1 are refused",
        "engines that check every character before they read a number",
        "the draft does not say how a number is written",
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
        "an analysis prints no line where its best move is a pass", "engines that do not list the pass"
    )
    ANALYSIS_GENMOVE_WITHOUT_LINES = _analysis(
        "lz-genmove_analyze prints only the line of its move",
        "Pachi, whose search may end before its interval",
    )
    ANALYSIS_BLANK_IGNORED = _analysis("an empty line does not end an analysis", "Pachi")

    # commands of servers and tools
    CLEANUP_RESIGNS = Habit(
        "kgs-genmove_cleanup resigns",
        "Leela Zero, when it has lost the dispute",
        "an engine may resign a game at any time",
        extension=True,
    )
    ENDS_WITH_GAME = Habit(
        "the process answers kgs-game_over and ends",
        "bots of KGS that play a single game",
        "a bot of a server may leave between two games",
        extension=True,
    )
    KGS_RULES_IGNORED = Habit(
        "kgs-rules accepts any name",
        "Pachi with rules given at its start",
        "an engine may play by rules that its operator has chosen",
        extension=True,
    )
    CHAT_REFUSED = Habit(
        "kgs-chat is refused with a sentence", "Leela Zero", "an engine need not chat", extension=True
    )
    CPU_TIME_WHOLE = Habit(
        "cputime and gomill-cpu_time count whole seconds",
        "engines that use time()",
        "the form of a finite decimal number is open",
        extension=True,
    )
    CPU_TIME_UNKNOWN = Habit(
        "gomill-cpu_time is refused",
        "engines on a GPU or on several machines",
        "not every engine knows how much time it used",
        extension=True,
    )


class Habits(EngineHabits, WireHabits, GameHabits):
    """Every habit."""


HABITS: dict[str, Habit] = members(Habit, *Habits.__bases__)
"""Every habit by its name."""


class UnknownHabitError(UnknownSwitchError):
    """A habit that the registry does not have."""

    def __init__(self, name: str) -> None:
        super().__init__("habit", name, HABITS)


def checked_habits(names: Iterable[str | Habit]) -> frozenset[Habit]:
    """Return these habits, given by name or as they are. Raises UnknownHabitError for an unknown name."""
    return look_up(names, HABITS, UnknownHabitError)
