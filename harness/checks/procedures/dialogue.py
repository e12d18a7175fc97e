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
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from harness.checks.bot.bot import Bot
from harness.checks.bot.errors import BotInterruptedError
from harness.checks.bot.session import Session
from harness.checks.bot.wording import answer_text, sent_text
from harness.checks.model import Judgement, Outcome, Phase
from harness.checks.procedures.expectation import Expectation, expectation
from harness.go import symmetries
from harness.gtp import Exchange, format_vertex, parse_vertex, printable

SUCCESS = expectation("=")
SYMMETRIES = 8
SLOW_HINT = (
    "give it fewer playouts, or a longer limit with --timeout SECONDS (--startup SECONDS at its start)"
)


@dataclass(frozen=True)
class Step:
    """Bytes to send, and the answers to expect to them in order (usually one)."""

    send: bytes
    expect: tuple[Expectation, ...] = (SUCCESS,)
    hint: str = ""


@dataclass(frozen=True)
class Turn:
    """A step that was taken, and the exchanges that resulted."""

    step: Step
    exchanges: tuple[Exchange, ...]

    @property
    def unexpected(self) -> int | None:
        """The index of the first answer that is not as expected; None if all are."""
        for index, wanted in enumerate(self.step.expect):
            if index >= len(self.exchanges) or not wanted.met(self.exchanges[index]):
                return min(index, len(self.exchanges) - 1)
        return None


@dataclass(frozen=True)
class DialogueRecord:
    """The observation of a dialogue: its turns, up to the first unexpected answer."""

    turns: tuple[Turn, ...]


@dataclass(frozen=True)
class Dialogue:
    """The procedure of a check that is a dialogue with a bot.

    write       gives the steps for a board size and one of its eight symmetries
    all_sizes   hold the dialogue on every board size that the bot accepts
    final       it may leave the bot in an unknown state, so it runs late
    """

    write: Callable[[int, int], Sequence[Step]]
    all_sizes: bool = False
    final: bool = False

    search_plan = None

    @property
    def phase(self) -> Phase:
        """When the dialogue is held."""
        return Phase.FINAL if self.final else Phase.DIALOGUE

    def describe(self) -> list[str]:
        """Each line of the dialogue with the answers that it expects."""
        lines = ["the dialogue, and the answer to each line:"]
        for step in self.write(9, 0):
            expected = ", then ".join(map(str, step.expect))
            lines.append(f"  {printable(step.send).rstrip():<40} → {expected}")
        return lines

    def observe(self, session: Session) -> DialogueRecord:
        """Hold the dialogue; stop at the first answer that is not as expected."""
        profile = session.profile
        sizes = profile.sizes if self.all_sizes else (profile.size,)
        steps = (
            step
            for number, size in enumerate(sizes)
            for step in self.write(size, (session.seed + number) % SYMMETRIES)
        )
        return DialogueRecord(hold(session.bot, steps))

    def judge(self, observation: DialogueRecord) -> Judgement:
        """Judge the turns."""
        return judge_turns(observation.turns)


def hold(bot: Bot, steps: Iterable[Step]) -> tuple[Turn, ...]:
    """Take the steps one after the other; stop at the first answer that is not as expected."""
    turns: list[Turn] = []
    for step in steps:
        turns.append(_take(bot, step))
        if turns[-1].unexpected is not None:
            break
    return tuple(turns)


def _take(bot: Bot, step: Step) -> Turn:
    """Send the step, then read its answers up to the first unexpected one: after it, no more may come."""
    exchanges: list[Exchange] = []
    try:
        exchanges.append(bot.ask(step.send))
        for index, wanted in enumerate(step.expect[:-1]):
            if not wanted.met(exchanges[index]):
                break
            exchanges.append(bot.receive())
    except BotInterruptedError as interruption:
        exchanges.append(interruption.exchange)
    return Turn(step, tuple(exchanges))


def judge_turns(turns: Sequence[Turn]) -> Judgement:
    """Pass if every answer was as expected; else the first unexpected one with what was expected."""
    for turn in turns:
        if turn.unexpected is None:
            continue
        exchange = turn.exchanges[turn.unexpected]
        sent = sent_text(turn.step.send)
        expected = f"{sent} → {turn.step.expect[turn.unexpected]}"
        observed = f"{sent} → {answer_text(exchange)}"
        return Judgement(failure_outcome(exchange), expected, observed, turn.step.hint)
    return Judgement(Outcome.PASS, f"{len(turns)} expected answers", f"{len(turns)} expected answers")


def judge_interruption(exchange: Exchange) -> Judgement:
    """The judgement of a check during which the bot died or went silent."""
    sent = sent_text(exchange.sent)
    hint = f"if the bot is only slow: {SLOW_HINT}" if exchange.ending == "timeout" else ""
    expected, observed = f"{sent} → an answer", f"{sent} → {answer_text(exchange)}"
    return Judgement(failure_outcome(exchange), expected, observed, hint)


def failure_outcome(exchange: Exchange) -> Outcome:
    """How a check ends at an unexpected answer, a death or a silence."""
    if exchange.ending == "eof":
        return Outcome.CRASH
    return Outcome.TIMEOUT if exchange.ending in ("timeout", "oversize") else Outcome.FAIL


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
    *parts: str | Step, final: bool = False, turns: bool = False, all_sizes: bool = False
) -> Dialogue:
    """A dialogue out of scripts and single steps; `turns`: it may be turned by a symmetry of the board."""

    def write(size: int, turn: int) -> list[Step]:
        turn = turn if turns else 0
        return [
            step for part in parts for step in ([part] if isinstance(part, Step) else steps(part, size, turn))
        ]

    write(9, 0)  # a script that cannot be read is found when the checks are loaded
    return Dialogue(write, all_sizes, final)


def chased(command: str, form: str) -> Step:
    """A command that some engines leave unanswered; the answer to `name` behind it shows that at once."""
    return raw(command.encode("ascii") + b"\nname\n", form, "=")


def raw(send: bytes, *forms: str, hint: str = "") -> Step:
    """A step that sends bytes as they are and expects these answers."""
    return Step(send, tuple(expectation(form) for form in forms), hint)
