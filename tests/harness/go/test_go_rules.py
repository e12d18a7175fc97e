"""Rules other than those of the reference bot: counting, prisoners, suicide, and taking moves back."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.go import Colour, IllegalMoveError, Ko, Point, Position, Rules, all_points, diagram

TERRITORY = Rules(ko="simple", counting="territory")

SEVEN = """
    7 . . . X O . .
    6 . O . X O . X
    5 . . . X O . .
    4 X X X X O O O
    3 X . X O . O .
    2 X X X O O O O
    1 . X O O . O .
"""


def at(text: str) -> Point:
    return int(text[1:]) - 1, "ABCDEFG".index(text[0])


def drawn(rules: Rules) -> Position:
    """The position SEVEN under other rules; no stone was captured."""
    position = Position(7, rules)
    for colour in ("b", "w"):
        for point, owner in diagram(SEVEN).stones().items():
            if owner == colour:
                position.play(owner, point)
    return position


def points_of(position: Position, dead: set[Point]) -> tuple[dict[Colour, int], dict[Colour, int]]:
    """By colour, stones left and points surrounded, by floods from each point: the slow twin."""
    stones = {point: colour for point, colour in position.stones().items() if point not in dead}
    surrounded: dict[Colour, int] = {"b": 0, "w": 0}
    for point in all_points(position.size):
        if point in stones:
            continue
        region, border = {point}, set[Colour]()
        while True:
            beside = {
                (r + up, c + right)
                for r, c in region
                for up, right in ((0, 1), (1, 0), (0, -1), (-1, 0))
                if 0 <= r + up < position.size and 0 <= c + right < position.size
            }
            border |= {stones[one] for one in beside if one in stones}
            wider = region | {one for one in beside if one not in stones}
            if wider == region:
                break
            region = wider
        if len(border) == 1:
            surrounded[border.pop()] += 1
    left: dict[Colour, int] = {"b": 0, "w": 0}
    for colour in stones.values():
        left[colour] += 1
    return left, surrounded


@pytest.mark.parametrize("dead", [(), ("B6",), ("G6",), ("B6", "G6")])
def test_dead_stones_are_removed_before_a_position_is_counted(dead: tuple[str, ...]) -> None:
    removed = {at(vertex) for vertex in dead}
    area, territory = drawn(Rules()), drawn(TERRITORY)
    left, surrounded = points_of(area, removed)
    prisoners = {colour: sum(area.at(point) == colour for point in removed) for colour in ("b", "w")}
    assert area.score(removed) == left["b"] + surrounded["b"] - left["w"] - surrounded["w"]
    assert territory.score(removed) == (surrounded["b"] + prisoners["w"] - surrounded["w"] - prisoners["b"])


@settings(max_examples=20)
@given(size=st.integers(2, 5), seed=st.integers(0, 2**32), suicide=st.booleans())
def test_prisoners_are_the_stones_that_left_the_board(size: int, seed: int, suicide: bool) -> None:
    rng, position = random.Random(seed), Position(size, Rules("simple", suicide, "territory"))
    gone: dict[Colour, int] = {"b": 0, "w": 0}
    for _ in range(3 * size * size):
        before, mover = position.stones(), position.to_move
        point = rng.choice([*position.legal_points(mover), None])
        position.play(mover, point)
        after = position.stones()
        for stone, colour in (before | ({} if point is None else {point: mover})).items():
            gone[colour] += stone not in after
    assert position.captured() == gone
    left, surrounded = points_of(position, set())
    difference = surrounded["b"] - surrounded["w"]
    assert position.score() == difference + gone["w"] - gone["b"]
    assert Position(size).score() == 0
    assert position.area_score() == difference + left["b"] - left["w"]


@settings(max_examples=15)
@given(
    size=st.integers(2, 4),
    seed=st.integers(0, 2**32),
    ko=st.sampled_from(["positional", "situational", "simple"]),
    suicide=st.booleans(),
)
def test_undo_restores_what_is_legal(size: int, seed: int, ko: Ko, suicide: bool) -> None:
    rng, position = random.Random(seed), Position(size, Rules(ko, suicide))
    before = []
    for _ in range(2 * size * size):
        before.append([position.legal_points(colour) for colour in ("b", "w")])
        position.play(position.to_move, rng.choice([*position.legal_points(position.to_move), None]))
    for legal in reversed(before):
        position.undo()
        assert [position.legal_points(colour) for colour in ("b", "w")] == legal


def test_a_suicide_of_two_stones_is_legal_where_the_rules_allow_it() -> None:
    for suicide in (False, True):
        position = Position(3, Rules("simple", suicide))
        for colour, vertex in (("w", "A2"), ("w", "B2"), ("w", "C1"), ("b", "A1")):
            position.play("b" if colour == "b" else "w", at(vertex))
        if suicide:
            position.play("b", at("B1"))
            assert position.at(at("A1")) is None
            assert position.captured() == {"b": 2, "w": 0}
        else:
            with pytest.raises(IllegalMoveError, match="suicide"):
                position.play("b", at("B1"))
        single = Position(2, Rules("simple", suicide))
        single.play("w", at("A2"))
        single.play("w", at("B1"))
        assert single.legality("b", at("A1")) == "suicide"
