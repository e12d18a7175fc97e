import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.gtp import MAX_COUNT, Answer, parse_answer, parse_count, parse_decimal


@pytest.mark.parametrize(
    ("text", "count"),
    [("0", 0), (" 17 ", 17), ("0" * 5_000 + "7", 7), (str(MAX_COUNT), MAX_COUNT), ("-0", None), ("+1", None)],
)
def test_a_count_is_written_in_digits(text: str, count: int | None) -> None:
    assert parse_count(text) == count


@pytest.mark.parametrize(
    "text", ["", "-10", "9" * 22, "9" * 5_000, str(2**63), "1.0", "1e3", "0x10", "1_000", "²", "٣", "nan"]
)
def test_anything_else_is_no_count(text: str) -> None:
    assert parse_count(text) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [("0.5", 0.5), (".5", 0.5), ("-1.", -1.0), ("5e-1", 0.5), ("1e-400", 0.0), (str(MAX_COUNT), MAX_COUNT)],
)
def test_a_decimal_number_may_have_an_exponent(text: str, value: float) -> None:
    assert parse_decimal(text) == value


@pytest.mark.parametrize("text", ["", "nan", "inf", "1e400", "-1e16", "9" * 5_000, "1,5", "1_0", "50%"])
def test_anything_else_is_no_decimal_number(text: str) -> None:
    assert parse_decimal(text) is None


@given(st.text(max_size=30), st.integers(0, 10**18))
def test_no_text_raises_and_no_value_leaves_its_range(text: str, most: int) -> None:
    count, value = parse_count(text, most), parse_decimal(text)
    assert count is None or 0 <= count <= most
    assert value is None or (math.isfinite(value) and abs(value) <= MAX_COUNT)


@given(st.integers(0, 10**18))
def test_every_number_in_the_range_is_read(number: int) -> None:
    assert parse_count(str(number), number) == number
    assert number == 0 or parse_count(str(number), number - 1) is None


def test_thousands_of_zeros_are_an_id() -> None:
    parsed = parse_answer(b"=" + b"0" * 5_000 + b" x\n\n")
    assert isinstance(parsed, Answer)
    assert parsed.id == 0
