"""The files of an engine's program, and their hash, which shows that the program changed during a run."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from hashlib import blake2b, file_digest
from pathlib import Path

from harness.gtp import EngineStartError, Launch
from harness.gtp.command_hints import open_program
from harness.gtp.launch import resolve

INTERPRETER = re.compile(
    r"(python|pypy|java|node|deno|bun|ruby|perl|lua|luajit|php|sh|bash|dash|zsh|env|nice|taskset|stdbuf|timeout"
    r"|mono|dotnet|wine|julia|guile|tclsh)[\d.]*"
)
"""Names of programs that run another file, which is the engine."""
DIGEST_BYTES = 16


def program_of(launch: Launch) -> str | None:
    """Return a hash of the program file and, behind an interpreter, of the first argument that is a file.

    None where the program is not found or a file cannot be read. Libraries and modules that the program
    loads are not seen.
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
    """Return the program of a command line and, behind an interpreter, its first argument that is a file.

    "python3 bot.py --fast" gives the files of python3 and of bot.py. The name in the command line and the
    file may differ: one of them may be a link, and only the other the name of an interpreter.
    """
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
    """Return the hash of a file's content.

    `_state` is its time, size and inode: after a change, the file is read again.
    """
    with open_program(path) as file:
        return file_digest(file, "sha256").digest()
