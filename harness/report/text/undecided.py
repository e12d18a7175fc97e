"""Advice on undecided checks: the reason, an estimate of the missing time, and the command to run next."""

from __future__ import annotations

import math
from collections.abc import Sequence

from harness.check.model import OUT_OF_TIME, Confirmation, Outcome, Phase, Result
from harness.check.phases.findings import Findings
from harness.report.numbers import duration_text, listed
from harness.report.quoting import shell_argument
from harness.report.text.budget import budget_text

MOST_NAMED = 3
"""Checks that one line names. Chosen: with the advice they fit two lines."""

SLOW_SECONDS = 2.0
"""A bot is slow if its searches take longer: its checks cannot be decided in the usual time."""

WANTED_SECONDS = 1.0
"""Seconds per search that a slow bot is advised to reach, by fewer playouts."""

CONSTANT_SHARE = 0.5
"""Most searches are late in a game, where playouts are short. If the median search still takes this fraction
of the longest one, the time is not spent on playouts, and fewer playouts would not help."""

ADVISED_INSTANCES = 8
"""Instances (processes of the bot) that are advised if the bot may wait rather than compute."""

NEARLY = 0.9
"""The time limit ended a run that took at least this fraction of it: the rest is for second attempts."""

UNMEASURED_SECONDS = 60.0
"""Seconds that are advised if no search was made."""

SEARCHES = {Phase.DIALOGUE: 1, Phase.FINAL: 2, Phase.EXPLORATION: 250}
"""By phase of a check without a search plan: about the largest number of searches that it makes."""


def open_lines(findings: Findings, options: str = "") -> list[str]:
    """A text for each reason why checks are undecided, with the next step. A command has a line of its own.

    In order: the unselected checks that others depend on, the checks that lack time, each unstable one (its
    failure did not come back), and the others by reason.

    `options`: the options of the command that the results depend on, as in the shell command.
    """
    undecided = [result for result in findings.results if result.outcome is Outcome.INCONCLUSIVE]
    unstable: list[str] = []
    waiting: list[Result] = []
    by_reason: dict[str, list[Result]] = {}
    for result in undecided:
        reason = "; ".join(filter(None, (result.judgement.observed, result.judgement.hint)))
        if result.confirmation is Confirmation.UNSTABLE:
            repeat = _check_command(findings, options, f"--only {result.check.id}")
            unstable.append(f"{result.check.id}: {reason}:\n{repeat}")
        elif _needs_time(findings, result):
            waiting.append(result)
        else:
            by_reason.setdefault(reason, []).append(result)
    lines = _unselected_lines(findings, options)
    if waiting:
        lines.append(f"{_named(waiting)}: {_time_advice(findings, waiting, options)}")
    return [*lines, *unstable, *(f"{_named(alike)}: {reason}" for reason, alike in by_reason.items())]


def _unselected_lines(findings: Findings, options: str) -> list[str]:
    """A text for each unselected check because of which selected checks did not run."""
    selected = {result.check.id for result in findings.results}
    blocked_by: dict[str, list[Result]] = {}
    for result in findings.results:
        if selected.isdisjoint(result.blocked_by):  # else the report has the failure of the selected check
            for blocker in result.blocked_by:
                blocked_by.setdefault(blocker, []).append(result)
    lines = []
    for blocker, blocked in blocked_by.items():
        # A result with an expectation saw the bot fail; the others only say that they rely on the blocker.
        observer = next((result for result in blocked if result.judgement.expected), blocked[0])
        command = _check_command(findings, options, f"--only {blocker}")
        lines.append(f"{_named(blocked)}: {observer.judgement.observed}. That is about {blocker}:\n{command}")
    return lines


def seconds_to_decide(
    findings: Findings, undecided: Sequence[Result], instances: int | None = None
) -> float | None:
    """Seconds that the missing searches take at the measured speed.

    Return None if no speed was measured, or if no check is undecided. `instances`: processes of the bot that
    search in parallel; None: as many as in this check.
    """
    usual_pace = findings.usual_search / _playouts_a_search(findings)
    pace = _seconds_per_playout(findings)
    slowest = max([usual_pace, *pace.values()])
    if not slowest or not undecided:
        return None
    missing_playouts: dict[str, float] = {}  # by the id of the probe (the searched position)
    serial_seconds = parallel_seconds = 0.0
    for result in undecided:
        procedure = result.check.procedure
        if procedure.search_plan is not None:
            needed = _missing_playouts(findings, result)
            probe = procedure.search_plan.probe.id
            known = missing_playouts.get(probe, 0.0)
            missing_playouts[probe] = max(needed, known)  # checks share the searches of a probe
        elif procedure.phase is Phase.EXPLORATION:
            parallel_seconds += findings.usual_search * SEARCHES[procedure.phase]
        else:
            serial_seconds += findings.usual_search * SEARCHES.get(procedure.phase, 0)
    for probe, playouts in missing_playouts.items():
        parallel_seconds += playouts * pace.get(probe, slowest)
    return serial_seconds + parallel_seconds / max(1, instances or findings.instances)


def _seconds_per_playout(findings: Findings) -> dict[str, float]:
    """The measured seconds per playout, by the id of the probe."""
    pace = {}
    for series in findings.series:
        seconds = sum(search.seconds for search in series.searches)
        if seconds > 0.0:
            pace[series.probe.id] = seconds / ((series.playouts or 1) * len(series.searches))
    return pace


def _needs_time(findings: Findings, result: Result) -> bool:
    """Return True if more time would decide a check."""
    return result.judgement == OUT_OF_TIME or _missing_playouts(findings, result) > 0.0


def _missing_playouts(findings: Findings, result: Result) -> float:
    """Playouts that a check still needs; 0 if it plans no searches, or if more would not decide it."""
    plan, needed = result.check.procedure.search_plan, result.judgement.playouts_needed
    # A judge gives a hint of its own to an inconclusive check only if more playouts would not decide it.
    has_own_hint = result.judgement.hint not in ("", result.check.hint)
    if plan is None or has_own_hint:
        return 0.0
    if needed is not None:
        return needed
    least_searches = plan.least
    return float(least_searches * _playouts_a_search(findings))


def _playouts_a_search(findings: Findings) -> int:
    """The number of playouts per search. If unknown, 1: all numbers of playouts then count searches."""
    return findings.count.playouts or 1


def _time_advice(findings: Findings, undecided: Sequence[Result], options: str) -> str:
    """The advice for checks that lack time: fewer playouts for a slow bot, else a larger --budget.

    Fewer playouts do not help a slow bot whose searches all take as long: it may run as several instances.
    """
    took, playouts = duration_text(findings.long_search), findings.count.playouts
    slow = findings.long_search > SLOW_SECONDS
    constant = findings.usual_search > CONSTANT_SHARE * findings.long_search
    if slow and playouts is not None and not constant:
        wanted = playouts * WANTED_SECONDS / findings.long_search
        fewer = max(1, int(float(f"{wanted:.0e}")))  # rounded to one significant digit
        advice = f"let the bot make about {fewer} playouts a search, and check it with --budget quick"
        return f"a search takes up to {took}: {advice}"
    seconds = seconds_to_decide(findings, undecided)
    price = "more searches" if seconds is None else f"about {duration_text(max(1.0, seconds))} of searches"
    advice = f"{_limit_reached(findings)}{price} would decide:\n{_command(findings, seconds, options)}"
    if not slow or playouts is None:
        return advice
    sooner = seconds_to_decide(findings, undecided, ADVISED_INSTANCES)
    jobs = f"{options} --jobs {ADVISED_INSTANCES}".strip()
    return (
        f"a search takes {took} wherever it is made, so that fewer playouts would not help; {advice}\n"
        f"if the bot waits rather than computes:\n{_command(findings, sooner, jobs)}"
    )


def _limit_reached(findings: Findings) -> str:
    """Say that the time limit ended the searches; empty if it did not."""
    limit = findings.series[0].effort.seconds if findings.series else math.inf
    reached = findings.seconds >= NEARLY * limit and not findings.interrupted
    return f"the time limit of {duration_text(limit)} ended the searches; " if reached else ""


def _command(findings: Findings, seconds: float | None, options: str) -> str:
    """The command for a check that may take `seconds` more than this one took."""
    total = findings.seconds + (UNMEASURED_SECONDS if seconds is None else seconds)
    return _check_command(findings, options, f"--budget {budget_text(total)}")


def _check_command(findings: Findings, *options: str) -> str:
    """The command that checks the bot with these options."""
    return " ".join(["conform check", shell_argument(findings.command), *filter(None, options)])


def _named(results: Sequence[Result]) -> str:
    """The ids of the checks, at most MOST_NAMED: "a, b, c and 4 more"."""
    return listed([result.check.id for result in results], MOST_NAMED)
