"""Checks that reg_genmove, a resignation and undo keep the board: where they judge, and where they do not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from harness.check.model import Outcome
from harness.check.phases.findings import Findings
from harness.commands.kept_boards import RegGenmoveAnswers, RegGenmoveKeepsBoard, RegisteredMove
from harness.gtp import Answer, Exchange, parse_answer

CheckHosted = Callable[..., Findings]


@pytest.mark.parametrize(
    ("fault", "outcome"),
    [
        ("genmove-resigns", Outcome.PASS),
        ("resignation-played", Outcome.FAIL),
        ("komi-lifts-ko", Outcome.SKIP),
    ],
)
def test_a_resignation_is_judged_where_a_bot_resigns(
    check_hosted: CheckHosted, fault: str, outcome: Outcome
) -> None:
    (result,) = check_hosted(fault, only=["gtp.play.resign-unchanged"]).results
    assert result.outcome is outcome


@pytest.mark.parametrize(
    ("switch", "outcome"),
    [
        ("superko-none", Outcome.SKIP),  # play accepts to take back a ko at once
        ("superko-by-play-accepted", Outcome.PASS),
        ("undo-lifts-ko", Outcome.FAIL),
        ("undo-missing", Outcome.SKIP),
        ("undo-once", Outcome.PASS),
    ],
)
def test_the_ko_after_undo(check_hosted: CheckHosted, switch: str, outcome: Outcome) -> None:
    (result,) = check_hosted(switch, only=["gtp.play.undo-ko"]).results
    assert result.outcome is outcome


@pytest.mark.parametrize("habit", ["vertex-lower-case", "undo-missing", "undo-once", "pass-upper-case"])
def test_reg_genmove_of_right_bots(check_hosted: CheckHosted, habit: str) -> None:
    found = check_hosted(habit, only=["gtp.reg.*"])
    assert {result.outcome for result in found.results} == {Outcome.PASS}


def exchange(line: str, raw: str) -> Exchange:
    answer = parse_answer(f"{raw}\n\n".encode("ascii"))
    assert isinstance(answer, Answer)
    return Exchange(line.encode("ascii"), f"{raw}\n\n".encode("ascii"), answer, "answer", b"", 0.0)


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ("= E5", Outcome.PASS),
        ("= pass", Outcome.PASS),
        ("= Resign", Outcome.PASS),
        ("= c3", Outcome.FAIL),
        ("= D4", Outcome.FAIL),
        ("= T19", Outcome.FAIL),
        ("= b E5", Outcome.FAIL),
        ("=", Outcome.FAIL),
        ("? no", Outcome.FAIL),
    ],
)
def test_what_reg_genmove_may_answer(answer: str, outcome: Outcome) -> None:
    assert (
        RegGenmoveAnswers().judge(RegisteredMove(9, exchange("reg_genmove b\n", answer))).outcome is outcome
    )


def test_a_board_is_as_before_only_if_every_look_at_it_says_so() -> None:
    asked = exchange("reg_genmove b\n", "= E5")
    stones = (exchange("play w C3\n", "? illegal move"), exchange("play b D4\n", "? illegal move"))
    undo = (exchange("undo\n", "="), exchange("play w D4\n", "="))
    on_point = exchange("play b E5\n", "=")
    right = RegisteredMove(9, asked, stones, undo, on_point)
    judge = RegGenmoveKeepsBoard().judge
    assert judge(right).outcome is Outcome.PASS
    wrong = [
        RegisteredMove(9, asked, (exchange("play w C3\n", "="), stones[1]), undo, on_point),
        RegisteredMove(9, asked, stones, (undo[0], exchange("play w D4\n", "? illegal move")), on_point),
        RegisteredMove(9, asked, stones, undo, exchange("play b E5\n", "? illegal move")),
    ]
    assert {judge(record).outcome for record in wrong} == {Outcome.FAIL}
