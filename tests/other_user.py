"""Another user of this machine, without rights: what he tries, and where."""

from __future__ import annotations

import codecs
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

NOBODY = 65534

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")


@contextmanager
def open_folder() -> Iterator[Path]:
    """A folder that every user can enter, unlike the folders of pytest, with the mask of most systems."""
    before = os.umask(0o022)
    folder = Path(tempfile.mkdtemp(prefix="conform-other-user-"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        os.umask(before)
        shutil.rmtree(folder)


def as_nobody(attempts: dict[str, Callable[[], object]]) -> list[str]:
    """The names of the attempts that succeed for a user without rights, in a process forked from this one."""
    codecs.lookup("idna")  # loaded now: the other user may not read the folder of Python
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:  # pragma: no cover
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
        worked = []
        for name, attempt in attempts.items():
            try:
                attempt()
                worked.append(name)
            except OSError:
                pass
            except BaseException as error:  # never back into pytest
                worked.append(f"{name}: {error!r}")
        os.write(writer, json.dumps(worked).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        found: list[str] = json.loads(file.read())
    os.waitpid(child, 0)
    return found
