"""State that a process inherits: SIGCHLD ignored by a parent, in the main thread and in others."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from harness.gtp import Engine, EngineStartError, Exit, Launch, Limits

Hostile = Callable[..., Launch]


@pytest.fixture
def ignored() -> Iterator[None]:
    """As a process whose parent ignores the end of its children."""
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    yield
    signal.signal(signal.SIGCHLD, before)


@pytest.mark.usefixtures("ignored")
def test_the_exit_code_is_known_though_the_parent_ignored_it(hostile: Hostile, patient: Limits) -> None:
    with Engine(hostile("die", code=3), patient) as engine:
        exchanges = [engine.ask("name") for _ in range(2)]
        assert engine.wait(60) == Exit(3, None, False)
    assert exchanges[-1].exit == Exit(3, None, False)


@pytest.mark.usefixtures("ignored")
def test_an_engine_learns_how_its_own_children_end(patient: Limits) -> None:
    script = "import subprocess; input(); print('=', subprocess.run(['false']).returncode, end='\\n\\n')"
    with Engine(shlex.join([sys.executable, "-S", "-c", script]), patient) as engine:
        assert engine.ask("name").text == "1"


@pytest.mark.usefixtures("ignored")
def test_in_another_thread_an_engine_ends_with_an_unknown_code(hostile: Hostile, patient: Limits) -> None:
    """Only the main thread can change what becomes of SIGCHLD: the code is lost, and nothing else."""
    ends: list[Exit | None] = []

    def drive() -> None:
        with Engine(hostile("die", code=3), patient) as engine:
            asked = [engine.ask("name") for _ in range(2)]
            ends.extend([asked[-1].exit, engine.exit])
            assert not engine.alive
        with Engine(hostile(), patient) as engine:
            assert engine.ask("name").ok
        ends.append(engine.exit)

    thread = threading.Thread(target=drive)
    thread.start()
    thread.join()
    assert ends == [Exit(None, None, False, lost=True)] * 3
    assert "exit code" in str(ends[0])


def test_a_code_that_somebody_else_collected_is_lost(hostile: Hostile, patient: Limits) -> None:
    with Engine(hostile("die", code=3), patient) as engine:
        pid = engine.pid
        engine.send(b"name\nname\n")
        os.waitpid(pid, 0)
        assert engine.exit == Exit(None, None, False, lost=True)


SHORT = [sys.executable, "-c", "from harness.cli import main; main()"]
ROOT = Path(__file__).parents[3]


def under(parent: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run `conform` as the child of a shell that has executed the line `parent` before."""
    line = f'{parent}; exec "$@"'
    command = ["bash", "-c", line, "bash", *SHORT, *words]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)


def blocking(*words: str) -> list[str]:
    """The words of a program that starts `conform` with every signal blocked."""
    script = "import os, signal, sys; signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())"
    return [sys.executable, "-c", f"{script}; os.execv(sys.argv[1], sys.argv[1:])", *SHORT, *words]


INSTANT = shlex.join([sys.executable, "-S", "-E", str(ROOT / "tests/engines/instant.py")])


def test_a_check_under_a_parent_that_ignores_its_children(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    done = under("trap '' CHLD", "check", INSTANT, "--only", "gtp.frame.quit", "--json", str(report))
    assert (done.returncode, done.stderr) == (0, "")
    (check,) = json.loads(report.read_text())["bots"][0]["checks"]
    assert check["observed"].endswith("ended with exit code 0")


@pytest.mark.slow  # a check under such a parent is tried in every run
def test_a_match_under_a_parent_that_ignores_its_children(tmp_path: Path) -> None:
    engines = ("--engine", f"a={INSTANT}", "--engine", f"b={INSTANT}")
    words = ("match", *engines, "--size", "5", "--games", "2", "--out", str(tmp_path / "run"))
    assert under("trap '' CHLD", *words).returncode in (0, 3)  # two games decide nothing


def test_signals_that_the_parent_blocked_reach_the_engine() -> None:
    """Else SIGTERM, from the harness or by hand, would end neither."""
    script = (
        "import signal; blocked = len(signal.pthread_sigmask(signal.SIG_BLOCK, ())); "
        "[print('=', 2 if not blocked else 'blocked', end='\\n\\n', flush=True) for _ in iter(input, 'quit')]"
    )
    bot = shlex.join([sys.executable, "-S", "-c", script])
    words = blocking("check", bot, "--only", "gtp.admin.protocol-version", "--json", "-")
    done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, check=False)
    (check,) = json.loads(done.stdout)["bots"][0]["checks"]
    assert check["outcome"] == "pass"


def test_a_folder_that_was_removed_is_named(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    script = (
        "import os, sys; from harness.gtp import Engine; os.rmdir(sys.argv[1])\n"
        "try: Engine('true').start()\nexcept Exception as error: print(type(error).__name__, error)"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    words = [sys.executable, "-P", "-c", script, str(gone)]
    done = subprocess.run(words, capture_output=True, text=True, cwd=gone, env=env, check=False)
    assert done.stdout.startswith(EngineStartError.__name__)
    assert "the current folder was removed" in done.stdout
