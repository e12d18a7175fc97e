"""A cause that is added to those found before: a consequence or a relative of one, or a cause of its own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness.check.model import Judgement, Outcome, Result
from harness.check.procedures.chosen_move import Violation
from harness.diagnosis.cause import Cause, CauseKind
from harness.diagnosis.consequences import MANY, add_cause, may_follow
from harness.diagnosis.signatures import signatures
from harness.suite.registry import find


def failed(check: str) -> Result:
    return Result(find(check)[0], Judgement(Outcome.FAIL))


def cause(kind: CauseKind, name: str, clause: str, evidence: str) -> Cause:
    return Cause(kind, name, clause, 1.0, evidence, (evidence,))


@pytest.mark.parametrize("evidence", ["ref.eye.edge", "ref.eye.edge-white"])
def test_a_fault_whose_rule_fails_more_searches_is_a_relative_of_the_bots_fault(evidence: str) -> None:
    causes = [cause(CauseKind.FAULT, "eye-corner-as-centre", "eye", "ref.eye.corner")]
    more, results = cause(CauseKind.CLAUSE, "eye", "eye", evidence), [failed(evidence)]
    add_cause(causes, more, results, signatures(), [failed("ref.eye.corner"), *results])
    (together,) = causes
    assert (together.kind, together.name) == (CauseKind.CLAUSE, "eye")
    assert together.explains == ("ref.eye.corner", evidence)


def test_a_fault_of_another_rule_keeps_its_name() -> None:
    causes = [cause(CauseKind.FAULT, "eye-corner-as-centre", "eye", "ref.eye.corner")]
    more, results = cause(CauseKind.CLAUSE, "simple-ko", "simple-ko", "ref.ko.two"), [failed("ref.ko.two")]
    add_cause(causes, more, results, signatures(), [failed("ref.eye.corner"), *results])
    assert [one.name for one in causes] == ["eye-corner-as-centre", "simple-ko"]


@pytest.mark.parametrize(
    ("check", "clause", "follows"),
    [
        ("ref.choice.ties-lost", "uniform", False),  # wrong playouts are lost there too
        ("ref.choice.ties-lost", "amaf", True),
        ("ref.choice.ties-lost", "fresh-randomness", True),  # the same search is made again
        ("ref.choice.02", "uniform", True),
        ("ref.eye.edge", "uniform", True),
    ],
)
def test_a_wrong_choice_among_equal_results_follows_from_no_rule_of_playouts(
    check: str, clause: str, follows: bool
) -> None:
    assert may_follow(failed(check), clause, signatures()) is follows


CAPTURES = "game.capture.before-suicide"
EYES = (
    "ref.eye.opponent", "ref.eye.opponent-white", "ref.end.03", "ref.end.08", "ref.end.11", "ref.midgame.1",
    "ref.midgame.2", "ref.midgame.3", "ref.midgame.4", "ref.empty.length", "ref.empty.score",
)  # fmt: skip


def added(first: Cause, second: Cause) -> list[Cause]:
    """Add the second cause; both explain failures of checks alone."""
    causes, results = [first], [failed(check) for check in second.explains]
    add_cause(causes, second, results, signatures(), [*map(failed, first.explains), *results])
    return causes


@pytest.mark.parametrize(("kind", "number"), [(CauseKind.CLAUSE, 1), (CauseKind.FAULT, 2)])
def test_a_wrong_rule_of_the_game_is_used_in_playouts_too(kind: CauseKind, number: int) -> None:
    first = cause(CauseKind.ABILITY, CAPTURES, "no-suicide", CAPTURES)
    assert len(added(first, Cause(kind, "eye", "eye", 1.0, EYES[0], EYES))) == number


def test_playouts_that_no_fault_of_the_rule_makes_wrong_have_a_cause_of_their_own() -> None:
    first = cause(CauseKind.ABILITY, CAPTURES, "no-suicide", CAPTURES)
    points = Cause(
        CauseKind.CLAUSE, "area-scoring", "area-scoring", 1.0, EYES[0], (*EYES, "ref.score.neutral")
    )
    assert len(added(first, points)) == 2


def spoiling(clause: str, positions: int = MANY) -> Cause:
    """Return a cause that makes the numbers of many positions wrong."""
    searched = tuple(check.id for check in find("ref.*") if check.procedure.search_plan)[:positions]
    return Cause(CauseKind.CLAUSE, clause, clause, 1.0, searched[0], searched)


@pytest.mark.parametrize(("positions", "number"), [(MANY, 1), (MANY - 30, 2)])
def test_wrong_choices_follow_from_many_wrong_playouts(positions: int, number: int) -> None:
    first = spoiling("uniform", positions)
    assert len(added(first, cause(CauseKind.CLAUSE, "best-rate", "best-rate", "ref.choice.02"))) == number


def test_a_bot_that_refuses_legal_captures_passes_where_they_are_left() -> None:
    first = cause(CauseKind.ABILITY, CAPTURES, "no-suicide", CAPTURES)
    passes = cause(CauseKind.ABILITY, Violation.PASS, "no-early-pass", Violation.PASS)
    assert len(added(first, passes)) == 1
    assert len(added(replace(first, evidence="game.suicide.stone"), passes)) == 2


def test_final_score_and_a_single_search_follow_from_wrong_points_at_many_positions() -> None:
    shown = replace(failed("gtp.kept.komi-in-force"), transcript="           > final_score\\n")
    results = [shown, failed("game.komi.in-game")]
    names = tuple(result.check.id for result in results)
    causes = [spoiling("area-scoring")]
    everything = [*map(failed, causes[0].explains), *results]
    add_cause(
        causes,
        Cause(CauseKind.CLAUSE, "komi", "komi", 1.0, names[0], names),
        results,
        signatures(),
        everything,
    )
    assert len(causes) == 1
