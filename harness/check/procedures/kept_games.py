"""Short games, legal under all rules, in which the state of an engine shows; and finished games to score."""

from __future__ import annotations

from dataclasses import dataclass

from harness.check.positions import settled_board
from harness.check.procedures.probe import Probe
from harness.gtp import COLUMNS

Moves = tuple[bytes, ...]
"""Lines of moves, or other lines."""


@dataclass(frozen=True)
class Look:
    """One look at a game.

    moves      the game; `{size}` stands for the board size, and `{near}` for the size less one
    questions  lines whose answers are compared, in order; those of undo only if the bot has it
    queries    ask every query of the bot first
    """

    moves: tuple[str, ...]
    questions: tuple[str, ...]
    queries: bool = False

    def lines(self, size: int) -> tuple[bytes, ...]:
        """Return the moves of the game as lines."""
        return tuple(_line(f"play {move}", size) for move in self.moves)

    def asked(self, size: int) -> tuple[bytes, ...]:
        """Return the questions as lines."""
        return tuple(_line(question, size) for question in self.questions)


def _line(text: str, size: int) -> bytes:
    past, far = size + 1, COLUMNS[size - 1]
    filled = text.format(size=size, near=size - 1, past=past, far=far)
    return f"{filled}\n".encode("ascii")


GAME = ("b A{near}", "w E5", "b B{size}", "w D4", "b B2", "w A2", "b C1", "w B1", "b A1")
"""Black has just taken the stone on B1, and White may not take it back. The corner above is suicide for
White.
"""

KO_LOOK = Look(GAME, ("play w B1", "undo", "play b A1"))
"""The ko is in force: the last move is Black's A1, and undo takes it back."""

BOARD_LOOK = Look(
    GAME, ("play w B2", "play b A2", "play b {far}{past}", "play w {far}{size}", "undo all"), True
)
"""The stones, the size, and the number of moves."""

HISTORY_LOOK = Look((*GAME, "w pass", "b pass"), ("play w B1",))
"""Superko forbids B1, also after two passes."""

NEW_LOOK = Look((), ("undo all", "play w B1"), True)
"""The beginning of a game: nothing to undo, and no ko."""

AGAIN_LOOK = Look((), (*(f"play {move}" for move in GAME), "play w B1"))
"""A game from its beginning: no move repeats a board of an earlier game."""

EVERYWHERE = (KO_LOOK, BOARD_LOOK, HISTORY_LOOK)


def settled_game(size: int, turn: int = 0) -> Moves:
    """Return the moves of a finished game, under a symmetry of the board, with a pass of each side."""
    finished = Probe("kept-settled", settled_board(size), "b", tail=(("b", "pass"), ("w", "pass")))
    return _moves(finished.turned(turn))


def nearly_settled_game(size: int) -> Moves:
    """Return the moves of a game with a file of neutral points left, Black to move."""
    return _moves(Probe("kept-neutral", settled_board(size, neutral_file=True), "b"))


def _moves(probe: Probe) -> Moves:
    return tuple(f"play {colour} {vertex}\n".encode("ascii") for colour, vertex in probe.moves)


def new_game(size: int) -> Moves:
    """Return the lines that begin a game."""
    return (f"boardsize {size}\n".encode("ascii"), b"clear_board\n")
