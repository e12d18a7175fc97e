"""Time that a controller gives does not change the number of playouts; with little left, a bot may hurry."""

from __future__ import annotations

import pytest

from harness.check.model import Outcome
from harness.check.phases.findings import Findings
from harness.check.phases.run import check_bot, findings_of
from harness.check.phases.settings import RunSettings
from harness.check.verdict import verdict
from harness.gtp import Answer, Exchange, parse_answer
from harness.selftest.hosted_bot import HostedBot
from harness.suite.registry import select

AMPLE, LITTLE = "ref.nodes.clock-ample", "ref.nodes.clock-short"


def findings(bot: HostedBot) -> Findings:
    with bot:
        return findings_of(
            check_bot(bot, RunSettings(bot.launch, select(["ref.nodes.clock-*", "gtp.setup.*"])))
        )


def outcomes(found: Findings) -> tuple[Outcome, Outcome]:
    by_id = {result.check.id: result.outcome for result in found.results}
    return by_id[AMPLE], by_id[LITTLE]


@pytest.mark.parametrize(
    ("switches", "expected", "wanted"),
    [
        ((), (Outcome.PASS, Outcome.PASS), "conforms"),
        (("clock-halves-playouts",), (Outcome.FAIL, Outcome.FAIL), "deviates"),
        (("hurried",), (Outcome.PASS, Outcome.FAIL), "conforms"),
        (("optional-commands-missing",), (Outcome.SKIP, Outcome.SKIP), "conforms"),
    ],
)
def test_who_is_refused(switches: tuple[str, ...], expected: tuple[Outcome, Outcome], wanted: str) -> None:
    found = findings(HostedBot(*switches))
    assert outcomes(found) == expected
    assert verdict(found) == wanted


class Answering(HostedBot):
    """A bot that refuses the lines that begin so."""

    beginning = "-"

    def ask(self, line: bytes, timeout: float | None = None) -> Exchange:
        if not line.decode("ascii").startswith(self.beginning):
            return super().ask(line, timeout)
        raw = b"? not now\n\n"
        answer = parse_answer(raw)
        assert isinstance(answer, Answer)
        return self.note(Exchange(line, raw, answer, "answer", b"", 0.0))


class WithoutByoYomi(Answering):
    beginning = "time_settings 0 30"


class WithoutRest(Answering):
    beginning = "time_left"


@pytest.mark.parametrize(
    ("bot", "expected"),
    [
        (WithoutByoYomi(), (Outcome.SKIP, Outcome.PASS)),
        (WithoutRest(), (Outcome.SKIP, Outcome.SKIP)),
    ],
)
def test_a_time_command_that_is_refused_is_no_matter_of_the_playouts(
    bot: HostedBot, expected: tuple[Outcome, Outcome]
) -> None:
    assert outcomes(findings(bot)) == expected


def test_there_is_no_time_limit_afterwards() -> None:
    with HostedBot("clock-halves-playouts") as bot:
        findings_of(check_bot(bot, RunSettings(bot.launch, select([AMPLE]))))
        playouts = bot.running_engine().server.session.searcher.playouts_now()
    assert playouts == 100
