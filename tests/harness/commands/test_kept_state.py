"""A bot is looked at with and without commands that must change nothing; only stable differences count."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from harness.check.model import Judgement, Outcome
from harness.commands.kept_games import EVERYWHERE, Look, SettledKo, nearly_settled_game, settled_game
from harness.commands.kept_state import Game, KeptState, LookRecord
from harness.commands.shown_state import (
    Sight,
    queries_of,
    read_board,
    read_number,
    read_record,
    read_vertices,
)
from harness.go import Position
from harness.gtp import parse_vertex
from harness.suite.families.kept_state import CHECKS

LINES = (b"play w A1\n", b"play x A1\n")
ASKED = b"showboard\n"
GAME = Game(9, (), (), (ASKED,))


def seen(*values: str | None, line: bytes = ASKED) -> tuple[Sight, ...]:
    return tuple(Sight(line, str(value), value) for value in values)


def judged(
    plains: Sequence[tuple[Sight, ...]], *trials: tuple[tuple[bytes, ...], tuple[Sight, ...]]
) -> Judgement:
    return KeptState(LINES).judge((LookRecord(GAME, tuple(plains), trials),))


def test_the_same_answers_are_a_pass() -> None:
    assert judged([seen("a")], (LINES, seen("a"))).outcome is Outcome.PASS


def test_the_command_that_changes_an_answer_is_named() -> None:
    trials = ((LINES, seen("b")), (LINES[:1], seen("a")), (LINES[1:], seen("b")), (LINES, seen("b")))
    judgement = judged([seen("a")] * 3, *trials)
    assert judgement.outcome is Outcome.FAIL
    assert "play x A1" in judgement.observed
    assert "play w A1" not in judgement.observed


def test_commands_that_only_together_change_an_answer_are_named_together() -> None:
    trials = ((LINES, seen("b")), (LINES[:1], seen("a")), (LINES[1:], seen("a")), (LINES, seen("b")))
    judgement = judged([seen("a")] * 3, *trials)
    assert judgement.outcome is Outcome.FAIL
    assert all(line.decode().strip() in judgement.observed for line in LINES)


@pytest.mark.parametrize(
    ("plains", "others"),
    [
        (["1", "3", "5"], ["2", "4", "6"]),  # a clock
        (["a", "a", "b"], ["b", "b", "b"]),  # a random answer
        (["a", "a", "a"], ["b", "a", "b"]),
        ([None, None, None], ["b", "b", "b"]),  # an answer that cannot be read
        (["a", "a", "a"], [None, None, None]),
    ],
)
def test_an_answer_that_differs_by_itself_shows_nothing(
    plains: list[str | None], others: list[str | None]
) -> None:
    trials = [(LINES, seen(value)) for value in others]
    assert judged([seen(value) for value in plains], *trials).outcome is Outcome.PASS


def test_a_refused_move_of_the_game_is_a_difference() -> None:
    refused = seen("?", line=b"play b A1\n")
    assert judged([seen("a")] * 3, (LINES, refused), (LINES, refused)).outcome is Outcome.FAIL


def test_a_bot_that_answers_no_command_as_it_must_is_not_judged() -> None:
    assert KeptState(LINES).judge(()).outcome is Outcome.SKIP


@pytest.mark.parametrize("size", [9, 13, 19])
@pytest.mark.parametrize("look", EVERYWHERE)
def test_the_games_are_legal_under_all_rules(look: Look, size: int) -> None:
    position = Position(size)
    for line in look.lines(size):
        colour, vertex = line.decode().split()[1:]
        position.play("b" if colour == "b" else "w", parse_vertex(vertex, size))
    assert position.legality("w", parse_vertex("B1", size) or (0, 0)) in ("ko", "superko")
    assert position.legality("w", (size - 1, 0)) == "suicide"


@pytest.mark.parametrize("size", [9, 13, 19])
def test_the_settled_ko_is_in_force(size: int) -> None:
    position = Position(size)
    for line in SettledKo().lines(size):
        colour, vertex = line.decode().split()[1:]
        position.play("b" if colour == "b" else "w", parse_vertex(vertex, size))
    taking_back = SettledKo().question_lines(size)[0].decode().split()[2]
    assert position.legality("b", parse_vertex(taking_back, size) or (0, 0)) in ("ko", "superko")


def test_every_game_and_command_is_described() -> None:
    for check in CHECKS:
        if isinstance(check.procedure, KeptState):
            text = "\n".join(check.procedure.describe())
            assert all(line.split()[0].decode() in text for line in check.procedure.lines)


@pytest.mark.parametrize("size", [9, 13, 19])
def test_the_settled_game_leaves_four_eyes_and_the_other_one_a_file(size: int) -> None:
    for moves, empty in ((settled_game(size), 4), (nearly_settled_game(size), 4 + size)):
        position = Position(size)
        for line in moves:
            colour, vertex = line.decode().split()[1:]
            position.play("b" if colour == "b" else "w", parse_vertex(vertex, size))
        assert len(position.stones()) == size * size - empty
        candidates = position.candidates("b")
        assert len(candidates) == (0 if empty == 4 else size)


BOARDS = (
    # GNU Go
    "\n   A B C\n 3 . X . 3\n 2 O(X). 2     WHITE (O) has captured 0 stones\n 1 . . + 1\n   A B C",
    # Leela Zero
    "Passes: 0\n   a b c\n 3 .  X  .  3\n 2 O (X) .  2\n 1 . . + 1\nBlack time: 00:30:00",
    # Pachi, with the mark of the last move
    "Move: 3  Komi: 7.5\n      A B C\n    +-------+\n  3 | . X . |\n  2 | O X). |\n  1 | . . + |",
    # without the second number, as in libego
    "3 . X .\n2 O X .\n1 . . +",
)


@pytest.mark.parametrize("text", BOARDS)
def test_boards_of_any_form_are_read(text: str) -> None:
    assert read_board(text, 3) == ".X./OX./..+"


def test_a_board_with_a_row_missing_is_not_read() -> None:
    assert read_board("3 . X .\n1 . . .", 3) is None
    assert read_board("no board here", 3) is None


def test_readings_keep_what_the_game_shows() -> None:
    assert read_vertices("b9 A8\nB2", 9) == read_vertices("A8 B2 B9", 9)
    assert read_number(" 7.50 ", 9) == "7.5"
    assert read_number("seven", 9) is None
    first = "(;GM[1]SZ[9]KM[4.5]DT[2020-01-01];B[ab];W[cd])"
    assert read_record(first, 9) == read_record(first.replace("2020", "2021"), 9)
    assert read_record(first, 9) != read_record(first.replace("4.5", "0.5"), 9)
    assert read_record(first, 9) != read_record(first.replace(";W[cd]", ""), 9)
    assert read_record("", 9) is None


def test_a_bot_may_list_a_command_beyond_ascii() -> None:
    assert queries_of({"café", "get_komi"}) == (b"get_komi\n",)
