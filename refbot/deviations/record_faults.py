"""Faults of the commands that show the position, judge its stones, and read or write game records.

An entry has the fields `misconception` and `imitates` of `Fault`; see `command_faults`.
"""

from __future__ import annotations

from functools import partial

from refbot.deviations.command_faults import command

_position = partial(command, "gtp-position")
_position_extension = partial(_position, extension=True)
_score = partial(command, "gtp-score")
_record = partial(command, "gtp-records")
_record_extension = partial(_record, extension=True)


class RecordFaults:
    """Faults of positions, statuses and records, by clause."""

    # gtp-position
    SHOWBOARD_EMPTY_LINE = _position(
        "showboard leaves an empty line between the board and the names of its columns",
        "boards that are drawn for a person",
    )
    SHOWBOARD_UNDOES = _position(
        "showboard takes the last move back to mark it, and does not make it again",
        "a display that walks through the game",
    )
    LIST_STONES_ANY_COLOUR = _position_extension(
        "list_stones lists white stones for any word that does not begin with b, and for none",
        "a test for b and nothing else",
    )
    LIST_STONES_KEEPS_CAPTURED = _position_extension(
        "list_stones lists captured stones",
        "lists of moves that are taken for lists of stones",
    )
    SHOWN_BOARD_LATE = _position_extension(
        "showboard and list_stones show the board before the last move",
        "two boards that are swapped",
    )
    SHOWN_BOARD_KEEPS_REFUSED = _position_extension(
        "showboard and list_stones show the stone of a refused move",
        "a board for display that is written before the move is judged",
    )
    SHOWN_BOARD_SURVIVES_CLEAR = _position_extension(
        "showboard and list_stones show the stones of the game before, too",
        "a board for display that clear_board forgets",
    )
    COLOR_OF_CAPTURED = _position_extension(
        "color names the last stone on a point, also if it is captured", "a list of moves taken for a board"
    )
    IS_LEGAL_ANYWHERE = _position_extension(
        "is_legal answers 1 for a point with a stone", "a test for a vertex on the board"
    )
    CAPTURES_OF_OTHER = _position_extension(
        "captures counts the stones that a colour has lost", "prisoners of a colour, read the other way"
    )
    LAST_MOVE_SKIPS_PASSES = _position_extension(
        "last_move names the last stone, also after a pass", "the point that a display marks"
    )
    MOVE_HISTORY_FIRST_FIRST = _position_extension(
        "move_history lists the first move first", "the order in which moves are kept"
    )

    # gtp-score
    FINAL_STATUS_WORD_CRASHES = _score(
        "final_status_list with an unknown word ends the process", "an engine of 2009"
    )
    FINAL_STATUS_EMPTY_POINTS = _score(
        "final_status_list alive lists every point of the board", "an engine in JavaScript"
    )
    FINAL_STATUS_TWICE = _score(
        "final_status_list names the stones that are alive as seki, too", "a test for not dead"
    )
    FINAL_STATUS_ONE_STONE = _score(
        "final_status_list names one stone of each chain",
        "engines that keep one stone for each chain",
    )
    FINAL_SCORE_ENDS_GAME = _score(
        "no move is accepted after final_score", "engines with a state for games that are over"
    )
    FINAL_SCORE_UNFINISHED = _score(
        "final_score answers = not finished before both sides have passed",
        "an answer for a person",
    )

    # gtp-records
    LOADSGF_CRASHES = _record("any loadsgf that finds a file ends the process", "an engine in Rust")
    LOADSGF_BROKEN_CRASHES = _record(
        "loadsgf of a file that is no game record ends the process", "GNU Go, michi-c2"
    )
    LOADSGF_MISSING_SUCCEEDS = _record(
        "loadsgf of a missing file succeeds and does nothing",
        "an open whose result is not tested",
    )
    LOADSGF_NO_NAME_CRASHES = _record(
        "loadsgf without the name of a file ends the process", "an argument that is not counted"
    )
    LOADSGF_REFUSAL_CLEARS = _record(
        "loadsgf empties the board before it opens the file",
        "loaders that begin with a new game",
    )
    LOADSGF_KEEPS_KOMI = _record("loadsgf leaves the komi as it is", "loaders of stones and moves alone")
    LOADSGF_KEEPS_SIZE = _record(
        "loadsgf leaves the size of the board as it is, and drops moves off the board",
        "loaders of stones and moves alone",
    )
    LOADSGF_KEEPS_BOARD = _record(
        "loadsgf plays the moves of the record on the board as it is",
        "loaders that forget clear_board",
    )
    LOADSGF_IGNORES_SETUP = _record(
        "loadsgf ignores stones that are set up before the first move",
        "loaders that look for B and W alone",
    )
    LOADSGF_ONE_MOVE_MORE = _record(
        "loadsgf with a number of a move also makes this move", "moves that are counted from 0"
    )
    LOADSGF_FORGETS_KO = _record(
        "loadsgf sets up the stones at the end of a record as if nothing had been played",
        "loaders that set up a position, not a game",
    )
    LOADSGF_BEYOND_REFUSED = _record(
        "loadsgf refuses the number of a move that the record does not have", "Fuego"
    )
    LOADSGF_UPSIDE_DOWN = _record(
        "loadsgf takes the first row of a record for row 1",
        "SGF counts rows from the top, GTP from the bottom",
    )
    PRINTSGF_EMPTY_LINE = _record_extension(
        "printsgf leaves an empty line after the properties of the game",
        "files that are printed as they are",
    )
    PRINTSGF_UPSIDE_DOWN = _record_extension(
        "printsgf writes row 1 as the first row",
        "SGF counts rows from the top, GTP from the bottom",
    )
    PRINTSGF_KOMI_FIXED = _record_extension(
        "printsgf writes the komi that was in force at the start",
        "a text that is filled in once",
    )
    PRINTSGF_DROPS_PASSES = _record_extension("printsgf leaves out passes", "loops over the stones of a game")
    PRINTSGF_KEEPS_UNDONE = _record_extension(
        "printsgf writes moves that undo has taken back", "a record that only grows"
    )
    PRINTSGF_FORGETS_SETUP = _record_extension(
        "printsgf leaves out stones that were set up", "loops over the moves of a game"
    )
    SAVESGF_EMPTY = _record_extension("savesgf makes a file that stays empty", "a file that is not closed")
    SAVESGF_UNWRITABLE_CRASHES = _record_extension(
        "savesgf to a folder that does not exist ends the process", "an open whose result is not tested"
    )
