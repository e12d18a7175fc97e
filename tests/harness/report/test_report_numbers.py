"""Numbers in sentences."""

import pytest

from harness.report.numbers import amount


@pytest.mark.parametrize(
    ("number", "noun", "text"),
    [
        (0, "check", "0 checks"),
        (1, "check", "1 check"),
        (2000, "playout", "2,000 playouts"),
        (1, "search", "1 search"),
        (2, "search", "2 searches"),
        (3, "pass", "3 passes"),
    ],
)
def test_a_noun_agrees_with_its_number(number: int, noun: str, text: str) -> None:
    assert amount(number, noun) == text
