"""Helpers of an engine that show no sign of it: collected when they end, killed when the last engine ends.

Each test runs a program of its own, because a process claims its orphans once and for all.
"""

import json
import subprocess
import sys
import textwrap
from pathlib import Path

import psutil
import pytest

LEAVES_HELPERS = """
import os, sys, time
def helper(seconds):  # a daemon: new session, no environment, no parent
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            code = f'import time; time.sleep({seconds})'
            os.execve(sys.executable, [sys.executable, '-S', '-E', '-c', code], {})
        os._exit(0)
    os.wait()
for line in sys.stdin:
    if line.startswith('version'):
        helper(0)
    if line.startswith('name'):
        helper(1000)
    print('=\\n', flush=True)
"""


def run(tmp_path: Path, program: str) -> dict[str, object]:
    bot = tmp_path / "bot.py"
    bot.write_text(LEAVES_HELPERS)
    lines = [
        "import json, os, shlex, sys, time, psutil",
        "from harness.gtp import Engine, claim_orphans",
        f"command = shlex.join([sys.executable, '-S', '-E', {str(bot)!r}])",
        "me = psutil.Process()",
        "def helpers(): return [p for p in me.children() if os.getsid(p.pid) != os.getsid(0)]",
        "def zombies(): return [p.pid for p in helpers() if p.status() == psutil.STATUS_ZOMBIE]",
        textwrap.dedent(program),
    ]
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[3],
    )
    assert done.returncode == 0, done.stderr
    result: dict[str, object] = json.loads(done.stdout)
    return result


def test_a_helper_without_any_sign_of_its_engine_ends_with_the_last_engine(tmp_path: Path) -> None:
    found = run(
        tmp_path,
        """
        claim_orphans()
        with Engine(command) as other:
            with Engine(command) as engine:
                engine.ask("name")
                left = []
                while not left:
                    left = [p.pid for p in helpers() if p.cmdline()[-1:] == ["import time; time.sleep(1000)"]]
            kept = [pid for pid in left if psutil.pid_exists(pid)]  # it might be a helper of the other one
        now = [pid for pid in left if psutil.pid_exists(pid)]
        print(json.dumps({"left": left, "kept": kept, "now": now}))
        """,
    )
    assert isinstance(found["left"], list)
    assert len(found["left"]) == 1
    assert found["kept"] == found["left"]
    assert found["now"] == []


def test_helpers_that_end_by_themselves_are_collected_between_games(tmp_path: Path) -> None:
    found = run(
        tmp_path,
        """
        claim_orphans()
        with Engine(command) as engine:
            for _ in range(5):
                engine.ask("version")
            while len(zombies()) < 5:
                time.sleep(0.01)
            before = len(zombies())
            engine.forget_transcript()
            print(json.dumps({"before": before, "after": len(zombies()), "alive": engine.ask("x").ok}))
        """,
    )
    assert found == {"before": 5, "after": 0, "alive": True}


def test_a_program_that_has_not_claimed_its_orphans_keeps_its_children(tmp_path: Path) -> None:
    found = run(
        tmp_path,
        """
        import subprocess
        mine = subprocess.Popen(["sleep", "1000"], start_new_session=True)
        with Engine(command) as engine:
            engine.ask("version")
        print(json.dumps({"mine": mine.poll()}))
        mine.kill()
        mine.wait()
        """,
    )
    assert found == {"mine": None}


def test_an_engine_is_never_without_its_guard(tmp_path: Path) -> None:
    """The harness is killed at once after the start of an engine that ignores the end of its input."""
    bot = tmp_path / "bot.py"
    bot.write_text("import time\ntime.sleep(1000)\n")
    program = (
        "import os, shlex, sys; import harness.gtp.engine as e; from harness.gtp import Engine\n"
        "start = e.start_process\n"
        "def started_and_killed(launch):\n"
        "    process = start(launch)\n"
        "    print(process.pid, flush=True)\n"
        "    os.kill(os.getpid(), 9)\n"
        "e.start_process = started_and_killed\n"
        f"Engine(shlex.join([sys.executable, '-S', '-E', {str(bot)!r}])).start()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=Path(__file__).parents[3]
    )
    try:
        psutil.Process(int(done.stdout)).wait(60)
    except psutil.NoSuchProcess:
        pass
    except psutil.TimeoutExpired:
        pytest.fail("the engine survived the harness")


def test_a_lack_of_descriptors_is_no_fault_of_the_engine(tmp_path: Path) -> None:
    found = run(
        tmp_path,
        """
        import resource
        from harness.gtp import ShortageError
        Engine(command).start().kill()
        before = len(os.listdir("/proc/self/fd"))
        said = set()
        for limit in range(before, before + 14):
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, 4096))
            engine = Engine(command)
            try:
                engine.start()
            except ShortageError as error:
                said.add(error.lack)
            finally:
                resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))
                engine.kill()
        after = len(os.listdir("/proc/self/fd"))
        print(json.dumps({"said": sorted(said), "fds": after - before, "children": len(me.children())}))
        """,
    )
    assert found == {"said": ["file descriptors"], "fds": 0, "children": 0}
