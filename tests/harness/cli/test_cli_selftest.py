"""`conform selftest` as a user runs it."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.check.model import Level
from harness.selftest.kill_matrix import Failing, Kill, row_text
from tests.command_line import Done, conform

CONDITIONS = "all checks, budget standard, seed 1"


def selftest(*words: str) -> Done:
    return conform("selftest", *words)


@pytest.mark.slow  # two whole checks; what it calls is tested part by part
def test_one_clause_and_the_page(tmp_path: Path) -> None:
    page = tmp_path / "matrix.md"
    words = ("--only", "nodes-one-pass", "--budget", "quick", "--in-process", "--refusals", "2")
    done = selftest(*words, "--write", str(page))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in done.stderr  # kernels that are compiled are reported there
    assert "faults refused: 1 of 1" in done.stdout
    assert "0 of 2 simulated checks" in done.stdout
    assert "| nodes-one-pass | ref-nodes | ref.nodes" in page.read_text("utf-8")


def test_the_page_is_written_from_kept_results_alone(tmp_path: Path) -> None:
    kept, page = tmp_path / "rows.jsonl", tmp_path / "matrix.md"
    missed = (Failing("ref.choice.ties-won", "ties", Level.MUST),)
    rows = (
        Kill("", "", "conforms", (), (), 1.0, conditions=CONDITIONS),
        Kill("ties-last", "ties", "deviates", missed, (), 1.0, conditions=CONDITIONS),
    )
    kept.write_text("".join(map(row_text, rows)), "utf-8")
    words = (
        "--only",
        "ties-last",
        "--refusals",
        "0",
        "--jobs",
        "2",
        "--keep",
        str(kept),
        "--write",
        str(page),
    )
    done = selftest(*words)
    assert (done.returncode, done.stderr) == (0, "")
    assert "| ties-last | ties | ref.choice.ties-won | - |" in page.read_text("utf-8")
    refused = selftest(*words, "--budget", "quick")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert f"has results of {CONDITIONS}; this run has all checks, budget quick, seed 1" in refused.stderr


@pytest.mark.parametrize(
    ("words", "complaint"),
    [(("--only", "no-such-fault"), "no fault and no clause"), (("--jobs", "0"), "--jobs")],
)
def test_2_and_one_line_for_a_mistake(words: tuple[str, ...], complaint: str) -> None:
    done = selftest(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert complaint in done.stderr


@pytest.mark.slow
def test_a_sample_of_every_clause() -> None:
    done = selftest()
    assert done.returncode == 0, done.stdout
