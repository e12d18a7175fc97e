"""The positions of an audit are those of the referee, and equivalent positions share a key."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from harness.arena.audit.replay import COLOURS, key_of, roots
from harness.arena.store.rows import StoredGame
from harness.go import Position, all_points, opponent, random_game
from harness.gtp import Colour, format_vertex
from refbot.rules import Game
from refbot.rules import Position as Root

KOMI = 7.5


def game_of(position: Position, komi: float = KOMI) -> StoredGame:
    """A stored game with the moves of a position."""
    moves = " ".join(f"{move.colour}{format_vertex(move.point)}" for move in position.moves)
    count = len(position.moves)
    return StoredGame(
        "g", 1, 1, "a", "b", position.size, komi, "none", 0, "0", None, "score", None, "", moves, count,
        0.0, 0.0, None, None, "", "",
    )  # fmt: skip


def transformed(root: Root, turn: int, mirror: bool) -> Root:
    """An image of a position under a symmetry of the board, ko included."""

    def image(values: np.ndarray) -> np.ndarray:
        square = values.reshape(root.size, root.size)
        return np.rot90(square.T if mirror else square, turn).ravel()

    marks = np.zeros(root.size**2, np.int8)
    if root.ko >= 0:
        marks[root.ko] = 1
    ko = int(np.argmax(image(marks))) if root.ko >= 0 else -1
    return replace(root, stones=np.ascontiguousarray(image(root.stones)), ko=ko)


@pytest.mark.parametrize("seed", range(8))
def test_each_root_is_the_position_of_the_referee(seed: int) -> None:
    final = random_game(5, seed, 90)
    game = game_of(final)
    wanted: dict[int, Colour] = {n: move.colour for n, move in enumerate(final.moves, 1)}
    wanted[len(final.moves) + 1] = opponent(final.moves[-1].colour)
    found = list(roots(game, wanted))
    assert [root.move for root in found] == list(wanted)
    replayed = Position(5)
    for root, move in zip(found, [*final.moves, None], strict=True):
        colour = root.colour
        assert root.position.stones.tobytes() == replayed.fingerprint
        assert root.position.to_move == COLOURS[colour]
        assert root.position.moves_made == len(replayed.moves) == root.move - 1
        ban = replayed.ko_ban(colour)
        assert root.position.ko == (-1 if ban is None else ban[0] * 5 + ban[1])
        assert [divmod(int(p), 5) for p in root.candidates] == replayed.candidates(colour)
        if move is not None:
            replayed.play(move.colour, move.point)


def test_some_of_these_roots_have_a_ko() -> None:
    bans = 0
    for seed in range(8):
        final = random_game(5, seed, 90)
        wanted = {n: move.colour for n, move in enumerate(final.moves, 1)}
        bans += sum(root.position.ko >= 0 for root in roots(game_of(final), wanted))
    assert bans > 0


@pytest.mark.parametrize("seed", range(4))
def test_images_of_a_position_share_its_key(seed: int) -> None:
    final = random_game(5, seed, 60)
    wanted = {n: move.colour for n, move in enumerate(final.moves, 1)}
    for root in roots(game_of(final), wanted):
        keys = {key_of(transformed(root.position, t, m), KOMI) for t in range(4) for m in (False, True)}
        assert keys == {key_of(root.position, KOMI)}


def test_whatever_changes_the_playouts_changes_the_key() -> None:
    game = Game(5)
    for point in (12, 3, 7, 20):
        game.play(game.to_move, point)
    base = game.position()
    others = [
        replace(base, to_move=3 - base.to_move),
        replace(base, ko=0),
        replace(base, moves_made=base.moves_made + 2),
        replace(base, stones=np.where(base.stones == 1, 0, base.stones).astype(np.int8)),
        replace(base, stones=((3 - base.stones) % 3).astype(np.int8)),
        Root.empty(7),
    ]
    keys = {key_of(position, KOMI) for position in [base, *others]} | {key_of(base, KOMI + 1)}
    assert len(keys) == len(others) + 2


def test_ko_points_of_one_board_differ_unless_they_are_images() -> None:
    empty = Root.empty(5)
    keys = {key_of(replace(empty, ko=row * 5 + column), KOMI) for row, column in all_points(5)}
    assert len(keys) == 6  # the orbits of the points of a 5x5 board
