"""Ways to lead a bot to one and the same position: what it does there must not depend on the request.

Bots keep state that they should not keep: a komi that was read once, records of an earlier search, a ko that
was lifted and not put back. Led straight to a position, such a bot is right; after a detour it is not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from harness.go import Colour, opponent

Moves = tuple[tuple[Colour, str], ...]


@dataclass(frozen=True)
class SetupRequest:
    """Input of a set-up path: the target position, and the komi in force before it."""

    size: int
    komi: float
    moves: Moves
    to_move: Colour
    other_komi: float  # in force before the komi of the position

    def plays(self) -> Iterator[str]:
        """The moves that lead to the position."""
        return (f"play {colour} {vertex}" for colour, vertex in self.moves)


def straight(request: SetupRequest) -> list[str]:
    """Board, komi, moves."""
    return [f"boardsize {request.size}", "clear_board", f"komi {request.komi:g}", *request.plays()]


def komi_last(request: SetupRequest) -> list[str]:
    """The game is played under another komi; the right one is set before the search."""
    return [
        f"boardsize {request.size}",
        "clear_board",
        f"komi {request.other_komi:g}",
        *request.plays(),
        f"komi {request.komi:g}",
    ]


def komi_first(request: SetupRequest) -> list[str]:
    """The komi is set before boardsize and clear_board, which leave it as it is, and after another komi."""
    return [
        f"komi {request.other_komi:g}",
        f"komi {request.komi:g}",
        f"boardsize {request.size}",
        "clear_board",
        *request.plays(),
    ]


def generated(request: SetupRequest) -> list[str]:
    """The bot generates the last move: that side has no other candidate."""
    colour, _ = request.moves[-1]
    return [*straight(request)[:-1], f"genmove {colour}"]


def searched(request: SetupRequest) -> list[str]:
    """The position is searched under another komi first, and the move taken back."""
    return [*komi_last(request)[:-1], f"genmove {request.to_move}", "undo", f"komi {request.komi:g}"]


def undone(request: SetupRequest) -> list[str]:
    """A pass is played and taken back: stones, ko and number of moves are as before."""
    return [*straight(request), f"play {request.to_move} pass", "undo"]


def komi_before_undo(request: SetupRequest) -> list[str]:
    """A pass is played under another komi; the right one is set, and then the pass is taken back."""
    return [*komi_last(request)[:-1], f"play {request.to_move} pass", f"komi {request.komi:g}", "undo"]


def undone_all_along(request: SetupRequest) -> list[str]:
    """After each move, a pass of the other side is played and taken back."""
    lines = straight(request)[:3]
    for colour, vertex in request.moves:
        lines += [f"play {colour} {vertex}", f"play {opponent(colour)} pass", "undo"]
    return lines


def after_another_game(request: SetupRequest) -> list[str]:
    """A game with the colours exchanged is played on the same board and searched; then clear_board alone.

    Black passes first in that game, so that the colours take turns there too.
    """
    exchanged = (f"play {opponent(colour)} {vertex}" for colour, vertex in request.moves)
    return [
        f"boardsize {request.size}",
        "clear_board",
        f"komi {request.other_komi:g}",
        "play b pass",
        *exchanged,
        f"genmove {opponent(request.to_move)}",
        "clear_board",
        f"komi {request.komi:g}",
        *request.plays(),
    ]


SETUP_PATHS: dict[str, Callable[[SetupRequest], list[str]]] = {
    "": straight,
    "komi-last": komi_last,
    "komi-first": komi_first,
    "generated": generated,
    "searched": searched,
    "undone": undone,
    "undone-all-along": undone_all_along,
    "komi-before-undo": komi_before_undo,
    "after-another-game": after_another_game,
}
"""By the name that a probe gives; those that take moves back need `undo`."""
