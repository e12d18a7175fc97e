"""What a cause is called."""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness.check.clauses import CLAUSES
from harness.check.model import Judgement, Outcome, Result
from harness.diagnosis.cause import Cause, CauseKind
from harness.report.text.cause_text import capital, cause_label, cause_reason, cause_statement, cause_title
from harness.suite.registry import CHECKS, find


def title(check_id: str, clause: str) -> str:
    (check,) = find(check_id)
    result = Result(check, Judgement(Outcome.FAIL, clause=clause))
    return cause_title(Cause(CauseKind.CLAUSE, clause, clause, 0.9, check_id, (check_id,)), result)


def test_what_an_exploration_of_playouts_came_upon_is_called_by_its_requirement() -> None:
    assert title("ref.explore", "two-passes") == CLAUSES["two-passes"].requirement


@pytest.mark.parametrize("clause", ["gtp", "gtp-handicap", "superko"])
def test_a_wrong_answer_in_a_random_session_is_called_by_itself(clause: str) -> None:
    """A wrong komi after a handicap does not show that stones stand on wrong points."""
    (check,) = find("gtp.explore")
    observed = "get_komi → = 0.5: expected 6.5"
    result = Result(check, Judgement(Outcome.FAIL, observed=f"{observed}\nmore", clause=clause))
    cause = Cause(CauseKind.CLAUSE, clause, clause, 0.9, check.id, (check.id,))
    assert cause_statement(cause, result) == f"wrong answer: {observed}"


def test_any_other_failure_is_called_by_its_check() -> None:
    (check,) = find("ref.nodes.three")
    assert title(check.id, "ref-nodes") == check.title


@pytest.mark.parametrize(("probability", "named"), [(0.95, True), (0.9, True), (0.8, False), (0.1, False)])
def test_only_a_fault_that_is_much_likelier_than_all_others_is_in_the_headline(
    probability: float, named: bool
) -> None:
    (check,) = find("ref.eye.corner")
    result = Result(check, Judgement(Outcome.FAIL))
    explains = (check.id, "ref.eye.corner-white")
    cause = Cause(CauseKind.FAULT, "eye-corner-as-centre", "eye", probability, check.id, explains)
    assert (cause_label(cause, result) == "probable fault") is named
    assert (cause_title(cause, result) == check.title) is not named
    assert "eye-corner-as-centre (probability" in cause_reason(cause)


def test_a_fault_that_one_failing_check_suggests_has_no_probability() -> None:
    """A bot that writes the id 42 as 42.0 fails one check, as the fault does, and has another fault."""
    one = Cause(CauseKind.FAULT, "id-stale", "gtp", 0.9995, "gtp.frame.id-echo", ("gtp.frame.id-echo",))
    text = cause_reason(one)
    assert "would explain it is id-stale: an answer carries the id of the command before" in text
    assert "probability" not in text


def test_random_cases_alone_are_not_said_to_fit_no_known_fault() -> None:
    """They name none: a bot that counts its playouts twice has a known fault, which nothing else may show."""
    clause = "fresh-randomness"
    alone = Cause(CauseKind.CLAUSE, clause, clause, 0.9, "ref.explore", ("ref.explore",))
    assert cause_reason(alone).startswith("Random cases alone show it")
    with_another = replace(alone, explains=("ref.explore", "ref.uniform.independent"))
    assert cause_reason(with_another).startswith("No known fault fits")


def test_the_headline_of_a_fault_of_a_report_names_the_command() -> None:
    (check,) = find("ref.score.view-won")
    explains = (check.id, "ref.score.view-lost")
    cause = Cause(CauseKind.FAULT, "refscore-black", "ref-score", 0.9, check.id, explains)
    assert cause_title(cause, Result(check, Judgement(Outcome.FAIL))) == "ref-score: Black's view."


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("passes are not counted", "Passes are not counted"),
        ("time_settings ends the process", "time_settings ends the process"),
        ("ref-nodes and ref-score are lost", "ref-nodes and ref-score are lost"),
        ("", ""),
    ],
)
def test_a_sentence_begins_with_a_capital_unless_with_a_command(text: str, shown: str) -> None:
    assert capital(text) == shown


def test_the_headline_of_many_failing_checks_of_a_clause_is_its_requirement() -> None:
    own = tuple(check.id for check in CHECKS if check.id.startswith("ref.eye."))
    (check,) = find(own[0])
    result = Result(check, Judgement(Outcome.FAIL))
    few, many = (Cause(CauseKind.CLAUSE, "eye", "eye", 0.9, check.id, ids) for ids in (own[:2], own))
    assert cause_title(few, result) == check.title
    assert cause_title(many, result) == CLAUSES["eye"].requirement


def test_faults_that_explain_the_same_are_named_as_possible_each_with_its_probability() -> None:
    cause = Cause(
        CauseKind.FAULT, "unseen-as-even", "unseen", 0.5, "ref.choice.unseen", ("ref.choice.unseen",)
    )
    both = cause_reason(replace(cause, alike=("unseen-as-won",)))
    assert "behaves like" not in both
    assert "unseen-as-even and unseen-as-won" in both
