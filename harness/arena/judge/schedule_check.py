"""Compares stored games with the schedule that follows from the engines and the config of a run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from harness.arena.config.handicap import handicap_bonus
from harness.arena.config.opening import Opening
from harness.arena.config.opening_tables import SgfOpenings
from harness.arena.config.openings import OpeningBook
from harness.arena.config.pairs import pairs_of
from harness.arena.config.tables import MatchConfig, RunTable
from harness.arena.store.rows import StoredGame


class _FileOpening(NamedTuple):
    """An opening from a file, as a stored game has it. `owner`: as `Schedule._owner`; `number`: from 0."""

    owner: int
    number: int
    name: str
    moves: tuple[str, ...]  # such as "bE5"


class Schedule:
    """The games that a run can have. Stored games must be compared in schedule order."""

    def __init__(self, engines: Sequence[str], config: MatchConfig) -> None:
        """`engines` in the order in which they were added to the run."""
        self.config = config
        self._pairs = {pair.number: pair for pair in pairs_of(config, engines)}
        self._books: dict[int, OpeningBook] = {}  # by `_owner`
        self._from_file: _FileOpening | None = None  # of the game compared last, if it is from a file

    def contradictions(self, game: StoredGame) -> Iterator[str]:
        """Yield a sentence for each difference from the schedule's game with this pair and number."""
        pair = self._pairs.get(game.pair)
        if pair is None:
            yield f"the schedule has no pair {game.pair}"
            return
        if not 1 <= game.number <= pair.games:
            yield f"the schedule has no game {game.number} of pair {game.pair}, only games 1 to {pair.games}"
            return
        run = self.config.run_of(pair.number)
        wanted = pair.game(game.number)
        if game.game_id != wanted.id:
            yield f"the schedule has the id {wanted.id} for game {game.number} of pair {game.pair}"
        if (game.black, game.white) != (wanted.black, wanted.white):
            yield (
                f"{game.black!r} has Black and {game.white!r} White; the schedule has {wanted.black!r} and "
                f"{wanted.white!r}"
            )
        of_file = isinstance(run.openings, SgfOpenings) and run.openings.komi == "file"
        if game.size != run.size or (game.komi != run.komi and not of_file):
            yield f"board {game.size}, komi {game.komi:g}; the config has {run.size}, {run.komi:g}"
        yield from self._about_opening(game, wanted.opening, run)
        yield from _about_turns(game, run)

    def _about_opening(self, game: StoredGame, number: int, run: RunTable) -> Iterator[str]:
        """Yield the differences from the opening of the config, or of an earlier game if it is from a file.

        A game without moves failed in its set-up.
        """
        moves = _opening_moves(game)
        if isinstance(run.openings, SgfOpenings):
            _, _, name, wanted = self._first_with(game, number)
        else:
            opening = self._book(game.pair, run).opening(number)
            yield from _about_set_up(game, opening, run)
            name = opening.name
            wanted = moves if opening.free else tuple(f"{move.colour}{move.vertex}" for move in opening.moves)
        if game.opening != name:
            yield f"the opening is {game.opening!r}, the schedule has {name!r}"
        elif game.moves and moves != wanted:
            yield f"the moves of the opening are not those of {name!r}"

    def _first_with(self, game: StoredGame, number: int) -> _FileOpening:
        """The opening from a file in the first game that has it: an earlier game, or this game.

        Files may have changed since the games, so games from files are only compared with each other.
        """
        owner, earlier = self._owner(game.pair), self._from_file
        if earlier is not None and (earlier.owner, earlier.number) == (owner, number):
            return earlier
        own = _FileOpening(owner, number, game.opening, _opening_moves(game))
        if game.moves:
            self._from_file = own
        return own

    def _book(self, pair: int, run: RunTable) -> OpeningBook:
        """The openings of a pair without files."""
        owner = self._owner(pair)
        if owner not in self._books:
            self._books[owner] = OpeningBook(run)
        return self._books[owner]

    def _owner(self, pair: int) -> int:
        """The number of the pair that has the openings; 0 if all pairs share those of `[run]`."""
        return pair if self.config.pair else 0


def _opening_moves(game: StoredGame) -> tuple[str, ...]:
    return tuple(game.moves.split()[: game.opening_moves])


def _about_set_up(game: StoredGame, opening: Opening, run: RunTable) -> Iterator[str]:
    """Yield the differences of the handicap, its bonus, and the side that moves first."""
    moves, most = _opening_moves(game), len(opening.handicap)
    if game.moves and opening.free and not _is_handicap(moves, most):
        yield f"the opening is no handicap of 2 to {most} stones"
    bonus = handicap_bonus(run.handicap_bonus, len(moves)) if game.moves and most else 0
    if bonus != (game.handicap_bonus or 0):
        yield f"White gets {game.handicap_bonus or 0} points for the handicap; the config has {bonus}"
    first = game.moves.split()[game.opening_moves :][:1]
    if first and first[0][0] != opening.to_move:
        yield "the wrong side moves first after the opening"


def _is_handicap(moves: Sequence[str], most: int) -> bool:
    """Return True if the moves are at least two and at most `most` black stones on different points."""
    stones = all(move[0] == "b" and move[1:] != "pass" for move in moves)
    return stones and len(set(moves)) == len(moves) and 2 <= len(moves) <= most


def _about_turns(game: StoredGame, run: RunTable) -> Iterator[str]:
    """Yield a sentence if the sides do not alternate, or a move follows two passes or the move cap."""
    moves = game.moves.split()
    after = moves[game.opening_moves :]
    if any(move[0] == reply[0] for move, reply in pairwise(after)):
        yield "a side moves twice in a row"
    passes = [move[1:] == "pass" for move in after[:-1]]
    if any(both == (True, True) for both in pairwise(passes)):
        yield "the game goes on after two passes"
    if len(moves) > max(run.move_cap, game.opening_moves):
        yield f"{len(moves)} moves, the move cap is {run.move_cap}"
