"""A bot that is wrong only after other games keeps something: no rule of its playouts is the cause."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from harness.check.model import REFUSING, Confirmation, Outcome, Result, Sightings
from harness.check.phases.findings import Findings
from harness.check.procedures.search import SearchRecord
from harness.diagnosis.cause import CauseKind
from harness.diagnosis.diagnose import diagnose
from harness.diagnosis.effects import without_twins
from harness.diagnosis.fault_ranking import Suspects
from harness.diagnosis.signatures import signatures
from tests.harness.diagnosis.imagined import imagined, judged
from tests.thorough import Mutant, thorough

FAULT = "pass-when-few"


def confirmed(found: Findings, confirmation: Confirmation, sightings: Sightings) -> Findings:
    """Return the findings as if every failed search had been repeated with this result."""

    def seen(result: Result) -> Result:
        if result.outcome not in REFUSING or result.check.procedure.search_plan is None:
            return result
        return replace(result, confirmation=confirmation, sightings=sightings)

    return replace(found, results=tuple(map(seen, found.results)))


@pytest.fixture(scope="module")
def drawn() -> Findings:
    return judged(imagined(FAULT, np.random.default_rng(1)))


@pytest.mark.parametrize(
    ("confirmation", "seen", "suspected"),
    [
        (Confirmation.CONFIRMED, 2, True),
        (Confirmation.WITH_HISTORY, 2, False),
        (Confirmation.WITH_HISTORY, 1, True),  # it may have failed by chance
    ],
)
def test_a_fault_of_playouts_would_show_in_a_first_game_too(
    drawn: Findings, confirmation: Confirmation, seen: int, suspected: bool
) -> None:
    found = confirmed(drawn, confirmation, Sightings(seen, 2))
    named = {item.fault for item in Suspects(found, signatures()).rank()}
    assert (FAULT in named) is suspected


SPOILED = ("ref.nodes.three", "ref.nodes.six", "ref.state.another-game", "ref.state.cap-another-game")
"""Checks of searches that fail after another game."""


@pytest.mark.parametrize(
    ("factor", "clause", "evidence"),
    [
        (0.5, "move-cap", "ref.state.cap-another-game"),
        (10.0, "complete-games", "ref.state.another-game"),
    ],
)
def test_what_is_kept_is_shown_after_another_game_by_the_lengths_of_playouts(
    factor: float, clause: str, evidence: str
) -> None:
    """Playouts that are only too short are cut by the cap: the bot counts the moves of the other game."""
    right = imagined("", np.random.default_rng(1))
    plans = [result.check.procedure.search_plan for result in right.results if result.check.id in SPOILED]
    spoiled = {plan.probe.id for plan in plans if plan is not None}

    def wrong(one: SearchRecord) -> SearchRecord:
        return replace(one, nodes=round((one.nodes or 0) * factor), score=1.0 - (one.score or 0.0))

    series = tuple(
        replace(one, searches=tuple(map(wrong, one.searches))) if one.probe.id in spoiled else one
        for one in right.series
    )
    found = confirmed(judged(replace(right, series=series)), Confirmation.WITH_HISTORY, Sightings(2, 2))
    (cause,) = diagnose(found, known={"": signatures()[""]}).causes
    assert (cause.kind, cause.clause, cause.evidence) == (CauseKind.CLAUSE, clause, evidence)
    assert set(SPOILED) <= set(cause.explains)


@thorough(
    Mutant(
        "harness/diagnosis/earlier_games.py",
        "(r.clause == MOVE_CAP) != ended_early",
        "(r.clause == MOVE_CAP) == ended_early",
        "tests/harness/diagnosis/test_earlier_games.py::"
        "test_what_is_kept_is_shown_after_another_game_by_the_lengths_of_playouts",
    )
)
def test_an_unknown_kept_count_is_shown_by_the_move_cap_after_another_game(
    check_hosted: Callable[..., Findings],
) -> None:
    only = ["ref.nodes.*", "ref.passes.*", "ref.cap.*", "ref.state.*"]
    found = check_hosted("count-never-reset", only=only)
    first = diagnose(found, known=without_twins("count-never-reset")).causes[0]
    failed = {r.check.id for r in found.results if r.outcome is Outcome.FAIL}
    assert (first.kind, first.clause) == (CauseKind.CLAUSE, "move-cap")
    assert first.evidence == "ref.state.cap-another-game"
    assert len(failed) > 10
    assert {name for name in failed if name.startswith("ref.nodes")} <= set(first.explains)
