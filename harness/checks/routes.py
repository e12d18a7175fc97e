"""Ways to lead a bot to one and the same position: what it does there must not depend on the way.

Bots keep state that they should not keep: a komi that was read once, records of an earlier search, a ko that
was lifted and not put back. Led straight to a position, such a bot is right; after a detour it is not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from harness.go import Colour

Moves = tuple[tuple[Colour, str], ...]


@dataclass(frozen=True)
class Way:
    """What a route needs to know: where it goes, and what a search on the way is made with."""

    size: int
    komi: float
    moves: Moves
    to_move: Colour
    other_komi: float  # in force before the komi of the position

    def plays(self) -> Iterator[str]:
        """The moves that lead to the position."""
        return (f"play {colour} {vertex}" for colour, vertex in self.moves)


def straight(way: Way) -> list[str]:
    """Board, komi, moves."""
    return [f"boardsize {way.size}", "clear_board", f"komi {way.komi:g}", *way.plays()]


def komi_last(way: Way) -> list[str]:
    """The game is played under another komi; the right one is set before the search."""
    return [
        f"boardsize {way.size}",
        "clear_board",
        f"komi {way.other_komi:g}",
        *way.plays(),
        f"komi {way.komi:g}",
    ]


def komi_first(way: Way) -> list[str]:
    """The komi is set before boardsize and clear_board, which leave it as it is."""
    return [f"komi {way.komi:g}", f"boardsize {way.size}", "clear_board", *way.plays()]


def generated(way: Way) -> list[str]:
    """The last move, a pass, is not told to the bot but asked of it: that side has no other move."""
    colour, vertex = way.moves[-1]
    assert vertex == "pass", "any other move would be the bot's choice"
    return [*straight(way)[:-1], f"genmove {colour}"]


def searched(way: Way) -> list[str]:
    """The position is searched under another komi first, and the move taken back."""
    return [*komi_last(way)[:-1], f"genmove {way.to_move}", "undo", f"komi {way.komi:g}"]


def undone(way: Way) -> list[str]:
    """A pass of each side is played and taken back: stones, ko and number of moves are as before."""
    other = "w" if way.to_move == "b" else "b"
    return [*straight(way), f"play {way.to_move} pass", f"play {other} pass", "undo", "undo"]


def after_another_game(way: Way) -> list[str]:
    """A game with the colours exchanged is played on the same board and searched; then clear_board alone."""
    exchanged = (f"play {'w' if colour == 'b' else 'b'} {vertex}" for colour, vertex in way.moves)
    return [
        f"boardsize {way.size}",
        "clear_board",
        f"komi {way.other_komi:g}",
        *exchanged,
        f"genmove {way.to_move}",
        "clear_board",
        f"komi {way.komi:g}",
        *way.plays(),
    ]


ROUTES: dict[str, Callable[[Way], list[str]]] = {
    "": straight,
    "komi-last": komi_last,
    "komi-first": komi_first,
    "generated": generated,
    "searched": searched,
    "undone": undone,
    "after-another-game": after_another_game,
}
"""By the name that a probe gives; those that take moves back need `undo`."""
