"""Reading record files, damaged ones too: the games, the notes, and the errors with their texts."""

from __future__ import annotations

import os
import tracemalloc
import warnings
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refbot.sgf import (
    MAX_BYTES,
    Colour,
    Move,
    Point,
    SgfError,
    SgfFileError,
    SgfGame,
    read_file,
    read_game,
    read_games,
)
from refbot.sgf.game import excerpt

with warnings.catch_warnings():
    warnings.simplefilter("ignore", SyntaxWarning)
    from sgfmill import sgf

SO = b"\x83\x5c"  # a katakana letter in Shift-JIS: its second byte is a backslash
ZO = b"\x83\x5d"  # its second byte is a bracket


def moves(data: bytes, **options: int) -> str:
    """The moves of the first game, such as `bE5 wpass`."""
    return shown(read_game(data, **options))


def shown(game: SgfGame) -> str:
    return " ".join(f"{colour}{vertex(point)}" for colour, point in game.moves)


def vertex(point: Point | None) -> str:
    return "pass" if point is None else f"{'ABCDEFGHJKLMNOPQRSTUVWXYZ'[point[1]]}{point[0] + 1}"


def stones(game: SgfGame) -> tuple[str, str]:
    black, white = (sorted(map(vertex, side)) for side in (game.black_stones, game.white_stones))
    return " ".join(black), " ".join(white)


READ = [
    # (why, file, moves, black stones, white stones, side to move)
    ("plain", b"(;GM[1]FF[4]SZ[9];B[ee];W[])", "bE5 wpass", "", "", "b"),
    ("no first semicolon", b"(\nGM[1]SZ[9]\n;B[ee])", "bE5", "", "", "w"),
    ("text before the game", b"From: x (a)\nHello\n\n(;SZ[9];B[ee])", "bE5", "", "", "w"),
    ("no closing parenthesis", b"(;SZ[9];B[ee]", "bE5", "", "", "w"),
    ("no size is 19", b"(;B[dp])", "bD4", "", "", "w"),
    ("empty size is 19", b"(;SZ[];B[dp])", "bD4", "", "", "w"),
    ("size as columns and rows", b"(;SZ[9:9];B[ee])", "bE5", "", "", "w"),
    ("size after the stones of its node", b"(;AB[aa]SZ[9];B[ee])", "bE5", "A9", "", "w"),
    ("blanks in values", b"(;SZ[ 9 ];B[ e\r\ne ];W[  ])", "bE5 wpass", "", "", "b"),
    ("tt is a pass up to 19x19", b"(;SZ[19];B[tt])", "bpass", "", "", "w"),
    ("tt is a point above", b"(;SZ[21];B[tt])", "bU2", "", "", "w"),
    ("NUL, BOM and CRLF between tokens", b"\xef\xbb\xbf(;\r\nSZ[9]\0\0;B[ee]\r\n)\x1a", "bE5", "", "", "w"),
    ("UTF-16 with its mark", "\ufeff(;SZ[9];B[ee])".encode("utf-16-le"), "bE5", "", "", "w"),
    ("UTF-16 without", "(;SZ[9];B[ee])".encode("utf-16-be"), "bE5", "", "", "w"),
    ("main line", b"(;SZ[9];B[ee](;W[ec](;B[gc])(;B[cc]))(;W[aa]))", "bE5 wE7 bG7", "", "", "w"),
    ("escapes", b"(;SZ[9]C[\\];B[aa\\]];B[ee]C[a\\\\];W[ec])", "bE5 wE7", "", "", "b"),
    ("long names of FF[1] to FF[3]", b"(;SiZe[9]AddBlack[aa];Black[ee];White[ec])", "bE5 wE7", "A9", "", "b"),
    ("lower-case letters are no part of a name", b"(;SZ[9];Bx[ee]Cxx[B])", "bE5", "", "", "w"),
    ("set-up in the second node", b"(;SZ[9]HA[2];AB[cc][gg];W[ee])", "wE5", "C7 G3", "", "b"),
    ("set-up over several nodes", b"(;SZ[9]AB[aa][bb];AW[bb];AE[aa];AB[cc])", "", "C7", "B8", "b"),
    ("set-up and move in one node", b"(;SZ[9]W[ee]AB[cc])", "wE5", "C7", "", "b"),
    ("rectangles", b"(;SZ[9]AB[aa:bc]AE[ba:bb])", "", "A7 A8 A9 B7", "", "b"),
    ("a rectangle from any corner", b"(;SZ[9]AW[bb:aa])", "", "", "A8 A9 B8 B9", "b"),
    ("the last of two stones on a point", b"(;SZ[9]AB[aa]AW[aa])", "", "", "A9", "b"),
    ("PL", b"(;SZ[9]AB[cc]PL[W])", "", "C7", "", "w"),
    ("PL in words and digits", b"(;SZ[9]AB[cc];PL[white])", "", "C7", "", "w"),
    ("PL[2]", b"(;SZ[9]PL[2])", "", "", "", "w"),
    ("PL of nobody", b"(;SZ[9]PL[x])", "", "", "", "b"),
    ("PL after the moves", b"(;SZ[9];B[aa];PL[B])", "bA9", "", "", "b"),
    ("PL beside a move stands before it", b"(;SZ[9];B[aa]PL[B])", "bA9", "", "", "w"),
    ("PL is used up by a move", b"(;SZ[9]PL[B];B[aa])", "bA9", "", "", "w"),
    ("handicap", b"(;SZ[9]HA[2]AB[cc][gg])", "", "C7 G3", "", "w"),
    ("handicap without stones", b"(;SZ[9]HA[2])", "", "", "", "b"),
    ("HA[0] with stones", b"(;SZ[9]HA[0]AB[cc])", "", "C7", "", "b"),
    ("two moves in a node", b"(;SZ[9];B[aa]W[bb])", "bA9 wB8", "", "", "b"),
    ("two values", b"(;SZ[9];B[aa][bb])", "bA9 bB8", "", "", "w"),
    ("Shift-JIS with a backslash", b"(;CA[Shift_JIS]SZ[9]PW[" + SO + b"];B[ee])", "bE5", "", "", "w"),
    ("Shift-JIS with a bracket", b"(;CA[Shift_JIS]SZ[9]PW[" + ZO + b"x];B[ee])", "bE5", "", "", "w"),
    ("UTF-8 by chance", b"(;SZ[9]PW[\xed\x99" + ZO + b"\xe4\xa2\x98T];B[ee])", "bE5", "", "", "w"),
    ("without CA", b"(;SZ[9]PW[" + SO + b"]PB[" + ZO + b"];B[ee])", "bE5", "", "", "w"),
    ("CA after the name", b"(;SZ[9]PW[" + SO + b"]CA[sjis];B[ee])", "bE5", "", "", "w"),
    ("a wrong CA", b"(;CA[UTF-8]SZ[9]PW[" + SO + b"];B[ee])", "bE5", "", "", "w"),
    ("Latin-1 with CA of Shift-JIS", b"(;CA[Shift_JIS]SZ[9]PW[Andr\xe9]PB[x];B[ee])", "bE5", "", "", "w"),
    ("an unknown CA", b"(;CA[x-klingon]SZ[9]PW[x];B[ee])", "bE5", "", "", "w"),
    ("a CA that is no text", b"(;CA[hex\0\xff]SZ[9]PB[zz];B[ee])", "bE5", "", "", "w"),
    ("bytes escaped one by one", b"(;CA[Shift_JIS]SZ[9]PW[\x83\\\\];B[ee])", "bE5", "", "", "w"),
    ("ISO-2022-JP", b"(;CA[ISO-2022-JP]SZ[9]PW[\x1b$B%=]\\\x1b(B];B[ee])", "bE5", "", "", "w"),
    ("moves only in the root", b"(;SZ[9]B[ee])", "bE5", "", "", "w"),
    ("nested without moves", b"(;SZ[9](;(;B[ee])))", "bE5", "", "", "w"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("data", "line", "black", "white", "to_move"), [c[1:] for c in READ], ids=[c[0] for c in READ]
)
def test_a_file_is_read(data: bytes, line: str, black: str, white: str, to_move: Colour) -> None:
    game = read_game(data)
    assert (shown(game), *stones(game), game.to_move) == (line, black, white, to_move)


@pytest.mark.parametrize(
    ("value", "komi", "noted"),
    [
        (b"KM[6.5]", 6.5, False),
        (b"KM[ -0.5 ]", -0.5, False),
        (b"KM[6,5]", 6.5, True),
        (b"KM[]", None, True),
        (b"KM[half]", None, True),
        (b"KM[1e3]", None, True),
        (b"KM[nan]", None, True),
        (b"KM[375]", None, True),  # some programs count hundredths of stones
        (b"KM[" + b"9" * 5000 + b"]", None, True),
        (b"KO[7.5]", 7.5, False),  # the komi of some old files
        (b"KO[7.5]KM[0.5]", 0.5, False),
        (b"KO[]", None, False),
        (b"", None, False),
    ],
)
def test_a_komi_that_is_damaged_is_noted_and_refuses_nothing(
    value: bytes, komi: float | None, noted: bool
) -> None:
    game = read_game(b"(;SZ[9]" + value + b";B[ee])")
    assert (game.komi, shown(game)) == (komi, "bE5")
    assert bool(game.notes) == noted
    assert not noted or game.notes[0].startswith("KM[")


def test_komi_may_follow_in_a_later_node() -> None:
    assert read_game(b"(;SZ[9];KM[5.5];B[ee])").komi == 5.5


@pytest.mark.parametrize(
    ("data", "place", "words"),
    [
        (b"", (1, 1), ["empty"]),
        (b"not sgf", (1, 1), ['"not sgf"', "expected", "(;"]),
        (b"(;GM[2]SZ[8])", (1, 1), ["GM[2]", "GM[1]"]),
        (b"(;SZ[0])", (1, 1), ["SZ[0]", "size"]),
        (b"(;SZ[99])", (1, 1), ["SZ[99]", "52"]),
        (b"(;SZ[abc])", (1, 1), ["SZ[abc]"]),
        (b"(;SZ[9:13])", (1, 1), ["9x13", "square"]),
        (b"(;SZ[9];B[aa];SZ[13])", (1, 1), ["SZ[13]", "9x9"]),
        (b"(;SZ[9]\n;B[aa]\n;W[jj])", (1, 3), ["move 2", "W[jj]", "9x9", "[ii]"]),
        (b"(;SZ[9];B[e5])", (1, 1), ["move 1", "B[e5]"]),
        (b"(;SZ[9]AB[aa][zz])", (1, 1), ["AB[zz]", "9x9"]),
        (b"(;SZ[52]" + b";AB" + b"[aa:ZZ]" * 400 + b")", (1, 1), ["more than 1,000,000 points"]),
        (b"(;SZ[9]AB" + b"[aa]" * 100_001 + b")", (1, 1), ["more than 100,000 values"]),
        (b"(;SZ[9]AB[tt])", (1, 1), ["AB[tt]"]),
        (b"(;SZ[9]AB[aa:])", (1, 1), ["AB[aa:]"]),
        (b"(;SZ[9];B[aa]\n;AB[bb])", (1, 2), ["AB[bb]", "after move 1"]),
        (b"(;SZ[9]C[see [1] for W[aa] here];B[ee])", (1, 1), ["for W[aa] here", "backslash"]),
        (b"(;SZ[9];B[ee]\n;W[ec", (1, 2), ['no "]"', "W[ec"]),
        (b"(;SZ[9])\n(;SZ[9]\n;B[xx])", (2, 3), ["B[xx]"]),
    ],
)
def test_what_cannot_be_read_is_named(data: bytes, place: tuple[int, int], words: list[str]) -> None:
    errors = [game for game in read_games(data) if isinstance(game, SgfError)]
    assert [(error.game, error.line) for error in errors] == [place]
    text = str(errors[0])
    assert text.isprintable()
    assert all(word in text for word in words), text


def test_a_message_shows_nothing_that_a_terminal_obeys() -> None:
    with pytest.raises(SgfError) as caught:
        read_game(b"(;SZ[\x1b[2J\x9b\n" + b"x" * 5000 + b"])")
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 200


def test_every_game_of_a_file_is_read_and_a_bad_one_stops_none() -> None:
    data = b"(;SZ[9];B[aa](;W[bb])(;W[cc]))\nnoise\n(;SZ[9];B[zz];W[aa])(;GM[1]SZ[5];B[cc]"
    first, second, third = read_games(data)
    assert isinstance(first, SgfGame)
    assert isinstance(second, SgfError)
    assert isinstance(third, SgfGame)
    assert (first.number, second.game, third.number) == (1, 2, 3)
    assert shown(third) == "bC3"
    assert moves(data, number=3) == "bC3"
    with pytest.raises(SgfError, match="the file has 3 games"):
        read_game(data, 4)


def test_a_game_that_is_not_closed_does_not_swallow_the_next_one() -> None:
    first, second = read_games(b"(;FF[4]SZ[9];B[aa](;W[bb])\n(;FF[4]SZ[9];B[cc])")
    assert isinstance(first, SgfGame)
    assert isinstance(second, SgfGame)
    assert (shown(first), shown(second)) == ("bA9 wB8", "bC7")
    first, second = read_games(b"(;FF[4]SZ[9];B[aa]\n(;FF[4]SZ[9];B[cc])")
    assert isinstance(first, SgfGame)
    assert (shown(first), first.notes) == ("bA9", ('no ")" closes the game',))


@pytest.mark.parametrize(
    ("most", "line", "to_move"), [(0, "", "b"), (1, "bA9", "b"), (2, "bA9 bB8", "w"), (9, "bA9 bB8 wC7", "b")]
)
def test_the_side_to_move_is_that_of_the_next_move(most: int, line: str, to_move: Colour) -> None:
    game = read_game(b"(;SZ[9];B[aa];B[bb];W[cc])", most_moves=most)
    assert (shown(game), game.to_move) == (line, to_move)


def test_the_first_move_is_followed_where_pl_contradicts_it() -> None:
    game = read_game(b"(;SZ[9]AB[cc]PL[B];W[ee])", most_moves=0)
    assert game.to_move == "w"
    game = read_game(b"(;SZ[9]AB[cc]PL[B];W[ee])")
    assert "PL" in game.notes[0]


def test_what_follows_the_moves_that_are_asked_for_does_not_matter() -> None:
    assert moves(b"(;SZ[9];B[aa];W[zz])", most_moves=1) == "bA9"
    assert moves(b"(;SZ[9];B[aa];AB[bb])", most_moves=1) == "bA9"
    assert moves(b"(;SZ[9];B[aa];W[bb];C[", most_moves=1) == "bA9"
    assert moves(b"(;SZ[9];B[aa];W[bb]SZ[19])", most_moves=1) == "bA9"
    game = read_game(b"(;SZ[9]KM[5.5];B[aa];AB[bb]PL[B]KM[0]SZ[19])", most_moves=1)
    assert (shown(game), game.to_move, game.komi) == ("bA9", "w", 5.5)


Line = tuple[int, tuple[Move, ...], frozenset[Point], frozenset[Point], float]


@st.composite
def lines(draw: st.DrawFn) -> Line:
    """A size, moves, set-up stones and a komi."""
    size = draw(st.integers(2, 25))
    point = st.tuples(st.integers(0, size - 1), st.integers(0, size - 1))
    colour: st.SearchStrategy[Colour] = st.sampled_from(("b", "w"))
    played = draw(st.lists(st.builds(Move, colour, st.none() | point), max_size=12))
    black = draw(st.frozensets(point, max_size=5))
    white = draw(st.frozensets(point, max_size=5)) - black
    return size, tuple(played), black, white, draw(st.integers(-20, 20)) / 2


def read_back(line: Line, data: bytes) -> None:
    size, played, black, white, komi = line
    game = read_game(data)
    assert (game.size, game.komi, game.moves) == (size, komi, played)
    assert (game.black_stones, game.white_stones) == (black, white)
    if played:
        assert game.to_move != played[-1].colour


@given(lines())
def test_what_sgfmill_writes_reads_back(line: Line) -> None:
    size, played, black, white, komi = line
    record = sgf.Sgf_game(size)
    root = record.get_root()
    root.set("KM", komi)
    if black or white:
        root.set_setup_stones(black, white)
    for colour, point in played:
        record.extend_main_sequence().set_move(colour, point)
    read_back(line, record.serialise())


HARD = {
    "cp932": "\u30bd\u8868\u30be\u70ba",
    "big5": "\u529f\u8a31\u84cb",
    "gbk": "\u8a7f\u521d\u73e0",
    "utf-8": "\u00e9\u30bd",
}
"""For each charset, letters among which some have a backslash or a bracket as their second byte."""


@given(lines(), st.sampled_from(list(HARD)), st.data(), st.booleans())
def test_any_text_in_any_charset_leaves_the_moves_alone(
    line: Line, charset: str, data: st.DataObject, states_it: bool
) -> None:
    size, played, black, white, komi = line
    text = st.text(st.sampled_from(f"{HARD[charset]}abc ,:"), max_size=8)

    def comment() -> bytes:
        return b"[" + data.draw(text).encode(charset) + b"]"

    def points(name: bytes, of: frozenset[Point]) -> bytes:
        return name + b"".join(b"[" + letters(point) + b"]" for point in of) if of else b""

    def letters(point: Point | None) -> bytes:
        places = "abcdefghijklmnopqrstuvwxyz"
        return b"" if point is None else (places[point[1]] + places[size - 1 - point[0]]).encode()

    parts = [b"(;PB", comment(), b"CA[" + charset.encode() + b"]" if states_it else b"", b"PW", comment()]
    parts += [f"SZ[{size}]KM[{komi}]".encode(), b";", points(b"AB", black), points(b"AW", white)]
    for colour, point in played:
        parts += [b";", colour.upper().encode(), b"[", letters(point), b"]C", comment()]
    read_back(line, b"".join([*parts, b")"]))


@given(st.binary(max_size=80))
def test_no_bytes_raise_another_error(noise: bytes) -> None:
    for data in (noise, b"(;GM[1]SZ[9]" + noise + b")", b"(;SZ[9]PB[" + noise):
        for game in read_games(data):
            assert isinstance(game, SgfGame | SgfError)
            assert str(game).isprintable()


@pytest.mark.parametrize(
    "data",
    [
        b"\\" * 300_000,
        b"(;C[" + b"\\" * 300_000,
        b"(;SZ[9]PB[" + SO * 100_000,
        b"(" * 300_000,
        b"(;SZ[9]" + b"(;B[aa]" * 10_000,
        b"(;SZ[9]" + b";B[aa];W[bb]" * 25_000 + b")",
        b"(;SZ[9]C[" + b"\\]" * 150_000 + b"];B[aa])",
        b"(;SZ[52]AB" + b"[aa:ZZ]" * 11_000 + b";B[aa])",
        b"(;SZ[9]" + b"B[aa]" * 11_000 + b")",
    ],
    ids=range(9),
)
def test_a_hostile_file_takes_no_more_memory_than_its_size_and_that_of_one_node(data: bytes) -> None:
    tracemalloc.start()
    try:
        for game in read_games(data, most_moves=4):
            assert not isinstance(game, SgfGame) or len(game.moves) <= 4
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 3 * len(data) + (32 << 20) // 10


def test_only_regular_files_are_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.sgf"
    os.mkfifo(pipe)
    for path, words in (
        (pipe, "no regular file"),
        (Path("/dev/zero"), "no regular file"),
        (tmp_path, "is a directory"),
        (tmp_path / "none.sgf", "no such file"),
        (tmp_path / "a\0b", "no file has such a name"),
    ):
        with pytest.raises(SgfFileError, match=words):
            read_file(path)


def test_a_file_over_the_limit_is_refused_with_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "long.sgf"
    with path.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(SgfFileError, match=f"longer than {MAX_BYTES >> 20} MiB"):
        read_file(path)


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        (b" " * 200 + b"hello world", "hello world"),
        (b"a" + b" " * 200 + b"b", "a…"),
        (b"x" * 41, "x" * 40 + "…"),
        (b"x" * 40 + b" \n", "x" * 40),
    ],
)
def test_an_excerpt_marks_what_it_leaves_out(raw: bytes, shown: str) -> None:
    assert excerpt(raw) == shown
