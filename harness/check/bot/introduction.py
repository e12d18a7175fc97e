"""The introduction of a bot: its name, commands and board sizes, asked at the start of every run."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from harness.check.bot.bot import Bot
from harness.check.bot.chaser import CHASE_WAIT, CHASER, silence
from harness.check.bot.errors import BotInterruptedError, TimeUpError, UnusableBotError
from harness.check.bot.refusals import is_refusal_in_words
from harness.check.bot.wording import failure_text
from harness.gtp import REQUIRED_COMMANDS, Exchange, Limits, command_name, last_lines, printable, torn_path
from harness.gtp.command_hints import look_alike_hint, missing_variable

SIZES = (9, 19, 13)
"""Board sizes to try; dialogues use the first one that the bot accepts."""

ASKED_FOR = ("undo", "final_score", "time_settings", "time_left", "ref-nodes", "ref-score", "ref-playouts")
"""Optional commands that checks use; a bot may have them without listing them."""

NO_COMMAND = "no_such_command"
"""The name of no command."""

QUEUED, QUEUE_WAIT = 20, 5.0
"""Pairs of commands sent in one write, and seconds to wait for their answers; chosen.

A bot that loses a command costs the whole wait.
"""

RECOGNISABLE = ("protocol_version", "name", "version")
"""Commands whose answer never changes and is not empty: it shows which command was answered."""

PROBES = (b"list_commands\n", b"boardsize 9\n")
"""Commands to try if the bot does not answer the first command."""

GAME = frozenset({"boardsize", "clear_board", "genmove"})
"""Commands that a bot must answer to play a game, even if it never answers some others."""

SECOND_WAIT = 10.0
"""Seconds to wait for an answer on a terminal, or after the input is closed; chosen.

Tried with a second process, if the bot is silent on a pipe.
"""

LOOK_AFTER = 8.0
"""Seconds of silence on a pipe before that second process is tried; the first continues to start. Chosen."""

PATIENCE = 10.0
"""Factor on the time of an answer elsewhere: wait so long for one through a pipe; chosen."""

ECHO_WAIT = 1.0
"""Seconds to wait before a program counts as one that only echoes its input; chosen: no echo takes longer."""

SIGNLESS = (b"1", b"2")
"""Output of a program that answers protocol_version without `=` and `?`; it prints nothing more."""

ECHO_PATIENCE = 0.8 * ECHO_WAIT
"""Time limit in seconds for the second line feed of the first answer.

Must be shorter than the wait for an echo.
"""


@dataclass(frozen=True)
class Introduction:
    """Answers of a bot about itself at the start of a run."""

    name: str
    version: str
    commands: frozenset[str]
    sizes: tuple[int, ...]  # the accepted board sizes among SIZES; (9,) if it accepts none
    greeting: tuple[Exchange, ...]  # the whole first conversation
    answers_readable: bool = True  # answers end with two newlines and are flushed
    speaks_only: str = ""  # where else it answers, if it is silent on a pipe: a phrase for a report
    wrote_first: str = ""  # the last line on stderr by the time of the first answer

    @property
    def size(self) -> int:
        """The first board size of SIZES that the bot accepts, for dialogues; 9 if it accepts none."""
        return self.sizes[0]

    @property
    def known_answer(self) -> tuple[str, str] | None:
        """A command of RECOGNISABLE and its answer at the start; None if the bot answered none of them."""
        for exchange in self.greeting:
            command, text = exchange.sent.decode("ascii").strip(), exchange.text.strip()
            if exchange.ok and command in RECOGNISABLE and text and "\n" not in text:
                return command, text
        return None

    def has(self, command: str) -> bool:
        """Return whether the bot says that it has the command."""
        return command in self.commands


def introduction_of(
    bot: Bot, look_after: float = LOOK_AFTER, second_wait: float = SECOND_WAIT
) -> Introduction:
    """Ask a bot for its name and abilities. Raises UnusableBotError for a program that is no GTP engine.

    After `look_after` seconds of silence, try a second process on a terminal and with closed input, each for
    `second_wait` seconds.
    """
    first, speaks_only = _first_answer(bot, look_after, second_wait)
    if speaks_only:
        return Introduction(
            "", "", frozenset(), SIZES[:1], (first,), answers_readable=False, speaks_only=speaks_only
        )
    if first.ending == "malformed" and first.fault is not None and not first.raw.endswith(b"\n\n"):
        bot.fresh()
        return Introduction("", "", frozenset(), SIZES[:1], (first,), answers_readable=False)
    bot.times.note_start(first.seconds)
    wrote_first = last_lines(bot.engine.stderr_tail, most=1)
    questions = _Questions(bot)
    if not bot.chaser.mute and first.ok and first.text.strip():
        bot.chaser.line, bot.chaser.text = first.sent, first.text.strip()
    name = questions.ask("name", may_be_mute=True)
    version = questions.ask("version", may_be_mute=True)
    answers_name = name.text.strip()
    if not bot.chaser.mute:
        bot.chaser.line, bot.chaser.text = CHASER, answers_name or None
    answer = questions.ask("list_commands")
    listed = answer.text.split() if answer.ok else []
    known = questions.known([command for command in ASKED_FOR if command not in listed])
    sizes = tuple(n for n in SIZES if questions.ask(f"boardsize {n}").ok) or SIZES[:1]
    questions.ask(f"boardsize {sizes[0]}")
    questions.ask("clear_board")
    questions.ask("genmove b")
    if "ref-nodes" not in {*listed, *known}:  # some bots have it and do not list it
        known += [
            private
            for private in ("ref-nodes", "ref-score")
            if _has_result(questions.ask(private, may_be_mute=True))
        ]
    greeting = (first, *bot.take_record())
    bot.queues = not bot.chaser.mute and _takes_queue(bot, answers_name)
    return Introduction(
        _own_text(name),
        _own_text(version),
        frozenset([*listed, *known]),
        sizes,
        greeting,
        wrote_first=wrote_first,
    )


def _own_text(exchange: Exchange) -> str:
    """Return the text of a success: a bot that refuses `name` is not called "unknown command"."""
    return exchange.text.strip() if exchange.ok else ""


def _has_result(exchange: Exchange) -> bool:
    """Return whether an answer is a success with a text. Some bots answer unknown commands with bare `=`."""
    return exchange.ok and bool(exchange.text.strip()) and not is_refusal_in_words(exchange)


def _takes_queue(bot: Bot, name: str) -> bool:
    """Return whether the bot answers several commands of one write, each once and in order."""
    engine, lines = bot.engine, [b"name\n", b"protocol_version\n"] * QUEUED
    bot.processes.sent += lines
    exchanges = engine.ask_many(lines, timeout=QUEUE_WAIT)
    texts = [exchange.text.strip() for exchange in exchanges if exchange.ending == "answer"]
    right = len(texts) == 2 * QUEUED and texts[::2] == [name] * QUEUED and len(set(texts[1::2])) == 1
    if not right:
        bot.fresh()
    return right


def is_in_step(bot: Bot, introduction: Introduction) -> bool:
    """Return whether the next answer of the bot is that to the next command, and not to an earlier one."""
    if introduction.known_answer is None:
        return False
    command, answer = introduction.known_answer
    try:
        return bot.ask(f"{command}\n".encode("ascii")).text.strip() == answer
    except (BotInterruptedError, TimeUpError):
        return False


class _Questions:
    """The first questions to a bot, which may fail to answer some of them."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._patience = 2  # how many of them may go unanswered

    def ask(self, command: str, *, may_be_mute: bool = False) -> Exchange:
        """Return the exchange, complete or not. Raises UnusableBotError after the third silence or death.

        may_be_mute   the bot may never answer the command
        """
        may_be_mute = may_be_mute or (bool(self._bot.chaser.mute) and command.partition(" ")[0] not in GAME)
        line = f"{command}\n".encode("ascii")
        try:
            return self._ask_chased(line) if may_be_mute else self._bot.ask(line)
        except BotInterruptedError as interruption:
            exchange = interruption.exchange
            self._patience -= 1
            if self._patience < 0:
                reason = f"it {failure_text(exchange)} at its first commands, the last of them {command!r}"
                raise UnusableBotError(reason) from None
            return exchange

    def _ask_chased(self, line: bytes) -> Exchange:
        """Ask a bot that may never answer the command; return a silence if it does not."""
        if line == self._bot.chaser.line:
            return self._bot.ask(line)
        exchange = self._bot.ask_chased(line)
        if not self._bot.chaser.is_mute(line):
            return exchange
        return silence(line, exchange)

    def known(self, commands: Sequence[str]) -> list[str]:
        """Return the commands for which known_command answers true; stop at a silence or a death.

        Empty if it answers true for a name that no engine has.
        """
        known: list[str] = []
        for command in (NO_COMMAND, *commands):
            exchange = self.ask(f"known_command {command}")
            if not exchange.is_answered:
                break
            if exchange.text.strip() != "true":
                continue
            if command == NO_COMMAND:
                break
            known.append(command)
        return known


def _first_answer(bot: Bot, look_after: float, second_wait: float) -> tuple[Exchange, str]:
    """Return the first answer; or a timeout, with a phrase for where else the bot answers.

    Steps: wait briefly (an echo shows soon), then `look_after` seconds; try PROBES; try another process on a
    terminal or with closed input; wait for the rest of the time limit.
    """
    limits = bot.limits
    brief = replace(limits, startup=min(second_wait, limits.startup))
    began = time.monotonic()
    engine = bot.engine
    sent = b"protocol_version\n"
    blank_line = min(ECHO_PATIENCE, limits.blank_line)
    exchange = engine.ask(sent, timeout=min(ECHO_WAIT, limits.startup), blank_line=blank_line)
    if exchange.ending == "timeout" and exchange.raw.startswith((b"=", b"?")):  # cut short by ECHO_WAIT
        bot.fresh()
        engine = bot.engine
        exchange = engine.ask(sent, timeout=limits.startup, blank_line=limits.blank_line)
    bot.processes.sent.append(sent)
    heard = exchange.raw

    def waits() -> bool:
        return exchange.ending == "timeout" and heard.strip() not in (sent.strip(), *SIGNLESS)

    def receive(patience: float) -> Exchange:
        left = limits.startup - (time.monotonic() - began)
        return engine.receive(max(0.0, min(patience, left)), blank_line=limits.blank_line)

    if waits():
        exchange = receive(look_after)
        heard += exchange.raw
    tried: list[bytes] = []
    if waits() and not heard:
        for probe in PROBES:
            engine.send(probe)
            tried.append(probe)
            bot.processes.sent.append(probe)
            exchange = receive(CHASE_WAIT)
            heard += exchange.raw
            if exchange.ending == "answer":
                return _attribute_answer(bot, exchange, tried, sent, time.monotonic() - began), ""
    elsewhere, took = "", 0.0
    if waits():
        if not heard:
            looked = time.monotonic()
            elsewhere = bot.find_answers_elsewhere(brief)
            took = time.monotonic() - looked
        exchange = receive(max(look_after, PATIENCE * took) if elsewhere else math.inf)
        heard += exchange.raw
    # The last exchange counts only the last wait. The clock does not run for a bot in this process: its
    # exchange names the seconds that it would take.
    exchange = exchange._replace(sent=sent, seconds=max(exchange.seconds, time.monotonic() - began))
    if exchange.is_answered:
        _skip_answers(bot, tried if exchange.ending == "answer" else ())
        return exchange, ""
    bot.fresh()
    if exchange.ending == "timeout" and not heard:
        if not elsewhere and took < second_wait:  # the other process may have ended at once beside this one
            elsewhere = bot.find_answers_elsewhere(brief)
        if elsewhere:
            return exchange, elsewhere
    wrote = last_lines(engine.stderr_tail, most=4)  # an error of syntax begins with its place
    reason = _why_no_engine(exchange, heard, sent, limits)
    hints = [f"it wrote: {wrote}"] if wrote else []
    if exchange.ending == "eof":
        hints += [torn_path(bot.launch), look_alike_hint(bot.launch.command), _hint_at_variable(wrote)]
    raise UnusableBotError(reason, "; ".join(filter(None, hints)))


def _hint_at_variable(wrote: str) -> str:
    name = missing_variable(wrote)
    only = "a bot gets only PATH, HOME and LANG of this shell"
    return f'{only}: --env {name}="${name}" passes {name} on' if name else ""


def _skip_answers(bot: Bot, tried: Sequence[bytes]) -> None:
    """Receive the answers to the commands of PROBES that were sent while the bot started."""
    for _ in tried:
        bot.engine.receive(bot.limits.answer)


def _attribute_answer(
    bot: Bot, exchange: Exchange, tried: Sequence[bytes], sent: bytes, seconds: float
) -> Exchange:
    """Return the first answer of a bot as the answer to its command.

    The bot got `sent`, then each command of `tried`, before it answered. If the answer is not to the last of
    them, the bot is slow: it answers `sent` first, and the others in order. Otherwise it never answers the
    commands before the last: these become `mute`.
    """
    *earlier, probe = tried
    if not _is_answer_to(probe, exchange):
        _skip_answers(bot, tried)
        return exchange._replace(sent=sent, seconds=seconds)
    bot.chaser.mute |= {command_name(line) for line in (sent, *earlier)}
    bot.chaser.line, bot.chaser.text = probe, exchange.text.strip()
    return exchange._replace(sent=probe, seconds=exchange.seconds)


def _is_answer_to(probe: bytes, exchange: Exchange) -> bool:
    """Return whether an exchange answers a command of PROBES, and not protocol_version."""
    if command_name(probe) == b"list_commands":
        return len(set(REQUIRED_COMMANDS).intersection(exchange.text.split())) > 1
    return exchange.ok and not exchange.text.strip()


def _why_no_engine(exchange: Exchange, heard: bytes, sent: bytes, limits: Limits) -> str:
    shown = printable(heard[:60])
    if heard.strip() == sent.strip():
        return "it only echoes what it is sent: not a GTP engine"
    if heard.strip() in SIGNLESS:
        return f"it answered protocol_version with “{shown}”, without the = of a GTP answer"
    if exchange.ending == "oversize":
        return f"it prints without end (“{shown}” …) and answers nothing: not a GTP engine"
    if exchange.ending == "eof":
        how = str(exchange.exit) if exchange.exit else "closed its output"
        return f"it {how} without an answer" + (f", after printing “{shown}”" if heard else "")
    if heard:
        return f"it printed “{shown}”, which is no GTP answer"
    return f"it printed nothing within {limits.startup:g} s; --startup gives a slow start more time"
