"""Audits a stored run: computes refbot's reference for searches of the bots, and stores it game by game.

An audit can be stopped at any time: a game is one transaction. Seeds depend only on the game and the move, so
a resumed audit stores the same numbers as an uninterrupted one.
"""

from __future__ import annotations

import math
import time
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import chain, islice

from harness.arena.audit.plan import compares_choice, plan_for, rank_searches
from harness.arena.audit.reference import Computed, PlayMany, Task, compute_references
from harness.arena.audit.replay import key_of, roots
from harness.arena.config.tables import Amount
from harness.arena.run.stop import Stop
from harness.arena.store.rows import StoredGame
from harness.arena.store.store import Store

GAMES_AHEAD = 4
"""Games per thread that are submitted ahead. Chosen: threads stay busy, and a stop loses little work."""


@dataclass(frozen=True)
class AuditOutcome:
    """The number of searches audited by this start, and by all starts (`total`).

    `complete`: no stop was requested. The allowance may have ended the audit.
    """

    audited: int
    total: int
    complete: bool


class Allowance:
    """Processor time of this process that an audit or a diagnosis may use, counted from its first result.

    The compilation of the kernels comes before the first result, and can take longer than the allowance. The
    time of a GPU and of other processes is not counted.
    """

    def __init__(self, seconds: float | None) -> None:
        """`seconds`: the allowed processor time; None: no limit."""
        self.has_limit = seconds is not None
        self._seconds = math.inf if seconds is None else seconds
        self._began: float | None = None

    @property
    def is_used_up(self) -> bool:
        """Return True if it is too late to start another search."""
        return (0.0 if self._began is None else time.process_time() - self._began) >= self._seconds

    def count(self) -> None:
        """Start to count. Later calls have no effect."""
        self._began = self._began or time.process_time()


class Audit:
    """An audit of one run, or its continuation. `outcome` exists once `steps` has ended."""

    def __init__(
        self,
        store: Store,
        amount: Amount,
        *,
        stop: Stop,
        workers: int = 1,
        executor: Executor | None = None,
        seconds: float | None = None,
        play_game: PlayMany | None = None,
    ) -> None:
        """Audit `amount` of the searches in `store`, in at most `seconds` of processor time: an `Allowance`.

        `executor` computes up to `workers` searches at once; None: threads of this process. `play_game` plays
        the playouts for all searches of a game together, as a GPU does; None: one core plays each search.
        """
        self._store = store
        self._amount: Amount = amount
        self._stop = stop
        self._workers = workers
        self._executor = executor
        self._play_game = play_game
        self._allowance = Allowance(seconds)
        self._playouts = {e.name: e.playouts for e in store.engines() if e.playouts is not None}
        self._games_of: Counter[str] = Counter()  # by bot, number of its games
        self._planned = 0  # searches to audit, those of earlier audits included
        self._total = 0  # searches that are audited, those of earlier audits included
        self._choice_share = 1  # `Plan.choice_share`

    def run(self) -> AuditOutcome:
        """Audit the planned searches that are not audited yet."""
        for _ in self.steps():
            pass
        return self.outcome

    def steps(self) -> Iterator[tuple[int, int]]:
        """Do the work of `run`. After each game, yield the audited and the planned number of searches."""
        audit = self._store.audit
        for result in self._store.results():
            self._games_of.update((result.black, result.white))
        searches, longest = audit.auditable(tuple(self._playouts))
        plan = plan_for(self._amount, self._games_of.total() // 2, longest)
        before = self._total = audit.count()
        self._planned = searches if plan.total is None else min(plan.total, searches)
        self._choice_share = plan.choice_share
        given = self._executor
        with nullcontext(given) if given is not None else ThreadPoolExecutor(self._workers) as pool:
            for end in plan.ranks:
                yield from self._audit_pass(end, pool)
                if self._is_over:
                    break
        self.outcome = AuditOutcome(self._total - before, self._total, complete=not self._stop.asked)

    @property
    def _is_over(self) -> bool:
        """Return True if no further search is to be started."""
        return bool(self._stop.asked) or self._allowance.is_used_up or self._total >= self._planned

    def _audit_pass(self, end: int, pool: Executor) -> Iterator[tuple[int, int]]:
        """Audit the searches with a rank below `end` in every game. Yield as `steps` does.

        Games are stored in their order, while the searches of the next GAMES_AHEAD games are computed.
        """
        waiting: deque[tuple[str, list[Future[list[Computed]]]]] = deque()
        begun = self._total  # searches that are audited, or submitted
        for game in self._store.games():
            if self._is_over:
                break
            tasks = list(islice(self._tasks(game, end), self._planned - begun))
            if not tasks:
                continue
            begun += len(tasks)
            waiting.append((game.game_id, self._submit(tasks, pool)))
            if len(waiting) >= GAMES_AHEAD * self._workers:
                yield self._store_game(*waiting.popleft())
        for game_id, results in waiting:
            if self._is_over:  # a later start computes them again
                for result in results:
                    result.cancel()
            else:
                yield self._store_game(game_id, results)

    def _tasks(self, game: StoredGame, end: int) -> Iterator[Task]:
        """Yield the searches of a game that this pass audits, in the order of the game."""
        done = self._store.audit.audited(game.game_id)
        auditable = (  # the bot reported something about a known number of playouts
            search
            for search in self._store.searches_of_game(game.game_id)
            if search.has_report and search.bot in self._playouts
        )
        chosen = {
            search.move: (rank_of_bot, search)
            for rank_in_game, rank_of_bot, search in rank_searches(game.game_id, auditable)
            if rank_in_game < end and search.move not in done
        }
        for root in roots(game, {move: search.colour for move, (_, search) in chosen.items()}):
            rank_of_bot, search = chosen[root.move]
            has_choice = len(root.candidates) > 1 and search.vertex != "resign"
            games = self._games_of[search.bot]
            yield Task(
                game_id=game.game_id,
                root=root,
                key=key_of(root.position, game.komi),
                playouts=self._playouts[search.bot],
                vertex=search.vertex,
                komi=game.komi,
                choice=has_choice and compares_choice(rank_of_bot, game.game_id, games, self._choice_share),
            )

    def _submit(self, tasks: list[Task], pool: Executor) -> list[Future[list[Computed]]]:
        """Submit the searches of a game: one by one, or together if `play_game` plays them."""
        if self._play_game is not None:
            return [pool.submit(compute_references, tasks, self._play_game)]
        return [pool.submit(compute_references, [task]) for task in tasks]

    def _store_game(self, game_id: str, waiting: Sequence[Future[list[Computed]]]) -> tuple[int, int]:
        """Wait for the references of a game and store them. Return (audited searches, planned searches)."""
        results = list(chain.from_iterable(part.result() for part in waiting))
        self._allowance.count()
        choices = [choice for _, choice in results if choice is not None]
        self._store.audit.add(game_id, [reference for reference, _ in results], choices)
        self._total += len(results)
        return self._total, self._planned
