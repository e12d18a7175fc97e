"""One side of one game: the commands that set up and play the game, and the side's clock."""

from __future__ import annotations

import math

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
from harness.arena.records import TIME_IS_OVER, Reason
from harness.gtp import Colour, Exchange, Point, VertexError, parse_count, parse_decimal, parse_vertex


class Side:
    """An engine as one side of one game. Every method raises EngineFailureError."""

    def __init__(self, player: Player, run: RunTable) -> None:
        self.player = player
        self._run = run
        self._clock: float | None = None  # seconds left for all commands of the game; None: no clock runs yet

    def set_up(self, opening: Opening) -> None:
        """Start the engine unless it runs, set up the board, and play the opening. Then its clock starts."""
        self.player.start()
        self._obey(f"boardsize {self._run.size}")
        self._obey("clear_board")
        send_rules(self.player, self._run)
        self._obey(f"komi {self._run.komi:g}")
        main_time = self._run.main_time
        if main_time is not None and self.player.knows("time_settings"):
            self._obey(f"time_settings {math.ceil(main_time)} 0 0")
        for move in opening.moves:
            self.play(*move)
        self._clock = main_time

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
