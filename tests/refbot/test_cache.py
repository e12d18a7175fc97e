"""Where compiled code is kept; each case in a process of its own, since the folder is chosen once."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def run(code: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PATH": os.environ["PATH"], "HOME": os.environ["HOME"], "PYTHONPATH": str(ROOT)} | environment,
        capture_output=True, text=True, check=True, timeout=100,
    )  # fmt: skip
    return done.stdout.strip()


FOLDER = "from refbot import cache; print(cache.folder())"


def test_folder_is_in_the_users_cache_and_carries_the_hash(tmp_path: Path) -> None:
    folder = Path(run(FOLDER, XDG_CACHE_HOME=str(tmp_path)))
    assert folder.parent == tmp_path / "conform"
    assert folder.is_dir()
    assert folder.name == "kernels-" + run("from refbot import cache; print(cache.sources_hash())")


def test_unwritable_cache_falls_back_to_a_temporary_folder(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    folder = Path(run(FOLDER, XDG_CACHE_HOME=str(blocked)))
    assert folder.is_dir()
    assert blocked not in folder.parents
    folder.rmdir()


def test_import_of_the_package_loads_nothing_heavy() -> None:
    code = "import sys, refbot, refbot.faults; print({'numba', 'numpy'} & set(sys.modules))"
    assert run(code) == "set()"


@pytest.mark.parametrize("name", ["Game", "Search", "FAULTS", "Position"])
def test_names_of_the_package_are_loaded_on_demand(name: str) -> None:
    assert name in run(f"import refbot; print(repr(refbot.{name})[:40], '{name}')")


def test_kernels_for_two_constants_have_two_names() -> None:
    """By its name alone numba tells code from the disk apart, where two processes have compiled it."""
    code = "from refbot.playouts.scalar.kernel import right, faulty\n"
    code += "print(*(make(n).py_func.__qualname__ for make in (right, faulty) for n in (0, 1, 64)))"
    names = run(code).split()
    assert len(set(names)) == len(names) == 6
