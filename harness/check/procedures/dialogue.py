"""Checks that are a dialogue: lines sent, and what each answer must look like.

A dialogue is data. It is written as it would be read in a terminal,

    play b A1
    play w A1      -> ?

one command a line. A line with an arrow is about the subject of the check. A line without one leads there
and must succeed; if it does not, the check that reports this is another one (see `reliance`). `{size}` stands
for the board size that the bot accepts, `{known}` for a command that it has, `= {answer}` for the answer to
that. Lines that no text can show (control characters, several lines at
once) are `Step`s. A dialogue about the rules can be turned by any symmetry of the board, so that no bot can
know it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from harness.check.bot.bot import Bot
from harness.check.bot.errors import BotInterruptedError, ExchangeError
from harness.check.bot.session import Session
from harness.check.bot.wording import (
    answer_text,
    is_malformed_refusal,
    refused_in_words,
    sent_text,
    writing_hint,
)
from harness.check.model import Ability, Judgement, Outcome, Phase, Requirements
from harness.check.procedures.expectation import Expectation, expectation
from harness.check.procedures.reliance import SentLine, reliances, reporter, requirements
from harness.go import symmetries
from harness.gtp import Exchange, format_vertex, parse_vertex, printable

NEW = "boardsize {size}\nclear_board\n"
"""Lines that begin a game."""

SUCCESS = expectation("=")
KNOWN, ANSWER = "{known}", "{answer}"
SHOWN_AS = ("protocol_version", "2")
"""The known command and its answer that a page shows, where no bot is at hand."""
SYMMETRIES = 8
SLOW_HINT = (
    "give it fewer playouts, or a longer limit with --timeout SECONDS (--startup SECONDS at its start)"
)
NAMELESS = "gtp.admin.protocol-version"
"""The check that reports a bot that answers none of the commands about itself."""

STRAY_ID = "gtp.frame.id-fresh"
"""The check that reports an id that no command had."""


@dataclass(frozen=True)
class Step:
    """Bytes to send, and the answers to expect to them in order (usually one).

    subject   whether an unexpected answer is about the subject of the check
    chased    the command may stay without an answer: `name` is then sent after it
    """

    send: bytes
    expect: tuple[Expectation, ...] = (SUCCESS,)
    hint: str = ""
    subject: bool = True
    chased: bool = False

    def filled(self, command: str, answer: str) -> Step:
        """The step with a command that the bot has, and the answer to it, in their places."""
        expect = tuple(
            replace(wanted, texts=(answer,)) if wanted.texts == (ANSWER,) else wanted
            for wanted in self.expect
        )
        send = self.send.replace(KNOWN.encode("ascii"), command.encode("ascii"))
        return replace(self, send=send, expect=expect)

    @property
    def recognises(self) -> bool:
        """True if an answer must be recognised by its text."""
        return any(wanted.texts == (ANSWER,) for wanted in self.expect)

    @property
    def line(self) -> SentLine:
        """The line to send, with the signs of the expected answers."""
        return SentLine(self.send, tuple(wanted.sign for wanted in self.expect))


@dataclass(frozen=True)
class Turn:
    """A step that was taken, and the exchanges that resulted."""

    step: Step
    exchanges: tuple[Exchange, ...]

    @property
    def unexpected(self) -> int | None:
        """The index of the first answer that is not as expected; None if all are."""
        for index, wanted in enumerate(self.step.expect):
            if index >= len(self.exchanges) or not wanted.is_met_by(self.exchanges[index]):
                return min(index, len(self.exchanges) - 1)
            if wanted == SUCCESS and refused_in_words(self.exchanges[index]):
                return min(index, len(self.exchanges) - 1)
        return None


@dataclass(frozen=True)
class DialogueRecord:
    """The observation of a dialogue: its turns, up to the first unexpected answer."""

    turns: tuple[Turn, ...]
    size: int = 9  # of the board of the last turn
    nothing_known: bool = False  # the bot answers no command by which an answer could be recognised


@dataclass(frozen=True)
class Dialogue:
    """The procedure of a check that is a dialogue with a bot.

    write        gives the steps for a board size and one of its eight symmetries
    all_sizes    hold the dialogue on every board size that the bot accepts
    final        it may leave the bot in an unknown state, so it runs late
    about_rules  its subject is a rule of the game: a death or a silence is about the command in flight
    before       abilities that it uses, but that are checked only after it
    """

    write: Callable[[int, int], Sequence[Step]]
    all_sizes: bool = False
    final: bool = False
    about_rules: bool = False
    before: frozenset[Ability] = frozenset()

    search_plan = None

    @property
    def phase(self) -> Phase:
        """When the dialogue is held."""
        return Phase.FINAL if self.final else Phase.DIALOGUE

    @cached_property
    def requires(self) -> Requirements:
        """Requirements of the lines."""
        found = requirements(step.filled(*SHOWN_AS).line for step in self.write(9, 0))
        sizes = {Ability.CHANGES_SIZE} if self.all_sizes else set()
        return replace(found, abilities=(found.abilities | sizes) - self.before)

    def describe(self) -> list[str]:
        """Each line of the dialogue with the answers that it expects."""
        lines = ["the dialogue, and the answer to each line:"]
        for step in (written.filled(*SHOWN_AS) for written in self.write(9, 0)):
            expected = ", then ".join(map(str, step.expect))
            lines.append(f"  {printable(step.send).rstrip():<40} → {expected}")
        return lines

    def observe(self, session: Session) -> DialogueRecord:
        """Hold the dialogue on each board; stop at the first answer that is not as expected."""
        profile = session.profile
        turns: list[Turn] = []
        size = profile.size
        known = profile.known_answer
        if known is None and any(step.recognises for step in self.write(size, 0)):
            return DialogueRecord((), size, nothing_known=True)
        for number, size in enumerate(profile.sizes if self.all_sizes else (profile.size,)):
            steps = self.write(size, (session.seed + number) % SYMMETRIES)
            filling = known or _answered(session.bot)
            turns += hold(session.bot, (step.filled(*filling) for step in steps))
            if turns[-1].unexpected is not None:
                break
        return DialogueRecord(tuple(turns), size)

    def judge(self, observation: DialogueRecord) -> Judgement:
        """Judge the turns."""
        if observation.nothing_known:
            observed = "protocol_version → no success, and none of name and version"
            return Judgement(Outcome.FAIL, "protocol_version → = 2", observed, reported_by=NAMELESS)
        return judge_turns(observation.turns, observation.size, about_rules=self.about_rules)


def _answered(bot: Bot) -> tuple[str, str]:
    """A command that a bot answers, with its answer, where none can be recognised by that."""
    return (bot.chaser.line.decode("ascii").strip(), bot.chaser.text or "") if bot.chaser.mute else SHOWN_AS


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
        exchanges.append(bot.ask_chased(step.send) if step.chased else bot.ask(step.send))
        for index, wanted in enumerate(step.expect[:-1]):
            if not wanted.is_met_by(exchanges[index]):
                break
            exchanges.append(bot.receive())
    except BotInterruptedError as interruption:
        exchanges.append(interruption.exchange)
    return Turn(step, tuple(exchanges))


def judge_turns(turns: Sequence[Turn], size: int = 9, *, about_rules: bool = False) -> Judgement:
    """Pass if every answer was as expected; else the first unexpected one with what was expected.

    An unexpected answer that is not about the subject of the check is reported by the check of the ability
    that its line needs.
    """
    place = next((number for number, turn in enumerate(turns) if turn.unexpected is not None), None)
    if place is None:
        return Judgement(Outcome.PASS, f"{len(turns)} expected answers", f"{len(turns)} expected answers")
    turn = turns[place]
    assert turn.unexpected is not None
    owner = reliances((turn.step.line for turn in turns[: place + 1]), size)[-1].owner
    exchange = turn.exchanges[turn.unexpected]
    sent = sent_text(turn.step.send)
    expected = f"{sent} → {turn.step.expect[turn.unexpected]}"
    observed = f"{sent} → {answer_text(exchange)}"
    if turn.step.chased and exchange.ok and exchange.sent != turn.step.send:
        after = sent_text(exchange.sent.removeprefix(turn.step.send))
        came = (
            f"“{printable(exchange.noise).strip()}”, which is no whole answer"
            if exchange.noise
            else "no answer"
        )
        observed = f"{sent} → {came}; {after}, sent after it, was answered"
    about = _reporter(turn, exchange, owner, about_rules=about_rules)
    writing = writing_hint(exchange, refusal_wanted=turn.step.expect[turn.unexpected].sign == "?")
    hint = writing or ("" if about else turn.step.hint)
    outcome = failure_outcome(exchange)
    return Judgement(outcome, expected, observed, hint, reported_by=about, written_wrong=bool(writing))


def _reporter(turn: Turn, exchange: Exchange, owner: Ability | None, *, about_rules: bool) -> str:
    """The id of the check that reports an unexpected answer; empty if it is about the subject."""
    if turn.step.subject and turn.step.send[:1].isdigit() and exchange.ending in ("answer", "malformed"):
        return ""  # the id, or what looks like one, is the subject
    if exchange.ending == "malformed" and not is_malformed_refusal(exchange):
        return Ability.WELL_FORMED_ANSWERS  # of a refusal alone, the check of that refusal reports it
    if _has_stray_id(turn, exchange):
        return STRAY_ID
    if turn.step.subject and not (about_rules and exchange.ending not in ("answer", "malformed")):
        return ""
    return str(owner or "")


def _has_stray_id(turn: Turn, exchange: Exchange) -> bool:
    """Return whether an answer carries an id though its command had none."""
    wanted = turn.step.expect[turn.unexpected or 0]
    return wanted.id is None and exchange.answer is not None and exchange.answer.id is not None


def judge_error(error: ExchangeError) -> Judgement:
    """The judgement of a check that an exchange left without its observation: it is about that command."""
    exchange, sent = error.exchange, sent_text(error.exchange.sent)
    expected, observed = f"{sent} → {error.wanted}", f"{sent} → {answer_text(exchange)}"
    about = reporter(exchange.sent, before=error.before)
    if isinstance(error, BotInterruptedError):
        hint = f"if the bot is only slow: {SLOW_HINT}" if exchange.ending == "timeout" else ""
        return Judgement(failure_outcome(exchange), expected, observed, hint, reported_by=about)
    if exchange.ending == "malformed" and not is_malformed_refusal(exchange):
        about = str(Ability.WELL_FORMED_ANSWERS)
    return Judgement(Outcome.FAIL, expected, observed, reported_by=about)


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
        written.append(Step(send, (expectation(form) if arrow else SUCCESS,), subject=bool(arrow)))
    return written


def turned(text: str, size: int, turn: int) -> str:
    """Return the text with every vertex in it moved by a symmetry of the board."""
    image = symmetries(size)[turn]
    return re.sub(
        r"\b[A-HJ-Z][1-9]\d?\b", lambda match: format_vertex(image(parse_vertex(match[0], size))), text
    )


def dialogue(
    *parts: str | Step,
    final: bool = False,
    turns: bool = False,
    all_sizes: bool = False,
    about_rules: bool = False,
    before: Iterable[Ability] = (),
) -> Dialogue:
    """A dialogue out of scripts and single steps; `turns`: it may be turned by a symmetry of the board."""

    def write(size: int, turn: int) -> list[Step]:
        turn = turn if turns else 0
        return [
            step for part in parts for step in ([part] if isinstance(part, Step) else steps(part, size, turn))
        ]

    write(9, 0)  # a script that cannot be read is found when the checks are loaded
    return Dialogue(write, all_sizes, final, about_rules, frozenset(before))


def chased(command: str, form: str) -> Step:
    """A command that some engines leave unanswered; the answer to `name` after it shows that soon."""
    return Step(command.encode("ascii") + b"\n", (expectation(form),), chased=True)


def raw(send: bytes, *forms: str, hint: str = "") -> Step:
    """A step that sends bytes as they are and expects these answers."""
    return Step(send, tuple(expectation(form) for form in forms), hint)
