"""`FaultMemory`: what a session remembers for its faults and habits alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from refbot.rules import Move


@dataclass
class FaultMemory:
    """The memory of faults and habits from one command to the next; each field names those that read it.

    An engine without them writes some fields too; they have no effect on it.
    """

    # size and komi
    late_size: int | None = None  # the size to come: size-one-game-late
    clears_until_size: int = 0  # number of clear_board until `late_size` is in force, if it is not None
    komi_at_start: float = 0.0  # komi-reset-by-size, printsgf-komi-fixed
    first_komi: float | None = None
    """The first that a command set: komi-first-only, clear-resets-komi, cleared-komi-shown."""
    late_komi: float | None = None  # the komi of the next game: komi-one-game-late
    earlier_komis: list[tuple[int, float]] = field(default_factory=list)
    """(Moves made, the komi until then) for each komi command of the game: komi-undone."""
    shown: dict[str, object] = field(default_factory=dict)
    """Values of "size", "komi" and "ko" that commands show in place of the real ones: faults of gtp-rules."""

    # the game
    just_cleared: bool = False  # nothing was played since the last clear_board: clear-twice-crashes
    was_over: bool = False  # two passes had ended the game before clear_board: clear-keeps-passes
    cleared_moves: list[Move] = field(default_factory=list)  # of the game before: clear-keeps-undo
    handicap: Sequence[tuple[str, int]] = ()  # the stones of the last one: clear-keeps-handicap
    had_handicap: bool = False  # since the start of the engine: handicap-once
    undone_to: Move | None = None  # the last move after the last undo: undo-once, undo-again-does-nothing
    closed: bool = False  # no move is accepted any more: game-over-closes
    was_scored: bool = False  # final_score was asked: final-score-ends-game
    last_score: dict[tuple[int, ...], float] = field(default_factory=dict)
    """The last board that was scored, and its score: final-score-stored."""

    # the display
    refused: list[Move] = field(default_factory=list)  # moves of this game: shown-board-keeps-refused
    undone: list[Move] = field(default_factory=list)  # moves of this game: printsgf-keeps-undone
    earlier_stones: Sequence[int] = ()  # at the end of the game before: shown-board-survives-clear
    times_shown: int = 0  # how often showboard was asked; 0 without the habit showboard-counts
    refusals: int = 0  # number of refused commands: showboard-with-notes

    ended_analysis: bool = False  # the present line ended an analysis: analysis-not-by-another

    def begin_game(self, stones: Sequence[int]) -> None:
        """Forget the moves that displays and records keep.

        `stones` are those of the game before; an empty board or () leaves `earlier_stones` as it is.
        """
        self.refused.clear()
        self.undone.clear()
        if any(stones):
            self.earlier_stones = stones
