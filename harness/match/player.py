"""One engine in a match. A late, missing or wrong answer raises EngineFailureError."""

from __future__ import annotations

import math

from harness.gtp import (
    MAX_PLAYOUTS,
    Colour,
    Engine,
    EngineStartError,
    Exchange,
    Limits,
    Point,
    ShortageError,
    VertexError,
    parse_count,
    parse_decimal,
    parse_vertex,
    printable,
    render_transcript,
)
from harness.gtp.process import is_stopped
from harness.match.config import PLAYOUTS_WORD, EngineTable
from harness.match.errors import MatchError, PlayError
from harness.match.program import program_of
from harness.match.records import Introduction, Reason

TRANSCRIPT_BYTES = 1 << 20  # kept of the transcript of one game
TRANSCRIPT_CHARACTERS = 1 << 17  # kept of it with a failed game: control characters take four each
MAX_QUOTED = 120  # characters of an engine's answer that a message quotes
REF_COMMANDS = frozenset({"ref-nodes", "ref-score"})


class EngineFailureError(MatchError):
    """An engine failed in a game: the reason for the games table, and a sentence."""

    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__(reason, detail)
        self.reason: Reason = reason
        self.detail = detail


class Player:
    """An engine that is started when it is first needed, and again after it was stopped.

    Every method that sends a command raises EngineFailureError; so does `start`.
    """

    def __init__(self, table: EngineTable, timeout: float) -> None:
        self.name = table.name
        self.launch = table.launch()
        self.introduction: Introduction | None = None  # of the present process
        self.program: str | None = None  # hash of the files of the present process
        self._table = table
        self._timeout = timeout
        self._limits = Limits(startup=table.startup, answer=timeout, transcript_kept=TRANSCRIPT_BYTES)
        self._engine: Engine | None = None
        self._commands: frozenset[str] = frozenset()
        self._size = 0
        self._clock: float | None = None  # seconds left for all commands of the game

    # --- life ----------------------------------------------------------------------------------------------

    @property
    def running(self) -> bool:
        """A process was started and not stopped. It may have died since."""
        return self._engine is not None

    @property
    def pid(self) -> int | None:
        """The id of the process that was started and not stopped."""
        return self._engine.pid if self._engine is not None else None

    @property
    def reports_searches(self) -> bool:
        """The engine has `ref-nodes` and `ref-score`."""
        return self._commands >= REF_COMMANDS

    def knows(self, command: str) -> bool:
        """The engine lists this command in `list_commands`."""
        return command in self._commands

    def start(self) -> None:
        """Start the process, unless one was started, and ask for its name, version, commands and playouts.

        Raises PlayError if this machine lacks what a start needs.
        """
        if self._engine is not None:
            return
        self.program = program_of(self.launch)
        engine = Engine(self.launch, self._limits)
        try:
            engine.start()
        except EngineStartError as error:
            raise EngineFailureError("crash", str(error)) from None
        except ShortageError as error:
            raise PlayError(f"{error}; all finished games are stored") from None
        self._engine = engine
        name, version = self._text("name"), self._text("version")
        self._commands = frozenset(self._text("list_commands").split())
        playouts = self._set_playouts()
        self.introduction = Introduction(self.name, name, version, playouts, tuple(sorted(self._commands)))

    def stop(self, *, politely: bool) -> None:
        """Stop the process, if one was started: by `quit` (`politely`), or by a kill after a failure."""
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.close() if politely else engine.kill()

    def begin_transcript(self) -> None:
        """Start the transcript of a new game."""
        if self._engine is not None:
            self._engine.forget_transcript()

    def transcript(self) -> str:
        """The commands and answers of this game, with times; the middle of a long transcript is left out."""
        text = render_transcript(self._engine.transcript) if self._engine else ""
        left_out = len(text) - TRANSCRIPT_CHARACTERS
        if left_out <= 0:
            return text
        half = TRANSCRIPT_CHARACTERS // 2
        return f"{text[:half]}\n… {left_out} characters left out …\n{text[-half:]}"

    def stderr_tail(self) -> bytes:
        """The last bytes that the engine wrote to stderr."""
        return self._engine.stderr_tail if self._engine else b""

    def process_state(self) -> str:
        """How the process ended, or that it was running."""
        if self._engine is None:
            return "was not started"
        return str(self._engine.exit or "was running")

    # --- the game ------------------------------------------------------------------------------------------

    def new_game(self, size: int, komi: float) -> None:
        """Set up an empty board of this size, and this komi; no clock runs."""
        self._clock = None
        self._size = size
        self._obey(f"boardsize {size}")
        self._obey("clear_board")
        self._obey(f"komi {komi:g}")

    def set_clock(self, main_time: float) -> None:
        """Send the time for the whole game in seconds, if the engine has `time_settings`."""
        if "time_settings" in self._commands:
            self._obey(f"time_settings {math.ceil(main_time)} 0 0")

    def start_clock(self, main_time: float) -> None:
        """From now on the engine has this time, in seconds, for all commands of the game together."""
        self._clock = main_time

    def play(self, colour: Colour, vertex: str) -> None:
        """Send a move that is legal by the referee."""
        exchange = self._ask(f"play {colour} {vertex}", self._timeout)
        if exchange.answer is None or not exchange.answer.ok:
            raise EngineFailureError(
                "protocol", f"refused the legal move {colour} {vertex}{_quoted(exchange)}"
            )

    def genmove(self, colour: Colour) -> tuple[str, Point | None, float]:
        """The engine's move as (text of the answer, point, seconds). For "resign" the point is None."""
        if self._clock is not None and "time_left" in self._commands:
            self._obey(f"time_left {colour} {int(self._clock)} 0")
        exchange = self._ask(f"genmove {colour}", self._timeout)
        if exchange.answer is None or not exchange.answer.ok:
            raise EngineFailureError("protocol", f"refused genmove {colour}{_quoted(exchange)}")
        text = exchange.answer.text
        if text.lower() == "resign":
            return "resign", None, exchange.seconds
        try:
            return text, parse_vertex(text, self._size), exchange.seconds
        except VertexError as error:
            reason: Reason = "illegal" if error.reason == "off the board" else "protocol"
            raise EngineFailureError(
                reason, f"genmove {colour}: {_cut(text)!r} is not a vertex ({error.reason})"
            ) from None

    def last_search(self) -> tuple[int | None, float | None]:
        """`ref-nodes` and `ref-score` of the last genmove; None for an answer that is not a number."""
        return parse_count(self._text("ref-nodes")), parse_decimal(self._text("ref-score"))

    # --- helpers -------------------------------------------------------------------------------------------

    def _set_playouts(self) -> int | None:
        """Set the number of playouts per search, or ask for it; None if it stays unknown."""
        wanted = self._table.playouts
        if "ref-playouts" not in self._commands:
            return wanted
        if wanted is not None and PLAYOUTS_WORD not in self._table.command:
            self._obey(f"ref-playouts {wanted}")
        return parse_count(self._text("ref-playouts"), MAX_PLAYOUTS) or wanted

    def _obey(self, command: str) -> None:
        exchange = self._ask(command)
        if exchange.answer is None or not exchange.answer.ok:
            raise EngineFailureError("protocol", f"refused {command}{_quoted(exchange)}")

    def _text(self, command: str) -> str:
        """The text of the answer; empty if the engine refuses the command."""
        exchange = self._ask(command)
        return exchange.text if exchange.ok else ""

    def _ask(self, command: str, timeout: float | None = None) -> Exchange:
        if self._engine is None:
            raise EngineFailureError("crash", "is not running")
        if self._clock is not None:
            timeout = min(self._timeout, self._clock)
        exchange = self._engine.ask(command, timeout=timeout)
        if exchange.answer is None:
            stopped = exchange.ending == "timeout" and is_stopped(self._engine.pid)
            raise _failure(command, exchange, "; the process was stopped by a signal" * stopped)
        if self._clock is not None:
            self._clock -= exchange.seconds
            if self._clock <= 0:
                raise EngineFailureError("timeout", f"{command}: the time for the game is over")
        return exchange


def _failure(command: str, exchange: Exchange, state: str) -> EngineFailureError:
    """The failure of an exchange that has no well-formed answer; `state` of the process, if it is unusual."""
    if exchange.ending == "eof":
        how = str(exchange.exit) if exchange.exit else "closed its output"
        return EngineFailureError("crash", f"{command}: {how}")
    if exchange.ending == "oversize":
        return EngineFailureError("protocol", f"{command}: the answer does not end")
    fault = exchange.fault
    if exchange.ending == "malformed" or (fault is not None and fault.fault == "one-newline"):
        return EngineFailureError("protocol", f"{command}: the answer {fault}{_quoted(exchange)}")
    partial = f", only {_cut(printable(exchange.raw))!r}" if exchange.raw else ""
    limit = f"{exchange.seconds:.1f} s"
    return EngineFailureError("timeout", f"{command}: no answer within {limit}{partial}{state}")


def _quoted(exchange: Exchange) -> str:
    return f": {_cut(exchange.text)!r}" if exchange.text else ""


def _cut(text: str) -> str:
    return text if len(text) <= MAX_QUOTED else text[:MAX_QUOTED] + "…"
