"""Candidates without visits: what is judged, and where nothing can be."""

from __future__ import annotations

import pytest

from harness.check.model import Outcome
from harness.check.phases.run import check_bot, findings_of
from harness.check.phases.settings import RunSettings
from harness.check.procedures.search import SearchRecord
from harness.gtp import Answer, Exchange
from harness.selftest.hosted_bot import HostedBot
from harness.suite.families.choice_unseen import DRAW, Unseen, UnseenRecord
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


def observed(one_counted: list[tuple[int, float]]) -> str:
    """What the check reports for searches with these moves and scores at the first position."""
    searches = tuple(SearchRecord("A9", nodes, score, 0.0) for nodes, score in one_counted)
    judgement = Unseen().judge(UnseenRecord(searches, ()))
    assert judgement.outcome is Outcome.SKIP
    return judgement.observed


def test_the_reason_for_no_judgement_is_true() -> None:
    assert observed([(1, DRAW)]) == "ref-score was 0.5: expected some 0.0 and some 0.5"
    assert observed([(1, 0.0), (1, 1.0)]) == "ref-score was 0.0, 1.0: expected some 0.0 and some 0.5"
    assert "had 100 moves: expected 1 playout of 1 move" in observed([(1, 0.0), (100, DRAW)])
