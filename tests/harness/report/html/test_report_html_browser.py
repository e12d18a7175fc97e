"""Pages in a real browser: they render, ask for nothing, and the viewer plays games as the referee does."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from harness.arena.judge.judge import judge
from harness.arena.records import Played
from harness.go import Position
from harness.gtp import parse_vertex
from harness.report.html.check_page import check_page
from harness.report.html.run_page import run_page
from tests.browser import Watched, broken_words, needs_browser
from tests.harness.report.html.all_pages import PAGES
from tests.harness.report.html.page_helpers import all_passed, found, report_of
from tests.harness.report.html.run_helpers import random_moves, stored_run
from tests.harness.report.html.test_report_html_history import page_of, runs

pytestmark = needs_browser

LOOKS = ((1280, "light"), (390, "dark"))
TOO_WIDE = """[...document.querySelectorAll("td, th")]
  .filter(cell => !(cell.closest("thead")?.clientWidth <= 1))
  .filter(cell => cell.scrollWidth > cell.clientWidth + 1)
  .map(cell => cell.textContent)"""
"""The cells whose text runs into the next column. A head that is 1 pixel wide is for screen readers alone."""
COLLIDING = """[...document.querySelectorAll("svg.chart")].flatMap(chart => {
  const frame = chart.getBoundingClientRect();
  const texts = [...chart.querySelectorAll("text")].filter(text => text.textContent);
  const boxes = texts.map(text => text.getBoundingClientRect());
  return texts.filter((text, index) => {
    const box = boxes[index];
    return box.left < frame.left || box.right > frame.right || box.bottom > frame.bottom + 1 ||
      boxes.some((other, place) => place < index && box.left < other.right && other.left < box.right &&
        box.top + 3 < other.bottom && other.top + 3 < box.bottom);
  }).map(text => text.textContent);
})"""
"""The labels that run out of their chart or into one another. 3 pixels: room above and below digits."""
SCREEN = 844
"""Height of a phone's screen, in CSS pixels."""
KO = "bB3 wC3 bA2 wB2 bB1 wC1 bE5 wD2 bC2 wA5 bD5 wB2 bpass wpass"
"""A game on 5x5: Black takes a ko with C2, and White takes it back three moves later with B2."""


@pytest.fixture(scope="module")
def check_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("check") / "check.html"
    path.write_text(check_page(report_of(found("eye-edge-as-centre"), found(""))), encoding="utf-8")
    return path


def write_run(folder: Path, moves: list[tuple[Played, ...]], size: int, games: int = 4) -> Path:
    with stored_run(folder / "run", ["one", "two", "three"], games, moves, size) as store:
        config = store.config()
        assert config is not None
        path = folder / "report.html"
        path.write_text(run_page(store, judge(store, config)), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def run_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_run(tmp_path_factory.mktemp("run"), [random_moves(9, 110, seed) for seed in range(5)], 9)


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_every_page_fits_and_complains_about_nothing(
    browser: Any, pages: Path, width: int, scheme: str
) -> None:
    folder = f"{pages.as_uri()}/"
    with Watched(browser, folder + PAGES[0], width, scheme, own=folder) as page:
        for name in PAGES:
            page.goto(folder + name)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, name
            assert page.evaluate(TOO_WIDE) == [], name
            assert broken_words(page, "td code.id, th code.id", "[^-]+") == [], name
            assert page.locator("h1").first.is_visible()
            for picture in page.locator("svg[role=img]").all()[:20]:
                assert picture.get_attribute("aria-label")


def replayed(moves: tuple[Played, ...], size: int) -> list[str]:
    """The board after each move as the referee has it, the empty board first."""
    position, boards = Position(size), []
    boards.append("." * size * size)
    for move in moves:
        position.play(move.colour, parse_vertex(move.vertex, size))
        boards.append("".join(".XO"[stone] for stone in position.fingerprint))
    return boards


def ko_game() -> tuple[Played, ...]:
    return tuple(Played("b" if move[0] == "b" else "w", move[1:]) for move in KO.split())


def test_the_game_with_a_ko_has_one() -> None:
    position = Position(5)
    for move in ko_game()[:9]:
        position.play(move.colour, parse_vertex(move.vertex, 5))
    assert position.legality("w", parse_vertex("B2", 5)) == "ko"


@pytest.mark.parametrize("name", ["ko", "random"])
def test_the_viewer_agrees_with_the_referee_after_every_move(browser: Any, tmp_path: Path, name: str) -> None:
    moves, size = (ko_game(), 5) if name == "ko" else (random_moves(9, 140, 7), 9)
    boards = replayed(moves, size)
    stones = [board.count("X") + board.count("O") for board in boards]
    grown = [later - before for before, later in pairwise(stones)]
    taken = [move for move, more in zip(moves, grown, strict=True) if move.vertex != "pass" and more <= 0]
    assert taken, "no capture"
    with Watched(browser, write_run(tmp_path, [moves], size, games=2).as_uri()) as page:
        page.locator("#board").focus()
        for expected in boards:
            assert page.locator("#board").get_attribute("data-stones") == expected
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Home")
        assert page.locator("#board").get_attribute("data-stones") == boards[0]
        page.keyboard.press("End")
        assert page.locator("#board").get_attribute("data-stones") == boards[-1]
        page.keyboard.press("ArrowLeft")
        assert page.locator("#board").get_attribute("data-stones") == boards[-2]
        drawn = page.locator("#board circle.black").count() + page.locator("#board circle.white").count()
        assert drawn == stones[-2]


def test_the_viewer_names_nodes_and_score_of_each_search(browser: Any, tmp_path: Path) -> None:
    moves = random_moves(9, 30, 1)
    with Watched(browser, write_run(tmp_path, [moves], 9, games=2).as_uri()) as page:
        page.locator("#board").focus()
        for _ in range(3):
            page.keyboard.press("ArrowRight")
        status = page.locator("#status").inner_text()
        assert f"Move 3 of {len(moves)}: Black {moves[2].vertex}" in status
        assert "4,003 nodes (40.0 a playout)" in status
        assert f"score {3 / (len(moves) + 1):.3f}" in status
        known = sum(number > 2 and number % 10 != 0 for number in range(1, len(moves) + 1))
        assert page.locator("#along svg.chart").first.locator("circle").count() == known

        for chart in page.locator("#along svg.chart").all():
            heights = [float(text.replace(",", "")) for text in chart.locator(".tick").all_text_contents()]
            assert heights[0] == 0
            assert len(heights) > 2
            assert len({after - before for before, after in pairwise(heights)}) == 1


@pytest.mark.parametrize("width", [390, 768, 1280])
def test_labels_of_charts_are_apart(browser: Any, run_file: Path, tmp_path: Path, width: int) -> None:
    bots = {f"{length}-{'x' * 56}": runs(100, length) for length in (1, 2, 3, 60, 200)}
    history, check = tmp_path / "history.html", tmp_path / "check.html"
    history.write_text(page_of(tmp_path, bots), encoding="utf-8")
    check.write_text(check_page(report_of(found("eye-edge-as-centre"))), encoding="utf-8")
    for path in (run_file, history, check):
        with Watched(browser, path.as_uri(), width) as page:
            page.evaluate("document.querySelectorAll('details').forEach(part => part.open = true)")
            assert page.locator("svg.chart").count() > 3
            assert page.evaluate(COLLIDING) == []
            assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_list_of_games_is_filtered_and_paged_and_never_long(browser: Any, tmp_path: Path) -> None:
    path = write_run(tmp_path, [random_moves(9, 12, seed) for seed in range(3)], 9, games=60)
    with Watched(browser, path.as_uri()) as page:
        rows = page.locator("#game-rows tr")
        assert rows.count() == 50
        assert "180 games, page 1 of 4" in page.locator("#page-number").inner_text()
        page.locator("#page-forward").click()
        assert "page 2 of 4" in page.locator("#page-number").inner_text()
        page.locator("#filter-reason").select_option(label="crash")
        assert rows.count() == 1
        rows.first.locator("button").click()
        assert "<b>early</b>" in page.locator("#game-facts").inner_text()
        page.locator("#filter-reason").select_option("")
        page.locator("#filter-bot").select_option(label="three")
        assert "120 games" in page.locator("#page-number").inner_text()
        before = page.locator("#game-title").inner_text()
        page.locator("#board").focus()
        page.keyboard.press("p")
        assert page.locator("#game-title").inner_text() != before


def test_the_keyboard_alone_reaches_and_sorts_a_table(browser: Any, run_file: Path) -> None:
    with Watched(browser, run_file.as_uri()) as page:
        table = page.locator("table.sortable").first
        points = table.locator("thead th", has_text="Points").locator("button")
        reached = False
        for _ in range(30):
            page.keyboard.press("Tab")
            reached = points.evaluate("button => button === document.activeElement")
            if reached:
                break
        assert reached
        page.keyboard.press("Enter")
        values = [float(text) for text in table.locator("tbody td:nth-child(4)").all_inner_texts()]
        assert values == sorted(values)
        page.keyboard.press("Enter")
        values = [float(text) for text in table.locator("tbody td:nth-child(4)").all_inner_texts()]
        assert values == sorted(values, reverse=True)


def test_folded_parts_are_open_on_paper_but_not_a_bot_that_conforms(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "check.html"
    path.write_text(check_page(report_of(found("eye-edge-as-centre"), all_passed())), encoding="utf-8")
    with Watched(browser, path.as_uri()) as page:
        folded = page.locator("details:not([open]):not(#bot-2 details)")
        before = folded.count()
        assert before > 1
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert folded.count() == 1
        assert folded.get_attribute("id") == "bot-2"
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        assert folded.count() == before
        assert page.pdf()[:5] == b"%PDF-"


def test_a_link_opens_the_folded_part_that_it_leads_to(browser: Any, check_file: Path) -> None:
    with Watched(browser, check_file.as_uri()) as page:
        link = page.locator(".start a[href*=clause-]").first
        target = (link.get_attribute("href") or "").removeprefix("#")
        link.click()
        page.wait_for_selector(f"#{target}[open]")


@pytest.mark.parametrize("bots", [1, 12])
def test_a_passing_report_has_four_screens_of_a_phone_at_most(
    browser: Any, tmp_path: Path, bots: int
) -> None:
    path = tmp_path / "check.html"
    path.write_text(check_page(report_of(*[all_passed()] * bots)), encoding="utf-8")
    with Watched(browser, path.as_uri(), width=390) as page:
        assert page.locator("details[open]").count() == 0
        if bots > 1:
            page.locator("th a[href='#bot-2']").click()
            page.wait_for_selector("#bot-2[open]")
            page.evaluate("document.getElementById('bot-2').open = false")
        else:
            assert page.locator("summary h2", has_text="Deviations").is_visible()
        assert page.evaluate("document.documentElement.scrollHeight") <= 4 * SCREEN


def test_no_sentence_of_a_failure_is_shown_twice(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "check.html"
    path.write_text(check_page(report_of(found("eye-edge-as-centre"))), encoding="utf-8")
    with Watched(browser, path.as_uri()) as page:
        texts = page.locator("dd, figcaption, pre, main p").all_inner_texts()
        long = [text for text in texts if len(text) > 40 and "Rings mark" not in text]
        assert sorted(set(long)) == sorted(long)


@pytest.mark.parametrize("width", [390, 1280])
def test_a_table_that_scrolls_sideways_says_so(browser: Any, run_file: Path, width: int) -> None:
    hint = "box => getComputedStyle(box, '::before').content"
    with Watched(browser, run_file.as_uri(), width=width) as page:
        boxes = [box for box in page.locator(".scroll").all() if box.is_visible()]
        scrolled = [box.evaluate("box => box.scrollWidth > box.clientWidth + 1") for box in boxes]
        assert any(scrolled) is (width == 390)
        assert ["sideways" in box.evaluate(hint) for box in boxes] == scrolled


def test_an_address_opens_its_game(browser: Any, run_file: Path) -> None:
    with Watched(browser, f"{run_file.as_uri()}#game-p002-g00003", own=run_file.as_uri()) as page:
        assert page.locator("#game-title").inner_text().startswith("p002-g00003:")
        page.locator("#failures h3 a").click()
        failed = page.locator("#failures h3 a").inner_text()
        page.wait_for_function(f"document.getElementById('game-title').textContent.startsWith('{failed}')")
        page.evaluate("location.hash = '#game-p999-g00001'")
        page.wait_for_function(
            "document.getElementById('game-title').textContent.includes('not on this page')"
        )
