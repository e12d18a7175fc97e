"""Private commands whose answers cannot be read: one check reports each, what relies on it is blocked."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from harness.check.model import REFUSING, Outcome
from harness.check.phases.findings import Findings
from harness.check.phases.run import check_bot, findings_of
from harness.check.phases.settings import RunSettings
from harness.gtp import Answer, Exchange
from harness.selftest.hosted_bot import HostedBot
from harness.suite.families.large_counts import LargeCount, LargeCountRecord
from harness.suite.families.private_commands import CHECKS, NumbersRecord, ReadableNumber
from harness.suite.registry import select

READABLE = {
    check.procedure.command: check.procedure
    for check in CHECKS
    if isinstance(check.procedure, ReadableNumber)
}

AMONG = ("ref.*.readable", "ref.nodes.*", "ref.score.mean", "ref.eye.centre", "ref.choice.rare")


def findings(*faults: str) -> Findings:
    with HostedBot(*faults) as bot:
        return findings_of(check_bot(bot, RunSettings(bot.launch, select(AMONG))))


@pytest.mark.parametrize(
    ("fault", "failing", "hint", "blocked"),
    [
        ("refscore-comma", "ref.score.readable", "decimal point", "ref.score.mean"),
        ("refscore-percent", "ref.score.readable", "percentage", "ref.score.mean"),
        ("nodes-decimals", "ref.nodes.readable", "whole number", "ref.nodes.three"),
    ],
)
def test_one_check_reports_it_and_the_others_are_blocked(
    fault: str, failing: str, hint: str, blocked: str
) -> None:
    found = findings(fault)
    refusing = [result for result in found.results if result.outcome in REFUSING]
    assert [result.check.id for result in refusing] == [failing]
    assert hint in refusing[0].judgement.hint
    outcomes = {result.check.id: result.outcome for result in found.results}
    assert outcomes["ref.eye.centre"] is outcomes[blocked] is Outcome.BLOCKED


def test_a_count_above_a_million_is_read_too() -> None:
    def outcome(*switches: str) -> Outcome:
        with HostedBot(*switches) as bot:
            checks = select(["ref.nodes.million", "ref.nodes.readable"])
            found = findings_of(check_bot(bot, RunSettings(bot.launch, checks)))
        return {result.check.id: result.outcome for result in found.results}["ref.nodes.million"]

    assert outcome("nodes-exponent") is Outcome.FAIL
    assert outcome() is Outcome.PASS
    assert outcome("playouts-fixed") is Outcome.SKIP


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ("= 1100000", Outcome.PASS),
        ("= 1090000", Outcome.PASS),
        ("= 51424", Outcome.FAIL),  # less 2^20
        ("= 1.1e+06", Outcome.FAIL),
        ("= 1,100,000", Outcome.FAIL),
        ("? overflow", Outcome.FAIL),
    ],
)
def test_a_large_count_is_in_proportion(answer: str, outcome: Outcome) -> None:
    def exchange(line: str) -> Exchange:
        text = Answer(line[0] == "=", None, line[2:])
        return Exchange(b"ref-nodes\n", f"{line}\n\n".encode(), text, "answer", b"", 0.0)

    record = LargeCountRecord(1000, exchange("= 110000"), 10_000, exchange(answer))
    assert LargeCount().judge(record).outcome is outcome


@pytest.mark.parametrize(
    ("switch", "outcome", "waiting"),
    [
        ("pass-keeps-report", Outcome.FAIL, Outcome.BLOCKED),
        ("pass-without-search", Outcome.PASS, Outcome.SKIP),
        ("nodes-decimals", Outcome.BLOCKED, Outcome.BLOCKED),
        ("", Outcome.PASS, Outcome.PASS),
    ],
)
def test_what_is_reported_of_a_pass(switch: str, outcome: Outcome, waiting: Outcome) -> None:
    with HostedBot(*filter(None, [switch])) as bot:
        checks = select(["ref.nodes.pass", "ref.nodes.readable", "ref.passes.forced", "game.suicide.genmove"])
        results = findings_of(check_bot(bot, RunSettings(bot.launch, checks))).results
    outcomes = {result.check.id: result.outcome for result in results}
    assert outcomes["ref.nodes.pass"] is outcome
    assert outcomes["ref.passes.forced"] is waiting
    assert outcomes["game.suicide.genmove"] is Outcome.PASS  # only the move is looked at


def test_a_right_bot_passes_them() -> None:
    assert {result.outcome for result in findings().results} == {Outcome.PASS}


@pytest.mark.parametrize(
    ("command", "text", "fine"),
    [
        ("ref-nodes", "0", True),
        ("ref-nodes", "111422", True),
        ("ref-nodes", "111422.0", False),
        ("ref-nodes", "111.422", False),
        ("ref-nodes", "-3", False),
        ("ref-nodes", "1e5", False),
        ("ref-nodes", "", False),
        ("ref-score", "0.4213", True),
        ("ref-score", "4.213e-01", True),
        ("ref-score", "1", True),
        ("ref-score", "0,4213", False),
        ("ref-score", "42.13", False),
        ("ref-score", "42.13%", False),
        ("ref-score", "B+3.5", False),
        ("ref-score", "nan", False),
        ("ref-score", "", False),
    ],
)
def test_what_can_be_read(command: str, text: str, fine: bool) -> None:
    raw = f"= {text}\n\n".encode("ascii")
    exchange = Exchange(f"{command}\n".encode("ascii"), raw, Answer(True, None, text), "answer", b"", 0.0)
    judgement = READABLE[command].judge(NumbersRecord({command: exchange}))
    assert (judgement.outcome is Outcome.PASS) == fine
    assert bool(judgement.hint) != fine


@pytest.mark.parametrize("lacking", READABLE)
def test_a_bot_that_lacks_one_command_is_asked_for_the_other(lacking: str) -> None:
    """The check of the other command may share this observation."""
    asked: list[bytes] = []
    bot = SimpleNamespace(set_up=lambda _: None, ask=asked.append)
    session: Any = SimpleNamespace(
        has=lambda command: command != lacking, bot=bot, introduction=SimpleNamespace(size=9)
    )
    record = READABLE[lacking].observe(session)
    (other,) = READABLE.keys() - {lacking}
    assert asked == [f"{other}\n".encode()]
    assert record.answers.keys() == {other}
    assert READABLE[lacking].judge(record).observed == f"the bot has no {lacking}"
