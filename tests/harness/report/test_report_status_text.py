"""What the lines about a run say of its playouts."""

from __future__ import annotations

from harness.report.phase import COMPLETE
from harness.report.run_status import RunStatus
from harness.report.status_text import run_sentences
from tests.harness.report.hostile_status import run_status


def said(status: RunStatus) -> str:
    return "\n".join(run_sentences(status, COMPLETE))


def without_failures() -> RunStatus:
    status = run_status("alpha")
    return status.model_copy(update={"bots": (status.bots[0].model_copy(update={"failures": {}}),)})


def test_a_bot_whose_playouts_differ_is_named() -> None:
    status = without_failures()
    rows = tuple(row.model_copy(update={"verdict": "different"}) for row in 2 * status.playouts)
    assert "playouts that differ from the reference: alpha\n" in said(
        status.model_copy(update={"playouts": rows, "sound": False})
    )


def test_a_difference_in_scores_or_moves_alone_is_told_too() -> None:
    assert "playouts.csv" in said(without_failures().model_copy(update={"sound": False}))


def test_nothing_is_said_where_nothing_differs_or_a_failure_accounts_for_it() -> None:
    assert "differ from" not in said(without_failures())
    assert "differ from" not in said(run_status("alpha").model_copy(update={"sound": False}))
