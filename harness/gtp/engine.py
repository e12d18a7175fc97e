"""One engine process, driven and recorded. It never judges: whatever an engine does becomes an Exchange."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Iterable
from dataclasses import replace
from types import TracebackType

from harness.gtp.errors import CommandError
from harness.gtp.exchange import Ending, Exchange, Exit
from harness.gtp.guard import Guard
from harness.gtp.interrupts import interrupt_held
from harness.gtp.launch import Launch, marked, start_process
from harness.gtp.limits import Limits, TimeLimit
from harness.gtp.process import adopt_orphans, signal_group, sweep
from harness.gtp.syntax import Answer, command_id, command_name, parse_answer, printable
from harness.gtp.transcript import Event, Recorder
from harness.gtp.transport import Pipes, Wait

_ENDINGS: dict[Wait, Ending] = {
    "answer": "answer",
    "straggle": "malformed",
    "timeout": "timeout",
    "eof": "eof",
    "oversize": "oversize",
}
_UNENDED = Exit(None, None, forced=True)


class Engine:
    """A GTP engine on three pipes, in its own session; a context manager that leaves nothing behind.

        with Engine(Launch("gnugo --mode gtp")) as engine:
            engine.ask("boardsize 9").ok

    Only `start` raises for what a user or an engine did (EngineStartError). After the process has died, or
    has been closed, every exchange ends at once with "eof" and the Exit. Not for several threads at once.
    """

    def __init__(self, launch: Launch | str, limits: Limits | None = None) -> None:
        self.launch = Launch(launch) if isinstance(launch, str) else launch
        self.limits = limits or Limits()
        self._recorder = Recorder(self.limits)
        self._process: subprocess.Popen[bytes] | None = None
        self._pipes: Pipes | None = None
        self._guard: Guard | None = None
        self._marked, self._mark = marked(self.launch)
        self._exit: Exit | None = None
        self._answered = False  # before the first answer the start-up limit holds

    def __enter__(self) -> Engine:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # Nobody waits for a polite end when an exception, such as Ctrl-C, is on its way.
        self.close() if kind is None else self.kill()

    # --- life ----------------------------------------------------------------------------------------------

    def start(self) -> Engine:
        """Start the process; it is not waited for. Raises EngineStartError; RuntimeError if called twice."""
        if self._process is not None:
            raise RuntimeError("an Engine is started once")
        adopt_orphans()
        self._recorder = Recorder(self.limits)
        with interrupt_held():
            self._process = start_process(self._marked)
            self._pipes = Pipes(self._process, self.limits, self._recorder)
            self._guard = Guard(self._process.pid, self._mark, self.limits.terminate)
        return self

    @property
    def pid(self) -> int:
        """The process id; it is also that of the session and of the process group."""
        return self._running()[0].pid

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self._process is not None and self._look_for_exit(0.0) is None

    @property
    def exit(self) -> Exit | None:
        """How the process ended, None while it runs."""
        return self._look_for_exit(0.0) if self._process is not None else None

    @property
    def stderr_tail(self) -> bytes:
        """The last `Limits.stderr_kept` bytes that the engine wrote on stderr; raw, so not for a terminal."""
        return self._recorder.stderr_tail

    @property
    def transcript(self) -> tuple[Event, ...]:
        """What has passed since the start or `forget_transcript`, oldest first, bounded by the limits."""
        return self._recorder.events

    def forget_transcript(self) -> None:
        """Begin the transcript anew, as for the next game of a match."""
        self._recorder.forget()

    # --- talk ----------------------------------------------------------------------------------------------

    def ask(
        self, line: str | bytes, *, timeout: float | None = None, patience: float | None = None
    ) -> Exchange:
        """Send one command line and wait for one answer. Every earlier answer must have been received.

        What the engine had said before the command was sent cannot be an answer to it: it becomes `noise`,
        and so an engine that answers twice, or too late, stays in step.

        timeout   seconds for taking the command and answering it; default `Limits.for_command`
        patience  end early, as "malformed", once the first line of an answer has come and then nothing for
                  this many seconds. Only where a missing blank line is suspected: some engines send the sign
                  first and then think
        """
        sent = _ended(line)
        pipes = self._running()[1]
        limit = self._limit(sent, timeout)
        began = time.monotonic()
        early = self._early()
        unsent = pipes.write_all(sent, limit.seconds)
        return self._receive(sent, early, limit, began, patience=patience, unsent=unsent)

    def ask_many(self, lines: Iterable[str | bytes], *, timeout: float | None = None) -> tuple[Exchange, ...]:
        """Send several command lines in one write, then read one answer to each, in order.

        This costs a fraction of as many calls of `ask`. A refusal or a malformed answer does not end it.
        A timeout, an end of output or an answer without end does: the last exchange is then that of the
        command in flight, and later lines have none, though the engine may have read some of them (the
        transcript holds what it took). Only a new process helps then.

        Each exchange has its own time and its own limit, both counted from the end of the answer before.
        Answers are matched to commands by their order alone. An engine that answers a command twice therefore
        shifts all later answers, which shows if the commands carry ids, or as `noise` of the next `ask`.

        timeout   seconds for each answer; default `Limits.for_command`

        Raises CommandError for a line that is not exactly one command, before anything is sent.
        """
        commands = [_single_command(line) for line in lines]
        pipes = self._running()[1]
        exchanges: list[Exchange] = []
        began = time.monotonic()
        early = self._early()
        pipes.queue(b"".join(commands))
        for sent in commands:
            exchange = self._receive(sent, early, self._limit(sent, timeout), began)
            exchanges.append(exchange)
            if exchange.ending not in ("answer", "malformed"):
                break
            early, began = b"", time.monotonic()
        unsent = pipes.withdraw()
        return _with_unsent(exchanges, sum(map(len, commands)) - unsent) if unsent else tuple(exchanges)

    def send(self, data: bytes, *, timeout: float | None = None) -> int:
        """Send bytes as they are; the number of them that the engine did not take within `timeout`."""
        return self._running()[1].write_all(data, self._limit(data, timeout).seconds)

    def receive(self, timeout: float | None = None, *, patience: float | None = None) -> Exchange:
        """Wait for one answer to something sent before; `sent` is empty."""
        return self._receive(b"", b"", self._limit(b"", timeout), time.monotonic(), patience=patience)

    def end_input(self) -> None:
        """Close the engine's stdin; it should then end."""
        self._running()[1].end_input()

    def wait(self, seconds: float) -> Exit | None:
        """Wait for the process to end by itself; None if it still runs after `seconds`."""
        return self._look_for_exit(seconds)

    # --- death ---------------------------------------------------------------------------------------------

    def close(self) -> Exit:
        """End the engine: `quit`, end of input, SIGTERM, SIGKILL, each with its limit; sweep its children.

        An engine that obeys none of them costs `Limits.quit` and twice `Limits.terminate`; `kill` costs
        nothing. An Exit without code and signal means that it still runs; to close again is to look again.
        """
        try:
            self._persuade()
        finally:  # an impatient Ctrl-C, too, leaves nothing behind
            ended = self.kill()
        return ended

    def kill(self) -> Exit:
        """End the engine at once, by SIGKILL, with all its children. One never started is no error."""
        if self._process is None:
            return _UNENDED
        with interrupt_held():
            return self._bury()

    def _persuade(self) -> None:
        """Ask the engine to end, ever less politely, until it does."""
        process, pipes = self._running()
        limits = self.limits
        ended = self._look_for_exit(0.0)
        if ended is None and pipes.write_all(b"quit\n", limits.quit) == 0:
            ended = self._look_for_exit(limits.quit)
        if ended is None:
            pipes.end_input()
            ended = self._look_for_exit(limits.terminate)
        if ended is None:
            signal_group(process.pid, signal.SIGTERM)
            self._look_for_exit(limits.terminate, forced=True)

    def _bury(self) -> Exit:
        """Kill what still lives, take the last words, close the pipes. May be called again."""
        process, pipes = self._running()
        if pipes.closed:
            return self._collect(process)
        forced = self._look_for_exit(0.0) is None
        signal_group(process.pid, signal.SIGKILL)  # if the engine has ended, for children that outlived it
        self._look_for_exit(self.limits.reap, forced)
        sweep(process.pid, self._mark, self.limits.reap)
        pipes.drain()
        pipes.close()
        assert self._guard is not None
        self._guard.dismiss()
        return self._collect(process)

    def _collect(self, process: subprocess.Popen[bytes]) -> Exit:
        """The Exit, and no zombie any more. A process that the kernel holds on to is not waited for."""
        returncode = process.poll()
        if returncode is not None and (self._exit is None or self._exit == _UNENDED):
            self._exit = Exit.from_returncode(returncode, forced=True)
        self._exit = self._exit or _UNENDED
        return self._exit

    # --- inside --------------------------------------------------------------------------------------------

    def _running(self) -> tuple[subprocess.Popen[bytes], Pipes]:
        if self._process is None or self._pipes is None:
            raise RuntimeError("the Engine has not been started")
        return self._process, self._pipes

    def _limit(self, line: bytes, timeout: float | None) -> TimeLimit:
        if timeout is not None:
            return TimeLimit("call", timeout)
        return self.limits.for_command(line, first=not self._answered)

    def _early(self) -> bytes:
        """What the engine has said without being asked."""
        pipes = self._running()[1]
        return pipes.collect(0.0) if pipes.anything_there() else b""

    def _receive(
        self,
        sent: bytes,
        early: bytes,
        limit: TimeLimit,
        began: float,
        *,
        patience: float | None = None,
        unsent: int = 0,
    ) -> Exchange:
        left = max(0.0, limit.seconds - (time.monotonic() - began))
        how, noise, raw = self._running()[1].wait_for_answer(left, patience)
        took = time.monotonic() - began
        ending = _ENDINGS[how]
        answer: Answer | None = None
        if how == "answer":
            self._answered = True
            parsed = parse_answer(raw, command_id(sent))
            if isinstance(parsed, Answer):
                answer = parsed
            else:
                ending = "malformed"
        noise = early + noise
        ended = self._look_for_exit(self.limits.reap) if how == "eof" else None
        reached = limit if how == "timeout" else None
        return Exchange(sent, noise + raw, answer, ending, noise, took, ended, unsent, reached)

    def _look_for_exit(self, seconds: float, forced: bool = False) -> Exit | None:
        """The Exit if there is one within `seconds`; noted in the transcript when first seen."""
        if self._exit is None:
            returncode = self._running()[1].wait_for_exit(seconds)
            if returncode is not None:
                self._running()[1].drain()  # its last words come before its end
                self._exit = Exit.from_returncode(returncode, forced)
                self._recorder.note("exit", str(self._exit).encode())
        return self._exit


def _ended(line: str | bytes) -> bytes:
    """The bytes of a line, with its line feed."""
    sent = line.encode("utf-8", "surrogateescape") if isinstance(line, str) else line
    return sent if sent.endswith(b"\n") else sent + b"\n"


def _single_command(line: str | bytes) -> bytes:
    """The bytes of a line that gets exactly one answer. Raises CommandError for another."""
    sent = _ended(line)
    if sent.count(b"\n") > 1:
        raise CommandError(f"{printable(sent)} is more than one line: send each line by itself")
    if not command_name(sent):
        raise CommandError(f"{printable(sent)} holds no command, so no answer will come: leave it out")
    return sent


def _with_unsent(exchanges: Iterable[Exchange], taken: int) -> tuple[Exchange, ...]:
    """The exchanges with their `unsent`, when the engine has taken only the first `taken` bytes of all."""
    corrected = []
    for exchange in exchanges:
        length = len(exchange.sent)
        corrected.append(replace(exchange, unsent=min(length, max(0, length - taken))))
        taken -= length
    return tuple(corrected)
