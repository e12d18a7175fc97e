"""The processes of a bot: the one in use, the next one if it is started ahead, the last one while it ends."""

from __future__ import annotations

from harness.check.bot.errors import UnusableBotError
from harness.check.bot.time_limits import TimeLimits
from harness.gtp import Engine, EngineStartError, Launch, ShortageError

UNANSWERED = ("timeout", "eof", "oversize")
"""Endings of an exchange after which the process is of no more use."""


class Processes:
    """Starts and ends the processes of one bot. At most one is in use.

    prepares     start the next process early, and let the last one end meanwhile: bots may take seconds for
                 either. Cleared if a second process fails
    in_use       the process that is talked to; None before its start
    sent         all lines that it was sent
    input_ended  whether its input is closed
    """

    def __init__(self, launch: Launch, times: TimeLimits) -> None:
        self.launch = launch
        self.prepares = False
        self.sent: list[bytes] = []
        self.input_ended = False
        self.in_use: Engine | None = None
        self._times = times
        self._prepared: Engine | None = None
        self._leaving: Engine | None = None  # the last one, which was asked to quit
        self._beside: bool | None = None  # whether the bot allows two processes, once that is known
        self._stubborn = False  # it once had to be killed: do not wait for it to end by itself again

    @property
    def runs(self) -> bool:
        """True if the process in use runs."""
        return self.in_use is not None and self.in_use.alive

    def start(self) -> Engine:
        """Put a new process to use. Raises UnusableBotError."""
        self.sent = []
        self.input_ended = False
        self.in_use = self._take_prepared() or self._started()
        self.prepare()
        return self.in_use

    def _started(self) -> Engine:
        self.in_use = Engine(self.launch, self._times.now)  # ours to end even if its start is interrupted
        try:
            return self.in_use.start()
        except EngineStartError as error:
            self.in_use = None
            raise UnusableBotError(str(error)) from None

    def _take_prepared(self) -> Engine | None:
        """Return the process that was started ahead, if there is one that is as good as a new one."""
        ahead, self._prepared = self._prepared, None
        if ahead is not None and not (self._beside and ahead.alive and ahead.limits == self._times.now):
            ahead.kill()
            return None
        return ahead

    def prepare(self) -> None:
        """Start the next process ahead, if that is allowed."""
        if self.prepares:
            self._start_ahead()

    def _start_ahead(self) -> None:
        """Start the next process, unless there is one. What cannot be started is tried again when needed."""
        if self._prepared is None:
            self._prepared = Engine(self.launch, self._times.now)
            try:
                self._prepared.start()
            except (EngineStartError, ShortageError):
                self._prepared = None

    def may_overlap(self) -> bool:
        """Return whether the process in use may end later, as far as is known: a bot may allow only one."""
        able = self.prepares and not self._stubborn and not self.input_ended
        return able and self.in_use is not None

    def retire(self) -> None:
        """Ask the process in use to quit, and let it end while the next one is used."""
        last, self._leaving, self.in_use = self._leaving, self.in_use, None
        self._close(last, politely=True)
        if self._leaving is not None:
            self._leaving.send(b"quit\n", timeout=self._times.now.quit)

    def end(self, *, politely: bool) -> None:
        """End the process in use, if there is one."""
        engine, self.in_use = self.in_use, None
        self._close(engine, politely=politely)

    def end_all(self, *, politely: bool) -> None:
        """End every process."""
        engines = (self.in_use, self._prepared, self._leaving)
        self.in_use = self._prepared = self._leaving = None
        for engine in engines:
            self._close(engine, politely=politely)

    def _close(self, engine: Engine | None, *, politely: bool) -> None:
        """Wait until an engine has ended by itself; kill it where that is not wanted, or failed before."""
        if engine is None:
            return
        if politely and not self._stubborn:
            self._stubborn = engine.close().forced
        else:
            engine.kill()

    def allow_two(self, question: bytes) -> bool:
        """Return whether a second process answers while one is in use, which then still answers.

        Bots that hold a port, a lock or a device often do not. Found out once, by a question that the bot
        answers; nothing of this is recorded.
        """
        if self._beside is None:
            self._beside = self._two_answer(question)
            self.prepares = self.prepares and self._beside
            if not self.prepares:
                other, self._prepared = self._prepared, None
                self._close(other, politely=self._beside)
        return self._beside

    def _two_answer(self, question: bytes) -> bool:
        """Return whether the process in use and the next one answer; one in use that does not is ended."""
        try:
            self._answers_now(self.in_use or self.start(), question)  # it now holds what it needs
        except UnusableBotError:
            return False
        self._start_ahead()
        second = self._answers_now(self._prepared, question)
        first = self._answers_now(self.in_use, question)
        if not first:
            self.end(politely=False)
        return first and second

    def _answers_now(self, engine: Engine | None, question: bytes) -> bool:
        """Return whether a process answers; nothing is recorded."""
        if engine is None or not engine.alive:
            return False
        limit = self._times.within(self._times.start)
        return engine.ask(question, timeout=limit).ending not in UNANSWERED
