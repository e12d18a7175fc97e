"""Every fault changes the part of the bot that it names: there it differs from a bot without faults."""

import copy
import math
import pickle
from functools import cache

import numpy as np
import pytest

from refbot.deviations.faults import FAULTS, Faults, UnknownFaultError, checked, mask
from refbot.deviations.options import LOGGED
from refbot.playouts import rng, scalar
from refbot.playouts.scalar.batch import start_of
from refbot.playouts.scalar.kernel import Sinks, first_state, kernel_with_faults
from refbot.playouts.stats import PlayoutStats, Records
from refbot.playouts.tally import empty_tally
from refbot.rules import BLACK, WHITE, Position
from tests.refbot.positions import position, random_game

CLAUSES = {
    "complete-games", "uniform", "simple-ko", "forced-pass", "two-passes", "move-cap", "eye", "area-scoring",
    "komi", "amaf", "best-rate", "ties", "no-early-pass", "fresh-randomness", "no-suicide", "superko",
    "unseen", "ref-nodes", "ref-score", "gtp", "gtp-position", "gtp-handicap", "gtp-time", "gtp-score",
    "gtp-records", "gtp-rules", "gtp-kgs", "gtp-tools", "gtp-analysis",
}  # fmt: skip
KERNEL_FAULTS = [name for name, fault in FAULTS.items() if fault.where in ("playout", "amaf")]
DIFFERENT = 8.0  # standard errors, for a fault
ALIKE = 6.5  # standard errors between two right runs; chance to exceed it 8e-11 a comparison
PLAYOUTS = 20_000


def test_every_fault_names_a_clause_and_says_what_it_is() -> None:
    for name, fault in FAULTS.items():
        assert name == fault.name
        assert fault.clause in CLAUSES
        assert fault.misconception
        assert fault.imitates


def test_an_unknown_fault_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(UnknownFaultError) as caught:
        checked(["eye-fillled"])
    assert caught.value.nearest == "eye-filled"
    assert "eye-filled" in str(caught.value)


def test_a_name_like_no_other_is_refused_without_a_guess() -> None:
    with pytest.raises(UnknownFaultError, match=r"unknown fault 'zzz': `refbot faults` lists all faults"):
        checked(["zzz"])


def test_mask_has_a_bit_of_its_own_for_each_kernel_fault() -> None:
    bits = [mask([FAULTS[name]]) for name in KERNEL_FAULTS if FAULTS[name].in_kernel]
    given = mask([Faults.CAP_NONE])  # of a number that the kernel is given
    assert mask([Faults.CAP_TWO]) == given != 0
    assert mask(checked(KERNEL_FAULTS)) == sum(bits) + given == np.bitwise_or.reduce([*bits, given])
    assert max(bits) < 2**62  # fits an int64
    assert mask([Faults.BEST_WINS, Faults.SUPERKO_NONE]) == 0


@cache
def starts() -> list[tuple[Position, float]]:
    """Positions with a komi. Each playout fault shows in at least one; the first show most for their cost."""
    ko = ".XO. XO.O .XO. ...."
    settled = ".X.X. XXXXX OOOOO O.O.O .O.O."  # both can only pass; White is 5 ahead
    return [
        (random_game(3, 30, 1).position(), 0.5),
        (Position(5, random_game(5, 16, 7).position().stones, BLACK, -1, 75), 0.5),
        (position(".X.O. XX.OO XX.OO XX.OO .X.O.", BLACK), 1.0),  # drawn, with five moves
        (Position(5, random_game(5, 16, 7).position().stones, BLACK, -1, 70), 0.5),
        (position(".XX.X XXXXX XXXOO X.XO. XXO.O", BLACK, ko=3), 0.5),
        (position(" ".join([".X..O"] * 5), BLACK, made=75), 2.5),  # at the move cap: regions decide
        (position(ko, WHITE, ko=-1), 0.5),
        (Position(13, np.zeros(169, np.int8), moves_made=500), 7.5),  # 7 moves before the cap of 507
        (position(settled, WHITE, passes=1), -5.0),
        (position("OX.X OOXX .OOX .O.X", WHITE, ko=14), 0.5),
        (Position.empty(9), 25.5),  # won by prisoners, where they count
        (many_eyes(), 200.5),
        (Position.empty(5), 0.5),
        (Position.empty(5), 1.0),
        (Position.empty(9), 7.5),
        (random_game(5, 14, 2).position(), 3.5),
        (random_game(6, 24, 5).position(), 2.0),
        (position(ko, BLACK, ko=10), 0.5),
        (position("..OX. X.XO. .X.OO OOO.. .O...", WHITE), 0.5),
        (random_game(9, 85, 3).position(), 0.5),
        (Position.empty(13), 7.5),
        (position(settled, BLACK), 0.5),
        (position(settled, BLACK, passes=1), -5.0),
        (position(".OX.X OOXXX OXXOO OXO.O .XOO.", BLACK), 0.5),
    ]


def many_eyes() -> Position:
    """A 19x19 board with 180 eyes and two other empty points; a hundred random tries often miss both."""
    rows = ["".join(".X"[(row + column) % 2] for column in range(19)) for row in range(19)]
    rows[9] = rows[9][:8] + "." + rows[9][9:]  # a point beside an empty one: two points that are no eyes
    return position(" ".join(rows), WHITE)


def observed(found: PlayoutStats) -> tuple[np.ndarray, np.ndarray]:
    """(Means, variances) of the observable values of a playout: length, its square, result, AMAF table."""
    n = found.playouts
    assert found.amaf is not None
    visits, wins = found.amaf.visits / n, found.amaf.wins / n
    means = np.concatenate([[found.mean_moves, found.black_rate], visits, wins])
    spread = np.concatenate(
        [[found.sd_moves**2, found.black_wins_squared / n - found.black_rate**2], visits * (1 - visits),
         wins * (1 - wins)]
    )  # fmt: skip
    return means, np.maximum(spread, 0)


def distance(a: PlayoutStats, b: PlayoutStats) -> float:
    """The greatest difference between two runs in standard errors; infinite if constant values differ."""
    (mean_a, var_a), (mean_b, var_b) = observed(a), observed(b)
    error = np.sqrt(var_a / a.playouts + var_b / b.playouts)
    gap = np.abs(mean_a - mean_b)
    surely = np.where(gap > 1e-9, math.inf, 0.0)
    return float(np.max(np.where(error > 0, gap / np.where(error > 0, error, 1), surely)))


@cache
def right(k: int) -> PlayoutStats:
    start, komi = starts()[k]
    return scalar.run(start, PLAYOUTS, komi, rng.stream(1, k), amaf=True)


def test_two_right_runs_do_not_differ() -> None:
    for k, (start, komi) in enumerate(starts()):
        again = scalar.run(start, PLAYOUTS // 4, komi, rng.stream(2, k), amaf=True)
        assert distance(right(k), again) < ALIKE


BLUNT = "uniform-modulo"  # too small an effect on any one number; it has a test of its own


@pytest.mark.parametrize("name", [name for name in KERNEL_FAULTS if name != BLUNT])
def test_kernel_fault_shows_in_some_position(name: str) -> None:
    far = 0.0
    for k, (start, komi) in enumerate(starts()):
        faulty = scalar.run(start, PLAYOUTS // 4, komi, rng.stream(3, k), amaf=True, faults=checked([name]))
        far = max(far, distance(right(k), faulty))
        if far > DIFFERENT:
            return
    pytest.fail(f"{name} is at most {far:.1f} standard errors from the right bot")


def test_kernel_with_faults_compiled_in_but_off_is_right() -> None:
    """A bit that no branch tests, next after the last one, must change nothing."""
    start = Position.empty(9)
    plain = scalar.trace(start, 7.5, rng.stream(9, 0))
    begin, only = start_of(start, 7.5), Records.zeros(1)
    log, credited = np.zeros(begin.limit, np.uint16), np.zeros(121, np.int64)
    sinks = Sinks(only.lengths, only.half_points, log, credited, empty_tally())
    kernel_with_faults(LOGGED)(begin, 1, first_state(rng.stream(9, 0)), sinks, 1 << 62)
    assert (only.lengths[0], only.half_points[0] / 2) == (plain.counted, plain.black_result)


def test_modulo_of_a_byte_never_reaches_the_end_of_a_long_list() -> None:
    """One move a playout, since the cap is in reach; on 19x19 the list has 361 points, a byte 256 values."""
    start = Position(19, np.zeros(361, np.int8), moves_made=3 * 361 - 1)
    found = scalar.run(start, 20_000, 7.5, rng.stream(1, 0), amaf=True, faults=checked([BLUNT]))
    assert found.amaf is not None
    assert found.amaf.visits[:256].all()
    assert not found.amaf.visits[256:].any()


def test_a_point_of_a_captured_stone_is_not_played_again_with_its_fault() -> None:
    def repeats(*faults: str) -> int:
        traces = [
            scalar.trace(Position.empty(5), 0.5, rng.stream(4, k), faults=checked(faults)) for k in range(50)
        ]
        played = [[move for move in trace.moves if move is not None] for trace in traces]
        return sum(len(moves) - len(set(moves)) for moves in played)

    assert repeats() > 0
    assert repeats("uniform-captured-dropped") == 0


def test_a_switch_is_named_after_its_attribute_and_survives_a_copy() -> None:
    assert Faults.CAPTURE_AT_MOST_32.name == "capture-at-most-32"
    assert checked(["ko-none", Faults.KO_NONE]) == {Faults.KO_NONE}
    assert pickle.loads(pickle.dumps(Faults.KO_NONE)) is Faults.KO_NONE
    assert copy.deepcopy({Faults.KO_NONE}) == {Faults.KO_NONE}


def test_the_facts_of_a_fault_that_a_diagnosis_needs() -> None:
    assert {name for name, fault in FAULTS.items() if not fault.readable} == {
        "refscore-percent", "refscore-comma", "nodes-decimals",
    }  # fmt: skip
    assert Faults.SEED_FIXED.in_search
    assert not Faults.NODES_DECIMALS.in_search
    assert not Faults.KOMI_FIRST_ONLY.in_search
