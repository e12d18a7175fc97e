"""Saved cases: what is written is read again, and a wrong file is refused in one line."""

from __future__ import annotations

import json

import pytest

from harness.check.model import Judgement, Outcome
from harness.explore.cases import CasesError, as_checks, cases_text, read_cases, saved_form
from harness.explore.dialogue_case import DialogueCase

CASE = DialogueCase(("boardsize 2", "clear_board", "# x\n7 play b A1\r"), tries=8, together=True)
JUDGEMENT = Judgement(Outcome.FAIL, "7 play b A1 → =", "7 play b A1 → ?", clause="gtp")


def test_a_case_is_saved_and_becomes_a_check() -> None:
    (check,) = as_checks(read_cases(cases_text([saved_form(CASE, JUDGEMENT)])))
    assert check.procedure == CASE
    assert check.clause == "gtp"
    assert check.id == "case.1"


def good() -> dict[str, object]:
    loaded: dict[str, object] = json.loads(cases_text([saved_form(CASE, JUDGEMENT)]))
    return loaded


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"format": "conform-cases/2"}, "format"),
        ({"cases": [{"kind": "dialogue"}]}, "cases.0"),
        ({"cases": "none"}, "cases"),
        ({"more": 1}, "more"),
    ],
)
def test_a_wrong_file_is_refused_in_one_line(change: dict[str, object], named: str) -> None:
    with pytest.raises(CasesError) as error:
        read_cases(json.dumps(good() | change))
    assert named in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("text", ["", "[]", "{", "null", "\x00"])
def test_what_is_no_such_json_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(CasesError) as error:
        read_cases(text)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("field", "value", "named"),
    [
        ("clause", "nonsense", "nonsense"),
        ("lines", ["€"], "byte"),
        ("lines", [], "lines"),
        ("tries", 0, "tries"),
    ],
)
def test_a_wrong_case_is_refused(field: str, value: object, named: str) -> None:
    data = good()
    cases = data["cases"]
    assert isinstance(cases, list)
    cases[0][field] = value
    with pytest.raises(CasesError, match=named):
        read_cases(json.dumps(data))
