"""What onlookers see of a run: boards in play, and how the bounds of a pair narrowed."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.arena.game.snapshot import STONES, Camera, Snapshot
from harness.arena.records import Game, Played
from harness.arena.verdicts import PairParity
from harness.go import Position
from harness.gtp import parse_vertex
from harness.report.status.moment import GROWTH, MOST_TRAILS, Trails
from harness.report.status.stored import make_trail
from tests.harness.report.html.run_helpers import random_moves

GAME = Game("p001-g00001", 1, 1, "one", "two", 0)


def filmed(seconds: float) -> tuple[list[Snapshot], list[str]]:
    """The snapshots of a game, and the referee's board after each move."""
    sent: list[Snapshot] = []
    camera, position, played, boards = (
        Camera(sent.append, seconds=seconds),
        Position(9),
        list[Played](),
        list[str](),
    )
    for move in random_moves(9, 60, 3):
        position.play(move.colour, parse_vertex(move.vertex, 9))
        played.append(move)
        camera.on_move(GAME, position, played)
        boards.append("".join(STONES[stone] for stone in position.fingerprint))
    return sent, boards


def test_a_snapshot_has_the_board_of_the_referee_after_its_move() -> None:
    sent, boards = filmed(0.0)
    assert [snapshot.stones for snapshot in sent] == boards
    assert [snapshot.move for snapshot in sent] == list(range(1, 61))
    assert sent[0].last == "{0.colour}{0.vertex}".format(random_moves(9, 60, 3)[0])
    assert (sent[0].game_id, sent[0].black, sent[0].white) == ("p001-g00001", "one", "two")


def test_no_snapshot_is_taken_before_its_time() -> None:
    assert filmed(1e9)[0] == []


def parity(games: int, pair: int = 0) -> PairParity:
    return PairParity("a", f"b{pair}", games, 0.5, 0.4, 0.6, 0.03, 0.1, "undecided", 100.0, pair=pair)


@given(st.lists(st.integers(0, 400), max_size=60))
def test_a_trail_is_short_rises_and_ends_with_the_present(steps: list[int]) -> None:
    trails, games = Trails(), 0
    for step in steps:
        games += 2 * step
        trails.add([parity(games)])
    trail = trails.points.get(0, [])
    counts = [point.games for point in trail]
    assert counts[-1:] == ([games] if games else [])
    assert counts == sorted(set(counts))
    assert all(later >= GROWTH * earlier for earlier, later in pairwise(counts[:-1]))


def test_a_trail_begins_anew_when_games_no_longer_count() -> None:
    trails = Trails()
    for games in (2, 100, 4):
        trails.add([parity(games)])
    assert [point.games for point in trails.points[0]] == [4]
    trails.add([parity(0)])
    assert trails.points == {}


@pytest.mark.parametrize("couples", [0, 1, 2, 10, 11, 12, 22, 44, 45, 100])
def test_a_trail_from_the_store_ends_with_all_games(couples: int) -> None:
    counts = [point.games for point in make_trail([1.0] * couples)]
    assert counts[-1:] == ([2 * couples] if couples else [])
    assert counts == sorted(set(counts))


def test_only_the_first_pairs_have_a_trail() -> None:
    trails = Trails()
    trails.add([parity(2, pair) for pair in range(MOST_TRAILS + 5)])
    assert len(trails.points) == MOST_TRAILS
