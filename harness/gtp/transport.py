"""`Pipes`: one poll loop that writes stdin, reads stdout and stderr, and notices the end of one process.

There is no thread. Every wait also drains stderr, so a full stderr pipe blocks the engine only until the next
wait. `Engine` sends commands and waits for answers by this class.

The way of the output: a read puts it at the end of `_pending`. Plain answers (see `answer_search`) at the
beginning of a read are taken from there, and those not asked for yet wait in `_answers`. Other output, such
as log lines or an answer that comes in pieces, goes on to pexpect, which keeps it in `_before` and searches
it for the answer with an AnswerSearcher.
"""

from __future__ import annotations

import io
import os
import select
import subprocess
import time
from collections import deque
from collections.abc import Collection
from typing import TYPE_CHECKING, Literal

from pexpect import EOF, TIMEOUT
from pexpect.fdpexpect import fdspawn

from harness.gtp.answer_search import AnswerSearcher, split_at_sign
from harness.gtp.limits import Limits, WaitLimits
from harness.gtp.pending_output import PendingOutput
from harness.gtp.process import open_pidfd, peek_returncode
from harness.gtp.transcript import Recorder

if TYPE_CHECKING:
    _FdSpawn = fdspawn[bytes]
else:
    _FdSpawn = fdspawn

Wait = Literal["answer", "oversize", "timeout", "no blank line", "eof"]
"""How a wait ended: an answer, too much output, the deadline, a missing blank line, the end of the output."""

_CHUNK = 1 << 16  # the size of a Linux pipe: one read empties it
_EXIT_CHECK = 0.25  # seconds between checks for the exit, without pidfd; chosen: a user notices no such delay
_LONGEST_POLL = 1e6  # seconds of one wait: the milliseconds of poll are an int of C
_FEW_ANSWERS = 4  # if more are awaited, let several gather in the pipe before each read; chosen
_GATHER = 0.0003  # seconds for them to gather: many times what an answer to `play` takes


class Pipes(_FdSpawn):
    """The three pipes of a Popen, as pexpect's fdspawn. It closes the pipes, but does not end the process.

    pexpect's delays are switched off. Deadlines are on the monotonic clock: the clock that pexpect uses jumps
    when the time of day is set.
    """

    def __init__(self, process: subprocess.Popen[bytes], limits: Limits, recorder: Recorder) -> None:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        super().__init__(process.stdout.fileno(), timeout=None, maxread=_CHUNK)
        self.delaybeforesend = self.delayafterread = None
        self._process = process
        self._limits = limits
        self._recorder = recorder
        self._conversation = recorder.conversation
        self._stdin: int | None = process.stdin.fileno()
        self._stdout: int | None = process.stdout.fileno()
        self._stderr: int | None = process.stderr.fileno()
        self._before = io.BytesIO()  # pexpect's buffer of bytes that were read and not matched
        self._answers: deque[bytes] = deque()  # whole answers of the last read, not yet returned
        self._dead = False  # the process has ended
        self._pending = PendingOutput()  # read and not yet handed to pexpect
        self._outgoing = b""  # queued and not yet taken by the engine
        self._writing = False  # stdin is in `_poll`, for room in its pipe
        self._has_read = False  # stdout was read since the last `queue`
        self._wait = WaitLimits()  # of the present wait
        self.awaited = 1  # answers still to come, set by a caller that has queued several commands
        self._searcher = AnswerSearcher(limits.max_answer)
        self._poll = select.poll()
        self._poll.register(self._stdout, select.POLLIN)
        self._poll.register(self._stderr, select.POLLIN)
        self._pidfd = open_pidfd(process.pid)  # readable once the process has ended
        if self._pidfd is not None:
            self._poll.register(self._pidfd, select.POLLIN)
        os.set_blocking(self._stdin, False)

    # --- waiting -------------------------------------------------------------------------------------------

    def wait_for_answer(self, deadline: float, blank_line: float | None = None) -> tuple[Wait, bytes, bytes]:
        """Return (how the wait ended, the bytes before the answer's sign, the answer or the part that came).

        deadline    on the monotonic clock
        blank_line  longest silence in seconds after the first line of an answer; None: no limit but the
                    deadline
        """
        self._begin_wait(deadline, blank_line)
        answer = self._plain_answer()
        if answer is not None:
            return "answer", b"", answer
        self._searcher = AnswerSearcher(self._limits.max_answer)
        found = self.expect_loop(self._searcher, timeout=None)
        assert self.before is not None
        if found == AnswerSearcher.TIMEOUT:
            before_deadline = self._wait.end(line_complete=self._searcher.line_complete) < self._wait.deadline
            how: Wait = "no blank line" if before_deadline else "timeout"
            return how, *split_at_sign(self._take())
        if found == AnswerSearcher.EOF:
            return "eof", *split_at_sign(self.before)
        assert isinstance(self.after, bytes)
        return "answer" if found == AnswerSearcher.ANSWER else "oversize", self.before, self.after

    def wait_for_line(self, deadline: float) -> tuple[Wait, bytes]:
        """Return ("answer", the next line of output with its line feed), or how the wait ended, and b"".

        The part of a line that came stays for the next wait. A line that is longer than `Limits.max_answer`
        ends the wait as "oversize".
        """
        self._begin_wait(deadline, None)
        self._take_back()
        part = bytearray()
        while True:
            try:
                part += self.read_nonblocking(_CHUNK, None)
            except (TIMEOUT, EOF) as end:
                self.put_back(bytes(part))
                return "eof" if isinstance(end, EOF) else "timeout", b""
            line, feed, rest = part.partition(b"\n")
            if feed:
                # One piece for each line: a flood of short lines is not copied again for each of them.
                self.put_back(*bytes(rest).splitlines(keepends=True))
                return "answer", bytes(line + feed)
            if len(part) > self._limits.max_answer:
                self.put_back(bytes(part))
                return "oversize", b""

    def put_back(self, *pieces: bytes) -> None:
        """Put bytes that were read back in front of the pending output."""
        self._pending.put_back(*pieces)

    def ready_answer(self) -> bytes | None:
        """The next answer if it was read together with the one before; else None: wait for it."""
        return self._answers.popleft() if self._answers else None

    def has_output(self) -> bool:
        """Return False if no output, nor its end, can be read now; True also for stderr. Does not wait."""
        return bool(self._answers or self._pending or self._before.tell() or self._poll.poll(0))

    def early(self) -> bytes:
        """The bytes that have come before the next command is sent. Does not wait."""
        return self.collect(0.0) if self.has_output() else b""

    def collect(self, seconds: float) -> bytes:
        """All bytes that come within `seconds`.

        Returns earlier if the output ends, or after `Limits.max_answer` bytes and at most one read more.
        """
        self._begin_wait(time.monotonic() + seconds, None)
        collected = bytearray(self._take())
        try:
            while len(collected) < self._limits.max_answer:
                collected += self.read_nonblocking(_CHUNK, None)
        except (TIMEOUT, EOF):
            pass
        return bytes(collected)

    def wait_for_exit(self, seconds: float) -> int | None:
        """The return code of the process once it has ended, None if it has not within `seconds`.

        The process stays a zombie, so that no other process gets its id; the caller collects it. This method
        reads the output meanwhile, because a full pipe could keep the process from ending.
        """
        deadline = time.monotonic() + seconds
        pause = 0.001
        while (returncode := peek_returncode(self._process)) is None:
            left = deadline - time.monotonic()
            if left <= 0:
                return None
            if self._pidfd is None:
                self._serve(min(pause, left))
                pause = min(2 * pause, _EXIT_CHECK)
            else:
                self._serve(left)
        return returncode

    # --- reading -------------------------------------------------------------------------------------------

    def read_nonblocking(self, size: int = 1, timeout: float | None = -1) -> bytes:
        """Wait for output and return the next piece. Raises TIMEOUT at the deadline, EOF after the last one.

        pexpect's loop calls this method of pexpect's class; the arguments have no effect here.
        """
        while not self._pending:
            if self._stdout is None:
                raise EOF("end of output")
            left = self._wait.end(line_complete=self._searcher.line_complete) - time.monotonic()
            if left <= 0:
                if self._wait.polled_late:  # one read after the deadline; endless output allows no more
                    raise TIMEOUT("time limit")
                self._wait.polled_late = True
            self._serve(max(0.0, left))
        if self._wait.blank_line is not None:
            self._wait.last_byte = time.monotonic()
        return self._pending.take()

    def _begin_wait(self, deadline: float, blank_line: float | None) -> None:
        """Set the limits of the next wait; see `wait_for_answer`."""
        self._wait = WaitLimits(deadline, blank_line)
        if blank_line is not None:
            self._wait.last_byte = time.monotonic()

    def _plain_answer(self) -> bytes | None:
        """Return the next answer if one read brings it whole and plain.

        Return None if pexpect must search for it, or if nothing came before the deadline. Nearly every answer
        is plain, and pexpect takes ten times as long for it. When one read brings many answers, pexpect also
        copies the rest of its buffer for each.
        """
        if self._answers:
            return self._answers.popleft()
        if self._wait.blank_line is not None:
            return None
        self._take_back()
        while not self._pending and self._stdout is not None:
            left = self._wait.deadline - time.monotonic()
            if left <= 0:
                return None
            self._serve(left)
        self._answers.extend(self._pending.take_plain_answers())
        return self._answers.popleft() if self._answers else None

    def _take_back(self) -> None:
        """Move the bytes that pexpect has read and not matched back to the pending output."""
        if not self._before.tell():
            return
        self.put_back(self._before.getvalue())
        self._before, self._buffer = io.BytesIO(), io.BytesIO()

    def _take(self) -> bytes:
        """Empty `_answers` and pexpect's buffer, and return the bytes that were in them."""
        taken = b"".join(self._answers) + self._before.getvalue()
        self._answers.clear()
        self._before = io.BytesIO()
        self._buffer = io.BytesIO()
        return taken

    def _serve(self, seconds: float) -> bool:
        """Wait up to `seconds` for an event on any pipe and handle it; return whether any output came."""
        if self._pidfd is None:
            seconds = min(seconds, _EXIT_CHECK)
        ready = dict(self._poll.poll(1000 * min(seconds, _LONGEST_POLL)))
        if self._writing and self._stdin in ready:
            self._push()
        if self._stderr in ready:
            self._take_stderr()
        if self._stdout in ready:
            if self._has_read and self.awaited > _FEW_ANSWERS:  # else this process wakes for each answer
                time.sleep(_GATHER)
            self._has_read = True
            self._take_stdout()
        elif self._is_dead(ready):
            # The process has ended and its pipe is empty. A child may still hold the pipe.
            self._dead = True
            self._end_stdout()
        return self._stdout in ready or self._stderr in ready

    def _is_dead(self, ready: Collection[int]) -> bool:
        """Return whether the process has ended; `ready` are the descriptors with an event."""
        return self._pidfd in ready if self._pidfd is not None else peek_returncode(self._process) is not None

    def _end_stdout(self) -> None:
        if self._stdout is not None:
            self._poll.unregister(self._stdout)  # closed with the other descriptors, not now
            self._stdout = None

    def _take_stdout(self) -> None:
        assert self._stdout is not None
        data = os.read(self._stdout, _CHUNK)
        if not data:
            self._end_stdout()
            return
        self._conversation.note("received", data)
        if self._pending.size <= self._limits.max_answer:  # drop the rest: the wait ends as "oversize"
            self._pending.append(data)

    def _take_stderr(self) -> None:
        assert self._stderr is not None
        data = os.read(self._stderr, _CHUNK)
        if data:
            self._recorder.note_stderr(data)
        else:
            self._poll.unregister(self._stderr)
            self._stderr = None

    # --- writing -------------------------------------------------------------------------------------------

    def queue(self, data: bytes) -> None:
        """Write what the engine takes of `data` at once; later waits write the rest.

        Every wait reads and writes in turn. An engine that stops reading until its answers are read
        therefore cannot block this process.
        """
        self._outgoing = data
        self._has_read = False
        self._push()

    def withdraw(self) -> int:
        """Drop the queued bytes that the engine has not taken. Return their number."""
        unsent, self._outgoing = len(self._outgoing), b""
        self._poll_for_room(False)
        return unsent

    def write_all(self, data: bytes, seconds: float) -> int:
        """Write `data` and read output meanwhile. Return the number of bytes that the engine did not take.

        Stops after `seconds`, at the end of the process or its stdin, and after too much output.
        """
        self.queue(data)
        if not self._outgoing:
            return 0
        deadline = time.monotonic() + seconds
        while self._writing:
            left = deadline - time.monotonic()
            if left <= 0 or self._dead or self._pending.size > self._limits.max_answer:
                break
            self._serve(left)
        return self.withdraw()

    def _push(self) -> None:
        """Write queued bytes until the pipe is full. Then let the poll loop wait for room.

        If the engine has closed its end, the rest stays queued.
        """
        while self._outgoing and self._stdin is not None:
            try:
                written = os.write(self._stdin, self._outgoing)
            except BlockingIOError:
                self._poll_for_room(True)
                return
            except BrokenPipeError:
                break
            self._conversation.note("sent", self._outgoing[:written])
            self._outgoing = self._outgoing[written:]
        if self._writing:
            self._poll_for_room(False)

    def _poll_for_room(self, wanted: bool) -> None:
        if wanted != self._writing:
            assert self._stdin is not None
            if wanted:
                self._poll.register(self._stdin, select.POLLOUT)
            else:
                self._poll.unregister(self._stdin)
            self._writing = wanted

    # --- the end -------------------------------------------------------------------------------------------

    def end_input(self) -> None:
        """Close the process's stdin: it reads an end of file."""
        if self._stdin is not None:
            self.withdraw()
            self._stdin = None
            assert self._process.stdin
            self._process.stdin.close()

    def drain(self) -> None:
        """Record the output that is in the pipes, without waiting. Stops after about `Limits.max_answer`."""
        for _ in range(self._limits.max_answer // _CHUNK + 2):
            if not self._serve(0.0):
                break

    def close(self) -> None:
        """Close every descriptor. The caller ends the process."""
        self.end_input()
        assert self._process.stdout
        assert self._process.stderr
        self._process.stdout.close()
        self._process.stderr.close()
        if self._pidfd is not None:
            os.close(self._pidfd)
            self._pidfd = None
        self._stdout = self._stderr = None
        self.child_fd = -1  # what fdspawn.close would have closed
        self.closed = True
