"""The documentation that comes with the package: its pages, and the specification clause by clause."""

from __future__ import annotations

import re
from importlib.resources import files
from importlib.resources.abc import Traversable

from harness.checks.clauses import CLAUSES


def _folder() -> Traversable:
    """The folder of the pages: in the package, or in a checkout beside it."""
    package = files("harness")
    packed = package.joinpath("docs")
    return packed if packed.is_dir() else package.joinpath("../docs")


def pages() -> dict[str, str]:
    """The title of each page, by the name of its file without `.md`."""
    found = (file for file in _folder().iterdir() if file.name.endswith(".md"))
    texts = {file.name.removesuffix(".md"): file.read_text("utf-8") for file in found}
    return {name: texts[name].partition("\n")[0].removeprefix("# ") for name in sorted(texts)}


def page(name: str) -> str:
    """The text of a page, in Markdown. Raises FileNotFoundError for a name that `pages` does not have."""
    return _folder().joinpath(f"{name}.md").read_text("utf-8")


def specification() -> str:
    """The whole specification, in Markdown."""
    return page("spec")


def section(clause: str) -> str:
    """The section of a clause. Raises KeyError for a name that is no clause."""
    heading = f"### {CLAUSES[clause].name}\n"
    text = heading + specification().partition(heading)[2]
    following = re.search(r"^##", text[len(heading) :], re.MULTILINE)
    return text[: len(heading) + following.start()].rstrip() + "\n" if following else text
