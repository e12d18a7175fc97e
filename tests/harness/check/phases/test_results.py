"""Which check reports what another one observed."""

from __future__ import annotations

import pytest

from harness.check.model import Check, Judgement, Level, Outcome, Result
from harness.check.phases.results import CRASH_HINT, Results
from harness.check.procedures.dialogue import dialogue

PROCEDURE = dialogue("name")


def check(name: str, level: Level = Level.MUST) -> Check:
    return Check(name, "gtp", level, f"Requirement {name}.", PROCEDURE, hint=f"repair {name}")


def outcomes(results: list[Result]) -> dict[str, Outcome]:
    return {result.check.id: result.outcome for result in results}


def seen(observer: Check, about: str) -> Result:
    return Result(observer, Judgement(Outcome.FAIL, "a", "b", reported_by=about))


def test_an_observation_about_another_subject_fails_the_check_of_that_subject() -> None:
    observer, subject = check("observer"), check("subject")
    results = Results([observer, subject])
    assert outcomes(results.settle(seen(observer, "subject"))) == {"observer": Outcome.BLOCKED}
    settled = results.settle(Result(subject, Judgement(Outcome.PASS)))
    assert outcomes(settled) == {"subject": Outcome.FAIL}
    assert settled[0].judgement.hint == "repair subject"
    assert settled[0].observed_by is observer


def test_it_also_fails_a_check_that_had_passed_before() -> None:
    observer, subject = check("observer"), check("subject")
    results = Results([observer, subject])
    results.settle(Result(subject, Judgement(Outcome.PASS)))
    settled = results.settle(seen(observer, "subject"))
    assert outcomes(settled) == {"observer": Outcome.BLOCKED, "subject": Outcome.FAIL}


@pytest.mark.parametrize("level", [Level.SHOULD, Level.INFO])
def test_what_is_observed_on_open_input_never_fails_a_must(level: Level) -> None:
    observer, subject = check("observer", level), check("subject")
    results = Results([observer, subject])
    assert outcomes(results.settle(seen(observer, "subject"))) == {"observer": Outcome.FAIL}
    assert outcomes(results.settle(Result(subject, Judgement(Outcome.PASS)))) == {"subject": Outcome.PASS}


def test_a_subject_that_was_not_selected_only_blocks() -> None:
    observer = check("observer")
    results = Results([observer])
    (result,) = results.settle(seen(observer, "elsewhere"))
    assert (result.outcome, result.blocked_by) == (Outcome.BLOCKED, ("elsewhere",))


def test_a_check_that_failed_itself_keeps_its_own_evidence() -> None:
    observer, subject = check("observer"), check("subject")
    results = Results([observer, subject])
    results.settle(seen(observer, "subject"))
    (result,) = results.settle(Result(subject, Judgement(Outcome.FAIL, "own", "own")))
    assert result.judgement.observed == "own"


def test_two_checks_do_not_block_each_other() -> None:
    """A check fails if the check that observed its violation blocks it; it stays blocked by another one."""
    observer, subject = check("observer"), check("subject")
    for blocked_by, outcome in (("observer", Outcome.FAIL), ("another", Outcome.BLOCKED)):
        results = Results([observer, subject])
        results.settle(seen(observer, "subject"))
        blocked = Result(subject, Judgement(Outcome.BLOCKED), blocked_by=(blocked_by,))
        assert outcomes(results.settle(blocked)) == {"subject": outcome}


def test_a_failure_that_another_check_shows_is_foreseen_until_its_own_check_is_made() -> None:
    observer, subject = check("observer"), check("subject")
    results = Results([observer, subject])
    shown = seen(observer, "subject")
    results.settle(shown)
    foreseen = results.foreseen(shown)
    assert foreseen is not None
    assert (foreseen.check, foreseen.outcome) == (subject, Outcome.FAIL)
    results.settle(Result(subject, Judgement(Outcome.PASS)))
    assert results.foreseen(shown) is None
    assert results.foreseen(seen(observer, "elsewhere")) is None


def test_a_death_is_no_matter_of_what_the_check_asks_for() -> None:
    subject = check("subject")
    (result,) = Results([subject]).settle(Result(subject, Judgement(Outcome.CRASH, "a", "b")))
    assert result.judgement.hint == CRASH_HINT


def test_a_death_fails_a_check_whose_reporter_was_not_selected() -> None:
    observer = check("observer")
    death = Judgement(Outcome.CRASH, "a", "b", reported_by="elsewhere")
    (result,) = Results([observer]).settle(Result(observer, death))
    assert (result.outcome, result.clause, result.blocked_by) == (Outcome.CRASH, "gtp", ())
