"""The commands in README.md and docs are accepted by the programs; reports in README.md are as shown."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

import harness.cli.app
import refbot.cli.app
from tests.command_line import Done, run_line, write_script

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
PAGES = [README, *sorted((ROOT / "docs").glob("*.md")), ROOT / "CONTRIBUTING.md"]
GROUPS: dict[str, Any] = {
    "conform": typer.main.get_command(harness.cli.app.app),
    "refbot": typer.main.get_command(refbot.cli.app.app),
}
LINE = re.compile(r"^(?:    )*(?:\$ )?(?:\.venv/bin/)?(conform|refbot) (.*)$", re.M)
"""A line of code that begins with one of the programs."""


def code(page: Path) -> str:
    """The fenced and the indented code of a page, with continued lines joined."""
    text = page.read_text("utf-8").replace("\\\n", " ")
    fenced = re.findall(r"^ *```[^\n]*\n(.*?)^ *```", text, re.M | re.S)
    indented = re.findall(r"^(?: {4,}[^\n]*\n)+", text, re.M)
    return "\n".join([*fenced, *indented])


def commands(page: Path) -> Iterator[tuple[str, str]]:
    for program, rest in LINE.findall(code(page)):
        line = re.split(r"\s[|>&](?=\s|$)", rest)[0]
        if "…" not in line and not line.startswith(" "):
            yield program, line


LINES = [
    pytest.param(program, line, id=f"{page.name}: {program} {line}")
    for page in PAGES
    for program, line in dict.fromkeys(commands(page))
]


@pytest.mark.parametrize(("program", "line"), LINES)
def test_the_program_accepts_the_command(program: str, line: str) -> None:
    group = GROUPS[program]
    with group.make_context(program, shlex.split(line, comments=True)) as context:
        words = [*context._protected_args, *context.args]
        if not words:
            return  # an option of the program itself
        command = group.commands[words[0]]
        with command.make_context(words[0], words[1:], parent=context) as parsed:
            assert not parsed.args, f"{parsed.args} are too many"


def reports() -> Iterator[tuple[str, str]]:
    """The commands of README that are shown with their output."""
    for block in re.findall(r"^    \$ .*\n(?:(?: {4}.*)?\n)*", README.read_text("utf-8"), re.M):
        first, *lines = block.rstrip().splitlines()
        yield first.removeprefix("    $ "), "\n".join(lines)


def masked(text: str) -> str:
    """Text without what differs from run to run: measured numbers, the time, how lines are broken.

    The number of all checks grows with the project.
    """
    text = re.sub(r"\d+ checks: \d+ pass, 1 skip", "#", text)
    text = re.sub(r"\d+\.\d+(e-\d+)?|\d+(?= searches)|(?<=over )\d+(?= x)", "#", text)
    return " ".join(text.split())


def test_readme_shows_reports() -> None:
    assert len(list(reports())) >= 2


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        pytest.param(command, shown, id=command, marks=() if "--only" in command else pytest.mark.slow)
        for command, shown in reports()
    ],
)
def test_the_report_is_as_shown(command: str, shown: str, tmp_path: Path) -> None:
    (tmp_path / ".venv").symlink_to(Path(sys.executable).parents[1])
    done = run_line(command, cwd=tmp_path, env={"COLUMNS": "80"})
    assert done.stderr == ""
    # Progress is printed where a check takes long.
    output = re.sub(r"^(?:\.venv/bin/refbot gtp.*: |fail ).*\n", "", done.stdout, flags=re.M)
    assert masked(output) == masked(shown), "run the command, read what it prints, and show that in README.md"


def in_a_clone(command: str, folder: Path) -> Done:
    """Run a command of README where `.venv/bin` is that of these tests, and `./mybot` is refbot."""
    programs = Path(sys.executable).parents[1]
    if not (folder / ".venv").exists():
        (folder / ".venv").symlink_to(programs)
        write_script(folder / "mybot", "exec .venv/bin/refbot gtp")
    return run_line(command, cwd=folder)


def shown_in_readme(beginning: str) -> str:
    """The one command of README that begins so, with its continued lines."""
    (found,) = (line for line in code(README).splitlines() if line.strip().startswith(beginning))
    return found.strip()


def test_the_match_of_readme_writes_what_it_says(tmp_path: Path) -> None:
    done = in_a_clone(shown_in_readme(".venv/bin/conform match --engine") + " --workers 1", tmp_path)
    assert done.returncode in (0, 3), done.stderr  # 3: undecided, as 20 games mostly are
    written = {path.name for path in (tmp_path / "reports" / "short").iterdir()}
    assert {"games.csv", "standings.csv", "sgf", "report.html"} <= written
    assert len(list((tmp_path / "reports" / "short" / "sgf").rglob("*.sgf"))) == 20


def test_the_json_of_readme_is_read_by_its_next_line(tmp_path: Path) -> None:
    check = shown_in_readme(".venv/bin/conform check ./mybot --json") + " --only gtp.admin.name"
    assert in_a_clone(check, tmp_path).returncode == 0
    assert in_a_clone(shown_in_readme(".venv/bin/python -c"), tmp_path).stdout == "conforms\n"


def test_the_configs_of_readme_are_written_and_have_their_times(tmp_path: Path) -> None:
    assert in_a_clone(shown_in_readme(".venv/bin/conform init"), tmp_path).returncode == 0
    assert (tmp_path / "configs" / "quick.toml").is_file()
    schedule = shown_in_readme(".venv/bin/conform schedule") + " --list"
    assert "next" in in_a_clone(schedule, tmp_path).stdout


def test_the_program_of_readme_prints_its_figures(tmp_path: Path) -> None:
    (block,) = re.findall(r"^```python\n(.*?)^```", README.read_text("utf-8"), re.M | re.S)
    (tmp_path / "program.py").write_text(block, encoding="utf-8")
    done = in_a_clone(".venv/bin/python program.py", tmp_path)
    moves, deviation, rate = map(float, done.stdout.split())
    shown = re.search(r"about ([\d.]+), ([\d.]+) and ([\d.]+)\.", README.read_text("utf-8"))
    assert shown is not None
    # The seed makes the figures the same on each run; the page rounds them.
    assert (moves, deviation, rate) == pytest.approx([float(text) for text in shown.groups()], abs=0.006)
