"""A watcher process for each engine: it ends the engine if the harness dies, even by `kill -9`.

The watcher is a shell that reads from a pipe whose other end only this process holds. When this process ends,
in whatever way, the pipe closes and the shell wakes up. It gives the engine time to end by itself (its input
has ended too), and then kills it and every process that carries its mark.
"""

from __future__ import annotations

import math
import os
import subprocess

from harness.gtp.launch import Mark

# $1 process group, $2 seconds to wait, $3 the mark as NAME=VALUE. Without /proc, descendants that have left
# the group are not found.
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
    """Watches the process group `pid` until it is dismissed or this process ends."""

    def __init__(self, pid: int, mark: Mark, grace: float) -> None:
        seconds = max(1, math.ceil(grace))  # POSIX sleep takes whole seconds only
        self._shell = subprocess.Popen(
            ["/bin/sh", "-c", _SCRIPT, "conform-guard", str(pid), str(seconds), "=".join(mark)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={"PATH": os.environ.get("PATH", os.defpath)},
            start_new_session=True,  # Ctrl-C must reach the harness only
        )

    def dismiss(self) -> None:
        """Stop watching: the engine has ended. May be called again."""
        self._shell.kill()
        self._shell.wait()
        assert self._shell.stdin
        self._shell.stdin.close()
