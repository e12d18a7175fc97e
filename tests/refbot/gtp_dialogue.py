"""Helpers: a whole dialogue with the server, in this process."""

from __future__ import annotations

import io
import os
import re
import signal
from unittest.mock import patch

from refbot.deviations.faults import FAULTS, checked
from refbot.deviations.habits import checked_habits
from refbot.gtp import Server, Session, Settings, loop
from refbot.gtp.loop import serve
from refbot.gtp.syntax import DeliberateCrashError

CRASH = b"<crash>"
HANG = b"<hang>"
ANSWER = re.compile(rb"[=?]([0-9]*) ?((?:[^\n]+\n)*?)\n", re.ASCII)


class Hung(Exception):  # noqa: N818 - a stand-in for waiting for ever
    """Raised where the engine would wait for a signal that never comes."""


class Given(loop.WholeLines):
    """An input with the lines of a text; its `ahead` is always empty."""

    def __init__(self, text: bytes) -> None:
        super().__init__(descriptor=-1)
        self._text = io.BytesIO(text)

    def readline(self) -> bytes:
        return self._text.readline()

    def has_input(self) -> bool:
        return True


class Collected(loop.PromptOutput):
    """An output that keeps the answers."""

    def __init__(self) -> None:
        super().__init__(descriptor=-1)
        self.answers = self._answers

    def close(self) -> None:
        pass


def new_server(*names: str, size: int = 9, playouts: int = 10, seed: int | None = 1) -> Server:
    """A server with these faults and habits."""
    faults, habits = checked(FAULTS.keys() & names), checked_habits(set(names) - FAULTS.keys())
    settings = Settings(size=size, playouts=playouts, seed=seed, faults=faults, habits=habits)
    return Server(Session(settings))


def _hang() -> None:
    raise Hung


def talk(text: bytes | str, *faults: str, **settings: int) -> bytes:
    """The complete output of a new engine for the input `text`."""
    data = text.encode() if isinstance(text, str) else text
    output = Collected()
    try:
        with patch.object(signal, "pause", _hang):
            serve(new_server(*faults, **settings), Given(data), output)
    except DeliberateCrashError:
        output.answers.append(CRASH)
    except Hung:
        output.answers.append(HANG)
    return b"".join(output.answers)


def answers(text: bytes | str, *faults: str, **settings: int) -> list[str]:
    """The answers of a new engine, each without its two line feeds."""
    written = talk(text, *faults, **settings).decode("ascii")
    assert written.endswith("\n\n") or not written
    return written.split("\n\n")[:-1]


def through_pipes(data: bytes, *names: str) -> list[bytes]:
    """The writes of a new engine that reads `data` from a pipe and answers into another one."""
    source, feed = os.pipe()
    target, drain = os.pipe()
    os.write(feed, data)
    os.close(feed)
    writes: list[bytes] = []
    write = os.write

    def noted(descriptor: int, answer: bytes) -> int:
        writes.append(bytes(answer))
        return write(descriptor, answer)

    with patch.object(os, "write", noted):
        loop.run(new_server(*names), source, drain)
    for descriptor in (source, target, drain):
        os.close(descriptor)
    return writes
