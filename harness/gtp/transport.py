"""The pipes to one process, as a pexpect spawn: one poll loop for its three streams and its end.

There is no thread. Every wait on these pipes also drains stderr, so a full stderr pipe stops the engine until
the next wait at most.
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

from harness.gtp.answer_search import AnswerSearcher, is_plain_answer, leading_answers, split_at_sign
from harness.gtp.limits import Limits
from harness.gtp.process import peek_returncode
from harness.gtp.transcript import Recorder

if TYPE_CHECKING:
    _FdSpawn = fdspawn[bytes]
else:
    _FdSpawn = fdspawn

Wait = Literal["answer", "oversize", "timeout", "no blank line", "eof"]

_CHUNK = 1 << 16  # the size of a Linux pipe: one read empties it
_LOOK_AGAIN = (
    0.25  # seconds between looks at the process without pidfd; chosen: more delays an end, less costs time
)
_LONGEST_POLL = 1e6  # seconds of one wait: the milliseconds of poll are an int of C
_MANY = 4  # collect the answers before they are read if more are awaited; chosen
_COLLECT = 0.0003  # seconds to collect answers: many times what an answer to `play` takes


class Pipes(_FdSpawn):
    """pexpect's fdspawn on the three pipes of a Popen. Closes them, but does not end the process.

    The delays of pexpect are switched off. A monotonic deadline replaces its clock, which jumps when the time
    of day is set.
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
        self._answers: deque[bytes] = deque()  # whole answers that were taken out of that buffer
        self._dead = False
        self._ahead: deque[bytes] = deque()  # output read and not yet handed to pexpect
        self._ahead_size = 0
        self._outgoing = b""  # queued and not yet taken by the engine
        self._writing = False  # stdin is polled for room
        self._in_pieces = False  # what was queued last is not answered in a single read
        self._deadline = 0.0
        self._last_byte = 0.0
        self._looked = self._waited_for_blank_line = False
        self._blank_line: float | None = None
        self.awaited = 1  # answers still to come; the caller that asks for several sets it
        self._searcher = AnswerSearcher(limits.max_answer)
        self._poll = select.poll()
        self._poll.register(self._stdout, select.POLLIN)
        self._poll.register(self._stderr, select.POLLIN)
        self._death = _pidfd(process.pid)
        if self._death is not None:
            self._poll.register(self._death, select.POLLIN)
        os.set_blocking(self._stdin, False)

    # --- waiting -------------------------------------------------------------------------------------------

    def wait_for_answer(self, deadline: float, blank_line: float | None = None) -> tuple[Wait, bytes, bytes]:
        """(how the wait ended, the bytes before the answer's sign, the answer or what there is of it).

        deadline    by the monotonic clock
        """
        self._begin_wait(deadline, blank_line)
        answer = self._plain_answer()
        if answer is not None:
            return "answer", b"", answer
        self._searcher = AnswerSearcher(self._limits.max_answer)
        found = self.expect_loop(self._searcher, timeout=None)
        assert self.before is not None
        if found == AnswerSearcher.TIMEOUT:
            return "no blank line" if self._waited_for_blank_line else "timeout", *split_at_sign(self._take())
        if found == AnswerSearcher.EOF:
            return "eof", *split_at_sign(self.before)
        assert isinstance(self.after, bytes)
        return "answer" if found == AnswerSearcher.ANSWER else "oversize", self.before, self.after

    def ready_answer(self) -> bytes | None:
        """A whole answer that was read together with the one before; None where a wait is needed."""
        return self._answers.popleft() if self._answers else None

    def has_output(self) -> bool:
        """Return whether output, or its end, is there to be read. Does not wait."""
        return bool(self._answers or self._ahead or self._before.tell() or self._poll.poll(0))

    def early(self) -> bytes:
        """The bytes that have come before the next command is sent. Does not wait."""
        return self.collect(0.0) if self.has_output() else b""

    def collect(self, seconds: float) -> bytes:
        """All bytes that come within `seconds`; returns earlier only if the output ends.

        Stops after `Limits.max_answer` bytes and at most one read more.
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

        The process stays a zombie, so that its number is not given to another process; the caller collects
        it. Its output is read meanwhile, because a full pipe could keep the process from ending.
        """
        deadline = time.monotonic() + seconds
        pause = 0.001
        while (returncode := peek_returncode(self._process)) is None:
            left = deadline - time.monotonic()
            if left <= 0:
                return None
            if self._death is None:
                self._serve(min(pause, left))
                pause = min(2 * pause, _LOOK_AGAIN)
            else:
                self._serve(left)
        return returncode

    # --- reading -------------------------------------------------------------------------------------------

    def read_nonblocking(self, size: int = 1, timeout: float | None = -1) -> bytes:
        """Called by pexpect's loop to read. Raises TIMEOUT at the deadline, EOF at the end of the output."""
        while not self._ahead:
            if self._stdout is None:
                raise EOF("end of output")
            now = time.monotonic()
            left = self._deadline - now
            if self._blank_line is not None and self._searcher.line_complete:
                quiet = self._last_byte + self._blank_line - now
                self._waited_for_blank_line = quiet < left
                left = min(left, quiet)
            if left <= 0:
                if self._looked:  # read once after the deadline, but no endless flood
                    raise TIMEOUT("time limit")
                self._looked = True
            self._serve(max(0.0, left))
        chunk = self._ahead.popleft()
        self._ahead_size -= len(chunk)
        self._last_byte = time.monotonic() if self._blank_line is not None else 0.0
        return chunk

    def _begin_wait(self, deadline: float, blank_line: float | None) -> None:
        self._deadline, self._blank_line = deadline, blank_line
        self._looked = self._waited_for_blank_line = False

    def _plain_answer(self) -> bytes | None:
        """The next answer if one read brings it whole and plain; None leaves what came to pexpect.

        Nearly every answer is plain, and pexpect takes ten times as long for one. After many answers in one
        read it would also copy the rest of its buffer for each.
        """
        if self._answers:
            return self._answers.popleft()
        if self._blank_line is not None:
            return None
        if self._before.tell():
            self._give_back()
        while not self._ahead and self._stdout is not None:
            left = self._deadline - time.monotonic()
            if left <= 0:
                return None
            self._serve(left)
        if not self._ahead:
            return None
        data = self._ahead[0]
        if is_plain_answer(data):
            self._ahead.popleft()
            self._ahead_size -= len(data)
            return data
        answers, rest = leading_answers(data)
        if not answers:
            return None
        self._ahead_size -= len(self._ahead.popleft()) - len(rest)
        if rest:
            self._ahead.appendleft(rest)
        self._answers.extend(answers)
        return self._answers.popleft()

    def _give_back(self) -> None:
        """Take back what pexpect has read and not matched."""
        self._ahead.appendleft(self._before.getvalue())
        self._ahead_size += len(self._ahead[0])
        self._before, self._buffer = io.BytesIO(), io.BytesIO()

    def _take(self) -> bytes:
        """Empty the buffers; the bytes that were in them."""
        taken = b"".join(self._answers) + self._before.getvalue()
        self._answers.clear()
        self._before = io.BytesIO()
        self._buffer = io.BytesIO()
        return taken

    def _serve(self, seconds: float) -> bool:
        """Wait up to `seconds` for an event on any pipe and handle it; return whether any output came."""
        if self._death is None:
            seconds = min(seconds, _LOOK_AGAIN)
        ready = dict(self._poll.poll(1000 * min(seconds, _LONGEST_POLL)))
        if self._writing and self._stdin in ready:
            self._push()
        if self._stderr in ready:
            self._take_stderr()
        if self._stdout in ready:
            if self._in_pieces and self.awaited > _MANY:  # else each answer would wake this process
                time.sleep(_COLLECT)
            self._in_pieces = True
            self._take_stdout()
        elif self._is_dead(ready):
            # The process has ended and its pipe is empty. A child may still hold the pipe.
            self._dead = True
            self._end_stdout()
        return self._stdout in ready or self._stderr in ready

    def _is_dead(self, ready: Collection[int]) -> bool:
        return self._death in ready if self._death is not None else peek_returncode(self._process) is not None

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
        if self._ahead_size <= self._limits.max_answer:  # more is a flood, which no caller waits for
            self._ahead.append(data)
            self._ahead_size += len(data)

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
        self._in_pieces = False
        self._push()

    def withdraw(self) -> int:
        """Stop writing what was queued; the number of bytes that the engine did not take."""
        unsent, self._outgoing = len(self._outgoing), b""
        self._poll_for_room(False)
        return unsent

    def write_all(self, data: bytes, seconds: float) -> int:
        """Write `data` and read at the same time; return the number of bytes not taken within `seconds`."""
        self.queue(data)
        if not self._outgoing:
            return 0
        deadline = time.monotonic() + seconds
        while self._writing:
            left = deadline - time.monotonic()
            if left <= 0 or self._dead or self._ahead_size > self._limits.max_answer:
                break
            self._serve(left)
        return self.withdraw()

    def _push(self) -> None:
        """Write what the pipe has room for; stop for good if the other end is closed."""
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
        """Record the output that is in the pipes, without waiting; of an endless flood only the beginning."""
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
        if self._death is not None:
            os.close(self._death)
            self._death = None
        self._stdout = self._stderr = None
        self.child_fd = -1  # what fdspawn.close would have closed
        self.closed = True


def _pidfd(pid: int) -> int | None:
    """A descriptor that becomes readable when `pid` ends; None where the system has none."""
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return None
