"""Hostile names and answers do nothing: a page has the same elements as that of a harmless bot."""

import csv
import html
import xml.etree.ElementTree as ET
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from sgfmill.sgf import Sgf_game

from harness.arena.judge.judge import judge
from harness.report.files.match_run import write_run
from harness.report.html.check_page import check_page
from harness.report.html.run_page import run_page
from harness.report.visible import one_line
from tests.harness.report.hostile import HOSTILE
from tests.harness.report.html.page_helpers import Page, found, report_of
from tests.harness.report.html.run_helpers import random_moves, stored_run
from tests.parameters import thorough_but
from tests.thorough import Mutant

HARMLESS = "harmless"
NAMES = {key: text for key, text in HOSTILE.items() if text.isprintable() and len(text) <= 60}
"""What a bot can be called: a name in a config is printable and short."""


def elements_of(text: str) -> list[tuple[str, list[str]]]:
    """Every element with the names of its attributes."""
    return [(tag, sorted(attributes)) for tag, attributes in Page(text).elements]


@cache
def report_page(text: str) -> str:
    """The page of two bots that say `text` wherever a bot can say something."""
    one = found("eye-edge-as-centre")
    results = tuple(
        replace(
            result,
            judgement=replace(
                result.judgement,
                observed=text,
                hint=text,
                coverage={"commands": {text: 3}, "judged": {text: 1}},
            ),
            lines=(b"name\n",),
            shell_line=text,
            transcript=text,
        )
        for result in one.results[:2]
    )
    spoken = replace(one, command=text, name=text, version=text, results=results)
    unusable = replace(one, command=text, unusable=text, hint=text, results=(), series=())
    return check_page(report_of(spoken, unusable))


@pytest.mark.parametrize(
    "case",
    thorough_but(
        ("script", "end of the data", "ansi", "lone surrogate", "lines"),
        HOSTILE,
        Mutant(
            "harness/report/html/page.py",
            "autoescape=True",
            "autoescape=False",
            "tests/harness/report/html/test_report_html_hostile.py::"
            "test_what_a_bot_says_does_nothing_in_the_page_of_a_check[script]",
        ),
    ),
)
def test_what_a_bot_says_does_nothing_in_the_page_of_a_check(case: str) -> None:
    text = report_page(HOSTILE[case])
    assert elements_of(text) == elements_of(report_page(HARMLESS))
    assert_no_invisible_character(text)
    assert one_line(HOSTILE[case], 400) in html.unescape(text)


def assert_no_invisible_character(text: str) -> None:
    assert all(char.isprintable() or char in "\n\t" for char in text)
    text.encode("utf-8")


def files_of_run(name: str, folder: Path) -> Path:
    """The folder with the files of a run of a bot of this name."""
    with stored_run(folder / "run", [name, HARMLESS], 2, [random_moves(9, 20, 1)]) as store:
        config = store.config()
        assert config is not None
        formats = ["csv", "sgf", "html", "junit", "json"]
        write_run(store, judge(store, config), folder / "files", formats)
    return folder / "files"


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of a run of harmless bots."""
    return files_of_run("another", tmp_path_factory.mktemp("plain"))


@pytest.mark.parametrize("case", NAMES)
def test_what_a_bot_is_called_does_nothing_in_any_file_of_a_run(
    case: str, tmp_path: Path, plain: Path
) -> None:
    folder = files_of_run(NAMES[case], tmp_path / "hostile")
    written = {path.relative_to(folder) for path in folder.rglob("*")}
    assert written == {path.relative_to(plain) for path in plain.rglob("*")}
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert elements_of(page) == elements_of((plain / "report.html").read_text(encoding="utf-8"))
    assert_no_invisible_character(page)
    with (folder / "games.csv").open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            assert None not in row
            assert not any(cell.startswith(("=", "+", "-", "@")) for cell in row.values())
    for path in folder.rglob("*.sgf"):
        game = Sgf_game.from_bytes(path.read_bytes())
        assert {game.get_player_name("b"), game.get_player_name("w")} == {NAMES[case], HARMLESS}
        assert len(game.get_main_sequence()) == 21
    for path in folder.glob("*.xml"):
        ET.parse(path)


def test_a_failure_keeps_its_bytes_out_of_the_page(tmp_path: Path) -> None:
    with stored_run(tmp_path / "run", ["a", "b"], 2, [random_moves(9, 10, 2)]) as store:
        config = store.config()
        assert config is not None
        page = run_page(store, judge(store, config))
    assert_no_invisible_character(page)
    assert "\\xff\\x00&lt;/pre&gt;&lt;script&gt;" in page
    assert "\\x1b[2J" in page
