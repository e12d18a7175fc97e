"""From outcomes to a verdict: a table, and laws over any outcomes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.check.model import REFUSING, Check, Judgement, Level, Outcome, Result, Verdict
from harness.check.phases.findings import Findings
from harness.check.verdict import verdict
from harness.suite.registry import find

(NAME,) = find("gtp.admin.name")
MUST, SHOULD, INFO = Level
OPTIONAL = "may stay open"

Row = tuple[Outcome, Level] | tuple[Outcome, Level, str]


def findings(rows: Sequence[Row], *, interrupted: bool = False, unusable: str = "") -> Findings:
    results = [
        Result(
            Check(f"x.{number}", "gtp", row[1], "X.", NAME.procedure, may_stay_open=OPTIONAL in row[2:]),
            Judgement(row[0]),
        )
        for number, row in enumerate(rows)
    ]
    return Findings("bot", results=tuple(results), interrupted=interrupted, unusable=unusable)


PASS, FAIL, OPEN, SKIP = Outcome.PASS, Outcome.FAIL, Outcome.INCONCLUSIVE, Outcome.SKIP
BLOCKED, CRASH, TIMEOUT, ERROR = Outcome.BLOCKED, Outcome.CRASH, Outcome.TIMEOUT, Outcome.ERROR


@pytest.mark.parametrize(
    ("rows", "plain", "strict"),
    [
        ([], "conforms", "conforms"),
        ([(PASS, MUST)], "conforms", "conforms"),
        ([(PASS, MUST), (FAIL, SHOULD)], "conforms", "deviates"),
        ([(PASS, MUST), (FAIL, INFO)], "conforms", "conforms"),
        ([(PASS, MUST), (FAIL, MUST)], "deviates", "deviates"),
        ([(CRASH, MUST), (OPEN, MUST)], "deviates", "deviates"),
        ([(TIMEOUT, MUST), (ERROR, MUST)], "deviates", "deviates"),
        ([(PASS, MUST), (OPEN, MUST)], "inconclusive", "inconclusive"),
        ([(PASS, MUST), (OPEN, SHOULD)], "conforms", "inconclusive"),
        ([(PASS, MUST), (SKIP, MUST)], "conforms", "conforms"),
        ([(SKIP, MUST), (SKIP, MUST)], "inconclusive", "inconclusive"),
        ([(ERROR, MUST), (ERROR, MUST)], "unusable", "unusable"),
        ([(ERROR, MUST), (PASS, MUST)], "inconclusive", "inconclusive"),
        ([(FAIL, MUST), (BLOCKED, MUST)], "deviates", "deviates"),
        ([(PASS, MUST), (BLOCKED, MUST)], "inconclusive", "inconclusive"),
        ([(PASS, MUST), (BLOCKED, SHOULD)], "conforms", "inconclusive"),
        ([(FAIL, SHOULD), (BLOCKED, MUST)], "inconclusive", "deviates"),
        ([(BLOCKED, MUST)], "inconclusive", "inconclusive"),
        ([(BLOCKED, MUST), (SKIP, MUST)], "inconclusive", "inconclusive"),
        ([(PASS, MUST), (OPEN, MUST, OPTIONAL)], "conforms", "inconclusive"),
        ([(SKIP, MUST), (OPEN, MUST, OPTIONAL)], "inconclusive", "inconclusive"),
        ([(OPEN, MUST, OPTIONAL)], "inconclusive", "inconclusive"),
        ([(OPEN, MUST), (OPEN, MUST, OPTIONAL)], "inconclusive", "inconclusive"),
        ([(PASS, MUST), (FAIL, MUST, OPTIONAL)], "deviates", "deviates"),
        ([(OPEN, SHOULD)], "inconclusive", "inconclusive"),
        ([(OPEN, SHOULD), (SKIP, MUST)], "inconclusive", "inconclusive"),
        ([(BLOCKED, SHOULD)], "inconclusive", "inconclusive"),
        ([(PASS, SHOULD), (OPEN, SHOULD)], "conforms", "inconclusive"),
    ],
)
def test_the_table(rows: Sequence[Row], plain: str, strict: str) -> None:
    found = findings(rows)
    assert (verdict(found), verdict(found, strict=True)) == (Verdict(plain), Verdict(strict))


def test_an_interrupted_run_conforms_never_and_deviates_once_it_has_failed() -> None:
    assert verdict(findings([(PASS, MUST)], interrupted=True)) is Verdict.INCONCLUSIVE
    assert verdict(findings([(PASS, MUST), (FAIL, MUST)], interrupted=True)) is Verdict.DEVIATES


def test_a_bot_that_could_not_be_checked_is_unusable() -> None:
    assert verdict(findings([], unusable="it only echoes")) is Verdict.UNUSABLE


ROWS = st.lists(st.tuples(st.sampled_from(Outcome), st.sampled_from(Level)), min_size=1, max_size=6)


@given(rows=ROWS)
def test_laws(rows: list[tuple[Outcome, Level]]) -> None:
    found = findings(rows)
    plain, strict = verdict(found), verdict(found, strict=True)
    musts = {outcome for outcome, level in rows if level is MUST}
    assert (plain is Verdict.DEVIATES) == bool(musts & REFUSING)
    if plain is Verdict.DEVIATES:
        assert strict is Verdict.DEVIATES
    if strict is Verdict.CONFORMS:
        assert plain in (Verdict.CONFORMS, Verdict.INCONCLUSIVE)  # a SHOULD may be all that was found out
    if plain is Verdict.CONFORMS:
        assert musts <= {PASS, SKIP}


@given(rows=ROWS, more=st.sampled_from(Outcome))
def test_what_is_noted_only_changes_no_verdict(rows: list[tuple[Outcome, Level]], more: Outcome) -> None:
    without, with_note = findings(rows), findings([*rows, (more, INFO)])
    assert verdict(without) is verdict(with_note)
    assert verdict(without, strict=True) is verdict(with_note, strict=True)
