"""Faults of optional commands and of the common extensions of GTP.

An entry has the fields `misconception` and `imitates` of `Fault`. A fault of a command that only
`refbot gtp --extensions` has implies this option (`Fault.extension`).
"""

from __future__ import annotations

from functools import partial

from refbot.deviations.fault import Fault

_command = partial(Fault, where="wire")
_extension = partial(_command, extension=True)
_handicap = partial(_command, "gtp-handicap")
_time = partial(_command, "gtp-time")
_kgs_time = partial(_extension, "gtp-time")
_gtp = partial(_command, "gtp")

_of_rules = partial(_extension, "gtp-rules")
_of_kgs = partial(_extension, "gtp-kgs")
_of_tools = partial(_extension, "gtp-tools")
_setting_up = partial(_extension, "gtp-position")
_argument = partial(_extension, "gtp")


_analysis = partial(_extension, "gtp-analysis")


class CommandFaults:
    """Faults of optional commands, by clause."""

    # gtp-handicap
    FIXED_HANDICAP_UNANSWERED = _handicap(
        "fixed_handicap places the stones and does not answer their points", "Fuego 1.1"
    )
    FIXED_HANDICAP_IN_ONE_ORDER = _handicap(
        "a fixed handicap of five or seven stones leaves the centre empty",
        "a list of nine points that is cut to the number of stones",
    )
    FIXED_HANDICAP_NOT_PLACED = _handicap(
        "fixed_handicap answers points and leaves the board empty", "engines that only look up the points"
    )
    FIXED_HANDICAP_CUT = _handicap(
        "fixed_handicap places nine stones for a larger number, and none for a smaller one than zero",
        "a loop over the points that ends with the list",
    )
    FIXED_HANDICAP_ABOVE_NINE_CRASHES = _handicap(
        "fixed_handicap with more than nine stones ends the process", "Pachi, an assertion"
    )
    HANDICAP_ALTERNATES = _handicap(
        "every second stone of a handicap is white", "stones placed by the function that makes moves"
    )
    HANDICAP_ON_STONES = _handicap(
        "fixed_handicap and place_free_handicap succeed on a board with stones",
        "Pachi, and engines that trust the controller",
    )
    HANDICAP_WORD_IS_TWO = _handicap(
        "a word in place of the number of stones is a handicap of two", "a number whose reading is not tested"
    )
    HANDICAP_ARGUMENT_CRASHES = _handicap(
        "a handicap command without its number ends the process", "the first of no arguments"
    )
    HANDICAP_ONCE = _handicap(
        "a second handicap is refused, also after clear_board", "a flag of the handicap that nothing unsets"
    )
    CLEAR_KEEPS_HANDICAP = _handicap(
        "clear_board leaves the stones of a handicap", "set-up stones that belong to the board"
    )
    PLACE_HANDICAP_REPEATS = _handicap(
        "place_free_handicap answers its first point once more at the end",
        "searches on a copy of the board without the stones placed so far",
    )
    PLACE_HANDICAP_NOT_PLACED = _handicap(
        "place_free_handicap answers points and leaves the board empty",
        "engines that wait for set_free_handicap",
    )
    PLACE_HANDICAP_CUT = _handicap(
        "place_free_handicap takes a number below zero for zero", "a loop that makes no step"
    )
    SET_HANDICAP_ON_STONES = _handicap(
        "set_free_handicap succeeds on a board with stones", "Pachi, which plays the stones as moves"
    )
    SET_HANDICAP_REPEATS = _handicap(
        "set_free_handicap accepts a point twice", "KataGo, which puts one stone on another"
    )
    SET_HANDICAP_SKIPS_PASS = _handicap(
        "set_free_handicap accepts pass and puts no stone there", "pass taken for a vertex like any other"
    )
    SET_HANDICAP_ANY_VERTEX = _handicap(
        "set_free_handicap succeeds with words that are no vertex", "an error of a loop that is forgotten"
    )
    SET_HANDICAP_OF_TWO = _handicap(
        "of a set handicap of three stones or more, only two are placed", "a fixed number of arguments"
    )
    FIXED_HANDICAP_SECOND_LINE = _handicap(
        "on boards below 9x9 a fixed handicap stands on the second line",
        "small boards that are an afterthought",
    )
    HANDICAP_MOVE_NOT_UNDONE = _handicap(
        "the first move after a handicap cannot be taken back", "one handicap stone too many protected"
    )

    # gtp-time
    TIME_SETTINGS_OF_TWO = _time(
        "time_settings succeeds without its third number", "sscanf, whose result is not compared"
    )
    TIME_SETTINGS_ARGUMENT_CRASHES = _time(
        "time_settings without its numbers ends the process", "the first of no arguments"
    )
    TIME_SETTINGS_WORD_IS_ZERO = _time("time_settings reads any word as the number 0", "atoi")
    NO_LIMIT_REFUSED = _time(
        "time_settings refuses a byo-yomi time for no stones, which means no limit",
        "a division by the number of stones that is guarded",
    )
    TIME_LEFT_ANY_COLOUR = _time("time_left succeeds with any word as its colour", "michi-c2")
    TIME_LEFT_WITHOUT_STONES = _time("time_left succeeds without its third number", "michi-c2")
    TIME_LEFT_WORD_IS_ZERO = _time("time_left reads any word as the number 0", "atoi")
    TIME_LEFT_DIVIDES_BY_STONES = _time(
        "time_left is refused in main time, where the number of stones is 0", "stones taken for a divisor"
    )
    TIME_LEFT_OVER_CRASHES = _time(
        "time_left with no time left ends the process", "an assertion that some time is left"
    )
    KGS_TIME_NONE_REFUSED = _kgs_time(
        "kgs-time_settings refuses none, which means no limit", "a time system without a number"
    )
    KGS_TIME_NUMBERS_UNREAD = _kgs_time(
        "kgs-time_settings succeeds without its numbers", "a time system whose numbers nobody counts"
    )

    # the clause gtp
    UNDO_LIFTS_KO = _gtp("undo lifts the ban of the ko", "a ko point that is reset when a move is taken back")
    REG_GENMOVE_PLAYS = _gtp("reg_genmove makes the move that it answers", "another name of genmove")
    REG_GENMOVE_COUNTS = _gtp(
        "reg_genmove makes a pass, which undo takes back", "the turn is set to the colour by a pass"
    )
    REG_GENMOVE_ANY_COLOUR = _gtp("reg_genmove takes any word for Black", "a colour that is not tested")
    REG_GENMOVE_ANSWERS_LAST = _gtp(
        "reg_genmove answers the vertex of the last move once there is one",
        "a search that starts a move late",
    )
    RESIGNATION_PLAYED = _gtp(
        "genmove resigns when the score is below a tenth, and makes its move all the same",
        "a decision to resign after the move is made",
    )

    # gtp-rules
    SMALL_SIZES_PADDED = _command(
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
    # gtp-tools
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
    # arguments
    RULE_WITHOUT_VALUE_CRASHES = _argument(
        "kata-set-rule without a value ends the process", "the second of one word"
    )
    CHAT_WITHOUT_WORDS_CRASHES = _argument(
        "kgs-chat without a message ends the process", "the third of no words"
    )
    GENMOVE_EX_COLOUR_CRASHES = _argument(
        "gomill-genmove_ex with a word that is no colour ends the process", "an exception nobody catches"
    )
    # gtp-position
    SHOWBOARD_EMPTY_LINE = _command(
        "gtp-position",
        "showboard leaves an empty line between the board and the names of its columns",
        "boards that are drawn for a person",
    )
    SHOWBOARD_UNDOES = _command(
        "gtp-position",
        "showboard takes the last move back to mark it, and does not make it again",
        "a display that walks through the game",
    )
    LIST_STONES_ANY_COLOUR = _extension(
        "gtp-position",
        "list_stones takes any word for a colour, and no word for white",
        "a test for b and nothing else",
    )
    LIST_STONES_KEEPS_CAPTURED = _extension(
        "gtp-position",
        "list_stones lists captured stones",
        "lists of moves that are taken for lists of stones",
    )
    SHOWN_BOARD_LATE = _extension(
        "gtp-position",
        "showboard and list_stones show the board before the last move",
        "two boards that are swapped",
    )
    SHOWN_BOARD_KEEPS_REFUSED = _extension(
        "gtp-position",
        "showboard and list_stones show the stone of a refused move",
        "a board for display that is written before the move is judged",
    )
    SHOWN_BOARD_SURVIVES_CLEAR = _extension(
        "gtp-position",
        "showboard and list_stones show the stones of the game before, too",
        "a board for display that clear_board forgets",
    )

    # gtp-score
    FINAL_STATUS_WORD_CRASHES = _command(
        "gtp-score", "ends at a final_status_list with an unknown word, or without one", "an engine of 2009"
    )
    FINAL_STATUS_EMPTY_POINTS = _command(
        "gtp-score", "final_status_list alive lists every point of the board", "an engine in JavaScript"
    )
    FINAL_STATUS_TWICE = _command(
        "gtp-score", "final_status_list names the stones that are alive as seki, too", "a test for not dead"
    )
    FINAL_STATUS_ONE_STONE = _command(
        "gtp-score",
        "final_status_list names one stone of each chain",
        "engines that keep one stone for each chain",
    )
    FINAL_SCORE_ENDS_GAME = _command(
        "gtp-score", "no move is accepted after final_score", "engines with a state for games that are over"
    )
    FINAL_SCORE_UNFINISHED = _command(
        "gtp-score",
        "final_score answers = not finished before both sides have passed",
        "an answer for a person",
    )

    # gtp-records
    LOADSGF_CRASHES = _command("gtp-records", "ends at any loadsgf that finds a file", "an engine in Rust")
    LOADSGF_BROKEN_CRASHES = _command(
        "gtp-records", "ends at loadsgf of a file that is no game record", "GNU Go, michi-c2"
    )
    LOADSGF_MISSING_SUCCEEDS = _command(
        "gtp-records",
        "loadsgf of a missing file succeeds and does nothing",
        "an open whose result is not tested",
    )
    LOADSGF_NO_NAME_CRASHES = _command(
        "gtp-records", "ends at loadsgf without the name of a file", "an argument that is not counted"
    )
    LOADSGF_REFUSAL_CLEARS = _command(
        "gtp-records",
        "loadsgf empties the board before it opens the file",
        "loaders that begin with a new game",
    )
    LOADSGF_KEEPS_KOMI = _command(
        "gtp-records", "loadsgf leaves the komi as it is", "loaders of stones and moves alone"
    )
    LOADSGF_KEEPS_SIZE = _command(
        "gtp-records",
        "loadsgf leaves the size of the board as it is, and drops moves off the board",
        "loaders of stones and moves alone",
    )
    LOADSGF_KEEPS_BOARD = _command(
        "gtp-records",
        "loadsgf plays the moves of the record on the board as it is",
        "loaders that forget clear_board",
    )
    LOADSGF_IGNORES_SETUP = _command(
        "gtp-records",
        "loadsgf ignores stones that are set up before the first move",
        "loaders that look for B and W alone",
    )
    LOADSGF_ONE_MOVE_MORE = _command(
        "gtp-records", "loadsgf with a number of a move also makes this move", "moves that are counted from 0"
    )
    LOADSGF_UPSIDE_DOWN = _command(
        "gtp-records",
        "loadsgf takes the first row of a record for row 1",
        "SGF counts rows from the top, GTP from the bottom",
    )
    PRINTSGF_EMPTY_LINE = _extension(
        "gtp-records",
        "printsgf leaves an empty line after the properties of the game",
        "files that are printed as they are",
    )
    PRINTSGF_UPSIDE_DOWN = _extension(
        "gtp-records",
        "printsgf writes row 1 as the first row",
        "SGF counts rows from the top, GTP from the bottom",
    )
    PRINTSGF_KOMI_FIXED = _extension(
        "gtp-records",
        "printsgf writes the komi that was in force at the start",
        "a text that is filled in once",
    )
    PRINTSGF_DROPS_PASSES = _extension(
        "gtp-records", "printsgf leaves out passes", "loops over the stones of a game"
    )
    PRINTSGF_FORGETS_SETUP = _extension(
        "gtp-records", "printsgf leaves out stones that were set up", "loops over the moves of a game"
    )
    SAVESGF_EMPTY = _extension(
        "gtp-records", "savesgf makes a file that stays empty", "a file that is not closed"
    )
    SAVESGF_UNWRITABLE_CRASHES = _extension(
        "gtp-records", "ends at savesgf to a folder that does not exist", "an open whose result is not tested"
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
    FINAL_SCORE_LEAVES_PASSES = _command(
        "gtp-score",
        "final_score leaves two passes in the game",
        "engines that play a game to its end to score it, and do not take every move back",
    )
