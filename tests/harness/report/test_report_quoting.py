"""A bot's command as one argument of a command that a reader copies."""

from __future__ import annotations

import shlex
import subprocess

import pytest

from harness.report.quoting import shell_argument

COMMANDS = [
    "",
    "./bot",
    "./my bot --level 3",
    "./my!bot",
    "./it's",
    'it\'s "$HOME" `id` \\ !',
    "bot\n--level 3",
    "*.py ~ #a",
    "a{b,c}",
    "a^b",
    "bot --playouts {playouts}",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_shell_reads_the_command_as_one_argument(command: str) -> None:
    assert shlex.split(shell_argument(command)) == [command]


def test_a_real_shell_reads_each_command_as_one_argument() -> None:
    script = "printf '%s\\0' " + " ".join(map(shell_argument, COMMANDS))
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split("\0") == [*COMMANDS, ""]


def test_double_quotes_are_used_unless_a_shell_reads_them() -> None:
    assert shell_argument("./bot --level 3") == '"./bot --level 3"'
    assert shell_argument("./my!bot") == "'./my!bot'"
