"""`Launch`: the command of an engine. `start_process` starts it, or raises an error with a hint."""

from __future__ import annotations

import errno
import os
import secrets
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from harness.gtp.command_hints import (
    how_to_run,
    missing_program_reason,
    refused_program_reason,
    torn_path_hint,
)
from harness.gtp.errors import EngineStartError, ShortageError
from harness.gtp.sandbox import sandbox_command, sandbox_means, sandbox_problem

try:
    import resource
except ImportError:  # pragma: no cover  # no rlimits on this system
    resource = None  # type: ignore[assignment]

Mark = tuple[str, str]  # (name, value) of an environment variable that only one engine's processes have

GAMES = ("/usr/games", "/usr/local/games")
"""Folders in which Debian installs Go engines."""

_FEWER = "raise its limit with ulimit, or use fewer processes: --jobs, --workers"
SHORTAGES: Mapping[int | None, tuple[str, str]] = {
    errno.EMFILE: ("file descriptors", _FEWER),
    errno.ENFILE: ("file descriptors", "close other programs"),
    errno.EAGAIN: ("processes", _FEWER),
    errno.ENOMEM: ("memory", "close other programs, or use fewer processes: --jobs, --workers"),
    errno.ENOSPC: ("space on the disk", "remove files"),
}
"""Shortages of this machine, and hints, by the errno of a start that fails through no fault of the engine."""

MAX_LIMIT = 1 << 40
"""The largest limit of memory in MiB, and of processor time in seconds: the kernel counts in 63 bits."""

# How `protection` says that stray processes are found.
BY_NAMESPACE = "in a namespace of the kernel (--sandbox)"
BY_PARENTS = "by process group, session, environment and parents"
BY_MARK = "by process group, session and environment"

OWN_FILES = (Path(sys.prefix), Path(__file__).parents[2])
"""The folders of Python with its libraries and of `conform`. A bot in a sandbox must not change them."""


@dataclass(frozen=True)
class Launch:
    """The command of an engine, and how to start it. No shell is used. The hash leaves `env` out.

    command      split as a shell would split it; `~/` is expanded, variables and wildcards are not
    cwd          the working directory; a relative program (`./mybot`) is looked up there, as after a `cd`
    env          added to the environment that the harness builds (see `environment`)
    inherit_env  variables of this process that are added too: names, or True for all
    memory_mb    limit on data memory of each process of the engine, in MiB
    cpu_seconds  limit on processor time of each process of the engine
    sandbox      run it without network, with read-only files except in `cwd`, and with limits (see `sandbox`)
    hidden       folders that are empty for it in the sandbox

    Raises ValueError for a limit outside 1 to MAX_LIMIT.
    """

    command: str
    cwd: Path | None = None
    env: Mapping[str, str] = field(default_factory=dict, hash=False)
    inherit_env: bool | tuple[str, ...] = field(default=False, kw_only=True)
    memory_mb: int | None = None
    cpu_seconds: int | None = None
    sandbox: bool = False
    hidden: tuple[Path, ...] = field(default=(), kw_only=True)

    def __post_init__(self) -> None:
        for name, limit in (("memory_mb", self.memory_mb), ("cpu_seconds", self.cpu_seconds)):
            if limit is not None and not 1 <= limit <= MAX_LIMIT:
                raise ValueError(f"{name} is {limit}: expected 1 to {MAX_LIMIT}")

    @property
    def shell_line(self) -> str:
        """The command with its variables, as a shell runs it."""
        return "".join(f"{name}={shlex.quote(value)} " for name, value in self.env.items()) + self.command


def marked(launch: Launch) -> tuple[Launch, Mark]:
    """Add a unique environment variable, the mark, by which stray descendants are recognised.

    Return (launch with it, mark).
    """
    mark = ("CONFORM_ENGINE", secrets.token_hex(8))
    return replace(launch, env={**launch.env, mark[0]: mark[1]}), mark


def split_command(command: str) -> list[str]:
    """The words of a command line, `~` expanded.

    Raises EngineStartError if the quoting is bad, the program is missing, or a word contains a NUL.
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        reason = str(error)[0].lower() + str(error)[1:]
        raise EngineStartError(command, f"bad quoting: {reason}", "close every quote") from None
    if not words or not words[0]:
        raise EngineStartError(command, "the command is empty", "give a program, such as ./mybot")
    if any("\0" in word for word in words):
        raise EngineStartError(command, "the command contains a NUL character")
    return [os.path.expanduser(word) if word.startswith("~") else word for word in words]


def environment(launch: Launch) -> dict[str, str]:
    """The whole environment of an engine: PATH, HOME, LANG, and the variables of the launch with its mark.

    Unless the launch says otherwise, the environment is built, not inherited, so that a setting of this
    machine, such as PYTHONUNBUFFERED, cannot hide or cause a fault. The PATH ends with the folder of the
    running interpreter, so that `refbot` is found without activating its virtual environment, and with the
    folders for games, which the PATH of root leaves out.
    """
    path = (os.environ.get("PATH") or os.defpath).split(os.pathsep)
    path += [folder for folder in (str(Path(sys.executable).parent), *GAMES) if folder not in path]
    names = list(os.environ) if launch.inherit_env is True else launch.inherit_env or ()
    return {
        **{name: os.environ[name] for name in names if name in os.environ},
        "PATH": os.pathsep.join(path),
        "HOME": os.environ.get("HOME") or os.path.expanduser("~"),
        "LANG": os.environ.get("LANG", "C.UTF-8"),
        **launch.env,
    }


def resolve(launch: Launch) -> tuple[list[str], str, dict[str, str]]:
    """Return (words, absolute path of the program, environment). Raises EngineStartError with a hint."""
    words, env, cwd = split_command(launch.command), environment(launch), launch.cwd
    if cwd is not None and not cwd.is_dir():
        what = "is not a directory" if os.path.lexists(cwd) else "does not exist"
        raise EngineStartError(launch.command, f"its working directory {str(cwd)!r} {what}")
    here = cwd or _current_folder(launch)
    if "/" in words[0]:
        program = os.path.abspath(here / words[0])
        _check_program(launch.command, words, here, env["PATH"])
    else:
        found = shutil.which(words[0], path=env["PATH"])
        if found is None:
            raise EngineStartError(
                launch.command, *missing_program_reason(launch.command, words, here, env["PATH"])
            )
        program = os.path.abspath(found)
    if launch.sandbox:
        _check_sandbox(launch, Path(program))
    return words, program, env


def protection(launches: Sequence[Launch]) -> str:
    """Return a sentence for the user: how the programs that the engines start are found and ended."""
    outside = BY_PARENTS if sys.platform == "linux" else BY_MARK
    boxed = sum(launch.sandbox for launch in launches)
    if not boxed:
        how = outside
    elif boxed == len(launches):
        how = BY_NAMESPACE
    else:
        how = f"{BY_NAMESPACE} for {boxed} of {len(launches)} engines, those of the others {outside}"
    means = f"; {sandbox_means()}" if boxed else ""
    found = f"programs that an engine starts end with it: conform finds them {how}{means}"
    return f"{found} (see conform docs security)"


def start_process(launch: Launch) -> subprocess.Popen[bytes]:
    """Start the engine with three pipes, in its own session. Raises EngineStartError and ShortageError."""
    program = ""
    try:
        words, program, env = resolve(launch)
        if launch.sandbox:
            folder = str(launch.cwd.absolute()) if launch.cwd is not None else None
            words, program = sandbox_command(
                words,
                program,
                folder,
                memory_mib=launch.memory_mb,
                cpu_seconds=launch.cpu_seconds,
                hidden=launch.hidden,
            )
        process = subprocess.Popen(
            words,
            executable=program,
            cwd=launch.cwd,
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
    except OSError as error:
        raise_shortage(launch.command, error)
        raise EngineStartError(launch.command, *refused_program_reason(error, Path(program))) from None
    except ValueError as error:  # a NUL, or a variable with = in its name
        raise EngineStartError(launch.command, str(error)) from None
    if not launch.sandbox:  # a sandbox sets the limits itself
        _set_limits(process.pid, launch)
    return process


def raise_shortage(command: str, error: OSError) -> None:
    """Raise ShortageError if the error says that this machine lacks something (see SHORTAGES)."""
    if error.errno in SHORTAGES:
        raise ShortageError(command, *SHORTAGES[error.errno]) from None


def _set_limits(pid: int, launch: Launch) -> None:
    """Set the resource limits from outside: a hook between fork and exec is unsafe in a threaded program."""
    if resource is None or not hasattr(resource, "prlimit"):  # pragma: no cover  # Linux only
        return
    wanted: list[tuple[int, tuple[int, int]]] = []
    if launch.memory_mb is not None:
        # RLIMIT_DATA counts private writable memory. RLIMIT_AS would also count the gigabytes of address
        # space that Java, Go and CUDA reserve and do not use.
        wanted.append((resource.RLIMIT_DATA, (launch.memory_mb << 20,) * 2))
    if launch.cpu_seconds is not None:
        wanted.append((resource.RLIMIT_CPU, (launch.cpu_seconds, launch.cpu_seconds + 1)))
    try:
        for what, limit in wanted:
            resource.prlimit(pid, what, limit)
    except ProcessLookupError:
        pass  # the engine ended at once; the end of its output will show that


def _current_folder(launch: Launch) -> Path:
    """The folder of this process. Raises EngineStartError if it was removed."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        reason = "the current folder was removed"
        raise EngineStartError(launch.command, reason, "cd to another one") from None


def _check_sandbox(launch: Launch, program: Path) -> None:
    """Raise EngineStartError if no sandbox works here, or if it could not keep the bot and our files apart.

    The bot may write in `cwd`, so no folder of ours may lie there. And it cannot run in a hidden folder.
    """
    if problem := sandbox_problem():
        hint = "run it without the sandbox, or where user namespaces are allowed: conform docs security"
        raise EngineStartError(launch.command, f"there is no sandbox here: {problem}", hint)
    folder = launch.cwd.resolve() if launch.cwd is not None else None
    hidden = [path.resolve() for path in launch.hidden]
    own = [*hidden, *(path.resolve() for path in OWN_FILES)]
    if found := next((path for path in own if folder is not None and path.is_relative_to(folder)), None):
        reason = f"in its working directory, it could change {found}, which belongs to conform"
        raise EngineStartError(launch.command, reason, "give it a folder of its own: cwd")
    for run in hidden:
        if program.is_relative_to(run) or (folder is not None and folder.is_relative_to(run)):
            reason = f"it is in the folder of the run, {run}, which a sandbox hides"
            raise EngineStartError(launch.command, reason, "move the bot, or choose another folder: --out")


def _check_program(command: str, words: list[str], cwd: Path, path: str) -> None:
    """Raise EngineStartError if the program that words[0] names, from `cwd`, cannot be run.

    `path` is the PATH of the engine.
    """
    program = Path(os.path.abspath(cwd / words[0]))
    if program.is_dir():
        raise EngineStartError(command, f"{words[0]!r} is a directory", "name the program in it")
    if not program.exists():
        raise EngineStartError(command, *missing_program_reason(command, words, cwd, path))
    if not program.is_file():
        raise EngineStartError(command, f"{words[0]!r} is a pipe, a socket or a device", "name a program")
    if not os.access(program, os.X_OK):
        hint = how_to_run(program, words[0]) or f"chmod +x {words[0]}"
        raise EngineStartError(command, f"no permission to run {words[0]!r}", hint)


def torn_path(launch: Launch) -> str:
    """A hint to quote a path whose blanks split it into several words of the command; empty if none does.

    Raises EngineStartError if the command cannot be split, or the current folder was removed.
    """
    return torn_path_hint(split_command(launch.command), launch.cwd or _current_folder(launch))
