"""The state that the GTP commands act on: the game, the settings and the last search.

A point is row x size + column, with row 0 at the bottom: on 9x9, C2 is 11. `None` is a pass. Many branches
here are faults (deliberate errors) or habits (differences that break no rule), which `refbot.deviations`
describes. The docstrings say what a command does without them. `memory` has what only they remember.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from refbot.deviations.faults import Faults
from refbot.deviations.habits import Habits
from refbot.deviations.switches import Switch
from refbot.gtp.memory import FaultMemory
from refbot.gtp.placing import COLOURS, place
from refbot.gtp.searcher import Searcher, Settings
from refbot.gtp.syntax import DeliberateCrashError, GtpError, format_answer, format_vertex
from refbot.rules import MAX_SIZE, MIN_SIZE, Game, IllegalMoveError, Move

if TYPE_CHECKING:
    from refbot.gtp.ongoing import Ongoing
    from refbot.search import SearchResult

ONLY_SIZE = 9  # of the habit size-9-only
MAX_KOMI = 100.0  # of the fault komi-range
PADDED_SIZE = 5  # of the fault small-sizes-padded
LONGEST_KEPT = 500  # moves, of the fault history-of-500
RESIGN_BELOW = 0.1  # of the fault genmove-resigns


class Session:
    """One engine between its start and `quit`; `commands` calls its methods.

    Its colours are `"b"` and `"w"`; `Game`, below it, has BLACK and WHITE (see `placing.COLOURS`).
    """

    def __init__(self, settings: Settings) -> None:
        self.faults = frozenset(settings.faults)
        # A fault or habit of an extension needs the engine to have the extensions.
        of_extensions = [f.extension for f in self.faults] + [h.extension for h in settings.habits]
        self.habits = frozenset({*settings.habits, *([Habits.EXTENSIONS] if any(of_extensions) else [])})
        self.switches: frozenset[Switch] = self.faults | self.habits
        self.ended = False  # `quit` was answered
        self.size = settings.size
        self.komi = settings.komi
        self.searcher = Searcher(settings)
        self.analysis: Ongoing | None = None  # goes on until the next line
        self.memory = FaultMemory(komi_at_start=settings.komi)
        self._game: Game | None = None
        self._settled = 0  # see `settled_stones`; undo does not take these moves back
        self._last_search: SearchResult | None = None
        self._reports_nothing = Habits.ZERO_BEFORE_SEARCH in self.habits  # ref-nodes and ref-score answer 0

    # Setting up

    @property
    def game(self) -> Game:
        """The game on the board; its first use makes an empty board."""
        if self._game is None:
            self._game = self.new_game(self.size)
        return self._game

    def new_game(self, size: int) -> Game:
        """Return an empty board with the komi in force. It does not replace the game of this session."""
        implied = Habits.IMPLIED_PASS_COUNTED in self.habits
        return Game(size, self.komi, self.faults, counts_implied_passes=implied)

    def set_size(self, size: int) -> None:
        """Sets up an empty board of this size. Raises `GtpError("unacceptable size")`."""
        if Habits.SIZE_9_ONLY in self.habits and size != ONLY_SIZE:
            raise GtpError("unacceptable size")
        if Faults.BOARDSIZE_NEEDS_EMPTY_BOARD in self.faults and any(self.game.stones):
            raise GtpError("board not empty")
        if not MIN_SIZE <= size <= MAX_SIZE:
            self._refuse_size(size)
            return
        self.memory.shown.pop("size", None)
        if Faults.SMALL_SIZES_PADDED in self.faults:
            size = max(size, PADDED_SIZE)
        if Faults.SIZE_ONE_GAME_LATE in self.faults and size != self.size:
            # The next clear_board begins a game of the old size, the second one a game of the new size.
            self.memory.late_size, self.memory.clears_until_size = size, 2
            return
        self.memory.late_size = None
        self._change_size(size)

    def _refuse_size(self, size: int) -> None:
        """Raises `GtpError("unacceptable size")`, unless a fault lets the command succeed."""
        if Faults.REFUSED_SIZE_CLEARS_BOARD in self.faults:
            self.game.clear()
        self.ended = Faults.BOARDSIZE_REFUSAL_FATAL in self.faults
        if Faults.REFUSED_SIZE_SHOWN in self.faults:
            self.memory.shown["size"] = size
        if Faults.BOARDSIZE_ANY not in self.faults:
            raise GtpError("unacceptable size")

    def _change_size(self, size: int) -> None:
        """Sets up an empty board of an acceptable size."""
        self.memory.begin_game(self.game.stones if Faults.SHOWN_BOARD_SURVIVES_CLEAR in self.faults else ())
        if self._game is not None and self._game.size == size:
            if Habits.BOARDSIZE_KEEPS_POSITION in self.habits:
                return
            self._game.clear()
        elif Faults.COUNT_NEVER_RESET in self.faults:
            counted, self._game = self.game.counted, self.new_game(size)
            self._game.miscounted = counted
        else:
            self._game = None
        if size != self.size and Faults.KOMI_RESET_BY_SIZE in self.faults:
            self.komi = self.memory.komi_at_start
        if Faults.KOMI_SCALED_BY_SIZE in self.faults:
            self.komi *= (size / self.size) ** 2
        self.size = size
        self._settled, self.memory.handicap = 0, ()

    def set_komi(self, komi: float) -> None:
        """Sets the komi of this game and of later ones."""
        self.memory.shown.pop("komi", None)
        if self.memory.first_komi is None:
            self.memory.first_komi = komi
        if Faults.KOMI_RANGE in self.faults and not 0 <= komi <= MAX_KOMI:
            raise GtpError("komi out of range")
        if Faults.KOMI_TO_HALVES in self.faults:
            komi = math.floor(2.0 * komi + 0.5) / 2.0
        if Faults.KOMI_LIFTS_KO in self.faults:
            self.game.lift_ko()
        if Faults.KOMI_FIRST_ONLY in self.faults:
            komi = self.memory.first_komi
        if Faults.KOMI_ONE_GAME_LATE in self.faults:
            self.memory.late_komi = komi
            return
        if Faults.KOMI_UNDONE in self.faults:
            self.memory.earlier_komis.append((len(self.game.moves), self.komi))
        self._use_komi(komi)
        if Faults.KOMI_FORGETS_BOARDS in self.faults:
            self.game.forget_boards()
        if Faults.KOMI_CLEARS_BOARD in self.faults:
            self.clear()

    def _use_komi(self, komi: float) -> None:
        self.komi = komi
        if self._game is not None:
            self._game.komi = komi

    def clear(self) -> None:
        """Sets up an empty board without history."""
        self.memory.earlier_komis.clear()
        if self.memory.just_cleared and Faults.CLEAR_TWICE_CRASHES in self.faults:
            raise DeliberateCrashError("clear_board twice")
        self.memory.just_cleared = True
        if Faults.CLEAR_KEEPS_STONES in self.faults:
            return
        self.memory.was_scored = False
        self.memory.begin_game(self.game.stones if Faults.SHOWN_BOARD_SURVIVES_CLEAR in self.faults else ())
        if self.memory.late_komi is not None:
            self._use_komi(self.memory.late_komi)
        self.memory.was_over = self.memory.was_over or self.game.passes >= 2
        if self._game is not None:
            self.memory.cleared_moves = list(self._game.moves)
            counted = self._game.counted if Faults.CLEAR_KEEPS_COUNT in self.faults else 0
            self._game.clear()
            self._game.miscounted += counted
        self._settled = 0
        if Faults.CLEAR_KEEPS_HANDICAP in self.faults:
            place(self.game, self.memory.handicap)
        self.memory.clears_until_size -= 1
        if self.memory.late_size is not None and self.memory.clears_until_size == 0:
            self._change_size(self.memory.late_size)
            self.memory.late_size = None
        if Faults.CLEARED_KOMI_SHOWN in self.faults and self.memory.first_komi is not None:
            self.memory.shown["komi"] = self.memory.first_komi
        if Faults.CLEAR_RESETS_KOMI in self.faults and self.memory.first_komi is not None:
            self.set_komi(self.memory.first_komi)

    def place_handicap(self, stones: Sequence[tuple[str, int]]) -> None:
        """Place the stones (colour, point) of a handicap, which undo does not take back."""
        place(self.game, stones)
        self.memory.had_handicap, self.memory.handicap = True, stones
        self._settled = 0 if Habits.HANDICAP_UNDONE in self.habits else len(self.game.moves)

    def take_over(self, game: Game, settled: int) -> None:
        """Replaces the game. The first `settled` moves are set-up stones, which undo does not take back."""
        self.memory.begin_game(())
        self.size, self._game, self._settled = game.size, game, settled

    @property
    def settled_stones(self) -> int:
        """The number of moves at the beginning of the game that are stones of a set-up: undo keeps them."""
        return self._settled

    def play(self, colour: str, point: int | None) -> None:
        """Makes a move. Raises `GtpError("illegal move")`; the game is then unchanged."""
        mover = self.game.to_move if Faults.PLAY_IGNORES_COLOUR in self.faults else COLOURS[colour]
        if Faults.STONES_ALL_BLACK in self.faults:
            mover = COLOURS["b"]
        if Faults.HISTORY_OF_500 in self.faults and len(self.game.moves) >= LONGEST_KEPT:
            raise DeliberateCrashError("no room for another move")
        try:
            if Faults.PLAY_REFUSED in self.faults or self.memory.closed or self.memory.was_scored:
                raise IllegalMoveError(mover, -1, "never")
            if Faults.ALTERNATION_ENFORCED in self.faults and self.game.moves and mover != self.game.to_move:
                raise IllegalMoveError(mover, -1, "turn")
            repeats = Habits.SUPERKO_BY_PLAY_ACCEPTED in self.habits
            self.game.play(mover, point, may_repeat=repeats)
        except IllegalMoveError as error:
            self._refuse_move(mover, point, error)
        self.memory.just_cleared, self.memory.was_over = False, False
        if Faults.PLAY_FORGETS_SEARCH in self.faults:
            self._reports_nothing = True

    def _refuse_move(self, mover: int, point: int | None, error: IllegalMoveError) -> None:
        """Raises `GtpError("illegal move")`, unless a fault lets the command succeed."""
        if Faults.ILLEGAL_MOVE_CRASHES in self.faults:
            raise DeliberateCrashError("an illegal move")
        if Faults.ILLEGAL_MOVE_PASSES in self.faults:
            self.game.play(mover, None)
        if Faults.REFUSED_MOVE_LIFTS_KO in self.faults:
            self.game.lift_ko()
        self.game.miscounted += Faults.REFUSED_MOVE_COUNTS in self.faults
        if Faults.REFUSED_KO_TAKES_STONE in self.faults and error.reason in ("ko", "superko"):
            self._play_again_without(self.game.moves[-1].point, self.game.stones)
        if Faults.SHOWN_BOARD_KEEPS_REFUSED in self.faults:
            self.memory.refused.append(Move(mover, point))
        if Faults.PLAY_NEVER_REFUSES in self.faults:
            return
        raise GtpError("illegal move") from error

    def genmove(self, colour: str) -> str:
        """Makes a move for "b" or "w"; returns its vertex or "pass". Raises GtpError as `search` does."""
        if Faults.GENMOVE_ENDS_WITH_GAME in self.faults and self.game.passes >= 2:
            raise GtpError("game is over")
        out_of_turn = bool(self.game.moves) and COLOURS[colour] != self.game.to_move
        if Faults.GENMOVE_OUT_OF_TURN_FAILS in self.faults and out_of_turn:
            raise GtpError("not your turn")
        if Faults.GENMOVE_IGNORES_COLOUR in self.faults:
            colour = "b" if self.game.to_move == COLOURS["b"] else "w"
        if self._passes_at_once(COLOURS[colour]):
            self.game.play(COLOURS[colour], None)
            if Faults.PASS_KEEPS_REPORT not in self.faults or self._last_search is None:
                self._reports_nothing = True
            return self.vertex(None)
        result = self.search(colour)
        if Faults.GENMOVE_RESIGNS in self.faults and result.score < RESIGN_BELOW:
            return "resign"
        if Faults.RESIGNATION_PLAYED in self.faults and result.score < RESIGN_BELOW:
            self.game.play(COLOURS[colour], result.move)
            return "resign"
        if Faults.GENMOVE_NOT_PLAYED not in self.faults:
            self.game.play(COLOURS[colour], result.move)
            if Faults.SUPERKO_OWN_MOVES_FORGOTTEN in self.faults:
                self.game.forget_present_board()
            if Faults.KO_OWN_FORGOTTEN in self.faults:
                self.game.lift_ko()
            self.game.miscounted -= Faults.CAP_OWN_MOVES_UNCOUNTED in self.faults
        if Faults.KOMI_DRIFTS in self.faults:
            self._use_komi(self.komi + 0.5)
        self.memory.just_cleared, self.memory.was_over = False, False
        return format_answer(result.move, self.size, self.switches)

    def _passes_at_once(self, mover: int) -> bool:
        """Return whether genmove passes without a search."""
        if Faults.GENMOVE_PASSES_WHEN_OVER in self.faults and self.game.passes >= 2:
            return True
        if Faults.CLEAR_KEEPS_PASSES in self.faults and self.memory.was_over:
            return True
        at_once = Habits.PASS_WITHOUT_SEARCH in self.habits or Faults.PASS_KEEPS_REPORT in self.faults
        return at_once and not len(self.game.candidates(mover))

    def reg_genmove(self, colour: str) -> int | None:
        """Chooses a move without making it, by `search`; returns its point, None for a pass."""
        move = self.search(colour).move
        if Faults.REG_GENMOVE_ANSWERS_LAST in self.faults and self.game.moves:
            move = self.game.moves[-1].point
        if Faults.REG_GENMOVE_PLAYS in self.faults:
            self.game.play(COLOURS[colour], move)
        if Faults.REG_GENMOVE_COUNTS in self.faults:
            self.game.play(COLOURS[colour], None)
        return move

    def search(self, colour: str) -> SearchResult:
        """Chooses a move without making it; sets the last search. Raises GtpError if no device can play."""
        self._last_search = self.searcher.search(self.game, COLOURS[colour])
        self._reports_nothing = False
        return self._last_search

    def undo(self) -> None:
        """Takes the last move back. Raises `GtpError("cannot undo")` if there is none after the set-up."""
        again = bool(self.game.moves) and self.game.moves[-1] is self.memory.undone_to
        if Habits.UNDO_ONCE in self.habits and again:
            raise GtpError("cannot undo")
        settled = self._settled + (Faults.HANDICAP_MOVE_NOT_UNDONE in self.faults and self._settled > 0)
        if len(self.game.moves) <= settled:
            self._refuse_undo()
            return
        if Faults.UNDO_AGAIN_DOES_NOTHING in self.faults and again:
            return
        if Faults.UNDO_OF_PASS_FAILS in self.faults and self.game.passes:
            raise GtpError("cannot undo")
        before = self.game.stones
        undone = self.game.undo()
        self.memory.undone.append(undone)
        if Faults.UNDO_LIFTS_KO in self.faults:
            self.game.lift_ko()
            self.game.forget_boards()
        while self.memory.earlier_komis and self.memory.earlier_komis[-1][0] > len(self.game.moves):
            self._use_komi(self.memory.earlier_komis.pop()[1])
        if Faults.UNDO_TAKES_TWO in self.faults and len(self.game.moves) > self._settled:
            self.game.undo()
        if Faults.UNDO_KEEPS_CAPTURES in self.faults:
            self._play_again_without(undone.point, before)

    def _refuse_undo(self) -> None:
        """Raises `GtpError("cannot undo")`, unless a fault lets the command succeed."""
        if Faults.UNDO_AT_START_SUCCEEDS in self.faults:
            return
        if Faults.CLEAR_KEEPS_UNDO in self.faults and self.memory.cleared_moves:
            self._play_cleared_game()
            return
        self.game.miscounted -= Faults.REFUSED_UNDO_UNCOUNTS in self.faults
        self._settled += Faults.REFUSED_UNDO_LOSES_MOVE in self.faults
        raise GtpError("cannot undo")

    def _play_cleared_game(self) -> None:
        """Plays the game before clear_board again: the fault clear-keeps-undo."""
        moves, self.memory.cleared_moves = self.memory.cleared_moves, []
        for move in moves:
            self.game.play(move.colour, move.point, may_repeat=True)

    def _play_again_without(self, point: int | None, before: Sequence[int]) -> None:
        """Rebuilds the game from the moves whose stones are on the board `before`, except the one at `point`.

        Two faults remove stones in this way. undo-keeps-captures: the undone stone at `point` goes, and those
        that it captured, which are not on `before`, stay away. refused-ko-takes-stone: the stone of the last
        move goes, which the refused ko would have taken; none goes if that move was a pass.
        """
        kept = [
            move for move in self.game.moves if move.point is not None and before[move.point] == move.colour
        ]
        self.game.clear()
        for move in dict.fromkeys(kept):  # once, also if the stone was taken and played again
            if move.point != point:
                self.game.play(move.colour, move.point)

    # Looking

    def vertex(self, point: int | None) -> str:
        """The name of a point of this board; "pass" for None."""
        return format_vertex(point, self.size, self.switches)

    def score(self) -> float:
        """Area score of the present position, komi included; positive if Black leads."""
        self.memory.was_scored = Faults.FINAL_SCORE_ENDS_GAME in self.faults
        without_komi = Faults.FINAL_SCORE_WITHOUT_KOMI in self.faults
        score = self.game.area_score() + (self.komi if without_komi else 0.0)
        if Faults.FINAL_SCORE_STORED in self.faults:
            board = tuple(self.game.stones)
            score = self.memory.last_score.get(board, score)
            self.memory.last_score = {board: score}
        return score

    def note_refusal(self, command: str) -> None:
        """Applies the faults that act after a refused command; `command` is "" for an unknown one."""
        self.memory.refusals += 1
        if Faults.REFUSAL_FORGETS_SEARCH in self.faults:
            self._last_search = None
        if Faults.UNKNOWN_COMMAND_CLEARS in self.faults and not command:
            self.clear()
        if Faults.REFUSED_GENMOVE_FORGETS_SEARCH in self.faults and command == "genmove":
            self._reports_nothing = True
        if Faults.REFUSED_GENMOVE_PASSES in self.faults and command == "genmove":
            self.game.play(self.game.to_move, None)
        if Faults.REFUSED_KOMI_SHOWN in self.faults and command == "komi":
            self.memory.shown["komi"] = 0.0
        if Faults.REFUSED_KOMI_IS_ZERO in self.faults and command == "komi":
            self.set_komi(0.0)

    @property
    def nodes(self) -> int:
        """The answer to ref-nodes; 0 after a pass without a search. Raises `GtpError` before any search."""
        return 0 if self._reports_nothing else self.last_search.nodes

    @property
    def reported_score(self) -> float:
        """The answer to ref-score; 0 after a pass without a search. Raises `GtpError` before any search."""
        return 0.0 if self._reports_nothing else self.last_search.score

    @property
    def last_search_or_none(self) -> SearchResult | None:
        """The last search; None before the first."""
        return self._last_search

    @property
    def last_search(self) -> SearchResult:
        """The last search, even if the board has changed since. Raises `GtpError` before the first search."""
        if self._last_search is None:
            raise GtpError("no search yet")
        return self._last_search
