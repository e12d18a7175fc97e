"""`Engine`: a GTP engine as a child process, with its commands, its answers and its end.

Nothing is judged here. A command and everything that the engine did until its answer become an `Exchange`.
"""

from __future__ import annotations

import signal
import subprocess
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import TracebackType

from harness.gtp.exchange import Ending, Exchange, Exit
from harness.gtp.guard import Guard
from harness.gtp.interrupts import interrupt_held, keep_exit_codes
from harness.gtp.launch import Launch, marked, raise_shortage, start_process
from harness.gtp.limits import Limits, TimeLimit, time_limit
from harness.gtp.orphans import child_starting, forget, kill_orphans, reap_orphans, register
from harness.gtp.process import adopt_orphans, kill_descendants, signal_group
from harness.gtp.sent_lines import single_command, with_line_feed, with_unsent
from harness.gtp.stream import Stream, exchange_of
from harness.gtp.transcript import Event, Recorder, error_line
from harness.gtp.transport import Pipes, Wait

_ENDINGS: dict[Wait, Ending] = {  # of an Exchange, by how the wait for its answer ended
    "answer": "answer",
    "no blank line": "malformed",
    "timeout": "timeout",
    "eof": "eof",
    "oversize": "oversize",
}
_NOT_ENDED = Exit(None, None, forced=True)  # of a process that still runs after SIGKILL, or never started


class Engine:
    """A child process that speaks GTP on its three pipes, in a session of its own.

    The end of a `with` block ends the process and all processes that it started:

        with Engine(Launch("gnugo --mode gtp")) as engine:
            engine.ask("boardsize 9").ok

    An engine that cannot be started raises EngineStartError. No other failure of an engine is raised: after
    the process has died or has been closed, every exchange ends at once with "eof" and an `Exit`. Use an
    Engine from one thread only; another thread may call `abort`.
    """

    def __init__(self, launch: Launch | str, limits: Limits | None = None) -> None:
        self.launch = Launch(launch) if isinstance(launch, str) else launch
        self.limits = limits or Limits()
        self._recorder = Recorder(self.limits)
        self._process: subprocess.Popen[bytes] | None = None
        self._pipes: Pipes | None = None
        self._guard: Guard | None = None
        self._marked_launch, self._mark = marked(self.launch)
        self._exit: Exit | None = None
        self._collecting = threading.Lock()  # held during a collection: it frees the process id for others
        self._answered = False  # the time limit of the first answer is `Limits.startup`
        self._stream: Stream | None = None  # an answer that goes on until the next line

    def __enter__(self) -> Engine:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # After an exception, such as Ctrl-C, the engine is not given time to end by itself.
        self.close() if kind is None else self.kill()

    # --- life ----------------------------------------------------------------------------------------------

    def start(self) -> Engine:
        """Start the process and return at once.

        Raises EngineStartError, ShortageError if this machine lacks memory, processes, descriptors or disk,
        and RuntimeError at a second call.
        """
        if self._process is not None:
            raise RuntimeError("an Engine is started once")
        adopt_orphans()
        keep_exit_codes()
        self._recorder = Recorder(self.limits)
        with interrupt_held(), self._raising_shortage():
            self._guard = Guard(self._mark, self.limits.terminate)
            try:
                with child_starting():
                    self._process = start_process(self._marked_launch)
                    register(self._process.pid, engine=True)
                self._guard.watch(self._process.pid)
                self._pipes = Pipes(self._process, self.limits, self._recorder)
            except BaseException:
                self._undo_start()
                raise
        return self

    def _undo_start(self) -> None:
        """Kill and collect the processes of a start that failed halfway."""
        process, self._process = self._process, None
        if process is not None:
            signal_group(process.pid, signal.SIGKILL)
            with process:  # its end closes the pipes and collects the zombie
                pass
            forget(process.pid)
        assert self._guard is not None
        self._guard.dismiss()

    @contextmanager
    def _raising_shortage(self) -> Iterator[None]:
        """Turn an OSError that comes from a shortage of this machine into a ShortageError."""
        try:
            yield
        except OSError as error:
            raise_shortage(self.launch.command, error)
            raise

    @property
    def pid(self) -> int:
        """The process id. The session and the process group of the engine have the same id."""
        return self._process_and_pipes()[0].pid

    @property
    def alive(self) -> bool:
        """True from the start until the process ends, or is closed or killed."""
        return self._process is not None and self._check_exit(0.0) is None

    @property
    def exit(self) -> Exit | None:
        """The Exit of the process; None while it runs. After `close` or `kill`, what they returned."""
        return self._check_exit(0.0) if self._process is not None else None

    @property
    def stderr_tail(self) -> bytes:
        """The last `Limits.stderr_kept` bytes of the engine's stderr. Raw: escape them before printing."""
        return self._recorder.stderr_tail

    @property
    def transcript(self) -> tuple[Event, ...]:
        """The events since the start or `forget_transcript`, oldest first; the limits bound their size."""
        return self._recorder.events

    def forget_transcript(self) -> None:
        """Drop the transcript, for example before the next game. Also collect orphans that have ended."""
        reap_orphans()
        self._recorder.forget()

    # --- commands and answers ------------------------------------------------------------------------------

    def ask(
        self, line: str | bytes, *, timeout: float | None = None, blank_line: float | None = None
    ) -> Exchange:
        """Send one command line and wait for one answer. Every earlier answer must have been received.

        An open stream of `begin` is the exception: this line ends it, and it is read to its end first.

        Bytes that came before the command was sent cannot answer it. They become `noise`, so an engine that
        answers twice, or too late, stays in step.

        timeout     seconds to take the command and answer it; default `Limits.for_command`
        blank_line  seconds to wait, after the first line of an answer, for the blank line that ends the
                    answer. If none comes, the exchange ends as "malformed". Give this only for engines that
                    may omit the blank line: others may send the sign first and then think
        """
        sent = with_line_feed(line)
        pipes = self._process_and_pipes()[1]
        limit = self._limit(sent, timeout)
        began = time.monotonic()
        early = self._early()
        unsent = pipes.write_all(sent, limit.seconds)
        return self._receive(sent, early, limit, began, blank_line, unsent)

    def begin(self, line: str | bytes, *, timeout: float | None = None) -> Stream:
        """Send a command whose answer goes on until the next line, such as `lz-analyze`; return its stream.

        Does not wait for the answer: read its lines from the stream. The next line that is sent ends the
        answer: the call that sends it (after `send`, the call of `receive`) first reads the stream to its
        end. Each byte that is received belongs to exactly one of the exchanges.

        timeout   seconds to take the command, and to end an earlier stream; default `Limits.for_command`
        """
        sent = with_line_feed(line)
        pipes = self._process_and_pipes()[1]
        limit = self._limit(sent, timeout)
        began = time.monotonic()
        early = self._early()
        unsent = pipes.write_all(sent, limit.seconds)
        self._finish_stream(began + limit.seconds)  # the stream before, which this line ends

        def finish(how: Wait, noise: bytes, raw: bytes, took: float) -> Exchange:
            return self._exchange(how, sent, noise, raw, took, unsent, limit)

        self._stream = Stream(pipes, sent, early, self.limits.max_answer, finish)
        return self._stream

    def ask_many(self, lines: Iterable[str | bytes], *, timeout: float | None = None) -> tuple[Exchange, ...]:
        """Send several command lines in one write, then read one answer to each, in order.

        One call is much faster than one `ask` for each line. A refusal (`?`) or a malformed answer does not
        end the series. A timeout, an end of output or an oversize answer ends it: the last exchange is then
        that of the command that was not answered, and the lines after it have no exchange. The engine may
        have read some of these lines (see the transcript), so start a new process.

        The time and the time limit of each exchange count from the end of the answer before. Answers are
        matched to commands by their order alone. A command that is answered twice shifts all later answers:
        wrong ids show this, or, without ids, the `noise` of the next `ask`.

        timeout   seconds for each answer; default `Limits.for_command`

        Raises CommandError for a line that is not exactly one command, before anything is sent.
        """
        commands = [single_command(line) for line in lines]
        pipes = self._process_and_pipes()[1]
        exchanges: list[Exchange] = []
        began = time.monotonic()
        early = self._early()
        pipes.queue(b"".join(commands))
        for number, sent in enumerate(commands):
            pipes.awaited = len(commands) - number
            ready = pipes.ready_answer()
            if ready is not None:  # already here, so within its time limit
                now = time.monotonic()
                self._answered = True
                exchange = exchange_of(sent, early, ready, now - began)
            else:
                exchange = self._receive(sent, early, self._limit(sent, timeout), began)
                now = time.monotonic()
            exchanges.append(exchange)
            if not exchange.is_answered:
                break
            early, began = b"", now
        pipes.awaited = 1
        unsent = pipes.withdraw()
        return with_unsent(exchanges, sum(map(len, commands)) - unsent) if unsent else tuple(exchanges)

    def send(self, data: bytes, *, timeout: float | None = None) -> int:
        """Send bytes as they are. Return how many of them the engine did not take within `timeout`."""
        return self._process_and_pipes()[1].write_all(data, self._limit(data, timeout).seconds)

    def receive(self, timeout: float | None = None, *, blank_line: float | None = None) -> Exchange:
        """Wait for one answer to bytes that `send` has sent. The exchange's `sent` is empty.

        timeout, blank_line   as for `ask`
        """
        return self._receive(b"", b"", self._limit(b"", timeout), time.monotonic(), blank_line)

    def end_input(self) -> None:
        """Close the engine's stdin. A conforming engine then ends."""
        self._process_and_pipes()[1].end_input()

    def wait(self, seconds: float) -> Exit | None:
        """Wait for the process to end by itself; None if it still runs after `seconds`."""
        return self._check_exit(seconds)

    # --- the end -------------------------------------------------------------------------------------------

    def close(self) -> Exit:
        """End the engine by `quit`, else by end of input, SIGTERM or SIGKILL, in turn; kill its children.

        An engine that ignores all but SIGKILL takes `Limits.quit` plus twice `Limits.terminate`; `kill` does
        not wait. An Exit without code and signal means that the process still runs: call `close` again to
        check. Raises RuntimeError before the start.
        """
        try:
            self._ask_to_end()
        finally:  # also if Ctrl-C cuts the wait short
            ended = self.kill()
        return ended

    def kill(self) -> Exit:
        """End the engine and its children at once, by SIGKILL. Before the start, do nothing."""
        if self._process is None:
            return _NOT_ENDED
        with interrupt_held():
            return self._kill_and_clean_up()

    def abort(self) -> None:
        """Kill the process group from another thread. Does not wait.

        Nothing is read, closed or collected here: an exchange in flight ends with "eof" in the thread that
        owns the engine, which also cleans up.
        """
        with self._collecting:
            process = self._process
            if process is not None and process.returncode is None:
                signal_group(process.pid, signal.SIGKILL)

    def _ask_to_end(self) -> None:
        """Ask the engine to end: by `quit`, by the end of its input, by SIGTERM."""
        process, pipes = self._process_and_pipes()
        limits = self.limits
        ended = self._check_exit(0.0)
        if ended is None and pipes.write_all(b"quit\n", limits.quit) == 0:
            ended = self._check_exit(limits.quit)
        if ended is None:
            pipes.end_input()
            ended = self._check_exit(limits.terminate)
        if ended is None:
            signal_group(process.pid, signal.SIGTERM)
            self._check_exit(limits.terminate, forced=True)

    def _kill_and_clean_up(self) -> Exit:
        """Kill the engine's processes, read the rest of its output, close the pipes. May be called again."""
        process, pipes = self._process_and_pipes()
        if pipes.closed:
            return self._collect(process)
        forced = self._check_exit(0.0) is None
        signal_group(process.pid, signal.SIGKILL)  # also if the engine has ended: its children may live
        self._check_exit(self.limits.reap, forced)
        kill_descendants(process.pid, self._mark, self.limits.reap)
        pipes.drain()
        pipes.close()
        assert self._guard is not None
        self._guard.dismiss()
        ended = self._collect(process)
        if ended != _NOT_ENDED:
            forget(process.pid)
            kill_orphans(self.limits.reap)
        return ended

    def _collect(self, process: subprocess.Popen[bytes]) -> Exit:
        """Collect the zombie and return its Exit. Return `_NOT_ENDED` if SIGKILL has not ended it yet."""
        with self._collecting:
            returncode = process.poll()
        if returncode is not None and (self._exit is None or self._exit == _NOT_ENDED):
            # The end of a process that ended by itself was recorded before the SIGKILL.
            self._exit = Exit.from_returncode(returncode, forced=True)
        self._exit = self._exit or _NOT_ENDED
        return self._exit

    # --- internals -----------------------------------------------------------------------------------------

    def _process_and_pipes(self) -> tuple[subprocess.Popen[bytes], Pipes]:
        if self._process is None or self._pipes is None:
            raise RuntimeError("the Engine has not been started")
        return self._process, self._pipes

    def _limit(self, line: bytes, timeout: float | None) -> TimeLimit:
        """Return the time limit of the answer to `line`: `timeout`, or that of `Limits` if it is None."""
        if timeout is not None:
            return time_limit("call", timeout)
        return self.limits.for_command(line, first=not self._answered)

    def _receive(
        self,
        sent: bytes,
        early: bytes,
        limit: TimeLimit,
        began: float,
        blank_line: float | None = None,
        unsent: int = 0,
    ) -> Exchange:
        """Wait for the answer to `sent`. The bytes `early` came before `sent` was written; they are noise."""
        self._finish_stream(began + limit.seconds)
        how, noise, raw = self._process_and_pipes()[1].wait_for_answer(began + limit.seconds, blank_line)
        return self._exchange(how, sent, early + noise, raw, time.monotonic() - began, unsent, limit)

    def _early(self) -> bytes:
        """Return the bytes that have come and belong to no answer; call this before a command is sent.

        While a stream goes on, its bytes belong to it: nothing is early.
        """
        streams = self._stream is not None and self._stream.exchange is None
        return b"" if streams else self._process_and_pipes()[1].early()

    def _finish_stream(self, deadline: float) -> None:
        """Read the stream to its end, if there is one: the line that ends it was sent."""
        stream, self._stream = self._stream, None
        if stream is not None:
            stream.finish(deadline)

    def _exchange(
        self, how: Wait, sent: bytes, noise: bytes, raw: bytes, took: float, unsent: int, limit: TimeLimit
    ) -> Exchange:
        """Return the exchange of a command, by how the wait for its answer ended.

        sent     the bytes of the command, of which the engine did not take `unsent`
        noise    the bytes before the sign of the answer
        raw      the answer, or the part of it that came
        took     seconds from the command to the end of the wait
        limit    the time limit of the wait
        """
        if how == "answer":
            self._answered = True
            return exchange_of(sent, noise, raw, took, unsent)
        ended = self._check_exit(self.limits.reap) if how == "eof" else None
        reached = limit if how == "timeout" else None
        wrote = error_line(self.stderr_tail) if how == "eof" else ""
        return Exchange(sent, noise + raw, None, _ENDINGS[how], noise, took, ended, unsent, reached, wrote)

    def _check_exit(self, seconds: float, forced: bool = False) -> Exit | None:
        """Return and record the Exit if the process ends within `seconds`; `forced`: the harness ended it."""
        if self._exit is None:
            returncode = self._process_and_pipes()[1].wait_for_exit(seconds)
            if returncode is not None:
                self._process_and_pipes()[1].drain()  # its output comes before its end in the transcript
                self._exit = Exit.from_returncode(returncode, forced)
                self._recorder.conversation.note("exit", str(self._exit).encode())
        return self._exit
