"""Any bytes into the reader of answers: `make fuzz`. Needs atheris, which finds the bytes that matter.

What must hold for every input: nothing is raised; what is shown can do nothing to a terminal; an answer that
is called well-formed is one by the grammar, said here a second time as one regular expression.
"""

from __future__ import annotations

import re
import sys

import atheris  # not among the locked dependencies

with atheris.instrument_imports():
    from harness.check.procedures.expectation import expectation
    from harness.gtp import Answer, Exchange, parse_answer, printable, printable_lines
    from harness.gtp.answer_search import AnswerSearcher, leading_answers
    from harness.gtp.syntax import command_id

WELL_FORMED = re.compile(rb"[=?][0-9]*(?:[ \t][^\n]*)?\n(?:[^\n]+\n)*\n")
ANY = expectation("*")


def one_input(data: bytes) -> None:
    number = command_id(data)
    parsed = parse_answer(data, number)
    exchange = Exchange(data, data, parsed if isinstance(parsed, Answer) else None, "malformed", b"", 0.0)
    assert ANY.is_met_by(exchange) == isinstance(parsed, Answer)
    if isinstance(parsed, Answer):
        assert WELL_FORMED.fullmatch(data.replace(b"\r", b"")), data
        assert all(char.isprintable() or char in "\n\t" for char in parsed.text), data
    else:
        assert str(parsed)
    assert printable(data).isprintable()
    assert all(char.isprintable() or char in "\n\t" for char in printable_lines(data))
    in_pieces(data)
    taken_at_once(data)


def in_pieces(data: bytes) -> None:
    """Where an answer begins and ends does not depend on how many bytes come at a time."""
    whole = AnswerSearcher(1 << 20)
    found = whole.search(data, len(data))
    bytewise = AnswerSearcher(1 << 20)
    for end in range(1, len(data) + 1):
        if bytewise.search(data[:end], 1) >= 0:
            assert found >= 0, data
            assert (bytewise.start, bytewise.end) == (whole.start, whole.end), data
            return
    assert found < 0, data


def taken_at_once(data: bytes) -> None:
    """Answers that are taken out of the buffer at once are those that are found one by one."""
    for answer in leading_answers(data)[0]:
        searcher = AnswerSearcher(1 << 20)
        assert searcher.search(data, len(data)) == AnswerSearcher.ANSWER, data
        assert (searcher.start, data[: searcher.end]) == (0, answer), data
        data = data[searcher.end :]


def main() -> None:
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
