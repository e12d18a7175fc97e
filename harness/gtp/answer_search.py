"""Find answers in the bytes that an engine prints: any answer by pexpect's loop, plain ones directly.

A plain answer begins at the first byte with one sign, has no CR, and is complete: "=7 D4" and two line feeds.
Nearly all are plain (`_PLAIN_ANSWER`). `transport.Pipes` finds answers with these functions.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pexpect.expect import searcher_re

from harness.gtp.syntax import ANSWER_END, ANSWER_SIGN

if TYPE_CHECKING:
    _Searcher = searcher_re[bytes]
else:
    _Searcher = searcher_re

_OVERLAP = 4  # bytes before new data in which a match may begin: a byte order mark and a sign, or LF CR
_LONE_SIGN = re.compile(rb"(?m)^([=?])\Z")  # the last byte, whose next byte has not come
_PLAIN_ANSWER = re.compile(rb"[=?](?:[^=?\r\n][^\r\n]*)?(?:\n[^\r\n]+)*\n\n")


class AnswerSearcher(_Searcher):
    """A searcher for pexpect's loop. It finds the sign and the blank line of an answer, and reads bytes once.

    One instance serves one wait. `search` and pexpect's loop return the constants of this class: how the wait
    ended. pexpect takes the bytes before `start` for noise, and those up to `end` for the answer.
    """

    ANSWER, OVERSIZE, EOF, TIMEOUT = range(4)

    def __init__(self, max_answer: int) -> None:
        self.eof_index, self.timeout_index = self.EOF, self.TIMEOUT
        self._max_answer = max_answer
        self._sign = -1  # index of the answer's sign; -1 before it has come
        self.line_complete = False  # the answer's first line has come (see `blank_line` of `Engine.ask`)

    def search(self, window: bytes, freshlen: int, searchwindowsize: int | None = None) -> int:
        """Return ANSWER or OVERSIZE, or -1 if more bytes are needed. Sets `start` and `end` of the match.

        window    all bytes that pexpect has read and not matched; the last `freshlen` of them are new
        """
        unseen = max(0, len(window) - freshlen - _OVERLAP)
        if self._sign < 0:
            sign = ANSWER_SIGN.search(window, unseen)
            self._sign = sign.start(1) if sign else -1
        if self._sign >= 0:
            end = ANSWER_END.search(window, max(self._sign, unseen))
            if end:
                return self._found(self.ANSWER, window, self._sign, end.end())
            self.line_complete = self.line_complete or b"\n" in window[max(self._sign, unseen) :]
        if len(window) > self._max_answer:
            return self._found(self.OVERSIZE, window, max(0, self._sign), len(window))
        return -1

    def _found(self, index: int, window: bytes, start: int, end: int) -> int:
        self.start, self.end = start, end
        self.match = window[start:end]  # type: ignore[assignment]  # pexpect only passes it on
        return index


def is_plain_answer(data: bytes) -> bool:
    """Return True if `data` is exactly one plain answer."""
    return _PLAIN_ANSWER.fullmatch(data) is not None


def leading_answers(data: bytes) -> tuple[list[bytes], bytes]:
    """Return the plain answers at the beginning of `data`, and the rest of the bytes.

    The rest is empty, or begins with what needs `AnswerSearcher`: noise, an incomplete answer, one with a CR.
    """
    answers, start = [], 0
    while found := _PLAIN_ANSWER.match(data, start):
        answers.append(found.group())
        start = found.end()
    return answers, data[start:]


def split_at_sign(data: bytes) -> tuple[bytes, bytes]:
    """Split an incomplete answer into (noise before its sign, the rest). Without a sign, all is the rest."""
    sign = ANSWER_SIGN.search(data) or _LONE_SIGN.search(data)
    start = sign.start(1) if sign else 0
    return data[:start], data[start:]
