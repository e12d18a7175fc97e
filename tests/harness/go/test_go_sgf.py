"""SGF: the main line of a game is read; a file that is not a game is refused in one line."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill import sgf

from harness.go import SgfError, random_game, read_sgf


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
        b"(;GM[1]SZ[9]",
        b"(;GM[2]SZ[8])",
        b"(;GM[1]SZ[0])",
        b"(;GM[1]SZ[99])",
        b"(;GM[1]SZ[abc])",
        b"(;GM[1]SZ[9]KM[much])",
        b"(;GM[1]SZ[9];B[zz])",
        b"(;GM[1]SZ[9];B[aa];AB[bb])",
        b"(;GM[1]SZ[2]AB[aa][ab][ba][bb])",
        b"(;GM[1]CA[no-such-code]SZ[9])",
        b"(" * 100_000,
        b"(;SZ[9]" + b"(;B[aa]" * 50_000,
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
