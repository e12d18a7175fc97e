"""Follows a run of checks, and adds the causes of the failures to the events of the run.

`conform check` and the other commands that check a bot call `diagnose_run` with the events of a run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from harness.check.phases.events import Event, FindingsSoFar, RunEnded
from harness.check.phases.findings import Findings
from harness.check.phases.run import Events, findings_of
from harness.diagnosis.cause import CauseFound, CauseSuspected
from harness.diagnosis.diagnose import Diagnosis, diagnose

Handler = Callable[[Event], object]

MOST_SUSPECTED = 2
"""Most causes that are named at once while the run goes on. Chosen: the report at the end has all of them."""


def diagnose_run(
    events: Events, handlers: Sequence[Handler], *, strict: bool = False
) -> tuple[Findings, Diagnosis]:
    """Follow a run to its end; return its findings and their diagnosis.

    handlers   functions that get each event of the run, in turn, and the causes: CauseSuspected events come
               after FindingsSoFar, one for each of the first MOST_SUSPECTED causes that is new; CauseFound
               events come before RunEnded, one for each cause. Only the last handler may raise StopRun, which
               ends the run early: the others would miss events
    strict     a failed SHOULD refuses the bot too
    """
    diagnosis = Diagnosis()
    suspected: set[tuple[str, str]] = set()  # evidence and name of each cause so far

    def suspect(findings: Findings) -> list[Event]:
        results = {result.check.id: result for result in findings.results}
        causes = diagnose(findings, strict=strict).causes[:MOST_SUSPECTED]
        new = [cause for cause in causes if (cause.evidence, cause.name) not in suspected]
        suspected.update((cause.evidence, cause.name) for cause in new)
        return [CauseSuspected(cause, results[cause.evidence]) for cause in new]

    def add_causes(event: Event) -> list[Event]:
        nonlocal diagnosis
        match event:
            case FindingsSoFar(findings=findings):
                return [event, *suspect(findings)]
            case RunEnded(findings=findings):
                diagnosis = diagnose(findings, strict=strict)
                return [*map(CauseFound, diagnosis.causes), event]
        return [event]

    def handle(event: Event) -> None:
        together = add_causes(event)
        for handler in handlers:
            for each in together:
                handler(each)

    findings = findings_of(events, handle)
    return findings, diagnosis
