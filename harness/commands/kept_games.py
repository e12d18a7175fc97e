"""Short games, legal under all rules, in which the state of an engine shows; and finished games to score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from harness.check.positions import draw_changed, settled_board
from harness.check.procedures.probe import Probe
from harness.gtp import COLUMNS

Moves = tuple[bytes, ...]
"""Lines to send, each with its line feed: the moves of a game, or questions about it."""


class Look(Protocol):
    """A look at a game: the moves that lead to a position, and the questions that show its state."""

    @property
    def queries(self) -> bool:
        """True if every query that the bot has is asked before the questions."""

    def lines(self, size: int) -> Moves:
        """Return the moves of the game as lines of GTP, on a board of this size."""

    def question_lines(self, size: int) -> Moves:
        """Return the questions as lines: their answers are compared, in order."""


@dataclass(frozen=True)
class ShortGame:
    """A look at a short game, in moves such as "b A{near}" and questions such as "play w B1".

    `{size}` stands for the board size (9), `{near}` for the size less one (8), `{past}` for the size plus one
    (10), and `{far}` for the letter of the last column (J).

    moves      the moves of the game
    questions  lines whose answers are compared, in order; undo is asked only if the bot has it. "undo all"
               asks how often undo succeeds (`shown_state.ALL_UNDONE`)
    queries    ask every query of the bot first
    """

    moves: tuple[str, ...]
    questions: tuple[str, ...]
    queries: bool = False

    def lines(self, size: int) -> Moves:
        """Return the moves of the game as lines of GTP, on a board of this size."""
        return tuple(_line(f"play {move}", size) for move in self.moves)

    def question_lines(self, size: int) -> Moves:
        """Return the questions as lines of GTP."""
        return tuple(_line(question, size) for question in self.questions)


def _line(text: str, size: int) -> bytes:
    """Return a text as a line to send, its names filled in: "play b A{near}" is "play b A8" on 9x9."""
    past, far = size + 1, COLUMNS[size - 1]
    filled = text.format(size=size, near=size - 1, past=past, far=far)
    return f"{filled}\n".encode("ascii")


GAME = ("b A{near}", "w E5", "b B{size}", "w D4", "b B2", "w A2", "b C1", "w B1", "b A1")
"""Black has just taken the stone on B1 with A1, and White may not take it back. A move of White in the upper
left corner is suicide.
"""

KO_LOOK = ShortGame(GAME, ("play w B1", "undo", "play b A1"))
"""The ko is in force, and undo takes back the last move, Black's A1."""

BOARD_LOOK = ShortGame(
    GAME, ("play w B2", "play b A2", "play b {far}{past}", "play w {far}{size}", "undo all"), True
)
"""The stones (two occupied points), the size (a move off the board, a free corner), the number of moves."""

HISTORY_LOOK = ShortGame((*GAME, "w pass", "b pass"), ("play w B1",))
"""Superko forbids B1, also after two passes."""

NEW_LOOK = ShortGame((), ("undo all", "play w B1"), True)
"""The beginning of a game: nothing to undo, and no ko."""

AGAIN_LOOK = ShortGame((), (*(f"play {move}" for move in GAME), "play w B1"))
"""A game from its beginning: no move repeats a board of an earlier game."""

EVERYWHERE = (KO_LOOK, BOARD_LOOK, HISTORY_LOOK)
"""The looks by which commands are checked, unless a check names its own."""


def settled_ko(size: int) -> Probe:
    """Return a probe with a settled board and a ko that White takes by the last move; Black to move.

    On 9x9, White has just taken the stone on E5 with D5, and Black may not take it back at once:

        6 X X X X O O O O O
        5 X X X O . O O O O
        4 X X X X O O O O O
          A B C D E F G H J
    """
    middle = size // 2 + 1
    edge, beside = COLUMNS[middle - 1], COLUMNS[middle - 2]
    around = f"{edge}{middle + 1} {edge}{middle - 1}"
    board = draw_changed(settled_board(size), f"{beside}{middle}", around)
    return Probe("settled-ko", board, "b", tail=(("w", f"{beside}{middle}"),))


@dataclass(frozen=True)
class SettledKo:
    """A look at a game that is settled but for a ko. For commands that score: they need little time there."""

    queries: bool = False

    def lines(self, size: int) -> Moves:
        """Return the moves of the game as lines of GTP, on a board of this size."""
        return _moves(settled_ko(size))

    def question_lines(self, size: int) -> Moves:
        """Return the questions as lines: Black retakes the ko; undo; White takes it again."""
        middle = size // 2 + 1
        taken = f"{COLUMNS[middle - 2]}{middle}"
        return tuple(
            _line(line, size) for line in (f"play b {COLUMNS[middle - 1]}{middle}", "undo", f"play w {taken}")
        )


def settled_game(size: int, turn: int = 0) -> Moves:
    """Return the moves of a finished game, with a pass of each side at the end.

    `turn`: number of a symmetry of the board, 0 to 7.
    """
    finished = Probe("kept-settled", settled_board(size), "b", tail=(("b", "pass"), ("w", "pass")))
    return _moves(finished.turned(turn))


def nearly_settled_game(size: int) -> Moves:
    """Return the moves of a game with a file of neutral points left, Black to move."""
    return _moves(Probe("kept-neutral", settled_board(size, neutral_file=True), "b"))


def _moves(probe: Probe) -> Moves:
    return tuple(f"play {colour} {vertex}\n".encode("ascii") for colour, vertex in probe.moves)
