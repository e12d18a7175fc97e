"""The introduction of a bot: its name, commands and board sizes, asked at the start of every run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.check.bot.bot import Bot
from harness.check.bot.chaser import CHASER, silence_of
from harness.check.bot.errors import BotInterruptedError, TimeUpError, UnusableBotError
from harness.check.bot.first_answer import LOOK_AFTER, SECOND_WAIT, await_first_answer
from harness.check.bot.refusals import is_refusal_in_words
from harness.check.bot.wording import failure_text
from harness.gtp import Exchange, last_lines

SIZES = (9, 19, 13)
"""Board sizes to try; dialogues use the first one that the bot accepts."""

ASKED_FOR = ("undo", "final_score", "time_settings", "time_left", "ref-nodes", "ref-score", "ref-playouts")
"""Optional commands that checks use; known_command is asked about those that list_commands leaves out."""

NO_COMMAND = "no_such_command"
"""A name that no engine has: a bot that knows it says so of any name."""

QUEUED, QUEUE_WAIT = 20, 5.0
"""Pairs of commands sent in one write, and seconds to wait for their answers; chosen.

A bot that loses a command costs the whole wait.
"""

RECOGNISABLE = ("protocol_version", "name", "version")
"""Commands whose answer never changes and is not empty: it shows which command was answered."""

GAME = frozenset({"boardsize", "clear_board", "genmove"})
"""Commands that a bot must answer to play a game, even if it never answers some others."""


@dataclass(frozen=True)
class Introduction:
    """Answers of a bot about itself at the start of a run."""

    name: str
    version: str
    commands: frozenset[str]
    sizes: tuple[int, ...]  # the accepted board sizes among SIZES; (9,) if it accepts none
    greeting: tuple[Exchange, ...]  # all exchanges but those of the test of `Bot.queues`
    answers_readable: bool = True  # answers end with two newlines and are flushed
    speaks_only: str = ""  # where else it answers, if it is silent on a pipe: a phrase for a report
    wrote_first: str = ""  # the last line on stderr by the time of the first answer

    @property
    def size(self) -> int:
        """The first board size of SIZES that the bot accepts, for dialogues; 9 if it accepts none."""
        return self.sizes[0]

    @property
    def known_answer(self) -> tuple[str, str] | None:
        """A command of RECOGNISABLE and its first answer, such as ("name", "MyBot"); None without any."""
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
    """Ask a bot for its name, commands and board sizes. Raises UnusableBotError if it is no GTP engine.

    Sets `bot.queues`, and the chaser with the commands that the bot never answers (`bot.chaser`).
    `look_after` and `second_wait` are in seconds: see `harness.check.bot.first_answer`.
    """
    first, speaks_only = await_first_answer(bot, look_after, second_wait)
    if speaks_only:
        return _unreadable(first, speaks_only)
    if first.ending == "malformed" and first.fault is not None and not first.raw.endswith(b"\n\n"):
        bot.fresh()
        return _unreadable(first)
    bot.times.note_start(first.seconds)
    wrote_first = last_lines(bot.running_engine().stderr_tail, most=1)
    questions = _Questions(bot)
    if first.ok and first.text.strip():
        _set_chaser(bot, first.sent, first.text)
    name = questions.ask("name", may_be_mute=True)
    version = questions.ask("version", may_be_mute=True)
    if name.ok:  # a refused chaser shows nothing
        _set_chaser(bot, CHASER, name.text)
    answer = questions.ask("list_commands")
    listed = answer.text.split() if answer.ok else []
    known = questions.known_commands([command for command in ASKED_FOR if command not in listed])
    sizes = tuple(n for n in SIZES if questions.ask(f"boardsize {n}").ok) or SIZES[:1]
    for command in (f"boardsize {sizes[0]}", "clear_board", "genmove b"):
        questions.ask(command)
    if "ref-nodes" not in {*listed, *known}:
        known += questions.private_commands()
    greeting = (first, *bot.take_record())
    bot.queues = not bot.chaser.mute and _takes_queue(bot, name.text.strip())
    return Introduction(
        _own_text(name),
        _own_text(version),
        frozenset([*listed, *known]),
        sizes,
        greeting,
        wrote_first=wrote_first,
    )


def _set_chaser(bot: Bot, line: bytes, text: str) -> None:
    """Make a line with this answer the chaser; keep the present one if the bot has mute commands."""
    if not bot.chaser.mute:
        bot.chaser.line, bot.chaser.text = line, text.strip() or None


def _unreadable(first: Exchange, speaks_only: str = "") -> Introduction:
    """Return the introduction of a bot whose first answer cannot be read: nothing more is asked."""
    return Introduction(
        "", "", frozenset(), SIZES[:1], (first,), answers_readable=False, speaks_only=speaks_only
    )


def _own_text(exchange: Exchange) -> str:
    """Return the text of a success, and an empty text for a refusal.

    The text of a refused `name`, such as "unknown command", is not the name of the bot.
    """
    return exchange.text.strip() if exchange.ok else ""


def _has_result(exchange: Exchange) -> bool:
    """Return whether an answer is a success with a text. Some bots answer unknown commands with bare `=`."""
    return exchange.ok and bool(exchange.text.strip()) and not is_refusal_in_words(exchange)


def _takes_queue(bot: Bot, name: str) -> bool:
    """Return whether the bot answers several commands of one write, each once and in order."""
    engine, lines = bot.running_engine(), [b"name\n", b"protocol_version\n"] * QUEUED
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
        self._patience = 2  # how many more of them may go unanswered

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
        return silence_of(line, exchange)

    def known_commands(self, commands: Sequence[str]) -> list[str]:
        """Return the commands for which known_command answers true; stop at a silence or a death.

        Empty if the bot answers true for NO_COMMAND, too.
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

    def private_commands(self) -> list[str]:
        """Return which of ref-nodes and ref-score the bot answers: some bots do not list them."""
        return [name for name in ("ref-nodes", "ref-score") if _has_result(self.ask(name, may_be_mute=True))]
