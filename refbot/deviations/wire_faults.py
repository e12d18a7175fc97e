"""Faults of the GTP layer: of clause `gtp`, and of the meaning of colours and settings in commands.

An entry of clause `gtp` has the fields `misconception` and `imitates` of `Fault`. Other entries name their
clause first.
"""

from __future__ import annotations

from functools import partial

from refbot.deviations.fault import Fault

_wire = partial(Fault, "gtp", where="wire")


class WireFaults:
    """Faults of lines, answers and commands."""

    # answers
    ID_DROPPED = _wire(
        "answers carry no id", "libego reads the id and never echoes it; pyDLGO and TamaGo once"
    )
    ID_DROPPED_ON_FAILURE = _wire(
        "failures carry no id", "Ray, whose error paths print a plain question mark"
    )
    ID_ZERO_DROPPED = _wire("an id of 0 is not repeated", "the gtp package of PyPI: `if id:`")
    ID_AFTER_BLANK = _wire("a blank stands between the sign and the id", "minigo: print('=', id, text)")
    ID_STALE = _wire(
        "an answer carries the id of the command before", "an id stored after the answer is sent"
    )
    ID_KEPT = _wire("an answer without an id carries the last one", "an id that is set and never unset")
    ID_SIXTEEN_BITS = _wire("ids are cut to 16 bits", "an id kept in a short integer")
    BLANK_AFTER_SIGN_MISSING = _wire("no blank between the sign and the text", "print('=' + text)")
    ONE_LINE_FEED = _wire("an answer ends with one line feed", "KataGo's answers to an id alone")
    BLANK_LINE_INSIDE = _wire("an answer of several lines has an empty one", "Leela Zero's printsgf")
    EXTRA_LINE_FEED = _wire("an answer ends with three line feeds", "minizero's list_commands, michi-c2")
    LOG_ON_STDOUT = _wire("the log of a search goes to stdout", "matilda; wrappers around Zen")
    UNFLUSHED = _wire(
        "answers wait in a buffer unless stdout is a terminal", "the gtp package of PyPI, issue 10"
    )
    REST_OF_INPUT_LOST = _wire(
        "of several commands that arrive together only the first is read", "one read, one command"
    )
    LINE_BY_READ = _wire(
        "what one read returns is taken for whole lines", "a read by hand instead of by line"
    )
    REFUSAL_DROPS_INPUT = _wire(
        "a refused command drops the commands that arrived with it", "the engine of @sabaki/gtp"
    )
    # lines
    BLANK_LINE_ANSWERED = _wire("an empty line gets an answer", "minigo's C++ engine, pony-mcts, iomrascalai")
    BLANK_LINE_CRASHES = _wire(
        "an empty line ends the process", "michi, Orego, Ray: the first word of nothing"
    )
    LINE_OF_80_BYTES = _wire(
        "a long line is read as several lines, such as of 80 bytes", "fgets with a small buffer"
    )
    COMMENT_AT_START_ONLY = _wire("# opens a comment only as first byte of a line", "Leela Zero, Gongo")
    COMMENT_NEVER = _wire("# means nothing", "minizero, pony-mcts")
    CONTROL_KEPT = _wire(
        "control characters are part of a word", "minigo: a regex in a raw string never matches"
    )
    CRLF_BREAKS = _wire(
        "a CR at the end of a line is part of the last word", "a split at LF, read on Windows"
    )
    PREFIX_MATCHED = _wire("playfoo is accepted as play", 'Leela Zero: command.find("play") == 0')
    NAME_CASE_IGNORED = _wire(
        "PLAY is accepted as play", "Leela and oakfoam, which put lines into lower case"
    )
    MISSING_ARGUMENT_CRASHES = _wire("a missing argument ends the process", "minigo, michi, Leela Zero once")
    NUMBERS_BY_ATOI = _wire(
        "abc is read as the number 0, and 9x as 9", "Ray and others that read with atoi and atof"
    )
    MISSING_ARGUMENT_SUCCEEDS = _wire("a missing argument gets a success", "Sabaki's engine; matilda")
    TAB_DROPPED = _wire("a tab is dropped, not turned into a blank", "gogui-dummy: playbA1")
    # administration
    UNKNOWN_UNANSWERED = _wire("an unknown command gets no answer", "iomrascalai, issue 35")
    UNKNOWN_SUCCEEDS = _wire("an unknown command gets an empty success", "TamaGo: `= ? unknown command`")
    KNOWN_COMMAND_DIGITS = _wire("known_command answers 1 and 0", "Orego")
    KNOWN_COMMAND_FAILS = _wire("known_command fails for an unknown name", "Ray: `? false`")
    KNOWN_COMMAND_CRASHES = _wire(
        "known_command without a name ends the process",
        "the first of no words, looked at in a command that cannot fail",
    )
    PREFIX_KNOWN = _wire("known_command answers true for the beginning of a name", "startswith for ==")
    KNOWN_CASE_IGNORED = _wire("known_command answers true for NAME", "lower() where nothing else has it")
    NAME_TWO_LINES = _wire(
        "name answers with a line about the author too", "a banner, shown wherever a name is asked for"
    )
    LIST_ON_ONE_LINE = _wire("list_commands has one line, joined by blanks", "pony-mcts, hayago")
    LIST_NAMES_UNKNOWN = _wire("list_commands names a command that does not run", "minigo's `_` for `-`")
    LIST_OMITS_REQUIRED = _wire("list_commands leaves out komi", "tables of commands kept by hand, twice")
    KOMI_MISSING = _wire("there is no komi command", "gogui-dummy, michi-c, pony-mcts")
    UNDO_LISTED_ONLY = _wire("undo is listed and always fails", "minigo: NotImplementedError")
    TIME_SETTINGS_CRASHES = _wire("time_settings ends the process", "Pachi, an assertion: gtp2ogs issue 37")
    PROTOCOL_VERSION_1 = _wire("protocol_version does not answer 2", "engines written for version 1")
    QUIT_UNANSWERED = _wire("the process ends without an answer to quit", "exit() inside the command")
    QUIT_HANGS = _wire(
        "quit is answered, the process lives on", "minigo's C++ engine: a thread is never joined"
    )
    # setup
    KOMI_CLEARS_BOARD = _wire("komi sets up a new game", "Orego, which rebuilds its player")
    CLEAR_RESETS_KOMI = Fault(
        "komi", "clear_board sets komi back to its first value", "Fuego in Little Go, issue 324", "wire"
    )
    CLEAR_TWICE_CRASHES = _wire("a second clear_board in a row ends the process", "michi-c2, issue 12")
    BOARDSIZE_ANY = _wire("every boardsize succeeds; a bad one changes nothing", "Ray")
    SIZE_IN_A_BYTE = _wire(
        "of a size only the lowest eight bits count: 265 is 9", "a board size that is kept in a byte"
    )
    BOARDSIZE_REFUSAL_FATAL = _wire("a bad boardsize is refused, then the process ends", "Pachi")
    BOARDSIZE_NEEDS_EMPTY_BOARD = _wire(
        "boardsize is refused while there are stones on the board", "a board that is only made once"
    )
    CLEAR_KEEPS_STONES = _wire(
        "clear_board forgets nothing; only boardsize empties the board", "clear_board taken for a formality"
    )
    SIZE_ONE_GAME_LATE = _wire(
        "a new size is in force from the second clear_board on", "the old board is cleared, then replaced"
    )
    UNREAD_SIZE_SUCCEEDS = _wire("boardsize abc succeeds and changes nothing", "sscanf without a test")
    KOMI_RANGE = _wire(
        "a komi outside a range is refused, such as below 0 or above 100", "'no game has such a komi'"
    )
    KOMI_NAN = _wire("nan is a komi", "strtod, float()")
    # play
    PLAY_REFUSED = _wire("play is always refused", "tutorial bots that only generate moves")
    STONES_ALL_BLACK = Fault(
        "complete-games", "every stone is black", "the colour argument is never read", "wire"
    )
    ILLEGAL_MOVE_CRASHES = _wire("an illegal move ends the process", "an exception that nobody catches")
    OFF_BOARD_PLAYS = _wire("a vertex off the board gets a success", "a loop that finds no such point")
    LETTER_I_AS_J = _wire("I is another name of J", "columns counted by letter, then corrected")
    HISTORY_OF_500 = _wire("a long game ends the process, such as at move 501", "an array of fixed size")
    PASS_REFUSED = _wire("pass is refused as a move", "iomrascalai, issue 20; the gtp package of PyPI 0.2")
    PASS_LOWER_CASE_ONLY = _wire("PASS in capitals is refused as a move", "minigo, issue 667")
    LETTER_I_USED = _wire("the ninth column is I", "BUGOUT, issue 227")
    COLUMNS_PAST_T_WRONG = _wire("the column after T is Y", "the gtp package of PyPI: …STYVWYZ")
    GENMOVE_COLUMNS_PAST_J = _wire(
        "genmove answers the column before for each column after J", "an I that is skipped in reading alone"
    )
    OFF_BOARD_CRASHES = _wire("a vertex off the board ends the process", "michi-c, issue 9")
    VERTEX_UPPER_CASE_ONLY = _wire("d4 in lower case is refused as a vertex", "a table of names in capitals")
    COLOUR_ONE_LETTER_ONLY = _wire(
        "black and white are refused as colours", "a switch over the first letters only"
    )
    COLOUR_ANY_WORD = _wire("every colour that does not begin with w is Black", "Ray")
    COLOUR_BY_LETTER = _wire("a word that begins with b or w is a colour", "a switch over the first letter")
    PLAY_IGNORES_COLOUR = _wire(
        "play places a stone of the side to move, whatever colour it names", "minigo, michi"
    )
    ALTERNATION_ENFORCED = _wire(
        "two moves of one colour in a row are refused", "minizero; colour taken for turn"
    )
    PLAY_NEVER_REFUSES = _wire("an illegal move gets a success and is not made", "Ray")
    ILLEGAL_MOVE_PASSES = _wire(
        "a refused move counts as a pass", "turn and history advanced before the test"
    )
    RESIGN_IN_HISTORY = _wire("play accepts resign as a move that undo takes back", "Leela Zero, Leela")
    GENMOVE_ENDS_WITH_GAME = _wire("genmove fails after two passes", "KataGo, issue 51")
    GENMOVE_ANSWERS_PLAY = _wire("genmove answers `b E5`", "the command that would play it")
    GENMOVE_ONE_LETTER_ONLY = _wire("genmove black is refused", "two parsers of a colour")
    GENMOVE_OUT_OF_TURN_FAILS = _wire("genmove is refused out of turn", "colour taken for turn")
    SECOND_SEARCH_CRASHES = _wire("the second search ends the process", "memory freed and used again")
    GENMOVE_NOT_PLAYED = _wire(
        "genmove answers a move and does not make it", "a search on a copy of the board"
    )
    GENMOVE_PASSES_WHEN_OVER = Fault(
        "no-early-pass",
        "genmove passes at once after two passes of the game",
        "michi and michi-c2: two passes end a game, whoever asks",
        "wire",
    )
    GENMOVE_RESIGNS = Fault(
        "complete-games",
        "genmove resigns when the score is low, such as below a tenth",
        "a habit of strong engines",
        "wire",
    )
    GENMOVE_IGNORES_COLOUR = Fault(
        "complete-games",
        "genmove always moves for the side to move, whatever colour it names",
        "engines that keep the side to move in the board and never read the argument",
        "wire",
    )
    UNDO_KEEPS_CAPTURES = _wire(
        "undo takes the stone away and does not restore captured ones", "boards without a record of captures"
    )
    UNDO_TAKES_TWO = _wire("undo takes back a move of each side", "undo meant for a person at the board")
    UNDO_AT_START_SUCCEEDS = _wire(
        "undo with nothing to take back gets a success", "a stack emptied in silence"
    )
    UNDO_AGAIN_DOES_NOTHING = _wire(
        "a second undo in a row succeeds and takes nothing back", "one earlier board, copied back again"
    )
    UNDO_OF_PASS_FAILS = _wire("a pass cannot be taken back", "undo looks for the last stone")
    UNDO_SKIPS_PASSES = _wire(
        "undo after a pass takes back the last stone too", "a list of moves without passes"
    )
    # refusals
    REFUSED_MOVE_LIFTS_KO = _wire(
        "a refused move lifts the ban of the ko", "the ko point is reset before the move is judged"
    )
    KOMI_LIFTS_KO = _wire("komi lifts the ban of the ko", "komi begins a game anew, but for the stones")
    REFUSED_MOVE_COUNTS = _wire(
        "a refused move counts towards the move cap", "the move number is advanced before the move is judged"
    )
    REFUSED_GENMOVE_PASSES = _wire(
        "genmove with an unknown colour is refused and passes", "the turn is advanced first"
    )
    REFUSED_GENMOVE_FORGETS_SEARCH = _wire(
        "ref-nodes and ref-score are lost when genmove is refused",
        "the sums are set to 0 before the colour is read",
    )
    REFUSED_KOMI_IS_ZERO = _wire(
        "a komi that cannot be read is refused, and komi is 0 from then on", "komi = atof(…), then the test"
    )
    REFUSED_SIZE_CLEARS_BOARD = _wire(
        "a size that is refused empties the board all the same", "clear() before the test"
    )
    REFUSED_UNDO_UNCOUNTS = _wire(
        "an undo that is refused takes one off the number of moves", "count -= 1 before the test"
    )
    REFUSED_UNDO_LOSES_MOVE = _wire(
        "after an undo that is refused, undo does not take back the first move of the game",
        "a place in the history that goes below its first entry",
    )
    REFUSED_KO_TAKES_STONE = _wire(
        "a ko that is refused takes the stone off the board all the same",
        "stones are captured before the ko is looked at, and are not put back",
    )
    CLEAR_KEEPS_UNDO = _wire(
        "undo after clear_board brings the game before back", "a stack of boards that is never emptied"
    )
    UNKNOWN_COMMAND_CLEARS = _wire(
        "an unknown command empties the board", "a switch whose last case falls through"
    )
    REFUSAL_FORGETS_SEARCH = _wire(
        "ref-nodes and ref-score are lost when any command is refused", "one result of the last command"
    )
    # score
    FINAL_SCORE_SIGN = _wire("final_score names the loser", "a score seen from White")
    FINAL_SCORE_BARE = _wire("final_score is a number without a winner", "minizero")
    FINAL_SCORE_STORED = Fault(
        "komi",
        "final_score stores the score of the last board, with the komi of that time",
        "GNU Go 3.8: a komi after the first final_score is ignored",
        "wire",
    )
    FINAL_SCORE_WITHOUT_KOMI = Fault(
        "komi", "final_score leaves out komi", "the score of the stones alone", "wire"
    )
