"""The scalar kernel: each move of each playout compared with the slow twin (`naive`), then its statistics."""

import math
import random
from typing import Any

import numpy as np
import pytest
from numba import njit
from scipy import stats

from refbot.playouts import (
    PlayoutStats,
    UnknownKernelError,
    UnknownPolicyError,
    playouts,
    playouts_of_many,
    rng,
    scalar,
)
from refbot.rules import BLACK, WHITE, Position
from tests.refbot import naive
from tests.refbot.positions import position, random_game
from tests.refbot.reference import REFERENCE
from tests.refbot.slow_twin import assert_follows_the_rules

Z_LIMIT = 6.0  # two-sided chance 2e-9
P_LIMIT = 1e-9
KO = position(".XO. XO.O .XO. ....", BLACK, ko=10)


def start_positions() -> list[Position]:
    """Every size up to 9 and two large ones, from the start, the middle and near the end of a game."""
    found = [Position.empty(size) for size in (2, 3, 4, 5, 9)]
    found += [random_game(size, moves, size + moves).position() for size in range(2, 10) for moves in (5, 30)]
    found += [random_game(9, 75, seed).position() for seed in range(3)]
    found += [random_game(13, 60, 1).position(), Position.empty(19), Position.empty(25)]
    found += [KO, position(".XO. XO.O .XO. ....", WHITE), position(".XO. XO.O .XO. ....", WHITE, made=44)]
    found += [Position(4, KO.stones, BLACK, 10, made) for made in (46, 47, 48, 500)]
    found += [random_game(5, 20, 4).position(colour) for colour in (BLACK, WHITE)]
    return found


@pytest.mark.parametrize("start", start_positions(), ids=lambda p: f"{p.size}-{p.moves_made}-{p.to_move}")
def test_every_move_of_a_playout_is_one_that_the_slow_twin_allows(start: Position) -> None:
    """Each move is legal and fills no own eye, passes are forced, and end and result are right."""
    komi = 0.5 if start.size % 2 else 1.0
    for number in range(1 if start.size > 9 else 3):
        trace = scalar.trace(start, komi, rng.stream(start.moves_made, number))
        assert trace.counted == len(trace.moves)
        assert_follows_the_rules(start, trace.moves, trace.black_result, komi)


@pytest.mark.parametrize("seed", range(12))
def test_first_moves_are_uniform_over_the_candidates(seed: int) -> None:
    """With the cap in reach a playout is one move, so that the AMAF table counts first moves."""
    game = random_game(7, 12 * (seed % 6), seed)
    middle = game.position()
    start = Position(7, middle.stones, middle.to_move, middle.ko, 3 * 49 - 1)
    twin = naive.Playout(7, {divmod(int(p), 7): int(middle.stones[p]) for p in np.flatnonzero(middle.stones)},
                         middle.to_move, None if middle.ko < 0 else divmod(middle.ko, 7), 0)  # fmt: skip
    found = [row * 7 + column for row, column in twin.candidates()]
    stats_of = playouts(start, 40_000, seed=seed, amaf=True, kernel="scalar")
    assert stats_of.amaf is not None
    assert stats_of.moves == 40_000
    visits = stats_of.amaf.visits
    assert visits[found].sum() == visits.sum() == (40_000 if found else 0)
    if len(found) > 1:
        assert stats.chisquare(visits[found]).pvalue > P_LIMIT


def test_a_move_late_in_a_playout_is_uniform_too() -> None:
    """The list of empty points is in disorder by then; the third move on an empty 3x3 board.

    A third move may be refused, as suicide is where White has shut a corner in; the others are alike.
    """
    triples: dict[tuple[int | None, ...], int] = {}
    count = 20_000  # about 40 a triple
    for number in range(count):
        moves = tuple(scalar.trace(Position.empty(3), 0.5, rng.stream(7, number)).moves[:3])
        triples[moves] = triples.get(moves, 0) + 1
    weights = {(a, b, c): 1 / (9 * 8 * _third_moves(a, b)) for a in range(9) for b in range(9) if a != b
               for c in range(9) if _third_move(a, b, c)}  # fmt: skip
    expected = [count * weight for weight in weights.values()]
    observed = [triples.get(triple, 0) for triple in weights]
    assert sum(observed) == count
    assert stats.chisquare(observed, expected).pvalue > P_LIMIT


def _third_move(a: int, b: int, c: int) -> bool:
    if a == b:
        return False
    twin = naive.Playout(3, {}, BLACK, None, 0)
    twin.play(divmod(a, 3))
    twin.play(divmod(b, 3))
    return divmod(c, 3) in twin.candidates()


def _third_moves(a: int, b: int) -> int:
    return sum(_third_move(a, b, c) for c in range(9))


def z_of(found: PlayoutStats, mean: float, sd: float, error: float) -> float:
    return (found.mean_moves - mean) / math.hypot(sd / math.sqrt(found.playouts), error)


@pytest.mark.parametrize(("size", "mean", "error", "sd", "sd_error", "black", "black_error"), REFERENCE)
def test_reference_values(
    size: int, mean: float, error: float, sd: float, sd_error: float, black: float, black_error: float
) -> None:
    found = playouts(Position.empty(size), 800_000 // size**2 * 4, seed=size, kernel="scalar")
    n = found.playouts
    assert abs(z_of(found, mean, sd, error)) < Z_LIMIT
    assert abs(found.black_rate - black) < Z_LIMIT * math.hypot(0.5 / math.sqrt(n), black_error)
    # The lengths are a little heavier in their tails than normal ones.
    assert abs(found.sd_moves - sd) < Z_LIMIT * math.hypot(1.2 * sd / math.sqrt(2 * n), sd_error)


DAILEY = [
    (0.0, 0.524478),
    (5.5, 0.445677),
    (6.0, 0.446729),
    (6.5, 0.447138),
    (7.0, 0.4333795),
    (7.5, 0.421281),
]
"""Don Dailey, computer-go list, October 2008: Black's rate in 1,000,000 playouts, 9x9."""


@pytest.mark.parametrize(("komi", "published"), DAILEY)
def test_published_komi_table(komi: float, published: float) -> None:
    n = 20_000
    found = playouts(Position.empty(9), n, komi=komi, seed=8, kernel="scalar")
    assert abs(found.black_rate - published) < Z_LIMIT * 0.5 * math.sqrt(1 / n + 1e-6)


def test_sums_belong_to_the_records() -> None:
    found = scalar.run(Position.empty(5), 500, 1.0, rng.stream(1, 0), records=True)
    assert found.records is not None
    lengths, results = found.records.lengths.astype(int), found.records.half_points / 2
    assert (found.moves, found.moves_squared, found.longest) == (
        lengths.sum(),
        (lengths**2).sum(),
        lengths.max(),
    )
    assert found.black_wins == results.sum()
    assert found.black_wins_squared == (results**2).sum()
    assert found.moves_times_result == (lengths * results).sum()
    assert found.draws == np.count_nonzero(results == 0.5) > 0


def test_playout_lengths_have_the_slow_twins_distribution() -> None:
    """Both distributions of lengths as one table, on the empty 2x2 board, where captures never end."""
    source, n = random.Random(1), 3000
    records = scalar.run(Position.empty(2), n, 0.5, rng.stream(2, 0), records=True).records
    assert records is not None
    slow = []
    for _ in range(n):
        twin = naive.Playout(2, {}, BLACK, None, 0)
        twin.run(source)
        slow.append(twin.moves)
    table = np.array([np.bincount(records.lengths, minlength=20), np.bincount(slow, minlength=20)])
    table = table[:, table.sum(0) >= 10]
    assert stats.chi2_contingency(table).pvalue > P_LIMIT


@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_amaf_records_are_those_of_the_slow_twin(colour: int) -> None:
    start = random_game(6, 12, 3).position(colour)
    found = scalar.run(start, 1, 0.5, rng.stream(4, 0), amaf=True)
    trace = scalar.trace(start, 0.5, rng.stream(4, 0))
    counted = naive.amaf([None if m is None else divmod(m, 6) for m in trace.moves])
    assert found.amaf is not None
    assert {divmod(int(p), 6): 1 for p in np.flatnonzero(found.amaf.visits)} == counted
    own = trace.black_result if colour == BLACK else 1 - trace.black_result
    assert np.array_equal(found.amaf.wins, own * found.amaf.visits)


def test_amaf_does_not_change_the_playouts() -> None:
    plain = playouts(Position.empty(9), 500, seed=3, kernel="scalar")
    recorded = playouts(Position.empty(9), 500, seed=3, amaf=True, kernel="scalar")
    assert (plain.moves, plain.black_wins) == (recorded.moves, recorded.black_wins)


def test_same_seed_same_playouts_other_seed_others() -> None:
    def lengths(seed: int | None, threads: int) -> tuple[int, int, float]:
        found = playouts(Position.empty(5), 2001, seed=seed, threads=threads, amaf=True, kernel="scalar")
        assert found.playouts == 2001
        return found.moves, found.moves_squared, found.black_wins

    assert lengths(1, 2) == lengths(1, 2)
    assert len({lengths(1, 1), lengths(1, 2), lengths(2, 1), lengths(None, 1), lengths(None, 1)}) == 5
    assert lengths(1, 2) != lengths(2, 2)


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"n": 0}, ValueError),
        ({"threads": 0}, ValueError),
        ({"policy": "randm"}, UnknownPolicyError),
        ({"kernel": "simd"}, UnknownKernelError),
        ({"faults": ["eye-fill"]}, ValueError),
    ],
)
def test_wrong_arguments(wrong: dict[str, object], error: type[Exception]) -> None:
    arguments: dict[str, Any] = {"n": 1, "kernel": "scalar"} | wrong
    with pytest.raises(error):
        playouts(Position.empty(5), **arguments)


# The random numbers


def test_splitmix_gives_its_published_values() -> None:
    """First outputs for the seed 1234567, as printed by the authors' C code."""
    assert rng._splitmix(1234567) == 6457827717110365317
    assert rng._splitmix(1234567 + 0x9E3779B97F4A7C15) == 3203168211198807973


def test_no_device_plays_fewer_than_one_playout_from_many_positions() -> None:
    with pytest.raises(ValueError, match="at least 1, not 0"):
        playouts_of_many([Position.empty(5)], 0, device="gpu")


def test_no_two_threads_of_whatever_seeds_share_a_stream() -> None:
    """Otherwise two runs that should be independent play the same games."""
    streams = {int(rng.stream(seed, thread)) for seed in range(200) for thread in range(64)}
    assert len(streams) == 200 * 64


def test_generator_is_xoroshiro128_plus_plus() -> None:
    """Against the authors' C code, written out in integers of Python."""

    @njit
    def compiled(s0: Any, s1: Any, n: Any) -> Any:
        out = np.empty(n, np.uint64)
        for k in range(n):
            out[k], s0, s1 = rng.drawn(s0, s1)
        return out

    def left(x: int, k: int) -> int:
        return ((x << k) | (x >> (64 - k))) % 2**64

    s0, s1 = 0xFEDCBA9876543210, 0x0123456789ABCDEF
    found = compiled(np.uint64(s0), np.uint64(s1), 50)
    for value in found:
        assert int(value) == (left((s0 + s1) % 2**64, 17) + s0) % 2**64
        s1 ^= s0
        s0, s1 = left(s0, 49) ^ s1 ^ ((s1 << 21) % 2**64), left(s1, 28)


def test_bounded_draws_reach_both_ends() -> None:
    @njit
    def compiled(value: Any, n: Any) -> Any:
        return rng.below(value, n)

    top = np.uint64(2**64 - 1)
    for n in (1, 2, 361, 625, 65535):
        assert compiled(np.uint64(0), np.uint64(n)) == 0
        assert compiled(top, np.uint64(n)) == n - 1
