"""The steps of a dialogue: lines to send, and the answers to expect to them.

Most are written in a script, one command a line, as a terminal shows it:

    play b A1
    play w A1      -> ?

A line with an arrow is about the subject of the check; the text after the arrow is an `expectation`. A line
without an arrow is part of the set-up and must succeed; if it fails, another check reports it (see
`reliance`). `{size}` stands for the board size that the bot accepts, `{known}` for a command that it has,
`= {answer}` for its answer to that command. `raw` makes steps that a script cannot show (control characters,
several commands at once), `chased` steps with a command that some bots never answer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from harness.check.bot.refusals import is_obeyed
from harness.check.procedures.expectation import Expectation, expectation
from harness.check.procedures.reliance import SentLine
from harness.go import symmetries
from harness.gtp import Exchange, format_vertex, parse_vertex

NEW = "boardsize {size}\nclear_board\n"
"""Lines that begin a game."""

VERTEX = "= ~(?i)(pass|resign|[a-z]([1-9]|1[0-9]|2[0-5]))"
"""An answer of genmove: a vertex of any board (or with the letter I), pass or resign, in either case."""

SUCCESS = expectation("=")
KNOWN, ANSWER = "{known}", "{answer}"
SHOWN_AS = ("protocol_version", "2")
"""Values of `{known}` and `{answer}` in a description, which has no bot."""


@dataclass(frozen=True)
class Step:
    """Bytes to send, and the answers to expect to them in order (usually one).

    hint      what to change in the bot if an answer is unexpected
    subject   an unexpected answer is about the subject of the check; else the line is part of the set-up
    chased    some bots never answer the command: if no answer comes, send the chaser (see `Chaser`) after it
    unlike    faults that the check must catch, and that answer this step as expected: a bot that fails the
              step has none of them (see `Judgement.unlike`)
    """

    send: bytes
    expect: tuple[Expectation, ...] = (SUCCESS,)
    hint: str = ""
    subject: bool = True
    chased: bool = False
    unlike: tuple[str, ...] = ()

    def filled(self, command: str, answer: str) -> Step:
        """Return the step with a command in place of `{known}`, and its answer in place of `{answer}`."""
        send = self.send.replace(KNOWN.encode("ascii"), command.encode("ascii"))
        if send == self.send and not self.expects_answer:
            return self
        expect = tuple(
            replace(wanted, texts=(answer,)) if wanted.texts == (ANSWER,) else wanted
            for wanted in self.expect
        )
        return replace(self, send=send, expect=expect)

    @property
    def expects_answer(self) -> bool:
        """True if an answer must be the text that stands for `{answer}`."""
        return any(wanted.texts == (ANSWER,) for wanted in self.expect)

    @property
    def has_id(self) -> bool:
        """True if the line begins with a digit, as one with an id does."""
        return self.send[:1].isdigit()

    @property
    def line(self) -> SentLine:
        """The line to send, with the signs of the expected answers."""
        return SentLine(self.send, tuple(wanted.sign for wanted in self.expect))

    def is_as_expected(self, index: int, exchange: Exchange) -> bool:
        """Return whether the answer with this index is as expected.

        Where any text is allowed (`=`), a command such as play must not succeed with the text of a refusal,
        as `= illegal move` (see `is_obeyed`).
        """
        wanted = self.expect[index]
        return wanted.is_met_by(exchange) and (wanted != SUCCESS or is_obeyed(exchange))


def steps(script: str, size: int, turn: int = 0) -> list[Step]:
    """Read the steps of a script. A board symmetry, by its number `turn` (0 to 7), moves its vertices.

    Only the vertices of `play` and of expectations with `@` are moved. Raises ValueError for an expectation
    that cannot be read, and VertexError for a vertex to be moved that is off the board.
    """
    written = []
    for line in script.strip().splitlines():
        command, arrow, form = (part.strip() for part in line.partition("->"))
        if turn:
            command = turned(command, size, turn) if command.startswith("play") else command
            form = turned(form, size, turn) if form.startswith("@") else form
        send = command.replace("{size}", str(size)).encode("ascii") + b"\n"
        written.append(Step(send, (expectation(form) if arrow else SUCCESS,), subject=bool(arrow)))
    return written


def turned(text: str, size: int, turn: int) -> str:
    """Return the text with every vertex in upper case moved by a symmetry of the board.

    Raises VertexError for a vertex off the board.
    """
    image = symmetries(size)[turn]
    return re.sub(
        r"\b[A-HJ-Z][1-9]\d?\b", lambda match: format_vertex(image(parse_vertex(match[0], size))), text
    )


def chased(command: str, form: str) -> Step:
    """Make a step of a command that some bots never answer (see `Step.chased`)."""
    return Step(command.encode("ascii") + b"\n", (expectation(form),), chased=True)


def raw(send: bytes, *forms: str, hint: str = "") -> Step:
    """Make a step that sends bytes as they are, with their line feed if they have one.

    `forms`: the expected answers, as `expectation` reads them; `hint`: for a failed check.
    """
    return Step(send, tuple(expectation(form) for form in forms), hint)
