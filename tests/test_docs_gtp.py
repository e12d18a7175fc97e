"""docs/gtp.md against what it describes: checks, the table of commands, the points of handicap."""

from __future__ import annotations

import re
import shlex
import sys
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from harness.gtp.commands import COMMANDS, Origin
from harness.report.pages.command_text import command_text
from harness.suite.registry import CHECKS
from refbot.gtp.placing import fixed_points, most_fixed
from refbot.gtp.syntax import format_vertex
from tests.command_line import conform

PAGE = (Path(__file__).parents[1] / "docs" / "gtp.md").read_text("utf-8")
IDS = [check.id for check in CHECKS if check.id.startswith("gtp.")]
SECTIONS = dict(re.findall(r"^###? (.*)\n((?:(?!^##).*\n)*)", PAGE, re.M))
"""By heading of the second or third level: the text below it, up to the next heading."""


def rows(section: str) -> list[str]:
    """The first cells of the rows of all tables about commands, without their backticks."""
    tables = re.findall(r"^\| command \|.*\n\|[-| ]+\|\n((?:\|.*\n)+)", section, re.M)
    return [row.split(" | ")[0].strip("|` ") for table in tables for row in table.splitlines()]


def test_every_check_that_the_page_names_exists() -> None:
    named = set(re.findall(r"`(gtp\.[a-z*.-]+)`", PAGE))
    assert len(named) > 50
    assert {name for name in named if not any(fnmatchcase(i, name) for i in IDS)} == set()


def test_every_check_is_named() -> None:
    """By its id, or by its family: `gtp.kept.*`."""
    named = set(re.findall(r"`(gtp\.[a-z-]+(?:\.[a-z*-]+)?)`", PAGE)) - {"gtp.*"}
    assert {i for i in IDS if not any(fnmatchcase(i, name) for name in named)} == set()


def test_a_command_is_described_with_its_arguments() -> None:
    for name, command in COMMANDS.items():
        if command.origin is Origin.DRAFT:
            assert SECTIONS[name].startswith(f"\n`{command.usage}` ")
            assert "- *Answer*: " in SECTIONS[name] or "- *Effect*: " in SECTIONS[name], name
            assert "- *Refused*: " in SECTIONS[name] or "- *Effect*: " in SECTIONS[name], name
        else:
            assert rows(SECTIONS[f"Extensions of {command.origin.label}"]).count(command.usage) == 1, name
        assert f"`{command.usage}`" in command_text(name)


def test_every_command_of_the_tables_is_known() -> None:
    assert {row.split()[0] for section in SECTIONS.values() for row in rows(section)} <= set(COMMANDS)


@pytest.mark.parametrize("origin", Origin)
def test_a_definition_is_linked(origin: Origin) -> None:
    place = PAGE if origin is Origin.DRAFT else SECTIONS[f"Extensions of {origin.label}"]
    assert origin.address in place


@pytest.mark.parametrize(("size", "column"), [(19, 3), (9, 4)])
def test_points_of_fixed_handicap(size: int, column: int) -> None:
    table = re.findall(r"^\| ([2-9]) \|(.*)\|\n", SECTIONS["fixed_handicap"], re.M)
    assert [int(stones) for stones, _ in table] == list(range(2, most_fixed(size) + 1))
    for stones, cells in table:
        shown = cells.split("|")[column - 2].split()
        assert shown == [format_vertex(point, size) for point in fixed_points(size, int(stones))]


def test_a_command_that_is_a_clause_too_is_found() -> None:
    assert command_text("komi").startswith("### komi\n\n`komi komi`")
    assert command_text("no_such_command") == ""
    assert "`time_settings`" not in command_text("time_left").partition("\n")[0]


BOARDLESS = """
import loop

def boardsize(words):
    if int(words[0]) != 9:
        raise loop.Refused("unacceptable size")
    return ""

loop.COMMANDS |= {
    "boardsize": boardsize,
    "clear_board": lambda words: "",
    "komi": lambda words: "" if float(words[0]) else "",
    "play": lambda words: "" if words[1] else "",
    "genmove": lambda words: "pass" if words[0] else "",
}
loop.main()
"""
"""The rest of an engine that accepts every move and always passes."""


def test_the_loop_reads_and_answers_as_the_page_asks(tmp_path: Path) -> None:
    (block,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.M | re.S)
    (tmp_path / "loop.py").write_text(block, "utf-8")
    (tmp_path / "engine.py").write_text(BOARDLESS, "utf-8")
    engine = shlex.join([sys.executable, str(tmp_path / "engine.py")])
    families = ("--only", "gtp.frame.*", "--only", "gtp.admin.*")
    done = conform("check", engine, *families, "--no-config")
    assert done.returncode == 0, done.stdout + done.stderr
