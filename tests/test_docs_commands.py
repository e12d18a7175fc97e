"""The commands in README.md and docs are accepted by the programs; reports in README.md are as shown."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

import harness.cli.app
import refbot.cli

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
PAGES = [README, *sorted((ROOT / "docs").glob("*.md")), ROOT / "CONTRIBUTING.md"]
GROUPS: dict[str, Any] = {
    "conform": typer.main.get_command(harness.cli.app.app),
    "refbot": typer.main.get_command(refbot.cli.app),
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
    text = re.sub(r"\d+ checks: \d+ pass, 1 skip|Holm over \d+", "#", text)
    text = re.sub(r"\d+\.\d+(e-\d+)?|\d+(?= searches)|(?<=spent )\S+|(?<=over )\d+(?= x)", "#", text)
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
    environment = {**os.environ, "COLUMNS": "80"}
    done = subprocess.run(
        command, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=800
    )
    assert done.stderr == ""
    # Progress is printed where a check takes long.
    output = re.sub(r"^(?:\.venv/bin/refbot gtp.*: |fail ).*\n", "", done.stdout, flags=re.M)
    assert masked(output) == masked(shown)
