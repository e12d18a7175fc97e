"""A real browser, Debian's chromium driven by playwright, and pages that are watched while they are open."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import pytest

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 3,
    "is_mobile": True,
    "has_touch": True,
}
"""A phone, as the context of a browser takes it."""
SMALLEST_TEXT, SMALLEST_LABEL = 14.0, 10.5
"""Text, and the labels in a chart, in CSS pixels. A chart on a phone has no room for larger labels."""
PATIENCE = 600.0
"""Seconds to wait for a page. Chosen: long enough on any busy machine; no test passes by it."""
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
"""The browser runs as any user and asks for nothing by itself."""

_BROKEN_WORDS = """([selector, word]) => [...document.querySelectorAll(selector)].filter(element => {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (texts.nextNode()) {
    const text = texts.currentNode;
    for (const found of text.data.matchAll(new RegExp(word, "g"))) {
      range.setStart(text, found.index);
      range.setEnd(text, found.index + found[0].length);
      if (new Set([...range.getClientRects()].map(box => box.top)).size > 1) return true;
    }
  }
  return false;
}).map(element => element.textContent)"""

_SMALL_TEXTS = """([text, label]) => {
  const found = new Set(), texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const parent = texts.currentNode.parentElement, words = texts.currentNode.data.trim();
    if (!words || !parent.checkVisibility() || parent.closest("script, style")) continue;
    const matrix = parent.getScreenCTM?.() ?? { a: 1, b: 0 };
    const size = parseFloat(getComputedStyle(parent).fontSize) * Math.hypot(matrix.a, matrix.b);
    if (size < (parent.closest(".chart") ? label : text)) found.add(`${size} ${words}`);
  }
  return [...found];
}"""

needs_browser = pytest.mark.skipif(
    CHROMIUM is None, reason="no chromium on the PATH: apt-get install chromium"
)
"""Skips a test where there is no browser."""


@contextmanager
def started() -> Iterator[Any]:
    """The browser of a module of tests. Skips them without playwright."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield browser
        browser.close()


@cache
def _window(browser: Any) -> Any:
    """The one page of all watching: a new page takes the browser a quarter of a second of processor time."""
    context = browser.new_context()
    context.set_default_timeout(1000 * PATIENCE)
    return context.new_page()


def broken_words(page: Any, selector: str, word: str) -> list[str]:
    """The texts of these elements in which a line ends within a word. `word`: a pattern of JavaScript."""
    found: list[str] = page.evaluate(_BROKEN_WORDS, [selector, word])
    return found


def small_texts(page: Any) -> list[str]:
    """The size and the words of each text in view that is too small to read."""
    found: list[str] = page.evaluate(_SMALL_TEXTS, [SMALLEST_TEXT, SMALLEST_LABEL])
    return found


class Watched:
    """A page that was opened, with everything that it complained about or asked for.

    It may ask for addresses that begin with `own`, which is its own address unless given.
    """

    def __init__(
        self,
        browser: Any,
        address: str,
        width: int = 1280,
        scheme: str = "light",
        own: str = "",
    ) -> None:
        self._own = own or address
        self._complaints: list[str] = []
        self._requests: list[str] = []
        self._listeners = {
            "console": lambda message: self._complaints.append(message.text),
            "pageerror": lambda error: self._complaints.append(str(error)),
            "dialog": lambda dialog: self._complaints.append(f"dialog {dialog.message}"),
            "request": lambda request: self._requests.append(request.url),
        }
        self.page = _window(browser)
        self.page.set_viewport_size({"width": width, "height": 900})
        self.page.emulate_media(color_scheme=scheme)
        for event, note in self._listeners.items():
            self.page.on(event, note)
        self.page.goto(address)

    def __enter__(self) -> Any:
        return self.page

    def __exit__(self, *_: object) -> None:
        for event, note in self._listeners.items():
            self.page.remove_listener(event, note)
        self.page.goto("about:blank")  # its streams end, and the next page starts afresh
        assert self._complaints == []
        assert [url for url in self._requests if url != "data:," and not url.startswith(self._own)] == []
