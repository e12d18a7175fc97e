"""Answers that go on until the next line: with a real process, and with every sequence of lines."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.gtp import Engine, Exchange, Launch, Limits, render_transcript
from harness.gtp.stream import Stream, exchange_of
from harness.gtp.transport import Wait
from tests.harness.gtp.conftest import ENGINES

LINES = [b"info move D4 visits 1 winrate 5000\n", b"info move D4 visits 2 winrate 5100\n"]
LONG = 60.0  # seconds for what must come
Streaming = Callable[[str], Launch]


@pytest.fixture
def streaming() -> Streaming:
    def launch(mode: str) -> Launch:
        return Launch(shlex.join([sys.executable, "-S", "-E", str(ENGINES / "streaming.py"), mode]))

    return launch


def lines_of(stream: Stream, count: int) -> list[bytes]:
    lines = [stream.next_line(LONG) for _ in range(count)]
    return [line for line in lines if line is not None]


def test_lines_are_read_while_the_answer_goes_on(streaming: Streaming, patient: Limits) -> None:
    with Engine(streaming("right"), patient) as engine:
        stream = engine.begin("7 analyze")
        assert lines_of(stream, 3) == [b"=7\n", *LINES]
        assert stream.exchange is None
        after = engine.ask("8 name")
        assert (after.answer and after.answer.id, after.text, after.noise) == (8, "name", b"")
        ended = stream.exchange
        assert ended is not None
        assert ended.ok
        assert (ended.sent, ended.raw) == (b"7 analyze\n", b"=7\n" + b"".join(LINES) + b"\n")
        assert stream.next_line(LONG) is None


def test_lines_that_nobody_has_read_belong_to_the_stream(streaming: Streaming, patient: Limits) -> None:
    with Engine(streaming("right"), patient) as engine:
        streams = [engine.begin("analyze") for _ in range(3)]
        after = engine.ask_many(["name", "version"])
    whole = b"=\n" + b"".join(LINES) + b"\n"
    assert [stream.exchange and stream.exchange.raw for stream in streams] == [whole] * 3
    assert [(exchange.text, exchange.noise) for exchange in after] == [("name", b""), ("version", b"")]


def test_the_conversation_is_in_the_transcript(streaming: Streaming, patient: Limits) -> None:
    with Engine(streaming("right"), patient) as engine:
        lines_of(engine.begin("analyze"), 3)
        engine.ask("name")
        text = render_transcript(engine.transcript)
    said = [line.split(maxsplit=1)[1] for line in text.splitlines() if " # " not in line]
    printed = [f"< {line.decode().rstrip()}" for line in LINES]
    assert said[:7] == ["> analyze", "< =", *printed, "> name", "<", "< = name"]


def test_a_refusal_and_an_answer_that_ends_by_itself(streaming: Streaming, patient: Limits) -> None:
    with Engine(streaming("by-itself"), patient) as engine:
        refused = engine.begin("analyze x")
        assert lines_of(refused, 2) == [b"? bad colour\n"]
        assert refused.refused
        assert refused.exchange is not None
        assert not refused.exchange.ok
        stream = engine.begin("analyze")
        assert lines_of(stream, 4) == [b"=\n", *LINES]
        assert stream.exchange is not None
        assert stream.exchange.ok
        assert engine.ask("name").noise == b""


@pytest.mark.parametrize(
    ("mode", "fault", "noise"),
    [("glued", "one-newline", b""), ("no-sign", "no-sign", b""), ("two-empty-lines", None, b"\n")],
)
def test_a_wrong_form(
    streaming: Streaming, patient: Limits, mode: str, fault: str | None, noise: bytes
) -> None:
    with Engine(streaming(mode), patient) as engine:
        stream = engine.begin("analyze")
        lines_of(stream, 2)
        after = engine.ask("name")
    ended = stream.exchange
    assert ended is not None
    assert (ended.fault and ended.fault.fault) == fault
    assert ended.ending == ("answer" if fault is None else "malformed")
    assert (after.text, after.noise) == ("name", noise)


def test_an_analysis_that_never_ends(streaming: Streaming, brief: Limits) -> None:
    with Engine(streaming("never-ends"), brief) as engine:
        assert engine.ask("version").ok  # the first answer has a longer limit
        stream = engine.begin("analyze")
        lines_of(stream, 3)
        after = engine.ask("name")
    assert stream.exchange is not None
    assert (stream.exchange.ending, after.ending) == ("timeout", "timeout")


def test_a_line_that_does_not_come(streaming: Streaming, patient: Limits) -> None:
    with Engine(streaming("silent"), patient) as engine:
        stream = engine.begin("analyze")
        assert lines_of(stream, 1) == [b"=\n"]
        assert stream.next_line(0.01) is None
        assert stream.exchange is None
        assert engine.ask("name").ok
        assert stream.exchange is not None
        assert stream.exchange.ok
        given_up = engine.begin("analyze").give_up()
        assert (given_up.ending, given_up.answer) == ("timeout", None)


@pytest.mark.parametrize("mode", ["no-line-feed", "flood"])
def test_a_flood_ends_by_its_size(streaming: Streaming, patient: Limits, mode: str) -> None:
    limits = replace(patient, max_answer=1 << 18)
    with Engine(streaming(mode), limits) as engine:
        stream = engine.begin("analyze")
        while stream.next_line(LONG) is not None:
            pass
        assert stream.exchange is not None
        assert stream.exchange.ending == "oversize"
        assert len(stream.exchange.raw) <= 1 << 19
        engine.kill()


def test_death_ends_the_analysis(streaming: Streaming, patient: Limits) -> None:
    with Engine(streaming("dies"), patient) as engine:
        stream = engine.begin("analyze")
        assert lines_of(stream, 5) == [b"=\n", *LINES]
        ended = stream.exchange
        assert ended is not None
        assert (ended.ending, ended.exit and ended.exit.code) == ("eof", 3)
        assert engine.ask("name").ending == "eof"


class Given:
    """A source with given lines, then the end of the output."""

    def __init__(self, lines: list[bytes]) -> None:
        self.lines = lines

    def wait_for_line(self, deadline: float) -> tuple[Wait, bytes]:
        return ("answer", self.lines.pop(0)) if self.lines else ("eof", b"")

    def put_back(self, *pieces: bytes) -> None:
        self.lines[:0] = pieces


def finish(how: Wait, noise: bytes, raw: bytes, took: float) -> Exchange:
    return exchange_of(b"analyze\n", noise, raw, took)


PIECES = [b"=\n", b"=7\n", b"? no\n", b"\n", b"\r\n", b"info a\n", b"log\n", b"==\n", b"= x\n"]


@given(st.lists(st.sampled_from(PIECES)), st.sampled_from([b"", b"x\n"]))
def test_each_byte_belongs_to_one_exchange(lines: list[bytes], early: bytes) -> None:
    source = Given(list(lines))
    stream = Stream(source, b"analyze\n", early, 1 << 20, finish)
    ended = stream.finish(0.0)
    assert ended.raw + b"".join(source.lines) == early + b"".join(lines)
    assert ended.raw.startswith(early)
    if ended.answer is not None:
        assert ended.raw.endswith((b"\n\n", b"\n\r\n"))


@given(st.lists(st.sampled_from([b"info a\n", b"log\n", b"x y\n"])))
def test_a_right_answer_is_read_to_its_empty_line(lines: list[bytes]) -> None:
    source = Given([b"=\n", *lines, b"\n", b"= next\n", b"\n"])
    ended = Stream(source, b"analyze\n", b"", 1 << 20, finish).finish(0.0)
    assert ended.ok
    assert ended.raw == b"=\n" + b"".join(lines) + b"\n"
    assert source.lines == [b"= next\n", b"\n"]
