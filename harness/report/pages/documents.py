"""Reads the documentation that comes with the package: its pages, and the sections of the specification."""

from __future__ import annotations

import re
from importlib.resources import files
from importlib.resources.abc import Traversable

import harness
from harness.check.clauses import CLAUSES

README = "readme"
"""The name of the page README.md. A checkout has it beside `docs`; in a wheel it is among the pages."""


def is_installed() -> bool:
    """Return True if the package is installed from a wheel, without a checkout."""
    return files(harness).joinpath("docs").is_dir()


def _files() -> dict[str, Traversable]:
    """By name of a page: its file, in the installed package or in a checkout."""
    package = files(harness)
    installed = is_installed()
    folder = package.joinpath("docs" if installed else "../docs")
    found = {file.name.removesuffix(".md"): file for file in folder.iterdir() if file.name.endswith(".md")}
    return found if installed else {**found, README: package.joinpath("../README.md")}


def pages() -> dict[str, str]:
    """Return the title of each page by its name (its file without `.md`), in the order of the names."""
    titles = {name: file.read_text("utf-8").partition("\n")[0] for name, file in _files().items()}
    return {name: titles[name].removeprefix("# ") for name in sorted(titles)}


def page(name: str) -> str:
    """The text of a page, in Markdown. Raises KeyError for an unknown name."""
    return _files()[name].read_text("utf-8")


def specification() -> str:
    """The whole specification, in Markdown."""
    return page("spec")


def protocol() -> str:
    """The whole page about GTP and its extensions, in Markdown."""
    return page("gtp")


def section(clause: str) -> str:
    """The section about a clause, in Markdown. Raises KeyError for an unknown clause."""
    return section_of(page(CLAUSES[clause].page), clause)


def section_of(text: str, heading: str) -> str:
    """The section of a page under a heading of the third level, up to the next heading.

    Raises KeyError if the page has no such heading.
    """
    found = re.search(rf"^### {re.escape(heading)}\n(?:(?!^##).*\n)*", text, re.MULTILINE)
    if found is None:
        raise KeyError(heading)
    return found[0].rstrip() + "\n"
