"""Does another process of an engine's program run? Some programs cannot run twice at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import psutil

from harness.arena.game.program import INTERPRETER, program_files
from harness.arena.records import OPPONENT_RUNS, OTHER_RUNS
from harness.gtp import EngineStartError, Launch
from harness.gtp.launch import resolve


class _Instance(NamedTuple):
    """A program and its arguments: the file that is the engine, and the arguments of that file."""

    file: Path
    arguments: tuple[str, ...]


def instances_in_words(launch: Launch, pid: int, opponent: int | None) -> str:
    """`OPPONENT_RUNS`, `OTHER_RUNS` or nothing: what runs beside the engine with process id `pid`.

    A process with the same arguments is more likely in the way than one with others.
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
    """Yield the leader of its session and the program of each process that this user may inspect.

    An engine of a match leads a session of its own.
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
    place = next((n for n, word in enumerate(words[1:], 1) if folder / word == file), 0)
    return _Instance(file.resolve(), tuple(words[place + 1 :]))
