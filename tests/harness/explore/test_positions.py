"""Wrong playouts and choices show in generated positions; a right bot is never accused."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise

import pytest

from harness.check.bot.introduction import introduction_of
from harness.explore.abilities import Abilities, Feature, find_abilities
from harness.explore.cases import as_checks, cases_text, read_cases, saved_form
from harness.explore.position_judge import PositionJudge
from harness.explore.position_search import FoundPosition, PositionExplorer
from harness.explore.positions import Kind, draw_position, laws_of_probe
from harness.selftest.hosted_bot import HostedBot
from tests.harness.explore.exploring import first_found
from tests.parameters import slow_but

PLAYOUTS = 60
"""Playouts of a search. From 64 on, a kernel would be compiled for each size of board."""
ABLE = Abilities((2, 3, 4, 5, 9), cap_of_game=True)
FAULTS = {
    "cap-off-by-one": "",
    "nodes-no-passes": "",
    "refscore-inverted": "ref-score",
    "area-stones-only": "",
    "best-lowest": "",
}
SLOW_FAULTS = {
    "eye-filled": "",
    "ko-none": "",
    "game-pass-counts": "",
    "amaf-opponent": "",
    "ties-first": "ties",
}
"""More of the same: lengths that an eye, a ko or a pass changes, and choices that evidence shows."""


def found_in(*habits: str, positions: int = 150) -> tuple[FoundPosition | None, PositionExplorer, int]:
    """The first deviation that positions show in a hosted bot."""
    with HostedBot(*habits, playouts=PLAYOUTS) as bot:
        abilities = find_abilities(bot, introduction_of(bot), PLAYOUTS)
        explorer = PositionExplorer([bot], abilities, PLAYOUTS, 1, 5e-4)
        found, _, unconfirmed = first_found(explorer.explore(range(positions), math.inf))
        return found, explorer, unconfirmed


def test_the_same_seed_gives_the_same_positions() -> None:
    first = [draw_position(4, number, ABLE, PLAYOUTS) for number in range(30)]
    assert first == [draw_position(4, number, ABLE, PLAYOUTS) for number in range(30)]
    assert first != [draw_position(5, number, ABLE, PLAYOUTS) for number in range(30)]


def test_positions_are_of_every_kind_and_can_be_judged() -> None:
    drawn = [one for number in range(120) if (one := draw_position(1, number, ABLE, PLAYOUTS)) is not None]
    assert Counter(one.kind for one in drawn).keys() == set(Kind)
    assert all(laws_of_probe(one.probe, cap_of_game=True) for one in drawn)
    kos = [one for one in drawn if one.kind is Kind.KO]
    assert any(one.probe.position.ko_ban(one.probe.to_move) for one in kos)


@pytest.mark.parametrize(("fault", "clause"), slow_but(FAULTS, [*FAULTS.items(), *SLOW_FAULTS.items()]))
def test_faults_of_playouts_and_choice_are_found(fault: str, clause: str) -> None:
    found, _, _ = found_in(fault)
    assert found is not None
    assert found.case is not None
    assert found.record.finding is not None
    assert clause in ("", found.record.finding.clause)
    (check,) = as_checks(read_cases(cases_text([saved_form(found.case, found.case.judge(found.record))])))
    with HostedBot(fault, playouts=PLAYOUTS, seed=77) as bot:
        again = found.case.search(bot, frozenset({"ref-nodes", "ref-score"}), PLAYOUTS)
    assert again.finding is not None
    with HostedBot(playouts=PLAYOUTS, seed=77) as bot:
        right = found.case.search(bot, frozenset({"ref-nodes", "ref-score"}), PLAYOUTS)
    assert right.finding is None
    assert check.procedure.judge(right).outcome == "pass"


def test_a_right_bot_is_not_accused() -> None:
    found, explorer, unconfirmed = found_in(positions=30)
    assert found is None
    assert explorer.p_value > 0.001
    assert unconfirmed == 0


def test_what_failed_checks_report_is_passed_over() -> None:
    found, _, _ = found_in("nodes-no-passes")
    assert found is not None
    assert found.record.finding is not None
    with HostedBot("nodes-no-passes", playouts=PLAYOUTS) as bot:
        abilities = find_abilities(bot, introduction_of(bot), PLAYOUTS)
        explorer = PositionExplorer([bot], abilities, PLAYOUTS, 1, 5e-4)
        known = frozenset({found.record.finding.clause})
        later, coverage, _ = first_found(explorer.explore(range(found.number + 1), math.inf, known=known))
    assert later is None
    assert coverage.positions.total() > 0


def test_what_all_positions_show_is_said_of_one_in_which_the_bet_was_made() -> None:
    with HostedBot(playouts=PLAYOUTS) as bot:
        abilities = find_abilities(bot, introduction_of(bot), PLAYOUTS)
        explorer = PositionExplorer([bot], abilities, PLAYOUTS, 1, 5e-4)
        surveyed = explorer.survey.search(range(30))
        chosen = next(one for one in reversed(surveyed) if one.judge.choice is not None)
        explorer.survey.ledger.add(chosen.account, {"most visits": 40.0})
        last = next(number for number in range(30, 90) if has_no_choice(number, abilities))
        found, _, _ = first_found(explorer.explore([last], math.inf))
    assert found is not None
    assert (found.case, found.number) == (None, last)
    assert found.record.finding is not None
    assert "as by this rule: most visits" in found.record.finding.observed
    assert found.record.searches == tuple(chosen.judge.searches)


def has_no_choice(number: int, abilities: Abilities) -> bool:
    """Whether there is a position of this number in which no choice is judged."""
    drawn = draw_position(1, number, abilities, PLAYOUTS)
    return drawn is not None and PositionJudge(drawn, PLAYOUTS, cap_of_game=True).choice is None


def test_no_side_moves_twice_where_the_bot_may_refuse_that() -> None:
    able = ABLE.without({Feature.SAME_COLOUR})
    drawn = [one for number in range(40) if (one := draw_position(1, number, able, 100)) is not None]
    assert drawn
    for one in drawn:
        colours = [*(colour for colour, _ in one.probe.moves), one.probe.to_move]
        assert all(first != second for first, second in pairwise(colours)), one
