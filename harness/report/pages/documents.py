"""The documentation that comes with the package: its pages, and the specification clause by clause."""

from __future__ import annotations

import re
from importlib.resources import files
from importlib.resources.abc import Traversable

from harness.check.clauses import CLAUSES

README = "readme"
"""The page that a checkout has as `README.md`, beside its folder of pages; a wheel has it among them."""


def _files() -> dict[str, Traversable]:
    """The file of each page: in the package, or in a checkout beside it."""
    package = files("harness")
    packed = package.joinpath("docs")
    folder = packed if packed.is_dir() else package.joinpath("../docs")
    found = {file.name.removesuffix(".md"): file for file in folder.iterdir() if file.name.endswith(".md")}
    return found if folder is packed else {**found, README: package.joinpath("../README.md")}


def pages() -> dict[str, str]:
    """The title of each page, by the name of its file without `.md`."""
    titles = {name: file.read_text("utf-8").partition("\n")[0] for name, file in _files().items()}
    return {name: titles[name].removeprefix("# ") for name in sorted(titles)}


def page(name: str) -> str:
    """The text of a page, in Markdown. Raises KeyError for a name that `pages` does not have."""
    return _files()[name].read_text("utf-8")


def specification() -> str:
    """The whole specification, in Markdown."""
    return page("spec")


def section(clause: str) -> str:
    """The section of a clause. Raises KeyError for a name that is no clause."""
    heading = f"### {CLAUSES[clause].name}\n"
    text = heading + specification().partition(heading)[2]
    following = re.search(r"^##", text[len(heading) :], re.MULTILINE)
    return text[: len(heading) + following.start()].rstrip() + "\n" if following else text
