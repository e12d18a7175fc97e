"""docs/tutorial.md: each stage is put together as a reader would, and each command does what is shown."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.command_line import conform
from tests.interpreter import PYTHON

PAGE = Path(__file__).parents[1] / "docs" / "tutorial.md"
BIN = Path(sys.executable).parent
END = "the end of bot.py"
"""The title of the block that is below all others."""
LEFT_OUT = "…"
"""A line of the page that stands for any number of lines of output."""


@dataclass(frozen=True)
class Stage:
    """A stage: the program so far, the other files so far, and the commands with the output that is shown."""

    title: str
    program: str
    files: dict[str, str]
    commands: tuple[tuple[str, str], ...]


def python_blocks(text: str) -> list[tuple[str, str]]:
    """The title and the code of each block of Python; a block of `bot.py` has no title."""
    return re.findall(r'^```python(?: title="([^"]*)")?\n(.*?)^```', text, re.M | re.S)


def stages() -> Iterator[Stage]:
    text = PAGE.read_text("utf-8")
    blocks: list[str] = []
    files: dict[str, str] = {}
    (end,) = (block for title, block in python_blocks(text) if title == END)
    for section in re.split(r"^## (?=Stage \d)", text, flags=re.M)[1:]:
        part = re.split(r"^## ", section, flags=re.M)[0]
        for title, block in python_blocks(part):
            if title:
                files[title] = block
            else:
                blocks.append(block)
        shown = "\n".join(re.findall(r"^```console\n(.*?)^```", part, re.M | re.S))
        pairs = re.findall(r"^\$ (.*?)\n(.*?)(?=^\$ |\Z)", shown, re.M | re.S)
        yield Stage(part.splitlines()[0], "\n\n".join([*blocks, end]), dict(files), tuple(pairs))


LONG = ("Stage 3", "Stage 4", "Stage 5", "Stage 6")
"""A bot in plain Python plays all its playouts there."""
STAGES = [
    pytest.param(stage, id=stage.title, marks=[pytest.mark.slow] if stage.title.startswith(LONG) else [])
    for stage in stages()
]


@pytest.fixture(scope="module")
def vectors(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file that the first command of the page writes."""
    path = tmp_path_factory.mktemp("tutorial") / "vectors.json"
    assert "conform vectors --json > vectors.json" in PAGE.read_text("utf-8")
    path.write_text(conform("vectors", "--json").stdout, encoding="utf-8")
    return path


def is_in_order(shown: str, output: str) -> bool:
    """Return whether the output has the shown parts, with anything in the places that are left out.

    A part that is left out at neither end must be the beginning or the end of the output.
    """
    parts = [re.escape(" ".join(part.split())) for part in re.split(rf"^{LEFT_OUT}$", shown, flags=re.M)]
    return re.fullmatch(".*?".join(parts).replace(r"\ ", " "), " ".join(output.split())) is not None


def test_the_page_has_six_stages_of_about_250_lines() -> None:
    programs = [stage.program for stage in stages()]
    assert len(programs) == 6
    lines = [line for line in programs[-1].splitlines() if line.strip()]
    assert len(lines) < 280
    assert all(stage.commands for stage in stages())


def test_the_page_shows_how_many_vectors_there_are(vectors: Path) -> None:
    """The tests that run the stages with these numbers are slow."""
    found, text = json.loads(vectors.read_text("utf-8")), PAGE.read_text("utf-8")
    assert set(re.findall(r"^(\d+) positions$", text, re.M)) == {str(len(found["searches"]))}
    assert set(re.findall(r"^(\d+) moves$", text, re.M)) == {str(len(found["moves"]))}


@pytest.mark.parametrize("stage", STAGES)
def test_each_command_gives_what_the_page_shows(stage: Stage, tmp_path: Path, vectors: Path) -> None:
    (tmp_path / "bot.py").write_text(stage.program, encoding="utf-8")
    (tmp_path / "vectors.json").write_bytes(vectors.read_bytes())
    for name, text in stage.files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    environment = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "200"}
    for command, shown in stage.commands:
        done = subprocess.run(
            command, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True
        )
        assert done.stderr == "", command
        # Lines of progress are printed where a check takes long, and say nothing that the page shows.
        output = re.sub(r"^(?:python3 bot\.py: |fail ).*\n", "", done.stdout, flags=re.M)
        assert is_in_order(shown, output), f"{command}\n{output}"


@pytest.mark.slow
def test_the_bot_of_the_last_stage_conforms(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(list(stages())[-1].program, encoding="utf-8")
    command = [str(BIN / "conform"), "check", f"{PYTHON} bot.py", "--budget", "30m"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=3000, check=False)
    assert done.returncode in (0, 3), done.stdout  # 3: a slow machine had too little time for every check
    assert " fail" not in done.stdout
