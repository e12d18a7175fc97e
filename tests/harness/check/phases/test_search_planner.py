"""The planner with scripted searches: who gets how many, when it stops, and what failures lead to."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.check.bot.errors import (
    BotInterruptedError,
    CommandRefusedError,
    UnreadableAnswerError,
    UnusableBotError,
)
from harness.check.effort import Effort
from harness.check.model import OUT_OF_TIME, Check, Judgement, Level, Outcome, Requirements
from harness.check.phases.judged_searches import plan_of
from harness.check.phases.search_planner import GROWTH, ROUND, SUSPICIOUS, SearchPlanner
from harness.check.positions import DAME
from harness.check.procedures.probe import Probe
from harness.check.procedures.search import SearchProcedure, SearchRecord, Series, SeriesJudge
from harness.gtp import Answer, Exchange
from harness.oracle.expected import Expected

SHORT = Probe("short", DAME[1])  # 3 moves a playout
LONG = Probe("long", DAME[4])  # 6 moves
OTHER = Probe("other", DAME[4], "w")
PLAYOUTS = 1000
ALWAYS = math.inf
NEVER = -math.inf

Script = Callable[[Probe, int], SearchRecord | Exception]


class Scripted:
    """Answers by a script of the probe and the number of the search there; shared by all instances."""

    def __init__(self, script: Script, made: list[tuple[str, int]]) -> None:
        self.script = script
        self.made = made

    def search(self, probe: Probe, turn: int) -> SearchRecord:
        number = sum(name == probe.id for name, _ in self.made)
        self.made.append((probe.id, turn))
        answer = self.script(probe, number)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def take_record(self) -> tuple[Exchange, ...]:
        return ()

    def abort(self) -> None:
        raise AssertionError("nothing is to be aborted")


def right(probe: Probe, number: int) -> SearchRecord:
    return SearchRecord("E9", 3 * PLAYOUTS, 0.5, 0.0)


def exchange(sent: bytes, ending: str = "eof", text: str = "") -> Exchange:
    answer = Answer(False, None, text) if text else None
    return Exchange(sent, b"", answer, ending, b"", 0.0)  # type: ignore[arg-type]


def decided_after(searches: int, needed: float | None = None) -> SeriesJudge:
    """Open until a probe has so many searches, then passed."""

    def judge(series: Series, expected: Expected) -> Judgement:
        if len(series.searches) >= searches:
            return Judgement(Outcome.PASS)
        return Judgement(Outcome.INCONCLUSIVE, playouts_needed=needed)

    return judge


def open_with(p_value: float) -> SeriesJudge:
    """Never decided by itself; the error budget has the last word."""
    return lambda series, expected: Judgement(Outcome.INCONCLUSIVE, p_value=p_value)


def check(
    name: str,
    probe: Probe,
    judge: SeriesJudge,
    *,
    least: int = 1,
    most: int = 100,
    least_quick: int | None = None,
    requires: Requirements | None = None,
) -> Check:
    procedure = SearchProcedure(probe, judge, least, most, least_quick)
    return Check(name, "uniform", Level.MUST, "It is so.", procedure, requires or Requirements())


def planner(
    checks: Sequence[Check],
    script: Script = right,
    *,
    instances: int = 1,
    reserved: Mapping[str, float] | None = None,
    margin_factor: float = 1.0,
    quick: bool = False,
    playouts: int = PLAYOUTS,
) -> tuple[SearchPlanner, list[tuple[str, int]]]:
    """A planner, and the searches that it makes as (probe, symmetry)."""
    made: list[tuple[str, int]] = []
    searchers = [Scripted(script, made) for _ in range(instances)]
    effort = Effort(margin_factor=margin_factor, quick=quick)
    return SearchPlanner(searchers, checks, playouts, effort, reserved=reserved), made


def searched(made: Sequence[tuple[str, int]]) -> Counter[str]:
    return Counter(name for name, _ in made)


def outcome(plan: SearchPlanner, which: Check) -> Outcome:
    return plan.final_judgement(which, plan.budget()).outcome


# --- how many searches -------------------------------------------------------------------------------------


def test_every_probe_gets_its_least_number_and_no_more_once_decided() -> None:
    checks = [check("a", LONG, decided_after(1), least=4), check("b", SHORT, decided_after(1), least=3)]
    plan, made = planner(checks)
    plan.run(ALWAYS, 3)
    assert searched(made) == {"long": 4, "short": 3}
    assert [name for name, _ in made] == ["short"] * 3 + ["long"] * 4  # the cheapest probe first
    assert [outcome(plan, one) for one in checks] == [Outcome.PASS] * 2


def test_checks_of_one_probe_share_its_searches() -> None:
    checks = [check("a", SHORT, decided_after(1), least=5), check("b", SHORT, decided_after(1), least=8)]
    plan, made = planner(checks)
    plan.run(ALWAYS, 3)
    assert searched(made) == {"short": 8}
    assert [len(one.searches) for one in plan.series()] == [8]


@pytest.mark.parametrize(("quick", "searches"), [(False, 9), (True, 2)])
def test_a_quick_run_makes_its_own_least_number(quick: bool, searches: int) -> None:
    plan, made = planner([check("a", SHORT, decided_after(1), least=9, least_quick=2)], quick=quick)
    plan.run(ALWAYS, 3)
    assert searched(made) == {"short": searches}


@given(wanted=st.integers(1, 60))
def test_an_open_check_gets_searches_until_it_is_decided(wanted: int) -> None:
    checks = [check("a", SHORT, decided_after(wanted)), check("b", LONG, decided_after(1))]
    plan, made = planner(checks)
    plan.run(ALWAYS, 3)
    assert wanted <= searched(made)["short"] <= max(1, wanted * (1 + GROWTH))
    assert searched(made)["long"] == 1
    assert outcome(plan, checks[0]) is Outcome.PASS


@pytest.mark.parametrize(
    ("factor", "playouts", "most"), [(1.0, 1000, 90), (3.0, 1000, 10), (1.0, 100, 900), (1.0, 5000, 90)]
)
def test_a_check_that_stays_open_stops_at_its_most(factor: float, playouts: int, most: int) -> None:
    """Wider margins need fewer searches, by the square; searches of few playouts say less."""
    checks = [check("a", SHORT, decided_after(2000), most=90)]
    plan, made = planner(checks, margin_factor=factor, playouts=playouts)
    plan.run(ALWAYS, 3)
    assert most <= len(made) <= most * (1 + GROWTH)
    assert outcome(plan, checks[0]) is Outcome.INCONCLUSIVE


@pytest.mark.parametrize(("p_value", "searches"), [(SUSPICIOUS / 2, 90), (SUSPICIOUS, 4), (None, 4)])
def test_a_pass_with_a_suspicious_p_value_gets_more_searches_whatever_the_margins(
    p_value: float | None, searches: int
) -> None:
    def passed(series: Series, expected: Expected) -> Judgement:
        return Judgement(Outcome.PASS, p_value=p_value)

    checks = [check("a", SHORT, passed, least=4, most=90)]
    plan, made = planner(checks, margin_factor=3.0)
    plan.run(ALWAYS, 3)
    assert searches <= len(made) <= searches * (1 + GROWTH)
    assert outcome(plan, checks[0]) is Outcome.PASS


@pytest.mark.parametrize(
    ("quick", "chooses", "playouts", "searches"),
    [(True, True, 1_000, 24), (False, True, 1_000, 24), (True, False, 1_000, 4), (True, True, 100_000, 4)],
)
def test_a_quick_run_searches_more_at_a_wrong_choice_where_that_takes_few_moves(
    quick: bool, chooses: bool, playouts: int, searches: int
) -> None:
    wrong = check("a", SHORT, lambda series, expected: Judgement(Outcome.FAIL), least=24, least_quick=4)
    if chooses:
        wrong = replace(wrong, procedure=replace(plan_of(wrong), choices=lambda playouts: {}))
    plan, made = planner([wrong], quick=quick, playouts=playouts)
    plan.run(ALWAYS, 3)
    assert searches <= len(made) <= searches * (1 + GROWTH)
    assert outcome(plan, wrong) is Outcome.FAIL


def test_the_cheapest_to_decide_comes_first() -> None:
    """Both are open with one search each; the next round is for the one that needs fewer playouts."""
    checks = [
        check("dear", SHORT, decided_after(40, needed=39.0 * PLAYOUTS), least=ROUND),
        check("cheap", LONG, decided_after(20, needed=2.0 * PLAYOUTS), least=ROUND),
    ]
    plan, made = planner(checks)
    plan.run(ALWAYS, 3)
    later = [name for name, _ in made[2 * ROUND :]]
    assert later[:3] == ["long"] * 3
    assert [outcome(plan, one) for one in checks] == [Outcome.PASS] * 2


def test_after_the_deadline_nothing_is_searched() -> None:
    checks = [check("a", SHORT, decided_after(1))]
    plan, made = planner(checks)
    plan.run(NEVER, 3)
    assert made == []
    assert plan.final_judgement(checks[0], plan.budget()) == OUT_OF_TIME


@pytest.mark.parametrize("instances", [2, 3])
def test_the_searches_do_not_depend_on_the_number_of_instances(instances: int) -> None:
    def plan_of(number: int) -> tuple[SearchPlanner, list[tuple[str, int]]]:
        checks = [check("a", SHORT, decided_after(30)), check("b", LONG, decided_after(15), least=4)]
        plan, made = planner(checks, instances=number)
        plan.run(ALWAYS, 3)
        return plan, made

    (one, made), (several, made_by_several) = plan_of(1), plan_of(instances)
    assert sorted(made) == sorted(made_by_several)
    assert one.series() == several.series()


def test_turns_come_round() -> None:
    plan, made = planner([check("a", SHORT, decided_after(1), least=16)])
    plan.run(ALWAYS, 3)
    assert Counter(turn for _, turn in made) == dict.fromkeys(range(8), 2)


# --- the error budget --------------------------------------------------------------------------------------


def test_the_budget_refuses_and_the_search_ends() -> None:
    checks = [check("a", SHORT, open_with(1e-9), least=2)]
    plan, made = planner(checks)
    plan.run(ALWAYS, 3)
    assert len(made) == 2
    assert outcome(plan, checks[0]) is Outcome.FAIL


def test_what_is_reserved_shares_the_budget() -> None:
    """0.0006 alone is below 0.001; of two p-values, Holm compares the smaller one with half of that."""
    checks = [check("a", SHORT, open_with(0.0006), most=2)]
    alone, shared = planner(checks)[0], planner(checks, reserved={"match": 1.0})[0]
    for plan in (alone, shared):
        plan.run(ALWAYS, 3)
    assert outcome(alone, checks[0]) is Outcome.FAIL
    assert outcome(shared, checks[0]) is Outcome.INCONCLUSIVE
    assert {share.name for share in shared.budget().shares} == {"a", "match"}


def test_a_refinement_keeps_what_was_decided() -> None:
    def judge(series: Series, expected: Expected) -> Judgement:
        narrow = series.effort.margin_factor < 1.0
        return Judgement(Outcome.INCONCLUSIVE if narrow else Outcome.PASS)

    checks = [check("a", SHORT, judge, most=8)]
    plan, made = planner(checks)
    plan.run(ALWAYS, 3)
    before = len(made)
    plan.refine(0.5)
    for _ in plan.more_rounds(ALWAYS, 3):
        pass
    assert len(made) >= 4 * 8 > before  # narrower by a half: four times the searches
    assert outcome(plan, checks[0]) is Outcome.PASS


# --- failures ----------------------------------------------------------------------------------------------


def failing_at(where: str, error: Exception, number: int = 0) -> Script:
    """Right everywhere, but for one search at one probe."""

    def script(probe: Probe, made: int) -> SearchRecord | Exception:
        return error if probe.id == where and made == number else right(probe, made)

    return script


WORD = exchange(b"ref-nodes\n", "answer", "many")
SIZE = exchange(b"boardsize 9\n", "answer", "unacceptable size")


@pytest.mark.parametrize(
    ("error", "wanted", "part"),
    [
        (BotInterruptedError(exchange(b"genmove b\n")), Outcome.CRASH, "genmove b"),
        (BotInterruptedError(exchange(b"genmove b\n", "timeout")), Outcome.TIMEOUT, "genmove b"),
        (CommandRefusedError(exchange(b"komi 7.5\n", "answer", "no")), Outcome.FAIL, "komi 7.5"),
        (CommandRefusedError(SIZE), Outcome.FAIL, "boardsize 9"),
        (UnreadableAnswerError(WORD, "a number"), Outcome.FAIL, "ref-nodes"),
    ],
    ids=["death", "silence", "refusal", "refused size", "unreadable"],
)  # fmt: skip
def test_a_failed_search_decides_the_checks_of_its_probe_and_no_others(
    error: Exception, wanted: Outcome, part: str
) -> None:
    checks = [
        check("a", SHORT, decided_after(1), least=3),
        check("b", SHORT, decided_after(1)),
        check("c", LONG, decided_after(1), least=2),
    ]
    plan, made = planner(checks, failing_at("short", error, 1))
    plan.run(ALWAYS, 3)
    assert [outcome(plan, one) for one in checks] == [wanted, wanted, Outcome.PASS]
    assert part in plan.final_judgement(checks[0], plan.budget()).observed
    assert searched(made)["long"] == 2


def test_a_size_that_need_not_be_accepted_is_skipped() -> None:
    optional = Requirements(optional_size=True)
    checks = [check("a", SHORT, decided_after(1), requires=optional)]
    plan, _ = planner(checks, failing_at("short", CommandRefusedError(SIZE)))
    plan.run(ALWAYS, 3)
    assert outcome(plan, checks[0]) is Outcome.SKIP


def test_a_bot_that_dies_too_often_is_left_alone() -> None:
    """The first probe fails in the first round; no other round is begun."""
    checks = [
        check("a", SHORT, decided_after(1), least=ROUND),
        check("b", LONG, decided_after(1), least=ROUND),
    ]
    plan, made = planner(checks, lambda probe, number: BotInterruptedError(exchange(b"genmove b\n")))
    plan.run(ALWAYS, 1)
    assert "long" not in searched(made)
    assert [outcome(plan, one) for one in checks] == [Outcome.CRASH, Outcome.SKIP]
    assert "died or was silent" in plan.final_judgement(checks[1], plan.budget()).observed


def test_a_start_that_fails_leaves_what_was_searched() -> None:
    """Also of the round in which it fails."""
    checks = [check("a", SHORT, decided_after(3), least=3), check("b", LONG, decided_after(2), least=4)]
    plan, made = planner(checks, failing_at("long", UnusableBotError("no such program"), 1))
    with pytest.raises(UnusableBotError, match="no such program"):
        plan.run(ALWAYS, 3)
    assert len(made) == 3 + 2 < ROUND
    assert {one.probe.id: len(one.searches) for one in plan.series()} == {"short": 3, "long": 1}
    assert [outcome(plan, one) for one in checks] == [Outcome.PASS, Outcome.INCONCLUSIVE]


def test_a_death_before_a_start_that_fails_is_a_result() -> None:
    died = BotInterruptedError(exchange(b"genmove b\n"))

    def script(probe: Probe, number: int) -> SearchRecord | Exception:
        return died if probe == SHORT else UnusableBotError("no such program")

    checks = [check("a", SHORT, decided_after(3)), check("b", LONG, decided_after(2))]
    plan, _ = planner(checks, script)
    with pytest.raises(UnusableBotError):
        plan.run(ALWAYS, 3)
    assert [outcome(plan, one) for one in checks] == [Outcome.CRASH, Outcome.INCONCLUSIVE]


def test_progress_counts_searches_and_decided_checks() -> None:
    checks = [check("a", SHORT, decided_after(50), least=2), check("b", OTHER, decided_after(1))]
    plan, made = planner(checks)
    progress = [plan.progress() for _ in plan.rounds(ALWAYS, 3)]
    seen = [(one.searches, one.decided) for one in progress]
    assert seen[0] == (3, 1)
    assert [searches for searches, _ in seen] == sorted(searches for searches, _ in seen)
    assert seen[-1] == (len(made), 2)
