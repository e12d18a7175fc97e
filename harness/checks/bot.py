"""The bot under observation: an engine that is started again when it dies, and what is known of it."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from types import TracebackType

from harness.gtp import Engine, EngineStartError, Exchange, Launch, Limits, answers_on_terminal, printable

SIZES = (9, 19, 13)
"""Board sizes to try; the first that the bot accepts is the one to talk about."""

ASKED_FOR = ("undo", "final_score", "time_settings", "ref-nodes", "ref-score", "ref-playouts")
"""Optional commands that checks make use of; a bot may have them without listing them."""

TERMINAL_WAIT = 10.0
"""Seconds for the second try, on a terminal, of a bot that is silent on a pipe."""

ECHO_WAIT = 1.0
"""Seconds after which a program that only sends back what it was sent is found out."""

ECHO_PATIENCE = 0.8 * ECHO_WAIT
"""Seconds after which a first answer has only one line feed: before the wait for an echo is over."""


class Unusable(Exception):  # noqa: N818 (a finding about the bot)
    """A program that cannot be checked: it could not be run, or is no GTP engine."""

    def __init__(self, reason: str, hint: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.hint = hint


class Interrupted(Exception):  # noqa: N818 (a finding about the bot)
    """The bot died or went silent with a command in flight."""

    def __init__(self, exchange: Exchange) -> None:
        super().__init__(exchange.ending)
        self.exchange = exchange


@dataclass(frozen=True)
class Facts:
    """What the bot said of itself when it was first met."""

    name: str
    version: str
    commands: frozenset[str]
    sizes: tuple[int, ...]  # those of SIZES that it accepts; never empty
    met: tuple[Exchange, ...]  # the whole of this first conversation
    wire_works: bool = True  # answers can be told apart: two newlines, and flushed
    speaks_on_terminal: bool = False  # it answers on a terminal, but not on a pipe

    @property
    def size(self) -> int:
        """The board size to talk about."""
        return self.sizes[0]

    def has(self, command: str) -> bool:
        """Whether the bot says that it has the command."""
        return command in self.commands


class Bot:
    """A context manager around one bot. Every exchange is recorded; `recorded()` hands the record over."""

    def __init__(self, launch: Launch, limits: Limits) -> None:
        self.launch = launch
        self.limits = limits
        self._engine: Engine | None = None
        self._log: list[Exchange] = []
        self._size = b""
        self._tried: set[bytes] = set()  # sizes on which it was asked for a move
        self._stubborn = False  # once it had to be killed, nobody waits for it to end by itself any more

    def __enter__(self) -> Bot:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end(politely=kind is None)

    @property
    def engine(self) -> Engine:
        """The running engine; started if there is none. Raises Unusable."""
        if self._engine is None:
            self._engine = Engine(self.launch, self.limits)  # ours to end even if its start is interrupted
            try:
                self._engine.start()
            except EngineStartError as error:
                self._engine = None
                raise Unusable(str(error)) from None
        return self._engine

    def fresh(self) -> None:
        """From here on talk to a new process."""
        self._end(politely=True)

    def speaks_on_terminal(self, limits: Limits) -> bool:
        """Whether another process of the same bot answers where its input and output are a terminal."""
        return answers_on_terminal(self.launch, limits)

    def say(self, line: bytes, timeout: float | None = None) -> Exchange:
        """Send one line, wait for one answer. Raises Interrupted if none comes.

        Until a first genmove on a board size the limit is that of the start: bots load tables, or
        compile, when they first play or think on a size.
        """
        words = line.split()
        if words[:1] == [b"boardsize"]:
            self._size = words[-1]
        limit = self.limits.startup if timeout is None and self._size not in self._tried else timeout
        if words[:1] == [b"genmove"]:
            self._tried.add(self._size)
        return self._note(self.engine.ask(line, timeout=limit))

    def hear(self, timeout: float | None = None) -> Exchange:
        """Wait for one more answer to what was sent. Raises Interrupted if none comes."""
        return self._note(self.engine.receive(timeout))

    def tell(self, lines: Iterable[bytes]) -> None:
        """Send lines that must all succeed. Raises Interrupted, or Refused for the first that does not."""
        for line in lines:
            exchange = self.say(line)
            if not exchange.ok:
                raise Refused(exchange)

    def recorded(self) -> tuple[Exchange, ...]:
        """The exchanges since this was last asked."""
        log, self._log = tuple(self._log), []
        return log

    def _note(self, exchange: Exchange) -> Exchange:
        self._log.append(exchange)
        if exchange.ending in ("timeout", "eof", "oversize"):
            self._end(politely=False)
            raise Interrupted(exchange)
        return exchange

    def _end(self, *, politely: bool) -> None:
        if self._engine is not None:
            if politely and not self._stubborn:
                self._stubborn = self._engine.close().forced
            else:
                self._engine.kill()
            self._engine = None


class Refused(Exception):  # noqa: N818 (a finding about the bot)
    """The bot refused a command that leads to a position, or answered it in no readable way."""

    def __init__(self, exchange: Exchange) -> None:
        super().__init__(printable(exchange.raw))
        self.exchange = exchange


def meet(bot: Bot) -> Facts:
    """Say hello: is it a GTP engine, who is it, what can it do? Raises Unusable."""
    first = _first_answer(bot)
    if first.ending == "timeout":
        return Facts("", "", frozenset(), SIZES[:1], (first,), wire_works=False, speaks_on_terminal=True)
    if first.ending == "malformed" and first.fault is not None and not first.raw.endswith(b"\n\n"):
        bot.fresh()
        return Facts("", "", frozenset(), SIZES[:1], (first,), wire_works=False)
    questions = _Questions(bot)
    name, version = questions.ask("name").text.strip(), questions.ask("version").text.strip()
    listed = questions.ask("list_commands").text.split()
    known = [
        command
        for command in ASKED_FOR
        if command not in listed and questions.ask(f"known_command {command}").text.strip() == "true"
    ]
    sizes = tuple(n for n in SIZES if questions.ask(f"boardsize {n}").ok) or SIZES[:1]
    questions.ask(f"boardsize {sizes[0]}")
    questions.ask("clear_board")
    questions.ask("genmove b")
    if "ref-nodes" not in {*listed, *known}:  # and some have it without saying so
        known += [command for command in ("ref-nodes", "ref-score") if questions.ask(command).ok]
    return Facts(name, version, frozenset([*listed, *known]), sizes, (first, *bot.recorded()))


class _Questions:
    """The first questions to a bot, some of which it may be too weak to survive."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._patience = 2  # how many of them may go unanswered

    def ask(self, command: str, timeout: float | None = None) -> Exchange:
        """The exchange, whatever became of it. Raises Unusable for a bot that answers almost nothing."""
        try:
            return self._bot.say(f"{command}\n".encode("ascii"), timeout)
        except Interrupted as interruption:
            exchange = interruption.exchange
            self._patience -= 1
            if self._patience < 0:
                reason = f"it {what_ended(exchange)} at its first commands, the last of them {command!r}"
                raise Unusable(reason) from None
            return exchange


def _first_answer(bot: Bot) -> Exchange:
    """The answer to the first command, or a timeout of a bot that speaks on a terminal only."""
    limits = bot.limits
    began = time.monotonic()
    engine = bot.engine
    sent = b"protocol_version\n"
    patience = min(ECHO_PATIENCE, limits.straggle)
    exchange = engine.ask(sent, timeout=min(ECHO_WAIT, limits.startup), patience=patience)
    if exchange.ending == "timeout" and exchange.raw.startswith((b"=", b"?")):  # cut short by ECHO_WAIT
        bot.fresh()
        engine = bot.engine
        exchange = engine.ask(sent, timeout=limits.startup, patience=limits.straggle)
    heard = exchange.raw
    if exchange.ending == "timeout" and heard.strip() != sent.strip():
        left = max(0.0, limits.startup - (time.monotonic() - began))
        exchange = engine.receive(left, patience=limits.straggle)
        heard += exchange.raw
    if exchange.ending in ("answer", "malformed"):
        return exchange
    bot.fresh()
    if (
        exchange.ending == "timeout"
        and not heard
        and bot.speaks_on_terminal(replace(limits, startup=min(TERMINAL_WAIT, limits.startup)))
    ):
        return exchange
    stderr = printable(engine.stderr_tail).strip()
    raise Unusable(
        _why_no_engine(exchange, heard, sent, limits), f"it wrote: {stderr[-300:]}" if stderr else ""
    )


def _why_no_engine(exchange: Exchange, heard: bytes, sent: bytes, limits: Limits) -> str:
    shown = printable(heard[:60])
    if heard.strip() == sent.strip():
        return "it only echoes what it is sent: not a GTP engine"
    if exchange.ending == "oversize":
        return f"it prints without end (“{shown}” …) and answers nothing: not a GTP engine"
    if exchange.ending == "eof":
        how = str(exchange.exit) if exchange.exit else "closed its output"
        return f"it {how} without an answer" + (f", after printing “{shown}”" if heard else "")
    if heard:
        return f"it printed “{shown}”, which is no GTP answer"
    return f"it printed nothing within {limits.startup:g} s"


def what_ended(exchange: Exchange) -> str:
    """In words: how the engine failed to answer."""
    if exchange.ending == "eof":
        return str(exchange.exit) if exchange.exit else "closed its output"
    return (
        "gave no end of an answer"
        if exchange.ending == "oversize"
        else f"was silent for {exchange.seconds:.0f} s"
    )
