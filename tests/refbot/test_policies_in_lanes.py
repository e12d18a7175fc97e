"""Policies in the lane kernel: each step of each lane compared with the slow twins (`naive_policies`)."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from refbot.compile.jit import kernel
from refbot.deviations.options import CAPTURE, ESCAPE, POLICIES
from refbot.playouts import lanes
from refbot.playouts.lanes.batch import prepare_workspace
from refbot.playouts.lanes.kernel import _finish, _place, _restart
from refbot.playouts.lanes.layout import Board, Field
from refbot.playouts.lanes.policy_layout import Count, PolicyBoard, PolicyField, policy_layout
from refbot.rules import NO_POINT, WHITE, Position
from tests.refbot import naive, naive_policies
from tests.refbot.positions import position, random_game


@kernel
def begin(layout, workspace):  # type: ignore[no-untyped-def]
    _restart(layout, workspace, -1)


@kernel
def step(layout, workspace):  # type: ignore[no-untyped-def]
    _place(layout, workspace)
    _finish(layout, workspace)


class Watched:
    """All lanes, stepped from Python, and a slow twin of the game in each of them."""

    def __init__(self, start: Position, policy: str, seed: int) -> None:
        size = start.size
        self.features = POLICIES[policy]
        self.layout = policy_layout(size, self.features, amaf=False)
        self.workspace = prepare_workspace(self.layout, start, seed)
        self.workspace[self.layout.field(Field.RESET)] = ~np.zeros(1, self.layout.lanes.dtype)
        begin(self.layout, self.workspace)
        board = {divmod(int(p), size): int(start.stones[p]) for p in np.flatnonzero(start.stones)}
        ko, last = (None if p == NO_POINT else divmod(p, size) for p in (start.ko, start.last))
        count = self.layout.lanes.count
        self.twins = [
            naive.Playout(size, dict(board), start.to_move, ko, start.moves_made) for _ in range(count)
        ]
        self.last = [last] * count
        self.counts = [Counter[Count]() for _ in range(count)]
        self.seen = Counter[str]()
        for lane in range(count):
            self.compare_boards(lane)

    def points(self, board: Board | PolicyBoard, lane: int) -> set[naive.Point]:
        shape, found = self.layout.shape, set()
        for vector in range(shape.height):
            bits = int(self.workspace[self.layout.row(board, vector), lane])
            for band, row in enumerate(range(vector, shape.size, shape.height)):
                found |= {(row, c) for c in range(shape.size) if bits >> band * shape.stride + c & 1}
        return found

    def field(self, field: Field | PolicyField, lane: int) -> int:
        return int(self.workspace[self.layout.field(field), lane])

    def step(self) -> None:
        """Makes one step of all lanes, and checks the move of each lane whose game is not over."""
        before = [self.field(Field.MOVES, lane) for lane in range(len(self.twins))]
        step(self.layout, self.workspace)
        for lane, twin in enumerate(self.twins):
            if twin.is_over():
                continue
            drawn = self.points(PolicyBoard.POINT, lane)
            if self.field(Field.MOVES, lane) > before[lane]:
                self.check_move(lane, min(drawn, default=None))
                self.compare_boards(lane)
            elif self.field(PolicyField.REJECTED, lane):
                self.check_refusal(lane, *drawn)
            else:
                assert self.field(Field.HELD, lane)
                self.seen["held"] += 1

    def check_move(self, lane: int, move: naive.Point | None) -> None:
        """Checks that the policy allows the move, and that the move is counted."""
        twin, counts = self.twins[lane], self.counts[lane]
        taken, extended = naive_policies.escapes(twin, self.last[lane])
        if not self.features & ESCAPE:
            taken, extended = set(), set()
        captures = self.field(PolicyField.CAPTURING, lane) != 0
        if taken or extended:
            assert move in (taken or extended)
            assert not captures
            self.seen["escape"] += 1
        elif captures:
            assert self.features & CAPTURE
            assert move in naive_policies.worthwhile(twin)
            self.seen["capture"] += 1
        elif move is None:
            assert not twin.candidates()
        else:
            assert twin.allows(move)
            self.seen["random"] += 1
        if self.features & ESCAPE:
            counts[Count.ATTACKED] += bool(self.attacked(lane))
            counts[Count.TAKEN] += bool(taken)
            counts[Count.EXTENDED] += bool(extended and not taken)
        counts[Count.CAPTURED] += captures
        counts[Count.PASSES] += move is None
        twin.play(move)
        self.last[lane] = move
        first = self.layout.field(PolicyField.COUNT)
        for count in (Count.ATTACKED, Count.TAKEN, Count.EXTENDED, Count.CAPTURED, Count.PASSES):
            assert self.workspace[first + count, lane] == counts[count]

    def check_refusal(self, lane: int, point: naive.Point) -> None:
        """Checks that the refused move is neither an escape nor a worthwhile capture."""
        twin = self.twins[lane]
        if self.field(PolicyField.CAPTURING, lane):
            assert point in naive_policies.captures(twin) - naive_policies.worthwhile(twin)
            self.seen["no capture"] += 1
        else:
            taken, extended = naive_policies.escapes(twin, self.last[lane])
            assert not taken
            assert point not in extended
            assert any(
                point in naive_policies.liberties(twin.board, twin.size, p) for p in self.attacked(lane)
            )
            self.seen["no escape"] += 1

    def attacked(self, lane: int) -> set[naive.Point]:
        """Stones beside the last move that it has put in atari."""
        twin, last = self.twins[lane], self.last[lane]
        beside = set(naive.neighbours(twin.size, last)) if last is not None else set()
        return beside & set(naive_policies.in_atari(twin.board, twin.size, twin.colour))

    def compare_boards(self, lane: int) -> None:
        twin = self.twins[lane]
        of = {c: {p for p, colour in twin.board.items() if colour == c} for c in (1, 2)}
        assert self.points(Board.MINE, lane) == of[twin.colour]
        assert self.points(Board.THEIRS, lane) == of[3 - twin.colour]
        assert self.points(Board.BANNED, lane) == ({twin.ko} if twin.ko else set())
        atari = [stone for c in (1, 2) for stone in naive_policies.in_atari(twin.board, twin.size, c)]
        assert self.points(PolicyBoard.ATARI, lane) == set(atari)


@pytest.mark.parametrize(
    ("policy", "size", "steps"),
    [
        ("waterfall", 5, 60),
        pytest.param("waterfall", 9, 180, marks=pytest.mark.slow),
        pytest.param("escape", 9, 180, marks=pytest.mark.slow),
        pytest.param("capture", 9, 180, marks=pytest.mark.slow),
        pytest.param("waterfall", 2, 20, marks=pytest.mark.slow),
        pytest.param("waterfall", 19, 250, marks=pytest.mark.slow),
        pytest.param("waterfall", 21, 60, marks=pytest.mark.slow),
    ],
)
def test_every_step_of_every_lane_is_that_of_the_slow_twins(policy: str, size: int, steps: int) -> None:
    watched = Watched(Position.empty(size), policy, seed=size)
    for _ in range(steps):
        watched.step()
    if size == 9:
        wanted = {"escape": 20, "no escape": 20} if watched.features & ESCAPE else {}
        wanted |= {"capture": 5, "no capture": 20} if watched.features & CAPTURE else {}
        assert all(watched.seen[kind] >= least for kind, least in wanted.items())


@pytest.mark.slow
def test_every_step_from_the_middle_of_games() -> None:
    seen = Counter[str]()
    for seed in range(40):
        watched = Watched(random_game(7, 12 + seed, seed).position(), "waterfall", seed)
        for _ in range(8):
            watched.step()
        seen += watched.seen
    assert seen["held"] > 0
    assert seen["escape"] > 100


RACE = """
    X.O.O
    OOX.O
    XX..O
    ..X.O
    ....O
"""


def test_a_stone_beside_a_joined_chain_is_no_liberty_though_it_is_captured() -> None:
    """Black at B5 would take two stones, but only the one beside it counts as a liberty."""
    start = position(RACE, WHITE)
    twin = naive.Playout(
        5, {divmod(int(p), 5): int(start.stones[p]) for p in np.flatnonzero(start.stones)}, 2, None, 0
    )
    assert (4, 1) in naive_policies.captures(twin)
    assert (4, 1) not in naive_policies.worthwhile(twin)
    watched = Watched(start, "capture", 1)
    watched.step()
    assert watched.seen["no capture"] > 5


def test_a_seed_fixes_the_games() -> None:
    first, again, other = (
        lanes.run(Position.empty(9), 300, 7.5, seed, policy="waterfall", amaf=True) for seed in (1, 1, 2)
    )
    assert (first.moves, first.kinds) == (again.moves, again.kinds)
    assert first.moves != other.moves
