"""A real browser, Debian's chromium driven by playwright, and pages that are watched while they are open."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

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
        self._context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        self._context.set_default_timeout(1000 * PATIENCE)
        self.page = self._context.new_page()
        self._complaints: list[str] = []
        self._requests: list[str] = []
        self.page.on("console", lambda message: self._complaints.append(message.text))
        self.page.on("pageerror", lambda error: self._complaints.append(str(error)))
        self.page.on("dialog", lambda dialog: self._complaints.append(f"dialog {dialog.message}"))
        self.page.on("request", lambda request: self._requests.append(request.url))
        self.page.goto(address)

    def __enter__(self) -> Any:
        return self.page

    def __exit__(self, *_: object) -> None:
        self._context.close()
        assert self._complaints == []
        assert [url for url in self._requests if url != "data:," and not url.startswith(self._own)] == []
