"""Faults that fail the same check in different ways: the failure names the fault that it is unlike."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from harness.check.phases.findings import Findings

TWINS = [
    ("gtp.handicap.cleared", "handicap-once", "clear-keeps-handicap"),
    ("gtp.handicap.place", "place-handicap-repeats", "place-handicap-not-placed"),
    ("gtp.tools.cputime", "cpu-time-falls", "cpu-time-with-unit"),
    ("gtp.score.status-stones", "final-status-empty-points", "final-status-twice"),
    ("gtp.admin.arguments-missing", "rule-without-value-crashes", "chat-without-words-crashes"),
]


@pytest.mark.parametrize(("check", "one", "other"), TWINS)
def test_a_failure_excludes_the_fault_that_would_have_failed_otherwise(
    check: str, one: str, other: str, check_hosted: Callable[..., Findings]
) -> None:
    for fault, twin in ((one, other), (other, one)):
        (result,) = check_hosted(fault, "extensions", only=[check], playouts=20).results
        assert result.refuses
        assert twin in result.judgement.unlike
        assert fault not in result.judgement.unlike
