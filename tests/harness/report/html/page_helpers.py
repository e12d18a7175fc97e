"""What the tests of pages share: a real report without a process, and a reader of HTML."""

from collections import Counter
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser

from harness.check.model import Judgement, Outcome, Result
from harness.check.phases.findings import ALPHA, Findings
from harness.check.phases.playout_count import PlayoutCount
from harness.check.procedures.search import SearchProcedure
from harness.diagnosis.diagnose import diagnose
from harness.explore.coverage import Coverage
from harness.explore.procedures import DialogueRecord
from harness.report.records.check import CheckReport, ReportSettings
from harness.selftest.direct_search import search_all
from harness.stats import holm
from harness.suite.registry import select

PLAYOUTS = 200
SEARCHED = ("ref.eye.edge", "ref.empty.length", "ref.end.04", "ref.choice.midgame-1", "ref.choice.close-1")
LOG = (
    "           > boardsize 5\\n\n    0.0100 < =\\n\\n\n           > play b C3\\n\n    0.0100 < =\\n\\n\n"
    "           > genmove w\\n\n    0.0100 < = C3\\n\\n"
)
"""A conversation in which the bot plays on a stone."""

COVERED = Coverage(
    sessions=25,
    searches=138,
    commands=Counter({"play": 706, "genmove": 142, **{f"command-{n}": 40 - n for n in range(14)}}),
    refusals=Counter({"moves on stones": 66, "bad colours": 7}),
    judged=Counter({"success": 780, "refusal": 102}),
)
"""What an exploration went through that found nothing."""


@cache
def found(fault: str) -> Findings:
    """What some checks find out about the reference bot with a fault; its searches run in this process."""
    checks = [check for check in select(SEARCHED) if isinstance(check.procedure, SearchProcedure)]
    probes = [check.procedure.search_plan.probe for check in checks if check.procedure.search_plan]
    series = search_all(probes, fault, 30, PLAYOUTS, seed=5)
    results = [
        Result(check, check.procedure.judge(one), (b"boardsize 9\n",), "./bot", LOG)
        for check, one in zip(checks, series, strict=True)
    ]
    p_values = {r.check.id: r.judgement.p_value for r in results if r.judgement.p_value is not None}
    budget = holm(p_values, ALPHA)
    results = [
        replace(r, judgement=r.judgement.with_outcome(Outcome.FAIL)) if r.check.id in budget.refused else r
        for r in results
    ]
    (dialogue,) = select(["game.ko.ends"])
    outcome = Judgement(
        Outcome.FAIL if fault else Outcome.PASS, "another move", "C3", "look at the last move"
    )
    results.append(Result(dialogue, outcome, (b"name\n",), "./bot", LOG))
    (exploration,) = select(["gtp.explore"])
    results.append(Result(exploration, exploration.procedure.judge(DialogueRecord(COVERED, None))))
    return Findings(
        command=f"./bot --fault {fault}",
        name="refbot",
        version="1",
        count=PlayoutCount(PLAYOUTS, "given"),
        results=tuple(results),
        series=tuple(series),
        budget=budget,
        seconds=1.0,
        searches=30 * len(series),
    )


@cache
def all_passed() -> Findings:
    """The findings about a right bot: every check passes, some with the statistics of searches."""
    few = found("")
    judged = {result.check.id: result for result in few.results}
    passed = Judgement(Outcome.PASS, "an answer", "an answer")
    results = tuple(
        replace(one, judgement=replace(one.judgement, outcome=Outcome.PASS))
        if (one := judged.get(check.id))
        else Result(check, passed)
        for check in select()
    )
    return replace(few, results=results)


def report_of(*findings: Findings) -> CheckReport:
    """A report about these findings."""
    checks = max(len(one.results) for one in findings)
    diagnoses = [diagnose(one) for one in findings]
    return CheckReport(
        findings, diagnoses, "2026-11-22T08:00:00+00:00", 2.0, ReportSettings(1, "quick", checks)
    )


class Page(HTMLParser):
    """The texts, the elements, and the attributes of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self._skipped = 0
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._skipped += tag in ("script", "style")

    def handle_endtag(self, tag: str) -> None:
        self._skipped -= tag in ("script", "style")

    def handle_data(self, data: str) -> None:
        if not self._skipped:
            self.texts.append(data)

    @property
    def text(self) -> str:
        """What a reader sees, in order."""
        return " ".join(" ".join(self.texts).split())
