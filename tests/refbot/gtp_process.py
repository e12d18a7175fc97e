"""Helpers: the engine as a process."""

from __future__ import annotations

import os
import subprocess
import sys

from refbot.measure.warm import NOTICE

ENGINE = [sys.executable, "-m", "refbot.cli", "gtp"]
LIMIT = 250  # seconds before a test gives up; nothing is judged by it


def environment() -> dict[str, str]:
    """The environment of an engine, without variables that could hide a missing flush."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


def start(*options: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*ENGINE, *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )


def exchanged(text: bytes, *options: str) -> tuple[bytes, bytes, int]:
    """(Stdout, stderr without notices, exit code) of an engine with the input `text`."""
    process = start(*options)
    out, err = process.communicate(text, timeout=LIMIT)
    return out, without_notices(err), process.returncode


def without_notices(err: bytes) -> bytes:
    """The lines on stderr, without the notices that kernels are compiled."""
    lines = err.splitlines(keepends=True)
    return b"".join(line for line in lines if not line.startswith(NOTICE.encode()))


def ask(process: subprocess.Popen[bytes], line: bytes) -> bytes:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(line + b"\n")
    process.stdin.flush()
    answer = b""
    while not answer.endswith(b"\n\n"):
        part = process.stdout.readline()
        assert part, answer
        answer += part
    return answer
