"""The procedure of a fixed dialogue: lines to send, and the answer to expect to each.

A dialogue is data. It is written as a terminal shows it,

    play b A1
    play w A1      -> ?

one command a line. A line with an arrow is about the subject of the check; the text after the arrow is an
`expectation`. A line without an arrow is part of the set-up and must succeed; if it fails, another check
reports it (see `reliance`). `{size}` stands for the board size that the bot accepts, `{known}` for a command
that it has, `= {answer}` for its answer to that command. Lines that a script cannot show (control characters,
several lines at once) are `Step`s. A dialogue about the rules can be turned by any of the eight symmetries of
the board, so that no bot can be prepared for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from harness.check.bot.bot import Bot
from harness.check.bot.errors import BotInterruptedError, ExchangeError
from harness.check.bot.refusals import form_hint, is_malformed_refusal, is_obeyed
from harness.check.bot.session import Session
from harness.check.bot.wording import answer_text, sent_text
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
"""Values of `{known}` and `{answer}` in a description, which has no bot."""
SYMMETRIES = 8
SLOW_HINT = (
    "give it fewer playouts, or a longer limit with --timeout SECONDS (--startup SECONDS at its start)"
)
NAMELESS = "gtp.admin.protocol-version"
"""The check that reports a bot that answers none of the commands about itself."""

STRAY_ID = "gtp.frame.id-fresh"
"""The check that reports an id in an answer to a command without an id."""


@dataclass(frozen=True)
class Step:
    """Bytes to send, and the answers to expect to them in order (usually one).

    subject   an unexpected answer is about the subject of the check
    chased    some bots never answer the command: if no answer comes, send the chaser (see `Chaser`) after it
    unlike    faults that the check must catch, and that answer this step as expected: if the step fails, the
              bot has none of them
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
        if send == self.send and not self.recognises:
            return self
        expect = tuple(
            replace(wanted, texts=(answer,)) if wanted.texts == (ANSWER,) else wanted
            for wanted in self.expect
        )
        return replace(self, send=send, expect=expect)

    @property
    def recognises(self) -> bool:
        """True if the step expects `{answer}`."""
        return any(wanted.texts == (ANSWER,) for wanted in self.expect)

    @property
    def line(self) -> SentLine:
        """The line to send, with the signs of the expected answers."""
        return SentLine(self.send, tuple(wanted.sign for wanted in self.expect))


@dataclass(frozen=True)
class HeldStep:
    """A step that was sent, and its exchanges: one for each answer up to the first unexpected one."""

    step: Step
    exchanges: tuple[Exchange, ...]

    @property
    def unexpected(self) -> int | None:
        """The index of the first answer that is not as expected; None if all are."""
        for index, wanted in enumerate(self.step.expect):
            if index >= len(self.exchanges):
                return len(self.exchanges) - 1
            exchange = self.exchanges[index]
            if not wanted.is_met_by(exchange) or (wanted == SUCCESS and not is_obeyed(exchange)):
                return index
        return None


@dataclass(frozen=True)
class DialogueRecord:
    """The observation of a dialogue: its steps, up to the first unexpected answer."""

    held: tuple[HeldStep, ...]
    size: int = 9  # of the board of the last step
    excluded: tuple[str, ...] = ()  # faults that the lines after an unexpected answer exclude
    nothing_known: bool = False  # no dialogue: no command of the bot has an answer for `{answer}`


@dataclass(frozen=True)
class Dialogue:
    """The procedure of a check that is a dialogue with a bot.

    write        returns the steps for a board size and the number of a symmetry of the board (0 to 7, 0 for
                 the dialogue as it is written)
    all_sizes    hold the dialogue on every board size that the bot accepts
    final        run late, since the bot may be in an unknown state afterwards
    about_rules  the subject is a rule of the game: the check of the last command reports a death or silence
    before       abilities that the dialogue uses and does not rely on: their checks come later
    cure         a line, and the name of a fault: the line, sent after a failed step, makes a bot with this
                 fault answer the step as expected. A bot that fails the step again has another fault
    """

    write: Callable[[int, int], Sequence[Step]]
    all_sizes: bool = False
    final: bool = False
    about_rules: bool = False
    before: frozenset[Ability] = frozenset()
    cure: tuple[bytes, str] | None = None

    search_plan = None

    @property
    def phase(self) -> Phase:
        """When the dialogue is held."""
        return Phase.FINAL if self.final else Phase.DIALOGUE

    @cached_property
    def requires(self) -> Requirements:
        """The commands and abilities that the lines need, without the abilities in `before`."""
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

    def lines(self, size: int, turn: int) -> tuple[bytes, ...]:
        """Return the lines to send by hand, on a board size and under one of its eight symmetries."""
        return tuple(step.filled(*SHOWN_AS).send for step in self.write(size, turn))

    def observe(self, session: Session) -> DialogueRecord:
        """Hold the dialogue on each board; stop at the first answer that is not as expected."""
        introduction = session.introduction
        held: list[HeldStep] = []
        size = introduction.size
        known = introduction.known_answer
        if known is None and any(step.recognises for step in self.write(size, 0)):
            return DialogueRecord((), size, nothing_known=True)
        for number, size in enumerate(introduction.sizes if self.all_sizes else (introduction.size,)):
            steps = self.write(size, (session.seed + number) % SYMMETRIES)
            filling = known or _answered(session.bot)
            held += hold(session.bot, (step.filled(*filling) for step in steps))
            if held[-1].unexpected is not None:
                return DialogueRecord(tuple(held), size, self._excluded(session.bot, held[-1]))
        return DialogueRecord(tuple(held), size)

    def _excluded(self, bot: Bot, failed: HeldStep) -> tuple[str, ...]:
        """Return the fault of `cure` if the step fails after the line of `cure`, too; else nothing."""
        if self.cure is None or not failed.exchanges[-1].is_answered:
            return ()
        line, fault = self.cure
        again = hold(bot, (Step(line), failed.step))
        return (fault,) if len(again) == 2 and again[1].unexpected is not None else ()

    def judge(self, observation: DialogueRecord) -> Judgement:
        """Judge the answers to the steps."""
        if observation.nothing_known:
            observed = "protocol_version → no success, and none of name and version"
            return Judgement(Outcome.FAIL, "protocol_version → = 2", observed, reported_by=NAMELESS)
        judgement = judge_steps(observation.held, observation.size, about_rules=self.about_rules)
        return replace(judgement, unlike=(*judgement.unlike, *observation.excluded))


def _answered(bot: Bot) -> tuple[str, str]:
    """Return a command and its answer for a bot without a `known_answer`."""
    return (bot.chaser.line.decode("ascii").strip(), bot.chaser.text or "") if bot.chaser.mute else SHOWN_AS


def hold(bot: Bot, steps: Iterable[Step]) -> tuple[HeldStep, ...]:
    """Send the steps one after the other; stop at the first answer that is not as expected."""
    held: list[HeldStep] = []
    for step in steps:
        held.append(_take(bot, step))
        if held[-1].unexpected is not None:
            break
    return tuple(held)


def _take(bot: Bot, step: Step) -> HeldStep:
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
    return HeldStep(step, tuple(exchanges))


def judge_steps(held: Sequence[HeldStep], size: int = 9, *, about_rules: bool = False) -> Judgement:
    """Pass if every answer was as expected; else fail with the first unexpected answer.

    If that answer is not about the subject of the check, the check of the ability that owns its line reports
    it (see `Reliance`).
    """
    place = next((number for number, one in enumerate(held) if one.unexpected is not None), None)
    if place is None:
        return Judgement(Outcome.PASS, f"{len(held)} expected answers", f"{len(held)} expected answers")
    failed = held[place]
    assert failed.unexpected is not None
    owner = reliances((one.step.line for one in held[: place + 1]), size)[-1].owner
    exchange, wanted = failed.exchanges[failed.unexpected], failed.step.expect[failed.unexpected]
    sent = sent_text(failed.step.send)
    if failed.unexpected:  # the answers to the earlier commands of the step came
        sent = f"answer {failed.unexpected + 1} of {len(failed.step.expect)} to {sent}"
    about = _reporter(failed, exchange, owner, about_rules=about_rules)
    form = form_hint(exchange, refusal_wanted=wanted.sign == "?")
    return Judgement(
        failure_outcome(exchange),
        f"{sent} → {wanted}",
        f"{sent} → {_seen_text(failed.step, exchange)}",
        form or ("" if about else failed.step.hint),
        reported_by=about,
        written_wrong=bool(form),
        unlike=failed.step.unlike,
    )


def _seen_text(step: Step, exchange: Exchange) -> str:
    """Return the answer to a step for a report. A chased step may have only the answer to the chaser."""
    if not (step.chased and exchange.ok and exchange.sent != step.send):
        return answer_text(exchange)
    after = sent_text(exchange.sent.removeprefix(step.send))
    noise = printable(exchange.noise).strip()
    came = f"“{noise}”, which is no whole answer" if exchange.noise else "no answer"
    return f"{came}; {after}, sent after it, was answered"


def _reporter(failed: HeldStep, exchange: Exchange, owner: Ability | None, *, about_rules: bool) -> str:
    """Return the id of the check that reports an unexpected answer; empty for the check of the dialogue."""
    if failed.step.subject and failed.step.send[:1].isdigit() and exchange.is_answered:
        return ""  # the check is about ids
    if exchange.ending == "malformed" and not is_malformed_refusal(exchange):
        return Ability.WELL_FORMED_ANSWERS  # a malformed refusal is left to the check that expects it
    if _has_stray_id(failed, exchange):
        return STRAY_ID
    if failed.step.subject and (exchange.is_answered or not about_rules):
        return ""
    return str(owner or "")


def _has_stray_id(failed: HeldStep, exchange: Exchange) -> bool:
    """Return whether an answer carries an id though its command had none."""
    wanted = failed.step.expect[failed.unexpected or 0]
    return wanted.id is None and exchange.answer is not None and exchange.answer.id is not None


def judge_error(error: ExchangeError) -> Judgement:
    """Judge a check whose observation failed at one command: the check of that command reports it."""
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
    """Return the outcome of a check for an unexpected answer, a death or a silence."""
    if exchange.ending == "eof":
        return Outcome.CRASH
    return Outcome.TIMEOUT if exchange.ending in ("timeout", "oversize") else Outcome.FAIL


def steps(script: str, size: int, turn: int = 0) -> list[Step]:
    """Read the steps of a script; a board symmetry, by its number `turn` (0 to 7), moves its vertices.

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
    """Make a dialogue of scripts and single steps.

    turns   each run moves the dialogue by a symmetry of the board, which its seed selects

    The other arguments are those of `Dialogue`.
    """

    def write(size: int, turn: int) -> list[Step]:
        turn = turn if turns else 0
        return [
            step for part in parts for step in ([part] if isinstance(part, Step) else steps(part, size, turn))
        ]

    write(9, 0)  # raises for a script that cannot be read
    return Dialogue(write, all_sizes, final, about_rules, frozenset(before))


def chased(command: str, form: str) -> Step:
    """Make a step of a command that some bots never answer (see `Step.chased`)."""
    return Step(command.encode("ascii") + b"\n", (expectation(form),), chased=True)


def raw(send: bytes, *forms: str, hint: str = "") -> Step:
    """Make a step that sends bytes as they are and expects these answers."""
    return Step(send, tuple(expectation(form) for form in forms), hint)
