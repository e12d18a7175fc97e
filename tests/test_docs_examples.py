"""The GTP dialogues in the documentation, held with the bundled bot: what a page shows is what happens."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.check.model import Outcome
from harness.check.phases.findings import Findings
from harness.check.procedures.held_steps import hold, judge_steps
from harness.check.procedures.script import steps
from harness.cli.app import app
from harness.selftest.hosted_bot import HostedBot

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
DIALOGUES = [
    pytest.param(block, id=f"{page.name}-{number}")
    for page in PAGES
    for number, block in enumerate(re.findall(r"^```gtp\n(.*?)^```", page.read_text("utf-8"), re.M | re.S))
]


@pytest.mark.parametrize("dialogue", DIALOGUES)
def test_dialogue_is_as_shown(dialogue: str, hosted_bot: Callable[..., HostedBot]) -> None:
    judgement = judge_steps(hold(hosted_bot("extensions", playouts=1000), steps(dialogue, 9)))
    assert judgement.outcome is Outcome.PASS, f"expected {judgement.expected}, observed {judgement.observed}"


def test_the_example_of_contributing_is_a_test(check_hosted: Callable[..., Findings]) -> None:
    (block,) = re.findall(
        r"^    (def test_.*\n(?: {8}.*\n)+)", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.M
    )
    names: dict[str, object] = {"Outcome": Outcome}
    exec(re.sub(r"^    ", "", block, flags=re.M), names)
    (test,) = (value for name, value in names.items() if name.startswith("test_"))
    assert callable(test)
    test(check_hosted)


def anchors(page: Path) -> set[str]:
    """The anchors that a page's headings make: lower case, blanks to dashes, other signs dropped."""
    headings = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "reports" / "README.md"], ids=str)
def test_links_lead_somewhere(page: Path) -> None:
    prose = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)", prose):
        if re.match(r"https?:", target):
            continue
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        assert there.exists(), f"{page.name}: {target}"
        if anchor:
            assert anchor in anchors(there), f"{page.name}: {target}"


def test_commands_that_the_readme_names_exist() -> None:
    named = set(re.findall(r"`conform ([a-z]+)", PAGES[0].read_text("utf-8")))
    assert named
    assert named <= {command.name for command in app.registered_commands}
