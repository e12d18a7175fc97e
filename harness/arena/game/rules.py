"""Sends the rules of a game to an engine that can accept them."""

from __future__ import annotations

from functools import cache

from harness.arena.config.pair_tables import HandicapBonus
from harness.arena.config.scoring import RulesTable
from harness.arena.config.tables import RunTable
from harness.arena.game.player import Ask, EngineFailureError, Player, quoted_answer
from harness.go import REFERENCE


def send_rules(player: Player, run: RunTable, ask: Ask, handicap_bonus: HandicapBonus) -> None:
    """Send the rules if the engine lists a command for them. Raises EngineFailureError if it refuses them.

    An engine may refuse the rules of the reference bot: a run has these rules if its config names none.

    handicap_bonus   points that the engine shall give White for handicap stones, beside the komi
    """
    refusal = ""
    for name, argument in _commands(run.rules, run.scorer in ("players", "referee"), handicap_bonus):
        if not player.knows(name):
            continue
        exchange = ask(f"{name} {argument}")
        if exchange.ok:
            return
        refusal = f"refused {name} {argument}{quoted_answer(exchange)}"
    if refusal and run.rules.rules != REFERENCE:
        raise EngineFailureError("protocol", refusal)


@cache
def _commands(
    rules: RulesTable, dead_stones: bool, handicap_bonus: HandicapBonus
) -> tuple[tuple[str, str], ...]:
    bonus = "0" if handicap_bonus == "none" else handicap_bonus
    return tuple(rules.commands(dead_stones=dead_stones, handicap_bonus=bonus))
