"""The status file of a running check, made from its events."""

from dataclasses import replace
from pathlib import Path

from harness.check.model import Judgement, Level, Outcome
from harness.check.phases.events import CheckEnded, FailureSeen, RunStarted
from harness.report.status.check import SUFFIX, CheckStatusFile, parse_check_status
from tests.harness.report.html.page_helpers import found


def test_a_failure_that_is_not_confirmed_leaves_the_list(tmp_path: Path) -> None:
    failures = [r for r in found("eye-edge-as-centre").results if r.refuses and r.check.level is Level.MUST]
    first, second = failures[:2]
    path = tmp_path / "report.json"
    with CheckStatusFile(path, ["./bot"], "quick") as status:
        handle = status.handler_of_bot(0)

        def listed() -> list[str]:
            handle(RunStarted("./bot", ()))  # writes at once
            written = parse_check_status(path.with_name(path.name + SUFFIX).read_bytes(), "report.json")
            return [failed.id for failed in written.bots[0].failed]

        for event in (FailureSeen(first), FailureSeen(second), CheckEnded(second)):
            handle(event)
        assert listed() == [first.check.id, second.check.id]
        handle(CheckEnded(replace(first, judgement=Judgement(Outcome.INCONCLUSIVE))))
        assert listed() == [second.check.id]
    assert not path.with_name(path.name + SUFFIX).exists()
