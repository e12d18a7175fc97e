"""Faults of the commands of a game: handicaps, clocks, undo, reg_genmove and resignation.

The entries have the form of `command_faults`.
"""

from __future__ import annotations

from functools import partial

from refbot.deviations.command_faults import command

_handicap = partial(command, "gtp-handicap")
_time = partial(command, "gtp-time")
_kgs_time = partial(_time, extension=True)
_gtp = partial(command, "gtp")


class GameCommandFaults:
    """Faults of commands about a game, by clause."""

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
        "fixed_handicap places nine stones for a larger number, and none for a negative one",
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
        "fixed_handicap without its number ends the process", "the first of no arguments"
    )
    HANDICAP_ONCE = _handicap(
        "a second handicap is refused, also after clear_board", "a flag of the handicap that nothing unsets"
    )
    CLEAR_KEEPS_HANDICAP = _handicap(
        "clear_board leaves the stones of a handicap", "set-up stones that belong to the board"
    )
    PLACE_HANDICAP_REPEATS = _handicap(
        "place_free_handicap answers its first point again in place of its last one",
        "searches on a copy of the board without the stones placed so far",
    )
    PLACE_HANDICAP_NOT_PLACED = _handicap(
        "place_free_handicap answers points and leaves the board empty",
        "engines that wait for set_free_handicap",
    )
    PLACE_HANDICAP_CUT = _handicap(
        "place_free_handicap takes a negative number for zero", "a loop that makes no step"
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
        "set_free_handicap places only the first two stones", "a fixed number of arguments"
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
        "a guard of the division by the number of stones",
    )
    TIME_LEFT_ANY_COLOUR = _time("time_left succeeds with any word as its colour", "michi-c2")
    TIME_LEFT_WITHOUT_STONES = _time("time_left succeeds without its number of stones", "michi-c2")
    TIME_LEFT_WORD_IS_ZERO = _time("time_left reads any word as the number 0", "atoi")
    TIME_LEFT_DIVIDES_BY_STONES = _time(
        "time_left is refused in main time, where the number of stones is 0", "stones taken for a divisor"
    )
    TIME_LEFT_OVER_CRASHES = _time(
        "time_left with 0 or a negative number of seconds ends the process",
        "an assertion that some time is left",
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
        "genmove resigns when the score is low, such as below a tenth, and makes its move all the same",
        "a decision to resign after the move is made",
    )
