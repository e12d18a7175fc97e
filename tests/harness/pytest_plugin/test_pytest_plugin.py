"""The pytest plugin as its users have it: from the wheel, in a project that is not ours."""

from __future__ import annotations

import gc
import json
import os
import re
import shlex
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import asdict, replace
from io import StringIO
from pathlib import Path
from unittest.mock import patch

import pytest

from harness.check.phases.settings import RunSettings
from harness.gtp import Launch, Limits
from harness.pytest_plugin.bot_run import BotRun, Report, summaries
from harness.suite.registry import CHECKS, select
from harness.tools.packing import PACKAGE
from tests.command_line import Done, bot, environment, write_script
from tests.parameters import slow_but

RIGHT = bot("pure_bot.py", "--playouts", 50)
WRONG = bot("wrong_pure.py", "nodes-one-pass", "--playouts", 50)
HABITUAL = shlex.join([sys.executable, "-m", "refbot.cli", "gtp", "--habit", "setup-answers-text"])
CHOSEN = "ref.nodes.three or gtp.admin.name"
"""An expression for -k; it selects the checks of `chosen`."""

Run = Callable[..., Done]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a test of its own."""
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --strict-markers --strict-config\n")
    (tmp_path / "test_own.py").write_text("def test_own():\n    pass\n")
    return tmp_path


def without_ours() -> dict[str, str]:
    """The environment without the variables of the pytest that runs these tests."""
    return {name: value for name, value in environment().items() if not name.startswith(("PYTEST", "COV"))}


@pytest.fixture
def run(project: Path) -> Run:
    """Runs pytest in the project, in this process; its tests are in `report.xml` afterwards."""

    def run(*words: str) -> Done:
        arguments = ["--junitxml", "report.xml", "--import-mode=importlib", "--capture=sys", *words]
        out, err = StringIO(), StringIO()
        gc.freeze()  # pytest collects garbage ten times at its end
        with (
            chdir(project),
            patch.dict(os.environ, without_ours(), clear=True),
            redirect_stdout(out),
            redirect_stderr(err),
        ):
            code = pytest.main(arguments)
        return Done(arguments, int(code), out.getvalue(), err.getvalue())

    return run


@pytest.fixture
def run_installed(installed_wheel: Path, project: Path) -> Run:
    """Runs pytest in the project as a program, with the plugin of the wheel."""

    def run(*words: str) -> Done:
        env = without_ours() | {"PYTHONPATH": str(installed_wheel)}
        command = [sys.executable, "-m", "pytest", "--junitxml", "report.xml", *words]
        return subprocess.run(command, cwd=project, env=env, capture_output=True, text=True, check=False)

    return run


def outcomes(project: Path) -> dict[str, str]:
    """By name of a test: passed, failure, error or skipped."""
    cases = ET.parse(project / "report.xml").getroot().iter("testcase")
    return {case.get("name", ""): next((part.tag for part in case), "passed") for case in cases}


def chosen() -> set[str]:
    return {check.id for check in CHECKS if "ref.nodes.three" in check.id or "gtp.admin.name" in check.id}


def test_without_a_bot_the_plugin_does_nothing(run_installed: Run, project: Path) -> None:
    (project / "test_own.py").write_text(
        f"import sys\n\ndef test_own():\n    assert '{PACKAGE}.harness' in sys.modules\n"
        f"    assert '{PACKAGE}.harness.check' not in sys.modules\n"
    )
    done = run_installed()
    assert (done.returncode, outcomes(project)) == (0, {"test_own": "passed"})


@pytest.mark.parametrize("level", slow_but(("should",), ["must", "should", "info"]))
def test_every_check_is_a_test_with_the_marker_of_its_level(run: Run, level: str) -> None:
    done = run("--conform-bot", "no-such-bot", "--collect-only", "-q", "-m", f"conform_{level}")
    found = set(re.findall(r"^conform::(\S+)$", done.stdout, re.M))
    assert found == {check.id for check in CHECKS if check.level == level}


def test_a_right_bot_passes_with_the_tests_of_the_project(run: Run, project: Path) -> None:
    done = run("--conform-bot", RIGHT, "-k", f"{CHOSEN} or test_own")
    assert done.returncode == 0, done.stdout
    assert outcomes(project) == dict.fromkeys({*chosen(), "test_own"}, "passed")
    assert f"conforms  {RIGHT}" in done.stdout
    assert f"collected {len(CHECKS) + 1} items" in done.stdout


def test_a_wrong_bot_fails_its_check_with_what_helps(run: Run, project: Path) -> None:
    done = run("--conform-bot", WRONG, "-k", CHOSEN)
    assert done.returncode == 1
    failed = {name for name, outcome in outcomes(project).items() if outcome != "passed"}
    assert "ref.nodes.three" in failed
    assert "gtp.admin.name" not in failed
    for part in ("expected   3.000 moves a playout", "observed   2.000", "Start here, "):
        assert part in done.stdout
    assert "Traceback" not in done.stdout


def test_the_command_that_shows_a_failure_again_has_the_options(run: Run) -> None:
    options = ["--conform-playouts", "100", "--conform-profile", "reference", "--conform-seed", "2"]
    done = run("--conform-bot", WRONG, "-k", "ref.nodes.three", *options)
    assert "--playouts 100 --profile reference --seed 2 --only ref.nodes.three" in done.stdout


def test_a_bot_gets_the_time_that_the_options_give_it(run: Run) -> None:
    done = run("--conform-bot", "sh -c 'cat >/dev/null'", "-k", "gtp.admin.name", "--conform-startup", "1")
    assert done.returncode == 1
    assert "it printed nothing within 1 s" in done.stdout


def test_known_failures_are_strict_both_ways(run: Run, project: Path) -> None:
    (project / "known.txt").write_text("ref.nodes.three  # one move too few\n")
    words = ("-k", "ref.nodes.three", "--conform-known-failures", "known.txt")
    wrong = run("--conform-bot", WRONG, *words)
    assert (wrong.returncode, outcomes(project)["ref.nodes.three"]) == (0, "skipped")
    assert "xfailed" in wrong.stdout
    assert f"as expected  {WRONG}: 1 known failure" in wrong.stdout
    assert "Start here" not in wrong.stdout
    right = run("--conform-bot", RIGHT, *words)
    assert (right.returncode, outcomes(project)["ref.nodes.three"]) == (1, "failure")
    assert "XPASS(strict)" in right.stdout


@pytest.mark.slow
def test_a_failed_should_fails_its_test_only_with_strict(run: Run, project: Path) -> None:
    (check,) = select(["gtp.setup.no-text"])
    assert check.level == "should"
    assert run("--conform-bot", HABITUAL, "-k", check.id).returncode == 0
    assert outcomes(project)[check.id] == "skipped"
    assert run("--conform-bot", HABITUAL, "-k", check.id, "--conform-strict").returncode == 1


def test_a_bot_that_cannot_be_run_is_one_failure(run: Run, project: Path) -> None:
    done = run("--conform-bot", "no-such-bot", "-k", CHOSEN)
    assert done.returncode == 1
    assert sorted(outcomes(project).values()) == ["failure", *["skipped"] * (len(chosen()) - 1)]


def test_a_bot_that_cannot_be_run_is_no_known_failure(run: Run, project: Path) -> None:
    (project / "known.txt").write_text("".join(f"{check}\n" for check in chosen()))
    done = run("--conform-bot", "no-such-bot", "-k", CHOSEN, "--conform-known-failures", "known.txt")
    assert done.returncode == 1
    assert "the bot cannot be run" in done.stdout
    assert "Traceback" not in done.stdout


@pytest.mark.slow  # three processes
def test_every_check_can_be_reported_by_a_worker_of_xdist(run_installed: Run, project: Path) -> None:
    done = run_installed("--conform-bot", "no-such-bot", "-n", "2")
    assert done.returncode == 1, done.stdout
    assert set(outcomes(project)) == {*(check.id for check in CHECKS), "test_own"}


def test_an_undecided_check_fails_its_test_on_request(run: Run, project: Path) -> None:
    words = ("--conform-bot", RIGHT, "-k", "ref.empty.symmetry", "--conform-budget", "0.1")
    assert run(*words).returncode == 0
    assert set(outcomes(project).values()) == {"skipped"}
    done = run(*words, "--conform-decided")
    assert done.returncode == 1
    assert "undecided: " in done.stdout


def test_a_second_process_takes_the_results_of_the_first(tmp_path: Path) -> None:
    """Two runs with one folder, as two workers of pytest-xdist have them."""
    settings = RunSettings(Launch(RIGHT), select(["gtp.admin.name"]), limits=Limits(120, 120), instances=1)
    first = BotRun(settings, 1, tmp_path, strict=False)
    ended = first.run_check("gtp.admin.name", ["gtp.admin.name"])
    assert ended.outcome == "pass"
    second = BotRun(replace(settings, launch=Launch("no-such-bot")), 1, tmp_path, strict=False)
    assert second.run_check("gtp.admin.name", ["gtp.admin.name"]) == ended


def test_summaries_of_workers_are_in_the_order_of_the_bots(tmp_path: Path) -> None:
    for number in (10, 2, 1):
        report = asdict(Report({}, [f"bot {number}"], interrupted=False))
        (tmp_path / f"bot-{number}.json").write_text(json.dumps(report))
    assert list(summaries((), tmp_path)) == [["bot 1"], ["bot 2"], ["bot 10"]]


@pytest.mark.slow  # three processes; the test before this one finds runs that are not shared
def test_workers_of_xdist_share_one_run(run_installed: Run, project: Path) -> None:
    log = project / "starts"
    write_script(project / "bot.sh", f'echo $PPID >> "{log}"\nexec {RIGHT}')
    done = run_installed("--conform-bot", "./bot.sh", "-k", CHOSEN, "-n", "2", "-v")
    assert done.returncode == 0, done.stdout
    assert "conforms  ./bot.sh" in done.stdout
    reporting = set(re.findall(r"^\[(gw\d)\].* PASSED", done.stdout, re.M))
    assert reporting == {"gw0", "gw1"}
    starters = set(log.read_text().split())  # processes; how often one starts the bot depends on the load
    assert len(starters) == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--conform-budget", "fast"), "unknown budget 'fast'"),
        (("--conform-startup", "soon"), "soon"),
        (("--conform-timeout", "0.01"), "a time limit is at least"),
        (("--conform-known-failures", "missing.txt"), "cannot read missing.txt"),
    ],
)
def test_a_mistake_in_the_options_is_a_usage_error(run: Run, words: tuple[str, ...], message: str) -> None:
    done = run("--conform-bot", RIGHT, *words)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert message in done.stderr
