"""Compiled code on disk. Each case runs in its own process, because a process chooses the folder once."""

import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from refbot.deviations.faults import Faults
from refbot.gtp.searcher import Searcher, Settings
from refbot.measure.warm import NOTICE, kernels_of, repeat_notice
from refbot.rules import BLACK, Game
from refbot.search import Search
from tests.other_user import NOBODY, as_nobody, needs_root, open_folder
from tests.parameters import slow_but
from tests.thorough import Mutant, thorough

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 250  # seconds before a test gives up; nothing is judged by it


def run(code: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PATH": os.environ["PATH"], "HOME": os.environ["HOME"], "PYTHONPATH": str(ROOT)} | environment,
        capture_output=True, text=True, check=True, timeout=LIMIT,
    )  # fmt: skip
    return done.stdout.strip()


FOLDER = "from refbot.compile import cache; print(cache.make_folder())"


def test_folder_is_in_the_users_cache_and_carries_the_hash(tmp_path: Path) -> None:
    folder = Path(run(FOLDER, XDG_CACHE_HOME=str(tmp_path)))
    assert folder.parent == tmp_path / "conform"
    assert folder.is_dir()
    assert folder.name == "kernels-" + run("from refbot.compile import cache; print(cache.sources_hash())")


def test_a_cache_that_cannot_be_written_costs_a_warning_and_leaves_nothing(tmp_path: Path) -> None:
    blocked, temporary = tmp_path / "file", tmp_path / "temporary"
    blocked.write_text("")
    temporary.mkdir()
    own = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(blocked), "TMPDIR": str(temporary)}
    done = subprocess.run(
        [sys.executable, "-c", ONE_KERNEL], env=own, capture_output=True, text=True, check=True, timeout=LIMIT
    )
    assert "cannot be made" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert list(temporary.iterdir()) == []


def test_a_link_in_place_of_the_folder_is_named(tmp_path: Path) -> None:
    own = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(tmp_path)}
    folder = Path(run(FOLDER, XDG_CACHE_HOME=str(tmp_path)))
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    done = subprocess.run(
        [sys.executable, "-c", FOLDER], env=own, capture_output=True, text=True, check=True, timeout=LIMIT
    )
    assert done.stdout == "None\n"
    assert f"refbot: {folder} is a link, not a folder; remove the link;" in done.stderr


def test_import_of_the_package_loads_nothing_heavy() -> None:
    code = "import sys, refbot, refbot.deviations.faults; print({'numba', 'numpy'} & set(sys.modules))"
    assert run(code) == "set()"


def test_names_of_the_package_are_loaded_on_demand() -> None:
    names = run("import refbot; print(*(getattr(refbot, name).__name__ for name in ('Game', 'Search')))")
    assert names == "Game Search"


def test_kernels_for_two_constants_have_two_names() -> None:
    """Numba distinguishes stored kernels of two processes by their names alone."""
    code = "from refbot.playouts.scalar.kernel import kernel_without_faults, kernel_with_faults\n"
    code += "makers = kernel_without_faults, kernel_with_faults\n"
    code += "print(*(make(n).py_func.__qualname__ for make in makers for n in (0, 1, 64)))"
    names = run(code).split()
    assert len(set(names)) == len(names) == 6


ONE_KERNEL = """
import numpy as np
from refbot.measure.cycles import dependent_steps
dependent_steps(1, np.uint64(1), np.uint64(2))
print(sum(dependent_steps.stats.cache_misses.values()))
"""


BESIDE = """
import os, sys
from numba.core import config
seen = set()
sys.addaudithook(lambda event, _: seen.add(config.CACHE_DIR))
import refbot.measure.cycles
print(seen, os.listdir())
"""


def test_where_a_kernel_is_kept_depends_on_no_setting_that_threads_share(tmp_path: Path) -> None:
    """A thread that sees such a setting before or after its change keeps a kernel in the current folder."""
    cache, current = tmp_path / "cache", tmp_path / "current"
    current.mkdir()
    own = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(cache), "NUMBA_CACHE_DIR": "other"}
    done = subprocess.run(
        [sys.executable, "-c", BESIDE], cwd=current, env=own, capture_output=True, text=True, check=True,
        timeout=LIMIT,
    )  # fmt: skip
    assert done.stdout == "{'other'} []\n"
    assert len(list(cache.glob("conform/kernels-*/measure"))) == 1


def started(code: str, cache: Path, root: Path = ROOT) -> subprocess.Popen[str]:
    """A process with the modules of `root`, where it starts: Python looks there first."""
    own = {**os.environ, "PYTHONPATH": str(root), "XDG_CACHE_HOME": str(cache)}
    return subprocess.Popen(
        [sys.executable, "-c", code], env=own, cwd=root, stdout=subprocess.PIPE, text=True
    )


def test_two_processes_do_not_compile_the_same_kernel_twice(tmp_path: Path) -> None:
    both = [started(ONE_KERNEL, tmp_path) for _ in range(2)]
    assert sorted(process.communicate(timeout=LIMIT)[0] for process in both) == ["0\n", "1\n"]


def compiled(cache: Path, root: Path = ROOT) -> int:
    """The number of kernels that a new process compiles, because it may not load one from disk."""
    return int(started(ONE_KERNEL, cache, root).communicate(timeout=LIMIT)[0])


@pytest.fixture(scope="module")
def compiled_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache with one kernel in it, which no test changes."""
    cache = tmp_path_factory.mktemp("cache")
    assert compiled(cache) == 1
    return cache


@pytest.fixture
def filled(compiled_once: Path, tmp_path: Path) -> Path:
    """A cache with one kernel in it, for one test."""
    return shutil.copytree(compiled_once, tmp_path / "cache")


def test_a_copy_of_the_sources_uses_the_kernels_and_a_changed_copy_does_not(
    filled: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "another checkout"
    shutil.copytree(ROOT / "refbot", copy / "refbot", copy_function=shutil.copyfile)  # with times of its own
    assert compiled(filled, copy) == 0
    changed = copy / "refbot" / "playouts" / "rng.py"
    changed.write_text(changed.read_text("utf-8") + "# changed\n", "utf-8")
    assert compiled(filled, copy) == 1


def kernel_files(cache: Path) -> list[Path]:
    """The index and the data of the kernel."""
    found = sorted(cache.glob("conform/kernels-*/**/*.nb?"))
    assert [path.suffix for path in found] == [".nbc", ".nbi"]
    return found


def without_content(sound: bytes) -> bytes:
    return b""


def cut(sound: bytes) -> bytes:
    return sound[: len(sound) // 2]


def with_one_bit_changed(sound: bytes) -> bytes:
    middle = len(sound) // 2
    return sound[:middle] + bytes([sound[middle] ^ 1]) + sound[middle + 1 :]


@pytest.mark.parametrize(
    ("which", "damaged"),
    [
        pytest.param(0, with_one_bit_changed, id="data-bit"),
        pytest.param(1, cut, id="index-cut", marks=pytest.mark.slow),
        pytest.param(0, without_content, id="data-empty", marks=pytest.mark.slow),
        pytest.param(0, cut, id="data-cut", marks=pytest.mark.slow),
        pytest.param(1, without_content, id="index-empty", marks=pytest.mark.slow),
        pytest.param(1, with_one_bit_changed, id="index-bit", marks=pytest.mark.slow),
    ],
)
def test_a_damaged_file_is_not_loaded_and_heals(
    filled: Path, which: int, damaged: Callable[[bytes], bytes]
) -> None:
    path = kernel_files(filled)[which]
    path.write_bytes(damaged(path.read_bytes()))
    assert compiled(filled) == 1
    assert compiled(filled) == 0


@pytest.mark.parametrize("which", slow_but((0,), [0, 1]), ids=["data", "index"])
def test_a_file_that_others_can_write_is_not_loaded(filled: Path, which: int) -> None:
    kernel_files(filled)[which].chmod(0o666)
    assert compiled(filled) == 1


def test_a_file_of_another_user_is_not_loaded(filled: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give files away")
    os.chown(kernel_files(filled)[0], 65534, 65534)
    assert compiled(filled) == 1


@needs_root
def test_another_user_reads_and_changes_nothing_in_the_cache(compiled_once: Path) -> None:
    with open_folder() as place:
        cache = shutil.copytree(compiled_once, place / "cache")
        cache.chmod(0o755)  # as `~/.cache` of a careless user
        (folder,) = cache.glob("conform/kernels-*")
        data, index = kernel_files(cache)
        before = {path: path.read_bytes() for path in (data, index)}
        tries: dict[str, Callable[[], object]] = {
            "list": lambda: list(folder.iterdir()),
            "read": data.read_bytes,
            "write": lambda: index.write_bytes(b"x"),
            "add": (folder / "kernel.nbi").touch,
            "remove": data.unlink,
            "replace the folder": lambda: folder.rename(folder.with_name("other")),
            "lock": (folder / "locks" / "other").touch,
        }
        assert as_nobody({"enter": lambda: list(cache.iterdir())}) == ["enter"]
        assert as_nobody(tries) == []
        assert {path: path.read_bytes() for path in (data, index)} == before
        assert compiled(cache) == 0


@pytest.mark.slow  # one file of another user is refused in every run
@needs_root
def test_a_cache_that_another_user_has_prepared_is_not_loaded(compiled_once: Path) -> None:
    with open_folder() as place:
        cache = shutil.copytree(compiled_once, place / "cache")
        for path in (cache, *cache.rglob("*")):
            os.chown(path, NOBODY, NOBODY)
        assert compiled(cache) == 1


def test_a_folder_that_others_can_write_is_not_used(filled: Path) -> None:
    (folder,) = filled.glob("conform/kernels-*")
    folder.chmod(0o777)
    out, _ = started(f"{FOLDER}\n{ONE_KERNEL}", filled).communicate(timeout=LIMIT)
    assert out == "None\n1\n"


def test_a_new_folder_is_the_users_alone(filled: Path) -> None:
    for path in (filled / "conform", *filled.glob("conform/kernels-*")):
        assert path.stat().st_mode & 0o777 == 0o700


TERMINATED = """
import os, signal
from numba.core import event

class Terminate(event.Listener):
    def on_start(self, event):
        os.kill(os.getpid(), signal.SIGTERM)
    def on_end(self, event):
        pass

event.register("numba:compile", Terminate())
"""


def test_a_process_that_is_terminated_while_it_compiles_stores_the_kernel_first(tmp_path: Path) -> None:
    out, _ = (process := started(TERMINATED + ONE_KERNEL, tmp_path)).communicate(timeout=LIMIT)
    assert (out, process.returncode) == ("", -signal.SIGTERM)
    assert started(ONE_KERNEL, tmp_path).communicate(timeout=LIMIT)[0] == "0\n"


FAILED = """
import fcntl, signal
from numba.core import event
from refbot.compile import cache

class Fail(event.Listener):
    def on_start(self, event):
        raise MemoryError
    def on_end(self, event):
        pass

event.register("numba:compile", fail := Fail())
try:
    dependent_steps(1, np.uint64(1), np.uint64(2))
except MemoryError:
    print("failed")
event.unregister("numba:compile", fail)
(lock,) = (cache.make_folder() / "locks").iterdir()
with lock.open("w") as file:
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # raises if the lock is held
print(signal.getsignal(signal.SIGTERM) == signal.SIG_DFL)
"""


def test_a_compilation_that_fails_releases_its_lock_and_the_signal(tmp_path: Path) -> None:
    imports, call = ONE_KERNEL.split("dependent_steps(", 1)
    code = f"{imports}{FAILED}dependent_steps({call}"
    assert run(code, XDG_CACHE_HOME=str(tmp_path)).splitlines() == ["failed", "True", "2"]
    assert compiled(tmp_path) == 0


TWICE = """
from refbot.measure.warm import KernelSet, compile_missing
for _ in range(2):
    compile_missing([KernelSet("some", 1.0, lambda: print("compiled"))])
"""


def test_kernels_that_are_on_disk_are_not_compiled_again(tmp_path: Path) -> None:
    assert run(TWICE, XDG_CACHE_HOME=str(tmp_path)) == "compiled"


SHOWS_ITS_KERNELS = """
from refbot.gtp import start
start.compile_missing = lambda sets: print(*(each.name for each in sets), flush=True)
start.serve(start.usual_settings(["--seed", "1", "--size", "2"]))
"""


def test_an_engine_asks_for_its_kernels_before_its_first_answer() -> None:
    """It does so even if its input has ended by then."""
    own = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", SHOWS_ITS_KERNELS], input="name\n", env=own, capture_output=True, text=True,
        check=True, timeout=LIMIT,
    )  # fmt: skip
    assert done.stdout == f"{kernels_of_engine(Settings(seed=1, size=2))}\n= refbot\n\n"


@thorough(
    Mutant(
        "refbot/gtp/start.py",
        "    compile_missing([Searcher(settings).kernels(settings.size)])\n",
        "",
        "tests/refbot/test_cache.py::test_an_engine_asks_for_its_kernels_before_its_first_answer",
    ),
    Mutant(
        "refbot/measure/warm.py",
        "        note_ready(kernels.name)\n",
        "        pass\n",
        "tests/refbot/test_cache.py::test_kernels_that_are_on_disk_are_not_compiled_again",
    ),
)
def test_an_engine_without_kernels_compiles_them_before_its_first_answer(tmp_path: Path) -> None:
    """It does so even if its input has ended by then. The second engine has nothing to report."""
    engine = [sys.executable, "-m", "refbot.cli", "gtp", "--seed", "1", "--size", "2"]
    own = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(tmp_path)}
    cold, warm = (
        subprocess.run(engine, input=b"name\n", env=own, capture_output=True, check=True, timeout=LIMIT)
        for _ in range(2)
    )
    assert cold.stdout == warm.stdout == b"= refbot\n\n"
    assert all(line.startswith(NOTICE.encode()) for line in cold.stderr.splitlines())
    assert warm.stderr == b""
    ready = {path.name for path in tmp_path.glob("conform/kernels-*/ready-*/*")}
    assert ready == {kernels_of_engine(Settings(seed=1, size=2))}


def test_nothing_is_loaded_where_all_is_on_disk() -> None:
    code = (
        "import sys; from refbot.gtp.searcher import Searcher, Settings; "
        "from refbot.measure.warm import compile_missing\n"
        "compile_missing([Searcher(Settings()).kernels(9)])\n"
    )
    run(code)
    assert run(code + "print({'numba', 'numpy'} & set(sys.modules))") == "set()"


def test_commands_before_the_first_search_load_nothing_heavy() -> None:
    code = (
        "import sys; from refbot.gtp import Server, Session, Settings\n"
        "server = Server(Session(Settings()))\n"
        "for line in 'boardsize 9,clear_board,komi 6.5,play b A1,play w A2,undo,final_score,showboard'"
        ".split(','): assert server.answer(line.encode()).startswith(b'='), line\n"
    )
    assert run(code + "print({'numba', 'numpy', 'sgfmill'} & set(sys.modules))") == "set()"


def kernels_of_engine(settings: Settings) -> str:
    """The name of the kernels of an engine's first search."""
    return Searcher(settings).kernels(settings.size).name


@pytest.mark.parametrize(
    ("settings", "kernel"),
    [
        (Settings(seed=1), "lanes-9x9-amaf"),
        (Settings(size=13, threads=2, seed=1), "lanes-13x13-amaf"),
        (Settings(playouts=10), "scalar-64"),
        (Settings(size=20, seed=1), "lanes-20x20-amaf"),
        (Settings(dynamic_komi="handicap"), "lanes-9x9-amaf"),
        (Settings(policy="escape"), "lanes-9x9-escape-amaf"),
        (Settings(policy="escape", playouts=10), "scalar-65"),
        (Settings(faults=frozenset({Faults.EYE_FILLED})), "scalar-64-faulty"),
        (Settings(faults=frozenset({Faults.ID_DROPPED}), seed=1), "lanes-9x9-amaf"),
    ],
)
def test_an_engine_compiles_the_kernel_of_its_first_search(settings: Settings, kernel: str) -> None:
    assert kernels_of_engine(settings) == kernel


def test_a_search_uses_the_kernel_that_was_compiled_for_it() -> None:
    """`warm` and `playouts` choose the same kernel, lanes or scalar."""
    for size, count in ((9, 64), (9, 63), (19, 64)):
        kernels = kernels_of(size, count, amaf=True)
        result = Search(count, seed=1).search(Game(size), BLACK)
        assert kernels.name.startswith(result.stats.kernel)


def test_a_notice_is_repeated_until_the_work_is_done(capsys: pytest.CaptureFixture[str]) -> None:
    written = threading.Semaphore(0)

    def notice() -> str:
        written.release()
        return "busy"

    with repeat_notice(notice, first=0.0):
        for _ in range(3):
            assert written.acquire(timeout=LIMIT)
    assert capsys.readouterr().err.count("busy\n") >= 3
