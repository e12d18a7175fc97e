"""Compares stored games with the schedule that follows from the engines and the config of a run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from harness.arena.config.extent import games_of_pair
from harness.arena.config.opening_tables import SgfOpenings
from harness.arena.config.openings import OpeningBook
from harness.arena.config.tables import MatchConfig
from harness.arena.pairings import pairings
from harness.arena.store.rows import StoredGame


class Schedule:
    """The games that a run can have. Stored games must be compared in schedule order."""

    def __init__(self, engines: Sequence[str], config: MatchConfig) -> None:
        """`engines` in the order in which they were added to the run."""
        self.config = config
        self._pairs = {pair.number: pair for pair in pairings(engines, config.run.format)}
        # Files of openings may have changed since. So games from files are only compared with each other.
        self._book = None if isinstance(config.run.openings, SgfOpenings) else OpeningBook(config.run)
        self._shared: tuple[int, tuple[str, tuple[str, ...]]] | None = None

    def contradictions(self, game: StoredGame) -> Iterator[str]:
        """Yield a sentence for each difference from the schedule's game with this pair and number."""
        run = self.config.run
        pair = self._pairs.get(game.pair)
        games = games_of_pair(self.config)
        if pair is None or not 1 <= game.number <= games:
            yield (
                f"the schedule has no game {game.number} of pair {game.pair}, only games 1 to {games} "
                f"of {len(self._pairs)} pairs"
            )
            return
        wanted = pair.game(game.number)
        if game.game_id != wanted.id:
            yield f"the schedule has the id {wanted.id} for game {game.number} of pair {game.pair}"
        if (game.black, game.white) != (wanted.black, wanted.white):
            yield (
                f"{game.black!r} has Black and {game.white!r} White; the schedule has {wanted.black!r} and "
                f"{wanted.white!r}"
            )
        if (game.size, game.komi) != (run.size, run.komi):
            yield f"board {game.size}, komi {game.komi:g}; the config has {run.size}, {run.komi:g}"
        yield from self._about_opening(game, wanted.opening)
        yield from self._about_turns(game)

    def _about_opening(self, game: StoredGame, number: int) -> Iterator[str]:
        moves = tuple(game.moves.split()[: game.opening_moves])
        if self._book is not None:
            opening = self._book.opening(number)
            name, wanted = opening.name, tuple(f"{move.colour}{move.vertex}" for move in opening.moves)
            if game.moves and self._first_to_move(game) not in (None, opening.to_move):
                yield "the wrong side moves first after the opening"
        elif self._shared is not None and self._shared[0] == number:
            name, wanted = self._shared[1]
        else:
            name, wanted = game.opening, moves
        if game.opening != name:
            yield f"the opening is {game.opening!r}, the schedule has {name!r}"
        elif game.moves and moves != wanted:  # without moves, the set-up failed
            yield f"the moves of the opening are not those of {name!r}"
        if game.moves:
            self._shared = number, (name, wanted)

    @staticmethod
    def _first_to_move(game: StoredGame) -> str | None:
        """The colour of the first move after the opening; None if there is no such move."""
        after = game.moves.split()[game.opening_moves :]
        return after[0][0] if after else None

    def _about_turns(self, game: StoredGame) -> Iterator[str]:
        """Yield where the sides do not alternate, or a move follows two passes or the move cap."""
        moves = game.moves.split()
        after = moves[game.opening_moves :]
        if any(move[0] == reply[0] for move, reply in pairwise(after)):
            yield "a side moves twice in a row"
        passes = [move[1:] == "pass" for move in after[:-1]]
        if any(both == (True, True) for both in pairwise(passes)):
            yield "the game goes on after two passes"
        if len(moves) > max(self.config.run.move_cap, game.opening_moves):
            yield f"{len(moves)} moves, the move cap is {self.config.run.move_cap}"
