"""Other running processes of an engine's program: some programs cannot run twice at a time."""

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
    """A running program: the file that is the engine, and its arguments (without those of an interpreter)."""

    file: Path
    arguments: tuple[str, ...]


def describe_other_instance(launch: Launch, pid: int, opponent: int | None) -> str:
    """Return `OPPONENT_RUNS` or `OTHER_RUNS` if another process of the program of engine `pid` runs.

    Empty if there is none, or the program is not known. `opponent`: process id of the other engine of the
    game; None if it does not run.
    """
    try:
        words, program, _ = resolve(launch)
    except EngineStartError:
        return ""
    wanted = _instance(words, program, launch.cwd or Path.cwd())
    if wanted is None:
        return ""
    running = [(leader, found) for leader, found in _running() if leader != pid]
    of_program = {leader for leader, found in running if found.file == wanted.file}
    with_same_arguments = {leader for leader, found in running if found == wanted}
    # With the same arguments, a process most likely wants the same port, file or device.
    leaders = with_same_arguments or of_program
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
