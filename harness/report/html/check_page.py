"""The page of `conform check`: verdict and cause first, then requirements, failures, and the statistics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from markupsafe import Markup

from harness.check.clauses import CLAUSES, Clause
from harness.check.model import REFUSING, Outcome, Result, Verdict
from harness.report.html.check_evidence import trails
from harness.report.html.check_exploration import explored
from harness.report.html.check_pictures import choices, deviations, spreads
from harness.report.html.page import render
from harness.report.html.positions import drawn_position
from harness.report.records.check import NOTED, BotReport, CheckReport
from harness.report.signs import VERDICT_SIGNS
from harness.report.text.cause_text import capital, cause_reason, cause_statement
from harness.report.text.compared_text import compared_text, untested_text
from harness.report.text.counts import checks_text, ended_text
from harness.report.text.failure_text import again_command, expected_playouts
from harness.report.text.known_text import by_novelty, headline_with_known
from harness.report.text.profile_text import profile_text
from harness.report.visible import one_line

MEANINGS = {
    Verdict.CONFORMS: "The bot meets every requirement that was checked.",
    Verdict.DEVIATES: "The bot breaks at least one requirement.",
    Verdict.INCONCLUSIVE: "Some requirements are undecided. A larger budget may decide more.",
    Verdict.UNUSABLE: "The bot could not be checked.",
}
"""By verdict on the bot: its meaning, in a sentence."""

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
"""By ending of a check (its outcome, or "noted"): its kind. A kind is a table column and a CSS class."""

COLUMN_SIGNS = {"pass": "✓", "fail": "✗", "open": "?", "note": "i", "blocked": "–", "skip": "–"}
"""By kind: the sign in its column, for readers who do not see the colours."""

SYMBOLS = {ending: COLUMN_SIGNS[kind] for ending, kind in KINDS.items()} | {Outcome.ERROR: "!"}
"""By ending: its sign."""

PRECEDENCE = ("fail", "open", "pass", "note", "blocked", "skip")
"""The kinds in the order in which they stand for a clause: the first that one of its checks has."""


class FailureView(NamedTuple):
    """A failed check, or one that is only noted, as the page shows it."""

    result: Result
    board: Markup
    occasion: str  # the caption of the board
    again: str  # the command that shows the failure again
    others: tuple[Result, ...]  # further checks that failed with the same observation
    playouts: str  # those of a conforming bot, a line each; may be empty


class MatrixRow(NamedTuple):
    """A check and how it ended for each bot; None where the report of the bot lacks the check."""

    check: str
    title: str
    endings: list[str | None]


class ClauseRow(NamedTuple):
    """A clause with the results of its checks, their number by kind, and the kind that stands for it."""

    clause: Clause
    results: list[Result]
    counts: Counter[str]
    kind: str


class BotPage:
    """The values that the template `check.html` reads for one bot."""

    def __init__(self, bot: BotReport) -> None:
        findings = bot.findings
        self.number, self.findings, self.verdict, self.ending = bot.number, findings, bot.verdict, bot.ending
        self.passed = bot.verdict is Verdict.CONFORMS
        self.title = one_line(f"{findings.name} {findings.version}".strip() or findings.command)
        self.profile = profile_text(findings)
        self.ended = ended_text(bot)
        self.checks = checks_text(bot.findings)
        self.counts = self._counted(findings.results)
        new, old = by_novelty(bot.diagnosis.causes, bot.settings.known)
        causes = [*new, *old]
        word, known = headline_with_known(findings, bot.settings.known, strict=bot.settings.strict)
        self.known = f"{capital(word)}{known}." if known else ""
        self.is_known = bool(old) and not new
        self.causes = [
            (capital(cause_statement(cause, bot.by_id[cause.evidence])), cause_reason(cause), cause.clause)
            for cause in causes
        ]
        self.compared = compared_text(bot.compared)
        self.untested = untested_text(bot.compared, findings.count.playouts)
        self.clauses = list(self._clauses())
        evidence = [cause.evidence for cause in causes]
        self.failures = _views(bot.failures, bot, evidence)
        self.notes = _views(bot.notes, bot)
        self.first = _first_shown(self.failures, evidence)
        self.undecided = self._results_with(Outcome.INCONCLUSIVE, Outcome.ERROR)
        self.not_run = self._results_with(Outcome.SKIP, Outcome.BLOCKED)
        self.deviations = deviations(bot)
        self.trails = list(trails(findings, self.deviations))
        self.spreads = list(spreads(findings))
        self.choices = list(choices(findings))
        self.explored = list(explored(findings))

    def _clauses(self) -> Iterator[ClauseRow]:
        """Yield a row for each clause that has checks."""
        for name, clause in CLAUSES.items():
            if own := [result for result in self.findings.results if result.check.clause == name]:
                counts = self._counted(own)
                yield ClauseRow(clause, own, counts, next(kind for kind in PRECEDENCE if counts[kind]))

    def _results_with(self, *outcomes: Outcome) -> list[Result]:
        """The results with one of these outcomes."""
        return [result for result in self.findings.results if result.outcome in outcomes]

    def _counted(self, results: Sequence[Result]) -> Counter[str]:
        """Count the results of each kind."""
        return Counter(KINDS[self.ending(result)] for result in results)


def check_page(report: CheckReport) -> str:
    """The page as text."""
    return render(
        "check.html",
        report=report,
        bots=[BotPage(bot) for bot in report.bots],
        matrix=_matrix(report.bots),
        verdicts=VERDICT_SIGNS,
        meanings=MEANINGS,
        symbols=SYMBOLS,
        kinds=KINDS,
        signs=COLUMN_SIGNS,
    )


def _first_shown(failures: Sequence[FailureView], evidence: Sequence[str]) -> FailureView | None:
    """The failure that shows the first cause, else the first failure; None without failures."""
    for view in failures:
        if any(result.check.id in evidence[:1] for result in (view.result, *view.others)):
            return view
    return failures[0] if failures else None


def _views(results: Sequence[Result], bot: BotReport, evidence: Sequence[str] = ()) -> list[FailureView]:
    """The views of the failures; failures with the same expected and observed text share one view.

    `evidence`: ids of the checks that come first, the evidence of the causes.
    """
    alike: dict[tuple[str, str], list[Result]] = {}
    ranks = {name: rank for rank, name in enumerate(evidence)}
    for result in sorted(results, key=lambda result: ranks.get(result.check.id, len(ranks))):
        alike.setdefault((result.judgement.expected, result.judgement.observed), []).append(result)
    series = {one.probe.id: one for one in bot.findings.series}
    views = []
    for first, *others in alike.values():
        again = again_command(first, bot.findings.command, bot.settings.options)
        board, occasion = drawn_position(first, series)
        views.append(FailureView(first, board, occasion, again, tuple(others), expected_playouts(first)))
    return views


def _matrix(bots: Sequence[BotReport]) -> tuple[list[MatrixRow], list[MatrixRow]]:
    """Return (the checks whose failure refuses some bot, the others that some bot lacks or does not pass)."""
    titles = {check: result.check.title for bot in bots for check, result in bot.by_id.items()}
    failed, others = [], []
    for check, title in titles.items():
        results = [bot.by_id.get(check) for bot in bots]
        endings = [bot.ending(r) if r is not None else None for bot, r in zip(bots, results, strict=True)]
        if REFUSING.intersection(filter(None, endings)):
            failed.append(MatrixRow(check, title, endings))
        elif any(ended != Outcome.PASS for ended in endings):
            others.append(MatrixRow(check, title, endings))
    return failed, others
