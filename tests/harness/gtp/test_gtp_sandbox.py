"""An engine that tries to escape: none of its ways works in a sandbox, and outside it most of them do."""

import json
import mmap
import os
import shlex
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import psutil
import pytest

from harness.gtp import Engine, EngineStartError, Launch, Limits
from harness.gtp.sandbox_init import HIDDEN
from tests.sandboxed import needs_sandbox

pytestmark = needs_sandbox

ESCAPES = """
import ctypes, json, mmap, os, signal, socket, sys
target = json.loads(sys.argv[1])

def connect(family, address):
    with socket.socket(family) as connection:
        connection.settimeout(5)
        connection.connect(address)

def write(path, mode="a"):
    with open(path, mode) as file:
        file.write("escaped")

def daemon():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.environ.clear()
            os.execve("/bin/sleep", ["sleep-of-an-escaped-daemon", "1000"], {})
        os._exit(0)
    os.wait()

def remount():
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mount(b"none", b"/", None, 32 | 4096, None) != 0:
        raise OSError(ctypes.get_errno(), "mount")

def namespace():
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(0x10000000) != 0:
        raise OSError(ctypes.get_errno(), "unshare")

def share_memory():
    mmap.mmap(-1, target["memory"]).close()

def fill_disk():
    with open(os.path.join(target["folder"], "large"), "wb") as file:
        file.truncate(target["disk"])

ways = {
    "tcp": lambda: connect(socket.AF_INET, ("127.0.0.1", target["port"])),
    "unix socket": lambda: connect(socket.AF_UNIX, target["socket"]),
    "pair of sockets": lambda: [end.close() for end in socket.socketpair()],
    "abstract socket": lambda: connect(socket.AF_UNIX, chr(0) + target["abstract"]),
    "write a file": lambda: write(target["file"]),
    "write its own program": lambda: write(target["program"]),
    "signal the harness": lambda: os.kill(target["pid"], 0),
    "write to a descriptor of the harness": lambda: write(f"/proc/{target['pid']}/fd/{target['fd']}"),
    "shared memory of others": lambda: write(target["shm"], "r+"),
    "remount": remount,
    "user namespace": namespace,
    "large shared mapping": share_memory,
    "large file": fill_disk,
    "daemon": daemon,
    "its own folder": lambda: write(os.path.join(target["folder"], "mine")),
    "temporary file": lambda: write("/tmp/conform-escape-test"),
}
done = {}
for name, way in ways.items():
    try:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        way()
        done[name] = True
    except (OSError, ValueError, MemoryError):
        done[name] = False
for line in sys.stdin:
    print("= " + json.dumps(done) + "\\n", flush=True)
"""
ALLOWED = {"its own folder", "temporary file", "pair of sockets", "daemon"}
"""These work, and reach nothing outside: the daemon ends with the sandbox."""


class Target:
    """Things that an engine might reach: sockets, files and processes of this machine."""

    def __init__(self, root: Path, exits: ExitStack) -> None:
        self.bot = root / "bot.py"
        self.bot.write_text(ESCAPES)
        self.folder = root / "folder"
        self.folder.mkdir()
        self.file = root / "file"
        self.file.write_text("mine")
        self.shm = Path(f"/dev/shm/conform-test-{os.getpid()}")
        exits.callback(self.shm.unlink, missing_ok=True)
        self.shm.write_text("mine")
        exits.callback(Path("/tmp/conform-escape-test").unlink, missing_ok=True)
        opened = exits.enter_context((root / "opened").open("w"))
        tcp, unix, abstract = (exits.enter_context(socket.socket(kind)) for kind in (2, 1, 1))
        tcp.bind(("127.0.0.1", 0))
        unix.bind(str(root / "s"))
        name = f"conform-test-{os.getpid()}"
        abstract.bind(f"\0{name}")
        for listener in (tcp, unix, abstract):
            listener.listen()
        self.options = {
            "port": tcp.getsockname()[1],
            "socket": str(root / "s"),
            "abstract": name,
            "file": str(self.file),
            "program": str(self.bot),
            "pid": os.getpid(),
            "fd": opened.fileno(),
            "shm": str(self.shm),
            "folder": str(self.folder),
            "memory": 8 << 30,
            "disk": 1 << 30,
        }

    def escapes(self, *, sandbox: bool) -> set[str]:
        command = shlex.join([sys.executable, "-S", "-E", str(self.bot), json.dumps(self.options)])
        with Engine(Launch(command, cwd=self.folder, sandbox=sandbox)) as engine:
            done = json.loads(engine.ask("name").text)
        return {way for way, worked in done.items() if worked}


@pytest.fixture
def target(tmp_path: Path) -> Iterator[Target]:
    with ExitStack() as exits:
        yield Target(tmp_path, exits)


def daemons() -> list[psutil.Process]:
    return [
        p
        for p in psutil.process_iter(["cmdline"])
        if "sleep-of-an-escaped-daemon" in (p.info["cmdline"] or [])
    ]


def test_no_way_leads_out_of_the_sandbox(target: Target) -> None:
    worked = target.escapes(sandbox=True)
    assert worked == ALLOWED
    assert daemons() == []
    assert target.file.read_text() == target.shm.read_text() == "mine"
    assert target.bot.read_text() == ESCAPES
    assert (target.folder / "mine").read_text() == "escaped"
    assert not Path("/tmp/conform-escape-test").exists()


def test_the_ways_lead_out_without_a_sandbox(target: Target) -> None:
    try:
        worked = target.escapes(sandbox=False)
        assert {"tcp", "unix socket", "abstract socket", "write a file", "write its own program"} <= worked
        assert {"signal the harness", "shared memory of others", "large shared mapping", "daemon"} <= worked
    finally:
        for process in daemons():
            process.kill()


@pytest.mark.parametrize(("code", "seen"), [("sys.exit(7)", 7), ("os.kill(os.getpid(), 11)", -11)])
def test_a_sandbox_ends_as_its_engine_ends(code: str, seen: int) -> None:
    command = shlex.join([sys.executable, "-S", "-c", f"import os, sys; sys.stdin.readline(); {code}"])
    with Engine(Launch(command, sandbox=True)) as engine:
        exchange = engine.ask("name")
        assert exchange.ending == "eof"
        assert exchange.exit is not None
        assert (exchange.exit.code if seen >= 0 else -(exchange.exit.signal or 0)) == seen


def test_an_engine_in_a_sandbox_obeys_quit_and_is_killed_otherwise() -> None:
    for code in ("sys.stdin.readline(); print('=\\n')", "time.sleep(1000)"):
        command = shlex.join([sys.executable, "-S", "-c", f"import sys, time; {code}"])
        engine = Engine(Launch(command, sandbox=True)).start()
        assert engine.close().code in (0, None)
        assert not engine.alive


def test_a_program_that_does_not_exist_is_reported_as_without_a_sandbox() -> None:
    with pytest.raises(EngineStartError, match="no such program"):
        Engine(Launch("./no-such-bot", sandbox=True)).start()


def test_memory_is_limited_also_for_shared_mappings() -> None:
    assert mmap.PAGESIZE < 1 << 20
    code = (
        "import mmap, sys; [print('= ', end='')]; mmap.mmap(-1, 300 << 20); print('took it\\n', flush=True)"
    )
    command = shlex.join([sys.executable, "-S", "-c", code])
    for memory_mb, taken in ((200, False), (2000, True)):
        with Engine(Launch(command, memory_mb=memory_mb, sandbox=True)) as engine:
            assert (b"took it" in engine.receive().raw) == taken


def test_the_reference_bot_finds_its_kernels_in_a_sandbox() -> None:
    """They are in a folder that it cannot write there."""
    if any(Path.home().is_relative_to(hidden) for hidden in HIDDEN):
        pytest.skip(f"the kernels are kept below {Path.home()}, which a sandbox hides")
    command = f"{shlex.quote(sys.executable)} -m refbot.cli gtp --playouts 10"
    place = {"PYTHONPATH": str(Path(__file__).parents[3])}
    for sandbox in (False, True):
        with Engine(Launch(command, env=place, sandbox=sandbox), Limits(startup=600.0)) as engine:
            assert engine.ask("name").text == "refbot"
            assert engine.ask("genmove b", timeout=600.0).ok
    assert b"compil" not in engine.stderr_tail  # it may report that loading takes long
