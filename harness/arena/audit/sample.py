"""Samples the positions of a match in which a diagnosis looks for the fault of a bot.

The sample depends on the positions and on hashes of games and moves, never on what the bot reported.
"""

from __future__ import annotations

import functools
import heapq
import operator
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from itertools import groupby

from harness.arena.audit.hypotheses import AuditedPosition
from harness.arena.audit.replay import Root, roots, seed_of
from harness.arena.judge.playouts import phase_of
from harness.arena.store.audit import AuditedSearch
from harness.arena.store.store import Store


def sample_positions(store: Store, bots: Collection[str], most: int) -> dict[str, list[AuditedPosition]]:
    """Return at most `most` audited searches of each bot with their positions, the same in every run.

    Positions of five kinds alternate (`_kind`): some faults show in one kind only. A bot without audited
    searches, or with an unknown number of playouts, is left out.
    """
    playouts = {engine.name: engine.playouts for engine in store.engines() if engine.playouts is not None}
    found: defaultdict[str, list[AuditedPosition]] = defaultdict(list)
    for search in _lowest(store, [bot for bot in bots if bot in playouts], most):
        found[search.bot].append(_with_position(store, search, playouts[search.bot]))
    return {bot: _alternate(own)[:most] for bot, own in found.items()}


def _lowest(store: Store, bots: Collection[str], most: int) -> Iterator[AuditedSearch]:
    """Yield, for each bot and phase of the game, the `most` searches with the lowest hashes, in any order.

    The sums of each cover all reference playouts of its position, those of equivalent positions included.
    """
    config = store.config()
    assert config is not None, "a store with games has a config"
    heaps: defaultdict[tuple[str, str], list[tuple[int, AuditedSearch]]] = defaultdict(list)
    # The store yields searches of equivalent positions (equal keys) one after another, as groupby needs.
    for _, group in groupby(store.audit.searches(), operator.attrgetter("key")):
        equivalent = list(group)
        sums = functools.reduce(operator.add, (search.sums for search in equivalent))
        for search in equivalent:
            if search.bot not in bots:
                continue
            heap = heaps[search.bot, phase_of(search.move, config.size_of(search.game_id))]
            entry = (-_hash(search), search._replace(sums=sums))  # the heap drops the largest hash
            if len(heap) < most:
                heapq.heappush(heap, entry)
            elif entry[0] > heap[0][0]:
                heapq.heapreplace(heap, entry)
    for heap in heaps.values():
        yield from (search for _, search in heap)


def _hash(search: AuditedSearch) -> int:
    """The hash of the game and the move, which orders the sample."""
    return seed_of(search.game_id, search.move, "diagnosis")


def _with_position(store: Store, search: AuditedSearch, playouts: int) -> AuditedPosition:
    """Return a search with its position, and the bot's previous search in the game with its position."""
    game = store.game(search.game_id)
    own = [s for s in store.searches_of_game(search.game_id) if s.bot == search.bot and s.move < search.move]
    before = own[-1] if own else None
    wanted = {search.move: search.colour}
    if before is not None:
        wanted[before.move] = before.colour
    replayed: dict[int, Root] = {root.move: root for root in roots(game, wanted)}
    earlier = None if before is None else (before, replayed[before.move])
    return AuditedPosition(search, replayed[search.move], game.komi, playouts, earlier)


def _alternate(own: Iterable[AuditedPosition]) -> list[AuditedPosition]:
    """The first position of each kind, then the second of each, and so on; ordered by hash in a kind."""
    kinds: defaultdict[str, list[AuditedPosition]] = defaultdict(list)
    for audited in sorted(own, key=lambda audited: _hash(audited.search)):
        kinds[_kind(audited)].append(audited)
    queues = [kinds[kind] for kind in sorted(kinds)]
    longest = max(map(len, queues), default=0)
    return [queue[k] for k in range(longest) for queue in queues if k < len(queue)]


def _kind(audited: AuditedPosition) -> str:
    """The kind of a position: "ko", "after a pass", or else the phase of the game."""
    position = audited.root.position
    if position.ko >= 0:
        return "ko"
    return "after a pass" if position.passes else phase_of(audited.search.move, position.size)
