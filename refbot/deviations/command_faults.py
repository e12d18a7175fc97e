"""Faults of optional commands and of the common extensions of GTP; `game_command_faults` has more.

An entry has the fields `clause`, which most makers below contain, `misconception` and `imitates` of `Fault`.
A fault of a command that only `refbot gtp --extensions` has implies this option (`Fault.extension`).
"""

from __future__ import annotations

from functools import partial

from refbot.deviations.fault import Fault

command = partial(Fault, where="command")
_extension = partial(command, extension=True)
_of_rules = partial(_extension, "gtp-rules")
_of_kgs = partial(_extension, "gtp-kgs")
_of_tools = partial(_extension, "gtp-tools")
_setting_up = partial(_extension, "gtp-position")
_argument = partial(_extension, "gtp")
_analysis = partial(_extension, "gtp-analysis")


class CommandFaults:
    """Faults of optional commands, by clause."""

    # gtp-rules
    SMALL_SIZES_PADDED = command(
        "gtp-rules", "sizes below 5 are accepted and played on 5x5", "boards with a fixed frame around them"
    )
    GET_KOMI_WHOLE = _of_rules("get_komi shows 6 for 6.5", "a komi kept in an integer, half a point apart")
    CLEARED_KOMI_SHOWN = _of_rules(
        "get_komi shows the first komi of the process after clear_board",
        "settings that a new game reads again",
    )
    REFUSED_KOMI_SHOWN = _of_rules("get_komi shows 0 after a komi that was refused", "komi = atof(…)")
    SHOWN_SIZE_LARGEST = _of_rules(
        "query_boardsize and gogui-rules_board_size always answer 25", "the size of the array, not the board"
    )
    REFUSED_SIZE_SHOWN = _of_rules(
        "query_boardsize shows a size that was refused", "the size is stored before it is compared"
    )
    RECTANGLE_SQUARED = _of_rules(
        "rectangular_boardsize 9 5 succeeds and makes a board of 9x9",
        "another name of boardsize, which reads one number",
    )
    SHOWN_RULES_NAMED = _of_rules("kata-get-rules answers a name: area", "engines that keep a name of rules")
    SHOWN_RULES_REFUSED = _of_rules(
        "kata-set-rules refuses the rules that kata-get-rules shows", "names are read, dictionaries are not"
    )
    SET_RULES_IGNORED = _of_rules(
        "kata-set-rules accepts any rules and sets none", "a command that is there to please a program"
    )
    REFUSED_RULES_SHOWN = _of_rules(
        "kata-get-rules shows rules that were refused", "fields are set one by one until one is wrong"
    )
    SET_RULES_CLEARS_BOARD = _of_rules(
        "kata-set-rules sets up a new game", "rules that belong to the game, not to the engine"
    )
    SET_RULE_IGNORED = _of_rules("kata-set-rule accepts any value and sets none", "a stub")
    BOARD_UPSIDE_DOWN = _of_rules("gogui-rules_board begins with row 1", "rows in the order of the array")
    SIDE_TO_MOVE_BLACK = _of_rules(
        "gogui-rules_side_to_move always answers black", "the colour that begins a game"
    )
    LEGAL_MOVES_OCCUPIED = _of_rules("gogui-rules_legal_moves lists points with stones", "all vertices")
    # gtp-kgs
    CLEANUP_PASSES = _of_kgs(
        "kgs-genmove_cleanup passes while dead stones stand", "Fuego once: a pass that wins by counting"
    )
    CLEANUP_NOT_PLAYED = _of_kgs(
        "kgs-genmove_cleanup answers a move and does not make it", "a search on a copy of the board"
    )
    CLEANUP_ANSWERS_PLAY = _of_kgs("kgs-genmove_cleanup answers `b E5`", "the command that would play it")
    GAME_OVER_CRASHES = _of_kgs("kgs-game_over ends the process", "exit() at the end of a game")
    GAME_OVER_CLOSES = _of_kgs(
        "after kgs-game_over no move is accepted, not even in a new game", "a flag that is never reset"
    )
    KGS_RULES_CRASHES = _of_kgs("kgs-rules with an unknown name ends the process", "a name without an entry")
    PRIVATE_CHAT_CRASHES = _of_kgs(
        "kgs-chat with a private message ends the process", "a reply to the window of a game"
    )
    # gtp-tools, and gtp-position among them
    CPU_TIME_FALLS = _of_tools("cputime counts down", "the time that is left, for the time that was used")
    CPU_TIME_WITH_UNIT = _of_tools("cputime answers `0.123 s`", "a number for a person")
    GOMILL_CPU_TIME_NAN = _of_tools("gomill-cpu_time answers nan", "0 seconds divided by 0 moves")
    DESCRIPTION_BLANK_LINE = _of_tools(
        "gomill-describe_engine has an empty line inside", "paragraphs, as in a help text"
    )
    MOVE_UNEXPLAINED = _of_tools(
        "gomill-explain_last_move is refused after a move", "no comment, where an empty one is asked for"
    )
    KEYWORDS_UNLISTED = _of_tools("gomill-genmove_ex without arguments is refused", "another name of genmove")
    KEYWORD_REFUSED = _of_tools(
        "gomill-genmove_ex refuses a keyword that it does not know", "arguments are counted as for genmove"
    )
    ANALYZES_UNKNOWN = _of_tools(
        "gogui-analyze_commands names a command that does not exist", "lists of commands kept by hand, twice"
    )
    ANALYZES_WITHOUT_LABEL = _of_tools(
        "gogui-analyze_commands has lines without a label", "two of three fields"
    )
    SETUP_ALL_BLACK = _setting_up("gogui-setup places black stones only", "another name of set_free_handicap")
    SEQUENCE_OF_ONE = _setting_up("gogui-play_sequence plays its first move alone", "another name of play")
    SEQUENCE_LEFT_HALF = _setting_up(
        "gogui-play_sequence keeps the moves before one that is refused", "a loop around play"
    )
    INTERRUPT_REFUSED = _of_tools("gogui-interrupt is refused", "no search runs when it comes")
    # gtp: missing and wrong arguments
    RULE_WITHOUT_VALUE_CRASHES = _argument(
        "kata-set-rule without a value ends the process", "the second of one word"
    )
    CHAT_WITHOUT_WORDS_CRASHES = _argument(
        "kgs-chat without a message ends the process", "the third of no words"
    )
    GENMOVE_EX_COLOUR_CRASHES = _argument(
        "gomill-genmove_ex with a word that is no colour ends the process", "an exception nobody catches"
    )

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
    # gtp-score
    FINAL_SCORE_LEAVES_PASSES = command(
        "gtp-score",
        "final_score leaves two passes in the game",
        "engines that play a game to its end to score it, and do not take every move back",
    )
