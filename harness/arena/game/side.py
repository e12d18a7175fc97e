"""One side of one game: the commands that set up and play the game, and the side's clock."""

from __future__ import annotations

import math
from collections.abc import Sequence

from harness.arena.config.handicap import handicap_points
from harness.arena.config.openings import Opening
from harness.arena.config.tables import RunTable
from harness.arena.game.player import (
    EngineFailureError,
    Player,
    cut,
    quoted_answer,
    require_success,
)
from harness.arena.game.rules import send_rules
from harness.arena.records import TIME_IS_OVER, Comment, Reason
from harness.gtp import (
    Colour,
    Exchange,
    Point,
    VertexError,
    format_vertex,
    parse_count,
    parse_decimal,
    parse_vertex,
)

EXPLAIN = "gomill-explain_last_move"
MOST_COMMENT = 2000
"""Most characters of a comment on a move. Chosen: a screen."""


class Side:
    """An engine as one side of one game. Every method raises EngineFailureError."""

    def __init__(self, player: Player, run: RunTable) -> None:
        self.player = player
        self._run = run
        self._comments: dict[int, str] = {}  # by number of the move
        self._clock: float | None = None  # seconds left for all commands of the game; None: no clock runs yet

    def set_up(self, opening: Opening, colour: Colour, komi: float) -> Opening:
        """Start the engine unless it runs, set up the board, and play the opening. Then its clock starts.

        Returns the opening, with the points on which Black's engine puts its handicap stones if these are
        free.
        """
        self.player.start()
        self._obey(f"boardsize {self._run.size}")
        self._obey("clear_board")
        send_rules(self.player, self._run)
        self._obey(f"komi {komi:g}")
        main_time = self._run.main_time
        if main_time is not None and self.player.knows("time_settings"):
            self._obey(f"time_settings {math.ceil(main_time)} 0 0")
        placed = 0
        if opening.handicap:
            if opening.free and colour == "b" and self.player.knows("place_free_handicap"):
                opening = opening.with_handicap(self._place_free_handicap(opening))
            else:
                self._set_handicap(opening)
            placed = len(opening.handicap)
        for move in opening.moves[placed:]:
            self.play(*move)
        self._clock = main_time
        return opening

    def _place_free_handicap(self, opening: Opening) -> list[str]:
        """Let the engine choose the points of its handicap stones. It may place fewer, but at least 2."""
        most = len(opening.handicap)
        command = f"place_free_handicap {most}"
        exchange = self._ask(command)
        require_success(command, exchange)
        found = self._points(exchange.text)
        if not 2 <= len(found) <= most:
            raise EngineFailureError(
                "protocol", f"{command}: expected 2 to {most} points{quoted_answer(exchange)}"
            )
        return found

    def _set_handicap(self, opening: Opening) -> None:
        """Put handicap stones on the board, so that an engine knows them as a handicap where it can."""
        stones = opening.handicap
        text = " ".join(stones)
        if set(stones) == set(_fixed_points(len(stones), self._run.size)) and self.player.knows(
            "fixed_handicap"
        ):
            exchange = self._ask(f"fixed_handicap {len(stones)}")
            if exchange.ok and set(self._points(exchange.text)) == set(stones):
                return
            self._obey("clear_board")  # this engine has other points: place the stones as for any other
        if self.player.knows("set_free_handicap"):
            self._obey(f"set_free_handicap {text}")
            return
        for vertex in stones:
            self.play("b", vertex)

    def _points(self, text: str) -> list[str]:
        """The distinct points of an answer, written as in GTP; empty if it has anything else."""
        try:
            points = [parse_vertex(word, self._run.size) for word in text.split()]
        except VertexError:
            return []
        if None in points or len(set(points)) != len(points):
            return []
        return [format_vertex(point) for point in points]

    def play(self, colour: Colour, vertex: str) -> None:
        """Send a move that the referee allows."""
        exchange = self._ask(f"play {colour} {vertex}")
        if not exchange.ok:
            raise EngineFailureError(
                "protocol", f"refused the legal move {colour} {vertex}{quoted_answer(exchange)}"
            )

    def genmove(self, colour: Colour) -> tuple[str, Point | None, float]:
        """The engine's move as (text of the answer, point, seconds). For "resign" the point is None."""
        if self._clock is not None and self.player.knows("time_left"):
            self._obey(f"time_left {colour} {int(self._clock)} 0")
        command = f"genmove {colour}"
        exchange = self._ask(command)
        require_success(command, exchange)
        text = exchange.text
        if text.lower() == "resign":
            return "resign", None, exchange.seconds
        try:
            return text, parse_vertex(text, self._run.size), exchange.seconds
        except VertexError as error:
            reason: Reason = "illegal" if error.reason == "off the board" else "protocol"
            raise EngineFailureError(
                reason, f"{command}: {cut(text)!r} is not a vertex ({error.reason})"
            ) from None

    def last_search(self) -> tuple[int | None, float | None]:
        """The answers to `ref-nodes` and `ref-score` after a genmove; None for an answer that is no number.

        Both are None if the engine lacks either command.
        """
        if not self.player.knows("ref-nodes", "ref-score"):
            return None, None
        nodes, score = self._ask("ref-nodes"), self._ask("ref-score")
        return parse_count(nodes.text if nodes.ok else ""), parse_decimal(score.text if score.ok else "")

    def ask_for_comment(self, move: int) -> None:
        """Ask for the engine's comment on its last move, where it has the command."""
        if self.player.knows(EXPLAIN):
            exchange = self._ask(EXPLAIN)
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
        require_success(command, self._ask(command))

    def _ask(self, command: str) -> Exchange:
        """Send a command. Its time is taken from the clock, if the clock runs."""
        if self._clock is None:
            return self.player.ask(command)
        exchange = self.player.ask(command, self._clock)
        self._clock -= exchange.seconds
        if self._clock <= 0:
            raise EngineFailureError("timeout", f"{command}: {TIME_IS_OVER}")
        return exchange


def _fixed_points(stones: int, size: int) -> tuple[str, ...]:
    """The fixed points of a handicap; empty if the board has none for it."""
    try:
        return handicap_points(stones, size)
    except ValueError:
        return ()
