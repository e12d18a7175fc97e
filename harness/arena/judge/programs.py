"""Finds the games apart: those that an earlier program of a bot played. They do not count for the bot."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import chain

from harness.arena.store.store import Store


def games_apart(store: Store) -> dict[str, list[str]]:
    """By bot, the ids of the stored games that an earlier program of the bot played."""
    programs = Programs()
    programs.add(store.programs())
    return programs.apart


class Programs:
    """Collects which program of a bot played which games, in the order of storing.

    A program is a hash of the bot's files; the newest one counts as the bot. Games apart do not count for the
    bot, but their failures do. Only time decides which program counts, never results.
    """

    def __init__(self) -> None:
        # By bot, its programs with their games; the newest program is the last.
        self._played: defaultdict[str, dict[str, list[str]]] = defaultdict(dict)

    def add(self, rows: Iterable[tuple[str, str, str | None, str, str | None]]) -> bool:
        """Add rows of `Store.programs`: (id of the game, Black, its program, White, its program).

        Returns True if a program differs from the program that its bot had before.
        """
        changed = False
        for game_id, *sides in rows:
            for bot, program in zip(sides[::2], sides[1::2], strict=True):
                if bot is not None and program is not None:
                    played = self._played[bot]
                    changed |= bool(played) and next(reversed(played)) != program
                    games = played.pop(program, [])
                    games.append(game_id)
                    played[program] = games  # taken out and put in again, it is the last
        return changed

    @property
    def apart(self) -> dict[str, list[str]]:
        """The ids of the games of earlier programs, by bot."""
        earlier = {bot: [*chain(*list(played.values())[:-1])] for bot, played in self._played.items()}
        return {bot: games for bot, games in earlier.items() if games}
