"""Pages for everybody: axe finds no serious fault in them, and they print."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.report.html.check_page import check_page
from harness.report.html.compare_page import compare_page
from harness.report.html.site import read_report, write_site
from harness.report.record import as_json
from tests.harness.report.html.axe import ROOT, SCHEMES, needs_axe, serious_faults
from tests.harness.report.html.page_helpers import found, report_of
from tests.harness.report.html.test_report_html_compare import comparison
from tests.harness.report.html.test_report_html_history import page_of
from tests.harness.report.html.test_report_html_history import runs as history_runs

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium on the PATH: apt-get install chromium")

PAGES = [
    "check.html",
    "several.html",
    "compare.html",
    "site/index.html",
    "site/engine-1.html",
    "run.html",
    "history.html",
]
PRINTED = {"width": 718, "height": 1047}
"""A4 with margins, in CSS pixels."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield started
        started.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One page of every kind."""
    folder = tmp_path_factory.mktemp("pages")
    wrong, right = found("eye-edge-as-centre"), found("")
    several = report_of(wrong, right)
    pages = {
        "check.html": check_page(report_of(wrong)),
        "several.html": check_page(several),
        "compare.html": compare_page(comparison(), 1, "2026-11-22T08:00:00+00:00"),
        "history.html": page_of(folder, {"one": history_runs(9), "two": history_runs(None)}),
    }
    for name, text in pages.items():
        (folder / name).write_text(text, encoding="utf-8")
    write_site(read_report(as_json(several), "report.json"), folder / "site")
    shutil.copy(ROOT / "reports" / "sample" / "report.html", folder / "run.html")
    return folder


@needs_axe
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("page", PAGES)
def test_axe_finds_no_serious_fault(browser: Any, folder: Path, page: str, scheme: str) -> None:
    context = browser.new_context(
        viewport={"width": 1280, "height": 900}, color_scheme=scheme, bypass_csp=True
    )
    shown = context.new_page()
    shown.goto((folder / page).as_uri())
    faults = serious_faults(shown)
    context.close()
    assert faults == []


@pytest.mark.parametrize("page", PAGES)
def test_it_prints_black_on_white_and_nothing_is_cut(browser: Any, folder: Path, page: str) -> None:
    context = browser.new_context(viewport=PRINTED, color_scheme="dark")
    shown = context.new_page()
    shown.goto((folder / page).as_uri())
    shown.emulate_media(media="print")
    assert shown.evaluate("document.documentElement.scrollWidth") <= PRINTED["width"]
    boxes = "[...document.querySelectorAll('.scroll')]"
    assert shown.evaluate(f"{boxes}.filter(box => box.scrollWidth > box.clientWidth + 1).length") == 0
    assert shown.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    assert shown.pdf(format="A4").startswith(b"%PDF-")
    context.close()
