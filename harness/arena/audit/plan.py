"""Plans an audit: which searches of a run are audited, and in which order.

An audit may be cut short, so it goes over all games several times: each pass audits some more searches of
every game. `rank_searches` gives the searches of a game random ranks; a pass audits those below a rank.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from harness.arena.config.tables import Amount
from harness.arena.store.rows import StoredSearch

AUTO_CHOICE_SHARE = 4
"""An automatic audit compares the move in one of this many searches of a bot in a game.

Chosen: its time is short, and comparing a move takes 15 more searches of the reference.
"""
CHOICES_PER_BOT = 400
"""Approximate number of compared moves of each bot. More find smaller faults, and take longer. Chosen."""


@dataclass(frozen=True)
class Plan:
    """The passes over all games.

    ranks          for each pass: it audits the searches of a game with a rank below this number. (1, 2, 4):
                   first one search of each game, then a second one, then two more
    total          most searches to audit in all passes together; None: no limit
    choice_share   the move is compared in one of this many audited searches of a bot in a game
    """

    ranks: tuple[int, ...]
    total: int | None = None
    choice_share: int = 1


def plan_for(amount: Amount, games: int, searches: int) -> Plan:
    """The plan that audits `amount` of the searches in `games` games. `searches`: those of the longest game.

    The rank doubles from pass to pass: an audit that ends after the first pass has searches of all games, or
    of as many as `amount` allows. "all" has one pass; "off" and a run without games have none. With 50 games
    of up to 40 searches, "auto" has the ranks (1, 2, 4, 8, 16, 32, 40) and no total; 200 has the ranks (4, 8,
    16, 32, 40) and the total 200.
    """
    if amount == "off" or games == 0:
        return Plan(())
    longest = max(1, searches)
    if amount == "all":
        return Plan((longest,))
    if amount == "auto":
        return Plan((*_doubling(1, longest), longest), choice_share=AUTO_CHOICE_SHARE)
    return Plan((*_doubling(max(1, amount // games), longest), longest), amount)


def rank_searches(game_id: str, searches: Iterable[StoredSearch]) -> list[tuple[int, int, StoredSearch]]:
    """List (rank in the game, rank among the searches of its bot, search), both ranks random and from 0.

    The id of the game is the seed, so a later start gives the same ranks.
    """
    order = list(searches)
    random.Random(game_id).shuffle(order)
    of_bot: dict[str, int] = {}
    entries = []
    for rank, search in enumerate(order):
        entries.append((rank, of_bot.setdefault(search.bot, 0), search))
        of_bot[search.bot] += 1
    return entries


def compares_choice(rank: int, game_id: str, games_of_bot: int, share: int) -> bool:
    """Return True if an audited search of a bot compares the move, too.

    rank           rank of the search among the bot's searches of this game (`rank_searches`)
    games_of_bot   number of games of the bot; over all of them, about CHOICES_PER_BOT moves at most
    share          compare only the moves with every `share`-th rank: 0, `share`, 2 · `share`, …
    """
    if rank % share:
        return False
    return rank // share + random.Random(f"{game_id}/choice").random() < CHOICES_PER_BOT / games_of_bot


def _doubling(first: int, last: int) -> Iterator[int]:
    """Yield `first`, then twice the number before, while it is below `last`: 3, 6, 12 below 20."""
    while first < last:
        yield first
        first *= 2
