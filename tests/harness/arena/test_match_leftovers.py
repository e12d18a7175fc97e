"""A killed worker and a killed match leave nothing that their engines have started, whatever its signs."""

import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from tests.harness.arena.match_helpers import PROGRAM, wait_for_games, wait_for_no_engines

ENGINE = """
import os, sys
def helper():  # a daemon: new session, no environment, no parent, none of the pipes
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for number in range(3):
                os.close(number)
            words = [sys.executable, '-S', '-E', '-c', 'import time; time.sleep(1000)', __file__]
            os.execve(sys.executable, words, {})
        os._exit(0)
    os.wait()
for line in sys.stdin:
    if line.startswith('name'):
        helper()
    print('= pass\\n' if line.startswith('genmove') else '=\\n', flush=True)
    if line.startswith('quit'):
        break
"""


def helpers_of(worker: psutil.Process) -> list[psutil.Process]:
    return [p for p in worker.children() if "time.sleep" in " ".join(p.cmdline())]


@pytest.mark.parametrize("target", ["worker", "match"])
def test_helpers_without_any_sign_end_with_what_was_killed(tmp_path: Path, target: str) -> None:
    bot, run = tmp_path / "bot.py", tmp_path / "run"
    bot.write_text(ENGINE)
    engine = shlex.join([sys.executable, "-S", "-E", str(bot)])
    command = [
        *PROGRAM,
        "match",
        "--out",
        str(run),
        "--size",
        "5",
        "--games",
        "100000",
        "--workers",
        "1",
        "-q",
    ]
    command += [word for name in "ab" for word in ("--engine", f"{name}={engine}")]
    match = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        wait_for_games(match, run, 2)
        (worker,) = (c for c in psutil.Process(match.pid).children() if "spawn_main" in " ".join(c.cmdline()))
        while len(helpers := helpers_of(worker)) < 2:  # one may not run its own program yet
            time.sleep(0.01)
        if target == "worker":
            worker.kill()
            psutil.wait_procs(helpers)
            assert match.poll() is None
            match.send_signal(signal.SIGINT)
            text, _ = match.communicate()
            assert match.returncode == 130, text
        else:
            match.kill()
            psutil.wait_procs(helpers)
        wait_for_no_engines(bot)
    finally:
        match.kill()
        with match:  # closes its pipe
            pass
