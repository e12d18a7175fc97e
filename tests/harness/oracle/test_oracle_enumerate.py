"""The enumerator against positions solved by hand, a walk of the whole tree, another method, and sampling."""

from __future__ import annotations

import random
from collections import defaultdict
from fractions import Fraction

import pytest

from harness.go import Colour, Point, Position, diagram, opponent, random_game, symmetries
from harness.oracle import (
    PlayoutDistribution,
    StateLimitError,
    enumerate_amaf,
    enumerate_playouts,
)
from harness.oracle.graph import PlayoutGraph, root_state
from tests.harness.oracle.naive_playouts import Naive, all_paths

HALF = Fraction(1, 2)
KO = """
    . X O . .
    X O . O .
    . X O . .
    . . . . .
    . . . . .
"""


def naive(position: Position, to_move: Colour, ko: Point | None = None) -> Naive:
    return Naive(position.size, frozenset(position.stones().items()), to_move, ko)


def two_living_sides(dame: int) -> Position:
    """Two unconditionally living walls, with `dame` of the seven points between them left empty."""
    rows = [f"XXX{'.' if row < dame else 'X'}OOO" for row in range(7)]
    rows[0] = rows[0].replace("XXX", ".XX", 1)[:6] + "."
    rows[6] = "." + rows[6][1:6] + "."
    return diagram("\n".join(rows))


def first_moves(position: Position, to_move: Colour, ko: Point | None = None) -> dict[Point | None, Fraction]:
    """The probability of each first move of a playout; None is a pass."""
    root = root_state(position, to_move, ko, previous_pass_counts=False)
    moves = PlayoutGraph(position.size, max_states=1).moves(root)
    share = Fraction(1, len(moves))
    return {None if move.point is None else divmod(move.point, position.size): share for move in moves}


# Positions solved by hand


@pytest.mark.parametrize("to_move", ["b", "w"])
@pytest.mark.parametrize("dame", range(8))
def test_each_dame_point_is_one_move(dame: int, to_move: Colour) -> None:
    playouts = enumerate_playouts(two_living_sides(dame), to_move, exact=True)
    # The sides fill dame in turn, then both pass. Each side has 21 points, Black the 7 - dame stones between
    # them, and of the dame the mover gets the odd one.
    odd = (dame % 2) * (1 if to_move == "b" else -1)
    assert playouts.probabilities == {(dame + 2, 7 - dame + odd): 1}


def test_two_sides_full_of_eyes_pass_at_once() -> None:
    outcome = enumerate_playouts(two_living_sides(0), "b", exact=True).at_komi(6.5)
    assert outcome.probabilities == {(2, Fraction(1)): 1}
    assert (outcome.mean_length, outcome.var_length) == (2, 0)


def test_komi_decides_wins_and_an_equal_score_is_half_a_win() -> None:
    playouts = enumerate_playouts(two_living_sides(0), "w")  # Black leads by 7
    assert playouts.at_komi(6.5).mean_result == 0
    assert playouts.at_komi(7.0).mean_result == HALF
    assert playouts.at_komi(7.5).mean_result == 1


def test_a_pass_before_the_playout_does_not_count_unless_asked_for() -> None:
    position = two_living_sides(0)
    position.play("b", None)
    assert enumerate_playouts(position, "w").at_komi(0).lengths == {2: 1}
    assert enumerate_playouts(position, "w", previous_pass_counts=True).at_komi(0).lengths == {1: 1}


def test_the_cap_counts_the_moves_of_the_game_and_leaves_one_move() -> None:
    position = two_living_sides(7)
    for made, length in ((0, 9), (3 * 49 - 9, 9), (3 * 49 - 4, 4), (3 * 49 - 1, 1), (3 * 49, 1), (999, 1)):
        assert enumerate_playouts(position, "b", moves_made=made).at_komi(0).lengths == {
            length: pytest.approx(1)
        }
    assert enumerate_playouts(position, "b", cap=5).at_komi(0).lengths == {5: pytest.approx(1)}
    for _ in range(4):
        position.play(position.to_move, None)
    assert enumerate_playouts(position, "b", cap=7).at_komi(0).lengths == {3: pytest.approx(1)}


def test_a_capped_playout_is_scored_as_it_stands() -> None:
    # One of seven dame points is filled: one point for Black, the rest reach both.
    assert enumerate_playouts(two_living_sides(7), "b", cap=1, exact=True).probabilities == {(1, 1): 1}


def test_the_ko_of_the_game_binds_the_first_playout_move_only() -> None:
    position = diagram(KO)
    position.play("b", (3, 2))
    candidates = set(position.candidates("w"))
    assert (3, 1) not in candidates
    assert first_moves(position, "w") == {point: Fraction(1, len(candidates)) for point in candidates}
    unbound = Position(5)
    unbound.set_up(*([p for p, c in position.stones().items() if c == colour] for colour in ("b", "w")))
    assert set(first_moves(unbound, "w")) == candidates | {(3, 1)}
    assert set(first_moves(unbound, "w", ko=(3, 1))) == candidates


def test_a_mover_without_candidates_passes_for_sure() -> None:
    assert first_moves(two_living_sides(0), "b") == {None: 1}


def test_playouts_know_no_superko() -> None:
    # "Send two, return one": the third move brings the first board back. A playout allows it.
    position = diagram("""
        . . . .
        . . . .
        X X O .
        . O . O
    """)
    position.play("w", (0, 0))
    position.play("b", (0, 2))
    assert position.legality("w", (0, 1)) == "superko"
    assert (0, 1) in first_moves(position, "w")


def test_beyond_the_allowed_states_it_gives_up() -> None:
    with pytest.raises(StateLimitError) as caught:
        enumerate_playouts(Position(9), "b", max_states=50)
    assert caught.value.states == 50
    with pytest.raises(StateLimitError):
        enumerate_amaf(Position(3), "b", max_states=50)


@pytest.mark.parametrize("ko", [(5, 0), (0, -1)])
def test_a_ko_off_the_board_is_refused(ko: Point) -> None:
    with pytest.raises(ValueError, match="off the board"):
        enumerate_playouts(Position(5), "b", ko=ko)


def test_what_tolerance_leaves_out_is_reported() -> None:
    whole = enumerate_playouts(Position(2), "b", exact=True).at_komi(0.5)
    part = enumerate_playouts(Position(2), "b", exact=True, tolerance=0.5).at_komi(0.5)
    assert sum(whole.probabilities.values()) == 1
    assert whole.remainder == 0
    assert 0 < part.remainder <= 0.5
    assert sum(part.probabilities.values()) == 1 - part.remainder
    assert part.probabilities == {key: whole.probabilities[key] for key in part.probabilities}


# Other ways to the same figures


def small_cases() -> list[tuple[Position, Colour, int]]:
    """Positions of all kinds on small boards, with a cap that keeps the whole tree walkable."""
    cases: list[tuple[Position, Colour, int]] = [
        (Position(1), "b", 3),
        (Position(2), "b", 7),
        (Position(3), "w", 4),
    ]
    for size, seed, moves in ((3, 1, 5), (3, 2, 12), (4, 7, 18), (4, 28, 20), (5, 24, 30), (6, 26, 48)):
        cases += [(random_game(size, seed, moves), colour, 5) for colour in ("b", "w")]
    position = diagram(KO)
    position.play("b", (3, 2))
    cases.append((position, "w", 3))
    return cases


@pytest.mark.parametrize(("position", "to_move", "cap"), small_cases())
def test_the_whole_tree_gives_the_same_fractions(position: Position, to_move: Colour, cap: int) -> None:
    komi = 1
    visits: defaultdict[Point, Fraction] = defaultdict(Fraction)
    wins: defaultdict[Point, Fraction] = defaultdict(Fraction)
    joint: defaultdict[tuple[int, int], Fraction] = defaultdict(Fraction)
    by_length: defaultdict[tuple[int, int, int], Fraction] = defaultdict(Fraction)
    for moves, last, probability in all_paths(naive(position, to_move, position.ko_ban(to_move)), cap):
        lead = (last.margin() - komi) * (1 if to_move == "b" else -1)
        result = Fraction(1) if lead > 0 else Fraction(0) if lead < 0 else HALF
        played = [point for _, point in moves]
        credited = 0
        for number, (colour, point) in enumerate(moves):
            if point is not None and colour == to_move and point not in played[:number]:
                visits[point] += probability
                wins[point] += probability * result
                credited |= 1 << point[0] * position.size + point[1]
        joint[credited, last.margin()] += probability
        by_length[len(moves), credited, last.margin()] += probability
    sums: defaultdict[tuple[int, int], Fraction] = defaultdict(Fraction)
    for (length, _, margin), share in by_length.items():
        sums[length, margin] += share
    playouts = enumerate_playouts(position, to_move, moves_made=0, cap=cap, exact=True)
    assert playouts.probabilities == sums
    assert sum(sums.values()) == 1
    spread = enumerate_amaf(position, to_move, moves_made=0, cap=cap, exact=True)
    found = spread.values(komi)
    assert {point: value.visits for point, value in found.items()} == visits
    assert {point: value.wins for point, value in found.items()} == wins
    assert all(value.rate == wins[point] / visits[point] for point, value in found.items())
    assert spread.probabilities == joint
    assert spread.by_length == by_length


def expected_by_recursion(start: Naive, steps: int) -> tuple[float, float]:
    """Mean length and mean margin by the other method: backwards, from the values with one move less left."""
    states, number, following = [start], {start: 0}, []
    for state in states:  # grows while it is walked
        successors = [after for _, after in state.moves()]
        for after in successors:
            if after not in number:
                number[after] = len(states)
                states.append(after)
        following.append([number[after] for after in successors])
    margins = [float(state.margin()) for state in states]
    lengths, values = [0.0] * len(states), margins
    for _ in range(steps):
        lengths = [1 + sum(lengths[s] for s in after) / max(1, len(after)) for after in following]
        values = [
            sum(values[s] for s in after) / len(after) if after else margin
            for after, margin in zip(following, margins, strict=True)
        ]
    return lengths[0], values[0]


@pytest.mark.parametrize(
    ("position", "to_move"),
    [
        (Position(2), "b"),
        pytest.param(Position(3), "b", marks=pytest.mark.slow),
        (random_game(4, seed=7, moves=18), "b"),
        (random_game(4, seed=28, moves=20), "w"),
    ],
)
def test_values_computed_backwards_are_the_same(position: Position, to_move: Colour) -> None:
    length, margin = expected_by_recursion(naive(position, to_move), 3 * position.size**2)
    playouts = enumerate_playouts(position, to_move, moves_made=0)
    assert playouts.at_komi(0).mean_length == pytest.approx(length, rel=1e-12)
    mean_margin = sum(margin * probability for margin, probability in playouts.margins.items())
    assert mean_margin == pytest.approx(margin, abs=1e-10)


@pytest.mark.parametrize(
    ("position", "to_move", "komi"),
    [
        (Position(2), "b", 1.0),
        (random_game(5, seed=24, moves=30), "b", 0.0),
        (random_game(6, seed=26, moves=48), "b", 5.0),
    ],
)
def test_sampled_playouts_agree(position: Position, to_move: Colour, komi: float) -> None:
    """Seeded. Each of 3 positions compares two means at 6 standard errors: 2e-9 each, 1.2e-8 in all."""
    rng = random.Random(20081013)
    known: dict[Naive, list[Naive]] = {}
    outcome = enumerate_playouts(position, to_move, moves_made=0).at_komi(komi)
    lengths, results = [], []
    for _ in range(1000):
        state, length = naive(position, to_move), 0
        while length < 3 * position.size**2:
            length += 1
            if state not in known:
                known[state] = [after for _, after in state.moves()]
            if not known[state]:
                break
            state = rng.choice(known[state])
        lead = (state.margin() - komi) * (1 if to_move == "b" else -1)
        lengths.append(length)
        results.append(1.0 if lead > 0 else 0.0 if lead < 0 else 0.5)
    assert outcome.var_length > 0
    for sample, mean, variance in (
        (lengths, outcome.mean_length, outcome.var_length),
        (results, outcome.mean_result, outcome.var_result),
    ):
        assert sum(sample) / len(sample) == pytest.approx(
            float(mean), abs=6 * (float(variance) / len(sample)) ** 0.5
        )


# Laws


@pytest.mark.parametrize(("seed", "moves"), [(2, 18), (7, 18), (28, 20)])
def test_the_values_know_no_direction_and_no_colour(seed: int, moves: int) -> None:
    game = random_game(4, seed, moves)
    stones = game.stones()
    first = enumerate_playouts(game, "b", ko=None, moves_made=0, exact=True)
    amaf = enumerate_amaf(game, "b", moves_made=0, cap=7, exact=True).values(1)
    for image in symmetries(4):
        for swap in (False, True):
            placed = {image(point): opponent(colour) if swap else colour for point, colour in stones.items()}
            twin = Position(4)
            twin.set_up(
                *([point for point, colour in placed.items() if colour == side] for side in ("b", "w"))
            )
            mover: Colour = "w" if swap else "b"
            ko = image(game.ko_ban("b"))
            found = enumerate_playouts(twin, mover, ko=ko, exact=True)
            sign = -1 if swap else 1
            assert found.probabilities == {
                (length, sign * margin): p for (length, margin), p in first.probabilities.items()
            }
            assert found.at_komi(sign * 1.5).probabilities == first.at_komi(1.5).probabilities
            assert enumerate_amaf(twin, mover, ko=ko, cap=7, exact=True).values(sign) == {
                image(point): value for point, value in amaf.items()
            }


def test_floats_are_the_fractions_rounded() -> None:
    game = random_game(4, seed=7, moves=18)
    exact = enumerate_playouts(game, "b", exact=True)
    rounded = enumerate_playouts(game, "b")
    assert exact.probabilities.keys() == rounded.probabilities.keys()
    assert sum(exact.probabilities.values()) == 1
    for outcome, probability in exact.probabilities.items():
        assert isinstance(probability, Fraction)
        assert rounded.probabilities[outcome] == pytest.approx(float(probability), rel=1e-12)
    for name in ("mean_length", "var_length", "mean_result", "var_result", "covariance"):
        value = getattr(exact.at_komi(0), name)
        assert isinstance(value, Fraction)
        assert getattr(rounded.at_komi(0), name) == pytest.approx(float(value), rel=1e-9, abs=1e-12)


def test_moments_are_those_of_the_definition() -> None:
    # Two outcomes, by hand: (3, loss) with 1/4 and (5, win) with 3/4.
    outcome = PlayoutDistribution({(3, Fraction(0)): Fraction(1, 4), (5, Fraction(1)): Fraction(3, 4)})
    assert outcome.mean_length == Fraction(9, 2)
    assert outcome.var_length == Fraction(3, 4)  # 4 · 1/4 · 3/4
    assert outcome.mean_result == Fraction(3, 4)
    assert outcome.var_result == Fraction(3, 16)
    assert outcome.covariance == Fraction(3, 8)  # 2 · 1 · 1/4 · 3/4
    assert outcome.lengths == {3: Fraction(1, 4), 5: Fraction(3, 4)}
    assert outcome.results == {0: Fraction(1, 4), 1: Fraction(3, 4)}
