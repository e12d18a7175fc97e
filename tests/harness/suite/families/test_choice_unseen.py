"""Candidates without visits: what is judged, and where nothing can be."""

from __future__ import annotations

import pytest

from harness.check.model import Outcome
from harness.check.phases.run import check_bot, findings_of
from harness.check.phases.settings import RunSettings
from harness.gtp import Answer, Exchange
from harness.selftest.hosted_bot import HostedBot
from harness.suite.registry import select


def outcome(*switched: str) -> Outcome:
    with HostedBot(*switched) as bot:
        (result,) = findings_of(
            check_bot(bot, RunSettings(bot.launch, select(["ref.choice.unseen"]), 100))
        ).results
    return result.outcome


def test_a_right_bot_passes() -> None:
    assert outcome() is Outcome.PASS


@pytest.mark.parametrize("fault", ["unseen-as-won", "unseen-as-even", "unseen-passes"])
def test_a_fault_is_seen(fault: str) -> None:
    assert outcome(fault) is Outcome.FAIL


def test_a_bot_whose_playouts_cannot_be_set_is_not_judged() -> None:
    assert outcome("playouts-fixed") is Outcome.SKIP


@pytest.mark.parametrize("answer", ["100 Züge", "100 playouts", ""])
def test_a_bot_whose_playouts_cannot_be_restored_is_not_judged(
    answer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = HostedBot.ask

    def ask_in_words(bot: HostedBot, line: bytes) -> Exchange:
        exchange = ask(bot, line)
        return exchange._replace(answer=Answer(True, None, answer)) if line == b"ref-playouts\n" else exchange

    monkeypatch.setattr(HostedBot, "ask", ask_in_words)
    assert outcome() is Outcome.SKIP
