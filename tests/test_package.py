"""The wheel and the sdist: their content, and that the wheel works without the checkout."""

from __future__ import annotations

import ast
import email
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

from harness import __version__
from harness.tools.conda import write_recipe
from harness.tools.packing import ENTRIES, PACKAGE, rename_packages

ROOT = Path(__file__).parents[1]
PACKAGES = ("harness", "refbot")
MANUAL = f"{PACKAGE}-{__version__}.data/data/share/man/man1"
LEFT_OUT = "harness/tools"
"""Programs for a checkout only."""


def wheel(folder: Path) -> Path:
    return folder / f"{PACKAGE}-{__version__}-py3-none-any.whl"


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
        found = {name for name in archive.namelist() if ".dist-info/" not in name}
    configs = {f"harness/{name}" for name in in_checkout("configs") if name.endswith((".toml", ".yml"))}
    manual = {f"{MANUAL}/{program}.1" for program in ("conform", "refbot")}
    docs = {f"harness/{name}" for name in in_checkout("docs")}
    readme = {"harness/docs/readme.md"}
    inside = {*in_checkout(*PACKAGES), *configs, *docs, *readme, *ENTRIES}
    assert found == {f"{PACKAGE}/{name}" for name in inside} | manual
    assert {f"{PACKAGE}/{typed}" for typed in ("py.typed", "harness/py.typed", "refbot/py.typed")} <= found


def test_no_module_of_the_wheel_has_a_name_that_another_project_may_use(built: Path) -> None:
    with zipfile.ZipFile(wheel(built)) as archive:
        modules = [name for name in archive.namelist() if name.endswith(".py")]
        for name in modules:
            for node in ast.walk(ast.parse(archive.read(name))):
                if isinstance(node, ast.Import):
                    imported = [alias.name for alias in node.names]
                else:
                    imported = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
                assert not {name.partition(".")[0] for name in imported} & {*PACKAGES}, name


def test_what_a_release_has_beside_the_wheel(built: Path, tmp_path: Path) -> None:
    shutil.copytree(built, tmp_path / "dist")
    subprocess.run(
        [sys.executable, "-m", "harness.tools.release", "dist"],
        cwd=tmp_path,
        check=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    names = {path.name for path in (tmp_path / "dist").iterdir()} - {"SHA256SUMS"}
    assert {"conform.1", "refbot.1", "sbom.json", "recipe.yaml", wheel(built).name} < names
    done = subprocess.run(
        ["sha256sum", "--check", "SHA256SUMS"],
        cwd=tmp_path / "dist",
        check=True,
        capture_output=True,
        text=True,
    )
    assert {line.partition(":")[0] for line in done.stdout.splitlines()} == names
    bill = json.loads((tmp_path / "dist" / "sbom.json").read_text())
    listed = {(each["name"], each["version"]) for each in bill["components"]}
    pins = re.findall(r"^([\w.-]+)==(\S+)", (ROOT / "requirements-run.lock").read_text("utf-8"), re.M)
    assert listed == set(pins)
    assert {"numba", "numpy", "pexpect", "pandas", "scipy"} <= {name for name, _ in listed}


def test_the_recipe_for_conda_says_what_the_wheel_says(built: Path, tmp_path: Path) -> None:
    archive = shutil.copy(built / f"{PACKAGE}-{__version__}.tar.gz", tmp_path)
    write_recipe(Path(archive), __version__, "0" * 64)
    recipe = yaml.safe_load((tmp_path / "recipe.yaml").read_text(encoding="utf-8"))
    with zipfile.ZipFile(wheel(built)) as opened:
        metadata, entries = (
            opened.read(f"{PACKAGE}-{__version__}.dist-info/{name}").decode("utf-8")
            for name in ("METADATA", "entry_points.txt")
        )
    message = email.message_from_string(metadata)
    required = [text for text in message.get_all("Requires-Dist", []) if "extra ==" not in text]
    run = recipe["requirements"]["run"]
    found = {Requirement(text) for text in run if not text.startswith(("__linux", "python "))}
    assert found == set(map(Requirement, required))
    assert f"python {message['Requires-Python']}" in run
    assert recipe["package"] == {"name": message["Name"], "version": __version__}
    assert recipe["source"] == {"path": Path(archive).name, "sha256": "0" * 64}
    assert all(entry in entries for entry in recipe["build"]["python"]["entry_points"])
    assert len(recipe["build"]["python"]["entry_points"]) == len(PACKAGES)


def test_a_module_is_packed_under_its_new_name() -> None:
    source = (
        "import harness\nfrom harness.gtp import Launch\nfrom harness_of_mine import x\n"
        "def f():\n    from refbot import Game\n"
        "    return ['-m', 'refbot.cli', 'refbot', \"harness.report.html\"]\n"
    )
    assert rename_packages(source) == (
        "from gtp_conform import harness\nfrom gtp_conform.harness.gtp import Launch\n"
        "from harness_of_mine import x\n"
        "def f():\n    from gtp_conform.refbot import Game\n"
        "    return ['-m', 'gtp_conform.refbot.cli', 'refbot', \"gtp_conform.harness.report.html\"]\n"
    )


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
    with tarfile.open(built / f"{PACKAGE}-{__version__}.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    (source,) = tmp_path.iterdir()
    tops = {path.name for path in source.iterdir()}
    assert {"harness", "refbot", "tests", "docs", "LICENSE", "README.md", "CHANGELOG.md"} <= tops
    locks = re.findall(r"[\w-]+\.lock", (source / "Makefile").read_text(encoding="utf-8"))
    assert {*locks, "action.yml", "Containerfile", "mkdocs.yml"} <= tops, "make and the tests read these"
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


def interpreter(version: str) -> str:
    """The program of a version of Python. Skips the test if it is not installed."""
    if version == f"{sys.version_info.major}.{sys.version_info.minor}":
        return sys.executable
    names = [
        shutil.which(f"python{version}") or "",
        *Path.home().glob(f".pyenv/versions/{version}.*/bin/python"),
    ]
    for name in filter(None, map(str, names)):
        if subprocess.run([name, "-c", ""], check=False, capture_output=True).returncode == 0:
            return name
    pytest.skip(f"Python {version} is not installed")


@pytest.fixture(
    scope="module",
    params=[*(("*.whl", version) for version in ("3.11", "3.12", "3.13", "3.14")), ("*.tar.gz", "3.11")],
    ids=lambda param: f"{param[0].rpartition('.')[2]}-{param[1]}",
)
def installed(request: pytest.FixtureRequest, built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a blank in its name, and in it an empty environment with an artefact, and pytest."""
    pattern, version = request.param
    (artefact,) = built.glob(pattern)
    folder = tmp_path_factory.mktemp("a user") / "my bots"
    folder.mkdir()
    plain = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run([interpreter(version), "-m", "venv", str(folder / "env")], check=True, env=plain)
    pip = [str(folder / "env" / "bin" / "python"), "-m", "pip", "install", "--quiet", "--no-input"]
    subprocess.run([*pip, str(artefact), "pytest"], check=True, env=plain)
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
    readme = succeeds("conform", "docs", "readme")
    assert "    conform check ./mybot\n" in readme
    assert ".venv/bin/conform" not in readme
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
        "env/bin/python",
        "-c",
        rename_packages("import harness\nimport refbot\n") + "print(harness.__file__, refbot.__file__)",
    )
    assert places.count(str(installed)) == 2


@pytest.mark.slow
def test_the_plugin_works_beside_another_package_of_the_name_harness(installed: Path) -> None:
    project = installed / "project"
    (project / "harness").mkdir(parents=True)
    (project / "harness" / "__init__.py").write_text("mine = True\n")
    (project / "test_mine.py").write_text("import harness\n\ndef test_mine():\n    assert harness.mine\n")
    words = ("env/bin/python", "-m", "pytest", "-q", "project", "--rootdir", "project")
    chosen = ("--conform-bot", "env/bin/refbot gtp", "-k", "gtp.admin.name or mine")
    done = run(installed, *words, *chosen)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"\b[2-9] passed", done.stdout)
