"""Checks on their way to another process."""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness.check.model import Judgement, Outcome, Result
from harness.check.procedures.search import SearchProcedure
from harness.remote.packing import pack, unpack
from harness.suite.registry import CHECKS, find


def test_a_check_of_the_registry_is_itself_again() -> None:
    assert [id(check) for check in unpack(pack(CHECKS))] == [id(check) for check in CHECKS]


def test_a_check_that_was_repeated_under_another_symmetry_keeps_it() -> None:
    searching = [check for check in CHECKS if isinstance(check.procedure, SearchProcedure)]
    assert searching
    for check in searching:
        turned = replace(check, procedure=replace(check.procedure, first_turn=3))  # type: ignore[type-var]
        result = Result(turned, Judgement(Outcome.FAIL))
        assert unpack(pack(result)) == result != replace(result, check=check)


def test_a_check_that_differs_otherwise_is_not_taken_for_that_of_the_registry() -> None:
    (check,) = find("game.pass.false-eye")
    with pytest.raises(AttributeError, match="judge_moves"):
        pack(replace(check, title="another one"))
