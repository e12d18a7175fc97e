"""Helpers: the engine as a process."""

from __future__ import annotations

import os
import subprocess
import sys

ENGINE = [sys.executable, "-m", "refbot.cli", "gtp"]
LIMIT = 60  # seconds before a test gives up; nothing is judged by it


def environment() -> dict[str, str]:
    """Without anything that could hide a missing flush."""
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
    """stdout, stderr and exit code of an engine that is sent `text` and then the end of input."""
    process = start(*options)
    out, err = process.communicate(text, timeout=LIMIT)
    return out, err, process.returncode


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
