"""The driver against each way of misbehaving.

That it ends within its limits is what the timeout here says; that nothing is left behind is checked after
each test by the fixture in conftest.py.
"""

import os
import signal
from collections.abc import Callable
from dataclasses import replace

import pytest

from harness.gtp import Answer, Engine, Exchange, Exit, Launch, Limits, render_transcript

pytestmark = pytest.mark.timeout(120)

Hostile = Callable[..., Launch]
CutShort = Callable[[Launch, bytes], Exchange]


# --- it answers, but wrongly --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "line", "ending", "fault", "text"),
    [
        ("right", "7 genmove b", "answer", None, "pass"),
        ("crlf", "7 genmove b", "answer", None, "pass"),
        ("no-space", "genmove b", "malformed", "no-space", "pass"),
        ("spaced-id", "7 genmove b", "malformed", "id-not-adjacent", "pass"),
        ("no-id", "7 genmove b", "answer", None, "pass"),
        ("byte-order-mark", "7 genmove b", "answer", None, "pass"),
    ],
)
def test_the_form_of_an_answer(
    hostile: Hostile, patient: Limits, mode: str, line: str, ending: str, fault: str | None, text: str
) -> None:
    with Engine(hostile(mode), patient) as engine:
        exchange = engine.ask(line)
    assert exchange.ending == ending
    assert (exchange.fault and exchange.fault.fault) == fault
    assert exchange.text == text


def test_ids_are_recorded_as_they_come(hostile: Hostile, patient: Limits) -> None:
    with Engine(hostile("wrong-id"), patient) as engine:
        assert engine.ask("12 genmove b").answer == Answer(True, 13, "pass")
    with Engine(hostile("no-id"), patient) as engine:
        assert engine.ask("12 genmove b").answer == Answer(True, None, "pass")


def test_failures_are_answers(hostile: Hostile, patient: Limits) -> None:
    with Engine(hostile(), patient) as engine:
        exchange = engine.ask("5 nonsense")
    assert exchange.answer == Answer(False, 5, "unknown command")
    assert not exchange.ok
    assert exchange.text == "unknown command"


def test_one_line_feed_is_distinguished_from_silence(hostile: Hostile, cut_short: CutShort) -> None:
    exchange = cut_short(hostile("one-newline", at=2), b"= pass\n")
    assert exchange.fault
    assert exchange.fault.fault == "one-newline"
    assert exchange.text == "pass"


def test_bytes_of_an_exchange_that_timed_out_do_not_come_again(hostile: Hostile, brief: Limits) -> None:
    with Engine(hostile("one-newline", at=2), brief) as engine:
        assert engine.ask("name").ok
        raw = engine.ask("genmove b", timeout=0.01).raw
        while not raw:  # bounded by the test's time limit
            raw = engine.receive(0.01).raw
        assert engine.receive(0.01).raw == b""
    assert raw == b"= pass\n"


def test_patience_does_not_wait_for_the_whole_limit(hostile: Hostile, patient: Limits) -> None:
    with Engine(hostile("one-newline"), patient) as engine:
        exchange = engine.ask("genmove b", blank_line=0.01)
    assert exchange.ending == "malformed"
    assert exchange.fault
    assert exchange.fault.fault == "one-newline"


def test_patience_is_without_effect_on_a_right_answer_and_before_the_first_line(
    hostile: Hostile, patient: Limits
) -> None:
    with Engine(hostile("late", at=1, seconds=0.1), patient) as engine:
        assert engine.ask("name", blank_line=0.001).ok


def test_answers_that_come_twice_are_noise_of_the_next_exchange(hostile: Hostile, patient: Limits) -> None:
    with Engine(hostile("twice"), patient) as engine:
        first = engine.ask("name")
        assert engine.receive().raw == b"= hostile\n\n"
        second = engine.ask("genmove b")
        third = engine.ask("komi 7.5")
    assert (first.text, second.text, third.text) == ("hostile", "pass", "")
    assert first.noise == b""
    assert third.noise == b"= pass\n\n"


def test_stray_blank_lines_are_noise(hostile: Hostile, patient: Limits) -> None:
    with Engine(hostile("three-newlines"), patient) as engine:
        assert engine.ask("name").text == "hostile"
        exchange = engine.ask("genmove b")
    assert (exchange.noise, exchange.text) == (b"\n", "pass")


def test_log_lines_before_the_sign_are_noise(hostile: Hostile, patient: Limits) -> None:
    with Engine(hostile("chatty"), patient) as engine:
        exchange = engine.ask("3 genmove b")
    assert exchange.noise == b"thinking\n\n===== result =====\n"
    assert exchange.answer == Answer(True, 3, "pass")
    assert exchange.raw == exchange.noise + b"=3 pass\n\n"


def test_an_answer_without_a_sign_is_no_answer(hostile: Hostile, cut_short: CutShort) -> None:
    exchange = cut_short(hostile("no-sign", at=2), b"pass\n\n")
    assert exchange.noise == b""
    assert exchange.fault
    assert exchange.fault.fault == "no-sign"


def test_control_characters_are_escaped_in_text_and_kept_in_raw(hostile: Hostile, patient: Limits) -> None:
    with Engine(hostile("control"), patient) as engine:
        exchange = engine.ask("name")
        shown = render_transcript(engine.transcript)
    assert exchange.text == r"a\x00b\x07\x1b[31mred\x1b]0;title\x07\u202e\xff\xfe"
    assert b"\x1b[31m" in exchange.raw
    assert all(char.isprintable() or char == "\n" for char in shown)


# --- it does not answer -------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["silent", "hang"])
def test_silence(hostile: Hostile, brief: Limits, mode: str) -> None:
    with Engine(hostile(mode, at=2), brief) as engine:
        assert engine.ask("name").ok
        exchange = engine.ask("genmove b")
        assert (exchange.ending, exchange.raw, exchange.answer) == ("timeout", b"", None)
        assert exchange.fault
        assert exchange.fault.fault == "nothing"
        assert engine.alive


def test_half_an_answer(hostile: Hostile, cut_short: CutShort) -> None:
    exchange = cut_short(hostile("half", at=2), b"= pa")
    assert exchange.text == "pa"
    assert exchange.fault
    assert exchange.fault.fault == "unfinished"


def test_bytes_that_trickle_do_not_put_off_the_limit(hostile: Hostile, brief: Limits) -> None:
    with Engine(hostile("slow", at=2, seconds=0.01), brief) as engine:
        assert engine.ask("name").ok
        exchange = engine.ask("genmove b")
        raw = exchange.raw
        while not raw.startswith(b"=xx"):  # they do come; bounded by the test's time limit
            raw += engine.receive(0.05).raw
    assert exchange.ending == "timeout"


def test_a_late_answer_can_still_be_received(hostile: Hostile, patient: Limits) -> None:
    with Engine(hostile(), patient) as engine:
        assert engine.ask("name").ok
        os.kill(engine.pid, signal.SIGSTOP)
        assert engine.ask("genmove b", timeout=0.0).ending == "timeout"
        os.kill(engine.pid, signal.SIGCONT)
        assert engine.receive().text == "pass"
        assert engine.ask("name").noise == b""


def test_an_engine_that_does_not_read_cannot_block_a_write(hostile: Hostile, brief: Limits) -> None:
    with Engine(hostile("deaf"), replace(brief, startup=0.2)) as engine:
        exchange = engine.ask("x" * 1_000_000)
        assert exchange.ending == "timeout"
        assert 0 < exchange.unsent < 1_000_000
        assert len(exchange.sent) == 1_000_001
    sent = b"".join(event.data for event in engine.transcript if event.kind == "sent")
    assert len(sent) == len(exchange.sent) - exchange.unsent


def test_an_engine_without_an_input_is_asked_in_vain(hostile: Hostile, brief: Limits) -> None:
    with Engine(hostile("close-stdin"), replace(brief, startup=1.0)) as engine:
        while engine.send(b"name\n") == 0:
            pass  # until it has closed its input
        assert engine.alive


def test_a_missing_flush_shows_at_the_end_of_input(hostile: Hostile, brief: Limits, patient: Limits) -> None:
    with Engine(hostile("buffered"), replace(patient, startup=0.2)) as engine:
        assert engine.ask("name").ending == "timeout"
        engine.end_input()
        assert engine.receive(60).text == "hostile"
        assert engine.wait(60) == Exit(0, None, False)


# --- it dies ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "end"),
    [
        ({"code": 3}, Exit(3, None, False)),
        ({"signal": int(signal.SIGSEGV)}, Exit(None, signal.SIGSEGV, False)),
    ],
)
@pytest.mark.parametrize("mode", ["die-at-start", "die"])
def test_death_is_seen_at_once(
    hostile: Hostile, patient: Limits, mode: str, options: dict[str, int], end: Exit
) -> None:
    with Engine(hostile(mode, **options), patient) as engine:
        exchange = engine.ask("name")
        assert (exchange.ending, exchange.exit, exchange.answer) == ("eof", end, None)
        assert not engine.alive
        assert engine.exit == end
        again = engine.ask("name")
        assert (again.ending, again.exit, again.unsent) == ("eof", end, len(b"name\n"))
        if mode == "die-at-start":
            assert engine.stderr_tail == b"no network file\n"
    assert engine.transcript[-1].kind == "exit"


def test_death_at_a_later_command(hostile: Hostile, patient: Limits) -> None:
    with Engine(hostile("die", at=3, code=9), patient) as engine:
        assert engine.ask("name").ok
        assert engine.ask("komi 7.5").ok
        exchange = engine.ask("genmove b")
    assert exchange.exit == Exit(9, None, False)
    assert str(exchange.exit) == "ended with exit code 9"


def test_last_words_are_kept(hostile: Hostile, patient: Limits) -> None:
    with Engine(hostile("last-words"), patient) as engine:
        exchange = engine.ask("genmove b")
    assert (exchange.ending, exchange.raw, exchange.exit) == ("eof", b"= pa", Exit(3, None, False))


def test_death_is_seen_though_a_child_keeps_the_pipe(hostile: Hostile, patient: Limits) -> None:
    with Engine(hostile("orphan"), patient) as engine:
        exchange = engine.ask("genmove b")
    assert (exchange.ending, exchange.exit) == ("eof", Exit(3, None, False))


def test_an_end_of_output_is_not_an_end_of_the_process(hostile: Hostile, patient: Limits) -> None:
    with Engine(hostile("close-stdout"), replace(patient, reap=0.05, terminate=0.1, quit=0.1)) as engine:
        exchange = engine.ask("name")
        assert (exchange.ending, exchange.exit) == ("eof", None)
        assert engine.alive
    assert engine.exit == Exit(None, signal.SIGTERM, True)


# --- it says too much ---------------------------------------------------------------------------------------


def test_stderr_is_drained_and_only_its_end_kept(hostile: Hostile, patient: Limits) -> None:
    with Engine(hostile("flood-stderr", size=1_000_000), patient) as engine:
        assert engine.ask("name").ok  # 16 times what the pipe holds
        assert engine.ask("genmove b").ok
    assert len(engine.stderr_tail) == engine.limits.stderr_kept
    assert engine.stderr_tail.endswith(b"playout 1234567 of 9999999\n")


def test_endless_stderr_ends_by_the_limit(hostile: Hostile, brief: Limits) -> None:
    with Engine(hostile("endless-stderr", at=2), brief) as engine:
        assert engine.ask("name").ok
        assert engine.ask("genmove b").ending == "timeout"


@pytest.mark.parametrize("mode", ["endless-lines", "endless-answer"])
def test_endless_output_ends_by_its_size(hostile: Hostile, patient: Limits, mode: str) -> None:
    limits = replace(patient, max_answer=1 << 18, transcript_kept=1 << 19, quit=0.1, terminate=0.1)
    with Engine(hostile(mode), limits) as engine:
        exchange = engine.ask("genmove b")
        assert exchange.ending == "oversize"
        assert 1 << 18 < len(exchange.raw) <= (1 << 18) + (1 << 16)
        assert exchange.answer is None
        assert len(engine.receive(5).raw) <= (1 << 18) + (1 << 16)
    assert sum(len(event.data) for event in engine.transcript) <= limits.transcript_kept


def test_a_long_answer_within_the_limit(hostile: Hostile, patient: Limits) -> None:
    with Engine(hostile("huge", size=1_000_000), patient) as engine:
        assert engine.ask("name").text == "x" * 1_000_000


def test_memory_limit(hostile: Hostile, patient: Limits) -> None:
    launch = replace(hostile("memory", size=1 << 30), memory_mb=200)
    with Engine(launch, patient) as engine:
        exchange = engine.ask("name")
    assert exchange.exit == Exit(1, None, False)
    assert b"MemoryError" in engine.stderr_tail


def test_processor_time_limit(hostile: Hostile, patient: Limits) -> None:
    with Engine(replace(hostile("spin"), cpu_seconds=1), patient) as engine:
        exchange = engine.ask("name")
    assert exchange.exit == Exit(None, signal.SIGXCPU, False)


# --- programs that are no engines ---------------------------------------------------------------------------


def test_cat(brief: Limits) -> None:
    with Engine("cat", replace(brief, startup=0.2, terminate=60)) as engine:
        exchange = engine.ask("name")
        assert exchange.ending == "timeout"
        assert exchange.raw in (b"name\n", b"")  # of a busy machine nothing may have come yet
        # cat gives back what looks like an answer
        engine.send(b"= what\n\n")
        assert engine.receive(60).text == "what"
    assert engine.exit == Exit(0, None, False)


def test_true(patient: Limits) -> None:
    with Engine("true", patient) as engine:
        assert engine.ask("name").exit == Exit(0, None, False)


def test_yes(brief: Limits) -> None:
    with Engine("yes", brief) as engine:
        assert engine.ask("name").ending == "oversize"
    assert engine.exit == Exit(None, signal.SIGTERM, True)
