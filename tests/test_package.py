"""The wheel and the sdist: their content, and that the wheel works without the checkout."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

from harness import __version__

ROOT = Path(__file__).parents[1]
PACKAGES = ("harness", "refbot")
MANUAL = f"conform-{__version__}.data/data/share/man/man1"
LEFT_OUT = "harness/tools"
"""Programs that make stored data: for a checkout only."""


def wheel(folder: Path) -> Path:
    return folder / f"conform-{__version__}-py3-none-any.whl"


def in_checkout(*folders: str) -> set[str]:
    """The files below these folders that belong to a package."""
    found = (path for folder in folders for path in (ROOT / folder).rglob("*") if path.is_file())
    names = (path.relative_to(ROOT).as_posix() for path in found if "__pycache__" not in path.parts)
    return {name for name in names if not name.startswith(f"{LEFT_OUT}/")}


def test_the_lock_of_a_user_is_part_of_the_lock_of_a_developer() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        required = tomllib.load(file)["project"]["dependencies"]
    run, whole = (
        set(re.findall(r"^[\w.-]+==\S+", (ROOT / name).read_text("utf-8"), re.M))
        for name in ("requirements-run.lock", "requirements.lock")
    )
    assert run <= whole, "make lock"
    names = {re.split(r"[^\w.-]", text)[0] for text in required}
    assert names <= {pin.partition("==")[0] for pin in run}, "make lock"


def test_the_wheel_has_the_packages_their_data_and_nothing_else(built: Path) -> None:
    with zipfile.ZipFile(wheel(built)) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
    configs = {f"harness/{name}" for name in in_checkout("configs") if name.endswith((".toml", ".yml"))}
    manual = {f"{MANUAL}/{program}.1" for program in ("conform", "refbot")}
    docs = {f"harness/{name}" for name in in_checkout("docs")}
    readme = {"harness/docs/readme.md"}
    assert packed == in_checkout(*PACKAGES) | configs | manual | docs | readme
    assert {"harness/py.typed", "refbot/py.typed"} <= packed


def test_the_metadata_has_what_an_index_shows(built: Path) -> None:
    with zipfile.ZipFile(wheel(built)) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        lines = archive.read(name).decode("utf-8").splitlines()
    assert f"Version: {__version__}" in lines
    assert "License-Expression: MIT" in lines
    assert "Requires-Python: >=3.11" in lines
    assert "Classifier: Typing :: Typed" in lines
    assert not [line for line in lines if "file://" in line or str(ROOT) in line]


def test_the_manual_pages_name_every_command_and_option(built: Path) -> None:
    from harness.tools.manual import commands_of

    with zipfile.ZipFile(wheel(built)) as archive:
        for program in ("conform", "refbot"):
            text = archive.read(f"{MANUAL}/{program}.1").decode("utf-8")
            plain = text.replace("\\-", "-")
            for command in commands_of(program):
                assert f'.SS "{command.name}"' in text
                assert all(f"\\fB{parameter.written}\\fR" in plain for parameter in command.parameters)


def test_the_sdist_can_make_the_same_wheel(built: Path, tmp_path: Path) -> None:
    with tarfile.open(built / f"conform-{__version__}.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    (source,) = tmp_path.iterdir()
    tops = {path.name for path in source.iterdir()}
    assert {"harness", "refbot", "tests", "docs", "LICENSE", "README.md", "CHANGELOG.md"} <= tops
    assert not {name for name in tops if name.startswith(".")} - {".gitignore"}
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "again")],
        cwd=source,
        check=True,
        capture_output=True,
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
    )
    with zipfile.ZipFile(wheel(built)) as first, zipfile.ZipFile(wheel(tmp_path / "again")) as second:
        assert set(second.namelist()) == set(first.namelist())


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a blank in its name, and in it an empty environment with the wheel."""
    folder = tmp_path_factory.mktemp("a user") / "my bots"
    folder.mkdir()
    subprocess.run([sys.executable, "-m", "venv", str(folder / "env")], check=True)
    pip = [str(folder / "env" / "bin" / "python"), "-m", "pip", "install", "--quiet", "--no-input"]
    plain = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run([*pip, str(wheel(built))], check=True, env=plain)
    return folder


def run(folder: Path, *words: str, timeout: float = 300) -> subprocess.CompletedProcess[str]:
    """Run a program of the environment as a new user: nothing but PATH and an empty HOME."""
    home = folder / "home"
    home.mkdir(exist_ok=True)
    environment = {"PATH": f"{folder / 'env' / 'bin'}:{os.defpath}", "HOME": str(home), "LANG": "C.UTF-8"}
    return subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, text=True, timeout=timeout, check=False
    )


@pytest.mark.slow
def test_every_command_works_from_the_wheel_alone(installed: Path) -> None:
    def succeeds(*words: str) -> str:
        done = run(installed, *words)
        assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
        return done.stdout

    assert succeeds("conform", "--version") == f"conform {__version__}\n"
    assert "### eye" in succeeds("conform", "spec", "eye")
    assert succeeds("conform", "docs", "tutorial").startswith("# Write a reference bot")
    assert "ref.eye.edge" in succeeds("conform", "explain", "eye")
    assert json.loads(succeeds("conform", "vectors", "eye", "--json"))["searches"]
    report = succeeds("conform", "check", "refbot gtp", "--only", "ref.nodes.*", "--html", "a report.html")
    assert "conforms  refbot gtp" in report
    assert (installed / "a report.html").is_file()
    assert succeeds("conform", "check", "env/bin/refbot gtp", "--only", "gtp.admin.*", "-q")
    succeeds("conform", "explore", "refbot gtp --playouts 100", "--sessions", "2", "--jobs", "1")
    succeeds("conform", "seeds", "hillis-antigo", "--playouts", "1000")
    assert "wrote configs/quick.toml" in succeeds("conform", "init")
    match = ("conform", "match", "configs/quick.toml", "--size", "5", "--games", "4")
    assert run(installed, *match, "--out", "runs/first one").returncode in (0, 3)  # four games decide nothing
    assert (installed / "runs" / "first one" / "report.html").is_file()
    assert "nightly" in succeeds("conform", "schedule", "configs/nightly.toml", "--list")
    assert (installed / "env" / "share" / "man" / "man1" / "conform.1").is_file()
    places = succeeds(
        "env/bin/python", "-c", "import harness, refbot; print(harness.__file__, refbot.__file__)"
    )
    assert places.count(str(installed)) == 2
