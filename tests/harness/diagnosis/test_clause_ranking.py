"""The ranking of clauses: its coefficients by their definitions, and what each mark speaks for."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.check.clauses import CLAUSES, Part
from harness.check.model import Level
from harness.diagnosis.clause_marks import EMPTY_BOARDS, SIMPLEST
from harness.diagnosis.clause_parts import REACH, Pattern, pattern_of
from harness.diagnosis.clause_ranking import coefficient, rank_clauses
from harness.diagnosis.deviations import Channel, Deviations
from harness.diagnosis.komi_fit import KomiFit
from harness.diagnosis.pointing import is_direct
from harness.diagnosis.spectrum import Spectrum
from harness.suite.registry import CHECKS

PROBES = [f"probe-{number}" for number in range(100)]


def deviating(lengths: int = 0, results: int = 0, moves: int = 0) -> Deviations:
    numbers = zip(Channel, (lengths, results, moves), strict=True)
    return Deviations(
        dict.fromkeys(Channel, frozenset(PROBES)),
        {channel: frozenset(PROBES[:number]) for channel, number in numbers},
    )


def spectrum(
    failing: Collection[str], seen: Deviations | None = None, fit: KomiFit | None = None
) -> Spectrum:
    checks = [check for check in CHECKS if check.level is Level.MUST]
    failed = [check for check in checks if check.id in failing]
    assert len(failed) == len(failing)
    passed = [check for check in checks if check.id not in failing]
    return Spectrum(failed, passed, seen or deviating(), frozenset(), fit)


def of(clause: str) -> list[str]:
    return [c.id for c in CHECKS if c.clause == clause and c.level is Level.MUST]


@given(st.tuples(*[st.integers(0, 30)] * 3))
def test_a_coefficient_is_a_share_and_grows_with_failures(counts: tuple[int, int, int]) -> None:
    failing, passing, others = counts
    value = coefficient(failing, passing, max(1, failing + others))
    assert 0.0 <= value <= 1.0
    assert (value == 0.0) == (failing == 0)
    assert coefficient(failing, passing + 1, max(1, failing + others)) <= value


def test_every_part_of_a_bot_has_a_reach() -> None:
    assert {clause.part for clause in CLAUSES.values()} == set(REACH) == set(Part)
    assert all(0.0 < chance <= 1.0 for reach in REACH.values() for chance in reach.values())


def test_probabilities_add_up_and_fall() -> None:
    ranked = rank_clauses(spectrum(of("eye")[:3], deviating(20, 10, 3)))
    shares = [share for _, share in ranked]
    assert {clause for clause, _ in ranked} == set(CLAUSES)
    assert sum(shares) == pytest.approx(1.0)
    assert shares == sorted(shares, reverse=True)


@pytest.mark.parametrize("clause", [name for name, clause in CLAUSES.items() if clause.level is Level.MUST])
def test_a_clause_whose_checks_alone_fail_comes_first(clause: str) -> None:
    own = [check for check in CHECKS if check.clause == clause and check.level is Level.MUST]
    assert rank_clauses(spectrum([check.id for check in own]))[0][0] == clause


@pytest.mark.parametrize(
    ("seen", "pattern"),
    [
        (deviating(), Pattern.NOTHING),
        (deviating(1, 1, 1), Pattern.NOTHING),  # by chance
        (deviating(moves=20), Pattern.MOVES),
        (deviating(results=20), Pattern.RESULTS),
        (deviating(results=20, moves=5), Pattern.RESULTS_AND_MOVES),
        (deviating(lengths=10), Pattern.FEW_LENGTHS),
        (deviating(lengths=90), Pattern.MANY_LENGTHS),
        (deviating(lengths=90, results=40), Pattern.LENGTHS_AND_RESULTS),
    ],
)
def test_patterns(seen: Deviations, pattern: Pattern) -> None:
    assert pattern_of(seen) is pattern


def first(failing: list[str], seen: Deviations, fit: KomiFit | None = None) -> str:
    return rank_clauses(spectrum(failing, seen, fit))[0][0]


def lengths_and_results() -> list[str]:
    """Every check that compares ref-nodes or ref-score with a known mean."""
    reading = [check for check in CHECKS if check.requires.commands and check.level is Level.MUST]
    return [check.id for check in reading if check.clause != "fresh-randomness"]


@pytest.mark.parametrize(
    ("general", "own", "clause"),
    [
        ("gtp.admin.arguments-missing", "gtp.handicap.fixed-argument", "gtp-handicap"),
        ("gtp.admin.arguments-wrong", "gtp.clock.left-argument", "gtp-time"),
        ("gtp.kept.queries", "gtp.shown.keeps", "gtp-position"),
        ("gtp.kept.clear", "game.ko.new-game", "simple-ko"),
        ("gtp.asked.game", "game.superko.forgets", "superko"),
    ],
)
def test_a_check_of_all_commands_does_not_hide_the_one_that_fails_it(
    general: str, own: str, clause: str
) -> None:
    assert first([general, own], deviating()) == clause
    assert first([general], deviating()) == "gtp"


@pytest.mark.parametrize(
    ("failing", "clause"),
    [
        (["gtp.record.komi", "gtp.setup.komi"], "gtp"),
        (["gtp.record.size", "gtp.record.load", "gtp.setup.boardsize-edge"], "gtp"),
        (["game.final-score", "game.komi.in-game"], "komi"),
    ],
)
def test_a_command_that_another_one_makes_use_of_comes_first(failing: list[str], clause: str) -> None:
    assert first(failing, deviating()) == clause


def test_searches_of_one_clause_alone_are_not_the_probabilities_of_moves() -> None:
    corner = ["ref.eye.corner", "ref.eye.corner-white", "ref.end.04", "ref.end.06"]
    assert first(corner, deviating(lengths=4, results=2)) == "eye"
    assert first([*corner, "ref.uniform.rows"], deviating(lengths=4, results=2)) == "uniform"


def test_wrong_lengths_everywhere_without_a_wrong_result_are_the_count() -> None:
    assert first(lengths_and_results(), deviating(lengths=90)) == "ref-nodes"


def test_wrong_results_without_wrong_moves_are_the_score() -> None:
    of_searches = [check for check in of("komi") if not check.startswith("gtp.kept.")]  # which see no score
    failing = [*of("ref-score"), *of_searches, *of("area-scoring"), *of("eye")]
    assert first(failing, deviating(results=60)) == "ref-score"


def test_results_of_another_komi_are_the_komi() -> None:
    failing = [*of("komi"), *of("area-scoring")]
    seen = deviating(results=60, moves=20)
    assert first(failing, seen, KomiFit(shifted=True, drawn=False)) == "komi"
    assert first(failing, seen, KomiFit(shifted=False, drawn=False)) == "area-scoring"


def test_wrong_moves_alone_are_no_rule_of_a_playout() -> None:
    failing = [*of("amaf"), "ref.eye.edge", "ref.eye.edge-white"]
    ranked = dict(rank_clauses(spectrum(failing, deviating(moves=30))))
    assert ranked["amaf"] > ranked["eye"]


def test_fewer_moves_than_playouts_speak_for_ref_nodes() -> None:
    failing = ["ref.nodes.six", "ref.passes.last-point", "ref.ko.two-white", "ref.cap.one"]
    seen = deviating(lengths=30)
    assert rank_clauses(spectrum(failing, seen))[0][0] != "ref-nodes"
    assert (
        rank_clauses(spectrum(failing, replace(seen, impossible=frozenset(PROBES[:1]))))[0][0] == "ref-nodes"
    )


def test_passes_too_many_make_simple_positions_longer_and_games_shorter() -> None:
    failing = [*of("forced-pass"), *of("two-passes"), *of("eye")[:9]]
    seen = replace(deviating(lengths=80, results=80), longer=SIMPLEST)
    assert first(failing, seen) == "eye"
    assert first(failing, replace(seen, shorter=EMPTY_BOARDS)) == "forced-pass"


def test_one_pass_more_ends_playouts_and_a_pass_now_and_then_is_not_forced() -> None:
    failing = [*of("forced-pass"), *of("two-passes"), *of("eye")[:9]]
    seen = replace(deviating(lengths=80, results=80), longer=SIMPLEST)
    assert first(failing, replace(seen, gaps=dict.fromkeys(SIMPLEST, 1.0))) == "two-passes"
    assert first(failing, replace(seen, gaps=dict.fromkeys(SIMPLEST, 0.04))) == "forced-pass"
    assert first(failing, replace(seen, gaps=dict.fromkeys(SIMPLEST, 6.0))) == "eye"


def test_playouts_that_are_shorter_nearly_everywhere_end_before_their_time() -> None:
    failing = ["ref.passes.game", "ref.passes.between", "ref.passes.forced", *of("eye")[:5]]
    seen = replace(deviating(lengths=60, results=60), shorter=frozenset(PROBES[:60]))
    assert first(failing, seen) == "two-passes"
    assert first(failing, replace(seen, longer=frozenset(PROBES[60:70]))) == "eye"


def test_lengths_that_are_too_great_after_an_earlier_search_of_the_game_alone_are_of_ref_nodes() -> None:
    failing = ["ref.state.nodes-searched", "ref.state.ko-generated"]
    wrong = frozenset(PROBES[:3])
    seen = replace(deviating(lengths=3), longer=wrong, resumed=frozenset(PROBES[:5]))
    assert first(failing, seen) == "ref-nodes"
    assert first(failing, replace(seen, resumed=frozenset(PROBES[:2]))) != "ref-nodes"


def test_a_ban_of_a_ko_changes_lengths_in_one_direction() -> None:
    failing = [*of("eye")[:6], "ref.ko.two", "ref.ko.two-white", "ref.ko.taker-again"]
    longer = replace(deviating(lengths=40, results=10), longer=frozenset(PROBES[:40]))
    both = replace(longer, longer=frozenset(PROBES[:25]), shorter=frozenset(PROBES[25:40]))
    assert first(failing, longer) == "simple-ko"
    assert first(failing, both) == "eye"


def test_other_chances_of_moves_do_not_make_playouts_longer_everywhere() -> None:
    failing = ["ref.suicide.two", "ref.empty.length", "ref.empty.score", "ref.midgame.1"]
    longer = replace(deviating(lengths=30, results=20), longer=frozenset(PROBES[:30]))
    both = replace(longer, longer=frozenset(PROBES[:15]), shorter=frozenset(PROBES[15:30]))
    assert first(failing, longer) == "no-suicide"
    assert first(failing, both) == "uniform"


def test_results_that_are_wrong_where_the_cap_ends_playouts_and_nowhere_else_are_the_cap() -> None:
    failing = ["ref.cap.scored", "ref.score.region-black", "ref.score.region-white", "ref.uniform.rows"]
    seen = deviating(results=12, moves=4)
    assert first(failing, seen) == "area-scoring"
    assert first(failing, replace(seen, capped=frozenset(PROBES[:30]))) == "move-cap"


def test_wrong_rates_spoil_every_choice_and_wrong_records_some() -> None:
    choices = [check for check in (*of("amaf"), *of("best-rate")) if check.startswith("ref.choice.")]
    assert first(choices, deviating(moves=40)) == "best-rate"
    assert first(choices[1:], deviating(moves=40)) == "best-rate"  # two candidates are nearly as good
    assert first(choices[::2], deviating(moves=40)) == "amaf"


def test_moves_of_equal_chances_do_not_come_from_a_rate() -> None:
    """Wrong records still prefer some moves: where both show, the records are wrong."""
    choices = [check for check in (*of("amaf"), *of("best-rate")) if check.startswith("ref.choice.")][::2]
    seen = replace(deviating(moves=40), scattered=frozenset(PROBES[:8]))
    assert first(choices, seen) == "best-rate"
    assert first(choices, replace(seen, uneven=frozenset(PROBES[8:12]))) == "amaf"


def test_results_of_the_other_side_are_the_score() -> None:
    failing = [*of("ref-score")[:2], *of("komi")[:4], *of("simple-ko")[:3]]
    seen = deviating(results=40)
    assert first(failing, seen, KomiFit(shifted=True, drawn=False)) == "komi"
    mirrored = replace(seen, mirrored=frozenset(PROBES[:40]))
    assert first(failing, mirrored, KomiFit(shifted=True, drawn=False)) == "ref-score"
    few = replace(seen, mirrored=frozenset(PROBES[:20]))  # a wrong komi turns only some results round
    assert first(failing, few, KomiFit(shifted=True, drawn=False)) == "komi"


def test_searches_that_vary_too_much_everywhere_count_playouts_several_times() -> None:
    failing = [of("fresh-randomness")[0], *of("uniform")[:2], "ref.eye.corner"]
    found = spectrum(failing, deviating(lengths=11, results=9, moves=5))
    assert rank_clauses(found)[0][0] == "uniform"
    assert rank_clauses(replace(found, spread=2.0))[0][0] == "fresh-randomness"


def test_a_wrong_choice_among_seen_candidates_is_not_about_unseen_ones() -> None:
    assert first(["ref.choice.unseen"], deviating()) == "unseen"
    assert first(["ref.choice.unseen", "ref.choice.rare"], deviating()) == "best-rate"


def test_a_rule_may_be_right_in_the_game_and_wrong_in_playouts() -> None:
    """What a dialogue shows to be right says nothing of playouts."""
    failing = ["ref.ko.two", "ref.ko.two-white", "ref.eye.edge", "ref.eye.edge-white"]
    assert first(failing, deviating(lengths=10, results=10)) == "simple-ko"


def test_repeated_searches_do_not_move_every_mean() -> None:
    failing = [*of("fresh-randomness")[:2], *of("ref-nodes"), *of("eye")]
    assert first(failing, deviating(lengths=90)) != "fresh-randomness"


def test_an_exploration_is_about_no_clause_alone() -> None:
    explorations = [check for check in CHECKS if check.id.endswith(".explore")]
    assert len(explorations) > 1
    assert not any(map(is_direct, explorations))


def of_lengths(gap: float, number: int = 6) -> Spectrum:
    """Playouts of one length that are all longer or shorter by the same number of moves."""
    own = frozenset(PROBES[:number])
    seen = replace(deviating(lengths=number, results=5), gaps=dict.fromkeys(own, gap))
    return Spectrum([], [], replace(seen, longer=own) if gap > 0 else replace(seen, shorter=own), own)


def among(found: Spectrum, *failing: str) -> str:
    checks = spectrum(failing)
    return rank_clauses(replace(found, failing=checks.failing, passing=checks.passing))[0][0]


def test_a_pass_now_and_then_makes_few_playouts_of_a_fixed_length_longer() -> None:
    failing = ("ref.ko.two", "ref.ko.two-white", "ref.passes.last-point")
    assert among(of_lengths(0.02), *failing) == "forced-pass"
    assert among(of_lengths(3.0), *failing) == "simple-ko"


def test_playouts_that_are_longer_by_many_moves_are_not_of_a_wrong_pass() -> None:
    failing = ["ref.passes.last-point", "ref.passes.last-point-white", "ref.eye.opponent"]
    plans = [check.procedure.search_plan for check in CHECKS if check.id in failing[:2]]
    probes = [plan.probe.id for plan in plans if plan is not None]
    found = of_lengths(15.0)
    longer = replace(found.deviations, gaps=dict.fromkeys(probes, 15.0))
    by_passes = replace(found.deviations, gaps=dict.fromkeys(probes, 1.0))
    assert among(replace(found, deviations=longer), *failing) == "eye"
    assert among(replace(found, deviations=by_passes), *failing) == "forced-pass"


def test_playouts_that_end_early_fail_the_checks_of_most_rules() -> None:
    failing = ("ref.passes.forced", "ref.passes.game", "ref.eye.edge", "ref.ko.two", "ref.state.another-game")
    assert among(of_lengths(-2.0), *failing) == "forced-pass"
    assert among(of_lengths(-2.0), "ref.ko.two", "ref.ko.root") == "simple-ko"


def test_a_count_of_sixteen_bits_is_no_rule_of_playouts() -> None:
    found = of_lengths(-65.5, 3)
    wrapped = replace(found, deviations=replace(found.deviations, wrapped=found.deviations.shorter))
    assert among(found, "ref.empty.length", "ref.midgame.2") == "uniform"
    assert among(wrapped, "ref.empty.length", "ref.midgame.2") == "ref-nodes"


def test_the_spread_of_other_playouts_shows_no_repetition() -> None:
    failing = ("ref.empty.spread", "ref.eye.edge")
    found = replace(of_lengths(40.0), spread=5.0)
    assert among(found, *failing) == "fresh-randomness"
    assert (
        among(replace(found, deviations=replace(found.deviations, foreign=EMPTY_BOARDS)), *failing) == "eye"
    )


def test_a_rule_that_a_dialogue_shows_is_wrong_before_the_draw_of_moves_is() -> None:
    seen = replace(deviating(lengths=6), shorter=frozenset(PROBES[:6]))
    assert first(["ref.empty.length", "ref.midgame.1"], seen) == "uniform"
    assert first(["game.suicide.great", "ref.empty.length", "ref.midgame.1"], seen) == "no-suicide"
