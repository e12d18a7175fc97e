"""Checks that are a dialogue: lines sent, and what each answer must look like.

A dialogue is data. It is written as it would be read in a terminal,

    play b A1
    play w A1      -> ? illegal move

one command a line; a command without an arrow must succeed. `{size}` stands for the board size that
the bot accepts. Lines that no text can show (control characters, several lines at once) are `Step`s.
A dialogue about the rules can be turned by any symmetry of the board, so that no bot can know it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from harness.checks.expect import Expectation, expectation
from harness.go import symmetries
from harness.gtp import Exchange, format_vertex, parse_vertex

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

    `write` gives the steps for a board size and one of its eight symmetries; `needs` are commands without
    which there is nothing to check (the bot is not required to have them); with `sizes` it is held on every
    board size that the bot accepts.
    """

    write: Callable[[int, int], Sequence[Step]]
    needs: tuple[str, ...] = ()
    last: bool = False  # may leave the engine in an unknown state: run late, in a process of its own
    sizes: bool = False


def steps(script: str, size: int, turn: int = 0) -> list[Step]:
    """The steps that a written script stands for, its vertices turned by a symmetry of the board.

    Raises ValueError for an expectation that cannot be read.
    """
    written = []
    for line in script.strip().splitlines():
        command, arrow, form = (part.strip() for part in line.partition("->"))
        if turn:
            command = turned(command, size, turn) if command.startswith("play") else command
            form = turned(form, size, turn) if form.startswith("@") else form
        send = command.replace("{size}", str(size)).encode("ascii") + b"\n"
        written.append(Step(send, (expectation(form) if arrow else SUCCESS,)))
    return written


def turned(text: str, size: int, turn: int) -> str:
    """The same text with every vertex in it moved by a symmetry of the board."""
    image = symmetries(size)[turn]
    return re.sub(
        r"\b[A-HJ-Z][1-9]\d?\b", lambda match: format_vertex(image(parse_vertex(match[0], size))), text
    )


def dialogue(
    *parts: str | Step,
    needs: tuple[str, ...] = (),
    last: bool = False,
    turns: bool = False,
    sizes: bool = False,
) -> Dialogue:
    """A dialogue out of scripts and single steps; `turns`: it may be turned by a symmetry of the board."""

    def write(size: int, turn: int) -> list[Step]:
        turn = turn if turns else 0
        return [
            step for part in parts for step in ([part] if isinstance(part, Step) else steps(part, size, turn))
        ]

    write(9, 0)  # a script that cannot be read is found when the checks are loaded
    return Dialogue(write, needs, last, sizes)


def chased(command: str, form: str) -> Step:
    """A command that some engines leave unanswered; the answer to `name` behind it shows that at once."""
    return raw(command.encode("ascii") + b"\nname\n", form, "=")


def raw(send: bytes, *forms: str, hint: str = "") -> Step:
    """A step that sends bytes as they are and expects these answers."""
    return Step(send, tuple(expectation(form) for form in forms), hint)
