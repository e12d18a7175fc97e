"""Dialogues held with real engines: what is blamed on which command, and lines to paste into a shell."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.check.bot.bot import Bot
from harness.check.bot.errors import CommandRefusedError
from harness.check.bot.transcript import dialogue_text
from harness.check.bot.wording import sent_text as said
from harness.check.model import Judgement, Outcome
from harness.check.procedures.dialogue import Dialogue
from harness.check.procedures.held_steps import hold, judge_steps
from harness.check.procedures.script import raw, steps
from harness.gtp import Launch, Limits
from harness.gtp.shell import dialogue_command
from harness.selftest.hosted_bot import HostedEngine
from harness.suite.registry import CHECKS
from tests.hosted import hosted_by

HOSTILE = Path(__file__).parents[3] / "engines" / "hostile.py"
LIMITS = Limits(startup=60, answer=0.3, quit=0.2, terminate=0.2, reap=60, max_answer=1 << 18)
PATIENT = Limits(startup=60, answer=60, quit=60, terminate=60, reap=60)


def engine(*words: object) -> str:
    return shlex.join([sys.executable, "-S", "-E", str(HOSTILE), *map(str, words)])


def held(script: str, *words: object, limits: Limits = PATIENT) -> Judgement:
    with Bot(Launch(engine(*words)), limits) as bot:
        return judge_steps(hold(bot, steps(script, 9)))


SCRIPT = "protocol_version -> = 2\ngenmove b\nname -> = hostile\nplay b C3\nversion"


def test_a_dialogue_that_goes_as_it_must() -> None:
    judgement = held(SCRIPT, "right")
    assert (judgement.outcome, judgement.expected) == (
        Outcome.PASS,
        "5 expected answers",
    )


def test_each_answer_of_a_step_is_counted() -> None:
    with Bot(Launch(engine("right")), PATIENT) as bot:
        judgement = judge_steps(hold(bot, [raw(b"name\nversion\n", "=", "="), *steps("komi 7.5", 9)]))
    assert (judgement.outcome, judgement.observed) == (Outcome.PASS, "3 expected answers")


@pytest.mark.parametrize(
    ("words", "outcome", "observed"),
    [
        (("die", "--code", 7), Outcome.CRASH, "it ended with exit code 7"),
        (("die", "--signal", 9), Outcome.CRASH, "it ended by SIGKILL"),
        (("last-words",), Outcome.CRASH, "= pa, then it ended with exit code 3"),
        (("silent",), Outcome.TIMEOUT, "it was silent for"),
        (("hang",), Outcome.TIMEOUT, "it was silent for"),
        (("half",), Outcome.TIMEOUT, "= pa, then it was silent for"),
        (("no-space",), Outcome.FAIL, "=hostile (no blank between the sign (with its id) and the text)"),
        (("no-sign",), Outcome.TIMEOUT, None),
        (("endless-answer",), Outcome.TIMEOUT, None),
        (("spaced-id",), Outcome.FAIL, None),
    ],
    ids=lambda value: " ".join(map(str, value)) if isinstance(value, tuple) else "",
)
def test_what_happens_is_blamed_on_the_command_in_flight(
    words: tuple[object, ...], outcome: Outcome, observed: str | None
) -> None:
    """The mode strikes at the third command: until the first genmove the long limit of the start holds."""
    script = (
        SCRIPT if words != ("spaced-id",) else SCRIPT.replace("name -> = hostile", "5 name -> =5 hostile")
    )
    limits = LIMITS if outcome is Outcome.TIMEOUT else PATIENT
    judgement = held(script, *words, "--at", 3, limits=limits)
    command = "name" if script is SCRIPT else "5 name"
    assert judgement.outcome is outcome
    assert judgement.expected.startswith(f"{command} → =")
    assert judgement.observed.startswith(f"{command} → ")
    if observed is not None:
        assert judgement.observed.startswith(f"{command} → {observed}")


def test_the_dialogue_ends_at_the_first_answer_that_is_wrong() -> None:
    with Bot(Launch(engine()), PATIENT) as bot:
        turns = hold(bot, steps("name -> = hostile\nname -> = gentle\nversion", 9))
    assert [len(turn.exchanges) for turn in turns] == [1, 1]
    assert judge_steps(turns).observed == "name → = hostile"


def test_several_answers_to_one_step_are_told_apart() -> None:
    with Bot(Launch(engine()), PATIENT) as bot:
        step = raw(b"1 name\n\n# nothing\n2 nonsense\n3 version\n", "=1 hostile", "?2", "=4")
        judgement = judge_steps(hold(bot, [step]))
    assert judgement.expected.endswith("→ =4 (success)")
    assert judgement.observed.endswith("→ =3 1")
    assert judgement.observed.startswith("answer 3 of 3 to 1 name")


class RefusesInWords(HostedEngine):
    """Refuses each komi, with the sign of a success."""

    def _take(self, line: bytes) -> None:
        if line.startswith(b"komi"):
            self.output += b"= invalid komi\n\n"
        else:
            super()._take(line)


def test_a_step_ends_at_a_set_up_command_that_is_refused_in_words() -> None:
    step = raw(b"komi 6.5\nversion\nname\n", "=", "=", "=")
    with hosted_by(RefusesInWords) as bot:
        (turn,) = hold(bot, [step])
    assert [exchange.text for exchange in turn.exchanges] == ["invalid komi"]
    assert judge_steps([turn]).observed.endswith("→ = invalid komi")


def test_only_checks_of_ids_have_lines_of_the_subject_with_an_id() -> None:
    """Their dialogues report every wrong answer to such a line."""
    with_id = {
        check.id
        for check in CHECKS
        if type(check.procedure) is Dialogue
        and any(step.subject and step.has_id for step in check.procedure.write(9, 0))
    }
    assert with_id
    assert all(name.startswith("gtp.frame.id-") for name in with_id)


def test_an_answer_too_many_does_not_stand_for_the_next() -> None:
    assert held("name -> = hostile\nprotocol_version -> = 2", "twice").outcome is Outcome.PASS


def test_a_bot_that_died_is_started_again() -> None:
    with Bot(Launch(engine("die", "--at", 2)), PATIENT) as bot:
        first = judge_steps(hold(bot, steps(SCRIPT, 9)))
        second = judge_steps(hold(bot, steps("name -> = hostile", 9)))
        assert [exchange.sent for exchange in bot.take_record()] == [
            b"protocol_version\n",
            b"genmove b\n",
            b"name\n",
        ]
        assert bot.take_record() == ()
    assert (first.outcome, second.outcome) == (Outcome.CRASH, Outcome.PASS)


def test_a_refused_setup_is_told_with_its_answer() -> None:
    with Bot(Launch(engine()), PATIENT) as bot, pytest.raises(CommandRefusedError) as refused:
        bot.set_up([b"name\n", b"nonsense\n", b"version\n"])
    assert refused.value.exchange.sent == b"nonsense\n"


# --- what a person is shown --------------------------------------------------------------------------------


def test_nothing_that_acts_on_a_terminal_is_shown() -> None:
    """NUL, bell, a colour, a window title, a right-to-left override, bytes that are not UTF-8."""
    with Bot(Launch(engine("control")), PATIENT) as bot:
        turns = hold(bot, steps("name -> = hostile", 9))
        record = dialogue_text(bot.take_record())
    judgement = judge_steps(turns)
    for text in (judgement.observed, judgement.expected, record):
        assert all(char.isprintable() or char == "\n" for char in text), text


def shell(line: str) -> bytes:
    return subprocess.run(["sh", "-c", line], capture_output=True, check=True).stdout


@settings(max_examples=40, deadline=None)  # a process each
@given(lines=st.lists(st.binary(max_size=30), max_size=4))
def test_by_hand_sends_the_very_bytes(lines: list[bytes]) -> None:
    """Whatever they are: quotes, %, backslashes, digits after them, control characters."""
    assert shell(dialogue_command(lines, "cat")) == b"".join(lines) + b"quit\n"


@pytest.mark.parametrize(
    "line",
    [b"100%\n", b"%s%d\\n\n", b"it's\n", b"\\0001\n", b"\x0112\n", b"\x00", b"\xff7\n", b"-n\n", b"--\n"],
)
def test_by_hand_with_what_a_shell_or_printf_would_take_for_its_own(line: bytes) -> None:
    assert shell(dialogue_command([line], "cat")) == line + b"quit\n"


def test_by_hand_waits_for_lines_of_an_analysis() -> None:
    line = dialogue_command([b"name\n", b"7 lz-analyze b 10\n", b"kata-analyze b\n", b"version\n"], "cat")
    assert line.count("sleep 1; ") == 2
    without_sleep = line.replace("sleep 1; ", "")
    assert shell(without_sleep) == b"name\n7 lz-analyze b 10\nkata-analyze b\nversion\nquit\n"


def test_by_hand_a_bot_answers_as_it_did_to_the_harness() -> None:
    lines = [b"7 name\n", b"\x02\n", b"no'such %d\n", b"known_command name#\n", b"version\r\n"]
    with Bot(Launch(engine()), PATIENT) as bot:
        heard = [bot.ask(line).raw for line in lines if line.strip(b"\x02\n")]
    assert shell(dialogue_command(lines, engine())) == b"".join(heard) + b"= \n\n"


@given(line=st.binary(max_size=60))
def test_what_was_sent_is_shown_on_one_line(line: bytes) -> None:
    assert all(char.isprintable() for char in said(line))
