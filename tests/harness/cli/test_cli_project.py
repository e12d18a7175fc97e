"""The settings of a project: which file is used, what it may hold, and what overrides it."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from harness.cli.init_project import TEMPLATE
from harness.cli.project_file import CheckTable, read_project
from tests.command_line import bot, conform, write_script

BOT = bot("pure_bot.py")
SETTINGS = f"""
[check]
bot = {json.dumps(BOT)}
only = ["gtp.admin.name"]
"""


def settings_in(folder: Path, text: str = SETTINGS, name: str = "conform.toml") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / name
    file.write_text(text)
    return file


def commands_of(folder: Path, *words: object) -> list[str]:
    """The bots that a check in this folder checks."""
    done = conform("check", *words, "--json", "-", cwd=folder)
    assert done.returncode == 0, done.stderr
    return [entry["command"] for entry in json.loads(done.stdout)["bots"]]


def test_check_without_a_bot_checks_that_of_the_project(tmp_path: Path) -> None:
    file = settings_in(tmp_path)
    done = conform("check", cwd=tmp_path)
    assert done.returncode == 0
    assert f"settings of {file}: BOT, --only\n" in done.stdout


def test_the_nearest_file_above_is_used_and_the_bot_runs_in_its_folder(tmp_path: Path) -> None:
    settings_in(tmp_path, "[check]\nbot = 'no such bot'")
    (tmp_path / "project").mkdir()
    write_script(tmp_path / "project" / "mybot", f"exec {BOT}")
    settings_in(tmp_path / "project", SETTINGS.replace(json.dumps(BOT), "'./mybot'"))
    inner = tmp_path / "project" / "src" / "deep"
    inner.mkdir(parents=True)
    assert commands_of(inner) == ["./mybot"]


def test_a_pyproject_counts_if_it_has_the_table(tmp_path: Path) -> None:
    text = SETTINGS.replace("[check]", "[tool.conform.check]")
    settings_in(tmp_path, text, "pyproject.toml")
    settings_in(tmp_path / "part", "[tool.ruff]\n", "pyproject.toml")  # of another tool: it hides nothing
    assert commands_of(tmp_path / "part") == [BOT]
    settings_in(tmp_path / "part", "tool = 3\n", "pyproject.toml")
    assert commands_of(tmp_path / "part") == [BOT]


def test_options_override_the_file(tmp_path: Path) -> None:
    settings_in(tmp_path, "[check]\nbot = 'no such bot'\nonly = ['gtp.admin.name']\nplayouts = 30\n")
    done = conform("check", BOT, "--only", "gtp.admin.known-command", "--json", "-", cwd=tmp_path)
    assert "settings of" in done.stdout + done.stderr  # --playouts
    entry = json.loads(done.stdout)["bots"][0]
    assert (entry["command"], [check["id"] for check in entry["checks"]]) == (
        BOT,
        ["gtp.admin.known-command"],
    )


def test_settings_of_which_nothing_is_used_are_not_named(tmp_path: Path) -> None:
    settings_in(tmp_path, "[check]\nbot = 'no such bot'\n")
    done = conform("check", BOT, "--only", "gtp.admin.name", cwd=tmp_path)
    assert done.returncode == 0
    assert "settings of" not in done.stdout + done.stderr


def test_every_key_is_an_option_of_check(tmp_path: Path) -> None:
    """Each value arrives: a wrong one is refused by the option that it stands for."""
    keys = {field.alias or name for name, field in CheckTable.model_fields.items()} - {"reports", "bot"}
    wrong = {
        "playouts": 0, "size": 7, "budget": "never", "jobs": 0, "only": ["nothing"], "skip": ["nothing"],
        "startup": "soon", "timeout": "soon", "with": "missing", "known_failures": "missing",
        "profile": "none", "rules": "ko=none",
    }  # fmt: skip
    for key, value in wrong.items():
        settings_in(tmp_path, f"{SETTINGS.replace('only', '#')}\n{key} = {json.dumps(value)}\n")
        done = conform("check", cwd=tmp_path)
        shown = f"--{key}" if isinstance(value, int) else f"{value}".strip("[]'").removesuffix("=none")
        assert (done.returncode, shown in done.stderr) == (2, True), key
    right = {"seed": 2, "strict": True, "sandbox": False, "env": {"A": "b"}}
    assert wrong.keys() | right.keys() == keys
    for key, value in right.items():
        shown = '{A = "b"}' if key == "env" else json.dumps(value)
        settings_in(tmp_path, f"{SETTINGS}\n{key} = {shown}\n")
        assert f"--{key}" in conform("check", cwd=tmp_path).stdout.splitlines()[0]


def test_reports_are_written_beside_the_file(tmp_path: Path) -> None:
    reports = '[check.reports]\njson = "report.json"\njunit = "report.xml"\nhtml = "report.html"\n'
    settings_in(tmp_path, SETTINGS + reports)
    (tmp_path / "inner").mkdir()
    assert conform("check", cwd=tmp_path / "inner").returncode == 0
    assert {"report.json", "report.xml", "report.html"} <= {file.name for file in tmp_path.iterdir()}


def test_no_config_uses_none(tmp_path: Path) -> None:
    settings_in(tmp_path)
    done = conform("check", "--no-config", cwd=tmp_path)
    assert done.returncode == 2
    assert "no BOT is given" in done.stderr
    named = ("--config", "conform.toml")
    for words in (("--no-config", *named), (*named, "--no-config")):
        both = conform("check", *words, cwd=tmp_path)
        assert (both.returncode, "exclude each other" in both.stderr) == (2, True)


def test_another_file_can_be_named(tmp_path: Path) -> None:
    settings_in(tmp_path, "[check]\nbot = 'no such bot'")
    other = settings_in(tmp_path / "ci", name="nightly.toml")
    done = conform("check", "--config", other, "-q", cwd=tmp_path)
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[check]\nplayout = 3\n", ["conform.toml:2", "[check] playout", "did you mean 'playouts'"]),
        ("[check]\nplayouts = 'many'\n", ["conform.toml:2", "integer, not 'many'"]),
        ("[chek]\n", ["chek", "did you mean 'check'"]),
        ("[check.reports]\nxml = 'a'\n", ["[check.reports] xml", "known: json, junit"]),
        ("[check\n", ["conform.toml:1", "is not TOML"]),
        ("[check]\nbot = 3\n", ["conform.toml:2: [check] bot: should be an array, not 3\n"]),
    ],
)
def test_each_mistake_has_its_line(tmp_path: Path, text: str, expected: list[str]) -> None:
    settings_in(tmp_path, text)
    done = conform("check", cwd=tmp_path)
    assert done.returncode == 2
    for words in expected:
        assert words in done.stderr


@pytest.mark.parametrize(
    ("value", "mistake"),
    [
        ("bot = ''", "[check] bot: String should have at least 1 character, not ''"),
        ("bot = ['a', 3]", "[check.bot] 1: should be a valid string, not 3"),
        ("budget = -1", "[check] budget: should be greater than 0, not -1"),
        ("env = {str = 1}", "[check.env] str: should be a valid string, not 1"),
    ],
)
def test_a_value_of_two_types_has_one_mistake(tmp_path: Path, value: str, mistake: str) -> None:
    file = settings_in(tmp_path, f"[check]\n{value}\n")
    done = conform("check", cwd=tmp_path)
    assert done.stderr == f"conform: {file}:2: {mistake}\n"


def test_explore_uses_the_bot_too(tmp_path: Path) -> None:
    settings_in(tmp_path, "[check]\nbot = 'no-such-bot'\n")
    done = conform("explore", "--for", "1", cwd=tmp_path)
    assert done.returncode == 4
    assert "no-such-bot" in done.stdout


def test_several_bots_are_a_list(tmp_path: Path) -> None:
    assert read_project(settings_in(tmp_path, "[check]\nbot = ['./a', './b']")).bots == ["./a", "./b"]


def test_init_asks_the_bot_and_writes_its_settings(tmp_path: Path) -> None:
    done = conform("init", "--bot", BOT, cwd=tmp_path)
    assert done.returncode == 0
    assert read_project(tmp_path / "conform.toml").bots == [BOT]
    again = conform("init", "--bot", "another", cwd=tmp_path)
    assert (again.returncode, "left unchanged" in again.stdout) == (0, True)
    assert read_project(tmp_path / "conform.toml").bots == [BOT]
    assert conform("check", "--only", "gtp.admin.name", "-q", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize(
    ("command", "playouts"), [(bot("pure_bot.py", "--playouts", 55), 55), (bot("instant.py"), 1000)]
)
def test_init_offers_the_number_of_playouts_of_the_bot(tmp_path: Path, command: str, playouts: int) -> None:
    assert conform("init", "--bot", command, cwd=tmp_path).returncode == 0
    text = (tmp_path / "conform.toml").read_text()
    assert f"\n# playouts = {playouts} " in text
    assert "\n# jobs = " in text


def test_init_keeps_every_character_of_the_command(tmp_path: Path) -> None:
    command = shlex.join(["sh", "-c", f"exec {BOT}", '"', "\\", "\x7f", "囲碁"])
    assert conform("init", "--bot", command, cwd=tmp_path).returncode == 0
    assert read_project(tmp_path / "conform.toml").bots == [command]


def test_every_key_that_init_suggests_is_accepted(tmp_path: Path) -> None:
    """Each comment that assigns a value, without its number sign, is a line of a right file."""
    text = TEMPLATE.format(who="", bot='"./mybot"', playouts="# playouts = 1000")
    suggested = [line for line in text.splitlines() if line.startswith("# ") and " = " in line]
    assert len(suggested) > 8
    file = settings_in(
        tmp_path,
        "\n".join(line.removeprefix("# ") if line in suggested else line for line in text.splitlines()),
    )
    assert read_project(file).check.playouts == 1000


def test_init_writes_nothing_for_a_bot_that_cannot_be_used(tmp_path: Path) -> None:
    done = conform("init", "--bot", "cat", cwd=tmp_path)
    assert done.returncode == 4
    assert "not a GTP engine" in done.stdout
    assert not list(tmp_path.iterdir())
