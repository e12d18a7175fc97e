"""The documentation site that `make site` built: every page is whole, and search needs no server."""

from __future__ import annotations

import os
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from tests.browser import PHONE, Watched, broken_words, needs_browser, small_texts, started

SITE = Path(os.environ.get("CONFORM_SITE", "build/site")).resolve()
ROOT = Path(__file__).parents[1]
PAGES = {page.stem: page for page in sorted((ROOT / "docs").glob("*.md"))} | {"readme": ROOT / "README.md"}
HEADINGS = {f"h{level}" for level in range(1, 7)}

pytestmark = pytest.mark.skipif(
    "CONFORM_SITE" not in os.environ, reason="make site builds the site and runs these tests"
)


class Parts(HTMLParser):
    """The headings and the blocks of code of a page, as text without blanks."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.headings: list[str] = []
        self.blocks: list[str] = []
        self._into: list[str] | None = None
        self._mute = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in HEADINGS | {"pre"}:
            self._into = self.blocks if tag == "pre" else self.headings
            self._into.append("")
        self._mute = ("class", "headerlink") in attrs

    def handle_endtag(self, tag: str) -> None:
        if tag in HEADINGS | {"pre"}:
            self._into = None
        self._mute = False

    def handle_data(self, data: str) -> None:
        if self._into is not None and not self._mute:
            self._into[-1] += "".join(data.split())


def parts_of_the_source(page: Path) -> Parts:
    """The page as the usual Markdown (CommonMark, with tables) reads it: so does a forge, and the author."""
    from markdown_it import MarkdownIt

    return Parts(MarkdownIt("commonmark").enable("table").render(page.read_text("utf-8")))


@pytest.mark.parametrize("name", PAGES)
def test_every_heading_and_every_block_of_code_of_a_page_is_on_the_site(name: str) -> None:
    source = parts_of_the_source(PAGES[name])
    built = Parts((SITE / f"{name}.html").read_text("utf-8"))
    assert source.headings
    missing = [text for text in source.headings if text not in built.headings]
    assert missing == []
    assert [text for text in source.blocks if text not in built.blocks] == []


def test_every_picture_of_a_page_is_on_the_site() -> None:
    class Pictures(HTMLParser):
        def __init__(self) -> None:
            super().__init__()
            self.found: list[str] = []

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            if tag == "img":
                self.found.append(dict(attrs)["src"] or "")

    seen = 0
    for name in PAGES:
        reader = Pictures()
        reader.feed((SITE / f"{name}.html").read_text("utf-8"))
        assert [source for source in reader.found if not (SITE / source).is_file()] == []
        seen += len(reader.found)
    assert seen


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with started() as found:
        yield found


@needs_browser
def test_a_site_that_was_opened_as_a_file_is_searched(browser: Any) -> None:
    with Watched(browser, (SITE / "index.html").as_uri(), own=SITE.as_uri()) as page:
        page.locator("[data-md-component=search-query]").click()
        page.keyboard.type("positional superko")
        hits = page.locator("[data-md-component=search-result] a.md-search-result__link")
        hits.first.wait_for()
        assert any("spec.html" in link.get_attribute("href") for link in hits.all())


@needs_browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_every_page_fits_and_breaks_no_name(browser: Any, width: int, scheme: str) -> None:
    with Watched(browser, (SITE / "index.html").as_uri(), width, scheme, own=SITE.as_uri()) as page:
        for name in PAGES:
            page.goto((SITE / f"{name}.html").as_uri())
            assert page.evaluate("document.documentElement.scrollWidth") <= width, name
            assert broken_words(page, "td code", "[a-z0-9_]+") == [], name


@needs_browser
@pytest.mark.parametrize("check", ["gtp.play.letter-i", "gtp.setup.komi-nan", "game.final-score-komi"])
def test_the_search_finds_a_check_by_its_id(browser: Any, check: str) -> None:
    with Watched(browser, (SITE / "index.html").as_uri(), own=SITE.as_uri()) as page:
        page.locator("[data-md-component=search-query]").click()
        page.keyboard.type(check)
        hits = page.locator("[data-md-component=search-result] a.md-search-result__link")
        hits.first.wait_for()
        page.wait_for_function(
            "document.querySelector('.md-search-result__link').href.includes('checks.html')"
        )


@needs_browser
def test_a_phone_shows_readable_text_and_the_names_of_the_rows_of_a_wide_table(browser: Any) -> None:
    context = browser.new_context(**PHONE)
    page = context.new_page()
    for name in ("index", "howto-debug", "api"):  # prose, code, tables; lists of commands; signatures
        page.goto((SITE / f"{name}.html").as_uri())
        assert small_texts(page) == [], name
    page.goto((SITE / "engines.html").as_uri())
    wide = page.locator(".md-typeset__scrollwrap").first
    wide.evaluate("box => { box.scrollLeft = 500; }")
    assert wide.evaluate("box => box.scrollLeft") == 500
    for cell in (wide.locator("thead th").first, wide.locator("tbody td").first):
        assert 0 <= cell.bounding_box()["x"] < 30
    context.close()


@needs_browser
def test_the_home_page_has_a_logo_a_picture_and_a_place_to_start(browser: Any) -> None:
    with Watched(browser, (SITE / "index.html").as_uri(), own=SITE.as_uri()) as page:
        for picture in (".md-header .md-logo img", "article img"):
            assert page.locator(picture).evaluate("one => one.naturalWidth") > 0
        links = page.locator("h2#start-here + ol a").all()
        assert links
        for link in links:
            address = link.evaluate("one => one.href").partition("#")[0]
            assert Path(unquote(address.removeprefix("file://"))).is_file()
