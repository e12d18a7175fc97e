"""Policies and options: each move of each playout compared with the slow twins, then the published figures.

All kernels with policies are tested: the scalar one in slow tests, the others in every run. The single steps
of the lane kernel are tested in `test_policies_in_lanes`.
"""

from __future__ import annotations

import math
from collections import Counter
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from refbot.deviations.options import POLICIES, Options, UnacceptableOptionError
from refbot.measure import bench
from refbot.playouts import PlayoutStats, UnknownKernelError, lanes, playouts, rng, scalar, tally
from refbot.rules import NO_POINT, WHITE, Position
from tests.refbot import naive, naive_policies
from tests.refbot.positions import position, random_game

LIMIT = 6.0  # standard errors; two-sided chance 2e-9


def starts() -> list[Position]:
    found = [Position.empty(size) for size in (3, 5, 9)]
    found += [
        random_game(size, moves, size * moves).position() for size in (5, 7, 9) for moves in (12, 30, 50)
    ]
    return found + [random_game(9, 61, seed).position() for seed in range(6)]


def point_of(size: int, point: int) -> naive.Point | None:
    return None if point == NO_POINT else divmod(point, size)


KERNELS: dict[str, Any] = {"scalar": scalar, "lanes": lanes}
OFTEN = ("waterfall",)
"""The kernel of each policy is compiled for its first test, for ten seconds."""


def often_tried(rows: list[tuple[Any, ...]]) -> list[Any]:
    """Test parameters from rows that end with a kernel; slow, except OFTEN in kernels other than scalar."""
    often = [row[0] in OFTEN and row[-1] != "scalar" for row in rows]
    return [
        pytest.param(*row, marks=() if o else pytest.mark.slow) for row, o in zip(rows, often, strict=True)
    ]


def twin_of(start: Position) -> naive.Playout:
    board = {divmod(int(p), start.size): int(start.stones[p]) for p in np.flatnonzero(start.stones)}
    return naive.Playout(start.size, board, start.to_move, point_of(start.size, start.ko), start.moves_made)


def must(twin: naive.Playout, last: naive.Point | None, policy: str) -> set[naive.Point]:
    """The moves of which the policy must choose one, if there are any."""
    if policy not in ("escape", "waterfall"):
        return set()
    taken, extended = naive_policies.escapes(twin, last)
    return taken or extended


@pytest.mark.parametrize(
    ("policy", "every"),
    [("waterfall", 3), *(pytest.param(policy, 1, marks=pytest.mark.slow) for policy in POLICIES)],
)
def test_every_move_is_one_that_the_policy_allows(policy: str, every: int) -> None:
    """An escape where there is one; else a legal move; and the counts are those of the moves."""
    seen: Counter[str] = Counter()
    for k, start in enumerate(starts()[::every]):
        trace = scalar.trace(start, 0.5, rng.stream(k, 1), policy=policy)
        twin, last = twin_of(start), point_of(start.size, start.last)
        for move in trace.moves:
            point = None if move is None else divmod(move, start.size)
            wanted = must(twin, last, policy)
            if wanted:
                assert point in wanted
                seen["escape"] += 1
            elif point is None:
                assert not twin.candidates()
                assert policy in ("random", "escape") or not seen.update(["pass"])
            else:
                assert twin.allows(point)
                seen["capture"] += point in naive_policies.worthwhile(twin)
            twin.play(point)
            last = point
        assert twin.is_over()
    assert seen["escape"] > 20 / every or policy in ("random", "capture")


def first_moves(start: Position, policy: str, kernel: str, n: int, seed: int) -> PlayoutStats:
    """With the cap in reach a playout is one move: the AMAF table counts first moves."""
    capped = Position(start.size, start.stones, start.to_move, start.ko, 3 * start.size**2 - 1, 0, start.last)
    found: PlayoutStats = KERNELS[kernel].run(capped, n, 0.5, rng.stream(seed, 2), amaf=True, policy=policy)
    return found


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize(
    ("policy", "kernel"), often_tried([(p, k) for k in KERNELS for p in POLICIES if p != "random"])
)
def test_chances_of_the_first_move_are_those_of_the_slow_twin(policy: str, kernel: str, seed: int) -> None:
    """An escape if there is one, each with the same chance.

    Else a capture with ¾ / (number of captures) each where it is worthwhile, the rest uniformly.
    """
    n = 40_000
    start = random_game(9, 30 + 2 * seed, seed).position()
    twin = twin_of(start)
    escapes = must(twin, point_of(9, start.last), policy)
    candidates = list(escapes) or twin.candidates()
    if not candidates:
        pytest.skip("nothing to play")
    found, good = naive_policies.captures(twin), naive_policies.worthwhile(twin)
    if escapes or policy == "escape":
        found, good = set(), set()
    chances = dict.fromkeys(candidates, 0.0)
    left = 1.0
    for p in good:
        chances[p] += 0.75 / len(found)
        left -= 0.75 / len(found)
    for p in candidates:
        chances[p] += left / len(candidates)
    stats = first_moves(start, policy, kernel, n, seed)
    assert stats.amaf is not None
    assert sum(chances.values()) == pytest.approx(1)
    for (row, column), chance in chances.items():  # Bernstein: misses with less than 2 exp(-18) a point, 1e-8
        seen = int(stats.amaf.visits[row * 9 + column])
        assert abs(seen - n * chance) <= LIMIT * math.sqrt(n * chance * (1 - chance)) + 12
    if found:
        counts = stats.kinds["capture"]
        assert counts["found"] == counts["considered"]
        assert abs(counts["considered"] - 0.75 * n) < LIMIT * math.sqrt(n * 0.75 * 0.25)
        share = len(good) / len(found)
        spread = LIMIT * math.sqrt(counts["found"] * share * (1 - share))
        assert abs(counts["accepted"] - share * counts["found"]) <= spread


PUBLISHED = [  # van de Veerdonk: moves and Black's rate of 100,000 playouts
    ("random", 110.929, 0.42187),
    ("escape", 113.014, 0.44709),
    ("capture", None, 0.40176),  # moves: see docs/seeds.md
    ("waterfall", 112.181, 0.43946),
]


@pytest.mark.parametrize(
    ("policy", "moves", "black", "kernel"),
    often_tried([(*row, kernel) for kernel in KERNELS for row in PUBLISHED]),
)
def test_published_policies(policy: str, moves: float | None, black: float, kernel: str) -> None:
    n, published = 40_000, 100_000
    found = KERNELS[kernel].run(Position.empty(9), n, 7.5, rng.stream(8, 8), policy=policy, amaf=True)
    both = math.sqrt(1 / n + 1 / published)
    if moves is not None:
        assert abs(found.mean_moves - moves) < LIMIT * found.sd_moves * both
    assert abs(found.black_rate - black) < LIMIT * 0.5 * both


@pytest.mark.slow  # compiles a kernel of the scalar kind
@pytest.mark.parametrize("policy", ["escape", "capture", "waterfall"])
def test_all_kernels_count_the_same_kinds_of_move(policy: str) -> None:
    """Per playout, within six standard errors; a count a playout varies by less than its mean."""
    n = 20_000
    scalar_kinds, kinds = (
        kernel.run(Position.empty(9), n, 7.5, rng.stream(9, 9), policy=policy).kinds
        for kernel in KERNELS.values()
    )
    assert set(kinds) == set(scalar_kinds)
    for kind, counts in kinds.items():
        for name, count in counts.items():
            other = scalar_kinds[kind][name]
            assert abs(count - other) < LIMIT * math.sqrt(2 * n) * max(1.0, other / n)


MERCY, CUTOFF, EARLY_SCORE = Options(mercy=8), Options(cutoff=60), Options(early_score=4.0)


@pytest.mark.slow
@pytest.mark.parametrize("options", [MERCY, CUTOFF, EARLY_SCORE], ids=str)
def test_options_end_a_playout_where_the_slow_twin_ends_it(options: Options) -> None:
    ends: Counter[str] = Counter()
    for number in range(36):
        start = random_game(9, 5 * (number % 12), number).position()
        trace = scalar.trace(start, 0.5, rng.stream(number, 3), options=options)
        twin = twin_of(start)
        over, lead = "", 0.0
        for k, move in enumerate(trace.moves):
            assert not over
            twin.play(None if move is None else divmod(move, 9))
            stones = naive_policies.lead_in_stones(twin.board)
            if options.mercy is not None and abs(stones) > options.mercy:
                over, lead = "mercy", stones
            elif twin.is_over():
                over, lead = "passes", naive.area(twin.board, 9) - 0.5
                if options.early_score is not None and abs(stones - 0.5) > options.early_score:
                    over, lead = "early", stones - 0.5
            elif k + 1 == options.cutoff:
                over, lead = "cut", naive_policies.area_cut_short(twin.board, 9) - 0.5
        assert over
        assert trace.black_result == (lead > 0)
        ends[over] += 1
    assert len(ends) > 1 or options.mercy is not None


@pytest.mark.slow  # compiles kernels that no other test needs
@pytest.mark.parametrize("policy", POLICIES)
def test_both_kernels_end_playouts_alike_by_the_mercy_rule(policy: str) -> None:
    n, options = 40_000, Options(mercy=8, early_score=6.0)
    first, other = (
        kernel.run(Position.empty(9), n, 7.5, rng.stream(11, 3), policy=policy, options=options)
        for kernel in KERNELS.values()
    )
    spread = LIMIT * math.sqrt(2 / n)
    assert abs(first.mean_moves - other.mean_moves) < spread * first.sd_moves
    assert abs(first.black_rate - other.black_rate) < spread * 0.5
    for end in ("mercy", "early-score"):
        shares = [stats.kinds[end]["found"] / n for stats in (first, other)]
        assert 0.05 < shares[0] < 0.95
        assert abs(shares[0] - shares[1]) < spread * 0.5


@pytest.mark.slow
@pytest.mark.parametrize("kernel", KERNELS)
def test_early_score_check_counts_wrong_results_as_the_difference_of_two_runs(kernel: str) -> None:
    """Without the short cut the same seed plays the same games; results differ where it was wrong."""
    n = 20_000
    stream, empty = rng.stream(4, 4), Position.empty(9)
    run = KERNELS[kernel].run
    plain = run(empty, n, 7.5, stream, records=True).records
    options = Options(early_score=0.0, check_early_score=True)
    found = run(empty, n, 7.5, stream, options=options, records=True)
    assert plain is not None
    assert found.records is not None
    wrong = int((plain.half_points != found.records.half_points).sum())
    assert wrong > 0
    assert found.kinds["early-score"]["wrong"] == wrong


def test_cap_from_root_gives_the_whole_cap_to_a_playout() -> None:
    start = Position(5, np.zeros(25, np.int8), moves_made=74)
    assert playouts(start, 100, seed=1).moves == 100
    assert playouts(start, 100, seed=1, options=Options(cap_from_root=True)).mean_moves > 10


@pytest.mark.parametrize("kernel", KERNELS)
def test_leads_are_the_mean_area(kernel: str) -> None:
    found = playouts(position(".X. XXX .X.", WHITE), 10, komi=1.0, kernel=kernel)
    assert found.moves == 20  # four eyes: both sides can only pass
    assert found.mean_lead == 9


@pytest.mark.parametrize(
    "wrong", [{"mercy": -1}, {"early_score": -0.5}, {"early_score": math.nan}, {"cutoff": 0}]
)
def test_wrong_options(wrong: dict[str, float]) -> None:
    with pytest.raises(UnacceptableOptionError):
        Options(**wrong)  # type: ignore[arg-type]


def test_the_lane_kernel_refuses_what_it_cannot_play() -> None:
    with pytest.raises(UnknownKernelError):
        playouts(Position.empty(9), 100, options=CUTOFF, kernel="lanes")


@pytest.mark.slow  # compiles a kernel that no other test here needs
def test_threads_add_up_what_they_counted() -> None:
    found = playouts(Position.empty(5), 100, policy="waterfall", seed=1, threads=2)
    moves = sum(row["played"] for row in found.kinds.values())
    passes = found.kinds["random"]["considered"] - found.kinds["random"]["found"]
    assert moves + passes == found.moves


def test_a_kind_of_move_that_finds_nothing_has_0_percent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a board function counts each of its calls as found."""
    counted = tally.empty_tally()
    counted[[tally.ATARI_EXTEND, tally.PLAY], tally.CONSIDERED] = 4
    monkeypatch.setattr(scalar, "run", lambda *_, **__: SimpleNamespace(tally=counted))
    monkeypatch.setattr(bench, "calibrate", lambda _: (1.0, 0.0))
    costs = bench.costs(9, "waterfall", clock_hz=1e9, count=1)
    found = {cost.function: (cost.found_pct, cost.accepted_pct) for cost in costs}
    assert found == {"atari-extend": (0.0, 0.0), "play": (100.0, 100.0)}
