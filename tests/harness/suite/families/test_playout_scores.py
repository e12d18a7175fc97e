"""The titles of checks of scores name the result that conforming playouts have in the position."""

from __future__ import annotations

import re
from typing import Any

import pytest

from harness.check.model import Check
from harness.check.procedures.probe import Probe
from harness.check.procedures.search import SearchProcedure
from harness.suite.families import empty_board_playouts, playout_scores

CHECKS = (*playout_scores.CHECKS, *empty_board_playouts.CHECKS)
COLOURS = {"b": "Black", "w": "White"}


def titled(pattern: str) -> list[Any]:
    """Parameters: what the pattern finds in the title of a check, and the probe of the check."""
    found = ((check, re.search(pattern, check.title)) for check in CHECKS)
    return [pytest.param(match, probe_of(check), id=check.id) for check, match in found if match]


def probe_of(check: Check) -> Probe:
    assert isinstance(check.procedure, SearchProcedure)
    return check.procedure.probe


@pytest.mark.parametrize(
    ("found", "probe"),
    titled(r"ref-score is ([01]) when (Black|White) is to move and (wins|loses) every playout"),
)
def test_a_title_names_the_score(found: re.Match[str], probe: Probe) -> None:
    score = probe.expected.mean_result
    assert found.groups() == (f"{score:g}", COLOURS[probe.to_move], "wins" if score else "loses")


@pytest.mark.parametrize(("found", "probe"), titled(r"(Black|White) wins a playout when "))
def test_a_title_names_the_winner(found: re.Match[str], probe: Probe) -> None:
    winner = probe.to_move if probe.expected.mean_result else "bw".replace(probe.to_move, "")
    assert found[1] == COLOURS[winner]


@pytest.mark.parametrize(("found", "probe"), titled(r"Black wins ([0-9.]+) % of the playouts"))
def test_a_title_names_the_share_of_wins(found: re.Match[str], probe: Probe) -> None:
    assert found[1] == f"{100 * probe.expected.mean_result:.1f}"
