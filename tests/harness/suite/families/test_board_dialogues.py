"""Every dialogue about the board, held against the referee: what it calls legal must be legal, and so on.

The dialogues were written by hand; the referee is the witness that they ask for nothing but the rules.
"""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.check.model import Check
from harness.check.procedures.dialogue import Dialogue
from harness.check.procedures.script import Step
from harness.go import symmetries
from harness.gtp import parse_vertex
from harness.suite.registry import CHECKS, find
from tests.harness.check.referee_engine import KNOWN, RefereeEngine

SIZES = (9, 13, 19)
TURNS = range(8)


def words(step: Step) -> list[str]:
    return step.send.decode("ascii").split()


def written(check: Check, size: int, turn: int) -> list[Step]:
    """The steps of a dialogue with the referee's engine."""
    assert isinstance(check.procedure, Dialogue)
    return [step.filled("name", "referee") for step in check.procedure.write(size, turn)]


def only_of_the_board(check: Check) -> bool:
    """A dialogue one command a line, in commands that the referee's engine has."""
    return isinstance(check.procedure, Dialogue) and all(
        step.send.count(b"\n") == 1 and words(step)[0] in KNOWN for step in written(check, 9, 0)
    )


BOARD_CHECKS = [
    check
    for check in CHECKS
    if check.id.startswith(("game.", "gtp.play.", "gtp.setup.")) and only_of_the_board(check)
]
TURNING = [
    check
    for check in BOARD_CHECKS
    if isinstance(check.procedure, Dialogue) and check.procedure.write(9, 0) != check.procedure.write(9, 1)
]


def name(check: Check) -> str:
    return check.id


def hold_with_referee(check: Check, size: int, turn: int, seed: int = 0) -> None:
    """Hold the dialogue with the referee's engine; every answer must be as the check expects it."""
    engine = RefereeEngine(seed)
    for step in written(check, size, turn):
        exchange = engine.ask(step.send)
        (expectation,) = step.expect
        assert expectation.is_met_by(exchange), (
            f"{step.send!r}: {expectation}, but the referee: {exchange.raw!r}\n{engine.position.draw()}"
        )


def test_the_dialogues_about_rules_and_board_are_all_here() -> None:
    """A dialogue that the referee cannot follow would slip through the tests below."""
    of_the_board = {c.id for c in CHECKS if c.id.startswith(("game.", "gtp.play.", "gtp.setup."))}
    followed = {check.id for check in BOARD_CHECKS}
    talking = {check.id for check in CHECKS if isinstance(check.procedure, Dialogue)}
    asking_for_numbers = {
        "gtp.setup.clear-keeps-komi",
        "game.komi.in-force",
        "game.komi.in-game",
        "game.pass.searches",
    }
    assert (of_the_board & talking) - followed == asking_for_numbers
    rules = {i for i in followed if i.startswith("game.")} - {"game.superko.forgets", "game.pass.new-game"}
    assert {check.id for check in TURNING} == rules


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("check", BOARD_CHECKS, ids=name)
def test_the_referee_answers_as_the_dialogue_expects(check: Check, size: int) -> None:
    for turn in TURNS:
        hold_with_referee(check, size, turn)


@given(seed=st.integers(0, 2**32), check=st.sampled_from(BOARD_CHECKS), turn=st.sampled_from(TURNS))
def test_whatever_candidate_genmove_plays(check: Check, turn: int, seed: int) -> None:
    hold_with_referee(check, 9, turn, seed)


def least_size(check: Check) -> int:
    """The smallest board on which every vertex of the dialogue is."""
    assert isinstance(check.procedure, Dialogue)
    script = " ".join(step.send.decode("ascii") for step in check.procedure.write(9, 0))
    points = [parse_vertex(vertex, 9) for vertex in re.findall(r"\b[A-J][1-9]\b", script)]
    return 1 + max(max(point) for point in points if point is not None)


@pytest.mark.parametrize("check", TURNING, ids=name)
def test_also_on_the_smallest_board_that_holds_it(check: Check) -> None:
    for turn in TURNS:
        hold_with_referee(check, max(least_size(check), 5), turn)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("check", TURNING, ids=name)
def test_a_turned_dialogue_is_the_image_of_the_dialogue(check: Check, size: int) -> None:
    """Word by word: vertices by the referee's symmetries, everything else as it was."""
    assert isinstance(check.procedure, Dialogue)
    plain = check.procedure.write(size, 0)
    for turn, image in enumerate(symmetries(size)):
        turned = check.procedure.write(size, turn)
        assert [step.expect for step in turned] == [step.expect for step in plain]
        for step, twin in zip(plain, turned, strict=True):
            if words(step)[0] == "play":
                assert words(twin)[:2] == words(step)[:2]
                assert parse_vertex(words(twin)[2], size) == image(parse_vertex(words(step)[2], size))
            else:
                assert twin.send == step.send


RULE_BREAKERS = {
    # a rule that the referee's engine forgets: the checks that must then see it
    "suicide": {
        "game.suicide.stone",
        "game.suicide.centre",
        "game.suicide.chain",
    },
    "ko": {"game.ko.play"},
    "superko": {"game.superko.play"},
    "occupied": {"gtp.play.occupied", "gtp.setup.komi-keeps-board"},
}


class Lax(RefereeEngine):
    """Forgets one rule: a move that breaks it alone is a success that changes nothing."""

    def __init__(self, forgotten: str) -> None:
        super().__init__()
        self.forgotten = forgotten

    def _play(self, colour: str, vertex: str) -> None:
        point = parse_vertex(vertex, self.size)
        reason = self.position.legality("b" if colour.lower().startswith("b") else "w", point)
        if reason != self.forgotten:
            super()._play(colour, vertex)


@pytest.mark.parametrize(("forgotten", "seeing"), RULE_BREAKERS.items(), ids=list(RULE_BREAKERS))
def test_a_forgotten_rule_is_seen(forgotten: str, seeing: set[str]) -> None:
    """The other side of the same coin: the dialogues are no empty talk."""
    for check_id in seeing:
        (check,) = find(check_id)
        assert isinstance(check.procedure, Dialogue)
        for turn in TURNS:
            engine = Lax(forgotten)
            steps = written(check, 9, turn)
            answers = ((step.expect[0], engine.ask(step.send)) for step in steps)
            assert not all(wanted.is_met_by(answer) for wanted, answer in answers), (check_id, turn)
