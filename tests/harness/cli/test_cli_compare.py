"""`conform compare` as a user runs it: exit codes, conclusions, JSON, clear lines."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest

from tests.command_line import Done, bot, conform

RIGHT, OTHER = (bot("pure_bot.py", "--playouts", 50, "--seed", seed) for seed in (1, 2))
"""Seeded: a comparison may separate right bots once in a hundred times."""
WRONG = bot("wrong_pure.py", "nodes-one-pass", "--playouts", 50, "--seed", 1)
CHEAP = ("--only", "ref.nodes.*", "--searches", "8", "--budget", "1h")


def compare(*words: str) -> Done:
    return conform("compare", *words)


def test_0_for_bots_that_agree() -> None:
    done = compare(RIGHT, OTHER, *CHEAP)
    assert (done.returncode, done.stderr) == (0, "")
    assert "bots 1 and 2 agree" in done.stdout


def test_1_and_the_odd_one_out(tmp_path: Path) -> None:
    file = tmp_path / "compare.json"
    done = compare(RIGHT, WRONG, OTHER, *CHEAP, "--json", str(file))
    assert done.returncode == 1
    assert "bots 1 and 3 agree" in done.stdout
    assert "bot 2 is the odd one out" in done.stdout
    data = json.loads(file.read_text("utf-8"))
    assert data["format"] == "conform-compare/1"
    assert (data["verdict"], data["odd_one_out"], data["groups"]) == ("differ", 2, [[1, 3], [2]])
    differing = [t for t in data["pairs"][0]["tests"] if t["different"]]
    assert {(t["probe"], t["statistic"]) for t in differing} == {("dame-1", "length"), ("dame-4", "length")}


def test_3_if_there_were_too_few_searches_to_decide() -> None:
    done = compare(RIGHT, RIGHT, "--only", "ref.nodes.*", "--searches", "1")
    assert done.returncode == 3
    assert "more searches are needed" in done.stdout


def test_4_for_a_program_that_is_no_engine() -> None:
    done = compare(RIGHT, shlex.join([sys.executable, "-c", "pass"]), *CHEAP)
    assert done.returncode == 4
    assert "not compared" in done.stdout
    assert "Traceback" not in done.stderr + done.stdout


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ((RIGHT,), "two bots or more"),
        ((RIGHT, RIGHT, "--only", "no.such.check"), "no check matches"),
        ((RIGHT, RIGHT, "--only", "gtp.admin.name"), "no position to search"),
        ((RIGHT, RIGHT, "--only", "ref.*", "--profile", "gtp"), "without --profile gtp"),
        ((RIGHT, RIGHT, "--budget", "slow"), "unknown budget"),
    ],
)
def test_2_and_one_line_for_a_mistake(words: tuple[str, ...], complaint: str) -> None:
    done = compare(*words)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert complaint in done.stderr


def test_json_alone_on_standard_output() -> None:
    done = compare(RIGHT, RIGHT, *CHEAP, "--json", "-")
    assert json.loads(done.stdout)["verdict"] == "agree"
