import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.gtp import ColourError, VertexError
from harness.gtp.vertex import (
    MAX_SIZE,
    format_vertex,
    other,
    parse_colour,
    parse_vertex,
)


@pytest.mark.parametrize(
    ("text", "size", "point"),
    [
        ("A1", 9, (0, 0)),
        ("h9", 9, (8, 7)),
        ("J9", 9, (8, 8)),  # I is left out: the ninth column is J
        ("T19", 19, (18, 18)),
        ("z25", 25, (24, 24)),
        ("pass", 9, None),
        ("PASS", 9, None),
    ],
)
def test_vertices(text: str, size: int, point: tuple[int, int] | None) -> None:
    assert parse_vertex(text, size) == point


@pytest.mark.parametrize(
    ("text", "size", "reason"),
    [
        ("I5", 9, "letter I"),
        ("i5", 25, "letter I"),
        ("K1", 9, "off the board"),
        ("A10", 9, "off the board"),
        ("A26", 25, "off the board"),
        ("A0", 9, "expected"),
        ("A01", 9, "expected"),
        ("A-1", 9, "expected"),
        ("AA", 9, "expected"),
        ("A", 9, "expected"),
        ("", 9, "expected"),
        ("resign", 9, "expected"),
        ("A1 ", 9, "expected"),
        ("A¹", 9, "expected"),
        ("A\u0661", 9, "expected"),  # a digit elsewhere, not in GTP
        ("É1", 9, "expected"),
    ],
)
def test_no_vertices(text: str, size: int, reason: str) -> None:
    with pytest.raises(VertexError, match=reason) as caught:
        parse_vertex(text, size)
    assert (caught.value.text, caught.value.size) == (text, size)


@given(
    st.integers(1, MAX_SIZE).flatmap(
        lambda n: st.tuples(st.just(n), st.integers(0, n - 1), st.integers(0, n - 1))
    )
)
def test_round_trip(place: tuple[int, int, int]) -> None:
    size, row, col = place
    text = format_vertex((row, col))
    assert parse_vertex(text, size) == (row, col)
    assert parse_vertex(text.lower(), size) == (row, col)
    assert text == text.upper()


def test_pass_round_trip() -> None:
    assert format_vertex(None) == "pass"


@given(st.text(max_size=4), st.integers(1, MAX_SIZE))
def test_any_text_is_a_vertex_or_a_vertex_error(text: str, size: int) -> None:
    try:
        point = parse_vertex(text, size)
    except VertexError:
        return
    assert format_vertex(point).lower() == text.lower()


@pytest.mark.parametrize("point", [(25, 0), (0, 25), (-1, 0), (0, -1)])
def test_points_that_gtp_cannot_name(point: tuple[int, int]) -> None:
    with pytest.raises(VertexError):
        format_vertex(point)


def test_colours() -> None:
    assert [parse_colour(text) for text in ("b", "Black", "W", "white")] == ["b", "b", "w", "w"]
    assert (other("b"), other("w")) == ("w", "b")
    with pytest.raises(ColourError, match="x"):
        parse_colour("x")
