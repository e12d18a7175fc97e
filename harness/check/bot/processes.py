"""Starts and ends the processes of a bot: the one in use, the next one (prepared), the last one (leaving)."""

from __future__ import annotations

from harness.check.bot.errors import UnusableBotError
from harness.check.bot.time_limits import TimeLimits
from harness.gtp import Engine, EngineStartError, Launch, ShortageError


class Processes:
    """The processes of one bot. At most one is in use.

    prepares     start the next process early, and let the last one end meanwhile: both may take seconds.
                 Cleared if the bot does not allow two processes
    in_use       the process that gets the commands; None before its start
    sent         all lines sent to the process in use
    answered     the process in use has answered a line
    input_ended  the input of the process in use is closed

    A process that ends `politely` gets quit and time to end; any other is killed. Once one did not end in
    time, all later ones are killed.
    """

    def __init__(self, launch: Launch, times: TimeLimits) -> None:
        self.launch = launch
        self.prepares = False
        self.sent: list[bytes] = []
        self.answered = False
        self.input_ended = False
        self.in_use: Engine | None = None
        self._times = times
        self._prepared: Engine | None = None
        self._sent_ahead: list[bytes] = []  # lines sent to the prepared process
        self._leaving: Engine | None = None  # the last one, which got quit
        self._two_allowed: bool | None = None  # what `allows_two` found; None before its first call
        self._must_kill = False  # a process did not end by itself: do not wait for the next one

    @property
    def is_running(self) -> bool:
        """True if the process in use runs."""
        return self.in_use is not None and self.in_use.alive

    def start(self) -> Engine:
        """Take the prepared process, or start a new one; return it. No process may be in use.

        Raises UnusableBotError, and ShortageError if this machine lacks memory, processes or disk.
        """
        self.sent, self.answered, self.input_ended = [], False, False
        prepared, sent_ahead = self._take_prepared(), self._sent_ahead
        self._sent_ahead = []
        if prepared is not None:
            self.sent, self.answered = sent_ahead, bool(sent_ahead)
        self.in_use = prepared or self._start_new()
        if self._two_allowed:  # until then, the next one might take a port or a lock that this one needs
            self.prepare()
        return self.in_use

    def _start_new(self) -> Engine:
        """Start a process as the one in use. Raises UnusableBotError and ShortageError."""
        self.in_use = Engine(self.launch, self._times.now)  # `end` finds it if its start is interrupted
        try:
            return self.in_use.start()
        except ShortageError:
            self.in_use = None
            raise
        except EngineStartError as error:
            self.in_use = None
            raise UnusableBotError(str(error)) from None

    def _take_prepared(self) -> Engine | None:
        """Return the prepared process, if it can be used; else kill it and return None.

        It can be used if the bot allows two processes, and if it runs with the present limits.
        """
        ahead, self._prepared = self._prepared, None
        if ahead is not None and not (self._two_allowed and ahead.alive and ahead.limits == self._times.now):
            ahead.kill()
            return None
        return ahead

    def prepare(self) -> None:
        """Start the next process early if `prepares`. Call it when the one in use has answered."""
        if self.prepares:
            self._start_ahead()

    def _start_ahead(self) -> None:
        """Start the next process, unless one is prepared. After a failure, `start` tries again."""
        if self._prepared is None:
            self._prepared = Engine(self.launch, self._times.now)
            try:
                self._prepared.start()
            except (EngineStartError, ShortageError):
                self._prepared = None

    def may_overlap(self) -> bool:
        """Return whether the process in use may still run while the next one starts (see `retire`)."""
        if self.in_use is None or self.input_ended:
            return False
        return self.prepares and not self._must_kill

    def retire(self) -> None:
        """Send quit to the process in use, and let it end while the next one is in use.

        First wait for the end of the process that left before.
        """
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
        """End an engine, if there is one. After a process that had to be killed, do not wait for others."""
        if engine is None:
            return
        if politely and not self._must_kill:
            self._must_kill = engine.close().forced
        else:
            engine.kill()

    def allows_two(self, question: bytes) -> bool:
        """Return whether a second process answers beside the one in use, and the one in use still does.

        A bot that holds a port, a lock or a device often allows only one. The first call finds out: both
        processes get `question`, a line that the bot answers; the answers are not recorded. If the bot allows
        only one process, the call clears `prepares`. Later calls return the same. Raises ShortageError if
        this machine lacks memory, processes or disk for the one in use; for the second one, returns False.
        """
        if self._two_allowed is None:
            self._two_allowed = self._two_answer(question)
            self.prepares = self.prepares and self._two_allowed
            if not self.prepares:
                other, self._prepared = self._prepared, None
                self._close(other, politely=self._two_allowed)
        return self._two_allowed

    def _two_answer(self, question: bytes) -> bool:
        """Return whether the process in use and the next one answer; end the one in use if it is silent."""
        try:
            self._gets_answer(self.in_use or self.start(), question)  # it now holds what it needs
        except UnusableBotError:
            return False
        self._start_ahead()
        second = self._gets_answer(self._prepared, question)
        first = self._gets_answer(self.in_use, question)
        if not first:
            self.end(politely=False)
        return first and second

    def _gets_answer(self, engine: Engine | None, question: bytes) -> bool:
        """Ask a process; return whether it answers. The line is recorded as sent, the answer is not."""
        if engine is None or not engine.alive:
            return False
        (self.sent if engine is self.in_use else self._sent_ahead).append(question)
        limit = self._times.within(self._times.start)
        return engine.ask(question, timeout=limit).is_answered
