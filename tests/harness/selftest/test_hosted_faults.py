"""Every fault of the wire and of the game is caught by the checks that say so; a right bot by none.

The reference bot's server is talked to in this process, so that a hundred whole runs cost seconds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import pytest

from harness.check.effort import QUICK, STANDARD, Effort
from harness.check.model import REFUSING, Check, Level, Outcome
from harness.check.phases.findings import Findings
from harness.check.phases.run import check_bot, findings_of
from harness.check.phases.settings import RunSettings
from harness.check.play_rules import FREE_RULES
from harness.check.profile import Profile
from harness.check.verdict import verdict
from harness.commands.kept_state import UNDOING
from harness.selftest.hosted_bot import PLAYOUTS, HostedBot
from harness.suite.registry import CHECKS, select
from refbot.deviations.faults import FAULTS
from refbot.deviations.habits import HABITS
from tests.parameters import slow_but
from tests.thorough import Mutant, thorough

OURS = tuple(
    check
    for check in CHECKS
    if check.id.startswith(("gtp.", "game.", "ref.play.")) and not check.id.endswith(".explore")
)
STATE = (
    "superko-survives-clear",
    "superko-survives-undo",
    "komi-first-only",
)  # of the game, though kept in the state
OUR_FAULTS = [name for name, fault in FAULTS.items() if fault.where in ("wire", "command", "game")]
OUR_FAULTS += STATE

SCORES = select(("game.final-score*",))
"""These checks see a wrong score, though another one reports it."""

WORDS = {"gtp.setup.unacceptable-size-text", "gtp.play.illegal-text", "gtp.play.undo-text"}

FEW = 2
"""Failing MUST checks of a fault of the wire: what relies on the missing ability is blocked, not failed."""

NOT_JUDGED = {"gtp.play.resign-unchanged"}
"""Checks of something that a right bot need not do."""

UNTIL_DECIDED = replace(QUICK, seconds=math.inf)

GROUPS = 2
"""Number of bots among which the habits are dealt out."""

HABITS_TOGETHER = "tests/harness/selftest/test_hosted_faults.py::test_habits_together_refuse_no_bot"

SHORT_PLAYOUTS = ("ref.cap.", "ref.passes.", "ref.nodes.t", "ref.score.r", "ref.state.")
"""Checks of searches that take little time. The slow test of each habit makes all searches."""

SEEN_BY = {  # habits that a SHOULD or an INFO notes
    "showboard-on-stderr": {"gtp.shown.moves"},
    "status-any-word": {"gtp.score.status-word"},
    "final-score-refused": {"gtp.score.mid-game"},
    "loadsgf-any-text": {"gtp.record.broken-refused"},
    "loadsgf-refuses-files": {"gtp.record.readable"},
    "slow-start": {"gtp.frame.startup-time"},
    "leading-blank-unanswered": {"gtp.frame.leading-space"},
    "blanks-kept-apart": {"gtp.frame.multi-space"},
    "id-glued": {"gtp.frame.id-glued"},
    "id-alone-unanswered": {"gtp.frame.id-alone"},
    "id-clamped": {"gtp.frame.id-beyond"},
    "id-of-any-length": {"gtp.frame.id-beyond"},
    "extra-argument-refused": {"gtp.frame.extra-argument"},
    "long-line-split": {"gtp.frame.long-line"},
    "end-of-input-ignored": {"gtp.frame.eof"},
    "last-line-lost": {"gtp.frame.eof-last-line"},
    "known-command-needs-argument": {"gtp.admin.known-none"},
    "play-answers-text": {"gtp.setup.no-text"},
    "setup-answers-text": {"gtp.setup.no-text"},
    "errors-empty": WORDS,
    "errors-explained": WORDS,
    "errors-upper-case": WORDS,
    "errors-long": WORDS,
    "errors-of-several-lines": WORDS,
    "superko-by-play-accepted": {"game.superko.play", "game.superko.play-three"},
    "vertex-with-rest": {"gtp.play.vertex-rest"},
    "number-with-rest": {"gtp.setup.boardsize-word", "gtp.setup.komi-infinite", "gtp.setup.komi-comma"},
    "komi-infinite": {"gtp.setup.komi-infinite"},
    "undo-once": {"gtp.play.undo-again"},
    "cap-from-root": {"ref.cap.game"},
    "analysis-blank-ignored": {"gtp.analysis.empty-line"},
    "hurried": {"ref.nodes.clock-short"},
    "overtime": {"gtp.clock.in-time"},
    "handicap-of-one": {"gtp.handicap.fixed-few", "gtp.handicap.place-few", "gtp.handicap.set-few"},
    "handicap-on-any-board": {"gtp.handicap.fixed-small"},
    "handicap-half-set": {"gtp.handicap.set-kept"},
    "handicap-undone": {"gtp.handicap.undo"},
    "kgs-time-any-system": {"gtp.clock.kgs-system"},
    "kgs-byoyomi-refused": {"gtp.clock.kgs-byoyomi"},
    "ends-with-game": {"gtp.kgs.game-over-stays"},
    "kgs-rules-ignored": {"gtp.kgs.rules-unknown"},
    "undo-unlisted": {"gtp.admin.known-listed"},
}

RULES = {"superko-by-play-accepted"}
"""Habits that are a rule of the engine, where its rules are found out."""


def found(
    *switches: str,
    checks: Sequence[Check] = OURS,
    seed: int = 1,
    effort: Effort = STANDARD,
    profile: Profile = Profile.REFERENCE,
) -> Findings:
    with HostedBot(*switches) as bot:
        settings = RunSettings(bot.launch, tuple(checks), PLAYOUTS, effort, seed=seed, profile=profile)
        return findings_of(check_bot(bot, settings))


def failing(findings: Findings) -> set[str]:
    return {result.check.id for result in findings.results if result.outcome in REFUSING}


def seen_by(habit: str, profile: Profile) -> set[str]:
    """The checks of a profile that note a habit."""
    if profile.rules == FREE_RULES and habit in RULES:
        return set()
    return {check.id for check in CHECKS if check.id in SEEN_BY.get(habit, ()) and profile.includes(check)}


@pytest.mark.parametrize("seed", slow_but(range(1), range(8)))
def test_right_bot_conforms_at_strict_level_under_every_symmetry(seed: int) -> None:
    findings = found("extensions", seed=seed)
    judged = (r for r in findings.results if r.check.id not in NOT_JUDGED)
    strange = [(r.check.id, r.judgement) for r in judged if r.outcome is not Outcome.PASS]
    assert strange == []
    assert verdict(findings, strict=True) == "conforms"


@pytest.mark.parametrize("fault", OUR_FAULTS)
def test_fault_is_killed_by_the_checks_that_say_so(fault: str) -> None:
    killers = [check for check in OURS if fault in check.kills]
    findings = found(fault, checks=[check for check in OURS if check in killers or check in SCORES])
    assert {check.id for check in killers} <= failing(findings)
    assert FAULTS[fault].clause in {check.clause for check in killers if check.level is Level.MUST}
    assert verdict(findings) == "deviates"


@pytest.mark.slow
@pytest.mark.parametrize("fault", OUR_FAULTS)
def test_what_relies_on_the_ability_that_a_fault_takes_is_blocked_not_failed(fault: str) -> None:
    findings = found(fault)
    missed = {check.id for check in OURS if fault in check.kills} - failing(findings)
    # A bot that fails a check of undo, here after a refused one, is looked at without undo.
    assert not missed or (missed == {"gtp.kept.undo"} and failing(findings) & UNDOING)
    if FAULTS[fault].where in ("wire", "command") and fault != "stones-all-black":
        assert sum(r.refuses and r.check.level is Level.MUST for r in findings.results) <= FEW


@pytest.mark.parametrize(
    ("group", "profile"),
    [
        (0, Profile.GTP),
        (1, Profile.REFERENCE),
        pytest.param(
            0,
            Profile.REFERENCE,
            marks=thorough(
                Mutant(
                    "harness/check/procedures/conversation.py",
                    "return format_vertex(parse_vertex(text, size)).upper()",
                    "return text",
                    f"{HABITS_TOGETHER}[0-gtp]",
                )
            ),
        ),
        pytest.param(
            1,
            Profile.GTP,
            marks=thorough(
                Mutant(
                    "harness/gtp/syntax.py",
                    r'body = raw.replace(b"\r", b"")',
                    "body = raw",
                    f"{HABITS_TOGETHER}[1-reference]",
                )
            ),
        ),
    ],
)
def test_habits_together_refuse_no_bot(group: int, profile: Profile) -> None:
    """A bot has many habits. A check about a habit may be skipped because of another one."""
    habits = list(HABITS)[group::GROUPS]
    checks = [check for check in CHECKS if check in OURS or check.id.startswith(SHORT_PLAYOUTS)]
    findings = found(*habits, checks=checks, effort=UNTIL_DECIDED, profile=profile)
    assert failing(findings) <= set().union(*(seen_by(habit, profile) for habit in habits))
    assert Outcome.BLOCKED not in {r.outcome for r in findings.results}
    assert verdict(findings) == "conforms"


@pytest.mark.slow
@pytest.mark.parametrize("profile", Profile)
@pytest.mark.parametrize("habit", HABITS)
def test_a_habit_refuses_no_bot(habit: str, profile: Profile) -> None:
    """A bot with a habit conforms; with --strict it is refused where a SHOULD is about the habit.

    In the profile gtp, where a check takes little time, the bot also has all commands beyond the draft.
    """
    extended = ["extensions"] if profile is Profile.GTP else []
    findings = found(habit, *extended, checks=select(), effort=UNTIL_DECIDED, profile=profile)
    noted = [r for r in findings.results if r.outcome in REFUSING]
    assert {r.check.id for r in noted} == seen_by(habit, profile)
    assert Outcome.BLOCKED not in {r.outcome for r in findings.results}
    assert verdict(findings) == "conforms"
    strict = "deviates" if Level.SHOULD in {r.check.level for r in noted} else "conforms"
    assert verdict(findings, strict=True) == strict


def test_a_slow_start_is_noted() -> None:
    """The bot takes no time: it says how long its first answer would have taken."""
    assert failing(found("slow-start", checks=select(("gtp.frame.startup-time",)))) == SEEN_BY["slow-start"]


def test_what_a_check_tolerates_is_a_habit() -> None:
    assert {habit for check in CHECKS for habit in check.tolerates} <= HABITS.keys()


def test_every_fault_of_a_kind_is_claimed() -> None:
    claimed = {fault for check in OURS for fault in check.kills}
    assert set(OUR_FAULTS) <= claimed


@pytest.mark.parametrize("fault", ["unflushed", "one-line-feed"])
def test_a_bot_that_cannot_be_read_does_not_conform_by_saying_nothing(fault: str) -> None:
    """Where the one check that could refuse it was not asked for, all the others would be skipped."""
    silent = tuple(check for check in OURS if check.id.startswith("game."))
    with HostedBot(fault) as bot:
        assert verdict(findings_of(check_bot(bot, RunSettings(bot.launch, silent, PLAYOUTS)))) == "unusable"
