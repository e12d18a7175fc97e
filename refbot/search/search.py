"""One search: playouts from the position, their all-moves-as-first table, the choice of the move."""

from __future__ import annotations

import random
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from refbot.compile.kernels import default_kernel
from refbot.deviations.fault import Fault
from refbot.deviations.faults import Faults, checked
from refbot.playouts import NO_OPTIONS, Amaf, Options, PlayoutStats, playouts
from refbot.playouts.stats import merged
from refbot.rules import BLACK, WHITE, Game, Move
from refbot.search.dynamic_komi import DynamicKomi, Komi
from refbot.search.select import choose

SEED_BITS = 64  # of the seed of a search
PASS_MARGIN = 1e-9  # of the fault pass-by-rate: a rate must be better by more than a rounding error
_FIRST_PLAYOUTS = 1 << 63  # changes the seed of the playouts that fix the komi, so that all playouts differ


@dataclass(frozen=True)
class SearchResult:
    """The result of a search. `nodes` and `score` are the numbers that the bot reports, faults included."""

    colour: int
    move: int | None  # None is a pass
    nodes: int  # playout moves, passes included
    score: float  # mean result, 0 to 1, from the view of `colour`
    playouts: int
    stats: PlayoutStats
    candidates: npt.NDArray[np.int64]  # points, in order
    amaf: Amaf  # of every point, candidate or not

    @property
    def wins(self) -> float:
        """Playouts won by `colour`; a draw counts ½."""
        black = self.stats.black_wins
        return black if self.colour == BLACK else self.stats.playouts - black


@dataclass(eq=False)
class Search:
    """The search of the reference bot: its settings, and the memory that some faults and dynamic komi need.

    One object serves all searches of a bot. `playouts`, the number per search, may be changed between
    searches. Equal seeds give equal sequences of searches. Raises UnknownFaultError.
    """

    playouts: int = 1000
    faults: Iterable[str | Fault] = frozenset()
    seed: int | None = None
    threads: int = 1
    policy: str = "random"
    options: Options = NO_OPTIONS
    dynamic_komi: DynamicKomi | None = None
    device: str = "cpu"

    def __post_init__(self) -> None:
        self.switches = checked(self.faults)
        self._komi = Komi(self.dynamic_komi)
        self._rng = random.Random(secrets.randbits(SEED_BITS) if self.seed is None else self.seed)
        self._kept_seed = self._rng.getrandbits(SEED_BITS)
        self._searches = self._all_nodes = self._last_nodes = 0
        self._game_moves: list[Move] = []  # of the game of the last search; a new game has a new list
        self._game_nodes = 0  # summed over the searches of this game: the fault nodes-of-the-game
        self._game_records: Amaf | None = None  # summed likewise: the fault records-of-the-game

    def search(self, game: Game, colour: int) -> SearchResult:
        """Chooses a move for `colour`; the game is not changed.

        The playouts are played even without a candidate, when the move must be a pass. So nodes and score are
        defined after every search. Raises as `refbot.playouts.playouts` does.
        """
        if self._game_moves is not game.moves:
            self._game_moves, self._game_nodes, self._game_records = game.moves, 0, None
        seed = self._next_seed()
        stats = self._play(game, colour, seed)
        assert stats.amaf is not None
        amaf = self._with_game_records(stats.amaf)
        candidates = game.candidates(colour)
        move = choose(
            candidates,
            amaf.visits[candidates],
            amaf.wins[candidates],
            after_pass=game.passes > 0,
            faults=self._choice_faults(game),
            rng=random.Random(seed),
        )
        if Faults.PASS_BY_RATE in self.switches and move is not None:
            rates = stats.amaf.wins[candidates] / np.maximum(1, stats.amaf.visits[candidates])
            own = stats.black_rate if colour == BLACK else 1 - stats.black_rate
            # Nearly every playout has a pass of either side, so the rate of a pass is that of all playouts.
            move = None if own > rates.max() + PASS_MARGIN else move
        return SearchResult(
            colour=colour,
            move=move,
            nodes=self._reported_nodes(stats),
            score=self._reported_score(stats, colour, move),
            playouts=stats.playouts,
            stats=stats,
            candidates=candidates,
            amaf=amaf,
        )

    def _with_game_records(self, amaf: Amaf) -> Amaf:
        """Returns the records of a search; with a fault, added to those of the game's earlier searches."""
        if Faults.RECORDS_OF_THE_GAME not in self.switches:
            return amaf
        if (kept := self._game_records) is not None:
            amaf = Amaf(kept.visits + amaf.visits, kept.wins + amaf.wins)
        self._game_records = amaf
        return amaf

    def _choice_faults(self, game: Game) -> frozenset[Fault]:
        """Return the faults that `choose` obeys at this move of the game."""
        if Faults.BEST_VISITS_LATE in self.switches and len(game.moves) >= 2 * game.size**2:
            return self.switches | {Faults.BEST_VISITS}
        return self.switches

    def _next_seed(self) -> int:
        """Return a new seed; with a fault of the seed, several searches in a row get the same one."""
        fresh = self._rng.getrandbits(SEED_BITS)
        fault = next(iter(self.switches & {Faults.SEED_FIXED, Faults.SEED_SELDOM}), None)
        if fault is None:
            return fresh
        if fault.searches_per_seed is not None and self._searches % fault.searches_per_seed == 0:
            self._kept_seed = fresh
        self._searches += 1
        return self._kept_seed

    def _play(self, game: Game, colour: int, seed: int) -> PlayoutStats:
        """Plays the playouts of a search. A fault plays fewer of them and counts each several `times`."""
        times = max((fault.playout_counted for fault in self.switches), default=1)
        count = max(1, self.playouts // times)  # so a remainder is not played
        stats = self._play_with_komi(game, colour, count, seed)
        return stats.times(self.playouts // count) if times > 1 else stats

    def _play_with_komi(self, game: Game, colour: int, count: int, seed: int) -> PlayoutStats:
        """Plays `count` playouts with the komi of this search.

        One mode of dynamic komi plays the first of them at the real komi; their mean lead sets the komi of
        the others.
        """
        first_mover = game.to_move if Faults.PLAYOUTS_FOLLOW_TURN in self.switches else colour
        if Faults.PLAYOUTS_BLACK_AT_START in self.switches and not game.moves:
            first_mover = BLACK
        play = partial(
            playouts,
            game.position(first_mover),
            policy=self.policy,
            options=self.options,
            threads=self.threads,
            amaf=True,
            faults=self.switches,
            kernel=default_kernel(self.seed),
            device=self.device,
        )
        first = min(self._komi.first_playouts, count - 1)
        if first < 1:
            # Two faults give points to Black: they are taken off komi.
            komi = self._komi.for_search(game) - self._prisoners(game) - game.ghosts
            stats = play(count, komi=komi, seed=seed)
        else:
            sample = play(first, komi=game.komi, seed=seed ^ _FIRST_PLAYOUTS)
            rest = play(count - first, komi=self._komi.for_search(game, sample.mean_lead), seed=seed)
            stats = merged([sample, rest], sample.seconds + rest.seconds)
        self._komi.learn(stats.mean_lead)
        return stats

    def _prisoners(self, game: Game) -> int:
        """Return the points that a fault gives Black for stones captured in the game; 0 without the fault."""
        if Faults.AREA_GAME_CAPTURES not in self.switches:
            return 0
        return game.captured(WHITE) - game.captured(BLACK)

    def _reported_nodes(self, stats: PlayoutStats) -> int:
        """The answer to ref-nodes: the moves of all playouts, unless a fault changes it."""
        before, self._last_nodes = self._last_nodes, stats.moves
        self._all_nodes += stats.moves
        self._game_nodes += stats.moves
        if Faults.NODES_AVERAGE in self.switches:
            return round(stats.mean_moves)
        if Faults.NODES_CUMULATIVE in self.switches:
            return self._all_nodes
        if Faults.NODES_OF_THE_GAME in self.switches:
            return self._game_nodes
        if Faults.NODES_STALE in self.switches:
            return before
        if Faults.NODES_PLAYOUTS in self.switches:
            return stats.playouts
        return stats.moves

    def _reported_score(self, stats: PlayoutStats, colour: int, move: int | None) -> float:
        """The answer to ref-score: the mean result for `colour`, 0 to 1, unless a fault changes it."""
        black = stats.black_rate
        own = black if colour == BLACK else 1 - black
        if Faults.REFSCORE_BLACK in self.switches:
            return black
        if Faults.REFSCORE_WHITE in self.switches:
            return 1 - black
        if Faults.REFSCORE_INVERTED in self.switches:
            return 1 - own
        if Faults.REFSCORE_BEST_MOVE in self.switches and move is not None and stats.amaf is not None:
            return float(stats.amaf.wins[move] / max(1, stats.amaf.visits[move]))
        wins = own - stats.draws / stats.playouts / 2
        if Faults.REFSCORE_DRAWS_ZERO in self.switches:
            return wins
        if Faults.REFSCORE_WITHOUT_DRAWS in self.switches:
            return wins * stats.playouts / max(1, stats.playouts - stats.draws)
        if Faults.REFSCORE_PERCENT in self.switches:
            return 100 * own
        return own
