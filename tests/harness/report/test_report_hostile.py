"""What a bot says does nothing in any report: a table of hostile texts and outputs.

The pages and the files of a match have their own tests in html/test_report_html_hostile.py.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from rich.console import Console

from harness.check.phases.findings import Findings
from harness.cli.status import _json_data, _lines, read_newest
from harness.compare.agreement import SearchedBot, judge
from harness.explore.coverage import Coverage
from harness.explore.exploration import Exploration
from harness.pytest_plugin.bot_run import report_of_findings
from harness.report.ci.badge import badge_svg
from harness.report.ci.github import as_annotations
from harness.report.ci.junit import as_junit
from harness.report.ci.markdown import as_markdown
from harness.report.files.transcripts import write_transcripts
from harness.report.html.live_page import live_page
from harness.report.html.site import write_site
from harness.report.records.check import CheckReport, as_json
from harness.report.records.stored_check import read_report
from harness.report.status.record import as_text
from harness.report.status.run import FILE
from harness.report.terminal import recorded
from harness.report.text.comparison import show_comparison
from harness.report.text.console import show_report, show_result
from harness.report.text.exploration import show_exploration
from harness.report.text.progress_line import ProgressLine
from harness.report.visible import safe
from harness.serve.hub import OVERVIEW, Hub
from harness.serve.places import Finder
from harness.suite.known_failures import list_of_failures, read_known
from tests.harness.report.hostile import HOSTILE
from tests.harness.report.hostile_status import check_status, run_status
from tests.harness.report.html.page_helpers import Page, found, report_of
from tests.interpreter import PYTHON
from tests.parameters import slow_but

HARMLESS = "harmless"
WIDTH = 100
PACKAGE = Path(__file__).parents[3] / "harness"


def spoken(text: str) -> Findings:
    """Findings about a wrong bot that says this text wherever a bot can say something."""
    one = found("eye-edge-as-centre")
    results = tuple(
        replace(
            result,
            judgement=replace(result.judgement, expected=text, observed=text, hint=text),
            lines=(b"name\n",),
            shell_line=text,
            transcript=text,
        )
        for result in one.results
    )
    return replace(one, command=text, name=text, version=text, results=results)


@cache
def report(text: str) -> CheckReport:
    """A report on that bot, and on one that cannot be run for a reason with this text."""
    one = spoken(text)
    return report_of(one, replace(one, unusable=text, hint=text, results=(), series=()))


def everything(text: str) -> Callable[[Console], None]:
    """Whatever commands print about bots that say this text."""

    def show(console: Console) -> None:
        for verbose in (False, True):
            show_report(console, report(text), quiet=False, everything=verbose)
        for result in spoken(text).results:
            show_result(console, result, strict=False)
        searched = [SearchedBot(text, text, text, reason=text) for _ in range(2)]
        show_comparison(console, judge(searched, seconds=1.0), quiet=False)
        for reason in ("", text):
            results = [*spoken(text).results]
            exploration = Exploration(
                command=text, name=text, results=results, coverage=Coverage(), unusable=reason, hint=text
            )
            show_exploration(console, exploration, 1, quiet=False)
        with ProgressLine(console, text) as line:
            for result in spoken(text).results:
                line.show_result(result)

    return show


def structure(document: str) -> list[tuple[str, list[str]]]:
    """Every element of an XML document with the names of its attributes."""
    return [(element.tag, sorted(element.attrib)) for element in ET.fromstring(document).iter()]


@pytest.fixture(params=HOSTILE, ids=list(HOSTILE))
def text(request: pytest.FixtureRequest) -> str:
    """One hostile text after the other."""
    return HOSTILE[request.param]


def test_terminal(text: str) -> None:
    shown = recorded(WIDTH, everything(text))
    assert all(char.isprintable() or char == "\n" for char in shown)
    assert "".join(safe(text).split()) in "".join(shown.split())


def test_no_text_is_read_as_markup() -> None:
    text = HOSTILE["rich"]
    assert text in recorded(WIDTH, everything(text))


def test_every_console_is_the_one_that_reads_no_markup() -> None:
    sources = {path: path.read_text("utf-8") for path in PACKAGE.rglob("*.py")}
    makers = [path.name for path, source in sources.items() if re.search(r"\bConsole\(", source)]
    assert makers == ["terminal.py"]
    assert not any("markup=True" in source or "from_markup" in source for source in sources.values())


def test_junit(text: str) -> None:
    document = as_junit(report(text))
    assert structure(document) == structure(as_junit(report(HARMLESS)))
    document.encode("utf-8")


def test_json(text: str) -> None:
    document = as_json(report(text), transcripts=True)
    assert document.isascii()
    (entry, _) = json.loads(document)["bots"]
    assert (entry["command"], entry["checks"][0]["observed"]) == (text, text)


def test_markdown(text: str) -> None:
    document = as_markdown(report(text))
    assert all(char.isprintable() or char == "\n" for char in document)
    reader = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    pages = [Page(reader.render(as_markdown(report(said)))) for said in (text, HARMLESS)]
    hostile, harmless = ([element for element in page.elements if element[0] != "br"] for page in pages)
    assert hostile == harmless
    assert document.count("\n") == as_markdown(report(HARMLESS)).count("\n")
    assert not any(sign in document.replace("**Start here:**", "") for sign in ("@user", "http:", "www."))


def test_github_annotations(text: str) -> None:
    lines = as_annotations(report(text))
    kinds = [line.split(" ")[0] for line in lines]
    assert kinds == [line.split(" ")[0] for line in as_annotations(report(HARMLESS))]
    for line in lines:
        assert line.isprintable()
        assert line.count("::") >= 2
        title = line.split("::")[1]
        assert ":" not in title
        assert "%0A%25" not in line.replace("%250A%2525", "")


def test_badge_has_no_text_from_outside(text: str) -> None:
    assert badge_svg(str(report(text).verdicts[0])) == badge_svg("deviates")


def test_known_failures(text: str) -> None:
    listed = [read_known(list_of_failures(spoken(said), strict=False)) for said in (text, HARMLESS)]
    assert listed[0] == listed[1] != frozenset()


def test_file_names_of_transcripts_and_of_a_site(text: str, tmp_path: Path) -> None:
    written = []
    for name, said in (("hostile", text), ("harmless", HARMLESS)):
        folder = tmp_path / name / "inside"
        write_transcripts(folder / "wire", [spoken(said)])
        write_site(read_report(as_json(report(said)), "report.json"), folder / "site")
        written.append({path.relative_to(tmp_path / name) for path in (tmp_path / name).rglob("*")})
    assert written[0] == written[1]
    assert {path.name for path in tmp_path.iterdir()} == {"hostile", "harmless"}


def test_site(text: str, tmp_path: Path) -> None:
    pages = []
    for said in (text, HARMLESS):
        write_site(read_report(as_json(report(said)), "report.json"), tmp_path)
        names = ("index.html", "engine-1.html")
        pages.append([Page((tmp_path / name).read_text("utf-8")).elements for name in names])
    tags = [[[tag for tag, _ in elements] for elements in page] for page in pages]
    assert tags[0] == tags[1]


def test_pytest(text: str) -> None:
    made = report_of_findings(spoken(text), 1, strict=False)
    shown = [*made.summary, *(ended.text for ended in made.checks.values())]
    assert all(char.isprintable() or char == "\n" for line in shown for char in line)
    assert not any("\n" in line for line in made.summary)


def stored(folder: Path, text: str) -> Path:
    """A folder with a run, a check and a report that say this text and are called so, as far as possible."""
    raw = text.encode("utf-8", "replace" if text == HOSTILE["lone surrogate"] else "surrogateescape")
    raw = raw.replace(b"/", b"_").replace(b"\0", b"_")[:100]
    name = os.fsdecode(b"run " + raw)  # a dot at the beginning would hide it
    (folder / name).mkdir(parents=True)
    (folder / name / FILE).write_text(as_text(run_status(text)), "utf-8")
    (folder / f"{name}.json.live").write_text(as_text(check_status(text)), "utf-8")
    (folder / f"{name}.json").write_text(as_json(report(text)), "utf-8")
    (folder / f"{name}.damaged.live").write_bytes(text.encode("utf-8", "replace"))
    return folder


def test_status(text: str, tmp_path: Path) -> None:
    folder = stored(tmp_path / "hostile", text)
    for width in (None, 80):
        lines = [*_lines(folder, read_newest(folder)[0], width)]
        assert all(line.isprintable() for line in lines)
    alone = next(path for path in folder.iterdir() if path.is_dir())
    assert all(line.isprintable() for line in _lines(alone, read_newest(alone)[0], 80))
    kinds = [
        entry["kind"]
        for entry in json.loads(json.dumps(_json_data(folder, read_newest(folder)[0])))["entries"]
    ]
    assert sorted(kinds) == ["check", "check", "match", "report"]


async def live_pages(folder: Path) -> dict[str, tuple[str, bytes]]:
    """By kind the HTML of the live pages of a folder, and the message that their viewers get."""
    hub = Hub(folder)
    pages = {}
    for key in (OVERVIEW, *[place.key for place in Finder(folder).find().values()]):
        place = await hub.place(key)
        channel = await hub.channel(key)
        assert channel is not None
        assert channel.content is not None
        stream = channel.follow()
        messages = [await anext(stream) for _ in range(2)]  # when to try again, then everything
        kind = f"{place.kind} {place.name.endswith('.damaged.live')}" if place else "overview"
        pages[kind] = live_page(channel.content.title, channel.content.sections), messages[1]
    return pages


def test_live_pages(text: str, tmp_path: Path) -> None:
    pages, plain = (
        asyncio.run(live_pages(stored(tmp_path / name, said)))
        for name, said in (("hostile", text), ("plain", HARMLESS))
    )
    assert len(pages) == 5
    for kind, (shown, message) in pages.items():
        assert [tag for tag, _ in Page(shown).elements] == [tag for tag, _ in Page(plain[kind][0]).elements]
        assert all(char.isprintable() or char in "\n\t" for char in shown)
        shown.encode("utf-8")
        assert message.count(b"\n") == 3
        assert message.isascii()
        change = json.loads(message.removeprefix(b"event: change\ndata: "))
        assert sorted(change["sections"]) == sorted(
            json.loads(plain[kind][1].removeprefix(b"event: change\ndata: "))["sections"]
        )


BOT = """
import sys
said = sys.stdin.buffer
text = bytes.fromhex("TEXT")
sys.stderr.buffer.write(text)
sys.stderr.buffer.flush()
for line in said:
    words = line.split()
    known = words[:1] in ([b"name"], [b"version"], [b"protocol_version"])
    answer = b"= " + text.replace(b"\\n\\n", b"\\n") if known else b"? " + text.replace(b"\\n\\n", b"\\n")
    sys.stdout.buffer.write(answer + b"\\n\\n")
    sys.stdout.buffer.flush()
    if words[:1] == [b"quit"]:
        break
"""


@pytest.mark.parametrize(
    "case",
    slow_but(
        ("not utf-8",),
        ["script", "ansi", "nul", "not utf-8", "rich", "workflow", "markdown", "path"],
    ),
)
def test_a_whole_check_of_a_bot_that_says_it(case: str, tmp_path: Path) -> None:
    """By the command itself: it ends as for any wrong bot, and its files can be read."""
    raw = HOSTILE[case].encode("utf-8", "surrogateescape")
    bot = tmp_path / "bot.py"
    bot.write_text(BOT.replace("TEXT", raw.hex()))
    command = os.fsencode(f"{PYTHON} {bot} ") + raw.replace(b"\0", b"").replace(b"'", b"")
    words: list[str | bytes] = ["check", command, "--only", "gtp.admin.protocol-version", "--github", "-v"]
    files = {name: tmp_path / f"report.{name}" for name in ("json", "junit", "html", "markdown")}
    options = [part for name, path in files.items() for part in (f"--{name}", str(path))]
    conform = Path(sys.executable).with_name("conform")
    done = subprocess.run(
        [str(conform), *words, *options, "--transcript", str(tmp_path / "wire")],
        capture_output=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert b"Traceback" not in done.stderr
    printed = done.stdout.decode("utf-8")
    assert all(char.isprintable() or char == "\n" for char in printed)
    first = next(line for line in printed.splitlines() if line.startswith("::stop-commands::"))
    after = printed.partition(f"\n::{first.removeprefix('::stop-commands::')}::\n")[2]
    kinds = {line.partition(" title=")[0] for line in after.splitlines()}
    assert kinds <= {"::error", "::warning", "::notice"}
    json.loads(files["json"].read_text())
    ET.parse(files["junit"])
    for name in ("html", "markdown"):
        shown = files[name].read_text("utf-8")
        assert all(char.isprintable() or char in "\n\t" for char in shown)
