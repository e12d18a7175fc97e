"""Checks that are a dialogue: lines sent, and what each answer must look like.

A dialogue is data. It is written as it would be read in a terminal,

    play b A1
    play w A1      -> ? illegal move

one command a line; a command without an arrow must succeed. `{size}` stands for the board size that
the bot accepts. Lines that no text can show (control characters, several lines at once) are `Step`s.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from harness.checks.expect import Expectation, expectation
from harness.gtp import Exchange

SUCCESS = expectation("=")


@dataclass(frozen=True)
class Step:
    """Bytes to send, and the answers to expect to them in order (usually one)."""

    send: bytes
    expect: tuple[Expectation, ...] = (SUCCESS,)
    hint: str = ""


@dataclass(frozen=True)
class Turn:
    """A step that was taken, and the exchanges that came of it."""

    step: Step
    exchanges: tuple[Exchange, ...]


@dataclass(frozen=True)
class Dialogue:
    """The procedure of a check that is a dialogue with a bot.

    `write` gives the steps for a board size; `needs` are commands without which there is nothing to
    check (the bot is not required to have them).
    """

    write: Callable[[int], Sequence[Step]]
    needs: tuple[str, ...] = ()
    last: bool = False  # may leave the engine in an unknown state: run late, in a process of its own


def steps(script: str, size: int) -> list[Step]:
    """The steps that a written script stands for.

    Raises ValueError for an expectation that cannot be read.
    """
    written = []
    for line in script.strip().splitlines():
        command, arrow, form = line.strip().partition("->")
        send = command.strip().replace("{size}", str(size)).encode("ascii") + b"\n"
        written.append(Step(send, (expectation(form) if arrow else SUCCESS,)))
    return written


def dialogue(*parts: str | Step, needs: tuple[str, ...] = (), last: bool = False) -> Dialogue:
    """A dialogue out of scripts and single steps."""

    def write(size: int) -> list[Step]:
        return [step for part in parts for step in ([part] if isinstance(part, Step) else steps(part, size))]

    write(9)  # a script that cannot be read is found when the checks are loaded
    return Dialogue(write, needs, last)


def raw(send: bytes, *forms: str, hint: str = "") -> Step:
    """A step that sends bytes as they are and expects these answers."""
    return Step(send, tuple(expectation(form) for form in forms), hint)
