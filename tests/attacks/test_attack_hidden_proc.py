"""/proc is missing, cannot be read, or is the one of another process namespace.

Before: exit code 70 with a traceback without /proc. With a foreign /proc, conform took the processes with
the same numbers there for those of its bots, and signalled these numbers here. After: one line, and no bot is
started.
"""

import shlex
import subprocess
from pathlib import Path

import pytest

from tests.harness.arena.match_helpers import PROGRAM, Command

NAMESPACE = ["unshare", "--map-root-user", "--mount"]
EMPTY = "mount -t tmpfs none /proc"


def after(commands: str) -> list[str]:
    """The first words of a command that starts in a namespace of its own after these shell commands."""
    return [*NAMESPACE, "sh", "-c", f'{commands} && exec "$@"', "sh"]


HIDDEN = {
    "no /proc": after(EMPTY),
    "a /proc that cannot be read": after(f"{EMPTY} && ln -s /nowhere /proc/self"),
    "a foreign /proc": [*NAMESPACE, "--pid", "--fork"],
}


@pytest.mark.parametrize("hidden", HIDDEN.values(), ids=HIDDEN)
@pytest.mark.parametrize("command", ["check", "match", "explore"])
def test_one_line_where_processes_are_hidden(
    player: Command, tmp_path: Path, hidden: list[str], command: str
) -> None:
    if subprocess.run([*NAMESPACE, "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("no user namespaces here")
    bot = f"sh -c {shlex.quote(f'touch {tmp_path}/started; exec {player()}')}"
    words = [command, *(("--engine", f"a={bot}", "--engine", f"b={bot}") if command == "match" else (bot,))]
    ended = subprocess.run([*hidden, *PROGRAM, *words], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (2, "", 1), ended.stderr
    assert ended.stderr.startswith("conform: no process of a bot could be found and ended here (/proc ")
    assert list(tmp_path.iterdir()) == []
