"""One engine in a match: asked within its limits, and blamed for what it does not answer rightly."""

from __future__ import annotations

import contextlib
import math
from typing import TypeVar

from harness.gtp import (
    Colour,
    Engine,
    EngineStartError,
    Exchange,
    Limits,
    Point,
    VertexError,
    parse_vertex,
    printable,
    render_transcript,
)
from harness.match.config import PLAYOUTS_WORD, EngineTable
from harness.match.records import Introduction, Reason

TRANSCRIPT_KEPT = 1 << 20  # bytes of the conversation of one game
SHOWN = 120  # characters of an engine's words in one of our sentences
Number = TypeVar("Number", int, float)
REF_COMMANDS = frozenset({"ref-nodes", "ref-score"})


class Misconduct(Exception):  # noqa: N818 (not an error of this program)
    """An engine failed: the reason for the games table, and a sentence."""

    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__(reason, detail)
        self.reason: Reason = reason
        self.detail = detail


class Player:
    """An engine that is started when it is first needed, and again after it has been dropped.

    Every method that talks raises Misconduct, also where the engine cannot be started.
    """

    def __init__(self, table: EngineTable, timeout: float) -> None:
        self.name = table.name
        self.launch = table.launch()
        self.introduction: Introduction | None = None  # of the process that runs
        self._table = table
        self._timeout = timeout
        self._limits = Limits(startup=table.startup, answer=timeout, transcript_kept=TRANSCRIPT_KEPT)
        self._engine: Engine | None = None
        self._commands: frozenset[str] = frozenset()
        self._size = 0

    # --- life ----------------------------------------------------------------------------------------------

    @property
    def running(self) -> bool:
        """A process has been started and not been dropped; it may have died meanwhile."""
        return self._engine is not None

    @property
    def pid(self) -> int | None:
        """Of the process that has been started and not been dropped."""
        return self._engine.pid if self._engine is not None else None

    @property
    def tells_searches(self) -> bool:
        """It has `ref-nodes` and `ref-score`."""
        return self._commands >= REF_COMMANDS

    def knows(self, command: str) -> bool:
        """`list_commands` names it."""
        return command in self._commands

    def start(self) -> None:
        """Start the process, unless one runs, and get acquainted."""
        if self._engine is not None:
            return
        engine = Engine(self.launch, self._limits)
        try:
            engine.start()
        except EngineStartError as error:
            raise Misconduct("crash", str(error)) from None
        self._engine = engine
        name, version = self._text("name"), self._text("version")
        self._commands = frozenset(self._text("list_commands").split())
        playouts = self._agree_on_playouts()
        self.introduction = Introduction(self.name, name, version, playouts, tuple(sorted(self._commands)))

    def drop(self, *, politely: bool) -> None:
        """End the process, if one runs: by `quit`, or (after a failure) at once."""
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.close() if politely else engine.kill()

    def begin_record(self) -> None:
        """A new game begins: what was said in earlier ones is forgotten."""
        if self._engine is not None:
            self._engine.forget_transcript()

    def transcript(self) -> str:
        """What was said in this game, with times."""
        return render_transcript(self._engine.transcript) if self._engine else ""

    def stderr_tail(self) -> bytes:
        """The last of what the engine wrote on stderr."""
        return self._engine.stderr_tail if self._engine else b""

    def condition(self) -> str:
        """How the process ended, or that it runs."""
        if self._engine is None:
            return "was not started"
        return str(self._engine.exit or "was running")

    # --- the game ------------------------------------------------------------------------------------------

    def new_game(self, size: int, komi: float) -> None:
        """An empty board of that size, and that komi."""
        self._size = size
        self._obey(f"boardsize {size}")
        self._obey("clear_board")
        self._obey(f"komi {komi:g}")

    def set_clock(self, main_time: float) -> None:
        """Tell the time for the whole game, where the engine understands it. Seconds."""
        if "time_settings" in self._commands:
            self._obey(f"time_settings {math.ceil(main_time)} 0 0")

    def play(self, colour: Colour, vertex: str) -> None:
        """Tell a move that the referee has found legal."""
        exchange = self._ask(f"play {colour} {vertex}", self._timeout)
        if exchange.answer is None or not exchange.answer.ok:
            raise Misconduct("protocol", f"refused the legal move {colour} {vertex}{_words(exchange)}")

    def genmove(self, colour: Colour, time_left: float | None = None) -> tuple[str, Point | None, float]:
        """Its move as (what it said, the point, seconds); the text is "resign" where it resigned.

        `time_left` is what remains on its clock; the limit is then the smaller of the two.
        """
        limit = self._timeout
        if time_left is not None:
            limit = min(limit, time_left)
            if "time_left" in self._commands:
                self._obey(f"time_left {colour} {int(time_left)} 0")
        exchange = self._ask(f"genmove {colour}", limit)
        if exchange.answer is None or not exchange.answer.ok:
            raise Misconduct("protocol", f"refused genmove {colour}{_words(exchange)}")
        text = exchange.answer.text
        if text.lower() == "resign":
            return "resign", None, exchange.seconds
        try:
            return text, parse_vertex(text, self._size), exchange.seconds
        except VertexError as error:
            reason: Reason = "illegal" if error.reason == "off the board" else "protocol"
            raise Misconduct(
                reason, f"genmove {colour}: {_cut(text)!r} is no vertex ({error.reason})"
            ) from None

    def last_search(self) -> tuple[int | None, float | None]:
        """`ref-nodes` and `ref-score` of the last genmove; None for what is no number."""
        return _number(self._text("ref-nodes"), int), _number(self._text("ref-score"), float)

    # --- inside --------------------------------------------------------------------------------------------

    def _agree_on_playouts(self) -> int | None:
        """Set the number of playouts, or else ask for it; None where neither can be done."""
        wanted = self._table.playouts
        if "ref-playouts" not in self._commands:
            return wanted
        if wanted is not None and PLAYOUTS_WORD not in self._table.command:
            self._obey(f"ref-playouts {wanted}")
        return _number(self._text("ref-playouts"), int) or wanted

    def _obey(self, command: str) -> None:
        exchange = self._ask(command)
        if exchange.answer is None or not exchange.answer.ok:
            raise Misconduct("protocol", f"refused {command}{_words(exchange)}")

    def _text(self, command: str) -> str:
        """The answer to a question; empty where the engine refuses it."""
        exchange = self._ask(command)
        return exchange.text if exchange.ok else ""

    def _ask(self, command: str, timeout: float | None = None) -> Exchange:
        if self._engine is None:
            raise Misconduct("crash", "is not running")
        exchange = self._engine.ask(command, timeout=timeout)
        if exchange.answer is None:
            raise _misconduct(command, exchange)
        return exchange


def _misconduct(command: str, exchange: Exchange) -> Misconduct:
    """What it means that no well-formed answer came."""
    if exchange.ending == "eof":
        how = str(exchange.exit) if exchange.exit else "closed its output"
        return Misconduct("crash", f"{command}: {how}")
    if exchange.ending == "oversize":
        return Misconduct("protocol", f"{command}: the answer has no end")
    fault = exchange.fault
    if exchange.ending == "malformed" or (fault is not None and fault.fault == "one-newline"):
        return Misconduct("protocol", f"{command}: the answer {fault}{_words(exchange)}")
    begun = f", only {_cut(printable(exchange.raw))!r}" if exchange.raw else ""
    return Misconduct("timeout", f"{command}: no answer within {exchange.seconds:.1f} s{begun}")


def _words(exchange: Exchange) -> str:
    return f": {_cut(exchange.text)!r}" if exchange.text else ""


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"


def _number(text: str, kind: type[Number]) -> Number | None:
    with contextlib.suppress(ValueError, OverflowError):
        value = kind(text)
        return value if math.isfinite(value) else None
    return None
