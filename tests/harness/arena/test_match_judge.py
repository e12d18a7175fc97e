"""Judging: made-up results in a real store, the tables worked out by hand or by an independent count."""

import itertools
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings

from harness.arena.judge.duplicates import LEAST_MOVES
from harness.arena.judge.judge import judge
from harness.arena.judge.live import LiveJudge
from harness.arena.pairings import Pairing, pairings
from harness.arena.records import Ending, Introduction, Played, Search
from harness.arena.store.store import Store
from harness.arena.verdicts import (
    DIFFERENT,
    EQUAL,
    FAILED,
    PASSED,
    STRONGER,
    UNDECIDED,
    WEAKER,
)
from harness.cli.match import exit_code
from harness.go import symmetries
from harness.gtp import format_vertex, parse_vertex
from tests.harness.arena.match_helpers import MakeConfig
from tests.harness.arena.stored_runs import record

RESULTS = {
    "b": Ending("score", "B+1.5", "b"),
    "w": Ending("score", "W+1.5", "w"),
    "d": Ending("score", "0", None),
}
CRASH = Ending("crash", "W+F", "w", "b", "gone")
VERTICES = [f"{letter}{row}" for letter in "ABCDE" for row in range(1, 6)]


def in_turn(vertices: Sequence[str]) -> tuple[Played, ...]:
    """The moves of a game, Black first."""
    return tuple(Played("w" if place % 2 else "b", vertex) for place, vertex in enumerate(vertices))


class Run:
    """A store that is filled by hand."""

    def __init__(self, store: Store, config) -> None:
        self.store = store
        self.config = config
        self.fresh = itertools.permutations(VERTICES, 4)  # no two games alike, unless asked for

    def add(
        self, pair: Pairing, number: int, ending: Ending | str, moves: Sequence[str] | None = None
    ) -> None:
        chosen = ending if isinstance(ending, Ending) else RESULTS[ending]
        played = in_turn(next(self.fresh) if moves is None else moves)
        self.store.add(record(pair.game(number), board=(5, 7.5), ending=chosen, moves=played, searches=()))

    def judge(self):
        return judge(self.store, self.config)


@pytest.fixture
def make_run(tmp_path: Path, make_config: MakeConfig) -> Iterator[object]:
    stores: list[Store] = []

    def make(names: str = "ab", **run: object) -> Run:
        config = make_config(dict.fromkeys(names, "x"), **run)
        store = Store.create(tmp_path / str(len(stores)))
        store.set_config(config, "now")
        stores.append(store)
        return Run(store, config)

    yield make
    for store in stores:
        store.close()


AB = pairings(["a", "b"], "round-robin")[0]


def test_points_and_crosstable_count_what_is_not_void(make_run) -> None:
    run = make_run("abc", games=4)
    ab, ac, bc = pairings(list("abc"), "round-robin")
    for pair, endings in ((ab, "bbwd"), (ac, "bwdd")):  # the first engine is Black in games 1 and 3
        for number, ending in enumerate(endings, 1):
            run.add(pair, number, ending)
    run.add(bc, 1, CRASH)
    run.add(bc, 2, "b")  # c is Black
    verdicts = run.judge()
    # a - b: a wins 1, loses 2 and 3, draws 4; a - c: a wins 1, wins 2 (as White), draws 3 and 4
    met = {pair: (found.points, found.games) for pair, found in verdicts.crosstable.items()}
    assert met["a", "b"] == (1.5, 4)
    assert met["b", "a"] == (2.5, 4)
    assert met["a", "c"] == (3.0, 4)
    assert met["c", "b"] == (1.0, 1)
    rows = {row.bot: row for row in verdicts.standings}
    assert (rows["a"].games, rows["a"].points, rows["a"].voids) == (8, 4.5, 0)
    assert (rows["b"].games, rows["b"].points, rows["b"].voids, rows["b"].crashes) == (5, 2.5, 1, 1)
    assert (rows["c"].games, rows["c"].points, rows["c"].voids, rows["c"].crashes) == (5, 2.0, 1, 0)
    assert verdicts.failures["b"] == {"crash": 1}
    assert not verdicts.sound
    # Black's points: a-b 1,1,0,½; a-c 1,0,½,½; b-c (game 2) 1
    assert (verdicts.black_points, verdicts.black_games) == (5.5, 9)
    assert [row.rank for row in verdicts.standings] == [1, 2, 3]


def test_the_crosstable_has_the_mean_time_of_a_game(make_run) -> None:
    run = make_run("ab", games=4)
    taken = {1: (1.5, 0.5), 2: (2.0, 4.0)}  # seconds of Black and White; a is Black in game 1
    for number, (black, white) in taken.items():
        searches = (Search(1, "b", "E5", None, None, black), Search(2, "w", "E4", None, None, white))
        moves = (Played("b", f"A{number}"), Played("w", "E4"))
        run.store.add(
            record(AB.game(number), board=(5, 7.5), ending=RESULTS["b"], moves=moves, searches=searches)
        )
    run.add(AB, 3, CRASH)
    met = run.judge().crosstable
    assert met["a", "b"].seconds_per_game == met["b", "a"].seconds_per_game == pytest.approx(4.0)


def test_a_pair_with_a_void_or_repeated_game_is_left_out_of_parity(make_run) -> None:
    run = make_run(games=10)
    for number, ending in enumerate(["b", "b", CRASH, "b", "w", "w"], 1):
        run.add(AB, number, ending)
    line = VERTICES[:LEAST_MOVES]
    run.add(AB, 7, "b", line)
    run.add(AB, 8, "b", line)  # colours exchanged: no repetition
    run.add(AB, 9, "b", line)
    run.add(AB, 10, "b")
    verdicts = run.judge()
    (row,) = verdicts.parity
    # Games 1, 2: 1 + 0; 5, 6: 0 + 1; 7, 8: 1 + 0; of the others one is void, one repeated.
    assert (row.games, row.score_a) == (6, 0.5)
    assert verdicts.duplicates == {"p001-g00009": "p001-g00007"}


def test_a_rotated_game_is_the_same_game(make_run) -> None:
    """40 games that are one game in eight rotations and reflections count once with each colour."""
    run = make_run(games=40)
    line = random.Random(1).sample(VERTICES, LEAST_MOVES + 3)
    turned = [[format_vertex(image(parse_vertex(vertex, 5))) for vertex in line] for image in symmetries(5)]
    for number in range(1, 41):
        run.add(AB, number, "b", turned[number // 2 % 8])
    verdicts = run.judge()
    (row,) = verdicts.parity
    assert (row.games, row.wins, row.losses, row.pair_counts) == (2, 1, 1, "0 0 1 0 0")
    assert len(verdicts.duplicates) == 38
    assert set(verdicts.duplicates.values()) == {"p001-g00001", "p001-g00002"}


def test_games_with_one_other_move_are_no_rotations_of_each_other(make_run) -> None:
    run = make_run(games=4)
    line = random.Random(1).sample(VERTICES, LEAST_MOVES + 3)
    other = [*line[:-2], line[-1], line[-2]]
    run.add(AB, 1, "b", line)
    run.add(AB, 2, "b", line)
    run.add(AB, 3, "b", other)
    run.add(AB, 4, "b", [format_vertex(list(symmetries(5))[5](parse_vertex(v, 5))) for v in other])
    assert run.judge().duplicates == {}


def test_games_of_tiny_boards_repeat_by_chance(make_run) -> None:
    run = make_run(games=4, size=4)
    line = random.Random(1).sample(VERTICES, LEAST_MOVES + 3)
    for number in range(1, 5):
        played = in_turn(line)
        run.store.add(record(AB.game(number), board=(4, 7.5), ending=RESULTS["b"], moves=played, searches=()))
    assert run.judge().duplicates == {}


def test_games_that_end_at_once_all_count(make_run) -> None:
    """One bot resigns at its first move in 4 of 10 games. These games are alike, and no duplicates."""
    run = make_run(games=20)
    long_games = (rng.sample(VERTICES, LEAST_MOVES + 3) for rng in map(random.Random, itertools.count()))
    for number in range(1, 21):
        a_is_black = number % 2 == 1
        if number % 5 in (1, 2):  # a resigns
            opponent_moved = [] if a_is_black else ["C3"]
            ending = Ending("resign", "W+R", "w") if a_is_black else Ending("resign", "B+R", "b")
            run.add(AB, number, ending, opponent_moved)
        else:
            run.add(AB, number, "b", next(long_games))
    verdicts = run.judge()
    assert verdicts.duplicates == {}
    (row,) = verdicts.parity
    (standing,) = [s for s in verdicts.standings if s.bot == "a"]
    assert (row.games, row.score_a) == (20, standing.score)


def test_the_moves_of_an_opening_are_no_choice_of_the_bots(make_run) -> None:
    run = make_run(games=8)
    line = VERTICES[: LEAST_MOVES + 1]
    for number, opening_moves in enumerate((2, 2, 2, 2, 1, 1, 1, 1), 1):  # of 21 moves
        moves = in_turn(line)
        run.store.add(
            record(
                AB.game(number),
                board=(5, 7.5),
                ending=RESULTS["b"],
                moves=moves if opening_moves == 2 else moves[::-1],
                opening_moves=opening_moves,
                searches=(),
            )
        )
    assert run.judge().duplicates == {"p001-g00007": "p001-g00005", "p001-g00008": "p001-g00006"}


@pytest.mark.parametrize("early", [0.0, 0.4])
def test_bots_with_fresh_random_numbers_lose_no_game(make_run, early: float) -> None:
    """On the smallest board, with few good moves: lines repeat in their first moves, and games end early."""
    rng = random.Random(7)
    run = make_run(games=200)
    for number in range(1, 201):
        length = rng.randrange(3) if rng.random() < early else rng.randrange(LEAST_MOVES, 60)
        run.add(AB, number, rng.choice("bw"), [rng.choice(VERTICES[:3]) for _ in range(length)])
    verdicts = run.judge()
    assert verdicts.duplicates == {}
    assert verdicts.parity[0].games == 200


def test_results_wait_for_the_games_before_them(make_run) -> None:
    run = make_run(games=8)
    for number in (1, 2, 5, 6):
        run.add(AB, number, "b")
    assert run.judge().parity[0].games == 2
    run.add(AB, 4, "b")
    assert run.judge().parity[0].games == 2
    run.add(AB, 3, "b")
    assert run.judge().parity[0].games == 6


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20, deadline=None)
@given(st.lists(st.sampled_from("bwd"), min_size=8, max_size=8), st.randoms(use_true_random=False))
def test_the_order_of_completion_changes_nothing(make_run, endings: list[str], rng: random.Random) -> None:
    ordered, shuffled = make_run(games=8), make_run(games=8)
    for run in (ordered, shuffled):
        numbers = list(range(1, 9))
        moves = [[VERTICES[number], VERTICES[number + 1]] for number in numbers]
        if run is shuffled:
            rng.shuffle(numbers)
        for number in numbers:
            run.add(AB, number, endings[number - 1], moves[number - 1])
    assert ordered.judge() == shuffled.judge()


def test_equal_different_and_undecided(make_run) -> None:
    run = make_run("abc", games=2000, margin=0.1)
    ab, ac, bc = pairings(list("abc"), "round-robin")
    for number in range(1, 601):
        run.add(ab, number, "bw"[(number // 2) % 2])  # each pair of games: one win each way
    for number in range(1, 101):
        run.add(ac, number, "b" if number % 2 else "w")  # a wins all
    run.add(bc, 1, "b")
    by_pair = {(row.bot_a, row.bot_b): row.verdict for row in run.judge().parity}
    assert by_pair == {("a", "b"): EQUAL, ("a", "c"): DIFFERENT, ("b", "c"): UNDECIDED}
    live = LiveJudge(run.store, run.config)
    live.judge_new()
    judged = live.verdicts()
    decided = zip(judged.pairs, judged.parity, strict=True)
    assert [pair.number for pair, row in decided if row.verdict != UNDECIDED] == [ab.number, ac.number]
    verdicts = run.judge()
    assert verdicts.parity[2].games_needed > 0
    assert not verdicts.sound
    assert not verdicts.decided


def test_a_run_without_games_is_judged(make_run) -> None:
    verdicts = make_run("abc").judge()
    assert [row.verdict for row in verdicts.parity] == [UNDECIDED] * 3
    assert verdicts.sound
    assert not verdicts.decided
    assert all(row.score is None for row in verdicts.standings)


def test_playouts_on_the_empty_board_are_held_against_the_table(make_run) -> None:
    run = make_run("abc", games=400, size=9)
    ab, ac, _ = pairings(list("abc"), "round-robin")
    for name, playouts in (("a", 1000), ("b", 1000)):
        run.store.introduce(Introduction(name, "", "", playouts))
    rng = random.Random(1)
    # Lengths of 1,000 playouts add up to 111,057 ± 507 for a right bot; b's playouts are 2 % too short.
    for number in range(1, 401):
        game = ab.game(number)
        mean = 111_057 if game.black == "a" else 0.98 * 111_057
        nodes = round(rng.gauss(mean, 507))
        first = Search(1, "b", "E5", nodes, 0.4, 0.1)
        run.store.add(record(game, moves=(Played("b", next(run.fresh)[0]),), searches=(first,)))
    unknown = record(
        ac.game(2), searches=(Search(1, "b", "E5", 5, 0.4, 0.1),)
    )  # c never reported its playouts
    run.store.add(unknown)
    rows = {row.bot: row for row in run.judge().playouts}
    assert set(rows) == {"a", "b"}
    assert rows["a"].searches == rows["b"].searches == 200
    assert rows["a"].playouts == 200_000
    assert rows["a"].verdict == EQUAL
    assert rows["b"].verdict == DIFFERENT
    assert rows["b"].nodes_per_playout == pytest.approx(0.98 * 111.057, abs=0.2)
    assert rows["b"].high < 0


def decided_run(make_run, judge, *, first_is_stronger: bool) -> Any:
    """The verdicts on a run in which one bot wins three of four games."""
    run = make_run(games=200, judge=judge)
    for number in range(1, 201):
        first_wins = (number % 4 != 0) == first_is_stronger
        first_is_black = number % 2 == 1
        run.add(AB, number, "b" if first_wins == first_is_black else "w")
    return run.judge()


@pytest.mark.parametrize(
    ("judge", "winning", "losing"),
    [
        ({"kind": "sprt", "elo1": 100}, PASSED, FAILED),
        ({"kind": "sprt", "elo1": 100, "model": "normalized"}, PASSED, FAILED),
        ("stronger", STRONGER, WEAKER),
    ],
)
def test_the_question_of_the_config_is_answered(make_run, judge, winning, losing) -> None:
    """The first bot loses one of four games in one run, and wins one of four in the other."""
    for place, (verdict, sound) in enumerate([(winning, True), (losing, False)]):
        verdicts = decided_run(make_run, judge, first_is_stronger=place == 0)
        (row,) = verdicts.parity
        assert row.verdict == verdict
        assert (row.wins, row.losses, row.draws) == ((150, 50, 0) if place == 0 else (50, 150, 0))
        assert row.pair_counts == ("0 0 50 0 50" if place == 0 else "50 0 50 0 0")
        assert (verdicts.sound, verdicts.decided) == (sound, True)
        assert row.elo == pytest.approx(191 if place == 0 else -191, abs=1)
        assert row.elo_low < row.elo < row.elo_high
        if isinstance(judge, dict):
            assert not row.llr_low < row.llr < row.llr_high
        else:
            assert row.llr is None


def test_a_question_is_open_without_games(make_run) -> None:
    for question in ("parity", "stronger", {"kind": "sprt"}):
        verdicts = make_run(judge=question).judge()
        assert [row.verdict for row in verdicts.parity] == [UNDECIDED]
        assert not verdicts.decided
        assert verdicts.sound


def test_parity_takes_its_levels_from_either_table(make_run) -> None:
    """A wide margin, from [run] or from [judge], makes bots equal that a narrow one leaves undecided."""
    wide, in_judge, narrow = (
        make_run(games=400, margin=0.2),
        make_run(games=400, judge={"kind": "parity", "margin": 0.2}),
        make_run(games=400),
    )
    rows = []
    for run in (wide, in_judge, narrow):
        for number in range(1, 401):
            run.add(AB, number, "bw"[number // 2 % 2])
        rows.append(run.judge().parity[0])
    assert rows[0] == rows[1]
    assert [row.verdict for row in rows] == [EQUAL, EQUAL, UNDECIDED]


@pytest.mark.parametrize(
    ("judge", "first_is_stronger", "expected", "code"),
    [
        ("parity", True, None, 1),
        ("stronger", True, None, 0),
        ("stronger", False, None, 0),
        ("stronger", True, "stronger", 0),
        ("stronger", False, "stronger", 1),
        ("stronger", True, "not-stronger", 1),
        ("stronger", False, "not-stronger", 0),
        ({"kind": "sprt", "elo1": 100}, False, None, 0),
        ({"kind": "sprt", "elo1": 100}, False, "stronger", 1),
        ({"kind": "sprt", "elo1": 100}, False, "not-stronger", 0),
        ({"kind": "sprt", "elo1": 100}, True, "not-stronger", 1),
    ],
)
def test_either_answer_ends_with_0_unless_one_is_expected(
    make_run, judge, first_is_stronger, expected, code
) -> None:
    verdicts = decided_run(make_run, judge, first_is_stronger=first_is_stronger)
    assert exit_code(verdicts, complete=True, expected=expected) == code
    assert exit_code(verdicts, complete=False, expected=expected) == 130
