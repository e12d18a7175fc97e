"""Computes the references of a stored run, game by game, and stores them. It can be stopped at any time.

A game is one transaction. Seeds depend on the game and the move only, so an audit that was stopped and
resumed stores the same numbers as one that was not.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import islice

from harness.arena.audit.allowance import Allowance
from harness.arena.audit.plan import compares_choice, plan_for, ranked
from harness.arena.audit.reference import Task, computed
from harness.arena.audit.replay import key_of, roots
from harness.arena.config.tables import Amount
from harness.arena.run.coordinator import Stop
from harness.arena.store.audit import NewReference, ReferenceChoices
from harness.arena.store.rows import StoredGame, StoredSearch
from harness.arena.store.store import Store

GAMES_AHEAD = 4  # games whose playouts are waiting, for each thread

Computed = tuple[NewReference, ReferenceChoices | None]


@dataclass(frozen=True)
class AuditOutcome:
    """How an audit ended: searches audited now and in all; not complete if it was stopped."""

    audited: int
    total: int
    complete: bool


@dataclass(frozen=True)
class _Game:
    """The tasks of one game, most of them still being computed."""

    game_id: str
    results: list[Future[Computed]]


class Audit:
    """One start of an audit."""

    def __init__(
        self,
        store: Store,
        amount: Amount,
        *,
        stop: Stop,
        workers: int = 1,
        executor: Executor | None = None,
        seconds: float | None = None,
    ) -> None:
        """Audit `amount` of the searches in `store`, in at most `seconds` of processor time: an `Allowance`.

        `executor` computes up to `workers` searches at once; None: threads of this process.
        """
        self._store = store
        self._amount: Amount = amount
        self._stop = stop
        self._workers = workers
        self._executor = executor
        self._allowance = Allowance(seconds)
        self._playouts = {e.name: e.playouts for e in store.engines() if e.playouts is not None}
        self._games: Counter[str] = Counter()
        self._planned = 0
        self._total = 0
        self._choice_share = 1

    def run(self) -> AuditOutcome:
        """Audit what the plan asks for and is not audited yet."""
        for _ in self.steps():
            pass
        return self.outcome

    def steps(self) -> Iterator[tuple[int, int]]:
        """Do so, and yield the audited and the planned number of searches after each game."""
        audit = self._store.audit
        for result in self._store.results():
            self._games.update((result.black, result.white))
        searches, longest = audit.auditable(tuple(self._playouts))
        plan = plan_for(self._amount, self._games.total() // 2, longest)
        before = self._total = audit.count()
        self._planned = searches if plan.total is None else min(plan.total, searches)
        self._choice_share = plan.choice_share
        given = self._executor
        with nullcontext(given) if given is not None else ThreadPoolExecutor(self._workers) as pool:
            for rank in plan.ranks:
                yield from self._pass(rank, pool)
                if self._over:
                    break
        self.outcome = AuditOutcome(self._total - before, self._total, complete=not self._stop.asked)

    @property
    def _over(self) -> bool:
        """Nothing more is to be begun."""
        return bool(self._stop.asked) or self._allowance.used_up or self._total >= self._planned

    def _pass(self, rank: int, pool: Executor) -> Iterator[tuple[int, int]]:
        """Audit the searches with a lower rank in every game."""
        waiting: deque[_Game] = deque()
        begun = self._total
        for game in self._store.games():
            if self._over:
                break
            tasks = list(islice(self._tasks(game, rank), self._planned - begun))
            if not tasks:
                continue
            begun += len(tasks)
            waiting.append(_Game(game.game_id, [pool.submit(computed, task) for task in tasks]))
            if len(waiting) >= GAMES_AHEAD * self._workers:
                yield self._store_game(waiting.popleft())
        for left in waiting:
            if self._over:  # nothing of what waits is stored: a later start computes it again
                for result in left.results:
                    result.cancel()
            else:
                yield self._store_game(left)

    def _tasks(self, game: StoredGame, rank: int) -> Iterator[Task]:
        """The searches of a game that are to be audited in this pass, in the order of the game."""
        done = self._store.audit.audited(game.game_id)
        chosen = {
            search.move: (of_bot, search)
            for place, of_bot, search in ranked(game.game_id, self._auditable(game))
            if place < rank and search.move not in done
        }
        for root in roots(game, {move: search.colour for move, (_, search) in chosen.items()}):
            of_bot, search = chosen[root.move]
            choice = len(root.candidates) > 1 and search.vertex != "resign"
            yield Task(
                game.game_id,
                root,
                key_of(root.position),
                self._playouts[search.bot],
                search.vertex,
                game.komi,
                choice and compares_choice(of_bot, game.game_id, self._games[search.bot], self._choice_share),
            )

    def _auditable(self, game: StoredGame) -> Iterator[StoredSearch]:
        """The searches whose bot reported something about a known number of playouts."""
        for search in self._store.searches_of_game(game.game_id):
            if search.reported and search.bot in self._playouts:
                yield search

    def _store_game(self, game: _Game) -> tuple[int, int]:
        results = [result.result() for result in game.results]
        self._allowance.count()
        references = [reference for reference, _ in results]
        choices = [choice for _, choice in results if choice is not None]
        self._store.audit.add(game.game_id, references, choices)
        self._total += len(results)
        return self._total, self._planned
