"""SGF on the referee's board. tests/refbot/test_sgf.py has the reader's own tests."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill import sgf

from harness.go import SgfError, play_record, random_game, read_sgf


def test_a_game_reads_back() -> None:
    game = random_game(9, seed=1, moves=30)
    record = sgf.Sgf_game(9)
    record.get_root().set("KM", 7.5)
    for colour, point in game.moves:
        record.extend_main_sequence().set_move(colour, point)
    again = read_sgf(record.serialise())
    assert (again.size, again.komi) == (9, 7.5)
    assert [*again.moves] == [*map(tuple, game.moves)]


def test_row_0_is_the_lowest_row() -> None:
    # SGF counts rows from the top: A1 on 9x9 is [ai], J9 is [ia]. An empty value is a pass.
    again = read_sgf(b"(;GM[1]SZ[9];B[ai];W[ia];B[])")
    assert again.moves == (("b", (0, 0)), ("w", (8, 8)), ("b", None))


def test_setup_stones_are_read() -> None:
    again = read_sgf(b"(;GM[1]SZ[5]KM[0.5]AB[ae][bd]AW[cc];W[ea])")
    assert again.black_stones == {(0, 0), (1, 1)}
    assert again.white_stones == {(2, 2)}
    assert again.moves == (("w", (4, 4)),)


def test_only_the_main_line_of_the_first_game_is_read() -> None:
    again = read_sgf(b"(;GM[1]SZ[5];B[aa](;W[bb])(;W[cc]))(;GM[1]SZ[9])")
    assert (again.size, again.moves) == (5, (("b", (4, 0)), ("w", (3, 1))))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"not sgf",
        b"\x00\xff\xfe",
        b"(;GM[2]SZ[8])",
        b"(;GM[1]SZ[0])",
        b"(;GM[1]SZ[99])",
        b"(;GM[1]SZ[abc])",
        b"(;GM[1]SZ[9];B[zz])",
        b"(;GM[1]SZ[9];B[aa];AB[bb])",
        b"(" * 100_000,
    ],
)
def test_what_is_no_game_is_refused_in_one_line(data: bytes) -> None:
    with pytest.raises(SgfError) as caught:
        read_sgf(data)
    assert len(str(caught.value).splitlines()) == 1


@given(st.binary(max_size=60))
def test_no_bytes_make_it_fail_otherwise(noise: bytes) -> None:
    for data in (noise, b"(;GM[1]SZ[9]" + noise + b")"):
        with contextlib.suppress(SgfError):
            read_sgf(data)


def test_the_position_of_a_record_has_its_stones_and_its_moves() -> None:
    position = play_record(read_sgf(b"(;SZ[5]AB[ae]AW[be];W[ad])"))
    assert position.stones() == {(0, 1): "w", (1, 0): "w"}  # White has captured A1
    assert [move.colour for move in position.moves] == ["b", "w", "w"]


@pytest.mark.parametrize(
    ("data", "words", "legal_moves"),
    [
        (b"(;SZ[5];B[aa];W[aa])", "move 2, W A5, is illegal (occupied)", 1),
        (b"(;SZ[5]AB[ab][ba];W[aa])", "move 1, W A5, is illegal (suicide)", 0),
        (b"(;SZ[5]AB[ab][ba]AW[aa])", "the chain at A5 has no liberty", 0),
        (b"(;SZ[2]AB[aa][ab][ba][bb])", "no liberty", 0),
    ],
)
def test_an_illegal_position_names_what_is_illegal(data: bytes, words: str, legal_moves: int) -> None:
    with pytest.raises(SgfError) as caught:
        play_record(read_sgf(data))
    assert words in str(caught.value)
    assert caught.value.legal_moves == legal_moves
