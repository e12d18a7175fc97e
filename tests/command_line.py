"""`conform` as its users type it: in this process, which takes milliseconds, or as a program."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import (
    AbstractContextManager,
    chdir,
    contextmanager,
    nullcontext,
    redirect_stderr,
    redirect_stdout,
)
from io import StringIO
from pathlib import Path
from tempfile import TemporaryFile
from unittest.mock import patch

from harness.cli import main
from harness.cli.app import run

BIN = Path(sys.executable).parent
CONFORM = str(BIN / "conform")
ENGINES = Path(__file__).parent / "engines"
Done = subprocess.CompletedProcess[str]


def bot(name: str, *words: object) -> str:
    """The command line of an engine of tests/engines."""
    return shlex.join([sys.executable, str(ENGINES / name), *map(str, words)])


def write_script(path: Path, text: str) -> Path:
    """Write a program: a shell script with these lines."""
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def environment(env: Mapping[str, str] | None = None) -> dict[str, str]:
    """Variables of a wide terminal without wishes for colours, with `conform` and `refbot` on the PATH."""
    plain = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    return plain | {"COLUMNS": "200", "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"} | dict(env or {})


def conform(
    *words: object, env: Mapping[str, str] | None = None, cwd: Path | None = None, workers: bool = False
) -> Done:
    """Run a command in this process: what it prints, and its exit code. Bots are processes as always.

    `workers`: the games of a match are played by worker processes, as the program does it.
    """
    arguments = [str(word) for word in words]
    out, err = StringIO(), StringIO()
    with (
        chdir(cwd or os.curdir),
        patch.dict(os.environ, environment(env), clear=True),
        redirect_stdout(out),
        redirect_stderr(err),
        TemporaryFile() as log,
        _descriptor(2, log.fileno()),
        nullcontext() if workers else _games_played_here(arguments),
    ):
        code = run(arguments)
        log.seek(0)
        logged = log.read().decode("utf-8")
    return Done(arguments, int(code), out.getvalue(), err.getvalue() + logged)


def run_line(line: str, *, cwd: Path, env: Mapping[str, str] | None = None) -> Done:
    """Run a line of a page: `conform` in this process, anything else by a shell."""
    words = shlex.split(line.removeprefix(".venv/bin/"))
    if words[0] == "conform" and not {"|", ">"} & {*words}:
        return conform(*words[1:], env=env, cwd=cwd)
    return subprocess.run(
        line,
        shell=True,
        cwd=cwd,
        env=environment(env),
        capture_output=True,
        text=True,
        check=False,
    )


def _games_played_here(arguments: Sequence[str]) -> AbstractContextManager[None]:
    if arguments[:1] not in (["match"], ["schedule"]):
        return nullcontext()
    from tests.harness.arena.match_helpers import without_workers

    return without_workers()


@contextmanager
def _descriptor(number: int, instead: int) -> Iterator[None]:
    """Let a descriptor lead elsewhere: the log of a schedule is written past sys.stderr."""
    before = os.dup(number)
    os.dup2(instead, number)
    try:
        yield
    finally:
        os.dup2(before, number)
        os.close(before)


def conform_program(*words: object, env: Mapping[str, str] | None = None, cwd: Path | None = None) -> Done:
    """Run the program: where signals, descriptors, imports or the way it starts are the subject."""
    return subprocess.run(
        [CONFORM, *map(str, words)],
        capture_output=True,
        text=True,
        env=environment(env),
        cwd=cwd,
        check=False,
    )


def conform_forked(*words: object) -> tuple[int, str]:
    """Run a command in a fork of this process, which a limit or a signal may end: exit code and output."""
    arguments = [str(word) for word in words]
    games_played_here = _games_played_here(arguments)  # what this imports, no fork need import
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:  # pragma: no cover
        code = 99
        try:
            os.close(reader)
            out = StringIO()
            os.dup2(writer, 1)
            os.dup2(writer, 2)
            with (
                redirect_stdout(out),
                redirect_stderr(out),
                patch("sys.argv", ["conform", *arguments]),
                games_played_here,
            ):
                try:
                    main()
                except SystemExit as end:
                    code = int(end.code or 0)
                except BaseException:
                    traceback.print_exc()
            os.write(writer, out.getvalue().encode("utf-8", "replace")[:60_000])
        finally:
            os._exit(code)
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        text = file.read().decode("utf-8", "replace")
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), text
