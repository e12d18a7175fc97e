import random
from collections import Counter

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats

from refbot.deviations.faults import FAULTS, checked
from refbot.rules import BLACK, WHITE, Game
from refbot.search import Search
from refbot.search.select import chances, choose
from tests.refbot.positions import random_game, set_up

RECORDS = {  # point: visits, wins. Best rate 2 and 5 (tie), most visits 1, most wins 1, safest 1, lowest 4
    0: (0, 0.0),
    1: (100, 66.0),
    2: (10, 8.0),
    3: (12, 9.5),
    4: (50, 5.0),
    5: (10, 8.0),
}
POINTS = np.array(list(RECORDS))
VISITS = np.array([visits for visits, _ in RECORDS.values()])
WINS = np.array([wins for _, wins in RECORDS.values()])


def chosen(
    fault: str | None = None,
    visits: npt.NDArray[np.int64] = VISITS,
    wins: npt.NDArray[np.float64] = WINS,
    after_pass: bool = False,
) -> set[int | None]:
    """The moves of 200 choices."""
    faults = checked([fault] if fault else [])
    return {
        choose(POINTS, visits, wins, after_pass=after_pass, faults=faults, rng=random.Random(seed))
        for seed in range(200)
    }


@pytest.mark.parametrize("after_pass", [False, True])
@pytest.mark.parametrize("fault", [None, *(n for n, fault in FAULTS.items() if fault.where == "selection")])
def test_chances_are_those_of_the_choice(fault: str | None, after_pass: bool) -> None:
    """`chances` of several searches at once, some without wins, some without visits."""
    faults = checked([fault] if fault else [])
    visits = np.stack([VISITS, VISITS, 0 * VISITS])
    wins = np.stack([WINS, 0.05 * WINS, 0.0 * WINS])
    found = chances(visits, wins, after_pass=after_pass, faults=faults)
    assert found.sum(axis=1) == pytest.approx(1.0)
    for row, own_visits, own_wins in zip(found, visits, wins, strict=True):
        moves = [None if point == len(POINTS) else int(POINTS[point]) for point in np.flatnonzero(row)]
        assert set(moves) == chosen(fault, own_visits, own_wins, after_pass)
        assert row[row > 0] == pytest.approx(1.0 / len(moves))


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        (None, {2, 5}),
        ("best-visits", {1}),
        ("best-wins", {1}),
        ("best-smoothed", {2, 3, 5}),  # 9/12, 10.5/14, 9/12
        ("best-lowest", {4}),
        ("best-lower-bound", {1}),
        ("best-random", {1, 2, 3, 4, 5}),
        ("ties-first", {2}),
        ("ties-last", {5}),
        ("unseen-as-won", {0}),
    ],
)
def test_rule_of_choice(fault: str | None, expected: set[int]) -> None:
    assert chosen(fault) == expected


def test_ties_are_broken_evenly() -> None:
    """The test fails a correct bot with probability 1e-9."""
    count = Counter(
        choose(
            POINTS, np.ones(6, int), np.ones(6), after_pass=False, faults=frozenset(), rng=random.Random(seed)
        )
        for seed in range(6000)
    )
    assert len(count) == 6
    assert stats.chisquare(list(count.values())).pvalue > 1e-9


NOTHING = np.zeros(6, int)


@pytest.mark.parametrize(
    ("fault", "visits", "wins", "after_pass", "right"),
    [
        ("pass-at-zero", VISITS, np.zeros(6), False, {1, 2, 3, 4, 5}),
        ("pass-when-losing", VISITS, VISITS / 16, False, {1, 2, 3, 4, 5}),
        ("pass-after-pass", VISITS, WINS, True, {2, 5}),
        ("unseen-passes", NOTHING, np.zeros(6), False, {0, 1, 2, 3, 4, 5}),
    ],
)
def test_fault_passes_where_a_right_bot_plays(fault, visits, wins, after_pass, right) -> None:  # type: ignore[no-untyped-def]
    assert chosen(fault, visits, wins, after_pass) == {None}
    assert chosen(None, visits, wins, after_pass) == right


def test_unseen_as_even_prefers_the_unseen_to_losing_points() -> None:
    assert chosen("unseen-as-even", wins=WINS / 4) == {0}
    assert chosen(None, wins=WINS / 4) == {2, 5}


def test_no_candidate_is_a_pass() -> None:
    none = np.zeros(0, int)
    assert choose(none, none, none * 1.0, after_pass=False, faults=frozenset(), rng=random.Random(1)) is None


# Whole searches


def test_search_chooses_the_best_rate_of_its_own_table() -> None:
    for colour in (BLACK, WHITE):
        for seed in range(20):
            game = random_game(6, 2 * seed, seed)
            result = Search(200, seed=seed).search(game, colour)
            visits, wins = result.amaf.visits, result.amaf.wins
            assert list(result.candidates) == list(game.candidates(colour))
            assert result.nodes == result.stats.moves
            assert result.score == pytest.approx(result.wins / 200)
            seen = [p for p in result.candidates if visits[p]]
            if seen:
                best = max(wins[p] / visits[p] for p in seen)
                assert result.move in seen
                assert wins[result.move] / visits[result.move] == best
            elif len(result.candidates):
                assert result.move in result.candidates
            else:
                assert result.move is None


def test_search_without_candidates_passes_and_has_nodes() -> None:
    game = Game(5, komi=-5.0)
    set_up(".X.X. XXXXX OOOOO O.O.O .O.O.", game)
    for colour in (BLACK, WHITE):
        result = Search(50, seed=1).search(game, colour)
        assert (result.move, result.nodes, result.score) == (None, 100, 0.5)


def test_searches_draw_fresh_numbers_and_can_be_repeated() -> None:
    game = Game(5)

    def nodes(seed: int | None) -> list[int]:
        search = Search(100, seed=seed)
        return [search.search(game, BLACK).nodes for _ in range(5)]

    assert nodes(3) == nodes(3)
    assert len(set(nodes(3))) > 1
    assert nodes(None) != nodes(None)


def row(fault: str | None, searches: int = 8, colour: int = WHITE, size: int = 5, komi: float = 7.5):  # type: ignore[no-untyped-def]
    """Several searches of one position by one bot."""
    search = Search(100, frozenset({fault} if fault else ()), seed=5)
    game = Game(size, komi)
    return [search.search(game, colour) for _ in range(searches)]


def test_faults_of_the_seed() -> None:
    assert len({r.nodes for r in row("seed-fixed")}) == 1
    seldom = [(r.nodes, r.score) for r in row("seed-seldom")]  # equal sums of moves happen by chance
    assert len(set(seldom[:4])) == len(set(seldom[4:])) == 1
    assert seldom[0] != seldom[4]
    tenfold = row("playouts-tenfold")[0]
    assert (tenfold.playouts, tenfold.nodes % 10) == (100, 0)
    assert (tenfold.score * 10) == pytest.approx(round(tenfold.score * 10))


def test_faults_of_the_reported_nodes() -> None:
    nodes = [r.nodes for r in row(None, 3)]
    assert [r.nodes for r in row("nodes-average", 3)] == [round(n / 100) for n in nodes]
    assert [r.nodes for r in row("nodes-cumulative", 3)] == list(np.cumsum(nodes))
    assert [r.nodes for r in row("nodes-stale", 3)] == [0, *nodes[:2]]
    assert [r.nodes for r in row("nodes-playouts", 3)] == [100] * 3


def test_records_of_the_game_are_those_of_all_searches_since_the_last_clear() -> None:
    game, right, kept = Game(5), Search(100, seed=5), Search(100, {"records-of-the-game"}, seed=5)
    for searches in (1, 2, 3):
        own = [right.search(game, BLACK).amaf.visits for _ in range(searches)]
        assert [list(kept.search(game, BLACK).amaf.visits) for _ in own] == np.cumsum(own, axis=0).tolist()
        game.play(BLACK, 12)
        game.clear()


def test_faults_of_the_reported_score() -> None:
    """White's search on 9x9 with komi 7: about one playout in forty is a draw."""
    right = row(None, 1, size=9, komi=7.0)[0]
    draws = right.stats.draws
    assert draws > 0
    scores = {
        "refscore-black": 1 - right.score,
        "refscore-white": right.score,
        "refscore-inverted": 1 - right.score,
        "refscore-draws-zero": right.score - draws / 200,
        "refscore-percent": 100 * right.score,
        "refscore-best-move": right.amaf.wins[right.move] / right.amaf.visits[right.move],
    }
    for fault, score in scores.items():
        assert row(fault, 1, size=9, komi=7.0)[0].score == pytest.approx(score)
    black = row(None, 1, BLACK)[0].score
    assert row("refscore-white", 1, BLACK)[0].score == pytest.approx(1 - black)
