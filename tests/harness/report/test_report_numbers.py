"""Numbers in sentences."""

import pytest

from harness.report.numbers import amount, decimals_beside, listed, points_text


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


def test_a_long_list_ends_with_the_number_of_the_names_left_out() -> None:
    shown = [listed("abcd"[:count], 2) for count in range(5)]
    assert shown == ["", "a", "a, b", "a, b and 1 more", "a, b and 2 more"]
    assert listed("abc", 2, ", and") == "a, b, and 1 more"


@pytest.mark.parametrize(
    ("points", "text"), [(0.0, "0"), (0.5, "0.5"), (12.0, "12"), (123456.5, "123456.5"), (2e6, "2000000")]
)
def test_points_are_written_with_all_digits(points: float, text: str) -> None:
    assert points_text(points) == text


@pytest.mark.parametrize(
    ("margin", "decimals"), [(0.0448, 3), (0.15, 2), (0.00299, 4), (5.9, 1), (12.0, 0), (340.0, 0), (0.0, 3)]
)
def test_a_number_has_the_decimals_of_its_margin(margin: float, decimals: int) -> None:
    assert decimals_beside(margin) == decimals
