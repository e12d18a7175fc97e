"""`gtp.tools.*`: forms of answers that are right, and forms that are not."""

from __future__ import annotations

import pytest

from harness.check.model import Outcome
from harness.check.phases.run import check_bot, findings_of
from harness.check.phases.settings import RunSettings
from harness.selftest.hosted_bot import HostedEngine
from harness.suite.registry import select
from tests.hosted import hosted_by

PASS, FAIL, SKIP = Outcome.PASS, Outcome.FAIL, Outcome.SKIP


def outcome(command: str, answers: list[str], check: str) -> Outcome:
    """The outcome of a check on a bot that gives these answers to a command, the last one again and again."""

    class Answering(HostedEngine):
        asked = 0

        def _take(self, line: bytes) -> None:
            if line.decode("ascii").strip() != command:
                super()._take(line)
                return
            self.output += f"{answers[min(self.asked, len(answers) - 1)]}\n\n".encode("ascii")
            self.asked += 1

    with hosted_by(Answering, "extensions") as bot:
        (result,) = findings_of(check_bot(bot, RunSettings(bot.launch, select([check])))).results
    return result.outcome


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        (["= 0"], PASS),
        (["= 0.000", "= 1e-3", "= .5"], PASS),
        (["=  12.5 ", "= 12.5"], PASS),
        (["= 2.5", "= 2.4"], FAIL),
        (["= -1"], FAIL),
        (["= inf"], FAIL),
        (["= 1,5"], FAIL),
        (["= 1.5 s"], FAIL),
        (["= 1\n2"], FAIL),
        (["= "], FAIL),
        (["? unknown"], FAIL),
    ],
)
def test_seconds(answers: list[str], expected: Outcome) -> None:
    assert outcome("cputime", answers, "gtp.tools.cputime") is expected


def test_seconds_of_gomill_may_be_refused() -> None:
    assert outcome("gomill-cpu_time", ["? unknown"], "gtp.tools.gomill-cpu-time") is SKIP
    assert outcome("gomill-cpu_time", ["= 1", "? unknown"], "gtp.tools.gomill-cpu-time") is FAIL


@pytest.mark.parametrize(
    ("answer", "commands", "types"),
    [
        ("= ", PASS, PASS),
        ("= gfx/Moves/genmove %m", PASS, PASS),
        ("= param/           Settings/komi", PASS, PASS),
        ("= string/Score/final_score\nplist/Dead/final_status_list dead", PASS, PASS),
        ("= dboard/Values/showboard/title/2", PASS, PASS),  # title and scale of old versions
        ("= picture/Score/final_score", PASS, FAIL),
        ("= string/Score/final_scores", FAIL, PASS),
        ("= string/final_score", FAIL, PASS),
        ("= string/Score/", FAIL, PASS),
    ],
)
def test_analyze_commands(answer: str, commands: Outcome, types: Outcome) -> None:
    assert outcome("gogui-analyze_commands", [answer], "gtp.tools.analyze-commands") is commands
    assert outcome("gogui-analyze_commands", [answer], "gtp.tools.analyze-types") is types


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("= ", PASS),
        ("= A program\nof many lines", PASS),
        ("= A program\n\nof paragraphs", FAIL),
        ("? no", FAIL),
    ],
)
def test_a_text(answer: str, expected: Outcome) -> None:
    assert outcome("gomill-describe_engine", [answer], "gtp.tools.describe-engine") is expected


@pytest.mark.parametrize(
    ("answer", "expected"), [("= one\ntwo", PASS), ("= one\n\ntwo", FAIL), ("= ", PASS), ("? none", PASS)]
)
def test_queries_are_answered_in_one_piece(answer: str, expected: Outcome) -> None:
    assert outcome("last_move", [answer], "gtp.tools.queries") is expected
