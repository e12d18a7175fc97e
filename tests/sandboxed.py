"""An attack from inside the sandbox: a piece of Python that raises OSError where it is refused.

Each attack runs as the user of the tests. Where this is root, it also runs as an ordinary user: the kernel
lets root write many of its files without any capability, and holds an ordinary user to more limits.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from harness.gtp import sandbox_init
from harness.gtp.sandbox import sandbox_command, sandbox_problem
from harness.gtp.sandbox_init import HIDDEN
from tests.other_user import NOBODY

needs_sandbox = pytest.mark.skipif(sandbox_problem() is not None, reason=str(sandbox_problem()))
SYSTEM_PYTHON = Path("/usr/bin/python3")  # an ordinary user may have no access to the Python of the tests
USERS = ("root", "ordinary") if os.geteuid() == 0 else ("ordinary",)
every_user = pytest.mark.parametrize("user", USERS)

PRELUDE = """
import ctypes, fcntl, json, mmap, os, resource, signal, socket, struct, sys, time
libc = ctypes.CDLL(None, use_errno=True)
target = json.loads(sys.argv[1])

def call(numbers, *arguments):
    # numbers: of the call on x86-64 and on ARM64, or one for both
    if not isinstance(numbers, int):
        numbers = numbers[os.uname().machine == "aarch64"]
    longs = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    done = libc.syscall(ctypes.c_long(numbers), *longs)
    if done < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return done

def write(path, text="escaped", flags=os.O_WRONLY):
    number = os.open(path, flags)
    os.write(number, text.encode())
    os.close(number)

attacks = {}
"""
CONCLUSION = """
for name, attack in attacks.items():
    child = os.fork()
    if child == 0:
        try:
            attack()
        except (OSError, ValueError, MemoryError) as error:
            print(name, error, file=sys.stderr)
            os._exit(1)
        except BaseException as error:
            print(name, repr(error), file=sys.stderr)
            os._exit(2)
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code not in (0, 1):
        sys.exit(f"{name}: exit code {code}")
    if code == 0:
        print(name)
"""


@dataclass(frozen=True)
class Bot:
    """How a program in the sandbox is started, and what it finds as `target`.

    folder      the folder in which it may write
    hidden      the folders that it may not see
    words       further arguments
    """

    target: object = None
    user: str = "ordinary"
    sandbox: bool = True
    folder: Path | None = None
    hidden: Sequence[Path] = ()
    words: Sequence[str] = ()

    def start(self, code: str) -> subprocess.Popen[str]:
        """Start Python with `code`."""
        ordinary = os.geteuid() == 0 and self.user == "ordinary"
        if ordinary and not (SYSTEM_PYTHON.exists() and _is_open_to_all(Path(sandbox_init.__file__))):
            pytest.skip(f"another user has no access to this checkout, or there is no {SYSTEM_PYTHON}")
        python = str(SYSTEM_PYTHON) if ordinary else sys.executable
        command = [python, "-I", "-S", "-c", PRELUDE + code, json.dumps(self.target), *self.words]
        if self.sandbox:
            folder = str(self.folder) if self.folder else None
            command, _ = sandbox_command(command, python, folder, hidden=self.hidden)
            command[0] = python
        return subprocess.Popen(
            command,
            cwd=self.folder or "/",
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            user=NOBODY if ordinary else None,
            group=NOBODY if ordinary else None,
            extra_groups=[] if ordinary else None,
        )


def successes(attacks: Mapping[str, str], target: object = None, **how: Any) -> set[str]:
    """Run attacks by their names, each in a process of one bot. Return the names of those not refused.

    attacks     lines of Python
    how         the fields of `Bot`
    """
    code = ""
    for number, (name, lines) in enumerate(attacks.items()):
        body = "".join(f"    {line}\n" for line in lines.strip().splitlines())
        code += f"def attack_{number}():\n{body}attacks[{name!r}] = attack_{number}\n"
    with Bot(target, **how).start(code + CONCLUSION) as process:
        text, errors = process.communicate()
    assert process.returncode == 0, errors
    return set(text.splitlines())


def succeeds(attack: str, target: object = None, **how: Any) -> bool:
    """Run one attack as `successes` does. Return whether it was not refused."""
    return bool(successes({"attack": attack}, target, **how))


@contextmanager
def running(attack: str, target: object = None, **how: Any) -> Iterator[None]:
    """Run one attack, and keep its process until the end of the block."""
    with Bot(target, **how).start(attack + "print('done', flush=True)\ntime.sleep(600)") as process:
        try:
            assert process.stdout
            assert process.stdout.readline() == "done\n"
            yield
        finally:
            process.kill()


@contextmanager
def shown_folder() -> Iterator[Path]:
    """A folder that a sandbox shows, and where every user may write; pytest's folders are often in /tmp."""
    build = Path(__file__).parents[1] / "build"
    with suppress(OSError):
        build.mkdir(exist_ok=True)
    for place in (build, Path.home(), Path("/var/lib"), Path("/opt")):
        hidden = any(place.is_relative_to(path) for path in HIDDEN)
        if not hidden and os.access(place, os.W_OK) and _is_open_to_all(place):
            break
    else:
        pytest.skip("there is no folder that the sandbox shows and where tests may write")
    with tempfile.TemporaryDirectory(prefix="conform-attack-", dir=place) as name:
        Path(name).chmod(0o777)
        yield Path(name)


def _is_open_to_all(place: Path) -> bool:
    """Every user reaches the place, and may read it if it is a file."""
    if place.is_file() and not place.stat().st_mode & 0o004:
        return False
    place = place if place.is_dir() else place.parent
    return os.geteuid() != 0 or all(path.stat().st_mode & 0o001 for path in (place, *place.parents))
