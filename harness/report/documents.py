"""The specification that comes with the package, as a whole and clause by clause."""

from __future__ import annotations

import re
from importlib.resources import files

from harness.checks.clauses import CLAUSES


def specification() -> str:
    """The whole page, in Markdown. In a checkout it lies in `docs`, beside the package."""
    package = files("harness")
    packed = package.joinpath("docs/spec.md")
    page = packed if packed.is_file() else package.joinpath("../docs/spec.md")
    return page.read_text("utf-8")


def section(clause: str) -> str:
    """The section of a clause. Raises KeyError for a name that is no clause."""
    heading = f"### {CLAUSES[clause].name}\n"
    text = heading + specification().partition(heading)[2]
    following = re.search(r"^##", text[len(heading) :], re.MULTILINE)
    return text[: len(heading) + following.start()].rstrip() + "\n" if following else text
