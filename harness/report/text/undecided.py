"""Undecided checks: the reason, the time to a decision, and the command for it."""

from __future__ import annotations

import math
from collections.abc import Sequence

from harness.check.model import OUT_OF_TIME, Outcome, Phase, Result
from harness.check.phases.findings import Findings
from harness.report.text.progress_line import duration_text

MOST_NAMED = 3
"""Checks that one line names. Chosen: with the advice they fit two lines."""

SPARE = 1.5
"""Factor on the estimated time: the estimate is the likely time, and the machine may be busier."""

SLOW = 2.0
"""Seconds of a search from which a check cannot be decided in the usual time: fewer playouts are advised."""

SHORT = 1.0
"""Seconds that a search should take instead."""

CONSTANT = 0.5
"""Most searches are made late in a game, with short playouts. Where the usual search takes this fraction of
the longest, the time does not come from playouts, and fewer of them would not shorten it."""

SIDE_BY_SIDE = 8
"""Instances that are advised for a bot that waits while it searches."""

UNMEASURED = 60.0
"""Seconds that are advised where no search was made."""

SEARCHES = {Phase.DIALOGUE: 1, Phase.FINAL: 2, Phase.EXPLORATION: 250}
"""Number of searches that a standard check makes where the planner makes none, roughly and at most."""

STEPS = (60, 120, 180, 300, 600, 900, 1200, 1800, 2700, 3600)
"""Durations in seconds that are advised; beyond them, whole hours."""


def open_lines(findings: Findings, options: str = "") -> list[str]:
    """A line for each reason why checks are undecided, with what to do next.

    `options`: those that the check was called with and that its results depend on, as words for a shell.
    """
    undecided = [result for result in findings.results if result.outcome is Outcome.INCONCLUSIVE]
    waiting = [result for result in undecided if _lacks_time(findings, result)]
    lines = _unselected_lines(findings, options)
    if waiting:
        lines.append(f"{_named(waiting)}: {_time_advice(findings, waiting, options)}")
    others: dict[str, list[Result]] = {}
    for result in undecided:
        if result not in waiting:
            reasons = filter(None, (result.judgement.observed, result.judgement.hint))
            others.setdefault("; ".join(reasons), []).append(result)
    return [*lines, *(f"{_named(alike)}: {reason}" for reason, alike in others.items())]


def _unselected_lines(findings: Findings, options: str) -> list[str]:
    """A line for each check that was not selected and for lack of which selected ones did not run."""
    selected = {result.check.id for result in findings.results}
    lacking: dict[str, list[Result]] = {}
    for result in findings.results:
        if selected.isdisjoint(result.blocked_by):
            for blocker in result.blocked_by:
                lacking.setdefault(blocker, []).append(result)
    lines = []
    for blocker, blocked in lacking.items():
        seen = next((result for result in blocked if result.judgement.expected), blocked[0])
        command = _check_command(findings, options, f"--only {blocker}")
        lines.append(f"{_named(blocked)}: {seen.judgement.observed}. That is about {blocker}: {command}")
    return lines


def seconds_to_decide(
    findings: Findings, undecided: Sequence[Result], instances: int | None = None
) -> float | None:
    """The time that the missing searches take at the measured speed; None where nothing was measured.

    instances   processes that search side by side; None for as many as did
    """
    missing: dict[str, float] = {}
    one_by_one = side_by_side = 0.0
    for result in undecided:
        procedure = result.check.procedure
        if procedure.search_plan is not None:
            needed = _missing_playouts(findings, result)
            probe = procedure.search_plan.probe.id
            missing[probe] = max(needed, missing.get(probe, 0.0))
        elif procedure.phase is Phase.EXPLORATION:
            side_by_side += findings.usual_search * SEARCHES[procedure.phase]
        else:
            one_by_one += findings.usual_search * SEARCHES.get(procedure.phase, 0)
    speeds = {}
    for series in findings.series:
        seconds = sum(search.seconds for search in series.searches)
        if seconds > 0.0:
            speeds[series.probe.id] = seconds / ((series.playouts or 1) * len(series.searches))
    usual = findings.usual_search / _playouts_a_search(findings)
    slowest = max([usual, *speeds.values()])
    if not slowest or not undecided:
        return None
    side_by_side += sum(needed * speeds.get(probe, slowest) for probe, needed in missing.items())
    return one_by_one + side_by_side / max(1, instances or findings.instances)


def _lacks_time(findings: Findings, result: Result) -> bool:
    """Return whether more time would decide a check."""
    return result.judgement == OUT_OF_TIME or _missing_playouts(findings, result) > 0.0


def _missing_playouts(findings: Findings, result: Result) -> float:
    """Playouts that a check still needs; 0 where playouts are not what is missing."""
    plan, needed = result.check.procedure.search_plan, result.judgement.playouts_needed
    if plan is None or result.judgement.hint not in ("", result.check.hint):
        return 0.0
    return needed if needed is not None else float(plan.least * _playouts_a_search(findings))


def _playouts_a_search(findings: Findings) -> int:
    """The number of playouts per search; 1 where it is not known, so that searches are counted instead."""
    return findings.count.playouts or 1


def _time_advice(findings: Findings, undecided: Sequence[Result], options: str) -> str:
    took = duration_text(findings.long_search)
    playouts = findings.count.playouts if findings.long_search > SLOW else None
    constant = findings.usual_search > CONSTANT * findings.long_search
    if playouts is not None and not constant:
        fewer = max(1, int(float(f"{playouts * SHORT / findings.long_search:.0e}")))  # one digit
        advice = f"let the bot make about {fewer} playouts a search, and check it with --budget quick"
        return f"a search takes up to {took}: {advice}"
    seconds = seconds_to_decide(findings, undecided)
    price = "more searches" if seconds is None else f"about {duration_text(max(1.0, seconds))} of searches"
    advice = f"{price} would decide: {_command(findings, seconds, options)}"
    if playouts is None:
        return advice
    sooner = seconds_to_decide(findings, undecided, SIDE_BY_SIDE)
    jobs = f"{options} --jobs {SIDE_BY_SIDE}".strip()
    return (
        f"a search takes {took} wherever it is made, so that fewer playouts would not help; {advice}; "
        f"if the bot waits rather than computes: {_command(findings, sooner, jobs)}"
    )


def _command(findings: Findings, seconds: float | None, options: str) -> str:
    """The command that gives a check some seconds more than it took."""
    needed = SPARE * (findings.seconds + (UNMEASURED if seconds is None else seconds))
    total = next((step for step in STEPS if needed <= step), 3600 * math.ceil(needed / 3600))
    bound = f"{total}s" if total < 60 else f"{total // 60}m" if total < 3600 else f"{total // 3600}h"
    return _check_command(findings, options, f"--budget {bound}")


def _check_command(findings: Findings, *options: str) -> str:
    """The command that checks the bot with these options."""
    return " ".join(["conform check", quoted(findings.command), *filter(None, options)])


def _named(results: Sequence[Result]) -> str:
    ids = ", ".join(result.check.id for result in results[:MOST_NAMED])
    more = f" and {len(results) - MOST_NAMED} more" if len(results) > MOST_NAMED else ""
    return ids + more


def quoted(command: str) -> str:
    """A command line as one argument of a shell."""
    if not any(char in command for char in " \t\"'$`\\&|;<>()*?[]{}~#"):
        return command
    if any(char in command for char in '"$`\\!'):
        return "'" + command.replace("'", "'\\''") + "'"
    return f'"{command}"'
