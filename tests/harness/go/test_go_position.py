"""The referee against an obvious slow twin on random games, and on positions every Go programmer knows."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.go import (
    Colour,
    IllegalMoveError,
    Point,
    Position,
    all_points,
    diagram,
    opponent,
    random_game,
    symmetries,
)

Stones = dict[Point, Colour]


class SlowTwin:
    """The rules on a dictionary of stones: every flood done afresh, all old boards compared."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.boards: list[Stones] = [{}]
        self.movers: list[Colour | None] = []  # None where the move was a pass

    @property
    def stones(self) -> Stones:
        return self.boards[-1]

    def beside(self, point: Point) -> list[Point]:
        row, column = point
        around = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
        return [(r, c) for r, c in around if 0 <= r < self.size and 0 <= c < self.size]

    def group(self, stones: Stones, point: Point) -> set[Point]:
        group = {point}
        while True:
            wider = group | {
                other
                for member in group
                for other in self.beside(member)
                if stones.get(other) == stones.get(point)
            }
            if wider == group:
                return group
            group = wider

    def liberties(self, stones: Stones, point: Point) -> set[Point]:
        return {
            other
            for member in self.group(stones, point)
            for other in self.beside(member)
            if other not in stones
        }

    def after(self, colour: Colour, point: Point) -> Stones:
        stones = {**self.stones, point: colour}
        doomed = {
            stone for stone, owner in stones.items() if owner != colour and not self.liberties(stones, stone)
        }
        return {stone: owner for stone, owner in stones.items() if stone not in doomed}

    def legality(self, colour: Colour, point: Point) -> str | None:
        if point in self.stones:
            return "occupied"
        stones = self.after(colour, point)
        if not self.liberties(stones, point):
            return "suicide"
        # A ko retaken at once is the one move that brings back the board before the opponent's last move.
        if self.movers and self.movers[-1] == opponent(colour) and stones == self.boards[-2]:
            return "ko"
        return "superko" if stones in self.boards else None

    def is_eye(self, colour: Colour, point: Point) -> bool:
        if point in self.stones or any(self.stones.get(other) != colour for other in self.beside(point)):
            return False
        row, column = point
        corners = [(row + up, column + right) for up in (-1, 1) for right in (-1, 1)]
        enemies = sum(self.stones.get(corner) == opponent(colour) for corner in corners)
        on_edge = row in (0, self.size - 1) or column in (0, self.size - 1)
        return enemies == 0 if on_edge else enemies <= 1

    def play(self, colour: Colour, point: Point | None) -> None:
        self.boards.append(self.stones if point is None else self.after(colour, point))
        self.movers.append(None if point is None else colour)

    def area_score(self) -> int:
        score = 0
        for point in all_points(self.size):
            owners = {self.stones[point]} if point in self.stones else self.owners_reached(point)
            score += {frozenset("b"): 1, frozenset("w"): -1}.get(frozenset(owners), 0)
        return score

    def owners_reached(self, empty: Point) -> set[Colour]:
        region = self.group(self.stones, empty)
        return {
            self.stones[other] for member in region for other in self.beside(member) if other in self.stones
        }


@settings(max_examples=8)
@given(size=st.integers(1, 5), seed=st.integers(0, 2**32), alternate=st.booleans())
def test_the_slow_twin_agrees_on_every_point_of_random_games(size: int, seed: int, alternate: bool) -> None:
    rng = random.Random(seed)
    position, twin = Position(size), SlowTwin(size)
    for _ in range(min(60, 3 * size * size)):
        for colour in ("b", "w"):
            for point in all_points(size):
                assert position.legality(colour, point) == twin.legality(colour, point)
                assert position.is_eye(colour, point) == twin.is_eye(colour, point)
        assert position.stones() == twin.stones
        assert position.area_score() == twin.area_score()
        for point in twin.stones:
            chain, liberties = position.chain(point)
            assert set(chain) == twin.group(twin.stones, point)
            assert set(liberties) == twin.liberties(twin.stones, point)
        mover = position.to_move if alternate else rng.choice(("b", "w"))
        choices: list[Point | None] = [*position.legal_points(mover), None]
        choice = choices[int(rng.random() ** 0.3 * len(choices))]  # passes are more frequent than 1 in n
        position.play(mover, choice)
        twin.play(mover, choice)


@settings(max_examples=15)
@given(size=st.integers(1, 7), seed=st.integers(0, 2**32))
def test_undo_takes_everything_back(size: int, seed: int) -> None:
    game = random_game(size, seed, moves=3 * size * size)
    replay, trail = Position(size), []
    for move in game.moves:
        trail.append((replay.copy(), move))
        replay.play(*move)
    for before, move in reversed(trail):
        replay.undo()
        assert replay.fingerprint == before.fingerprint
        assert replay.ko_ban(replay.to_move) == before.ko_ban(before.to_move)
        assert replay.moves == before.moves
        for colour in ("b", "w"):
            assert replay.legal_points(colour) == before.legal_points(colour)
        replay.play(*move)
        replay.undo()
    with pytest.raises(IndexError):
        replay.undo()


@settings(max_examples=10)
@given(size=st.integers(1, 6), seed=st.integers(0, 2**32))
def test_the_rules_know_no_direction_and_no_colour(size: int, seed: int) -> None:
    game = random_game(size, seed, moves=2 * size * size)
    for image in symmetries(size):
        mirrored = Position(size)
        for colour, point in game.moves:
            mirrored.play(opponent(colour), image(point))
        assert mirrored.area_score() == -game.area_score()
        assert mirrored.ko_ban(mirrored.to_move) == image(game.ko_ban(game.to_move))
        for colour in ("b", "w"):
            images = {image(point) for point in game.candidates(colour)}
            assert set(mirrored.candidates(opponent(colour))) == images


def test_a_ko_may_not_be_retaken_at_once_and_may_after_a_move_elsewhere() -> None:
    position = diagram("""
        . X O . .
        X O . O .
        . X O . .
        . . . . .
        . . . . .
    """)
    position.play("b", (3, 2))
    assert position.ko_ban("w") == (3, 1)
    assert position.ko_ban("b") is None
    assert position.legality("w", (3, 1)) == "ko"
    assert position.legality("b", (3, 1)) is None
    position.play("w", (0, 0))
    assert position.ko_ban(position.to_move) is None
    position.play("b", (0, 4))
    assert position.legality("w", (3, 1)) is None


def test_passes_lift_the_ko_but_not_positional_superko() -> None:
    position = diagram("""
        . X O . .
        X O . O .
        . X O . .
        . . . . .
        . . . . .
    """)
    position.play("b", (3, 2))
    position.play("w", None)
    position.play("b", None)
    assert position.ko_ban(position.to_move) is None
    assert position.legality("w", (3, 1)) == "superko"


def test_snapback_is_not_ko() -> None:
    position = diagram("""
        . . . . .
        . . . . .
        X X . . .
        O O X . .
        . . X . .
    """)
    position.play("b", (0, 0))
    position.play("w", (0, 1))  # takes one stone, with a chain of three
    assert position.ko_ban(position.to_move) is None
    position.play("b", (0, 0))
    assert position.stones() == {(0, 0): "b", (0, 2): "b", (1, 2): "b", (2, 0): "b", (2, 1): "b"}


def test_a_lone_stone_that_keeps_another_liberty_makes_no_ko() -> None:
    position = diagram("""
        . . . . .
        . X . . .
        X O . . .
        . X . . .
        . . . . .
    """)
    position.play("b", (2, 2))
    assert position.ko_ban(position.to_move) is None


def test_send_two_return_one_is_positional_superko() -> None:
    position = diagram("""
        . . . .
        . . . .
        X X O .
        . O . O
    """)
    position.play("w", (0, 0))  # sends two
    position.play("b", (0, 2))  # takes them
    # The board would be as at the start, though then it was White's move: situational superko would allow it.
    assert position.legality("w", (0, 1)) == "superko"
    assert position.legality("w", (0, 0)) is None


def test_the_sixth_move_of_a_triple_ko_is_superko() -> None:
    position = diagram("""
        . X O . . . . . . . . . .
        X O . O . . . . . . . . .
        . X O . . . . . . . . . .
        . . . . . . . . . . . . .
        . X O . . . . . . . . . .
        X O . O . . . . . . . . .
        . X O . . . . . . . . . .
        . . . . . . . . . . . . .
        . X O . . . . . . . . . .
        X . X O . . . . . . . . .
        . X O . . . . . . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
    """)
    takes = {"b": 2, "w": 1}  # the column in which a colour's stone stands when it has taken a ko
    captures: list[tuple[Colour, int]] = [("b", 11), ("w", 3), ("b", 7), ("w", 11), ("b", 3)]
    for colour, row in captures:
        position.play(colour, (row, takes[colour]))
    assert position.legality("w", (7, 1)) == "superko"


def test_a_repetition_can_be_made_by_a_move_that_takes_nothing() -> None:
    position = diagram("""
        . . . .
        . . . .
        X X O .
        O O . O
    """)
    position.play("b", (0, 2))  # takes two
    position.play("w", (0, 1))  # takes one back
    position.play("b", None)
    assert position.legality("w", (0, 0)) == "superko"  # would only add a stone, and the first board is back


@pytest.mark.parametrize(
    ("board", "point", "reason"),
    [
        (". O\nO .", (1, 0), "suicide"),
        (". X O\nX X O\nO O .", (2, 0), "suicide"),  # three stones would die with it
        ("X .\n. O", (1, 0), "occupied"),
        ("X .\n. O", (2, 0), "off-board"),
        ("X .\n. O", (0, -1), "off-board"),
    ],
)
def test_forbidden_moves_say_why_and_change_nothing(board: str, point: Point, reason: str) -> None:
    position = diagram(board)
    before = position.fingerprint
    with pytest.raises(IllegalMoveError) as caught:
        position.play("b", point)
    assert (caught.value.colour, caught.value.point, caught.value.reason) == ("b", point, reason)
    assert position.fingerprint == before
    assert position.moves == []


@pytest.mark.parametrize(
    ("board", "point", "eye"),
    [
        (". . . . .\n. X X X .\n. X . X .\n. X X X .\n. . . . .", (2, 2), True),
        (
            ". . . . .\n. O X X .\n. X . X .\n. X X X .\n. . . . .",
            (2, 2),
            True,
        ),  # in the middle one is allowed
        (". . . . .\n. O X O .\n. X . X .\n. X X X .\n. . . . .", (2, 2), False),
        (". . . . .\n. O X . .\n. X . X .\n. . X O .\n. . . . .", (2, 2), False),
        (
            ". . . . .\n. O X . .\n. X . X .\n. . X . .\n. . . . .",
            (2, 2),
            True,
        ),  # empty diagonals do not count
        (". . . . .\n. . X . .\n. X . O .\n. . X . .\n. . . . .", (2, 2), False),
        (". . . . .\n. . X . .\n. X . . .\n. . X . .\n. . . . .", (2, 2), False),
        (". . .\nX X .\n. X .", (0, 0), True),
        (". . .\nX O .\n. X .", (0, 0), False),  # in a corner none
        (". . .\nO X .\nX . X", (0, 1), False),  # on an edge none
        (". . .\n. X .\nX . X", (0, 1), True),
        (". . .\n. O .\nX . X", (0, 1), False),
        (". X\nX .", (0, 1), True),
        (". O\nX .", (0, 1), False),
    ],
)
def test_eyes(board: str, point: Point, eye: bool) -> None:
    position = diagram(board)
    assert position.is_eye("b", point) is eye
    assert not position.is_eye("w", point)


def test_regions_that_reach_both_colours_or_none_count_for_nobody() -> None:
    assert Position(5).area_score() == 0
    assert diagram(". . .\nX X X\n. . .").area_score() == 9
    assert diagram(". . .\nX X X\nO O .").area_score() == 6 - 2  # the corner reaches both
    assert (
        diagram(". O .\nO O X\n. X X").area_score() == 3 - 4
    )  # two corners reach both; the upper left is White's


@pytest.mark.parametrize("size", [-1, 0, 26])
def test_sizes_without_vertices_are_refused(size: int) -> None:
    with pytest.raises(ValueError, match="board size"):
        Position(size)


@pytest.mark.parametrize(
    ("black", "white"), [([(0, 0)], [(0, 0)]), ([(5, 0)], []), ([(0, 0)], [(0, 1), (1, 0)])]
)
def test_impossible_set_ups_are_refused_and_change_nothing(black: list[Point], white: list[Point]) -> None:
    position = random_game(5, seed=3, moves=10)
    before = position.copy()
    with pytest.raises(ValueError, match=r"liberty|two stones|not on a board"):
        position.set_up(black, white)
    assert position.fingerprint == before.fingerprint
    assert position.moves == before.moves


def test_random_games_repeat_and_are_alternating_candidates() -> None:
    game = random_game(7, seed="opening 1", moves=40)
    assert game.moves == random_game(7, seed="opening 1", moves=40).moves
    assert game.moves != random_game(7, seed="opening 2", moves=40).moves
    replay = Position(7)
    for number, (colour, point) in enumerate(game.moves):
        assert colour == "bw"[number % 2]
        candidates = replay.candidates(colour)
        assert point in candidates if candidates else point is None
        replay.play(colour, point)


def test_the_symmetries_are_eight_different_one_to_one_maps() -> None:
    points = all_points(4)
    images = [tuple(image(point) for point in points) for image in symmetries(4)]
    assert images[0] == tuple(points)
    assert len(set(images)) == 8
    assert all(sorted(image) == points for image in images)
