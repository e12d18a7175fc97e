"""What is written can be read again, whatever stands in it; what is no game is refused in one line."""

from __future__ import annotations

import contextlib
import math
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.go import random_game
from harness.go.sgf import BadSgf, game_record, read_sgf


def test_a_record_has_the_promised_properties_and_reads_back() -> None:
    game = random_game(9, seed=1, moves=30)
    record = game_record(
        size=9,
        komi=7.5,
        moves=game.moves,
        black="left",
        white="right",
        result="B+3.5",
        round_name="2",
        played=date(2008, 10, 13),
        comments=["nodes 111058"],
    )
    for text in ("FF[4]", "SZ[9]", "KM[7.5]", "PB[left]", "PW[right]", "RE[B+3.5]", "RO[2]", "RU[Chinese]"):
        assert text in record
    assert "DT[2008-10-13]" in record
    assert "AP[conform:" in record
    assert record.count("C[nodes 111058]") == 1
    again = read_sgf(record.encode())
    assert (again.size, again.komi, again.moves) == (9, 7.5, tuple(game.moves))
    assert (again.black, again.white, again.result) == ("left", "right", "B+3.5")


def test_row_0_is_the_lowest_row() -> None:
    # SGF counts rows from the top: A1 on 9x9 is [ai], J9 is [ia].
    record = game_record(
        size=9, komi=0, moves=[("b", (0, 0)), ("w", (8, 8)), ("b", None)], black="", white="", result="?"
    )
    assert ";B[ai]" in record.replace("\n", "")
    assert ";W[ia]" in record.replace("\n", "")
    assert read_sgf(record.encode()).moves == (("b", (0, 0)), ("w", (8, 8)), ("b", None))


def test_setup_stones_come_back() -> None:
    record = game_record(
        size=5,
        komi=0.5,
        moves=[("w", (4, 4))],
        black="b",
        white="w",
        result="0",
        black_stones=[(0, 0), (1, 1)],
        white_stones=[(2, 2)],
    )
    again = read_sgf(record.encode())
    assert again.black_stones == {(0, 0), (1, 1)}
    assert again.white_stones == {(2, 2)}
    assert again.moves == (("w", (4, 4)),)


@given(name=st.text(max_size=40), comment=st.text(max_size=40))
def test_hostile_text_changes_nothing_else(name: str, comment: str) -> None:
    moves = [("b", (2, 3)), ("w", None)]
    record = game_record(
        size=9,
        komi=6.5,
        moves=moves,
        black=name,
        white="w",
        result="Void",
        comments=[comment, comment],
        game_comment=comment,
        application=name,
    )
    again = read_sgf(record.encode())
    assert again.moves == tuple(moves)
    assert (again.size, again.komi, again.white, again.result) == (9, 6.5, "w", "Void")
    assert not any(ord(character) < 32 and character != "\n" for character in record.replace("\t", ""))


def test_a_name_cannot_close_its_property() -> None:
    hostile = "x];B[aa](;\\"
    record = game_record(size=9, komi=6.5, moves=[], black=hostile, white="w", result="Void")
    assert read_sgf(record.encode()).black == hostile


@pytest.mark.parametrize("komi", [math.nan, math.inf, -math.inf])
def test_a_komi_that_is_no_number_is_refused(komi: float) -> None:
    with pytest.raises(ValueError, match="komi"):
        game_record(size=9, komi=komi, moves=[], black="b", white="w", result="0")


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
    with pytest.raises(BadSgf) as caught:
        read_sgf(data)
    assert len(str(caught.value).splitlines()) == 1


@given(st.binary(max_size=60))
def test_no_bytes_make_it_fail_otherwise(noise: bytes) -> None:
    for data in (noise, b"(;GM[1]SZ[9]" + noise + b")"):
        with contextlib.suppress(BadSgf):
            read_sgf(data)
