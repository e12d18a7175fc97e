"""A generated move is judged by what it violates, whatever the check had wanted to see."""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness.check.judges.moves import judge_colour, judge_moves
from harness.check.model import Outcome
from harness.check.positions import DAME, ONE_POINT_EACH, ONLY_WHITE_MOVES, SENT_TWO, WINNING, settled
from harness.check.procedures.chosen_move import ONLY_PASS, WORDS, Violation, in_words, violation
from harness.check.procedures.probe import Probe
from harness.check.procedures.search import SearchRecord, Series
from harness.suite.registry import CHECKS

SUPERKO = Probe("sent", SENT_TWO, "w", WINNING, tail=(("w", "A1"), ("b", "C1")))
KO = Probe("ko", settled("D5", "E6 E4"), "b", tail=(("w", "D5"),))
LONG_KO = replace(KO, tail=(*KO.tail, ("b", "pass"), ("w", "pass")))
ONE_DAME = Probe("dame", DAME[1], "b")
FALSE_EYE = Probe("false-eye", ONLY_WHITE_MOVES, "w")
OUT_OF_TURN = Probe("each", ONE_POINT_EACH, "w", tail=(("w", "pass"),))


@pytest.mark.parametrize(
    ("probe", "move", "found"),
    [
        (ONE_DAME, "E9", None),
        (ONE_DAME, "PASS", Violation.PASS),
        (FALSE_EYE, "PASS", Violation.FALSE_EYE),
        (ONE_DAME, "RESIGN", Violation.RESIGN),
        (ONE_DAME, "B1", Violation.OCCUPIED),
        (ONE_DAME, "J9", Violation.SUICIDE),
        (ONE_DAME, "A1", Violation.EYE),
        (KO, "PASS", None),
        (KO, "E5", Violation.KO),
        (LONG_KO, "E5", Violation.SUPERKO),
        (SUPERKO, "B1", Violation.SUPERKO),
        (SUPERKO, "A1", None),
    ],
)
def test_each_move_has_its_violation(probe: Probe, move: str, found: Violation | None) -> None:
    assert violation(probe.position, probe.to_move, move) is found


def test_every_violation_has_words_and_a_check() -> None:
    assert set(WORDS) == set(Violation)
    assert set(Violation) <= {check.id for check in CHECKS}


def test_a_resignation_in_place_of_a_pass_is_told_apart() -> None:
    position = KO.position
    assert not position.candidates(KO.to_move)
    assert in_words(Violation.RESIGN, position, KO.to_move) == ONLY_PASS
    assert in_words(Violation.RESIGN, ONE_DAME.position, ONE_DAME.to_move) == WORDS[Violation.RESIGN]


def series(probe: Probe, *moves: str) -> Series:
    return Series(probe, 100, tuple(SearchRecord(move, None, None, 0.0) for move in moves))


@pytest.mark.parametrize(
    ("moves", "outcome", "reporter"),
    [
        (("A1", "A1"), Outcome.PASS, ""),
        (("A1", "B1"), Outcome.FAIL, ""),  # its own subject
        (("A1", "PASS"), Outcome.FAIL, "game.pass.candidate"),
        (("RESIGN",), Outcome.FAIL, "game.resign.genmove"),
        (("J9",), Outcome.FAIL, "game.eye.genmove"),
        (("PASS", "B1"), Outcome.FAIL, ""),  # its own subject among others
    ],
)
def test_a_check_of_superko_fails_for_superko_alone(
    moves: tuple[str, ...], outcome: Outcome, reporter: str
) -> None:
    own = (Violation.KO, Violation.SUPERKO)
    judgement = judge_moves(("A1",), own)(series(SUPERKO, *moves), SUPERKO.expected)
    assert (judgement.outcome, judgement.reported_by) == (outcome, reporter)


@pytest.mark.parametrize(
    ("move", "outcome", "reporter"),
    [
        ("G1", Outcome.PASS, ""),
        ("C9", Outcome.FAIL, ""),  # Black's point: the colour was ignored
        ("PASS", Outcome.FAIL, "game.pass.false-eye"),  # for the right colour, as far as anyone can see
        ("J1", Outcome.FAIL, "game.eye.genmove"),
    ],
)
def test_a_check_of_colours_fails_for_the_other_colour_alone(
    move: str, outcome: Outcome, reporter: str
) -> None:
    judgement = judge_colour(series(OUT_OF_TURN, move), OUT_OF_TURN.expected)
    assert (judgement.outcome, judgement.reported_by) == (outcome, reporter)


def test_each_colour_has_one_point_in_the_position_about_colours() -> None:
    position = OUT_OF_TURN.position
    assert position.to_move == "b"
    black, white = position.candidates("b"), position.candidates("w")
    assert (len(black), len(white)) == (1, 1)
    assert black != white
