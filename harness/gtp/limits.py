"""How long an engine may take and how much it may say: every number of the wire in one place."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Time limits in seconds of wall clock, sizes in bytes. Every wait of the driver ends by one of these."""

    startup: float = 30.0  # until the first answer: engines load networks, virtual machines warm up
    answer: float = 10.0  # for every later answer, and for taking a command off the pipe
    quit: float = 2.0  # between `quit` and the end of the process
    terminate: float = 1.0  # after each firmer request to end: end of input, then SIGTERM
    reap: float = 1.0  # between the end of its output, or SIGKILL, and an exit status
    straggle: float = 1.0  # the value to give `ask(patience=…)` when a single line feed is suspected
    max_answer: int = 1 << 20  # one answer, with the noise before it
    stderr_kept: int = 64 << 10  # the last of what the engine wrote on stderr
    transcript_kept: int = 4 << 20  # the last of the conversation, bookkeeping included
