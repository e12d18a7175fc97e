"""Lists of known failures, strict both ways, and transcripts."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from harness.check.model import Judgement, Level, Outcome, Result
from harness.check.phases.findings import Findings
from harness.cli.app import app
from harness.cli.exits import UsageError
from harness.suite.known_failures import list_of_failures
from harness.suite.registry import CHECKS

INSTANT = shlex.join([sys.executable, str(Path(__file__).parents[2] / "engines" / "instant.py")])
ONLY = ("gtp.admin.name", "gtp.frame.id-echo", "gtp.play.occupied")


def run(*options: str) -> int:
    """The exit code of a check of three requirements on an engine that says yes to everything."""
    only = [word for check in ONLY for word in ("--only", check)]
    return int(app(["check", INSTANT, *only, "-q", "--no-color", *options], standalone_mode=False) or 0)


@pytest.fixture
def listed(tmp_path: Path) -> Path:
    """The list that conform writes itself."""
    path = tmp_path / "known.txt"
    assert run("--write-known-failures", str(path)) == 1
    return path


def test_what_was_written_is_what_is_known(listed: Path) -> None:
    assert "\ngtp.play.occupied  # " in listed.read_text()
    assert run("--known-failures", str(listed)) == 0


def test_no_line_of_a_list_ends_in_a_blank() -> None:
    seen = Judgement(Outcome.FAIL, observed="name → = \nmore"), Judgement(Outcome.FAIL)
    musts = [check for check in CHECKS if check.level is Level.MUST]
    results = tuple(map(Result, musts, seen))
    written = list_of_failures(Findings("bot", results=results), strict=True)
    assert all(line == line.rstrip() for line in written.splitlines())


def test_the_headline_counts_the_known_failures(listed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    known = [line for line in listed.read_text().splitlines() if line and not line.startswith("#")]
    capsys.readouterr()
    run("--known-failures", str(listed))
    first = " ".join(capsys.readouterr().out.split())
    assert first.startswith("as expected ")
    assert f": {len(known)} known failure" in first
    empty = listed.with_name("none.txt")
    empty.write_text("")
    run("--known-failures", str(empty))
    assert f"0 of {len(known)} failure" in " ".join(capsys.readouterr().out.split())


def test_a_badge_is_named_as_one(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"name it \*.svg or \*.json, not badge.png"):
        run("--badge", str(tmp_path / "badge.png"))


def test_a_listed_check_that_passes_refuses(listed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    listed.write_text(listed.read_text() + "gtp.frame.id-echo\n")
    code = run("--known-failures", str(listed))
    assert ("gtp.frame.id-echo: is among the known failures, and passes" in capsys.readouterr().out) == (
        code == 1
    )


def test_a_failure_that_is_not_listed_refuses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty = tmp_path / "none.txt"
    empty.write_text("# nothing yet\n\n")
    assert run("--known-failures", str(empty)) == 1
    assert "gtp.play.occupied: fails, and is not among the known failures" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("gtp.play.ocupied\n", "did you mean 'gtp.play.occupied'"),
        ("\udcff", "it is not text in UTF-8"),
        (None, "cannot read"),
    ],
)
def test_a_list_that_cannot_be_read(tmp_path: Path, content: str | None, complaint: str) -> None:
    path = tmp_path / "known.txt"
    if content is not None:
        path.write_bytes(content.encode("utf-8", "surrogateescape"))
    with pytest.raises(Exception, match=complaint):
        run("--known-failures", str(path))


def test_a_transcript_is_a_file_a_check(tmp_path: Path) -> None:
    assert run("--transcript", str(tmp_path / "wire")) == 1
    assert sorted(path.stem for path in (tmp_path / "wire").glob("*.txt")) == sorted(ONLY)
    talk = (tmp_path / "wire" / "gtp.play.occupied.txt").read_text()
    assert talk.startswith("# gtp.play.occupied: fail\n")
    assert "> play w C3\\n\n" in talk
    assert "< =\\n\\n" in talk
