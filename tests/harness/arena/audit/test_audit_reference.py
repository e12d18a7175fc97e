"""The reference's sums are those of enumerated playouts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pytest

from harness.arena.audit.reference import CHOICES, LEAST_PLAYOUTS, PRECISION, Task, compute_references
from harness.arena.audit.replay import COLOURS, Root, key_of
from harness.arena.judge.playouts import estimates
from harness.go import Position, random_game
from harness.gtp import Colour
from harness.oracle.graph import enumerate_playouts
from refbot.playouts import PlayoutStats, playouts_of_many
from refbot.rules import Game
from refbot.rules import Position as RefbotPosition
from tests.parameters import slow_but

KOMI = 0.5


def task_for(position: Position, colour: Colour, playouts: int, *, choice: bool = False) -> Task:
    game = Game(position.size, KOMI)
    for move in position.moves:
        point = None if move.point is None else move.point[0] * position.size + move.point[1]
        game.play(COLOURS[move.colour], point)
    stone = COLOURS[colour]
    root = Root(len(position.moves) + 1, colour, game.position(stone), game.candidates(stone))
    return Task("game", root, key_of(root.position, KOMI), playouts, "A1", KOMI, choice)


@pytest.mark.parametrize("colour", ["b", "w"])
@pytest.mark.parametrize("seed", slow_but((1,), [None, 1, 2]))
def test_mean_variance_and_covariance_are_those_of_the_enumeration(seed: int | None, colour: Colour) -> None:
    position = Position(3) if seed is None else random_game(3, seed, 3)
    exact = enumerate_playouts(position, colour, ko=position.ko_ban(colour)).at_komi(KOMI)
    ((new, _),) = compute_references([task_for(position, colour, 25_000)])
    n = new.sums.playouts
    assert n == 100_000
    length, result = estimates(new.sums)
    covariance = new.sums.moves_wins / n - length.mean * result.mean
    sd_length, sd_result = math.sqrt(exact.var_length), math.sqrt(exact.var_result)
    assert abs(length.mean - float(exact.mean_length)) < 5 * sd_length / math.sqrt(n)
    assert abs(result.mean - float(exact.mean_result)) < 5 * sd_result / math.sqrt(n)
    assert length.sd == pytest.approx(sd_length, rel=0.05)
    assert result.sd == pytest.approx(sd_result, rel=0.05)
    assert abs(covariance - float(exact.covariance)) < 8 * sd_length * sd_result / math.sqrt(n)


def test_equal_tasks_give_equal_numbers_and_other_moves_give_others() -> None:
    (first,) = compute_references([task_for(random_game(5, 1, 4), "b", 100, choice=True)])
    assert [first] == compute_references([task_for(random_game(5, 1, 4), "b", 100, choice=True)])
    ((other, _),) = compute_references([task_for(random_game(5, 1, 6), "b", 100)])
    assert first[0].sums != other.sums
    assert first[0].sums.playouts == LEAST_PLAYOUTS


def test_searches_that_are_played_together_keep_their_own_numbers() -> None:
    calls: list[tuple[int, int]] = []

    def play(positions: Sequence[RefbotPosition], n: int, komi: float, **options: Any) -> list[PlayoutStats]:
        calls.append((len(positions), n))
        return playouts_of_many(positions, n, komi, **options)

    starts = [random_game(3, seed, moves) for seed, moves in ((1, 3), (2, 6), (3, 5))]
    counts = (10_000, 20_000, 10_000)
    tasks = [
        task_for(start, "b", count, choice=start is starts[1])
        for start, count in zip(starts, counts, strict=True)
    ]
    computed = compute_references(tasks, play)
    assert calls == [(2, 40_000), (1, 80_000), (CHOICES, 20_000)]
    for task, start, (new, choices) in zip(tasks, starts, computed, strict=True):
        exact = enumerate_playouts(start, "b", ko=start.ko_ban("b")).at_komi(KOMI)
        length, _ = estimates(new.sums)
        error = math.sqrt(exact.var_length / new.sums.playouts)
        assert abs(length.mean - float(exact.mean_length)) < 6 * error
        assert (new.move, new.sums.playouts) == (task.root.move, PRECISION * task.playouts)
        assert (choices is not None) == task.choice
