"""The interleaved kernel with uniform playouts, against the exact enumerator and the slow twin.

Policies and options are tested in `test_policies`. As in `test_lanes`, whole distributions are compared, by
seeded tests that would fail a right kernel with chance 1e-9.
"""

from collections import Counter

import numpy as np
import pytest
from scipy.stats import chi2

from harness.oracle.graph import PlayoutGraph
from refbot.kernels import UnknownKernelError, chosen
from refbot.options import CAPTURE, CUTOFF, ESCAPE, MERCY
from refbot.playouts import PlayoutStats, interleaved, playouts, rng
from refbot.playouts.interleaved.layout import GAMES
from refbot.rules import BLACK, NO_POINT, WHITE, Position
from tests.refbot import naive
from tests.refbot.positions import random_game
from tests.refbot.reference import REFERENCE
from tests.refbot.slow_twin import assert_follows_the_rules
from tests.refbot.test_lanes import (
    ALARM,
    CAPTURE_RACE,
    KO,
    assert_distribution,
    candidates,
    chi_square,
    exact,
    first_touches,
    limited,
    mid_game,
    position_of,
    state_of,
)

SIZES = (2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 16, 19, 20, 25)


def played(position: Position, n: int, komi: float, seed: int) -> PlayoutStats:
    """With all records, so that all tests share one kernel."""
    return interleaved.run(position, n, komi, rng.stream(seed, 5), amaf=True, records=True)


def observed(position: Position, n: int, komi: float, seed: int) -> Counter[tuple[int, int]]:
    records = played(position, n, komi, seed).records
    assert records is not None
    return Counter(zip(records.lengths.tolist(), records.half_points.tolist(), strict=True))


@pytest.mark.parametrize("to_move", [BLACK, WHITE])
@pytest.mark.parametrize(("size", "komi"), [(2, 0.5), (2, 1.0), (3, 0.5), (3, 3.0), (3, 9.0)])
def test_whole_distribution_on_small_boards(size: int, komi: float, to_move: int) -> None:
    position = Position(size, np.zeros(size * size, np.int8), to_move)
    assert_distribution(observed(position, 200_000, komi, seed=1), exact(position, komi))


@pytest.mark.parametrize("to_move", [BLACK, WHITE])
@pytest.mark.parametrize("komi", [0.5, 7.0])
def test_whole_distribution_near_the_end_on_9x9(komi: float, to_move: int) -> None:
    position = limited(position_of(CAPTURE_RACE, to_move=to_move), 7)
    assert_distribution(observed(position, 100_000, komi, seed=3), exact(position, komi))


@pytest.mark.parametrize("ko", [NO_POINT, 0])
def test_whole_distribution_with_and_without_a_ko_ban_at_the_root(ko: int) -> None:
    position = position_of(KO, to_move=WHITE, ko=ko)
    assert_distribution(observed(position, 200_000, 0.5, seed=4), exact(position, 0.5))


@pytest.mark.parametrize("moves_left", [-5, 0, 1, 2, 3, 5])
def test_the_cap_counts_the_moves_of_the_game_but_leaves_one(moves_left: int) -> None:
    """Large empty regions are scored by a flood."""
    position = limited(Position.empty(3), moves_left)
    seen = observed(position, 100_000, 0.5, seed=5)
    assert {length for length, _ in seen} == {max(1, moves_left)}
    assert_distribution(seen, exact(position, 0.5))


@pytest.mark.parametrize("size", SIZES)
def test_first_moves_are_uniform_over_exactly_the_points_allowed(size: int) -> None:
    statistic = freedom = 0.0
    draws = 20_000
    for k, position in enumerate(mid_game(size, 40, seed=size)):
        following = PlayoutGraph(position.size, max_states=1).moves(state_of(position))
        points = {move.point for move in following if move.point is not None}
        stats = played(limited(position, 1), draws, 7.5, 1000 * size + k)
        assert stats.amaf is not None
        counts = Counter({point: int(n) for point, n in enumerate(stats.amaf.visits) if n})
        assert set(counts) == points
        if points:
            more, free = chi_square(counts, dict.fromkeys(points, draws / len(points)))
            statistic, freedom = statistic + more, freedom + free
    assert chi2.sf(statistic, freedom) > ALARM


@pytest.mark.parametrize("size", [4, 9])
def test_three_moves_from_the_middle_of_a_game(size: int) -> None:
    """Captures, ko bans and suicides a few moves on, by what AMAF and the area at the cap say."""
    positions = [p for p in mid_game(size, 60, seed=100 + size) if candidates(p) < 20][:20]
    assert len(positions) >= 8
    draws = 50_000
    statistic = freedom = 0.0
    for k, position in enumerate(positions):
        short = limited(position, 3)
        expected = first_touches(short, 3)
        found = played(short, draws, 0.5, 1000 + k)
        assert found.amaf is not None
        visits = found.amaf.visits
        assert {point for point, n in enumerate(visits) if n} <= set(expected)
        for point, share in expected.items():
            if 0 < share < 1:
                deviation = (visits[point] - draws * share) ** 2 / (draws * share * (1 - share))
                assert chi2.sf(deviation, 1) > ALARM / 1000
        outcomes = exact(short, 0.5)
        more, free = chi_square(
            observed(short, draws, 0.5, seed=7), {k: p * draws for k, p in outcomes.items()}
        )
        statistic, freedom = statistic + more, freedom + free
    assert chi2.sf(statistic, freedom) > ALARM


def starts() -> list[Position]:
    found = [Position.empty(size) for size in (2, 3, 4, 5, 9, 19)]
    found += [random_game(size, moves, size + moves).position() for size in range(2, 10) for moves in (5, 30)]
    found += [random_game(9, 75, seed).position() for seed in range(3)]
    return found + [random_game(5, 20, 4).position(colour) for colour in (BLACK, WHITE)]


@pytest.mark.parametrize("start", starts(), ids=lambda p: f"{p.size}-{p.moves_made}-{p.to_move}")
def test_every_move_of_a_playout_is_one_that_the_slow_twin_allows(start: Position) -> None:
    """Legal, no own eye, no pass while there is a move, the right end, the right result."""
    komi = 0.5 if start.size % 2 else 1.0
    for number in range(1 if start.size > 9 else 6):
        trace = interleaved.trace(start, komi, rng.stream(start.moves_made, number))
        assert_follows_the_rules(start, trace.moves, trace.black_result, komi)


def test_late_draws_are_uniform_over_all_candidates_of_the_slow_twin() -> None:
    """After many moves, when eyes are parked: each candidate's chance, summed up over whole playouts.

    For each move, the candidates of the slow twin are numbered in board order; the number of the move played
    divided by their number is spread evenly from 0 to 1.
    """
    cells, counted = 8, 0
    seen, due = np.zeros(cells), np.zeros(cells)
    for number in range(300):
        trace = interleaved.trace(Position.empty(7), 0.5, rng.stream(3, number))
        twin = naive.Playout(7, {}, BLACK, None, 0)
        for move in trace.moves:
            found = twin.candidates() if len(twin.board) > 30 else []
            if len(found) > 1 and move is not None:
                counted += 1
                seen[found.index(divmod(move, 7)) * cells // len(found)] += 1
                for k in range(len(found)):
                    due[k * cells // len(found)] += 1 / len(found)
            twin.play(None if move is None else divmod(move, 7))
    assert counted > 3000
    assert chi2.sf(((seen - due) ** 2 / due).sum(), cells - 1) > ALARM


COUNTS = {9: 60_000, 13: 20_000, 19: 8_000}


@pytest.mark.parametrize(("size", "moves", "moves_error", "sd", "sd_error", "rate", "rate_error"), REFERENCE)
def test_reference_values_of_the_empty_board(
    size: int, moves: float, moves_error: float, sd: float, sd_error: float, rate: float, rate_error: float
) -> None:
    n = COUNTS[size]
    stats = played(Position.empty(size), n, 7.5, 10)
    assert abs(stats.mean_moves - moves) < 6.5 * np.hypot(sd / n**0.5, moves_error)
    assert abs(stats.black_rate - rate) < 6.5 * np.hypot(0.5 / n**0.5, rate_error)
    assert abs(stats.sd_moves - sd) < 6.5 * np.hypot(1.2 * sd / (2 * n) ** 0.5, sd_error)


@pytest.mark.parametrize("n", [1, GAMES - 1, GAMES, GAMES + 1, 100])
def test_exactly_so_many_playouts_are_counted(n: int) -> None:
    stats = played(Position.empty(9), n, 7.5, 1)
    assert stats.records is not None
    lengths, results = stats.records.lengths.astype(int), stats.records.half_points.astype(int)
    assert stats.playouts == len(lengths) == n
    assert (lengths > 30).all()
    assert stats.moves == lengths.sum()
    assert stats.moves_squared == (lengths**2).sum()
    assert stats.longest == lengths.max()
    assert stats.black_wins * 2 == results.sum()
    assert stats.black_wins_squared * 4 == (results**2).sum()
    assert stats.moves_times_result * 2 == (lengths * results).sum()


def test_amaf_wins_are_those_of_the_roots_mover() -> None:
    """On a board where one side always wins, every visit is a win of that side."""
    for to_move, komi, won in [(BLACK, -100, 1), (BLACK, 100, 0), (WHITE, 100, 1), (WHITE, -100, 0)]:
        found = played(Position(5, np.zeros(25, np.int8), to_move), 1000, komi, 8).amaf
        assert found is not None
        assert (found.wins == won * found.visits).all()
        assert found.visits.sum() > 1000


def test_equal_seeds_give_equal_results_and_others_do_not() -> None:
    first, again, other = (played(Position.empty(9), 500, 7.5, seed) for seed in (1, 1, 2))
    assert (first.moves, first.black_wins, first.leads) == (again.moves, again.black_wins, again.leads)
    assert first.moves != other.moves


def test_what_the_kernel_plays() -> None:
    def kernel(asked: str, features: int, *, faulty: bool = False) -> str:
        return chosen(asked, 9, 1, features, faulty=faulty).kernel

    assert kernel("auto", ESCAPE | CAPTURE) == kernel("fastest", MERCY) == "interleaved"
    assert kernel("auto", 0) == kernel("auto", CUTOFF) == "scalar"
    assert kernel("auto", ESCAPE, faulty=True) == kernel("scalar", ESCAPE) == "scalar"
    assert kernel("interleaved", 0) == "interleaved"
    for features, faulty in ((CUTOFF, False), (0, True)):
        with pytest.raises(UnknownKernelError):
            kernel("interleaved", features, faulty=faulty)
    assert playouts(Position.empty(5), 10, kernel="interleaved", amaf=True, seed=1).kernel == "interleaved"
