"""The bot under test: an engine that is started again when it has died. Every exchange is recorded."""

from __future__ import annotations

from collections.abc import Iterable
from types import TracebackType

from harness.checks.bot.errors import BotInterruptedError, CommandRefusedError, UnusableBotError
from harness.gtp import Engine, EngineStartError, Exchange, Launch, Limits, answers_on_terminal


class Bot:
    """A context manager around one bot. Every exchange is recorded; `take_record()` returns them."""

    def __init__(self, launch: Launch, limits: Limits) -> None:
        self.launch = launch
        self.limits = limits
        self._engine: Engine | None = None
        self._log: list[Exchange] = []
        self._size = b""
        self._tried: set[bytes] = set()  # board sizes on which it was asked for a move
        self._stubborn = False  # it once had to be killed: do not wait for it to end by itself again

    def __enter__(self) -> Bot:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end(politely=kind is None)

    @property
    def engine(self) -> Engine:
        """The running engine; started if there is none. Raises UnusableBotError."""
        if self._engine is None:
            self._engine = Engine(self.launch, self.limits)  # ours to end even if its start is interrupted
            try:
                self._engine.start()
            except EngineStartError as error:
                self._engine = None
                raise UnusableBotError(str(error)) from None
        return self._engine

    def fresh(self) -> None:
        """From here on talk to a new process."""
        self._end(politely=True)

    def answers_on_terminal(self, limits: Limits) -> bool:
        """Whether another process of the same bot answers where its input and output are a terminal."""
        return answers_on_terminal(self.launch, limits)

    def ask(self, line: bytes, timeout: float | None = None) -> Exchange:
        """Send one line, wait for one answer. Raises BotInterruptedError if none comes.

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

    def receive(self, timeout: float | None = None) -> Exchange:
        """Wait for one more answer to what was sent. Raises BotInterruptedError if none comes."""
        return self._note(self.engine.receive(timeout))

    def set_up(self, lines: Iterable[bytes]) -> None:
        """Send lines that must all succeed.

        Raises BotInterruptedError, and CommandRefusedError for the first line that is refused.
        """
        for line in lines:
            exchange = self.ask(line)
            if not exchange.ok:
                raise CommandRefusedError(exchange)

    def take_record(self) -> tuple[Exchange, ...]:
        """The exchanges since this was last called."""
        log, self._log = tuple(self._log), []
        return log

    def _note(self, exchange: Exchange) -> Exchange:
        self._log.append(exchange)
        if exchange.ending in ("timeout", "eof", "oversize"):
            self._end(politely=False)
            raise BotInterruptedError(exchange)
        return exchange

    def _end(self, *, politely: bool) -> None:
        if self._engine is not None:
            if politely and not self._stubborn:
                self._stubborn = self._engine.close().forced
            else:
                self._engine.kill()
            self._engine = None
