"""Many commands in one write, to engines that are right and to engines that misbehave in the middle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.gtp import Answer, CommandError, Engine, Exchange, Exit, Launch, Limits, TimeLimit

pytestmark = pytest.mark.timeout(120)

Hostile = Callable[..., Launch]

SETUP = ["boardsize 9", "clear_board", "komi 7.5", "play b A1", "play w B2", "genmove b"]


def received(engine: Engine) -> bytes:
    return b"".join(event.data for event in engine.transcript if event.kind == "received")


def sent(engine: Engine) -> bytes:
    return b"".join(event.data for event in engine.transcript if event.kind == "sent")


def lines_of(commands: Sequence[str]) -> bytes:
    return "".join(f"{command}\n" for command in commands).encode()


def without_times(exchanges: Sequence[Exchange]) -> list[Exchange]:
    return [exchange._replace(seconds=0.0) for exchange in exchanges]


@pytest.mark.parametrize("mode", ["right", "unbuffered", "crlf", "chatty", "flood-stderr", "three-newlines"])
def test_the_record_is_that_of_single_commands(hostile: Hostile, patient: Limits, mode: str) -> None:
    with Engine(hostile(mode), patient) as one_by_one:
        singles = [one_by_one.ask(command) for command in SETUP]
    with Engine(hostile(mode), patient) as engine:
        together = engine.ask_many(SETUP)
        assert received(engine).startswith(b"".join(exchange.raw for exchange in together))
        assert sent(engine) == lines_of(SETUP)
    assert without_times(together) == without_times(singles)
    assert all(exchange.seconds >= 0.0 for exchange in together)
    assert together[-1].text == "pass"


def test_nothing_to_ask(hostile: Hostile, patient: Limits) -> None:
    with Engine(hostile(), patient) as engine:
        assert engine.ask_many([]) == ()
        assert engine.ask("name").ok
    assert sent(engine) == b"name\nquit\n"


@pytest.mark.parametrize("line", ["", "\n", "  ", "# comment", "7", "name\nversion", b"name\n\n"])
def test_a_line_that_is_not_one_command_is_refused_before_anything_is_sent(
    hostile: Hostile, patient: Limits, line: str | bytes
) -> None:
    with Engine(hostile(), patient) as engine:
        with pytest.raises(CommandError):
            engine.ask_many(["name", line])
        assert sent(engine) == b""


@pytest.mark.parametrize(
    ("mode", "ending", "text"),
    [
        ("no-space", "malformed", "pass"),
        ("spaced-id", "malformed", "pass"),
        ("wrong-id", "answer", "pass"),
        ("no-id", "answer", "pass"),
        ("control", "answer", r"a\x00b\x07\x1b[31mred\x1b]0;title\x07\u202e\xff\xfe"),
    ],
)
def test_the_rest_is_read_after_a_wrong_answer(
    hostile: Hostile, patient: Limits, mode: str, ending: str, text: str
) -> None:
    commands = [f"{number} genmove b" for number in range(1, 6)]
    with Engine(hostile(mode, at=3), patient) as engine:
        exchanges = engine.ask_many(commands)
    assert [exchange.ending for exchange in exchanges] == ["answer", "answer", ending, ending, ending]
    assert exchanges[2].text == text
    assert [exchange.sent for exchange in exchanges] == [f"{command}\n".encode() for command in commands]


def test_a_refusal_in_the_middle(hostile: Hostile, patient: Limits) -> None:
    with Engine(hostile(), patient) as engine:
        exchanges = engine.ask_many(["name", "nonsense", "genmove b"])
    assert [exchange.ok for exchange in exchanges] == [True, False, True]
    assert exchanges[1].answer == Answer(False, None, "unknown command")


@pytest.mark.parametrize("at", [1, 3, 6])
def test_death_in_the_middle_names_the_command_in_flight(hostile: Hostile, patient: Limits, at: int) -> None:
    with Engine(hostile("die", at=at, code=9), patient) as engine:
        exchanges = engine.ask_many(SETUP)
        assert all(exchange.ok for exchange in exchanges[:-1])
        last = exchanges[-1]
        assert (last.sent, last.ending, last.exit) == (
            f"{SETUP[at - 1]}\n".encode(),
            "eof",
            Exit(9, None, False),
        )
        (again,) = engine.ask_many(["name", "version"])
        assert (again.sent, again.ending, again.unsent) == (b"name\n", "eof", len(b"name\n"))
    assert len(exchanges) == at


def test_last_words_belong_to_the_command_in_flight(hostile: Hostile, patient: Limits) -> None:
    with Engine(hostile("last-words", at=3), patient) as engine:
        exchanges = engine.ask_many(SETUP)
    assert len(exchanges) == 3
    assert (exchanges[-1].ending, exchanges[-1].raw) == ("eof", b"= pa")


@pytest.mark.parametrize("mode", ["hang", "silent", "half"])
def test_silence_in_the_middle_ends_with_the_command_in_flight(
    hostile: Hostile, brief: Limits, mode: str
) -> None:
    commands = ["name", "komi 7.5", "genmove b", "play w A1", "version"]
    with Engine(hostile(mode, at=3), replace(brief, answer=60, search=0.05)) as engine:
        exchanges = engine.ask_many(commands)
        assert sent(engine) == lines_of(commands)  # the pipe had room for all of it
    assert [exchange.ending for exchange in exchanges] == ["answer", "answer", "timeout"]
    assert exchanges[-1].sent == b"genmove b\n"
    assert exchanges[-1].limit == TimeLimit("search", 0.05)


def test_each_command_has_its_own_limit(hostile: Hostile, brief: Limits) -> None:
    limits = replace(brief, answer=60, search=0.01)
    with Engine(hostile("hang", at=6), limits) as engine:
        exchanges = engine.ask_many(SETUP)
    assert len(exchanges) == len(SETUP)
    assert exchanges[-1].limit == TimeLimit("search", 0.01)


def test_a_given_limit_is_that_of_each_answer(hostile: Hostile, brief: Limits) -> None:
    with Engine(hostile("hang", at=2), replace(brief, answer=60)) as engine:
        assert engine.ask("name").ok
        (exchange,) = engine.ask_many(SETUP, timeout=0.01)
    assert exchange.limit == TimeLimit("call", 0.01)


def test_time_is_counted_from_the_answer_before(hostile: Hostile, patient: Limits) -> None:
    with Engine(hostile("late", at=4, seconds=0.5), patient) as engine:
        assert engine.ask("name").ok
        first, second, third, *_ = engine.ask_many(SETUP)
    assert third.seconds >= 0.4  # the engine sleeps for 0.5 s before this answer
    assert first.seconds + second.seconds + third.seconds >= 0.4
    assert third.text == ""


def test_an_engine_that_drops_what_it_has_not_read_in_one_piece(hostile: Hostile, brief: Limits) -> None:
    with Engine(hostile("swallow"), replace(brief, search=0.05)) as engine:
        exchanges = engine.ask_many(["name", "genmove b", "version"])
    assert [exchange.ending for exchange in exchanges] == ["answer", "timeout"]
    assert exchanges[-1].sent == b"genmove b\n"


def test_answers_that_come_twice_shift_the_others_and_show_by_their_ids(
    hostile: Hostile, patient: Limits
) -> None:
    commands = [f"{number} genmove b" for number in range(1, 5)]
    with Engine(hostile("twice", at=2), patient) as engine:
        exchanges = engine.ask_many(commands)
        answers = [exchange.answer for exchange in exchanges]
        assert answers == [Answer(True, number, "pass") for number in (1, 2, 2, 3)]
        assert b"".join(exchange.raw for exchange in exchanges) + engine.receive().raw == (
            b"=1 pass\n\n=2 pass\n\n=2 pass\n\n=3 pass\n\n=3 pass\n\n"
        )


def test_answers_with_one_line_feed_run_together(hostile: Hostile, patient: Limits) -> None:
    with Engine(hostile("one-newline"), patient) as engine:
        (exchange,) = engine.ask_many(["name", "version", "quit"])
    assert (exchange.ending, exchange.raw) == ("eof", b"= hostile\n= 1\n= \n")
    assert exchange.fault
    assert exchange.fault.fault == "one-newline"


@pytest.mark.parametrize("mode", ["endless-lines", "endless-answer"])
def test_a_flood_in_the_middle_ends_by_its_size(hostile: Hostile, patient: Limits, mode: str) -> None:
    limits = replace(patient, max_answer=1 << 18, transcript_kept=1 << 19, quit=0.1, terminate=0.1)
    with Engine(hostile(mode, at=2), limits) as engine:
        exchanges = engine.ask_many(SETUP)
    assert [exchange.ending for exchange in exchanges] == ["answer", "oversize"]
    assert len(exchanges[-1].raw) <= (1 << 18) + (1 << 16)


@pytest.mark.parametrize("mode", ["huge", "flood-stderr"])
def test_an_engine_that_stops_reading_until_its_output_is_read(
    hostile: Hostile, patient: Limits, mode: str
) -> None:
    """Each side has more to write than the pipes hold: 2 MB out, and 8 MB back."""
    commands = [f"genmove b # {number:01000}" for number in range(2000)]
    with Engine(hostile(mode, size=4000), patient) as engine:
        exchanges = engine.ask_many(commands)
    assert len(exchanges) == len(commands)
    assert all(exchange.ok for exchange in exchanges)
    assert [exchange.sent for exchange in exchanges] == [f"{command}\n".encode() for command in commands]
    assert {exchange.unsent for exchange in exchanges} == {0}


def test_what_the_engine_did_not_take_is_counted_for_each_command(hostile: Hostile, brief: Limits) -> None:
    commands = ["x" * 99] * 10_000  # 1 MB; the pipe holds less, and nobody reads it
    with Engine(hostile("deaf"), replace(brief, startup=0.2)) as engine:
        (exchange,) = engine.ask_many(commands)
        taken = sent(engine)
        assert (exchange.ending, exchange.unsent) == ("timeout", 0)
        assert 100 <= len(taken) < 1_000_000
        assert lines_of(commands).startswith(taken)
        left = engine.ask("y")  # the commands that were given up do not follow later
        assert left.unsent == 2
        assert sent(engine) == taken


def test_a_line_that_was_cut_says_how_much_of_it_was_not_taken(hostile: Hostile, brief: Limits) -> None:
    long = "x" * 1_000_000
    with Engine(hostile("deaf"), replace(brief, startup=0.2)) as engine:
        (exchange,) = engine.ask_many([long, "name"])
        assert 0 < exchange.unsent < len(exchange.sent)
        assert len(sent(engine)) == len(exchange.sent) - exchange.unsent


def test_an_engine_that_ends_by_its_own_quit(hostile: Hostile, patient: Limits) -> None:
    with Engine(hostile(), patient) as engine:
        exchanges = engine.ask_many(["name", "quit", "version"])
    assert [exchange.ending for exchange in exchanges] == ["answer", "answer", "eof"]
    assert exchanges[-1].exit == Exit(0, None, False)


@settings(max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.sampled_from(["name", "genmove b", "5 version", "nonsense", "list_commands"]), max_size=12),
    st.integers(0, 12),
)
def test_any_cut_into_batches_gives_the_same_answers(
    hostile: Hostile, patient: Limits, commands: list[str], cut: int
) -> None:
    with Engine(hostile("unbuffered"), patient) as engine:
        exchanges = [*engine.ask_many(commands[:cut]), *engine.ask_many(commands[cut:])]
    with Engine(hostile("unbuffered"), patient) as engine:
        assert without_times(exchanges) == without_times([engine.ask(command) for command in commands])
