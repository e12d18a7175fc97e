"""Generated moves in close games: legal by the rules of the bot, or a pass, or a resignation."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from harness.check.model import Outcome
from harness.check.play_rules import FREE_RULES, REFERENCE_RULES, PlayRules
from harness.check.procedures.chosen_move import Violation
from harness.check.profile import Profile
from harness.commands.generated_moves import (
    CloseMoves,
    LegalInCloseGames,
    StoneOfColour,
    SurroundedStone,
    close_games,
)
from harness.gtp import Answer, Exchange

if TYPE_CHECKING:
    from harness.check.phases.findings import Findings

CheckHosted = Callable[..., "Findings"]
LEGAL = ["game.legal.*", "game.ko.genmove", "game.suicide.genmove", "game.occupied.genmove"]
KO, SUPERKO, SUICIDE = (
    next(probe for probe in close_games(9) if probe.id == name)
    for name in ("close-ko", "close-superko", "close-suicide")
)


def answered(text: str) -> Exchange:
    return Exchange(b"genmove b\n", f"= {text}\n\n".encode(), Answer(True, None, text), "answer", b"", 0.0)


def judged(move: str, rules: PlayRules, probe: object = KO) -> tuple[Outcome, str]:
    moves = ((probe, answered(move)), (SUICIDE, answered("pass")))
    judgement = LegalInCloseGames().judge(CloseMoves(moves, rules))  # type: ignore[arg-type]
    return judgement.outcome, judgement.reported_by


@pytest.mark.parametrize("size", [9, 13, 19])
def test_a_move_decides_each_game_or_none_is_legal(size: int) -> None:
    for probe in close_games(size):
        lead = probe.position.area_score() - probe.komi
        assert abs(lead) <= 13
        assert len(probe.position.candidates("b")) <= 1


def test_a_move_is_judged_by_the_rules_of_the_bot() -> None:
    free = FREE_RULES
    assert judged("E5", free) == (Outcome.FAIL, Violation.KO)
    assert judged("E5", PlayRules(superko="none", passing="free")) == (Outcome.PASS, "")
    assert judged("E5", free, SUPERKO) == (Outcome.FAIL, Violation.SUPERKO)
    assert judged("E5", PlayRules(superko="simple", passing="free"), SUPERKO) == (Outcome.PASS, "")
    assert judged("J9", free, SUICIDE) == (Outcome.FAIL, Violation.SUICIDE)
    assert judged("J9", PlayRules(suicide="allowed", passing="free"), SUICIDE) == (Outcome.PASS, "")
    assert judged("B2", free) == (Outcome.FAIL, Violation.OCCUPIED)


@pytest.mark.parametrize("move", ["resign", "PASS"])
def test_an_engine_that_only_passes_and_resigns_is_not_judged(move: str) -> None:
    assert judged(move, FREE_RULES) == (Outcome.SKIP, "")


def test_the_bot_of_2008_may_not_resign() -> None:
    assert judged("resign", REFERENCE_RULES) == (Outcome.FAIL, Violation.RESIGN)


def test_a_stone_that_black_cannot_capture_is_not_white() -> None:
    stays = Exchange(b"play b E5\n", b"? no\n\n", Answer(False, None, "no"), "answer", b"", 0.0)
    assert StoneOfColour().judge(SurroundedStone(answered("E5"), 9, stays)).outcome is Outcome.FAIL
    assert StoneOfColour().judge(SurroundedStone(answered("E5"), 9, answered(""))).outcome is Outcome.PASS
    assert StoneOfColour().judge(SurroundedStone(answered("pass"), 9)).reported_by == Violation.PASS


@pytest.mark.parametrize(
    ("fault", "check"),
    [
        ("superko-none", "game.ko.genmove"),
        ("genmove-ignores-colour", "game.legal.colour"),
        ("genmove-resigns", None),
        ("suicide-game-multi", None),  # a rule of the engine
        ("pass-by-rate", None),
    ],
)
def test_an_engine_is_held_to_its_rules(check_hosted: CheckHosted, fault: str, check: str | None) -> None:
    findings = check_hosted(fault, profile=Profile.GTP, only=LEGAL, playouts=20)
    assert {result.check.id for result in findings.results if result.refuses} == {check} - {None}
