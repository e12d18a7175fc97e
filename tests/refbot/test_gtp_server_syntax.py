"""Preprocessing, words, vertices and answers: general laws, and cases that real engines get wrong."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refbot.gtp import syntax
from refbot.gtp.syntax import Command, GtpError, GtpSyntaxError, clean, frame, read

lines = st.binary(max_size=60).map(lambda data: data.replace(b"\n", b""))
words = st.text(
    st.characters(codec="ascii", exclude_categories=["C", "Z"], exclude_characters="#"), min_size=1
)


@given(lines)
def test_nothing_that_must_be_dropped_is_left(line: bytes) -> None:
    cleaned = clean(line + b"\n")
    assert not any(code < 0x20 or code == 0x7F for code in cleaned)
    assert b"#" not in cleaned
    assert clean(cleaned) == cleaned


@given(
    lines, st.integers(0, 60), st.sampled_from([b"\r", b"\x00", b"\x07", b"\x0b", b"\x0c", b"\x1b", b"\x7f"])
)
def test_a_control_character_changes_nothing_wherever_it_stands(
    line: bytes, place: int, control: bytes
) -> None:
    assert clean(line[:place] + control + line[place:]) == clean(line)


@given(lines, lines)
def test_a_comment_changes_nothing(line: bytes, comment: bytes) -> None:
    assert clean(line + b"#" + comment) == clean(line)


@given(st.lists(words, min_size=1, max_size=6), st.data())
def test_any_mixture_of_blanks_and_tabs_separates_words(parts: list[str], data: st.DataObject) -> None:
    gap = st.text(" \t", min_size=1, max_size=4)
    spread = data.draw(gap) + "".join(word + data.draw(gap) for word in parts)
    assert read(spread.encode()) == read(" ".join(parts).encode())


@given(st.integers(0, 2**31 - 1), words.filter(lambda word: not word.isdigit()))
def test_an_id_is_a_first_word_of_digits(number: int, word: str) -> None:
    assert read(f"{number} {word} x\n".encode()) == Command(str(number), word, ("x",))


@given(lines)
def test_reading_never_fails_and_blank_means_no_word(line: bytes) -> None:
    command = read(line)
    assert (command is None) == (not clean(line).split())


@pytest.mark.parametrize(
    ("line", "command"),
    [
        (b"name", Command("", "name")),
        (b"0 name", Command("0", "name")),
        (b"007 name", Command("007", "name")),
        (b"2147483647 name", Command("2147483647", "name")),
        (b"2147483648 name", Command("", "2147483648", ("name",))),
        (b"9" * 5000 + b" name", Command("", "9" * 5000, ("name",))),
        (b"-1 name", Command("", "-1", ("name",))),
        (b"+1 name", Command("", "+1", ("name",))),
        (b"5boardsize 9", Command("", "5boardsize", ("9",))),
        (b"17", Command("17", "")),
        (b"\xc2\xb2 name", Command("", "\udcc2\udcb2", ("name",))),  # a superscript two is no digit here
        (b"play\xa0b\x85A1", Command("", "play\udca0b\udc85A1")),  # nor are these blanks
        (b"na\x00me\r", Command("", "name")),
        (b"\t \r", None),
        (b"# name", None),
        (b"  # name", None),
    ],
)
def test_lines(line: bytes, command: Command | None) -> None:
    assert read(line + b"\n") == command
    assert read(line) == command


@pytest.mark.parametrize("size", range(2, 26))
def test_every_point_has_a_vertex_that_names_it_in_either_case(size: int) -> None:
    names = [syntax.format_vertex(point, size) for point in range(size * size)]
    assert len(set(names)) == size * size
    assert not any("I" in name for name in names)
    for point, name in enumerate(names):
        assert syntax.parse_vertex(name, size) == syntax.parse_vertex(name.lower(), size) == point


@pytest.mark.parametrize(
    ("text", "row", "column"), [("A1", 0, 0), ("H1", 0, 7), ("J1", 0, 8), ("T19", 18, 18), ("Z25", 24, 24)]
)
def test_rows_count_from_the_bottom_and_columns_skip_i(text: str, row: int, column: int) -> None:
    assert syntax.parse_vertex(text, 25) == row * 25 + column


@pytest.mark.parametrize("text", ["pass", "PASS", "Pass"])
def test_pass_in_any_case(text: str) -> None:
    assert syntax.parse_vertex(text, 9) is None


@pytest.mark.parametrize(
    "text", ["I5", "A0", "A01", "A", "1A", "A1 ", "A26", "A-1", "AA1", "é1", "A¹", "", "resign"]
)
def test_what_is_no_vertex_is_a_syntax_error(text: str) -> None:
    with pytest.raises(GtpSyntaxError):
        syntax.parse_vertex(text, 9)


@pytest.mark.parametrize("text", ["K1", "A10", "Z25"])
def test_a_vertex_off_the_board_is_an_illegal_move(text: str) -> None:
    with pytest.raises(GtpError, match=r"^illegal move$"):
        syntax.parse_vertex(text, 9)


@given(st.sampled_from(["b", "w", "black", "white"]), st.data())
def test_colours_in_any_case(text: str, data: st.DataObject) -> None:
    mixed = "".join(data.draw(st.sampled_from([letter, letter.upper()])) for letter in text)
    assert syntax.parse_colour(mixed) == text[0]


@pytest.mark.parametrize("text", ["", "x", "bl", "blackk", "whit", "ʙ"])
def test_other_words_are_no_colour(text: str) -> None:
    with pytest.raises(GtpSyntaxError):
        syntax.parse_colour(text)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_finite_number_is_read(number: float) -> None:
    assert syntax.parse_float(repr(number)) == number


@pytest.mark.parametrize(
    "text", ["", "abc", "7,5", "nan", "inf", "-inf", "1_0", "1e999", "0x10", "7.5x", ".", "1" * 5000]
)
def test_what_is_no_number(text: str) -> None:
    with pytest.raises(GtpSyntaxError):
        syntax.parse_float(text)


@given(st.integers(-(10**9), 10**9))
def test_every_integer_is_read(number: int) -> None:
    assert syntax.parse_int(str(number)) == number


@pytest.mark.parametrize("text", ["", "abc", "9x", "9.0", "1_0", "٣", "9" * 5000])
def test_what_is_no_integer(text: str) -> None:
    with pytest.raises(GtpSyntaxError):
        syntax.parse_int(text)


@given(st.booleans(), st.integers(0, 2**31 - 1).map(str) | st.just(""), st.lists(words, max_size=5))
def test_an_answer_ends_at_its_first_empty_line(success: bool, id_text: str, text_lines: list[str]) -> None:
    wire = frame(success, id_text, "\n".join(text_lines))
    assert wire.startswith(("=" if success else "?").encode() + id_text.encode() + b" ")
    assert wire.index(b"\n\n") == len(wire) - 2


def test_the_limits_are_those_of_the_draft() -> None:
    assert math.log2(syntax.MAX_ID + 1) == 31
    assert len(syntax.COLUMNS) == syntax.MAX_SIZE == 25
