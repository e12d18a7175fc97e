"""The lane kernel against the exact enumerator, which shares no code with it.

A statistical test compares whole distributions by Pearson's chi-square. It is seeded, and fails a correct
kernel with probability 1e-9.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2

from harness.go import Position as Referee
from harness.oracle import enumerate_amaf
from harness.oracle.graph import PlayoutGraph, carry_forward
from harness.oracle.rules import Board, State
from refbot.deviations.options import NO_OPTIONS, Options
from refbot.playouts import lanes
from refbot.playouts.lanes import batch
from refbot.playouts.lanes.layout import LaneLayout, lane_layout
from refbot.playouts.lanes.shape import Shape
from refbot.playouts.lanes.width import Lanes
from refbot.playouts.stats import Amaf, Records
from refbot.rules.position import BLACK, NO_POINT, WHITE, Position
from tests.parameters import slow_but
from tests.refbot.reference import REFERENCE

ALARM = 1e-9
SMALLEST_CELL = 10.0  # expected counts below are pooled


def chi_square(observed: Counter[Any], expected: Mapping[Any, float]) -> tuple[float, int]:
    """(Pearson's statistic, its degrees of freedom). Asserts that no impossible outcome was observed."""
    assert set(observed) <= set(expected)
    pooled_seen = pooled_due = 0.0
    statistic, cells = 0.0, 0
    for outcome, due in expected.items():
        if due < SMALLEST_CELL:
            pooled_due += due
            pooled_seen += observed[outcome]
            continue
        statistic += (observed[outcome] - due) ** 2 / due
        cells += 1
    if pooled_due >= SMALLEST_CELL:
        statistic += (pooled_seen - pooled_due) ** 2 / pooled_due
        cells += 1
    return statistic, cells - 1


def assert_distribution(observed: Counter[Any], probabilities: Mapping[Any, float]) -> None:
    n = observed.total()
    statistic, freedom = chi_square(observed, {key: float(p) * n for key, p in probabilities.items()})
    assert chi2.sf(statistic, freedom) > ALARM if freedom else statistic < 1e-9  # rounding of a sure thing


def state_of(position: Position) -> State:
    return State(Board.of(position.stones.tobytes()), position.to_move, position.ko, False)


def lead_in_stones(board: Board) -> int:
    """Black's stones less White's."""
    black, white = board
    return black.bit_count() - white.bit_count()


def has_mercy(board: Board, options: Options) -> bool:
    return options.mercy is not None and abs(lead_in_stones(board)) > options.mercy


@cache
def endings(size: int, start: State, cap: int, options: Options) -> list[tuple[int, Board, float]]:
    """(length, last board, probability) of all playouts of at most `cap` moves, by enumeration."""
    graph = PlayoutGraph(size, max_states=200_000)

    def is_over(state: State, length: int) -> bool:
        return length == cap or (length > 0 and has_mercy(state.board, options))

    def successors(node: tuple[State, int]) -> list[tuple[State, int]]:
        state, length = node
        following = () if is_over(*node) else graph.following(state)
        return [(after, length + 1) for after in following]

    found, _ = carry_forward((start, 0), successors, cap + 1, 1.0, 0.0)
    ended = [(ending.state[0], ending.state[1], float(ending.probability)) for ending in found]
    # A playout that is not over ends with the second pass.
    return [(length + (not is_over(state, length)), state.board, share) for state, length, share in ended]


def exact(position: Position, komi: float, options: Options = NO_OPTIONS) -> dict[tuple[int, int], float]:
    """The probability of each (length, Black's half-points), by enumeration."""
    rules = PlayoutGraph(position.size, max_states=1)

    def margin_of(board: Board) -> float:
        """Black's margin, komi taken off: in area, or in stones where an option says so."""
        stones = lead_in_stones(board)
        if has_mercy(board, options):
            return stones
        if options.early_score is not None and abs(stones - komi) > options.early_score:
            return stones - komi
        return rules.margin(board) - komi

    cap = max(1, position.move_cap - position.moves_made)
    found: defaultdict[tuple[int, int], float] = defaultdict(float)
    for length, board, probability in endings(
        position.size, state_of(position), cap, Options(mercy=options.mercy)
    ):
        margin = margin_of(board)
        found[length, 2 if margin > 0 else 1 if margin == 0 else 0] += probability
    return found


def records_of(position: Position, n: int, komi: float, seed: int, options: Options = NO_OPTIONS) -> Records:
    # With AMAF, wanted or not: then one kernel for each size is compiled.
    records = lanes.run(position, n, komi, seed, amaf=True, records=True, options=options).records
    assert records is not None
    return records


def amaf_of(position: Position, n: int, komi: float, seed: int) -> Amaf:
    amaf = lanes.run(position, n, komi, seed, amaf=True).amaf
    assert amaf is not None
    return amaf


def observed(
    position: Position, n: int, komi: float, seed: int, options: Options = NO_OPTIONS
) -> Counter[tuple[int, int]]:
    records = records_of(position, n, komi, seed, options)
    return Counter(zip(records.lengths.tolist(), records.half_points.tolist(), strict=True))


def position_of(rows: str, *, to_move: int = BLACK, ko: int = NO_POINT, moves_made: int = 0) -> Position:
    """A position drawn with the highest row first: X black, O white."""
    lines = rows.split()[::-1]
    stones = np.array([".XO".index(point) for line in lines for point in line], np.int8)
    return Position(len(lines), stones, to_move, ko, moves_made)


def mid_game(size: int, count: int, seed: int, parts: int = 16) -> list[Position]:
    """Positions from all stages of random games, `parts` in as many moves as there are points."""
    chance = random.Random(seed)
    found: list[Position] = []
    every = max(1, size * size // parts) | 1  # odd: both sides are met to move
    while len(found) < count:
        graph = PlayoutGraph(size, max_states=10**9)
        state, made = State(Board(0, 0), BLACK, NO_POINT, False), 0
        while (following := graph.moves(state)) and made < 2 * size * size:
            if made % every == 0:
                black, white = state.board
                stones = np.array(
                    [(black >> i & 1) + 2 * (white >> i & 1) for i in range(size * size)], np.int8
                )
                found.append(Position(size, stones, state.mover, state.ko, made))
            state, made = chance.choice(following).state, made + 1
    return found[:count]


def limited(position: Position, moves: int) -> Position:
    """The position, moved so late in its game that the cap leaves this number of moves."""
    return Position(position.size, position.stones, position.to_move, position.ko, position.move_cap - moves)


CAPTURE_RACE = """
    .XO.XXOO.
    XXOOXOOOO
    .XXXXXOO.
    XXXXXXOOO
    XX.XXXXOO
    XXXXXXXXO
    OOOOOOOXX
    OOOOO.OOX
    .OOO.OOO.
"""


@pytest.mark.slow  # compiles a kernel that no other quick test needs; 3x3 is tried in every run
@pytest.mark.parametrize("to_move", [BLACK, WHITE])
@pytest.mark.parametrize("komi", [0.5, 1.0, -1.0, 4.0])
def test_whole_distribution_on_2x2(to_move: int, komi: float) -> None:
    position = Position(2, np.zeros(4, np.int8), to_move)
    assert_distribution(observed(position, 200_000, komi, seed=1), exact(position, komi))


@pytest.mark.parametrize("to_move", slow_but((BLACK,), [BLACK, WHITE]))
@pytest.mark.parametrize("komi", slow_but((3.0,), [0.5, 9.0, 3.0]))
def test_whole_distribution_on_3x3(to_move: int, komi: float) -> None:
    position = Position(3, np.zeros(9, np.int8), to_move)
    assert_distribution(observed(position, 400_000, komi, seed=2), exact(position, komi))


@pytest.mark.parametrize("to_move", [BLACK, WHITE])
@pytest.mark.parametrize("komi", [0.5, 7.0])
def test_whole_distribution_near_the_end_on_9x9(komi: float, to_move: int) -> None:
    position = limited(position_of(CAPTURE_RACE, to_move=to_move), 7)
    assert_distribution(observed(position, 100_000, komi, seed=3), exact(position, komi))


SHORT_CUTS = [
    Options(mercy=0),
    Options(mercy=2),
    Options(early_score=0.0),
    Options(mercy=3, early_score=2.5),
    Options(mercy=10**9),
]


@pytest.mark.slow  # compiles a kernel that no other test needs
@pytest.mark.parametrize("to_move", [BLACK, WHITE])
@pytest.mark.parametrize("options", SHORT_CUTS, ids=str)
def test_whole_games_with_the_mercy_rule_and_the_early_score(options: Options, to_move: int) -> None:
    position, seed = Position(3, np.zeros(9, np.int8), to_move), 300 + SHORT_CUTS.index(options)
    for komi in (-1.0, 0.5, 3.0):
        seen = observed(position, 200_000, komi, seed, options)
        assert_distribution(seen, exact(position, komi, options))


@pytest.mark.parametrize("to_move", [BLACK, WHITE])
@pytest.mark.parametrize("options", slow_but((SHORT_CUTS[3],), SHORT_CUTS), ids=str)
def test_ends_of_games_with_the_mercy_rule_and_the_early_score(options: Options, to_move: int) -> None:
    seed = SHORT_CUTS.index(options)
    position = limited(position_of(CAPTURE_RACE, to_move=to_move), 7)
    ahead = Options(mercy=abs(lead_in_stones(state_of(position).board)) + 1, early_score=options.early_score)
    seen = observed(position, 100_000, 0.5, 310 + seed, ahead)
    assert_distribution(seen, exact(position, 0.5, ahead))


def before_three_moves(size: int) -> list[Position]:
    """Positions of random games with few candidates, so late that the cap leaves three moves."""
    return [limited(p, 3) for p in mid_game(size, 60, seed=100 + size) if candidates(p) < 20][:10]


def test_the_mercy_rule_counts_captures() -> None:
    """Three moves in which the side that leads ends the game by a capture, and by no other move."""
    for number, short in enumerate(before_three_moves(9)):
        options = Options(mercy=abs(lead_in_stones(state_of(short).board)) + 1)
        seen = observed(short, 20_000, 0.5, 320 + number, options)
        assert_distribution(seen, exact(short, 0.5, options))


def test_the_early_score_takes_komi_off() -> None:
    """Three moves, with a komi near the lead: the stones alone decide where a move changes the lead."""
    for number, short in enumerate(before_three_moves(9)):
        komi, options = lead_in_stones(state_of(short).board) + 0.5, Options(early_score=1.5)
        seen = observed(short, 20_000, komi, 330 + number, options)
        assert_distribution(seen, exact(short, komi, options))


def test_ends_are_counted_where_an_option_says_so() -> None:
    n, empty = 20_000, Position.empty(9)
    plain = lanes.run(empty, n, 7.5, 7, records=True)
    checked = lanes.run(
        empty, n, 7.5, 7, records=True, options=Options(early_score=0.0, check_early_score=True)
    )
    assert plain.kinds == {}
    assert plain.records is not None
    assert checked.records is not None
    wrong = int((plain.records.half_points != checked.records.half_points).sum())
    assert wrong > 0
    assert checked.kinds == {"early-score": {"considered": n, "found": n, "wrong": wrong}}
    ended = lanes.run(empty, n, 7.5, 7, amaf=True, options=Options(mercy=25)).kinds["mercy"]
    assert ended["considered"] == n
    assert 0 < ended["found"] < n


@pytest.fixture
def three_rows_in_a_lane(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small boards in the layout of larger ones, whose whole games the enumerator cannot follow."""
    monkeypatch.setattr(
        batch,
        "lane_layout",
        lambda size, amaf, mercy: LaneLayout(Lanes(64, 8), Shape(size, bands=3), amaf, mercy),
    )


@pytest.mark.slow  # compiles a kernel that no other test needs
@pytest.mark.usefixtures("three_rows_in_a_lane")
@pytest.mark.parametrize("to_move", [BLACK, WHITE])
def test_whole_games_with_three_rows_in_a_lane(to_move: int) -> None:
    position = Position(3, np.zeros(9, np.int8), to_move)
    assert_distribution(observed(position, 200_000, 0.5, seed=21), exact(position, 0.5))


@pytest.mark.usefixtures("three_rows_in_a_lane")
@pytest.mark.parametrize("to_move", [BLACK, WHITE])
def test_ends_of_games_with_three_rows_in_a_lane(to_move: int) -> None:
    position = limited(position_of(CAPTURE_RACE, to_move=to_move), 7)
    assert_distribution(observed(position, 100_000, 0.5, seed=22), exact(position, 0.5))


@pytest.mark.slow  # compiles a kernel that no other test needs
@pytest.mark.usefixtures("three_rows_in_a_lane")
def test_the_mercy_rule_with_three_rows_in_a_lane() -> None:
    position, options = Position.empty(3), Options(mercy=2)
    assert_distribution(observed(position, 200_000, 0.5, 23, options), exact(position, 0.5, options))


@pytest.mark.usefixtures("three_rows_in_a_lane")
@pytest.mark.parametrize("size", slow_but((9,), [4, 6, 7, 9, 13]))
def test_first_moves_are_uniform_with_three_rows_in_a_lane(size: int) -> None:
    check_first_moves(mid_game(size, 40, seed=200 + size), 20_000, seed=200 + size)


@pytest.mark.usefixtures("three_rows_in_a_lane")
def test_three_moves_with_three_rows_in_a_lane() -> None:
    check_three_moves(9, first_seed=2000)


KO = """
    ...
    XO.
    .XO
"""


@pytest.mark.parametrize("ko", [NO_POINT, 0])
def test_whole_distribution_with_and_without_a_ko_ban_at_the_root(ko: int) -> None:
    position = limited(position_of(KO, to_move=WHITE, ko=ko), 6)
    assert_distribution(observed(position, 200_000, 0.5, seed=4), exact(position, 0.5))


@pytest.mark.parametrize("moves_left", [-5, 0, 1, 2, 3, 5])
def test_the_cap_counts_the_moves_of_the_game_but_leaves_one(moves_left: int) -> None:
    position = limited(Position.empty(3), moves_left)
    assert position.move_cap - position.moves_made == moves_left
    seen = observed(position, 100_000, 0.5, seed=5)
    assert {length for length, _ in seen} == {max(1, moves_left)}  # nobody passes so early on 3x3
    assert_distribution(seen, exact(position, 0.5))


def test_a_playout_may_be_two_passes() -> None:
    board = """
        .X.
        XXX
        .X.
    """  # both sides have nothing but suicide, or eyes
    position = position_of(board, to_move=WHITE)
    records = records_of(position, 1000, 0.5, 1)
    assert set(records.lengths.tolist()) == {2}
    assert set(records.half_points.tolist()) == {2}


def first_touches(position: Position, moves: int) -> dict[int, float]:
    """The probability of each point that the root's mover is the first to play there in the first moves."""
    graph = PlayoutGraph(position.size, max_states=10**9)
    visits: defaultdict[int, float] = defaultdict(float)

    def follow(state: State, share: float, touched: frozenset[int | None], depth: int) -> None:
        if depth == moves:
            return
        following = graph.moves(state)
        for move in following:
            part = share / len(following)
            if depth % 2 == 0 and move.point is not None and move.point not in touched:
                visits[move.point] += part
            follow(move.state, part, touched | {move.point}, depth + 1)

    follow(state_of(position), 1.0, frozenset(), 0)
    return visits


SIZES = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 25]
FAST_SIZES = [9, 19]  # one row in a lane, and three


def check_first_moves(positions: list[Position], draws: int, seed: int) -> None:
    """With one move left under the cap, AMAF counts the first moves: uniform over the enumerator's."""
    statistic = freedom = 0.0
    for k, position in enumerate(positions):
        following = PlayoutGraph(position.size, max_states=1).moves(state_of(position))
        points = {move.point for move in following if move.point is not None}
        stats = lanes.run(limited(position, 1), draws, 7.5, 1000 * seed + k, amaf=True)
        assert stats.amaf is not None
        counts = Counter({point: int(n) for point, n in enumerate(stats.amaf.visits) if n})
        assert set(counts) == points
        assert stats.moves == draws
        if points:
            more, free = chi_square(counts, dict.fromkeys(points, draws / len(points)))
            statistic, freedom = statistic + more, freedom + free
    assert chi2.sf(statistic, freedom) > ALARM


@pytest.mark.parametrize("size", FAST_SIZES)
def test_first_moves_are_uniform_over_exactly_the_points_allowed(size: int) -> None:
    """From ten positions of a game; the slow test has forty of each size."""
    check_first_moves(mid_game(size, 10, seed=size, parts=8), 20_000, seed=size)


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_first_moves_are_uniform_on_every_size(size: int) -> None:
    check_first_moves(mid_game(size, 40, seed=size), 20_000, seed=size)


def check_three_moves(size: int, first_seed: int) -> None:
    """Check captures, ko and suicides within three moves, by the AMAF table and the area at the cap."""
    positions = before_three_moves(size)
    assert len(positions) >= 8
    draws = 50_000
    statistic = freedom = 0.0
    for k, short in enumerate(positions):
        expected = first_touches(short, 3)
        visits = amaf_of(short, draws, 0.5, first_seed + k).visits
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


@pytest.mark.parametrize("size", slow_but((9,), [4, 9]))
def test_three_moves_from_the_middle_of_a_game(size: int) -> None:
    check_three_moves(size, first_seed=1000)


def candidates(position: Position) -> int:
    return len(PlayoutGraph(position.size, max_states=1).moves(state_of(position)))


def test_amaf_wins_are_those_of_the_roots_mover() -> None:
    """On a board where one side always wins, every visit is a win of that side."""
    for to_move, komi, won in [(BLACK, -100, 1), (BLACK, 100, 0), (WHITE, 100, 1), (WHITE, -100, 0)]:
        position = Position(5, np.zeros(25, np.int8), to_move)
        amaf = amaf_of(position, 1000, komi, 8)
        assert (amaf.wins == won * amaf.visits).all()
        assert amaf.visits.sum() > 1000


@pytest.mark.parametrize("to_move", [BLACK, WHITE])
def test_amaf_on_3x3_against_the_enumerator(to_move: int) -> None:
    """Nine moves around a ko, with draws: a point is often played on twice, and by both sides."""
    draws, komi = 200_000, 1.0
    position, referee = limited(position_of(KO, to_move=to_move), 9), Referee(3)
    for stone in np.flatnonzero(position.stones):
        referee.play("b" if position.stones[stone] == BLACK else "w", divmod(int(stone), 3))
    assert list(referee.fingerprint) == position.stones.tolist()
    amaf = amaf_of(position, draws, komi, 9)
    due = enumerate_amaf(referee, "b" if to_move == BLACK else "w", moves_made=0, cap=9).values(komi)
    assert {divmod(point, 3) for point, visits in enumerate(amaf.visits) if visits} == set(due)
    for (row, column), value in due.items():
        at = 3 * row + column
        for seen, share in ((amaf.visits[at], value.visits), (amaf.wins[at], value.wins)):
            assert abs(seen - draws * share) < 6.5 * (draws / 4) ** 0.5  # a variance is <= 1/4


def test_equal_seeds_give_equal_results_and_others_do_not() -> None:
    first, again, other = (lanes.run(Position.empty(9), 500, 7.5, seed, amaf=True) for seed in (1, 1, 2))
    assert (first.moves, first.black_wins) == (again.moves, again.black_wins)
    assert first.amaf is not None
    assert again.amaf is not None
    assert (first.amaf.visits == again.amaf.visits).all()
    assert first.moves != other.moves


@pytest.mark.slow  # compiles three kernels; `test_simd` cuts vectors into parts in every run
@pytest.mark.parametrize("size", [5, 17])
def test_the_games_are_the_same_in_vectors_of_every_width(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lanes that end in the same step get the next games in the order of the lanes, whatever their parts."""
    usual = lane_layout(size, amaf=True)
    found = []
    for width in (16, 32, 64):
        lanes_of_width = Lanes(usual.lanes.bits, 8 * width // usual.lanes.bits)
        monkeypatch.setattr(
            batch,
            "lane_layout",
            lambda _, amaf, mercy, lanes=lanes_of_width: LaneLayout(lanes, usual.shape, amaf, mercy),
        )
        stats = lanes.run(Position.empty(size), 200, 7.5, 1, amaf=True, records=True)
        assert stats.records is not None
        assert stats.amaf is not None
        tables = stats.records.lengths, stats.records.half_points, stats.amaf.visits
        found.append([table.tolist() for table in tables])
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("n", [0, 1, 31, 32, 33, 100])
def test_exactly_so_many_playouts_are_counted(n: int) -> None:
    records = records_of(Position.empty(9), n, 7.5, 1)
    stats = lanes.run(Position.empty(9), n, 7.5, 1)
    assert stats.playouts == n
    assert (records.lengths > 30).all()
    assert stats.moves == records.lengths.sum()
    assert stats.moves_squared == (records.lengths.astype(int) ** 2).sum()
    assert stats.longest == max(records.lengths, default=0)
    assert stats.black_wins * 2 == records.half_points.sum()
    assert stats.black_wins_squared * 4 == (records.half_points.astype(int) ** 2).sum()
    assert stats.moves_times_result * 2 == (records.lengths * records.half_points).sum()


COUNTS = {9: 200_000, 13: 40_000, 19: 8_000}


@pytest.mark.parametrize("many", [1, pytest.param(50, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("size", "moves", "moves_error", "sd", "sd_error", "rate", "rate_error"), slow_but((9,), REFERENCE)
)
def test_reference_values_of_the_empty_board(
    size: int,
    moves: float,
    moves_error: float,
    sd: float,
    sd_error: float,
    rate: float,
    rate_error: float,
    many: int,
) -> None:
    n = COUNTS[size] * many
    stats = lanes.run(Position.empty(size), n, 7.5, 10 + many)
    assert abs(stats.mean_moves - moves) < 6.5 * np.hypot(sd / n**0.5, moves_error)
    assert abs(stats.black_rate - rate) < 6.5 * np.hypot(0.5 / n**0.5, rate_error)
    assert abs(stats.sd_moves - sd) < 6.5 * np.hypot(1.2 * sd / (2 * n) ** 0.5, sd_error)
