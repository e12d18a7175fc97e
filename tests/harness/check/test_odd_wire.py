"""Engines that do one odd thing on the wire: the report shows it, and little else is blocked."""

from __future__ import annotations

import shlex
import sys
from functools import cache
from pathlib import Path

import pytest

from harness.check.bot.refusals import COMMA, FORM, ID, NEXT_LINE, NO_ID, SIGN, TWICE, form_hint, text_hint
from harness.check.bot.transcript import dialogue_text, exchanges_in, sent_words
from harness.check.model import Outcome, Result
from harness.check.phases.findings import Findings
from harness.check.phases.run import findings_of, run_check
from harness.check.phases.settings import RunSettings
from harness.check.procedures.wire import ONCE, NoNoise, wrote_extra_answer
from harness.diagnosis.cause import CauseKind
from harness.diagnosis.diagnose import Diagnosis, diagnose
from harness.gtp import Answer, Exchange, Launch, Limits, parse_answer
from harness.suite.registry import select

ENGINE = Path(__file__).parents[2] / "engines" / "odd_wire.py"
LIMITS = Limits(startup=30.0, answer=30.0)
CHOSEN = ("gtp.frame.*", "gtp.admin.*", "gtp.play.occupied", "gtp.play.off-board", "gtp.setup.*")
UNKNOWN = "gtp.admin.unknown-command"


@cache
def found(*words: str, only: tuple[str, ...] = CHOSEN, limits: Limits = LIMITS) -> Findings:
    command = shlex.join([sys.executable, "-S", "-E", str(ENGINE), *words])
    checks = select(only, ("gtp.frame.no-noise",))
    return findings_of(run_check(RunSettings(Launch(command), checks, 1, limits=limits)))


def result(findings: Findings, check: str) -> Result:
    return next(one for one in findings.results if one.check.id == check)


def said(findings: Findings) -> Diagnosis:
    return diagnose(findings)


def share_blocked(findings: Findings) -> float:
    return sum(r.outcome is Outcome.BLOCKED for r in findings.results) / len(findings.results)


def test_the_form_of_answers_is_judged_by_commands_that_exist() -> None:
    """A word in the place of an id, in the refusal of that word: the check of unknown commands reports it."""
    findings = found("word-as-id")
    assert result(findings, "gtp.frame.form").outcome is Outcome.PASS
    failed = result(findings, UNKNOWN)
    assert (failed.outcome, failed.judgement.hint) == (Outcome.FAIL, NO_ID)
    assert share_blocked(findings) < 0.2
    assert all(cause.kind is not CauseKind.FAULT for cause in said(findings).causes)


@pytest.mark.parametrize("raw", [b"? foo is unknown\n", b"? 7 foo is unknown\n\n"])
def test_a_refusal_that_begins_with_the_command_has_it_not_in_the_place_of_an_id(raw: bytes) -> None:
    malformed = Exchange(b"7 foo\n" if b"7" in raw else b"foo\n", raw, None, "malformed", b"", 0.0)
    assert form_hint(malformed, refusal_wanted=True) == FORM


def test_refusals_without_a_blank_are_one_cause() -> None:
    findings = found("refusal-no-blank")
    assert result(findings, "gtp.frame.form").outcome is Outcome.PASS
    (cause,) = said(findings).causes
    assert {"gtp.play.occupied", UNKNOWN} <= set(cause.explains)
    assert {result(findings, check).judgement.hint for check in cause.explains} == {FORM}


def test_a_refusal_with_the_sign_of_a_success_is_a_wrong_sign() -> None:
    """Not a stone that was placed without a look, and no fault that places one."""
    findings = found("refusal-as-success")
    (cause,) = said(findings).causes
    assert {"gtp.play.occupied", "gtp.play.off-board"} <= set(cause.explains)
    assert cause.kind is not CauseKind.FAULT
    assert result(findings, "gtp.play.occupied").judgement.hint == SIGN


@pytest.mark.parametrize(
    ("odd", "hint", "shown_by"),
    [
        ("id-as-float", ID, {"gtp.frame.id-echo"}),
        ("next-line", NEXT_LINE, {"gtp.frame.form"}),
        ("text-twice", TWICE, {"gtp.admin.protocol-version", "gtp.admin.name", "gtp.admin.known-command"}),
    ],
)
def test_one_wrong_way_to_write_answers_is_one_cause(odd: str, hint: str, shown_by: set[str]) -> None:
    findings = found(odd)
    (cause,) = said(findings).causes
    assert shown_by <= set(cause.explains)
    assert cause.kind is not CauseKind.FAULT
    assert {result(findings, check).judgement.hint for check in cause.explains} == {hint}


@pytest.mark.parametrize(
    ("raw", "hint"),
    [
        (b"= 2\n\n", ""),
        (b"=\n2\n\n", NEXT_LINE),
        (b"=\n 2 . .\n 1 . .\n\n", ""),  # a board
        (b"= name\nplay\nname\nplay\n\n", TWICE),
        (b"? syntax\nsyntax\nsyntax\n\n", TWICE),
        (b"= A1 A1\n\n", ""),
        (b"= B+3,5\n\n", COMMA),
        (b"= 6,5\n\n", COMMA),
        (b"= A1,5 A2\n\n", ""),
    ],
)
def test_the_form_of_a_text(raw: bytes, hint: str) -> None:
    answer = parse_answer(raw)
    assert isinstance(answer, Answer)
    assert text_hint(Exchange(b"x\n", raw, answer, "answer", b"", 0.0)) == hint


@pytest.mark.parametrize(
    ("noise", "hint"),
    [
        (b"= \n\n", ONCE),
        (b"?3 no\n\n", ONCE),
        (b"\n", "end an answer with exactly two newlines"),
        (b"score = 1\n", ""),
    ],
)
def test_an_answer_too_many_is_no_log_line(noise: bytes, hint: str) -> None:
    first = Exchange(b"name\n", b"= odd\n\n", Answer(True, None, "odd"), "answer", b"", 0.0)
    judgement = NoNoise().judge((first, first._replace(noise=noise)))
    assert judgement.hint == hint
    assert wrote_extra_answer(judgement) is (hint == ONCE)


@pytest.mark.slow
def test_silences_of_a_bot_that_answers_no_unknown_command_are_one_cause() -> None:
    """It does not answer `name` either: it does not know the word."""
    findings = found("unknown-silent", "protocol_version", "version")
    first, *_ = said(findings).causes
    assert first.evidence == UNKNOWN
    assert {"gtp.admin.protocol-version", "gtp.admin.name"} <= set(first.explains)


@pytest.mark.slow
def test_a_silent_first_command_is_named_and_the_rest_is_checked() -> None:
    findings = found("silent", "protocol_version", "name", "version")
    assert not findings.unusable
    failed = result(findings, "gtp.admin.protocol-version")
    assert failed.outcome in (Outcome.FAIL, Outcome.TIMEOUT)
    assert "protocol_version" in failed.judgement.observed
    assert result(findings, "gtp.play.occupied").outcome is Outcome.PASS
    assert result(findings, "gtp.setup.clear-board").outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("odd", "observed"),
    [
        ("unknown-silent", "no_such_command → no answer; name, sent after it, was answered"),
        ("unknown-signless", "which is no whole answer"),
        ("unknown-one-line", "which is no whole answer"),
    ],
)
def test_what_came_to_an_unknown_command_is_shown_not_the_next_answer(odd: str, observed: str) -> None:
    limits = Limits(startup=30.0, answer=1.0)  # seconds; three processes do not answer
    failed = result(found(odd, only=(UNKNOWN,), limits=limits), UNKNOWN)
    assert failed.outcome is Outcome.FAIL
    assert observed in failed.judgement.observed


def test_a_fault_that_the_accepted_moves_contradict_is_not_named() -> None:
    findings = found("moves-600", only=("gtp.play.*",))
    assert result(findings, "gtp.play.long-game").outcome is Outcome.CRASH
    assert all(cause.name != "history-of-500" for cause in said(findings).causes)
    assert all(suspicion.fault != "history-of-500" for suspicion in said(findings).suspicions)


def test_a_transcript_can_be_read_again() -> None:
    odd = Exchange(b"play b \\\x07A1\t\n", b"= \xe9\n\n", None, "malformed", b"", 0.0)
    assert exchanges_in(dialogue_text([odd])) == [(odd.sent, b"= \xe9\n\n")]


def test_marks_in_the_text_of_a_transcript_are_no_marks_of_its_lines() -> None:
    exchange = Exchange(b"echo a < b\n", b"= a > b\n\n", Answer(True, None, "a > b"), "answer", b"", 0.5)
    text = dialogue_text([exchange])
    assert exchanges_in(text) == [(exchange.sent, exchange.raw)]
    assert sent_words(text) == {"echo", "a", "<", "b"}
