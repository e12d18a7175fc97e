"""Stderr of an engine in a message: the line that gives the reason of its end."""

from __future__ import annotations

import shlex
import sys

import pytest

from harness.gtp import Engine, Launch, Limits
from harness.gtp.transcript import LONGEST_SHOWN, complaint, error_line, last_lines


@pytest.mark.parametrize(
    ("raw", "line"),
    [
        (b"", ""),
        (b"\n \n", ""),
        (b"Traceback:\n  File x\nValueError: no\n", "Traceback: / File x / ValueError: no"),
        (b"1\n2\n\n3\r\n4", "2 / 3 / 4"),
        (b"\x1b[31mred\n", "\\x1b[31mred"),
    ],
)
def test_the_last_lines_are_one_printable_line(raw: bytes, line: str) -> None:
    assert last_lines(raw) == line


PYTHON = b"""Traceback (most recent call last):
  File "bot.py", line 9, in <module>
    raise_error()
NameError: name 'x' is not defined
"""
JAVA = b"""Exception in thread "main" java.lang.IllegalStateException: no board
\tat bot.ErrorHandler.run(ErrorHandler.java:3)
\tat bot.Main.main(Main.java:7)
"""
RUST = b"""thread 'main' panicked at src/main.rs:5:9:
index out of bounds
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
"""
CPP = b"""terminate called after throwing an instance of 'std::out_of_range'
  what():  vector::_M_range_check
"""
GO = b"""panic: runtime error: index out of range [9]

goroutine 1 [running]:
main.main()
\t/bot/main.go:12 +0x1d
exit status 2
"""

SANITIZER = b"""==7==ERROR: AddressSanitizer: SEGV on unknown address 0x0
    #0 0x55 in parse_colour /bot/bot.c:112:8
SUMMARY: AddressSanitizer: SEGV /bot/bot.c:112:8 in parse_colour
==7==ABORTING
"""


@pytest.mark.parametrize(
    ("raw", "line"),
    [
        (b"", ""),
        (b" \n", ""),
        (b"level 9\nby default\n", "by default"),
        (b"*** error 3 ***\nsaving the game\n", "*** error 3 ***"),
        (PYTHON, "NameError: name 'x' is not defined"),
        (JAVA, 'Exception in thread "main" java.lang.IllegalStateException: no board'),
        (RUST, "thread 'main' panicked at src/main.rs:5:9: / index out of bounds"),
        (CPP, "what():  vector::_M_range_check"),
        (GO, "panic: runtime error: index out of range [9]"),
        (SANITIZER, "SUMMARY: AddressSanitizer: SEGV /bot/bot.c:112:8 in parse_colour"),
        (b"error: " + 400 * b"x", LONGEST_SHOWN * "x"),
    ],
)
def test_the_line_that_tells_why_a_program_ended(raw: bytes, line: str) -> None:
    assert error_line(raw) == line


def test_a_line_about_an_error_is_a_complaint_however_long() -> None:
    assert complaint(b"level 9\n") == ""
    assert complaint(b"error: no board\n") == "error: no board"
    assert complaint(b"error: " + 400 * b"x") == LONGEST_SHOWN * "x"


def test_an_engine_that_ends_says_why(patient: Limits) -> None:
    program = "import sys; sys.stdin.readline(); print(file=sys.stderr); raise ValueError('no board')"
    with Engine(Launch(shlex.join([sys.executable, "-S", "-E", "-c", program])), patient) as engine:
        exchange = engine.ask("genmove b")
    assert exchange.ending == "eof"
    assert exchange.wrote == "ValueError: no board"
