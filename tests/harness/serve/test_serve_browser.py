"""The live page in a real browser: numbers move, nothing complains, nothing else is asked for."""

import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.report.records.check import as_json
from tests.browser import Watched, needs_browser
from tests.harness.report.html.axe import SCHEMES, needs_axe, serious_faults
from tests.harness.report.html.page_helpers import found, report_of
from tests.harness.report.html.test_report_html_history import runs as history_runs
from tests.harness.report.html.test_report_html_history import table
from tests.harness.serve.serve_helpers import (
    Served,
    check_in_play,
    checking,
    hostile_run,
    playing,
    serving,
    stored,
    until,
)

pytest.importorskip("uvicorn", reason="the extra serve is not installed")
pytestmark = needs_browser

LOOKS = ((1280, "light"), (390, "dark"))


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A folder with a stored run, one with hostile names, a check in play, a report, and a history."""
    folder = tmp_path_factory.mktemp("runs")
    stored(folder / "plain")
    stored(folder / "hostile")
    hostile_run(folder / "hostile")
    check_in_play(folder / "second.json")
    (folder / "first.json").write_text(as_json(report_of(found("eye-edge-as-centre"), found(""))))
    (folder / "nightly").mkdir()
    (folder / "nightly" / "history.csv").write_text(
        table({"one": history_runs(9), "two": history_runs(None)})
    )
    with serving(folder) as server:
        yield server


def watched(
    browser: Any, served: Served, path: str = "", width: int = 1280, scheme: str = "light"
) -> Watched:
    return Watched(browser, served.url + path, width, scheme, own=served.url)


def says(page: Any, word: str) -> None:
    """Wait until the line about the connection has this word. The page forbids the eval of other waits."""
    until(lambda: word in page.locator("#connection").inner_text() or None)


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_every_page_fits_and_complains_about_nothing(
    browser: Any, served: Served, width: int, scheme: str
) -> None:
    plain, hostile = served.address_of("plain"), served.address_of("hostile")
    others = [served.address_of(name) for name in ("nightly", "second.json.live", "first.json")]
    with watched(browser, served, "", width, scheme) as page:
        for path in ("", plain, hostile, plain + "report", *others):
            page.goto(served.url + path)
            if page.locator("#connection").count():
                says(page, "Live")
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert page.locator("h1").first.is_visible()
            background = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
            assert background == ("rgb(252, 251, 248)" if scheme == "light" else "rgb(21, 24, 28)")


def test_the_numbers_of_a_running_match_move_and_boards_change(browser: Any, tmp_path: Path) -> None:
    with serving(tmp_path) as server, playing(tmp_path / "slow") as match:
        until(lambda: b"running</span>" in server.get("").body or None)
        with watched(browser, server) as page:
            page.locator("a", has_text="slow").click()
            page.wait_for_selector("#boards figure circle.black")
            first = page.locator("#boards figure").first.get_attribute("data-stones")
            done = "Number(document.querySelector('progress').value)"
            before = page.evaluate(done)
            until(lambda: page.evaluate(done) > before or None)
            until(lambda: page.locator("#boards figure").first.get_attribute("data-stones") != first or None)
            figure = page.locator("#boards figure").first
            stones = figure.get_attribute("data-stones") or ""
            assert len(stones) == 25
            assert page.title().endswith("% slow – conform")
            match.send_signal(signal.SIGINT)
            page.wait_for_selector("h1 >> text=stopped")
            page.wait_for_selector("#boards", state="hidden")


def test_the_numbers_of_a_check_move_and_its_end_leads_to_the_report(browser: Any, tmp_path: Path) -> None:
    with serving(tmp_path) as server, checking(tmp_path / "slow.json") as check:
        until(lambda: b"running</span>" in server.get("").body or None)
        with watched(browser, server) as page:
            page.locator("a", has_text="slow.json").click()
            page.wait_for_selector("#check progress")
            done = "Number(document.querySelector('#check progress').value)"
            before = page.evaluate(done)
            until(lambda: page.evaluate(done) > before or None)
            check.send_signal(signal.SIGINT)
            page.locator("#check a", has_text="Open the report").click()
            page.wait_for_selector("h2:has-text('Clauses')")
            assert "/report/" in page.url


def test_a_failure_of_a_check_in_play_appears(browser: Any, tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        check_in_play(tmp_path / "one.json", "./before")
        with watched(browser, server, server.address_of("one.json.live")) as page:
            says(page, "Live")
            assert page.locator("#check .fail.badge").count() == 1
            assert "97 of 259 checks decided" in page.locator("#check").inner_text()
            assert "waiting" in page.locator("#check").inner_text()
            check_in_play(tmp_path / "one.json", "./after")
            page.wait_for_selector("#check code:has-text('./after')")


@needs_axe
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", ["", "plain", "hostile", "nightly", "second.json.live", "first.json"])
def test_axe_finds_no_serious_fault(browser: Any, served: Served, name: str, scheme: str) -> None:
    address = served.address_of(name) if name else ""
    context = browser.new_context(
        viewport={"width": 1280, "height": 900}, color_scheme=scheme, bypass_csp=True
    )
    page = context.new_page()
    page.goto(served.url + address)
    faults = serious_faults(page)
    context.close()
    assert faults == []


def test_a_change_leaves_the_focus_and_the_unchanged_rows_in_place(browser: Any, tmp_path: Path) -> None:
    stored(tmp_path / "run")
    with serving(tmp_path) as server, watched(browser, server, server.address_of("run")) as page:
        says(page, "Live")
        page.locator("[aria-label=standings]").focus()
        page.evaluate("window.kept = document.querySelector('[aria-label=standings] tbody tr')")
        hostile_run(tmp_path / "run")
        page.wait_for_selector("#progress .badge >> text=benched")
        assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "standings"
        assert page.evaluate("window.kept.isConnected")


def test_a_run_that_is_deleted_says_so_and_keeps_its_numbers(browser: Any, tmp_path: Path) -> None:
    stored(tmp_path / "run")
    with serving(tmp_path) as server, watched(browser, server, server.address_of("run")) as page:
        says(page, "Live")
        shutil.rmtree(tmp_path / "run")
        says(page, "deleted")
        assert "12 of 12 games" in page.locator("#progress").inner_text()


def test_the_keyboard_alone_reaches_a_run_and_its_report(browser: Any, served: Served) -> None:
    with watched(browser, served) as page:
        for wanted, heading in (("plain", "pages"), ("Report with all games", "pages")):
            for _ in range(30):
                page.keyboard.press("Tab")
                if page.evaluate("document.activeElement.textContent") == wanted:
                    break
            page.keyboard.press("Enter")
            page.wait_for_selector(f"h1:has-text('{heading}')")
        page.wait_for_selector("#viewer")


def test_a_page_that_has_no_script_still_has_its_numbers(browser: Any, served: Served) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(served.url + served.address_of("plain"))
    assert "12 of 12 games" in page.locator("#progress").inner_text()
    assert "was opened" in page.locator("#connection").inner_text()
    context.close()


def test_a_game_of_a_run_leads_to_its_moves(browser: Any, served: Served) -> None:
    with watched(browser, served, served.address_of("plain")) as page:
        link = page.locator("#games a").first
        game = link.inner_text()
        link.click()
        page.wait_for_selector(f"#game-title:has-text('{game}:')")
        assert page.url.endswith(f"report#game-{game}")


def test_times_have_their_zone(browser: Any, served: Served) -> None:
    with watched(browser, served) as page:
        times = [text for text in page.locator(".overview tbody td:last-child").all_inner_texts() if text]
        assert times
        assert all(text.endswith(" UTC") for text in times)
        page.goto(served.url + served.address_of("plain"))
        assert page.locator("#games th", has_text="At (UTC)").count() == 1
        assert " UTC" in page.locator("#progress").inner_text()
