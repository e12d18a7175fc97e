"""Pages for everybody: axe finds no serious fault in them, and they print."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser import needs_browser
from tests.harness.report.html.all_pages import PAGES
from tests.harness.report.html.axe import SCHEMES, needs_axe, serious_faults
from tests.parameters import slow_but

pytestmark = needs_browser

PRINTED = {"width": 718, "height": 1047}
"""A4 with margins, in CSS pixels."""


@needs_axe
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("page", PAGES)
def test_axe_finds_no_serious_fault(browser: Any, pages: Path, page: str, scheme: str) -> None:
    context = browser.new_context(
        viewport={"width": 1280, "height": 900}, color_scheme=scheme, bypass_csp=True
    )
    shown = context.new_page()
    shown.goto((pages / page).as_uri())
    faults = serious_faults(shown)
    context.close()
    assert faults == []


@pytest.fixture(scope="module")
def paper(browser: Any) -> Iterator[Any]:
    """A page as it is printed by somebody who likes dark screens."""
    context = browser.new_context(viewport=PRINTED, color_scheme="dark")
    shown = context.new_page()
    shown.emulate_media(media="print")
    yield shown
    context.close()


@pytest.mark.parametrize("page", slow_but(PAGES[::3], PAGES))
def test_it_prints_black_on_white_and_nothing_is_cut(paper: Any, pages: Path, page: str) -> None:
    paper.goto((pages / page).as_uri())
    assert paper.evaluate("document.documentElement.scrollWidth") <= PRINTED["width"]
    boxes = "[...document.querySelectorAll('.scroll')]"
    assert paper.evaluate(f"{boxes}.filter(box => box.scrollWidth > box.clientWidth + 1).length") == 0
    assert paper.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    colours = (
        "(style => [style.color, style.backgroundColor])(getComputedStyle(document.querySelector('.badge')))"
    )
    of_dark_screen = paper.evaluate(colours)
    paper.emulate_media(media="print", color_scheme="light")
    assert paper.evaluate(colours) == of_dark_screen
    paper.emulate_media(media="print", color_scheme="dark")
    assert paper.pdf(format="A4").startswith(b"%PDF-")
