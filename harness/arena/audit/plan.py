"""Which searches of a run are audited, and in which order."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from harness.arena.config.tables import Amount
from harness.arena.store.rows import StoredSearch

AUTO_CHOICE_SHARE = 4
"""An automatic audit has little time: it compares the move in one of this many searches of a bot and game.

Chosen. A compared move takes 15 searches of the reference beside its playouts.
"""
CHOICES_PER_BOT = 400
"""About this number of moves of each bot are compared: more find smaller faults, and take longer. Chosen."""


@dataclass(frozen=True)
class Plan:
    """Passes over the games. A pass audits the searches of a game with a rank below its number."""

    ranks: tuple[int, ...]
    total: int | None = None  # searches to audit; None: all of them
    choice_share: int = 1  # the move is compared too in one of this many audited searches of a bot and game


def plan_for(amount: Amount, games: int, searches: int) -> Plan:
    """The plan that audits `amount` of a run's searches.

    "auto" goes over the games again and again, each time with twice as many searches of each game, so that
    it can end at any time with searches of all games.
    """
    if amount == "off" or games == 0:
        return Plan(())
    longest = max(1, searches)
    if amount == "all":
        return Plan((longest,))
    if amount == "auto":
        return Plan((*_doubled(1, longest), longest), choice_share=AUTO_CHOICE_SHARE)
    return Plan((*_doubled(max(1, amount // games), longest), longest), amount)


def ranked(game_id: str, searches: Iterable[StoredSearch]) -> list[tuple[int, int, StoredSearch]]:
    """(rank in the game, rank among its bot's searches, search), in a random order fixed by the game."""
    order = list(searches)
    random.Random(game_id).shuffle(order)
    of_bot: dict[str, int] = {}
    entries = []
    for rank, search in enumerate(order):
        entries.append((rank, of_bot.setdefault(search.bot, 0), search))
        of_bot[search.bot] += 1
    return entries


def compares_choice(rank: int, game_id: str, games_of_bot: int, share: int) -> bool:
    """Return whether the move of a search with this rank is compared: at most one in `share` is."""
    if rank % share:
        return False
    return rank // share + random.Random(f"{game_id}/choice").random() < CHOICES_PER_BOT / games_of_bot


def _doubled(first: int, last: int) -> Iterator[int]:
    while first < last:
        yield first
        first *= 2
