"""Tests of the output between answers: which known faults it is not of."""

from __future__ import annotations

import pytest

from harness.selftest.faulty import check_fault
from harness.suite.registry import select

FAULTS = ("log-on-stdout", "extra-line-feed", "blank-line-inside")


@pytest.mark.parametrize("fault", FAULTS)
def test_output_between_answers_speaks_for_the_fault_that_prints_it(fault: str) -> None:
    """A line of a log is no empty line, and an empty line is no log."""
    (result,) = check_fault(
        fault, 1, checks=select(("gtp.frame.no-noise",)), playouts=20, hosted=True
    ).results
    assert result.refuses
    assert fault not in result.judgement.unlike
    assert "extra-line-feed" in (fault, *result.judgement.unlike)
    assert fault == "blank-line-inside" or len(result.judgement.unlike) == 2
