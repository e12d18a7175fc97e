"""What the lines about a run say of its playouts."""

from __future__ import annotations

from harness.report.html.live_page import run_sections
from harness.report.status.phase import COMPLETE, ENDED
from harness.report.status.run import RunStatus
from harness.report.text.pairs_table import elo_text
from harness.report.text.status_text import run_sentences
from tests.harness.report.hostile_status import run_status


def said(status: RunStatus) -> str:
    return "\n".join(run_sentences(status, COMPLETE))


def test_the_elo_difference_of_a_bot_that_won_all_games_is_infinite() -> None:
    (pair, *_) = run_status("alpha").pairs
    won = pair.model_copy(update={"games": 2, "score_a": 1.0, "elo": None, "elo_error": None})
    assert elo_text(won) == "+∞"
    assert elo_text(won.model_copy(update={"score_a": 0.0})) == "-∞"
    assert elo_text(won.model_copy(update={"score_a": 0.6})) == "-"
    assert elo_text(won.model_copy(update={"games": 0})) == "-"


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


def test_a_verdict_against_a_pair_accounts_for_a_run_that_is_not_sound() -> None:
    status = without_failures()
    for verdict in ("different", "failed", "weaker"):
        pairs = (status.pairs[0].model_copy(update={"verdict": verdict}),)
        assert "differ from" not in said(status.model_copy(update={"pairs": pairs, "sound": False}))


def test_nothing_is_said_where_nothing_differs_or_a_failure_accounts_for_it() -> None:
    assert "differ from" not in said(without_failures())
    assert "differ from" not in said(run_status("alpha").model_copy(update={"sound": False}))


def test_the_live_page_names_the_phase_of_each_row_of_playouts() -> None:
    status = without_failures()
    (first, *_) = status.playouts
    rows = tuple(first.model_copy(update={"phase": phase}) for phase in ("empty board", "moves 1 to 20"))
    section = run_sections(status.model_copy(update={"playouts": rows}), ENDED, "", "")["playouts"]
    assert [row.phase for row in rows if f"<td>{row.phase}</td>" not in section] == []
    assert "on the empty board" not in section
