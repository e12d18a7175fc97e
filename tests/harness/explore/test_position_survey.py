"""What a survey of positions keeps: it may run for weeks."""

from __future__ import annotations

import numpy as np

from harness.explore.evidence import BETS
from harness.explore.position_survey import MOST_KEPT, PositionSurvey, SurveyedPosition
from harness.selftest.simulated_exploration import SimulatedExplorer

PLAYOUTS = 1000
POSITIONS = 16


def surveyed() -> tuple[PositionSurvey, list[SurveyedPosition]]:
    """A survey of a simulated right bot, and every position of it in order."""
    bot = SimulatedExplorer(np.random.default_rng(3), PLAYOUTS, POSITIONS)
    survey = PositionSurvey(bot.search, bot.draw, PLAYOUTS, cap_of_game=True)
    every = [one for number in bot.numbers for one in survey.search([number])]
    return survey, every


def test_the_positions_with_most_evidence_are_kept_and_no_others() -> None:
    survey, every = surveyed()
    assert len(every) > MOST_KEPT
    wanted = sorted((one.account.log_e for one in every), reverse=True)[:MOST_KEPT]
    assert [one.account.log_e for one in survey.likeliest] == wanted


def test_the_latest_position_of_each_bet_is_kept() -> None:
    survey, every = surveyed()
    made = [bet for bet in BETS if any(one.account.was_made(bet) for one in every)]
    assert made
    for bet in made:
        assert survey.latest[bet] is [one for one in every if one.account.was_made(bet)][-1]
