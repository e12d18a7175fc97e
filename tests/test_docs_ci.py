"""The commands and recipes of docs/ci.md, run as the page shows them."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from tests.command_line import write_script

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "ci.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", PAGE, re.M | re.S)
SHELL = [text for language, text in BLOCKS if language == "sh"]
(WORKFLOW,) = (yaml.safe_load(text) for language, text in BLOCKS if language == "yaml")
RUNS = [step["run"] for step in WORKFLOW["jobs"]["conformance"]["steps"] if "run" in step]

RIGHT = shlex.join([sys.executable, "-m", "refbot.cli", "gtp"])
WRONG = f"{RIGHT} --fault nodes-one-pass"
FEW = "--only ref.nodes.three --only gtp.admin.name"
"""Words added to each `conform check` of the page, which would run all checks."""


Shell = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def shell(project: Path, installed_wheel: Path) -> Shell:
    """Runs a line in the project, where the wheel is installed; a check is limited to a few."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "GIT_"))}
    env["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{env['PATH']}"
    env["PYTHONPATH"] = str(installed_wheel)

    def shell(line: str, **more: str) -> subprocess.CompletedProcess[str]:
        line = re.sub(r"conform check \./\w+", rf"\g<0> {FEW}", line)
        line = re.sub(r"pytest (.*)", r'pytest \1 -k "ref.nodes.three or gtp.admin.name"', line)
        return subprocess.run(
            line,
            shell=True,
            cwd=project,
            env=env | more,
            capture_output=True,
            text=True,
            check=False,
        )

    return shell


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a right bot, a wrong one, and a target that builds them."""
    write_script(tmp_path / "mybot", f"exec {RIGHT}")
    write_script(tmp_path / "wrongbot", f"exec {WRONG}")
    (tmp_path / "Makefile").write_text("all:\n\t@true\n")
    return tmp_path


def test_every_command_is_one_that_is_tested_here() -> None:
    lines = [line for text in SHELL for line in text.splitlines()]
    programs = {line.split()[0] for line in lines if not line.startswith((" ", "case", "esac"))}
    assert programs == {"conform", "pytest", "make", "git"}
    assert [run.split()[0] for run in RUNS] == ["python", "refbot", "make", "conform"]


def test_the_first_command_writes_its_files(project: Path, shell: Shell) -> None:
    done = shell(SHELL[0])
    assert done.returncode == 0, done.stderr
    for name in re.findall(r"\S+\.(?:xml|html|md)", SHELL[0]):
        assert (project / name).stat().st_size > 0


@pytest.mark.slow  # two whole checks
def test_steps_of_the_workflow(project: Path, shell: Shell) -> None:
    """Without the installation of the wheel, which the tests of the plugin do."""
    summary = project / "summary"
    warm, make, check = RUNS[1:]
    assert shell(f"{warm} && {make}").returncode == 0
    for bot, code, verdict in (("./mybot", 0, "conforms"), ("./wrongbot", 1, "deviates")):
        done = shell(check.replace("./mybot", bot), GITHUB_STEP_SUMMARY=str(summary))
        assert done.returncode == code, done.stderr
        assert f"{verdict}: <code>" in summary.read_text("utf-8")
        errors = re.findall(r"^::error title=([\w.-]+)", done.stdout, re.M)
        assert ("ref.nodes.three" in errors) == bool(code)
    assert ET.parse(project / "report.xml").find("testsuite/testcase/failure") is not None


def test_the_table_of_engines_is_made_by_its_workflow(project: Path, shell: Shell) -> None:
    """The steps that check and write the site, with two small bots in place of the engines."""
    workflow = yaml.safe_load((ROOT / "configs" / "engines-site.yml").read_text("utf-8"))
    steps = [step["run"] for step in workflow["jobs"]["engines"]["steps"] if "run" in step]
    check, site = (run for run in steps if "conform check" in run or "--site" in run)
    (project / "reports").mkdir()
    check = re.sub(r'"(/usr/games/gnugo|refbot) [^"]*"', "./mybot", check, count=1)
    check = re.sub(r'"refbot [^"]*"', "./wrongbot", check).replace('check "$2"', f'check "$2" {FEW}')
    done = shell(check)
    assert done.returncode == 0, done.stdout + done.stderr
    assert len([*(project / "reports").glob("*.json")]) == 2
    assert shell(site).returncode == 0
    history = (project / "site" / "engine-1.html").read_text("utf-8")  # one name: one engine
    assert all(word in history for word in ("conforms", "deviates", "refbot"))


@pytest.mark.slow  # two whole checks
def test_known_failures_of_the_page(project: Path, shell: Shell) -> None:
    write, use = (text for text in SHELL if "known-failures" in text)
    assert shell(write).returncode == 1
    assert "ref.nodes.three" in (project / "known-failures.txt").read_text()
    for line in use.splitlines():
        done = shell(line)
        assert done.returncode == 0, done.stdout + done.stderr


def test_pytest_of_the_page(project: Path, shell: Shell) -> None:
    (line,) = (text for text in SHELL if text.startswith("pytest"))
    done = shell(line)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "passed" in done.stdout


@pytest.mark.slow
def test_bisect_finds_the_commit_and_skips_what_cannot_be_judged(project: Path, shell: Shell) -> None:
    (script,) = (text for text in SHELL if "esac" in text)
    (search,) = (text for text in SHELL if text.startswith("git bisect"))
    (project / "bisect.sh").write_text(script)
    git = "git -c user.name=test -c user.email=test@example.org"
    shell(f"{git} init -q && echo bisect.sh > .gitignore && {git} add -A")
    states = {
        "v1.0": (RIGHT, "all:\n\t@true\n"),
        "unbuildable": (RIGHT, "all:\n\t@false\n"),
        "unusable": ("true", "all:\n\t@true\n"),
        "right": (RIGHT, "all:\n\t@true\n"),
        "broken": (WRONG, "all:\n\t@true\n"),
        "later": (f"{WRONG} --size 9", "all:\n\t@true\n"),
    }
    for name, (command, makefile) in states.items():
        write_script(project / "mybot", f"exec {command}")
        (project / "Makefile").write_text(makefile)
        done = shell(f"{git} add -A && {git} commit -qm {name} && {git} tag {name}")
        assert done.returncode == 0, done.stderr
    done = shell(search)
    assert done.returncode == 0, done.stdout + done.stderr
    broken = shell("git rev-parse broken").stdout.strip()
    assert f"{broken} is the first bad commit" in done.stdout


@pytest.mark.parametrize(("code", "translated"), [(0, 0), (1, 1), (3, 125), (4, 125), (2, 255), (70, 255)])
def test_exit_codes_as_bisect_wants_them(code: int, translated: int, project: Path, shell: Shell) -> None:
    (script,) = (text for text in SHELL if "esac" in text)
    programs = project / "programs"
    programs.mkdir()
    write_script(programs / "conform", f"exec sh -c 'exit {code}'")
    (project / "bisect.sh").write_text(f'PATH="{programs}:$PATH"\n{script}')
    assert shell("sh bisect.sh").returncode == translated
