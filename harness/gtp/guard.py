"""`Guard`: a watcher process for one engine. It ends the engine if the harness dies, even by `kill -9`.

The watcher is a shell that reads from a pipe. Only this process holds the other end. The watcher starts
before the engine, so that no engine is ever without one; it gets the id of the engine's process group later.
When this process ends, the pipe closes and the shell wakes up. It gives the engine time to end by itself (its
input has ended too). Then it kills the group and each process with the engine's mark (see `launch.marked`).
"""

from __future__ import annotations

import math
import os
import subprocess
from contextlib import suppress

from harness.gtp.launch import Mark
from harness.gtp.orphans import child_starting, forget, register

# $1: seconds to wait; $2: the mark as NAME=VALUE; first line of the input: the id of the process group.
# Without /proc, the script does not find descendants that have left the group.
_SCRIPT = """
read -r group
read -r _
sleep "$1"
test -z "$group" || kill -s TERM -- "-$group"
sleep "$1"
test -z "$group" || kill -s KILL -- "-$group"
for file in $(grep -alsxz -- "$2" /proc/[0-9]*/environ); do
    pid=${file#/proc/}
    kill -s KILL "${pid%/environ}"
done
"""


class Guard:
    """The watcher of one engine's processes, until it is dismissed or this process ends."""

    def __init__(self, mark: Mark, grace: float) -> None:
        """Start the watcher. Raises OSError.

        grace   seconds before SIGTERM, and again before SIGKILL; rounded up to whole seconds, at least 1
        """
        seconds = max(1, math.ceil(grace))  # POSIX sleep takes no fractions
        with child_starting():
            self._shell = subprocess.Popen(
                ["/bin/sh", "-c", _SCRIPT, "conform-guard", str(seconds), "=".join(mark)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={"PATH": os.environ.get("PATH", os.defpath)},
                start_new_session=True,  # Ctrl-C must reach the harness only
            )
            register(self._shell.pid, engine=False)

    def watch(self, group: int) -> None:
        """Give the watcher the id of the engine's process group."""
        assert self._shell.stdin
        with suppress(BrokenPipeError):  # something killed the watcher; the engine runs without it
            self._shell.stdin.write(b"%d\n" % group)
            self._shell.stdin.flush()

    def dismiss(self) -> None:
        """Stop watching: the engine has ended. May be called again."""
        self._shell.kill()
        self._shell.wait()
        forget(self._shell.pid)
        assert self._shell.stdin
        with suppress(BrokenPipeError):
            self._shell.stdin.close()
