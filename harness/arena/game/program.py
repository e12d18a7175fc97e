"""Identifies the program of an engine: by a hash of its files, and among the running processes.

The hash shows that a program has changed during a run. Other processes matter because some programs cannot
run twice at a time.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Iterator, Sequence
from hashlib import blake2b, file_digest
from pathlib import Path
from typing import NamedTuple

import psutil

from harness.arena.records import OPPONENT_RUNS, OTHER_RUNS
from harness.gtp import EngineStartError, Launch
from harness.gtp.launch import open_program, resolve

INTERPRETER = re.compile(
    r"(python|pypy|java|node|deno|bun|ruby|perl|lua|luajit|php|sh|bash|dash|zsh|env|nice|taskset|stdbuf|timeout"
    r"|mono|dotnet|wine|julia|guile|tclsh)[\d.]*"
)
"""Names of programs that run another file, which is the engine."""
DIGEST_BYTES = 16


def program_of(launch: Launch) -> str | None:
    """A hash of the program file and, behind an interpreter, of the first argument that is a file.

    None where the files cannot be read. Libraries and modules that the program loads are not seen.
    """
    try:
        words, program, _ = resolve(launch)
        digest = blake2b(digest_size=DIGEST_BYTES)
        for file in program_files(words, program, launch.cwd or Path.cwd()):
            state = file.stat()
            digest.update(_hash(file, state.st_mtime_ns, state.st_size, state.st_ino))
        return digest.hexdigest()
    except (EngineStartError, OSError, ValueError):
        return None


def program_files(words: Sequence[str], program: str, folder: Path) -> list[Path]:
    """The program file of a command line and, behind an interpreter, its first argument that is a file."""
    files = [Path(program)]
    if INTERPRETER.fullmatch(files[0].name) or INTERPRETER.fullmatch(Path(words[0]).name):
        files += [folder / word for word in words[1:] if _is_file(folder / word)][:1]
    return files


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a word that no path can be: `python -c` has whole programs
        return False


@functools.lru_cache(maxsize=256)
def _hash(path: Path, *_state: int) -> bytes:
    """The hash of a file's content. It is read again when its time, size or inode (`_state`) changes."""
    with open_program(path) as file:
        return file_digest(file, "sha256").digest()


class _Instance(NamedTuple):
    """A running program: the file that is the engine, and its arguments (without those of an interpreter)."""

    file: Path
    arguments: tuple[str, ...]


def instances_in_words(launch: Launch, pid: int, opponent: int | None) -> str:
    """`OPPONENT_RUNS`, `OTHER_RUNS` or an empty text: what else runs while the engine `pid` runs.

    If a process with the same arguments runs, other processes of the program are ignored.
    """
    try:
        words, program, _ = resolve(launch)
    except EngineStartError:
        return ""
    wanted = _instance(words, program, launch.cwd or Path.cwd())
    if wanted is None:
        return ""
    beside = [(leader, found) for leader, found in _running() if found.file == wanted.file and leader != pid]
    leaders = {leader for leader, found in beside if found == wanted} or {leader for leader, _ in beside}
    if not leaders:
        return ""
    return OPPONENT_RUNS if opponent in leaders else OTHER_RUNS


def _running() -> Iterator[tuple[int, _Instance]]:
    """Yield (session leader, program) of each process that this user may inspect.

    Each engine of a match leads its own session, so the leader is the process id of the engine.
    """
    for process in psutil.process_iter():
        try:
            words, program, folder = process.cmdline(), process.exe(), Path(process.cwd())
            leader = os.getsid(process.pid)
        except (psutil.Error, OSError):
            continue  # it has ended, or belongs to somebody else
        found = _instance(words, program, folder) if words else None
        if found is not None:
            yield leader, found


def _instance(words: Sequence[str], program: str, folder: Path) -> _Instance | None:
    """Return the program of a command line; None for an interpreter that is given no file."""
    file = program_files(words, program, folder)[-1]
    if INTERPRETER.fullmatch(file.name):
        return None
    index = next((n for n, word in enumerate(words[1:], 1) if folder / word == file), 0)
    return _Instance(file.resolve(), tuple(words[index + 1 :]))
