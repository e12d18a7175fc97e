"""The positions of a match in which a diagnosis searches, chosen without a look at what the bot reported."""

from __future__ import annotations

import functools
import heapq
import operator
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from itertools import groupby
from typing import TypeVar

from harness.arena.audit.hypotheses import Place
from harness.arena.audit.replay import Root, roots, seed_of
from harness.arena.judge.playouts import phase_of
from harness.arena.store.audit import AuditedSearch
from harness.arena.store.store import Store

Entry = TypeVar("Entry")


def places(store: Store, bots: Collection[str], most: int) -> dict[str, list[Place]]:
    """At most `most` audited searches of each bot with their positions, in a random order that is fixed.

    The phases of the game, positions with a ko and positions after a pass take turns: there are faults that
    show in one of these only.
    """
    playouts = {engine.name: engine.playouts for engine in store.engines() if engine.playouts is not None}
    found: defaultdict[str, list[Place]] = defaultdict(list)
    for search in _lowest(store, [bot for bot in bots if bot in playouts], most):
        found[search.bot].append(_place(store, search, playouts[search.bot]))
    return {bot: _in_turns(own)[:most] for bot, own in found.items()}


def _lowest(store: Store, bots: Collection[str], most: int) -> Iterator[AuditedSearch]:
    """Yield the searches of lowest hash of each bot and phase, with all playouts of their position."""
    config = store.config()
    assert config is not None, "a store with games has a config"
    heaps: defaultdict[tuple[str, str], list[tuple[int, AuditedSearch]]] = defaultdict(list)
    for _, group in groupby(store.audit.searches(), operator.attrgetter("key")):
        same = list(group)
        sums = functools.reduce(operator.add, (search.sums for search in same))
        for search in same:
            if search.bot not in bots:
                continue
            heap = heaps[search.bot, phase_of(search.move, config.run.size)]
            entry = (-_hash(search), search._replace(sums=sums))
            if len(heap) < most:
                heapq.heappush(heap, entry)
            elif entry[0] > heap[0][0]:
                heapq.heapreplace(heap, entry)
    for heap in heaps.values():
        yield from (search for _, search in heap)


def _hash(search: AuditedSearch) -> int:
    return seed_of(search.game_id, search.move, "diagnosis")


def _place(store: Store, search: AuditedSearch, playouts: int) -> Place:
    game = store.game(search.game_id)
    own = [s for s in store.searches_of_game(search.game_id) if s.bot == search.bot and s.move < search.move]
    before = own[-1] if own else None
    wanted = {search.move: search.colour}
    if before is not None:
        wanted[before.move] = before.colour
    replayed: dict[int, Root] = {root.move: root for root in roots(game, wanted)}
    earlier = None if before is None else (before, replayed[before.move])
    return Place(search, replayed[search.move], game.komi, playouts, earlier)


def _in_turns(own: Iterable[Place]) -> list[Place]:
    kinds: defaultdict[str, list[Place]] = defaultdict(list)
    for place in sorted(own, key=lambda place: _hash(place.search)):
        kinds[_kind(place)].append(place)
    turns = [kinds[kind] for kind in sorted(kinds)]
    longest = max(map(len, turns), default=0)
    return [turn[k] for k in range(longest) for turn in turns if k < len(turn)]


def _kind(place: Place) -> str:
    position = place.root.position
    if position.ko >= 0:
        return "ko"
    return "after a pass" if position.passes else phase_of(place.search.move, position.size)
