"""Single playouts: held against a walk of the whole tree and against the enumerated distribution."""

from __future__ import annotations

import pytest

from harness.check.positions import settled
from harness.go import Colour, Position, diagram
from harness.oracle import StateLimitError, enumerate_playouts
from harness.oracle.paths import likeliest_playouts
from tests.harness.oracle.naive_playouts import Naive, all_paths

DAME = """
    .XX.OO.
    XXX.OOO
    XXXXOOO
    XXX.OOO
    XXXXOOO
    XXXXOOO
    .XX.OO.
"""
FALSE_EYE = """
    .X.X.OO.O
    XXXXXOOOO
    XXXXXOOOO
    XXXXXOOOO
    X.XXXO.OO
    XXXXXOOOO
    XXXXXOOOO
    XXXXOOOOO
    .XX.XOOO.
"""
KO = settled("D5 D2", "E6 E4 E3 E1")
BOARDS = [DAME, FALSE_EYE, KO]
EVERYTHING = 1_000_000


def walked(position: Position, to_move: Colour) -> list[tuple[object, object]]:
    """Moves and probability of each playout, from the walk of the whole tree."""
    start = Naive(position.size, frozenset(position.stones().items()), to_move)
    return [(tuple(moves), probability) for moves, _, probability in all_paths(start, 3 * position.size**2)]


@pytest.mark.parametrize("to_move", ["b", "w"])
@pytest.mark.parametrize("board", BOARDS, ids=["dame", "false eye", "ko"])
def test_every_playout_is_found_with_its_probability(board: str, to_move: Colour) -> None:
    position = diagram(board)
    found = likeliest_playouts(position, to_move, EVERYTHING)
    assert {(path.moves, path.probability) for path in found} == set(walked(position, to_move))
    assert len(found) == len(walked(position, to_move)) > 1
    assert sum(path.probability for path in found) == 1


@pytest.mark.parametrize("board", BOARDS, ids=["dame", "false eye", "ko"])
def test_margins_and_lengths_are_those_of_the_enumeration(board: str) -> None:
    position = diagram(board)
    outcomes: dict[tuple[int, int], object] = {}
    for path in likeliest_playouts(position, "b", EVERYTHING):
        key = (len(path.moves), path.margin)
        outcomes[key] = path.probability + outcomes.get(key, 0)  # type: ignore[operator]
    assert outcomes == enumerate_playouts(position, "b", exact=True).probabilities


def test_the_likeliest_come_first_and_no_more_than_asked_for() -> None:
    position = diagram(FALSE_EYE)
    every = likeliest_playouts(position, "w", EVERYTHING)
    probabilities = [path.probability for path in every]
    assert probabilities == sorted(probabilities, reverse=True)
    assert likeliest_playouts(position, "w", 2) == every[:2]


def test_a_playout_ends_at_the_move_cap() -> None:
    position = diagram(DAME)
    for _ in range(3 * 49 - 2):
        position.play("b" if len(position.moves) % 2 == 0 else "w", None)
    assert {len(path.moves) for path in likeliest_playouts(position, "b", EVERYTHING)} == {2}


def test_an_open_board_is_given_up() -> None:
    with pytest.raises(StateLimitError):
        likeliest_playouts(Position(5), "b", 3, max_states=500)
