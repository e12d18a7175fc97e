"""Pages on a phone: text is large enough, a finger meets its target, nothing is said to a mouse alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.arena.judge.judge import judge
from harness.report.html.run_page import run_page
from tests.browser import PHONE, needs_browser, small_texts
from tests.harness.report.html.all_pages import PAGES
from tests.harness.report.html.run_helpers import random_moves, stored_run

pytestmark = needs_browser

TARGET = 24
"""Width and height of what is tapped, in CSS pixels: WCAG 2.2, 2.5.8."""
BORDER = 1
HARD_TO_HIT = """smallest => [...document.querySelectorAll("button, summary, select, input, th a")]
  .filter(one => one.checkVisibility() && one.offsetWidth)
  .map(one => [one.getBoundingClientRect(), one.textContent.trim() || one.id])
  .filter(([box]) => box.width < smallest || box.height < smallest)
  .map(([box, name]) => `${name} ${box.width} x ${box.height}`)"""
ONLY_FOR_A_MOUSE = """[...document.querySelectorAll("main [title]")]
  .filter(one => !one.title.startsWith(one.textContent.split("…")[0]))
  .filter(one => !document.querySelector("main").innerText.includes(one.title))
  .map(one => one.title)"""
"""Titles that say what no text of the page says. A name that was cut has its whole name as a title."""
HEADS_OFF_THEIR_COLUMN = """[...document.querySelectorAll(".scroll > table:not(.stack)")].flatMap(table => {
  const box = table.parentElement, row = table.tBodies[0]?.rows[0], name = row?.querySelector("th");
  if (!name || box.scrollWidth <= box.clientWidth + 1) return [];
  box.scrollLeft = 120;
  const head = table.tHead.rows[0].cells[name.cellIndex];
  return [[head, name, box].map(one => one.getBoundingClientRect().left)];
})"""


@pytest.fixture(scope="module")
def phone(browser: Any) -> Iterator[Any]:
    context = browser.new_context(**PHONE)
    yield context.new_page()
    context.close()


@pytest.fixture(scope="module")
def files(pages: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A page of every kind; that of a match is written here, since the stored one is an example."""
    folder = tmp_path_factory.mktemp("match")
    match = folder / "match.html"
    with stored_run(folder / "run", ["one", "two"], 4, [random_moves(9, 60, 1)], 9) as store:
        config = store.config()
        assert config is not None
        match.write_text(run_page(store, judge(store, config)), encoding="utf-8")
    return {name: pages / name for name in PAGES if name != "run.html"} | {match.name: match}


def test_no_text_is_too_small_to_read(phone: Any, files: dict[str, Path]) -> None:
    for name, file in files.items():
        phone.goto(file.as_uri())
        assert small_texts(phone) == [], name


def test_a_finger_meets_everything_that_is_tapped(phone: Any, files: dict[str, Path]) -> None:
    for name, file in files.items():
        phone.goto(file.as_uri())
        assert phone.evaluate(HARD_TO_HIT, TARGET) == [], name


def test_nothing_is_said_to_a_mouse_alone(phone: Any, files: dict[str, Path]) -> None:
    for name, file in files.items():
        phone.goto(file.as_uri())
        phone.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
        assert phone.evaluate(ONLY_FOR_A_MOUSE) == [], name


def test_a_name_that_stays_in_view_stays_below_its_head(phone: Any, files: dict[str, Path]) -> None:
    seen = 0
    for name, file in files.items():
        phone.goto(file.as_uri())
        for head, cell, box in phone.evaluate(HEADS_OFF_THEIR_COLUMN):
            assert head == cell, name
            assert 0 <= cell - box <= BORDER, name
            seen += 1
    assert seen


def test_a_game_is_stepped_through_by_touch_and_no_keys_are_named(phone: Any, files: dict[str, Path]) -> None:
    phone.goto(files["match.html"].as_uri())
    for _ in range(3):
        phone.locator("#forward").tap()
    assert phone.locator("#status").inner_text().startswith("Move 3 of 60:")
    assert not phone.locator(".keys").is_visible()
    phone.locator("#game-rows button").nth(2).tap()
    assert phone.locator("#game-title").inner_text().startswith("p001-g00003:")
    top = phone.locator("#board").bounding_box()["y"]
    assert 0 <= top < PHONE["viewport"]["height"]
