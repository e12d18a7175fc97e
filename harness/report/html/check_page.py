"""The page of `conform check`: verdict and cause first, then requirements, failures, and the statistics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from markupsafe import Markup

from harness.check.clauses import CLAUSES, Clause
from harness.check.model import REFUSING, Outcome, Phase, Result, Verdict
from harness.check.phases.findings import Findings
from harness.diagnosis.diagnose import Diagnosis
from harness.report.html.check_evidence import Trail, trails
from harness.report.html.check_exploration import Explored, explored
from harness.report.html.check_pictures import ChoicePicture, Deviation, choices, deviations, spreads
from harness.report.html.page import render
from harness.report.html.positions import drawn_position
from harness.report.html.visible import one_line
from harness.report.records.check import CheckReport
from harness.report.signs import VERDICT_SIGNS
from harness.report.text.by_hand import selection
from harness.report.text.cause_text import capital, cause_reason, cause_statement
from harness.report.text.counts import NOTED, ended_text, ending, weighty
from harness.report.text.failure_text import expected_playouts
from harness.report.text.undecided import quoted

SYMBOLS = {
    Outcome.PASS: "✓",
    Outcome.FAIL: "✗",
    Outcome.CRASH: "✗",
    Outcome.TIMEOUT: "✗",
    Outcome.ERROR: "!",
    Outcome.INCONCLUSIVE: "?",
    Outcome.SKIP: "–",
    Outcome.BLOCKED: "–",
    NOTED: "i",
}
"""A sign beside each ending, for those who see no colours."""

MEANINGS = {
    Verdict.CONFORMS: "The bot follows the specification in everything that was checked.",
    Verdict.DEVIATES: "The bot breaks at least one requirement of the specification.",
    Verdict.INCONCLUSIVE: "Some requirements are undecided. A larger budget decides more.",
    Verdict.UNUSABLE: "The bot could not be checked.",
}

COLUMNS = ("pass", "fail", "open", "note", "blocked", "skip")
"""The columns of the table of requirements."""

KINDS = {
    Outcome.PASS: "pass",
    Outcome.FAIL: "fail",
    Outcome.CRASH: "fail",
    Outcome.TIMEOUT: "fail",
    Outcome.ERROR: "open",
    Outcome.INCONCLUSIVE: "open",
    Outcome.SKIP: "skip",
    Outcome.BLOCKED: "blocked",
    NOTED: "note",
}
"""The column in which an ending counts. It is also the style of the ending."""

CLAUSE_SIGNS = {"fail": "✗", "open": "?", "pass": "✓", "note": "i", "blocked": "–", "skip": "–"}
"""By column the sign of a clause: of the first column of these in which one of its checks counts."""


@dataclass(frozen=True)
class FailureView:
    """A failed check, with the others that failed with the same observation."""

    result: Result
    board: Markup
    occasion: str
    again: str
    others: tuple[Result, ...]
    playouts: str  # those of a conforming bot, a line each; empty where they are too many or not asked for


@dataclass(frozen=True)
class ClauseView:
    """The checks of one clause, counted."""

    clause: Clause
    results: tuple[Result, ...]
    counts: Counter[str]

    @property
    def kind(self) -> str:
        """The style of its gravest outcome."""
        return next(kind for kind in CLAUSE_SIGNS if self.counts[kind])


@dataclass(frozen=True)
class BotView:
    """Everything that the page shows of one bot."""

    number: int
    findings: Findings
    ended: str  # how many checks ended how
    verdict: Verdict
    diagnosis: Diagnosis
    causes: tuple[tuple[str, str, str], ...]  # what each is, how sure that is, its clause
    clauses: tuple[ClauseView, ...]
    failures: tuple[FailureView, ...]
    notes: tuple[FailureView, ...]
    undecided: tuple[Result, ...]
    not_run: tuple[Result, ...]
    deviations: tuple[Deviation, ...]
    trails: tuple[Trail, ...]
    spreads: tuple[tuple[str, str, Markup], ...]
    choices: tuple[ChoicePicture, ...]
    explored: tuple[Explored, ...]
    counts: Counter[str]  # by column

    @property
    def title(self) -> str:
        """The name that the bot reports, or its command."""
        name = f"{self.findings.name} {self.findings.version}".strip()
        return one_line(name or self.findings.command)

    @property
    def first(self) -> FailureView | None:
        """The failure to look at first: the evidence of the first cause."""
        evidence = [cause.evidence for cause in self.diagnosis.causes[:1]]
        shown = (v for v in self.failures if any(r.check.id in evidence for r in (v.result, *v.others)))
        return next(shown, next(iter(self.failures), None))


def check_page(report: CheckReport) -> str:
    """The page as text."""
    bots = [
        _bot(number, found, verdict, diagnosis, report.settings.options, strict=report.settings.strict)
        for number, (found, verdict, diagnosis) in enumerate(
            zip(report.findings, report.verdicts, report.diagnoses, strict=True), 1
        )
    ]
    return render(
        "check.html",
        report=report,
        bots=bots,
        matrix=_matrix(report.findings, strict=report.settings.strict) if len(bots) > 1 else (),
        verdicts=VERDICT_SIGNS,
        meanings=MEANINGS,
        ending=partial(ending, strict=report.settings.strict),
        symbols=SYMBOLS,
        kinds=KINDS,
        clause_signs=CLAUSE_SIGNS,
        columns=COLUMNS,
    )


def _bot(
    number: int, findings: Findings, verdict: Verdict, diagnosis: Diagnosis, options: str, *, strict: bool
) -> BotView:
    heavy = weighty(strict=strict)
    refused = [result for result in findings.results if result.outcome in REFUSING]
    by_id = {result.check.id: result for result in findings.results}
    deviating = tuple(deviations(findings, strict=strict))
    evidence = [cause.evidence for cause in diagnosis.causes]
    return BotView(
        number=number,
        findings=findings,
        ended=ended_text(findings, strict=strict),
        verdict=verdict,
        diagnosis=diagnosis,
        causes=tuple(
            (
                capital(cause_statement(cause, by_id[cause.evidence])),
                cause_reason(cause),
                cause.clause,
            )
            for cause in diagnosis.causes
        ),
        clauses=_clauses(findings.results, strict=strict),
        failures=_failures([r for r in refused if r.check.level in heavy], findings, options, evidence),
        notes=_failures([r for r in refused if r.check.level not in heavy], findings, options),
        undecided=_with(findings, Outcome.INCONCLUSIVE, Outcome.ERROR),
        not_run=_with(findings, Outcome.SKIP, Outcome.BLOCKED),
        deviations=deviating,
        trails=tuple(trails(findings, deviating)),
        spreads=tuple(spreads(findings)),
        choices=tuple(choices(findings)),
        explored=tuple(explored(findings)),
        counts=_counts(findings.results, strict=strict),
    )


def _with(findings: Findings, *outcomes: Outcome) -> tuple[Result, ...]:
    return tuple(result for result in findings.results if result.outcome in outcomes)


def _counts(results: Sequence[Result], *, strict: bool) -> Counter[str]:
    """How many of the results count in each column."""
    return Counter(KINDS[ending(result, strict=strict)] for result in results)


def _clauses(results: Sequence[Result], *, strict: bool) -> tuple[ClauseView, ...]:
    views = []
    for name, clause in CLAUSES.items():
        own = tuple(result for result in results if result.check.clause == name)
        if own:
            views.append(ClauseView(clause, own, _counts(own, strict=strict)))
    return tuple(views)


def _failures(
    results: Sequence[Result], findings: Findings, options: str, evidence: Sequence[str] = ()
) -> tuple[FailureView, ...]:
    """The failures, the evidence of the causes first; those that say the same word for word are one."""
    alike: dict[tuple[str, str], list[Result]] = {}
    places = {name: place for place, name in enumerate(evidence)}
    for result in sorted(results, key=lambda result: places.get(result.check.id, len(places))):
        alike.setdefault((result.judgement.expected, result.judgement.observed), []).append(result)
    series = {one.probe.id: one for one in findings.series}
    views = []
    for first, *others in alike.values():
        board, occasion = drawn_position(first, series)
        again = _again(first, findings.command, options)
        views.append(FailureView(first, board, occasion, again, tuple(others), expected_playouts(first)))
    return tuple(views)


def _again(result: Result, command: str, options: str) -> str:
    words = f"{quoted(command)} {options}".rstrip()
    budget = " --budget thorough" if result.observed_by.procedure.phase is Phase.MATCH else ""
    return f"conform check {words} {selection(result)}{budget}"


def _matrix(findings: Sequence[Findings], *, strict: bool) -> list[tuple[str, str, list[str | None]]]:
    """(check, title, an ending for each bot) of the checks that some bot does not pass, failures first."""
    outcomes = [{r.check.id: ending(r, strict=strict) for r in found.results} for found in findings]
    titles = {result.check.id: result.check.title for found in findings for result in found.results}
    rows = [(check, titles[check], [known.get(check) for known in outcomes]) for check in titles]
    rows = [row for row in rows if any(ended != Outcome.PASS for ended in row[2])]
    return sorted(rows, key=lambda row: not REFUSING.intersection(filter(None, row[2])))
