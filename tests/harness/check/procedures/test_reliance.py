"""The requirements of a dialogue are read off its lines."""

from __future__ import annotations

import pytest

from harness.check.model import Ability, Level, Phase
from harness.check.procedures.dialogue import dialogue
from harness.check.procedures.reliance import LineReader, SentLine, reporter, requirements
from harness.check.procedures.script import raw
from harness.suite.registry import CHECKS

A = Ability
START = "boardsize 9\nclear_board"
EVERY_LINE = {A.WELL_FORMED_ANSWERS}
A_GAME = {A.ACCEPTS_ITS_SIZE, A.CLEARS_THE_BOARD}
A_MOVE = {A.FORGETS_GAMES, A.PLAYS}
A_SEARCH = {A.FORGETS_GAMES, A.GENERATES_MOVES, A.SEARCHES_AGAIN}
KO = "play b B2\nplay w A2\nplay b C1\nplay w B1\nplay b A1"


def relied_on(*scripts: str) -> frozenset[Ability]:
    return dialogue(*scripts).requires.abilities


@pytest.mark.parametrize(
    ("script", "abilities"),
    [
        ("name", set()),
        ("7 name -> =7", {A.ECHOES_IDS}),
        ("7 no_such_command -> ?7", {A.ECHOES_IDS, A.ECHOES_IDS_OF_REFUSALS, A.REFUSES_UNKNOWN_COMMANDS}),
        ("playfoo b C3 -> ?", {A.REFUSES_UNKNOWN_COMMANDS}),
        ("known_command name -> = true", {A.KNOWS_ITS_COMMANDS}),
        (START, A_GAME),
        ("komi 7.5", {A.SETS_KOMI}),
        ("komi -3", {A.SETS_ANY_KOMI}),
        ("komi 400", {A.SETS_ANY_KOMI}),
        ("komi abc -> ?", {A.REFUSES_KOMI}),
        ("komi -> ?", {A.REFUSES_MISSING_ARGUMENTS}),
        ("boardsize 1000 -> ?", {A.REFUSES_SIZES}),
        ("play b C3", A_MOVE),
        ("play w C3", {A.FORGETS_GAMES, A.PLAYS_EITHER_COLOUR, A.PLACES_BOTH_COLOURS}),
        ("play b C3\nplay w D4", A_MOVE),
        ("play b C3\nplay b D4", {*A_MOVE, A.PLAYS_EITHER_COLOUR, A.PLACES_BOTH_COLOURS}),
        ("play b C3\nplay w pass\nplay b D4", {*A_MOVE, A.PASSES}),
        ("play b C3\nplay w C3 -> ?\nplay w D4", {*A_MOVE, A.REFUSES_MOVES}),
        ("play b J3", {*A_MOVE, A.NAMES_COLUMNS}),
        ("play b Z99 -> ?", {A.REFUSES_VERTICES}),
        ("play x C3 -> ?", {A.REFUSES_VERTICES}),
        ("play b -> ?", {A.REFUSES_MISSING_ARGUMENTS}),
        ("genmove b", A_SEARCH),
        ("genmove w", {*A_SEARCH, A.GENERATES_EITHER_COLOUR}),
        (
            "play b pass\nplay w pass\ngenmove b",
            {A.FORGETS_GAMES, A.PASSES, A.GENERATES_AFTER_PASSES, A.SEARCHES_AGAIN},
        ),
        (
            "play b pass\nplay w pass\nplay b C3\nundo\ngenmove b",
            {
                *A_MOVE,
                A.PASSES,
                A.UNDOES,
                A.UNDOES_SINGLY,
                A.GENERATES_AFTER_PASSES,
                A.SEARCHES_AGAIN,
                A.SCORES_AFTER_UNDO,
            },
        ),
        ("play b C3\nundo", {*A_MOVE, A.UNDOES}),
        ("fixed_handicap 2", {A.FORGETS_HANDICAPS, A.PLACES_FIXED_HANDICAPS}),
        ("fixed_handicap 2\nplay w E5", {*A_MOVE, A.FORGETS_HANDICAPS, A.PLACES_FIXED_HANDICAPS}),
        ("set_free_handicap C3 E5", {A.FORGETS_HANDICAPS, A.SETS_HANDICAPS}),
        ("fixed_handicap -> ?", {A.REFUSES_MISSING_ARGUMENTS}),
        ("fixed_handicap 10 -> ?", set()),
        ("time_settings 0 1 0", {A.SETS_CLOCKS}),
        ("time_settings 0 1 -> ?", {A.REFUSES_MISSING_ARGUMENTS}),
        ("time_left b 9 0", {A.TAKES_TIME_LEFT}),
        ("play b C3\nplay w D4\nundo", {*A_MOVE, A.UNDOES, A.UNDOES_SINGLY}),
        (
            "genmove b\nundo",
            {A.FORGETS_GAMES, A.GENERATES_MOVES, A.SEARCHES_AGAIN, A.UNDOES, A.PLAYS_ITS_MOVES},
        ),
        ("undo -> ?", {A.REFUSES_UNDO}),
        (
            "play b A2\nplay w A1\ngenmove b\nundo\nplay b B1",  # the undo leaves White's stone
            {*A_MOVE, A.GENERATES_MOVES, A.SEARCHES_AGAIN, A.UNDOES, A.UNDOES_SINGLY, A.PLAYS_ITS_MOVES}
            | {A.CAPTURES},
        ),
        (KO, {*A_MOVE, A.CAPTURES, A.CAPTURES_BEFORE_SUICIDE}),
        ("play b A2\nplay w A1\nplay b E5\nplay w E6\nplay b B1", {*A_MOVE, A.CAPTURES}),
        (
            "play b A9\nplay w A8\nplay b D9\nplay w B8\nplay b C8\nplay w C9\nplay b B9",
            {*A_MOVE, A.CAPTURES, A.CAPTURES_BEFORE_SUICIDE},  # by the chain that it joins
        ),
        (
            f"{KO}\nplay w E5\nplay b E6\nplay w B1",
            {*A_MOVE, A.CAPTURES, A.CAPTURES_BEFORE_SUICIDE, A.RETAKES_KO},
        ),
        (
            "play b A2\nplay w E5\nplay b B1\nplay w A1 -> ?",
            {*A_MOVE, A.REFUSES_MOVES, A.PLACES_BOTH_COLOURS},
        ),
    ],
)
def test_a_line_needs_its_abilities(script: str, abilities: set[Ability]) -> None:
    assert relied_on(script) == EVERY_LINE | abilities


def test_several_lines_in_one_write_need_their_order() -> None:
    wanted = EVERY_LINE | {A.ANSWERS_IN_ORDER}
    assert dialogue(raw(b"name\nversion\n", "=", "=")).requires.abilities == wanted
    assert dialogue(raw(b"\nname\n", "=")).requires.abilities == wanted | {A.SKIPS_BLANK_LINES}
    assert dialogue(raw(b"name # who?\n", "=")).requires.abilities == EVERY_LINE | {A.SKIPS_COMMENTS}


def test_optional_and_private_commands_are_requirements_too() -> None:
    found = requirements(map(SentLine, (b"genmove b\n", b"ref-nodes\n", b"undo\n")))
    assert (found.commands, found.optional_commands) == (("ref-nodes",), ("undo",))


def test_taking_a_chain_or_several_chains() -> None:
    chain = "play b A1\nplay w A2\nplay b B1\nplay w B2\nplay b E5\nplay w C1"
    assert A.CAPTURES_CHAINS in relied_on(chain)
    chains = "play b A1\nplay w A2\nplay b C1\nplay w C2\nplay b E5\nplay w D1\nplay b E7\nplay w B1"
    assert A.CAPTURES_SEVERAL_CHAINS in relied_on(chains)
    assert A.CAPTURES_SEVERAL_CHAINS not in relied_on(chain)


def test_the_owner_of_a_line_reports_what_is_unexpected_there() -> None:
    reader = LineReader()
    owners = [
        reader.read(SentLine(line, (sign,))).owner
        for line, sign in ((b"play b C3\n", "="), (b"play b D4\n", "="), (b"play w C3\n", "?"))
    ]
    assert owners == [A.PLAYS, A.PLAYS_EITHER_COLOUR, A.REFUSES_MOVES]
    assert reporter(b"play w C3\n") == A.PLAYS  # by itself every colour has the turn
    assert reporter(b"name\n") == ""


def in_bytes(script: str) -> tuple[bytes, ...]:
    return tuple(f"{line}\n".encode("ascii") for line in script.splitlines())


CAPTURE = in_bytes(f"{START}\nplay b A1\nplay w A2\nplay b E5")


def test_a_refused_move_that_captures_is_about_captures() -> None:
    assert reporter(b"play w B1\n", before=CAPTURE) == A.CAPTURES
    assert reporter(b"play w C3\n", before=CAPTURE) == A.PLAYS
    assert reporter(b"play w B1\n", before=(*CAPTURE, b"clear_board\n")) == A.PLAYS
    assert reporter(b"play b B2\n", before=in_bytes(f"{START}\n{KO}")) == A.PLAYS  # a stone is there


def test_a_refused_move_to_the_place_of_a_captured_stone_is_about_that_capture() -> None:
    taken = (*CAPTURE, b"play w B1\n", b"play b E4\n", b"play w E3\n")
    assert reporter(b"play b A1\n", before=taken) == A.PLAYS  # suicide: no right bot accepts it
    assert reporter(b"play w A1\n", before=(*taken, b"play b E2\n")) == A.CAPTURES


def test_after_a_generated_move_the_board_is_not_known() -> None:
    assert reporter(b"play w B1\n", before=(*CAPTURE, b"genmove w\n", b"play b D4\n")) == A.PLAYS


def test_an_undo_is_about_passes_where_the_last_move_is_one() -> None:
    passed = in_bytes(f"{START}\nplay b E5\nplay w pass")
    assert reporter(b"undo\n", before=passed) == A.UNDOES_PASSES
    assert reporter(b"undo\n", before=(*passed, b"undo\n")) == A.UNDOES
    assert reporter(b"undo\n", before=(*passed, b"clear_board\n", b"genmove b\n")) == A.UNDOES


def test_each_ability_has_a_check_of_its_own_that_must_pass() -> None:
    """A check that is blocked is never forgotten: the check that blocks it refuses the bot."""
    levels = {check.id: check.level for check in CHECKS}
    assert {ability: levels.get(ability) for ability in Ability} == dict.fromkeys(Ability, Level.MUST)


def test_abilities_are_checked_before_what_relies_on_them() -> None:
    order = {check.id: number for number, check in enumerate(CHECKS)}
    for check in CHECKS:
        assert check.id not in check.relies_on
        assert all(order[name] < order[check.id] for name in check.relies_on), check.id


def test_a_set_up_never_lets_one_colour_move_twice() -> None:
    """GTP leaves open if a pass is implied between two moves of one colour."""
    searching = [check for check in CHECKS if check.procedure.phase is Phase.SEARCH]
    twice = {check.id for check in searching if A.PLAYS_EITHER_COLOUR in check.needs.abilities}
    assert twice == {"ref.ko.taker-again"}  # its subject; the playouts from there are far from the cap
    out_of_turn = {c.id for c in searching if A.GENERATES_EITHER_COLOUR in c.needs.abilities}
    assert out_of_turn == {
        "game.colour.genmove",
        "ref.ko.root-own",
        "ref.state.out-of-turn",
        "ref.empty.white",
    }
