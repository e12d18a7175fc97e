"""A link in the place of a file that a command writes: `run.db.damaged` of a salvage, or the lock of the run.

Before: `report --salvage` wrote through a link that leads nowhere, to any path; a second name of `run.lock`
was emptied. After: no file is opened through a link, and a file with two names is not written.
"""

from pathlib import Path

import pytest

from tests.attacks.schema_edits import changed
from tests.command_line import conform_forked
from tests.parameters import thorough_but
from tests.thorough import Mutant


@pytest.mark.parametrize("ending", ["", "-wal", "-journal"])
@pytest.mark.parametrize("leads", ["nowhere", "to a file"])
def test_a_salvage_writes_nothing_through_a_link(run: Path, outside: Path, ending: str, leads: str) -> None:
    with changed(run) as db:
        db.execute("UPDATE game SET result = 'B+99' WHERE number = 3 AND winner IS NULL OR number = 1")
        db.execute("UPDATE game SET winner = NULL, result = 'W+1' WHERE number = 1")
    target = outside if leads == "to a file" else outside.with_name("new")
    (run / f"run.db.damaged{ending}").symlink_to(target)
    code, text = conform_forked("report", run, "--salvage", "-q")
    assert code in (0, 1), text
    assert "sound and were kept" in text
    assert (outside.read_text(), [path.name for path in outside.parent.iterdir()]) == ("mine", ["file"])


@pytest.mark.parametrize(
    "name",
    thorough_but(
        ("run.lock", "run.db.new", "run.db-wal"),
        ["run.lock", "run.db.new", "run.db-wal", "run.db-journal", "run.db-shm"],
        Mutant(
            "harness/files/guarded.py",
            "if found.st_nlink > 1:",
            "if False:",
            "tests/attacks/test_attack_links.py::"
            "test_a_match_writes_no_file_that_has_another_name[hard link-run.db-wal]",
        ),
    ),
)
@pytest.mark.parametrize("kind", ["hard link", "link"])
def test_a_match_writes_no_file_that_has_another_name(
    run: Path, tmp_path: Path, outside: Path, name: str, kind: str
) -> None:
    (run / name).unlink(missing_ok=True)
    if kind == "link":
        (run / name).symlink_to(outside)
    else:
        (run / name).hardlink_to(outside)
    for words in (
        ("match", tmp_path / "config.toml", "--out", run, "-q"),
        ("report", run, "-q", "--salvage"),
    ):
        code, text = conform_forked(*words)
        assert (code, len(text.splitlines())) == (2, 1), text
        assert outside.read_text() == "mine"
