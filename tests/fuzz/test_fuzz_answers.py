"""Odd values in the answers of a bot, through whole commands: they cost an answer, a check or a game."""

import subprocess
from pathlib import Path

import pytest

from tests.fuzz.cases import seeds
from tests.harness.arena.match_helpers import PROGRAM, engine_command

FORMATS = ("csv", "sgf", "gogui-dat", "json", "junit", "html")
VERDICTS = (0, 1, 3, 4)
"""Exit codes of a command that came to its end. 70 is an error of the harness."""


def ends_with_a_verdict(*words: object) -> None:
    ended = subprocess.run(
        [*PROGRAM, *map(str, words)], capture_output=True, check=False, stdin=subprocess.DEVNULL
    )
    assert ended.returncode in VERDICTS, (words, ended.stdout, ended.stderr)
    assert b"\x1b" not in ended.stdout + ended.stderr


@pytest.mark.parametrize("seed", seeds(1))
def test_a_check_of_a_bot_with_odd_answers_comes_to_a_verdict(seed: int, tmp_path: Path) -> None:
    bot = engine_command("odd_values.py", seed=seed)
    files = [word for kind in ("json", "junit", "html") for word in (f"--{kind}", tmp_path / kind)]
    ends_with_a_verdict("check", bot, "--budget", "2", "--timeout", "5", *files)


@pytest.mark.parametrize("seed", seeds(1))
@pytest.mark.slow
def test_a_match_with_odd_answers_is_played_resumed_and_reported(seed: int, tmp_path: Path) -> None:
    odd, plain = engine_command("odd_values.py", seed=seed), engine_command("instant.py")
    match = (
        "match",
        "--engine",
        f"a={odd}",
        "--engine",
        f"b={plain}",
        "--size",
        5,
        "--workers",
        1,
        "--out",
        tmp_path / "run",
    )
    ends_with_a_verdict(*match, "--games", 4)
    ends_with_a_verdict(*match, "--games", 6)
    formats = [
        word for form in ("csv", "sgf", "gogui-dat", "json", "junit", "html") for word in ("--format", form)
    ]
    ends_with_a_verdict("report", tmp_path / "run", *formats)
