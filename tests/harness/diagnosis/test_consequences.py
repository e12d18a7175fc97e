"""A cause that is added to those found before: a consequence or a relative of one, or a cause of its own."""

from __future__ import annotations

import pytest

from harness.check.model import Judgement, Outcome, Result
from harness.diagnosis.cause import Cause, CauseKind
from harness.diagnosis.consequences import add_cause, may_follow
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
