"""Every report of a run that learnt little: no number of playouts, no searches, no time, no result."""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from harness.check.model import OUT_OF_TIME, Judgement, Outcome
from harness.check.phases.findings import Findings
from harness.check.phases.judged_searches import plan_of
from harness.check.phases.playout_count import PlayoutCount
from harness.diagnosis.diagnose import diagnose
from harness.report.ci.github import as_annotations
from harness.report.ci.junit import as_junit
from harness.report.ci.markdown import as_markdown
from harness.report.files.transcripts import write_transcripts
from harness.report.html.check_page import check_page
from harness.report.records.check import CheckReport, ReportSettings, as_json
from harness.report.text.console import show_report
from harness.report.text.undecided import open_lines, seconds_to_decide
from tests.harness.diagnosis.imagined import imagined

UNKNOWN = PlayoutCount(None, "unknown", "the bot has no ref-nodes")


@cache
def right() -> Findings:
    """Findings of a right bot whose searches took half a second each."""
    found = imagined("", np.random.default_rng(1))
    searches = [tuple(replace(s, seconds=0.5) for s in one.searches) for one in found.series]
    series = tuple(replace(one, searches=made) for one, made in zip(found.series, searches, strict=True))
    return replace(found, series=series, count=PlayoutCount(1000, "asked"), usual_search=0.5, long_search=0.5)


def out_of_time(found: Findings) -> Findings:
    return replace(found, results=tuple(replace(r, judgement=OUT_OF_TIME) for r in found.results))


def without_count(found: Findings) -> Findings:
    """Nothing but the moves is known of the searches."""
    series = []
    for one in found.series:
        searches = tuple(replace(search, nodes=None, score=None) for search in one.searches)
        series.append(replace(one, playouts=0, searches=searches))
    return replace(found, count=UNKNOWN, series=tuple(series))


def without_searches(found: Findings) -> Findings:
    empty = tuple(replace(one, searches=()) for one in found.series)
    return replace(found, series=empty, usual_search=0.0, long_search=0.0)


def undecided(found: Findings) -> Findings:
    """The searches so far do not decide; nothing says how many would."""
    judgement = Judgement(Outcome.INCONCLUSIVE, "moves", "few searches")
    return replace(found, results=tuple(replace(r, judgement=judgement) for r in found.results))


def failing(found: Findings) -> Findings:
    """Every thirtieth check fails: the diagnosis takes its time with each of them."""
    judgement = Judgement(Outcome.FAIL, "an answer", "no answer")
    return replace(found, results=tuple(replace(r, judgement=judgement) for r in found.results[::30]))


def in_no_time(found: Findings) -> Findings:
    searches = [tuple(replace(s, seconds=0.0) for s in one.searches) for one in found.series]
    series = tuple(replace(one, searches=made) for one, made in zip(found.series, searches, strict=True))
    return replace(found, series=series, usual_search=0.0, long_search=0.0, seconds=0.0)


LITTLE: dict[str, Callable[[], Findings]] = {
    "out of time": lambda: out_of_time(right()),
    "out of time, no count": lambda: out_of_time(without_count(right())),
    "undecided, no count": lambda: undecided(without_count(right())),
    "failing, no count": lambda: failing(without_count(right())),
    "no searches, no count": lambda: out_of_time(without_searches(without_count(right()))),
    "no searches": lambda: undecided(without_searches(right())),
    "in no time": lambda: undecided(in_no_time(right())),
    "in no time, no count": lambda: undecided(in_no_time(without_count(right()))),
    "no results": lambda: replace(without_searches(right()), results=(), series=()),
    "nothing at all": lambda: Findings("./mybot"),
    "interrupted": lambda: replace(out_of_time(without_count(right())), interrupted=True),
    "unusable": lambda: Findings("./mybot", unusable="it printed nothing"),
}


def report_of(found: Findings) -> CheckReport:
    return CheckReport(
        [found], [diagnose(found)], "2026-11-22T08:00:00+00:00", 0.0, ReportSettings(1, "40", 1)
    )


def console_text(report: CheckReport) -> str:
    out = io.StringIO()
    show_report(Console(file=out, width=100), report, quiet=False, everything=True)
    return out.getvalue()


def transcript_files(report: CheckReport) -> str:
    with tempfile.TemporaryDirectory() as folder:
        write_transcripts(Path(folder), report.findings)
    return "written"


WRITERS: dict[str, Callable[[CheckReport], str]] = {
    "console": console_text,
    "json": as_json,
    "junit": as_junit,
    "html": check_page,
    "markdown": as_markdown,
    "github": lambda report: "\n".join(as_annotations(report)),
    "transcripts": transcript_files,
}


@pytest.mark.parametrize("known", LITTLE)
def test_every_report_can_be_written(known: str) -> None:
    report = report_of(LITTLE[known]())
    texts = {name: write(report) for name, write in WRITERS.items()}
    assert all(isinstance(text, str) for text in texts.values())
    assert len(json.loads(texts["json"])["bots"]) == 1


@pytest.mark.parametrize("known", ["out of time, no count", "undecided, no count"])
def test_searches_are_counted_where_the_number_of_playouts_is_not_known(known: str) -> None:
    """The checks that look at moves alone need more searches, and these took half a second each."""
    found = LITTLE[known]()
    moves = [r for r in found.results if r.check.id == "ref.choice.ties-won"]
    found = replace(found, results=tuple(moves))
    seconds = seconds_to_decide(found, moves)
    assert seconds == pytest.approx(0.5 * plan_of(moves[0].check).least)
    assert any("of searches would decide" in line for line in open_lines(found))
