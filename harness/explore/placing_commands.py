"""Required answers to optional commands that change the game: handicaps, set-up, records, clocks.

RULES has a function for each command. A function gets the state of a right bot and the arguments of the
command, and returns the required answer, or None where the answer is open. The state has no position while
the board of the bot is not known. Examples on an empty 9x9 board:

    fixed_handicap 2     a success that lists two points of the draft's table (Kind.STONES)
    fixed_handicap abc   a refusal: abc is no number
    fixed_handicap 1     None: engines differ
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from harness.check.stored_records import BROKEN, NOT_THERE, NOWHERE
from harness.explore.abilities import Feature
from harness.explore.command_state import OVERTIME, RECORD, CommandState
from harness.explore.game_model import NO_NUMBER
from harness.explore.readings import expect_all_points, expect_some_points
from harness.explore.wanted import Kind, Wanted, refusal
from harness.go import (
    FEWEST_HANDICAP,
    MOST_HANDICAP,
    BoardError,
    Position,
    all_points,
    handicap_points,
    most_handicap,
)
from harness.gtp import ColourError, VertexError, parse_colour, parse_vertex

Rule = Callable[[CommandState, tuple[str, ...]], Wanted | None]
"""Function of the state and the arguments: the required answer; None if it is open."""

HANDICAP, TIME, POSITION, RECORDS = "gtp-handicap", "gtp-time", "gtp-position", "gtp-records"
NUMBER = re.compile(r"-?\d+")

SMALLEST_FIXED = 8
"""The smallest board on which every engine with a table of fixed points has them."""

SMALLEST_FREE = 7
"""The smallest board for free handicaps; chosen: four stones may not fit on a smaller one."""

MOST_PLACED = 4
"""Most stones of place_free_handicap that every engine places."""


def _refused_number(state: CommandState, arguments: tuple[str, ...], most: int | None) -> Wanted | None:
    """Return the refusal of a handicap command with a number of stones; None if it need not be refused.

    most   the largest number; None for no limit
    """
    if state.position is None:
        return None
    if not arguments:
        return refusal("the number is missing", Feature.REFUSED_HANDICAPS, HANDICAP)
    if NO_NUMBER.fullmatch(arguments[0]):
        return refusal(f"{arguments[0]} is no number", Feature.REFUSED_HANDICAPS, HANDICAP)
    if not NUMBER.fullmatch(arguments[0]):
        return None
    number = int(arguments[0])
    if number < 0 or (most is not None and number > most):
        return refusal(f"{number} is no number of stones", Feature.REFUSED_HANDICAPS, HANDICAP)
    if any(state.position.fingerprint):
        return refusal("there are stones on the board", Feature.REFUSED_HANDICAPS, HANDICAP)
    return None


def _number_of_stones(state: CommandState, arguments: tuple[str, ...], most: int) -> int | None:
    """Return the number in a handicap command that need not be refused.

    None if the answer is open: engines differ within a game, and for a number outside FEWEST_HANDICAP to
    `most`.
    """
    if not state.is_new or not NUMBER.fullmatch(arguments[0]):
        return None
    number = int(arguments[0])
    return number if FEWEST_HANDICAP <= number <= most else None


def _fixed_handicap(state: CommandState, arguments: tuple[str, ...]) -> Wanted | None:
    refused = _refused_number(state, arguments, MOST_HANDICAP)
    size = state.size or 0
    if refused is not None or size < SMALLEST_FIXED:
        return refused
    number = _number_of_stones(state, arguments, most_handicap(size))
    if number is None:
        return None
    reading = expect_all_points(handicap_points(number, size), size)
    return Wanted(Kind.STONES, HANDICAP, feature=Feature.HANDICAPS, reading=reading)


def _place_free_handicap(state: CommandState, arguments: tuple[str, ...]) -> Wanted | None:
    refused = _refused_number(state, arguments, None)
    size = state.size or 0
    if refused is not None or size < SMALLEST_FREE:
        return refused
    number = _number_of_stones(state, arguments, MOST_PLACED)
    if number is None:
        return None
    reading = expect_some_points(all_points(size), size, FEWEST_HANDICAP, number)
    return Wanted(Kind.STONES, HANDICAP, feature=Feature.HANDICAPS, reading=reading)


def _set_free_handicap(state: CommandState, arguments: tuple[str, ...]) -> Wanted | None:
    if state.position is None or state.size is None or state.size < SMALLEST_FREE:
        return None
    if any(state.position.fingerprint):
        return refusal("there are stones on the board", Feature.REFUSED_HANDICAPS, HANDICAP)
    if not state.is_new or len(arguments) < FEWEST_HANDICAP:
        return None
    try:
        points = [parse_vertex(word, state.size) for word in arguments]
    except VertexError as error:
        return refusal(str(error), Feature.REFUSED_HANDICAPS, HANDICAP)
    if None in points or len(set(points)) < len(points):
        return refusal("a point twice, or pass", Feature.REFUSED_HANDICAPS, HANDICAP)
    return Wanted(Kind.SUCCESS, HANDICAP, feature=Feature.HANDICAPS)


def _gogui_setup(state: CommandState, arguments: tuple[str, ...]) -> Wanted | None:
    position = state.position
    if position is None or not state.is_new or not arguments or len(arguments) % 2:
        return None
    try:
        Position(position.size).set_up(*state.stones_of_sides(arguments))
    except (ColourError, VertexError, BoardError):
        return None
    return Wanted(Kind.EITHER, POSITION, feature=Feature.SEQUENCES)


def _play_sequence(state: CommandState, arguments: tuple[str, ...]) -> Wanted | None:
    if state.position is None or not arguments or len(arguments) % 2:
        return None
    after = state.position.copy()
    try:
        moves = state.sequence(arguments)
    except (ColourError, VertexError):
        return None
    for colour, point in moves:
        reason = after.legality(colour, point)
        if reason == "occupied":
            return refusal("one of the moves is on a stone", Feature.SEQUENCES, POSITION)
        if reason is not None:
            return None
        after.play(colour, point)
    return Wanted(Kind.SUCCESS, POSITION, feature=Feature.SEQUENCES)


def _loadsgf(state: CommandState, arguments: tuple[str, ...]) -> Wanted | None:
    if not arguments:
        return refusal("the file is missing", Feature.REFUSED_RECORDS, RECORDS)
    if arguments[0] == NOT_THERE:
        return refusal("there is no such file", Feature.REFUSED_RECORDS, RECORDS)
    if arguments[0] in BROKEN:
        return Wanted(Kind.ANSWER, RECORDS, feature=Feature.REFUSED_RECORDS)
    found = RECORD.fullmatch(arguments[0])
    if found is None or int(found[2]) not in state.abilities.sizes:
        return None
    return Wanted(Kind.EITHER, RECORDS, feature=Feature.LOADED_RECORDS)


def _savesgf(_state: CommandState, arguments: tuple[str, ...]) -> Wanted | None:
    if arguments != (NOWHERE,):
        return None
    return Wanted(Kind.ANSWER, RECORDS, feature=Feature.REFUSED_RECORDS)


def _refused_words(arguments: tuple[str, ...], wanted: int) -> Wanted | None:
    """Return the refusal of fewer than `wanted` numbers, or of a word in place of one; else None."""
    if len(arguments) < wanted:
        return refusal("a number is missing", Feature.REFUSED_CLOCKS, TIME)
    word = next(filter(NO_NUMBER.fullmatch, arguments[:wanted]), None)
    return None if word is None else refusal(f"{word} is no number", Feature.REFUSED_CLOCKS, TIME)


def _time_settings(state: CommandState, arguments: tuple[str, ...]) -> Wanted | None:
    wrong = _refused_words(arguments, 3)
    if wrong is not None:
        return wrong
    # Some engines refuse other settings while a game goes on.
    return Wanted(Kind.SUCCESS, TIME, feature=Feature.CLOCKS) if state.is_new else None


def _time_left(state: CommandState, arguments: tuple[str, ...]) -> Wanted | None:
    if not arguments:
        return refusal("the colour is missing", Feature.REFUSED_CLOCKS, TIME)
    try:
        parse_colour(arguments[0])
    except ColourError:
        return refusal(f"{arguments[0]} is no colour", Feature.REFUSED_CLOCKS, TIME)
    wrong = _refused_words(arguments[1:], 2)
    if wrong is not None or not state.overtime:
        return wrong
    seconds, stones = arguments[1:3]
    if not (seconds.isdecimal() and stones.isdecimal() and int(seconds)):
        return Wanted(Kind.ANSWER, TIME, feature=Feature.CLOCKS)
    main, period, most = map(int, OVERTIME)
    # No stones: the rest of the main time. Else the rest of the period, and the stones still to play in it.
    in_time = int(seconds) <= (period if int(stones) else main) and int(stones) <= most
    return Wanted(Kind.SUCCESS, TIME, feature=Feature.CLOCKS) if in_time else None


KGS_SYSTEMS = {"none": 0, "absolute": 1, "canadian": 3}
"""The time systems of KGS that every engine knows, and how many numbers they have."""


def _kgs_time_settings(state: CommandState, arguments: tuple[str, ...]) -> Wanted | None:
    if not arguments:
        return refusal("the time system is missing", Feature.REFUSED_CLOCKS, TIME)
    numbers = KGS_SYSTEMS.get(arguments[0])
    if numbers is None:
        return None
    wrong = _refused_words(arguments[1:], numbers)
    if wrong is not None or not state.is_new:
        return wrong
    return Wanted(Kind.SUCCESS, TIME, feature=Feature.CLOCKS)


RULES: Mapping[str, Rule] = {
    "fixed_handicap": _fixed_handicap,
    "place_free_handicap": _place_free_handicap,
    "set_free_handicap": _set_free_handicap,
    "gogui-setup": _gogui_setup,
    "gogui-play_sequence": _play_sequence,
    "loadsgf": _loadsgf,
    "savesgf": _savesgf,
    "time_settings": _time_settings,
    "time_left": _time_left,
    "kgs-time_settings": _kgs_time_settings,
}
"""By command, the rule for its answer."""
