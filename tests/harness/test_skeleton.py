"""Skeletons of checks and faults are written where they belong, and cannot be mistaken for finished ones."""

from __future__ import annotations

import ast
import re
import shutil
from pathlib import Path

import pytest

from harness.tools.skeleton import (
    AFTER_CHECK,
    AFTER_FAULT,
    DEVIATIONS,
    FAMILIES,
    NoPlaceError,
    main,
    write_check,
    write_fault,
)

ROOT = Path(__file__).parents[2]


def added(path: Path, original: Path) -> str:
    """The lines that were added to a file; no other may have changed."""
    before, after = original.read_text().splitlines(), path.read_text().splitlines()
    changed = (n for n, (old, new) in enumerate(zip(before, after, strict=False)) if old != new)
    first = next(changed, len(before))
    more = len(after) - len(before)
    assert after[:first] + after[first + more :] == before
    return "\n".join(after[first : first + more])


@pytest.mark.parametrize("family", ["gtp.handicap", "gtp.frame", "gtp.kept", "gtp.analysis"])
def test_a_check_stands_behind_the_last_one_of_its_family(family: str, tmp_path: Path) -> None:
    path = write_check(f"{family}.of-my-own", shutil.copytree(FAMILIES, tmp_path / "families"))
    text = added(path, FAMILIES / path.name)
    assert f'"{family}.of-my-own"' in text
    assert text.count("TODO") >= 3
    assert all(len(line) <= 110 for line in text.splitlines())
    ast.parse(path.read_text())


def test_a_check_has_the_arguments_of_the_one_before(tmp_path: Path) -> None:
    path = write_check("game.eye.of-my-own", shutil.copytree(FAMILIES, tmp_path / "families"))
    text = added(path, FAMILIES / path.name)
    assert '("A1",),' in text
    assert 'clause="best-rate",' in text


@pytest.mark.parametrize("clause", ["superko", "gtp-handicap", "gtp", "ties"])
def test_a_fault_stands_behind_the_last_one_of_its_clause(clause: str, tmp_path: Path) -> None:
    path = write_fault("of-my-own", clause, shutil.copytree(DEVIATIONS, tmp_path / "deviations"))
    text = added(path, DEVIATIONS / path.name)
    assert "OF_MY_OWN = " in text
    assert text.count("TODO") == 2
    ast.parse(path.read_text())


@pytest.mark.parametrize(("clause", "fields"), [("komi", ["komi", "wire"]), ("amaf", ["amaf"]), ("ties", [])])
def test_a_fault_names_its_clause_where_the_maker_has_none(
    clause: str, fields: list[str], tmp_path: Path
) -> None:
    path = write_fault("of-my-own", clause, shutil.copytree(DEVIATIONS, tmp_path / "deviations"))
    text = added(path, DEVIATIONS / path.name)
    assert [word for word in ("komi", "amaf", "ties", "wire") if f'"{word}"' in text] == fields


@pytest.mark.parametrize(
    "name",
    [
        "gtp.handicap.place-twice",
        "nothing.like.it",
        "ref.eye.other",
        "ref.uniform.other",
        "ref.other",
        "word",
    ],
)
def test_a_check_without_a_place_is_refused(name: str, tmp_path: Path) -> None:
    families = shutil.copytree(FAMILIES, tmp_path / "families")
    modules = sorted(families.glob("*.py"))
    before = [path.read_text() for path in modules]
    with pytest.raises(NoPlaceError):
        write_check(name, families)
    assert [path.read_text() for path in modules] == before


@pytest.mark.parametrize(("name", "clause"), [("superko-none", "superko"), ("of-my-own", "superkoo")])
def test_a_fault_without_a_place_is_refused(name: str, clause: str) -> None:
    with pytest.raises(NoPlaceError):
        write_fault(name, clause)


@pytest.mark.parametrize("words", [[], ["check"], ["fault", "name"], ["check", ""], ["check", "word"]])
def test_wrong_arguments_end_with_one_line(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)


def test_the_files_that_the_next_steps_name_exist() -> None:
    named = re.findall(r"\b(?:tests|docs)/[\w/.]*\w", f"{AFTER_CHECK}\n{AFTER_FAULT}")
    assert named
    assert [name for name in named if not (ROOT / name).exists()] == []
