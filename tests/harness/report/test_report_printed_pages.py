"""Pages as `conform docs` prints them: links that a terminal user can follow, commands that exist."""

from __future__ import annotations

import re

import pytest

from harness.check.clauses import CLAUSES
from harness.report.pages.documents import page, pages
from harness.report.pages.printed import INSTALLED, printed

CODE = re.compile(r"^```.*?^```$|^ {4}.*?$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?<!!)\[[^\]]+\]\((?!https?:)")


@pytest.mark.parametrize("name", pages())
def test_every_link_to_a_page_is_a_command_that_prints_it(name: str) -> None:
    text = printed(page(name), name)
    assert not LINK.search(CODE.sub("", text))
    for command, argument in re.findall(r"`conform (docs|spec) ([a-z-]+)`", text):
        assert argument in (pages() if command == "docs" else {**CLAUSES, "gtp": ""})


@pytest.mark.parametrize(
    ("text", "name", "shown"),
    [
        (
            "[codes](../README.md#options-of-conform-check) x",
            "ci",
            "codes (`conform docs readme`, “Options of",
        ),
        ("[docs/ci.md](docs/ci.md) explains", "readme", "`conform docs ci` explains"),
        ("(see below, [ko](spec.md#superko))", "ci", "(see below, ko (`conform spec superko`))"),
        ("([why](spec.md#superko))", "ci", "(why: `conform spec superko`)"),
        ("[GNU Go](https://example.org/x)", "ci", "[GNU Go](https://example.org/x)"),
        (
            "`a[i](words)` and\n\n```\nb[i](spec.md)\n```\n",
            "ci",
            "`a[i](words)` and\n\n```\nb[i](spec.md)\n```\n",
        ),
        ("[LICENSE](LICENSE), MIT", "readme", "LICENSE, MIT"),
        ("[the licence](LICENSE)", "readme", "the licence (LICENSE)"),
    ],
)
def test_a_link_becomes_the_way_to_its_target(text: str, name: str, shown: str) -> None:
    assert printed(text, name, installed=False).startswith(shown)


def test_an_installed_package_names_its_own_commands() -> None:
    lines = ("make demo", ".venv/bin/conform check '.venv/bin/refbot gtp'", "../.venv/bin/conform")
    text = "# Title\n\n" + "".join(f"    {line}\n" for line in lines)
    shown = printed(text, "readme", installed=True)
    assert "    conform check 'refbot gtp'\n    ../.venv/bin/conform\n" in shown
    assert INSTALLED in shown
    assert printed(text, "readme", installed=False) == text
    assert INSTALLED not in printed("# Title\n\n    conform check ./mybot\n", "readme", installed=True)
