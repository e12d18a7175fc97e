"""The commands and recipes of docs/ci.md, run as the page shows them."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
import yaml

from tests.command_line import bot, write_script

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "ci.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", PAGE, re.M | re.S)
SHELL = [text for language, text in BLOCKS if language == "sh"]
(WORKFLOW,) = (yaml.safe_load(text) for language, text in BLOCKS if language == "yaml")
ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
STEPS = {step["run"].split()[0]: step for step in ACTION["runs"]["steps"] if "run" in step}
GITLAB = yaml.safe_load((ROOT / "configs" / "gitlab-ci.yml").read_text("utf-8"))["conformance"]

RIGHT = bot("pure_bot.py")
WRONG = bot("wrong_pure.py", "nodes-one-pass")
FEW = "--only ref.nodes.three --only gtp.admin.name"
"""Words added to each `conform check` of the page, which would run all checks."""


Shell = Callable[..., subprocess.CompletedProcess[str]]


def limited(script: str) -> str:
    """The same script with few checks."""
    return script.replace(" --budget", f" {FEW} --budget")


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
    assert list(STEPS) == ["python", "refbot", "mkdir"]
    assert [line.split()[0] for line in GITLAB["script"]] == ["python", "refbot", "conform"]


def test_the_first_command_writes_its_files(project: Path, shell: Shell) -> None:
    done = shell(SHELL[0])
    assert done.returncode == 0, done.stderr
    for name in re.findall(r"\S+\.(?:xml|html|md)", SHELL[0]):
        assert (project / name).stat().st_size > 0


def test_the_workflow_of_the_page_gives_the_action_what_it_takes() -> None:
    steps = WORKFLOW["jobs"]["conformance"]["steps"]
    (action,) = (step for step in steps if step.get("uses", "").startswith("OWNER/conform@"))
    assert action["with"].keys() <= ACTION["inputs"].keys()
    (kept,) = (step for step in steps if "upload-artifact" in step.get("uses", ""))
    assert kept["with"]["path"] == ACTION["inputs"]["report"]["default"]


def inputs(step: Mapping[str, object], given: dict[str, str]) -> dict[str, str]:
    """The environment that the runner makes for a step of the action."""
    values = {name: str(entry["default"]) for name, entry in ACTION["inputs"].items()} | given
    made = step.get("env", {})
    assert isinstance(made, dict)
    return {
        name: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda found: values[found[1]], text)
        for name, text in made.items()
    }


@pytest.mark.parametrize(
    ("bot", "options", "code", "verdict"),
    [
        ("./wrongbot", "", 1, "deviates"),
        ("./mybot", "$(touch executed) `touch executed`", 4, "unusable"),
        ("", "--known-failures 'known failures.txt'", 0, "conforms"),
    ],
)
def test_the_steps_of_the_action(
    bot: str, options: str, code: int, verdict: str, project: Path, shell: Shell
) -> None:
    """Without the installation of the wheel, which the tests of the wheel do."""
    (project / "known failures.txt").write_text("ref.nodes.three\n")
    (project / "conform.toml").write_text('[check]\nbot = "./wrongbot"\n')
    files = {name: str(project / name.lower()) for name in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT")}
    given = inputs(STEPS["mkdir"], {"bot": bot, "options": options, "report": "my reports"})
    done = shell(f"bash -e -o pipefail -c {shlex.quote(limited(STEPS['mkdir']['run']))}", **files, **given)
    assert done.returncode == code, done.stdout + done.stderr
    assert (project / "github_output").read_text() == f"verdict={verdict}\n"
    assert not (project / "executed").exists()
    cases = ET.parse(project / "my reports" / "report.xml").iterfind("testsuite/testcase/*")
    assert (not {"failure", "error"} & {case.tag for case in cases}) == (verdict == "conforms")
    assert ("::error title=ref.nodes.three" in done.stdout) == (verdict == "deviates")
    assert "<code>" in (project / "github_step_summary").read_text("utf-8")


def test_the_script_for_gitlab(project: Path, shell: Shell) -> None:
    """The reports that it declares are those that its script writes."""
    check = GITLAB["script"][-1]
    variables = GITLAB["variables"] | {"BOT": "./wrongbot"}
    assert shell(limited(check), **variables).returncode == 1
    declared = [*GITLAB["artifacts"]["paths"], GITLAB["artifacts"]["reports"]["junit"]]
    assert all((project / name).is_file() for name in declared)


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
    assert all(word in history for word in ("conforms", "deviates", "Pure Bot"))


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
