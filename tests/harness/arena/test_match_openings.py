import random
from pathlib import Path

import pytest

from harness.arena.config.opening import OpeningError
from harness.arena.config.openings import MIN_WINS, TRIALS, OpeningBook, play_out
from harness.go import Position
from harness.gtp import parse_vertex
from tests.harness.arena.match_helpers import MakeConfig


def test_random_openings_are_legal_alternate_and_repeat_for_the_same_seed(make_config: MakeConfig) -> None:
    run = make_config(openings={"kind": "random", "moves": 5}, size=9, seed=3).run
    book, again = OpeningBook(run), OpeningBook(run)
    drawn = [book.opening(number) for number in range(6)]
    assert drawn == [again.opening(number) for number in reversed(range(6))][::-1]
    assert len({opening.moves for opening in drawn}) == 6
    for opening in drawn:
        position = Position(9)
        for colour, vertex in opening.moves:
            assert colour == position.to_move
            position.play(colour, parse_vertex(vertex, 9))
        assert len(opening.moves) == 5
        assert opening.to_move == "w"
    other = OpeningBook(run.model_copy(update={"seed": 4}))
    assert other.opening(0) != drawn[0]


def test_no_side_has_won_a_random_opening(make_config: MakeConfig) -> None:
    run = make_config(openings={"kind": "random", "moves": 12}, size=5, komi=7.5).run
    book = OpeningBook(run)
    for number in range(5):
        position = Position(5)
        for colour, vertex in book.opening(number).moves:
            position.play(colour, parse_vertex(vertex, 5))
        rng, wins = random.Random(number), 0
        for _ in range(300):
            trial = position.copy()
            play_out(trial, rng)
            wins += trial.area_score() > 7.5
        # At least 2 of 16 games were won by either side. Had a side less than 1 % of them, that would have
        # happened with probability 0.01; over 5 openings and 64 attempts each it is no proof of more, so all
        # that is asked for is that either side wins at all.
        assert 0 < wins < 300
    assert MIN_WINS / TRIALS > 0.1


def test_an_impossible_komi_takes_the_evenest_and_ends(make_config: MakeConfig) -> None:
    run = make_config(openings={"kind": "random", "moves": 2}, size=5, komi=100).run
    assert len(OpeningBook(run).opening(0).moves) == 2


def sgf(moves: str, size: int = 5, root: str = "") -> str:
    nodes = []
    for number, vertex in enumerate(moves.split()):
        point = parse_vertex(vertex, size)
        # SGF counts columns from the left and rows from the top
        place = "" if point is None else "abcdefghi"[point[1]] + "abcdefghi"[size - 1 - point[0]]
        nodes.append(f";{'BW'[number % 2]}[{place}]")
    return f"(;GM[1]SZ[{size}]KM[7.5]{root}{''.join(nodes)})"


def test_sgf_openings_go_round_and_lose_their_passes(make_config: MakeConfig, tmp_path: Path) -> None:
    (tmp_path / "1.sgf").write_text(sgf("A1 B2 C3 pass pass"))
    (tmp_path / "2.sgf").write_text(sgf("D4 E5", root="AB[ae]"))
    run = make_config(openings={"kind": "sgf", "files": [str(tmp_path)]}).run
    book = OpeningBook(run)
    first, second, third = (book.opening(number) for number in range(3))
    assert [f"{colour}{vertex}" for colour, vertex in first.moves] == ["bA1", "wB2", "bC3"]
    assert [f"{colour}{vertex}" for colour, vertex in second.moves] == ["bA1", "bD4", "wE5"]
    assert (first.name, first.to_move, second.to_move) == ("1.sgf", "w", "b")
    assert third == first
    short = OpeningBook(make_config(openings={"kind": "sgf", "files": [f"{tmp_path}/1*"], "moves": 1}).run)
    assert len(short.opening(0).moves) == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (sgf("A1", size=9), "the board is 9x9, the match 5x5"),
        (sgf("A1 A1"), "move 2, W A1, is illegal (occupied)"),
        ("not sgf", "broken.sgf: "),
        (None, "no SGF file matches"),
    ],
)
def test_a_file_that_cannot_be_an_opening_is_reported(
    make_config: MakeConfig, tmp_path: Path, text: str | None, words: str
) -> None:
    if text is not None:
        (tmp_path / "broken.sgf").write_text(text)
    with pytest.raises(OpeningError, match="".join(f"[{c}]" if c in "().*" else c for c in words)):
        OpeningBook(make_config(openings={"kind": "sgf", "files": [str(tmp_path / "*.sgf")]}).run)
