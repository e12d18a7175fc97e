"""The judgement of a first answer that comes late."""

from __future__ import annotations

from harness.check.model import Outcome
from harness.check.procedures.wire import FirstAnswerRecord, StartupTime
from harness.gtp import Exchange


def judged(seconds: float, wrote: str) -> tuple[Outcome, str]:
    first = Exchange(b"protocol_version\n", b"= 2\n\n", None, "answer", b"", seconds)
    judgement = StartupTime(most=10.0).judge(FirstAnswerRecord(first, wrote=wrote))
    return judgement.outcome, judgement.observed


def test_a_late_answer_is_reported_with_what_the_bot_wrote_meanwhile() -> None:
    outcome, observed = judged(18.04, "bot: loading")
    assert outcome is Outcome.FAIL
    assert observed == "an answer after 18.0 s; meanwhile it wrote on stderr: bot: loading"
    assert judged(18.0, "") == (Outcome.FAIL, "an answer after 18.0 s")


def test_what_it_wrote_does_not_matter_when_it_answers_soon() -> None:
    assert judged(3.0, "bot: loading") == (Outcome.PASS, "an answer after 3.0 s")
