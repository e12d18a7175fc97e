import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from harness.gtp.answer_search import AnswerSearcher, leading_answers
from harness.gtp.limits import Limits
from harness.gtp.syntax import ANSWER_END, ANSWER_SIGN
from harness.gtp.transcript import Recorder
from harness.gtp.transport import Pipes

NEVER = 1 << 30

chunks = st.lists(
    st.lists(
        st.sampled_from([b"=", b"?", b"\n", b"\r", b"a", b" ", b"\xef\xbb\xbf", b"\xef"]), min_size=1
    ).map(b"".join)
)


def framed_at_once(window: bytes) -> tuple[int, int] | None:
    """Where the first answer of `window` begins and ends, looking at all of it."""
    sign = ANSWER_SIGN.search(window)
    end = ANSWER_END.search(window, sign.start(1)) if sign else None
    return (sign.start(1), end.end()) if sign and end else None


@given(chunks)
@example([b"\xef\xbb\xbf=", b"\n\n"])
@example([b"= a\n\r", b"\n"])
@example([b"=", b"= a\n\n", b"= b\n\n"])
def test_an_answer_in_pieces_is_framed_as_the_whole_is(pieces: list[bytes]) -> None:
    searcher = AnswerSearcher(NEVER)
    window = b""
    for piece in pieces:
        window += piece
        found = searcher.search(window, len(piece)) == AnswerSearcher.ANSWER
        assert ((searcher.start, searcher.end) if found else None) == framed_at_once(window)
        if found:
            break


@given(chunks, st.integers(0, 20))
def test_no_more_than_the_limit_and_a_piece_is_looked_at(pieces: list[bytes], limit: int) -> None:
    searcher = AnswerSearcher(limit)
    window = b""
    for piece in pieces:
        assert len(window) <= limit
        window += piece
        if searcher.search(window, len(piece)) >= 0:
            break


@given(chunks.map(b"".join))
@example(b"=\n\n\n= a\n\n")
@example(b"= a\n\n? b\nc\n\n= d\n")
@example(b"==\n\n= a\n\n")
def test_answers_that_are_taken_at_once_are_those_that_are_found_one_by_one(data: bytes) -> None:
    answers, rest = leading_answers(data)
    assert b"".join(answers) + rest == data
    for answer in answers:
        searcher = AnswerSearcher(NEVER)
        assert searcher.search(data, len(data)) == AnswerSearcher.ANSWER
        assert (searcher.start, data[: searcher.end]) == (0, answer)
        data = data[searcher.end :]


def test_answers_with_nothing_between_them_are_taken_at_once() -> None:
    assert leading_answers(b"=\n\n? no\n\n=3 a\nb\n\n= c") == (
        [b"=\n\n", b"? no\n\n", b"=3 a\nb\n\n"],
        b"= c",
    )


@contextmanager
def pipes_of(command: str) -> Iterator[Pipes]:
    """The pipes of a process that a shell starts."""
    limits = Limits()
    with subprocess.Popen(
        ["sh", "-c", command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        pipes = Pipes(process, limits, Recorder(limits))
        try:
            yield pipes
        finally:
            process.kill()
            pipes.close()


DIALOGUES = [
    ["= a\n\n= b\n\n? c\n\n"],
    ["= a\n\n= b\n", "\n? c\n\n"],
    ["= a\n", "\n= b\n\n? c\n\n"],
    ["= a", "\n\n= b\n\n", "? c\n\n"],
    ["log\n= a\n\n= b\n\n", "? c\n\n"],
    ["= a\n\n", "log\n= b\n\n? c\n\n"],
    ["= a\n\n= b\n\n\n\n", "? c\n\n"],
    ["= a\r\n\r\n= b\n\n", "==\n? c\n\n"],
]


@pytest.mark.parametrize("pieces", DIALOGUES)
def test_answers_are_the_same_however_they_come(pieces: list[str]) -> None:
    # `sleep` only makes it likely that each piece is one read: the answers are the same anyway.
    said = "; sleep 0.05; ".join(
        f"printf '{piece}'".replace("\n", "\\n").replace("\r", "\\r") for piece in pieces
    )
    with pipes_of(f"{said}; cat") as pipes:
        waits = [pipes.wait_for_answer(time.monotonic() + 60.0) for _ in "abc"]
        assert [how for how, _, _ in waits] == ["answer"] * 3
        assert [answer.strip() for _, _, answer in waits] == [b"= a", b"= b", b"? c"]
        heard = b"".join(noise + answer for _, noise, answer in waits)
        assert heard == "".join(pieces).encode()
        assert not pipes.has_output()


def test_the_end_of_the_output_leaves_nothing_behind() -> None:
    with pipes_of("printf '= a\\n\\nnoise\\n= b'") as pipes:
        assert pipes.wait_for_answer(time.monotonic() + 60.0) == ("answer", b"", b"= a\n\n")
        assert pipes.wait_for_answer(time.monotonic() + 60.0) == ("eof", b"noise\n", b"= b")
        assert pipes.wait_for_answer(time.monotonic() + 60.0) == ("eof", b"", b"")
