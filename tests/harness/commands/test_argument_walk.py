"""The lines by which every listed command gets missing and wrong arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import pytest

from harness.check.model import Confirmation, Outcome
from harness.check.phases.findings import Findings
from harness.check.phases.run import check_bot, findings_of
from harness.check.phases.settings import RunSettings
from harness.commands.argument_walk import LEFT_OUT, commands_to_walk, missing_arguments, wrong_arguments
from harness.gtp.commands import COMMANDS
from harness.selftest.hosted_bot import HostedBot, HostedEngine
from harness.suite.registry import select
from tests.harness.gtp.command_words import fewest_words, most_words
from tests.hosted import hosted_by

WALKED = commands_to_walk(COMMANDS)


def test_which_commands_are_walked() -> None:
    names = {command.name for command in WALKED}
    assert names.isdisjoint({"quit", "play", "genmove", "lz-analyze", "kata-genmove_analyze"})
    assert names.isdisjoint(LEFT_OUT)
    assert names >= {"fixed_handicap", "kgs-chat", "kata-set-rule", "gomill-genmove_ex", "loadsgf"}
    assert commands_to_walk(["undo", "tune", "mtld-game_info", "kgs-rules"]) == [
        COMMANDS["undo"],
        COMMANDS["kgs-rules"],
    ]


def test_missing_arguments_are_missing() -> None:
    for command in WALKED:
        lines = list(missing_arguments(command))
        assert all(len(line.split()) - 1 < fewest_words(command) for line in lines), command.name
        assert bool(lines) == (fewest_words(command) > 0), command.name


def test_wrong_arguments_are_as_many_as_the_command_takes() -> None:
    for command in WALKED:
        most = most_words(command)
        for line in wrong_arguments(command):
            count = len(line.split()) - 1
            assert fewest_words(command) <= count, line
            assert most is None or count <= most, line


def test_lines() -> None:
    assert list(missing_arguments(COMMANDS["time_left"])) == ["time_left", "time_left b 300"]
    assert list(wrong_arguments(COMMANDS["time_left"])) == [
        "time_left x 300 300", "time_left b abc 300", "time_left b 300 abc"
    ]  # fmt: skip
    assert list(wrong_arguments(COMMANDS["gg-undo"])) == []
    assert list(wrong_arguments(COMMANDS["kgs-rules"])) == []


@pytest.mark.parametrize(
    ("fault", "check", "named"),
    [
        ("rule-without-value-crashes", "gtp.admin.arguments-missing", "kata-set-rule x"),
        ("chat-without-words-crashes", "gtp.admin.arguments-missing", "kgs-chat"),
        ("genmove-ex-colour-crashes", "gtp.admin.arguments-wrong", "gomill-genmove_ex x"),
    ],
)
def test_the_line_that_ends_the_engine_is_named(
    check_hosted: Callable[..., Findings], fault: str, check: str, named: str
) -> None:
    (result,) = check_hosted(fault, only=[check]).results
    assert result.outcome is Outcome.CRASH
    assert result.judgement.observed.startswith(named)


def test_accepted_lines_are_named(check_hosted: Callable[..., Findings]) -> None:
    (result,) = check_hosted("missing-argument-succeeds", only=["gtp.admin.missing-refused"]).results
    assert result.outcome is Outcome.FAIL
    assert "reg_genmove" not in result.judgement.observed.split(" and ")[0]  # searches come last
    assert "more lines" in result.judgement.observed


@pytest.mark.parametrize("fault", ["chat-without-words-crashes", "rule-without-value-crashes"])
def test_a_death_is_shown_by_its_own_line(check_hosted: Callable[..., Findings], fault: str) -> None:
    (result,) = check_hosted(fault, only=["gtp.admin.arguments-missing"]).results
    assert result.confirmation is Confirmation.CONFIRMED
    assert len(result.lines) == 5
    assert result.lines[-1].decode("ascii").strip() == result.judgement.observed.split(" → ")[0]


class EndsAtTheTenth(HostedEngine):
    """Ends at the tenth refused line of a process."""

    refused = 0

    def _take(self, line: bytes) -> None:
        before = len(self.output)
        super()._take(line)
        self.refused += self.output[before:].startswith(b"?")
        if self.refused == 10:
            del self.output[before:]
            self.dead = True


class TenthRefusal(HostedBot):
    engine_type: ClassVar[type[HostedEngine]] = EndsAtTheTenth


def test_a_death_that_needs_the_lines_before_is_shown_by_all_of_them() -> None:
    with TenthRefusal("extensions") as bot:
        settings = RunSettings(bot.launch, select(["gtp.admin.arguments-missing"]))
        (result,) = findings_of(check_bot(bot, settings)).results
    assert result.outcome is Outcome.CRASH
    assert len(result.lines) > 10


class EndsAtMissing(HostedEngine):
    """Ends at each command with too few arguments."""

    lines = frozenset(
        f"{line}\n".encode("ascii") for command in WALKED for line in missing_arguments(command)
    )

    def _take(self, line: bytes) -> None:
        if line in self.lines:
            self.dead = True
        else:
            super()._take(line)


def test_a_death_at_the_first_line_leaves_no_answer_to_judge() -> None:
    with hosted_by(EndsAtMissing, "extensions") as bot:
        checks = select(["gtp.admin.arguments-missing", "gtp.admin.missing-refused"])
        survived, refused = findings_of(check_bot(bot, RunSettings(bot.launch, checks))).results
    assert (survived.outcome, refused.outcome) == (Outcome.CRASH, Outcome.SKIP)
    assert refused.judgement.observed == "the bot answered no line"


def test_the_check_of_refusals_uses_what_was_seen_before_the_death(
    check_hosted: Callable[..., Findings],
) -> None:
    only = ["gtp.admin.arguments-missing", "gtp.admin.missing-refused"]
    survived, refused = check_hosted("chat-without-words-crashes", only=only).results
    assert (survived.outcome, refused.outcome) == (Outcome.CRASH, Outcome.PASS)
