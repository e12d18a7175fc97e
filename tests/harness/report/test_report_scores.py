"""A report names the games without a score, and warns of standings that engines contradict."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from harness.arena.judge.judge import judge
from harness.arena.pairings import Pairing
from harness.arena.records import Ending, Introduction, Scoring
from harness.arena.store.store import Store
from harness.arena.verdicts import MatchVerdicts
from harness.report.html.run_page import run_page
from harness.report.text.score_text import score_sentences, standings_warning
from tests.harness.arena.stored_runs import record
from tests.harness.report.html.run_helpers import PLAYOUTS, config_of

BLACK, WHITE, RESIGNED = "B+3.5", "W+1.5", "W+R"
UNLIKE = Scoring("area", BLACK, WHITE, WHITE)
"""A game that Black wins by area, and White by what both players report."""


def judged(folder: Path, scorings: Sequence[Scoring | None]) -> tuple[MatchVerdicts, str]:
    """The verdicts on a run with a game for each of these scorings, and its page; None: White resigned."""
    with Store.create(folder) as store:
        config = config_of(["a", "b"], games=10)
        store.set_config(config, "2026-11-22T08:00:00+00:00")
        for name in "ab":
            store.introduce(Introduction(name, "bot", "1", PLAYOUTS))
        for number, scoring in enumerate(scorings, 1):
            ending = Ending("resign", RESIGNED, "w") if scoring is None else Ending("score", BLACK, "b")
            store.add(record(Pairing(1, "a", "b").game(number), ending=ending, scoring=scoring))
        verdicts = judge(store, config)
        return verdicts, run_page(store, verdicts)


@pytest.mark.parametrize(
    ("scorings", "warned"),
    [
        ([UNLIKE, UNLIKE, Scoring("area", BLACK, BLACK, BLACK)], "2 of 3"),
        ([Scoring("area", BLACK, BLACK, BLACK)], ""),
        ([Scoring("area", BLACK, WHITE, BLACK)], ""),  # the players disagree
        ([Scoring("players", WHITE, BLACK, BLACK)], ""),  # the game counts as they report it
    ],
)
def test_standings_that_both_players_contradict_have_a_warning_beside_them(
    tmp_path: Path, scorings: Sequence[Scoring], warned: str
) -> None:
    verdicts, page = judged(tmp_path, scorings)
    warning = standings_warning(verdicts)
    assert warned in warning
    assert bool(warning) == bool(warned)
    heading, _, _ = page.partition("<h2>Standings</h2>")[2].partition("<table")
    assert ('href="#scores"' in heading) == bool(warned)
    assert 'id="scores"' in page


def test_one_game_is_not_called_games(tmp_path: Path) -> None:
    verdicts, _ = judged(
        tmp_path, [Scoring("area", BLACK, WHITE, WHITE), Scoring("area", BLACK, WHITE, BLACK)]
    )
    _, agreed, disagreed = score_sentences(verdicts)
    assert agreed.startswith("both players report the same score in 1 game; the area differs in 1 of them")
    assert disagreed == "the players disagree about the score of 1 game"


def test_the_games_without_a_score_are_named_with_their_end(tmp_path: Path) -> None:
    verdicts, _ = judged(tmp_path, [Scoring("area", BLACK), None, Scoring("area", BLACK)])
    first = next(score_sentences(verdicts))
    assert first.startswith("2 games scored: 2 by area")
    assert "1 by resignation" in first
