"""Canonical moves: the same for all rotations and reflections of a game, and for no other game."""

import random

import pytest

from harness.go import all_points, canonical_moves, symmetries
from harness.gtp import format_vertex


@pytest.mark.parametrize("size", [2, 5, 9, 19])
@pytest.mark.parametrize("centred", [False, True])
def test_all_images_of_a_game_have_one_canonical_form(size: int, centred: bool) -> None:
    rng = random.Random(size)
    points = [*rng.sample(all_points(size), min(30, size * size)), None, None]
    if centred:  # the first moves leave every symmetry
        points = [(size // 2, size // 2), None, *points]
    games = {
        " ".join(f"{'bw'[place % 2]}{format_vertex(image(point))}" for place, point in enumerate(points))
        for image in symmetries(size)
    }
    forms = {canonical_moves(game, size) for game in games}
    assert forms == {min(games)}  # the slow twin: all images, and the first of them
    assert canonical_moves(min(games), size) == min(games)


def test_another_order_another_colour_and_another_move_make_another_game() -> None:
    forms = {
        canonical_moves(moves, 5)
        for moves in (
            "bA1 wB2 bC3",
            "bC3 wB2 bA1",
            "wA1 bB2 wC3",
            "bA1 wB2 bC4",
            "bA1 wB2",
            "",
            "bpass wpass",
        )
    }
    assert len(forms) == 7


def test_a_text_that_is_no_game_of_this_board_is_left_as_it_is() -> None:
    assert canonical_moves("bA1 wZ30", 9) == "bA1 wZ30"
