"""A line that the user is asked to copy into a shell, with a name that a stranger has chosen.

Before: `conform init --from 'x$(touch y).ctl'` printed `next: conform match configs/x$(touch y).toml`, which
a shell executes. After: such a name is quoted.
"""

import shlex
from pathlib import Path

import pytest

from tests.command_line import conform_forked

CONTROL = """
competition_type = "allplayall"
players = {"a": Player("x"), "b": Player("y")}
competitors = ["a", "b"]
board_size = 9
komi = 7.5
"""


@pytest.mark.parametrize("name", ["x$(touch y)", "x;touch y", "x`touch y`", "x y"])
def test_the_next_line_of_an_import_is_quoted(tmp_path: Path, name: str) -> None:
    (tmp_path / f"{name}.ctl").write_text(CONTROL)
    code, text = conform_forked("init", tmp_path / name, "--from", tmp_path / f"{name}.ctl")
    assert code == 0, text
    (line,) = (line for line in text.splitlines() if line.startswith("next: "))
    words = shlex.split(line, posix=True)[1:]
    assert line == "next: " + shlex.join(words)
    assert Path(words[2]).is_file()


def test_the_next_line_of_examples_is_quoted(tmp_path: Path) -> None:
    _, text = conform_forked("init", tmp_path / "x;y")
    line = text.splitlines()[-1].partition("run: ")[2]
    assert line == shlex.join(shlex.split(line))
