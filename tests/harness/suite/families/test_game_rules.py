"""Checks of superko that situational superko forbids, too."""

from __future__ import annotations

import pytest

from harness.check.model import Check
from harness.check.play_rules import FORBIDS_CYCLES
from harness.check.procedures.probe import Probe
from harness.check.procedures.superko_games import GeneratedBoard, KoForEver
from harness.go import Position, Rules
from harness.gtp import parse_vertex
from harness.suite.registry import CHECKS

CYCLES = [check for check in CHECKS if FORBIDS_CYCLES in check.needs.rules and check.clause == "superko"]


def probes(check: Check) -> list[Probe]:
    """The positions in which a check wants no board repeated; none for a dialogue."""
    plan, procedure = check.procedure.search_plan, check.procedure
    if plan is not None:
        return [plan.probe]
    if isinstance(procedure, GeneratedBoard):
        return [procedure.last]
    return [procedure.probe] if isinstance(procedure, KoForEver) else []


@pytest.mark.parametrize("check", CYCLES, ids=lambda check: check.id)
def test_the_side_to_move_is_the_same_on_both_boards(check: Check) -> None:
    for probe in probes(check):
        position = Position(probe.size, Rules(ko="situational"))
        for colour, vertex in probe.moves:
            position.play(colour, parse_vertex(vertex, probe.size))
        assert position.candidates(probe.to_move) == probe.position.candidates(probe.to_move)


def test_most_checks_of_superko_hold_for_both_rules() -> None:
    assert len([check for check in CYCLES if probes(check)]) >= 7
