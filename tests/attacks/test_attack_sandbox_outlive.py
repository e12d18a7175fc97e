"""A bot signals its own process group, to which a program outside the sandbox belongs: its parent.

A signal to the group reaches this program, although the sandbox does not see it. Before and after: whatever
it does to the program, the kernel ends the whole sandbox with it, or `conform` does.
"""

import shlex
import sys
import zlib
from pathlib import Path

import psutil
import pytest

from harness.gtp import Engine, Launch, Limits
from tests.sandboxed import needs_sandbox

pytestmark = needs_sandbox

BOT = """
import os, signal, sys, time
for number in range(1, 32):
    if number not in (signal.SIGKILL, signal.SIGSTOP):
        signal.signal(number, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execve("/bin/sleep", ["sleep", "{seconds}"], {{}})
    os._exit(0)
os.wait()
print("= ready\\n", flush=True)
sys.stdin.readline()
{attack}
time.sleep(1000)
"""
ATTACKS = {
    "it stops the group": "os.kill(0, signal.SIGSTOP)",
    "it kills the group": "os.kill(0, signal.SIGKILL)",
    "it kills all that it sees": "os.kill(-1, signal.SIGKILL)",
    "it stops all that it sees": "os.kill(-1, signal.SIGSTOP)",
    "it ignores every signal": "pass",
    "it closes its pipes": "for number in range(3): os.close(number)",
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_of_the_sandbox_outlives_the_end_of_the_engine(tmp_path: Path, attack: str) -> None:
    seconds = f"{zlib.crc32(str(tmp_path).encode())}.5"  # names the processes of this test
    bot = tmp_path / "bot.py"
    bot.write_text(BOT.format(attack=ATTACKS[attack], seconds=seconds))
    limits = Limits(answer=2.0, quit=0.2, terminate=0.2)
    with Engine(Launch(shlex.join([sys.executable, "-S", "-E", str(bot)]), sandbox=True), limits) as engine:
        engine.ask("name")
        engine.ask("version")
    found = [p for p in psutil.process_iter(["cmdline"]) if seconds in (p.info["cmdline"] or [])]
    _, left = psutil.wait_procs(found, timeout=60)  # the kernel may need a moment to end them
    for process in left:
        process.kill()
    assert left == []
