"""One side of one game: the commands that set up and play the game, and the side's clock."""

from __future__ import annotations

from collections.abc import Sequence

from harness.arena.clock import Clock
from harness.arena.config.engine_keys import COLOR_NAMES, game_commands, genmove_command, move_in
from harness.arena.config.opening import Opening
from harness.arena.config.tables import RunTable
from harness.arena.game.handicap import handicap_lines, set_handicap
from harness.arena.game.player import (
    MAX_QUOTED,
    EngineFailureError,
    Player,
    quoted_answer,
    require_success,
)
from harness.arena.game.rules import send_rules
from harness.arena.records import TIME_IS_OVER, ClockReading, Comment, Game, Reason
from harness.gtp import (
    Colour,
    Exchange,
    Point,
    VertexError,
    cut,
    format_vertex,
    other,
    parse_count,
    parse_decimal,
    parse_vertex,
)

EXPLAIN = "gomill-explain_last_move"
MOST_COMMENT = 2000
"""Most characters of a comment on a move. Chosen: a screen."""


class Side:
    """An engine as one side of one game. Every method that sends a command raises EngineFailureError.

    Its clock takes the time of all commands after the set-up, except requests for a comment.
    """

    def __init__(self, player: Player, run: RunTable, game: Game, colour: Colour) -> None:
        self.player = player
        self.set_up_lines: list[str] = []  # the commands of the set-up, up to the end of the opening
        self.clock_lines: tuple[str, ...] = ()  # the time_left commands before the last genmove
        self.readings: list[ClockReading] = []
        self._run = run
        self._comments: dict[int, str] = {}  # by number of the move
        self._game = game
        self._colour: Colour = colour
        self._clock: Clock | None = None  # None: no clock runs, or none yet
        self._answer: Exchange | None = None  # the answer to the last genmove; None without a clock

    def set_up(self, opening: Opening, komi: float, slot: int = 1) -> Opening:
        """Start the engine unless it runs, set up the board, and play the opening. Then its clock starts.

        Return the opening, with the handicap stones on the points that Black's engine chose, if it chose any.

        slot   number of the worker, for the environment of the engine
        """
        self._start_engine(slot)
        self._set_up_board(komi)
        clock = self._set_time()
        self._send_own_commands(komi)
        placed = self._place_handicap(opening)
        self._play_opening(placed)
        self._clock = clock
        return placed

    def _start_engine(self, slot: int) -> None:
        """Start the engine unless it runs, with the game, slot and colour in its environment."""
        variables = {"GAME": self._game.id, "SLOT": str(slot), "COLOR": COLOR_NAMES[self._colour]}
        self.player.start({f"CONFORM_{name}": value for name, value in variables.items()})

    def _set_up_board(self, komi: float) -> None:
        """Set the board, the rules and the komi."""
        self._obey(f"boardsize {self._run.size}")
        self._obey("clear_board")
        send_rules(self.player, self._run, self._ask_in_set_up, self._run.handicap_bonus)
        self._obey(f"komi {komi:g}")

    def _set_time(self) -> Clock | None:
        """Send the time settings. Returns the clock of the game, which does not run yet; None without one."""
        clock = Clock(self.player.control) if self.player.control is not None else None
        settings = clock.settings(self.player.commands) if clock is not None else ()
        for command in settings:
            self._obey(command)
        return clock

    def _send_own_commands(self, komi: float) -> None:
        """Send the commands that the run asks for at the start of this engine's games (gtp_game)."""
        opponent, board = self._game.engine(other(self._colour)), (self._run.size, komi)
        own = game_commands(self.player.table.gtp_game, board, self._colour, self._game.id, opponent)
        for command in own:
            self._obey(command)

    def _place_handicap(self, opening: Opening) -> Opening:
        """Place the handicap stones, if any. Returns the opening with the points where they stand."""
        if not opening.handicap:
            return opening
        placed = set_handicap(self.player, opening, self._colour, self._run.size, self._ask_in_set_up)
        if placed is not opening:
            # The engine chose the points, and may choose others the next time: the lines that repeat the game
            # name the points, instead of the last line sent, which asked the engine to choose.
            self.set_up_lines[-1:] = handicap_lines(self.player, placed.handicap)
        return placed

    def _play_opening(self, opening: Opening) -> None:
        """Play the moves of the opening after the handicap stones, which come first in its moves."""
        for colour, vertex in opening.moves[len(opening.handicap) :]:
            _require_move(colour, vertex, self._ask_in_set_up(f"play {colour} {vertex}"))

    @property
    def time_left(self) -> str:
        """The time left to the side, in words; empty without a clock."""
        if self._clock is None:
            return ""
        shown = self._clock.reading(0)
        counted = f" of byo-yomi ({shown.counted} left)" if shown.counted else ""
        return f"{shown.seconds:.0f} s{counted}"

    def play(self, colour: Colour, vertex: str) -> None:
        """Send a move that the referee allows."""
        _require_move(colour, vertex, self._ask(f"play {colour} {vertex}"))

    def genmove(self, move: int) -> tuple[str, Point | None, float]:
        """The move of the engine as (vertex or "resign", point, seconds). A pass or "resign" has no point.

        move   the number of this move
        """
        clock, command = self._clock, genmove_command(self.player.table.genmove, self._colour)
        self._answer = None
        if clock is None:
            exchange = self.player.ask(command)
        else:
            self.clock_lines = tuple(clock.time_left(self._colour, self.player.commands))
            for line in self.clock_lines:
                require_success(line, self._ask(line))
            exchange = self._answer = self.player.ask(command, longer=clock.left)
            self._spend(command, exchange)
            clock.end_move()
            self.readings.append(clock.reading(move))
        return self._move_in(exchange)

    def late_move(self) -> tuple[str, Point | None, float] | None:
        """The move of a side that has lost on time, as `genmove` returns it.

        It may have come too late, or in time, if a later command took the rest of the time. None if the last
        genmove was not sent or not answered, or if its answer is no move.
        """
        if self._answer is None:
            return None
        try:
            return self._move_in(self._answer)
        except EngineFailureError:
            return None

    def _move_in(self, exchange: Exchange) -> tuple[str, Point | None, float]:
        """The answer to a genmove, in the form of `genmove`. Raises EngineFailureError."""
        name = self.player.table.genmove
        command = genmove_command(name, self._colour)
        require_success(command, exchange)
        text = move_in(name, exchange.text)
        if text.lower() == "resign":
            return "resign", None, exchange.seconds
        try:
            point = parse_vertex(text, self._run.size)
        except VertexError as error:
            reason: Reason = "illegal" if error.reason == "off the board" else "protocol"
            raise EngineFailureError(
                reason, f"{command}: {cut(text, MAX_QUOTED)!r} is not a vertex ({error.reason})"
            ) from None
        return format_vertex(point), point, exchange.seconds

    def last_search(self) -> tuple[int | None, float | None]:
        """Return (nodes, score): the answers to `ref-nodes` and `ref-score` after a genmove.

        An answer that is no number is None. Both are None if the engine lacks either command.
        """
        if not self.player.knows("ref-nodes", "ref-score"):
            return None, None
        nodes, score = self._ask("ref-nodes"), self._ask("ref-score")
        return parse_count(nodes.text if nodes.ok else ""), parse_decimal(score.text if score.ok else "")

    def ask_for_comment(self, move: int) -> None:
        """Ask for a comment on the last move, where the engine has the command. No clock runs meanwhile."""
        if self.player.knows(EXPLAIN):
            exchange = self.player.ask(EXPLAIN)
            if exchange.ok and exchange.text:
                self._comments[move] = cut(exchange.text, MOST_COMMENT)

    def comments(self, moves: Sequence[int]) -> list[Comment]:
        """The engine's comments. `moves`: the numbers of its moves in this game, one for each genmove."""
        found = dict(self._comments)
        if self._run.comments == "stderr":
            texts = self.player.stderr_of_moves()
            for move, text in zip(reversed(moves), reversed(texts), strict=False):
                if text:
                    found.setdefault(move, cut(text, MOST_COMMENT))
        return [Comment(move, text) for move, text in found.items()]

    def _obey(self, command: str) -> None:
        """Send a command of the set-up."""
        require_success(command, self._ask_in_set_up(command))

    def _ask_in_set_up(self, command: str) -> Exchange:
        """Send a command while no clock runs, and keep it for the line that repeats the game."""
        self.set_up_lines.append(command)
        return self.player.ask(command)

    def _ask(self, command: str) -> Exchange:
        """Send a command. Its time is taken from the clock, if the clock runs."""
        exchange = self.player.ask(command)
        self._spend(command, exchange)
        return exchange

    def _spend(self, command: str, exchange: Exchange) -> None:
        """Take the time of an answer from the clock, if it runs.

        Raises EngineFailureError for "time" if none is left: the side loses the game.
        """
        if self._clock is None:
            return
        left = self._clock.left
        self._clock.spend(exchange.seconds)
        if self._clock.left <= 0:
            raise EngineFailureError(
                "time", f"{command}: {TIME_IS_OVER}, {exchange.seconds:.2f} s of {left:.2f} s were used"
            )


def _require_move(colour: Colour, vertex: str, exchange: Exchange) -> None:
    """Raise EngineFailureError if the engine refused a move that the referee allows."""
    if not exchange.ok:
        raise EngineFailureError(
            "protocol", f"refused the legal move {colour} {vertex}{quoted_answer(exchange)}"
        )
