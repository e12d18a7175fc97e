"""A watcher for each engine that outlives the harness: nothing is left running even after a `kill -9`.

It is a shell that reads from a pipe of which only this process holds the other end. However this process
ends, the pipe closes, the shell wakes, gives the engine a moment to end by itself (its input has ended too),
and kills it with all that carries its mark.
"""

from __future__ import annotations

import math
import os
import subprocess

from harness.gtp.launch import Mark

# $1 process group, $2 seconds of grace, $3 the mark as it stands in an environment. Where there is no /proc,
# descendants that have left the group are not found.
_SCRIPT = """
read -r _
sleep "$2"
kill -s TERM -- "-$1"
sleep "$2"
kill -s KILL -- "-$1"
for file in $(grep -alsxz -- "$3" /proc/[0-9]*/environ); do
    pid=${file#/proc/}
    kill -s KILL "${pid%/environ}"
done
"""


class Guard:
    """Watches over the process group `pid` until it is dismissed or this process ends."""

    def __init__(self, pid: int, mark: Mark, grace: float) -> None:
        seconds = max(1, math.ceil(grace))  # whole ones: POSIX knows no others for sleep
        self._shell = subprocess.Popen(
            ["/bin/sh", "-c", _SCRIPT, "conform-guard", str(pid), str(seconds), "=".join(mark)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={"PATH": os.environ.get("PATH", os.defpath)},
            start_new_session=True,  # Ctrl-C is for the harness
        )

    def dismiss(self) -> None:
        """The engine is dead and buried. May be called again."""
        self._shell.kill()
        self._shell.wait()
        assert self._shell.stdin
        self._shell.stdin.close()
