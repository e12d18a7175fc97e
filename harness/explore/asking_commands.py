"""Required answers to optional commands about the position, rules, scores, searches, servers and tools.

RULES has a function for each command. A function gets the state of a right bot and the arguments of the
command, and returns the required answer, or None where the answer is open. For example, after `play b E5`:

    list_stones black    a success whose text lists E5 and no other point (Kind.READ)
    list_stones x        a refusal: x is no colour
    list_stones          None: no document says what it means without a colour

The position, the size and komi of a state are None where they are unknown. A required answer (`Wanted`) names
its clause, and the optional feature of bots that its line uses. Functions named `expect_…` and `read_…` say
what a text must be (`readings`). Commands that set up a game or a clock are in `placing_commands`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from harness.check.stored_records import NOWHERE, RECORD_SIZES, SETTLED, record_of
from harness.explore.abilities import Feature
from harness.explore.command_state import CommandState
from harness.explore.moves import empty_points, has_candidate
from harness.explore.placing_commands import POSITION, Rule
from harness.explore.readings import (
    Reading,
    expect_all_points,
    expect_board,
    expect_number,
    expect_record,
    expect_some_points,
    expect_words,
    read_analyze_commands,
    read_json_object,
    read_score,
)
from harness.explore.wanted import Kind, Wanted, refusal
from harness.go import Colour, Position, opponent, play_record
from harness.gtp import (
    ColourError,
    VertexError,
    format_vertex,
    parse_colour,
    parse_decimal,
    parse_vertex,
)
from harness.gtp.analysis_commands import ENDLESS, GENMOVES, SEARCH

NAMES: Mapping[Colour, str] = {"b": "black", "w": "white"}
# Clauses, like POSITION.
OF_RULES, TOOLS, KGS = "gtp-rules", "gtp-tools", "gtp-kgs"
OF_SCORE, ANALYSIS = "gtp-score", "gtp-analysis"
NO_SUCH_RULES = "no_such_rules"
LARGEST_JUDGED = 9
"""The largest board on which unfinished games are scored. Chosen: an engine may play them out to score."""


def _readable(reading: Reading, clause: str, feature: Feature, *, refusable: bool = False) -> Wanted:
    """Return the requirement of a success in whose text `reading` finds nothing wrong."""
    return Wanted(Kind.READ, clause, feature=feature, reading=reading, refusable=refusable)


def _shows_state(reading: Reading) -> Wanted:
    """Return the requirement on an answer that shows the position, a part of it, or its moves."""
    return _readable(reading, POSITION, Feature.SHOWN_STATE)


def _shows_rules(reading: Reading) -> Wanted:
    """Return the requirement on an answer of the clause gtp-rules: komi, size, rules, or gogui-rules_*."""
    return _readable(reading, OF_RULES, Feature.SHOWN_RULES)


def _colour(arguments: tuple[str, ...]) -> Colour | None:
    """Return the colour that the first argument names; None if it is missing or no colour."""
    try:
        return parse_colour(arguments[0]) if arguments else None
    except ColourError:
        return None


# --- the position ------------------------------------------------------------------------------------------


def _showboard(_state: CommandState, _arguments: tuple[str, ...]) -> Wanted:
    return Wanted(Kind.SUCCESS, POSITION, feature=Feature.SHOWN_BOARDS)


def _list_stones(state: CommandState, arguments: tuple[str, ...]) -> Wanted | None:
    colour, position = _colour(arguments), state.position
    if arguments and colour is None:
        return refusal(f"{arguments[0]} is no colour", Feature.WRONG_WORDS, POSITION)
    if colour is None or position is None:
        return None
    stones = [point for point, stone in position.stones().items() if stone == colour]
    return _shows_state(expect_all_points(stones, position.size))


def _color(state: CommandState, arguments: tuple[str, ...]) -> Wanted | None:
    position = state.position
    if position is None or not arguments:
        return None
    try:
        point = parse_vertex(arguments[0], position.size)
    except VertexError:
        return None
    stone = None if point is None else position.at(point)
    return None if point is None else _shows_state(expect_words("empty" if stone is None else NAMES[stone]))


def _is_legal(state: CommandState, arguments: tuple[str, ...]) -> Wanted | None:
    colour, position = _colour(arguments), state.position
    if colour is None or position is None or len(arguments) < 2:
        return None
    try:
        point = parse_vertex(arguments[1], position.size)
    except VertexError:
        return None
    reason = position.legality(colour, point)
    if point is None or reason not in (None, "occupied"):
        return None  # engines differ about a pass, suicide and ko
    return _shows_state(expect_words("1" if reason is None else "0"))


def _captures(state: CommandState, arguments: tuple[str, ...]) -> Wanted | None:
    colour, position = _colour(arguments), state.position
    if colour is None or position is None or state.set_up or position.rules.suicide:
        return None  # engines differ about the stones of a suicide, and about those taken before a set-up
    return _shows_state(expect_words(str(position.captured()[opponent(colour)])))


def _moves(state: CommandState) -> list[str]:
    """Return the moves of the game, first to last, as `black E5`."""
    position = state.position
    return [] if position is None else [f"{NAMES[c]} {format_vertex(point)}" for c, point in position.moves]


def _last_move(state: CommandState, _arguments: tuple[str, ...]) -> Wanted | None:
    moves = _moves(state)
    return None if state.set_up or not moves else _shows_state(expect_words(moves[-1]))


def _move_history(state: CommandState, _arguments: tuple[str, ...]) -> Wanted | None:
    if state.position is None or state.set_up:
        return None
    return _shows_state(expect_words(" ".join(reversed(_moves(state)))))


def _side_to_move(state: CommandState, _arguments: tuple[str, ...]) -> Wanted | None:
    position = state.position
    if position is None or state.set_up or not position.moves:
        return None
    return _shows_rules(expect_words(NAMES[position.to_move], position.to_move))


def _board(state: CommandState, _arguments: tuple[str, ...]) -> Wanted | None:
    return None if state.position is None else _shows_rules(expect_board(state.position))


def _legal_moves(state: CommandState, _arguments: tuple[str, ...]) -> Wanted | None:
    position = state.position
    if position is None:
        return None
    return _shows_rules(expect_some_points([*empty_points(position), None], position.size))


def _printsgf(state: CommandState, arguments: tuple[str, ...]) -> Wanted | None:
    position = state.position
    if arguments == (NOWHERE,):
        return Wanted(Kind.ANSWER, "gtp-records", feature=Feature.WRONG_WORDS)
    if arguments or position is None:
        return None  # the record goes to a file, or the position is not known
    if state.set_up and not state.handicap:
        return None  # a loaded record may be printed with its own first moves
    if state.abilities.rules.superko == "none":
        return None  # a game that repeats positions may not be read back
    reading = expect_record(position, state.komi, by_moves=not state.set_up)
    return _readable(reading, "gtp-records", Feature.PRINTED_RECORDS, refusable=True)


# --- rules and scores --------------------------------------------------------------------------------------


def _get_komi(state: CommandState, _arguments: tuple[str, ...]) -> Wanted | None:
    return None if state.komi is None else _shows_rules(expect_number(state.komi))


def _size(state: CommandState, _arguments: tuple[str, ...]) -> Wanted | None:
    if state.size is None:
        return None
    size = str(state.size)
    return _shows_rules(expect_words(size, f"{size} {size}", f"{size} rect"))


def _get_rules(_state: CommandState, _arguments: tuple[str, ...]) -> Wanted:
    return _shows_rules(read_json_object)


def _set_rules(state: CommandState, arguments: tuple[str, ...]) -> Wanted | None:
    # Before the line is sent, {rules} is replaced by the rules that the engine has shown.
    if arguments != ("{rules}",) or state.shown_rules is None:
        return None
    return Wanted(Kind.SUCCESS, OF_RULES, "the rules that were shown", feature=Feature.SHOWN_RULES)


def _set_rule(_state: CommandState, arguments: tuple[str, ...]) -> Wanted | None:
    if len(arguments) > 1:
        return None  # a rule with a value would change how the engine plays
    return Wanted(Kind.ANSWER, OF_RULES, feature=Feature.WRONG_WORDS)


def _may_be_judged(position: Position | None) -> bool:
    """Return True if an engine needs little time to judge the stones of a position."""
    return position is not None and (position.size <= LARGEST_JUDGED or is_settled(position))


def _final_score(state: CommandState, _arguments: tuple[str, ...]) -> Wanted | None:
    if state.komi is None or not _may_be_judged(state.position):
        return None
    return _readable(read_score, OF_SCORE, Feature.SCORES, refusable=True)


def is_settled(position: Position) -> bool:
    """Return True if a game is over with the board of SETTLED, on which every stone is alive."""
    if position.size not in RECORD_SIZES or not position.has_ended:
        return False
    return position.fingerprint == play_record(record_of(SETTLED, position.size)).fingerprint


def _final_status_list(state: CommandState, arguments: tuple[str, ...]) -> Wanted | None:
    position = state.position
    if position is None or not arguments:
        return None
    if arguments[0] not in ("alive", "dead", "seki"):
        return Wanted(Kind.ANSWER, OF_SCORE, feature=Feature.WRONG_WORDS)
    if not _may_be_judged(position):
        return None
    stones = list(position.stones())
    reading = expect_some_points(stones, position.size)
    if is_settled(position):
        reading = expect_all_points(stones if arguments[0] == "alive" else (), position.size)
    return _readable(reading, OF_SCORE, Feature.STATUSES, refusable=True)


# --- searches ----------------------------------------------------------------------------------------------


def _shown_move(
    state: CommandState, arguments: tuple[str, ...], clause: str, feature: Feature
) -> Wanted | None:
    """Return the required answer to a search for a colour whose move is shown and not made."""
    if not arguments:
        return None
    if _colour(arguments) is None:
        return refusal(f"{arguments[0]} is no colour", feature, clause)
    return None if state.position is None else Wanted(Kind.SHOWN_MOVE, clause, feature=feature)


def _made_move(
    state: CommandState, arguments: tuple[str, ...], clause: str, feature: Feature, *, refuses: bool
) -> Wanted | None:
    """Return the required answer to a command like genmove; `refuses`: it must refuse a wrong colour."""
    if not arguments:
        return None
    if _colour(arguments) is None and refuses:
        return refusal(f"{arguments[0]} is no colour", feature, clause)
    if _colour(arguments) is None:
        return Wanted(Kind.ANSWER, clause, feature=Feature.WRONG_WORDS)
    return None if state.position is None else Wanted(Kind.MOVE, clause, feature=feature)


def _genmove_ex(state: CommandState, arguments: tuple[str, ...]) -> Wanted | None:
    if not arguments:
        return Wanted(Kind.SUCCESS, TOOLS, feature=Feature.TOOLS)
    return _made_move(state, arguments, TOOLS, Feature.TOOLS, refuses=False)


def _analysis(state: CommandState, arguments: tuple[str, ...], *, name: str) -> Wanted | None:
    colour, position = _colour(arguments), state.position
    if colour is None or position is None or not has_candidate(position, colour):
        return None  # an engine may print no line where there is no move
    # Once an engine has analysed by a command, it may not refuse the same command later.
    return Wanted(Kind.ANALYSIS, ANALYSIS, feature=Feature.ANALYSES, refusable=name not in state.analysed)


# --- servers and tools -------------------------------------------------------------------------------------


def _any_answer(clause: str, feature: Feature) -> Rule:
    """Return the rule of a command that must be answered, whatever the answer."""
    return lambda _state, _arguments: Wanted(Kind.ANSWER, clause, feature=feature)


def _must_succeed(clause: str, feature: Feature) -> Rule:
    """Return the rule of a command that must succeed, whatever its arguments."""
    return lambda _state, _arguments: Wanted(Kind.SUCCESS, clause, feature=feature)


def _kgs_rules(_state: CommandState, arguments: tuple[str, ...]) -> Wanted | None:
    # Rules that the engine knows would change how it plays.
    return None if arguments != (NO_SUCH_RULES,) else Wanted(Kind.ANSWER, KGS, feature=Feature.SERVERS)


def _seconds(state: CommandState, _arguments: tuple[str, ...], *, name: str, refusable: bool) -> Wanted:
    """Return the requirement of a number of seconds, not below the last answer to the same command."""
    before = state.seconds.get(name, 0.0)

    def reading(text: str) -> str:
        seconds = parse_decimal(text)
        right = seconds is not None and seconds >= before
        return "" if right else f"expected a number of seconds, not below {before:g}"

    return _readable(reading, TOOLS, Feature.TOOLS, refusable=refusable)


def _explain(state: CommandState, _arguments: tuple[str, ...]) -> Wanted:
    # An engine need only explain a move that it has just generated.
    kind = Kind.SUCCESS if state.generated else Kind.ANSWER
    return Wanted(kind, TOOLS, feature=Feature.TOOLS)


def _analyze_commands(_state: CommandState, _arguments: tuple[str, ...]) -> Wanted:
    return _readable(read_analyze_commands, TOOLS, Feature.TOOLS)


RULES: Mapping[str, Rule] = {
    "showboard": _showboard,
    "list_stones": _list_stones,
    "color": _color,
    "is_legal": _is_legal,
    "captures": _captures,
    "last_move": _last_move,
    "move_history": _move_history,
    "printsgf": _printsgf,
    "get_komi": _get_komi,
    "query_boardsize": _size,
    "gogui-rules_board_size": _size,
    "gogui-rules_board": _board,
    "gogui-rules_side_to_move": _side_to_move,
    "gogui-rules_legal_moves": _legal_moves,
    "gogui-rules_game_id": _any_answer(OF_RULES, Feature.SHOWN_RULES),
    "gogui-rules_final_result": _any_answer(OF_RULES, Feature.SHOWN_RULES),
    "kata-get-rules": _get_rules,
    "kata-set-rules": _set_rules,
    "kata-set-rule": _set_rule,
    "final_score": _final_score,
    "final_status_list": _final_status_list,
    "reg_genmove": partial(_shown_move, clause="gtp", feature=Feature.SHOWN_MOVES),
    **dict.fromkeys(SEARCH, partial(_shown_move, clause=ANALYSIS, feature=Feature.ANALYSES)),
    **dict.fromkeys(GENMOVES, partial(_made_move, clause=ANALYSIS, feature=Feature.ANALYSES, refuses=True)),
    **{name: partial(_analysis, name=name) for name in ENDLESS},
    "kgs-genmove_cleanup": partial(_made_move, clause=KGS, feature=Feature.SERVERS, refuses=False),
    "kgs-game_over": _must_succeed(KGS, Feature.SERVERS),
    "kgs-rules": _kgs_rules,
    "kgs-chat": _any_answer(KGS, Feature.SERVERS),
    "cputime": partial(_seconds, name="cputime", refusable=False),
    "gomill-cpu_time": partial(_seconds, name="gomill-cpu_time", refusable=True),
    "gomill-describe_engine": _must_succeed(TOOLS, Feature.TOOLS),
    "gomill-explain_last_move": _explain,
    "gomill-genmove_ex": _genmove_ex,
    "gogui-analyze_commands": _analyze_commands,
    "gogui-interrupt": _must_succeed(TOOLS, Feature.TOOLS),
}
"""By command, the rule for its answer."""
