"""A match as a check: which bots it refuses, which it does not, and the price of an undecided one."""

from __future__ import annotations

import re
import shlex
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from harness.arena.run.head_to_head import HeadToHead
from harness.arena.verdicts import ALL_PHASES, DIFFERENT, PairParity, PlayoutStatistics, Suspect
from harness.check.bot.bot import Bot
from harness.check.bot.introduction import Introduction
from harness.check.bot.session import Session
from harness.check.effort import Effort
from harness.check.model import Judgement, Outcome, Result
from harness.check.phases.findings import ALPHA, Findings
from harness.check.phases.run import findings_of, run_check
from harness.check.phases.settings import RunSettings
from harness.check.procedures.parity_match import ParityMatch
from harness.check.verdict import verdict
from harness.gtp import Launch
from harness.selftest.faulty import LIMITS, command
from harness.suite.families.last_phases import PARITY
from harness.suite.registry import select

PLAYOUTS = 20
ENGINES = Path(__file__).parents[3] / "engines"
MATCH = Effort(seconds=300.0, match=True)


def match_with(margin: float) -> ParityMatch:
    """Against a reference bot whose games can be played again."""
    return ParityMatch(margin, reference=command("", seed=2, playouts=PLAYOUTS), workers=1)


def played(bot: str, margin: float, *, seconds: float = 250.0) -> Judgement:
    return played_by(match_with(margin), bot, seconds=seconds)


def played_by(match: ParityMatch, bot: str, *, seconds: float) -> Judgement:
    deadline = time.monotonic() + seconds
    introduction = Introduction("bot", "1", frozenset(), (9,), ())
    with Bot(Launch(bot), LIMITS) as engine:
        session = Session(
            bot=engine, introduction=introduction, playouts=PLAYOUTS, deadline=deadline, alpha=ALPHA
        )
        return match.judge(match.observe(session))


@pytest.mark.slow
def test_the_reference_bot_is_equal_to_itself_and_never_different() -> None:
    """The games are seeded; with others, it is called different with a chance below ALPHA."""
    judgement = played(command("", seed=1, playouts=PLAYOUTS), 0.2)
    assert judgement.outcome is Outcome.PASS
    assert judgement.numbers["low"] > 0.3 - 0.05
    assert judgement.numbers["games_needed"] == 0


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["best-lowest", "amaf-opponent"])
def test_a_bot_that_plays_weaker_is_refused(fault: str) -> None:
    judgement = played(command(fault, seed=1, playouts=PLAYOUTS), 0.05)
    assert judgement.outcome is Outcome.FAIL
    assert judgement.p_value == ALPHA
    assert judgement.numbers["score"] < 0.45
    assert judgement.expected == "a score within 45 … 55 %"


@pytest.mark.slow
def test_playouts_that_are_not_the_reference_s_show_in_the_positions_of_the_games() -> None:
    """A bot that counts one move too few plays as well as a right one.

    The audit has half of the time, so that a slow machine finds the fault too.
    """
    faulty = command("nodes-one-pass", seed=1, playouts=PLAYOUTS)
    judgement = played_by(replace(match_with(0.05), audit_share=0.5), faulty, seconds=60.0)
    assert judgement.outcome is Outcome.FAIL
    # It ends when the deviation is beyond doubt: after few games on a slow machine, hence the tolerance.
    assert judgement.numbers["length_deviation"] == pytest.approx(-1.0, abs=0.75)
    assert judgement.observed.startswith("lengths -")
    assert "nodes-one-pass" in judgement.hint
    assert judgement.p_value == ALPHA


def test_playouts_of_another_length_refuse_a_bot_that_scores_alike() -> None:
    parity = PairParity("bot", "reference", 100, 0.5, 0.4, 0.6, 0.05, 0.1, "undecided", 800.0)
    lengths = PlayoutStatistics(
        "bot", 500, PLAYOUTS, 110.0, 111.0, -1.0, -1.2, -0.8, DIFFERENT, ALL_PHASES, spread=1.0
    )
    suspects = (Suspect("bot", "nodes-one-pass", 0.9),)
    judgement = ParityMatch(0.05).judge(HeadToHead(parity, ALPHA, 100, (lengths,), suspects))
    assert judgement.outcome is Outcome.FAIL
    assert judgement.numbers["length_deviation"] == -1.0
    assert judgement.observed.startswith("lengths -1.00 moves off")
    assert "nodes-one-pass" in judgement.hint
    assert judgement.p_value == ALPHA


def test_an_undecided_match_names_its_price() -> None:
    judgement = played(command("", seed=1, playouts=PLAYOUTS), 0.05, seconds=0.0)
    assert judgement.outcome is Outcome.INCONCLUSIVE
    assert judgement.hint.startswith("about ")
    assert "more games would decide" in judgement.hint
    assert judgement.numbers["games_needed"] > 100


def test_a_bot_that_does_not_play_its_games_to_their_end_fails() -> None:
    words = [sys.executable, str(ENGINES / "hostile.py"), "die", "--at", "12"]
    judgement = played(shlex.join(words), 0.05)
    assert judgement.outcome is Outcome.FAIL
    assert re.match(r"it failed in (\d+) of \1 games, once by crash: ", judgement.observed)


def test_only_a_thorough_run_plays_a_match() -> None:
    findings = findings_of(run_check(RunSettings(Launch(command("", 1, PLAYOUTS)), (PARITY,), limits=LIMITS)))
    (result,) = findings.results
    assert result.outcome is Outcome.SKIP
    assert "--budget thorough" in result.judgement.observed
    assert verdict(findings) == "inconclusive"  # nothing was found out


@pytest.mark.slow
def test_a_thorough_check_plays_the_match_within_its_error_budget() -> None:
    bot = Launch(command("best-lowest", 1, PLAYOUTS))
    findings = findings_of(run_check(RunSettings(bot, select(["ref.parity"]), effort=MATCH, limits=LIMITS)))
    assert findings.results[0].outcome is Outcome.FAIL
    assert findings.budget.refused == ("ref.parity",)
    assert verdict(findings) == "deviates"


def test_a_bot_that_deviates_already_plays_no_match() -> None:
    bot = Launch(command("eye-edge-as-centre", 1, PLAYOUTS))
    checks = select(["ref.eye.edge", "ref.parity"])
    findings = findings_of(run_check(RunSettings(bot, checks, effort=MATCH, limits=LIMITS)))
    assert [result.outcome for result in findings.results] == [Outcome.FAIL, Outcome.SKIP]
    assert "deviates already" in findings.results[1].judgement.observed


def findings_with(*outcomes: tuple[str, Outcome]) -> Findings:
    results = (Result(select([name])[0], Judgement(outcome)) for name, outcome in outcomes)
    return Findings("bot", results=tuple(results))


def test_an_undecided_match_does_not_hold_up_what_is_decided() -> None:
    open_match = ("ref.parity", Outcome.INCONCLUSIVE)
    with_others = findings_with(("ref.eye.edge", Outcome.PASS), open_match)
    assert verdict(with_others) == "conforms"
    assert verdict(with_others, strict=True) == "inconclusive"
    assert verdict(findings_with(open_match)) == "inconclusive"
    assert verdict(findings_with(("ref.eye.edge", Outcome.INCONCLUSIVE), open_match)) == "inconclusive"
    assert verdict(findings_with(("ref.eye.edge", Outcome.PASS), ("ref.parity", Outcome.FAIL))) == "deviates"
    assert PARITY.may_stay_open
