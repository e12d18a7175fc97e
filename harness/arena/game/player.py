"""Runs an engine of a match: starts it, asks it and stops it, as often as the match needs.

A late, missing or malformed answer raises EngineFailureError.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from harness.arena.config.clock import time_control
from harness.arena.config.tables import EngineTable, RunTable
from harness.arena.errors import MatchError, PlayError
from harness.arena.game.program import program_of
from harness.arena.records import ON_STDERR, Introduction, Reason
from harness.gtp import (
    MAX_PLAYOUTS,
    Engine,
    EngineStartError,
    Exchange,
    Launch,
    Limits,
    ShortageError,
    cut,
    parse_count,
    printable,
    printable_lines,
    render_transcript,
)
from harness.gtp.process import is_stopped
from harness.gtp.transcript import complaint, error_line

Ask = Callable[[str], Exchange]
"""Sends a command to an engine and waits for the answer."""
StartEngine = Callable[[Launch, Limits], Engine]
"""Makes the engine of a launch, which is not started yet. A test can pass one with a scripted clock."""

TRANSCRIPT_BYTES = 1 << 20
"""Most bytes of a game's transcript in memory. Chosen: enough for whole games."""
TRANSCRIPT_CHARACTERS = 1 << 17
"""Most characters of a transcript that is stored with a failed game. Chosen: the store stays small."""
NO_VARIABLES: Mapping[str, str] = {}
MAX_QUOTED = 120
"""Most characters of an answer that a message quotes. Chosen: a line."""


class EngineFailureError(MatchError):
    """An engine failed in a game. `detail`: a sentence for the user."""

    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__(reason, detail)
        self.reason: Reason = reason
        self.detail = detail


@dataclass
class _Process:
    """One process of the engine. `commands`: those of its `list_commands`."""

    engine: Engine
    program: str | None  # hash of its files
    commands: frozenset[str] = frozenset()
    introduction: Introduction | None = None


class Player:
    """An engine that is started when it is first needed, and again after it was stopped.

    It keeps only `silent_at` when its process is stopped. The state of a game is in `Side`. `start` and every
    method that sends a command raise EngineFailureError.

    silent_at   commands to which the engine once gave no answer within the time limit; `scoring` asks each
                engine for a score, and fills it
    """

    def __init__(
        self, table: EngineTable, run: RunTable, engine: StartEngine = Engine, hidden: tuple[Path, ...] = ()
    ) -> None:
        """`hidden`: folders that the engine may not see, if it runs in a sandbox."""
        self.name = table.name
        self.launch = replace(table.launch(), hidden=hidden)
        self.table = table
        self.control = time_control(table, run)
        self._timeout = run.timeout if table.timeout is None else table.timeout
        self._limits = Limits(
            startup=table.startup, answer=self._timeout, quit=table.quit, transcript_kept=TRANSCRIPT_BYTES
        )
        self.silent_at: set[str] = set()
        self._engine = engine
        self._process: _Process | None = None

    # --- process -------------------------------------------------------------------------------------------

    @property
    def pid(self) -> int | None:
        """The id of the current process, which may have died; None if none was started or it was stopped."""
        return self._process.engine.pid if self._process is not None else None

    @property
    def program(self) -> str | None:
        """A hash of the program files of the current process (`program_of`); None if it is not known."""
        return self._process.program if self._process is not None else None

    @property
    def introduction(self) -> Introduction | None:
        """Name and version that the process reported; None until `start` has ended."""
        return self._process.introduction if self._process is not None else None

    @property
    def commands(self) -> frozenset[str]:
        """The commands that the engine lists; empty before its start."""
        return self._process.commands if self._process is not None else frozenset()

    def knows(self, *commands: str) -> bool:
        """True if the engine lists all these commands in `list_commands`."""
        return self._process is not None and self._process.commands.issuperset(commands)

    def start(self, variables: Mapping[str, str] = NO_VARIABLES) -> None:
        """Start the process, unless one was started. Ask for its name, version and commands; set it up.

        The set-up sends the commands `gtp` of the config and the number of playouts. If the start fails, the
        caller stops the process.

        variables   added to its environment, unless the config sets them

        Raises PlayError if this machine lacks what a start needs.
        """
        if self._process is not None:
            return
        launch = replace(self.launch, env={**variables, **self.launch.env})
        program, engine = program_of(self.launch), self._engine(launch, self._limits)
        try:
            engine.start()
        except EngineStartError as error:
            raise EngineFailureError("crash", str(error)) from None
        except ShortageError as error:
            raise PlayError(
                f"{error}; all finished games are stored; run the same command again to continue"
            ) from None
        process = self._process = _Process(engine, program)
        name, version = self.text("name"), self.text("version")
        process.commands = frozenset(self.text("list_commands").split())
        for line in self.table.gtp:  # one of them may load as much as a start
            require_success(line, self.ask(line, longer=self.table.startup))
        playouts = self._set_playouts()
        process.introduction = Introduction(
            self.name, name, version, playouts, tuple(sorted(process.commands))
        )

    def stop(self, *, politely: bool) -> None:
        """Stop the process, if one was started: by `quit` (`politely`), or by a kill after a failure."""
        process, self._process = self._process, None
        if process is not None:
            process.engine.close() if politely else process.engine.kill()

    # --- transcript ----------------------------------------------------------------------------------------

    def begin_transcript(self) -> None:
        """Start the transcript of a new game."""
        if self._process is not None:
            self._process.engine.forget_transcript()

    def transcript(self) -> str:
        """The commands and answers of this game, with times; the middle of a long transcript is left out."""
        text = render_transcript(self._process.engine.transcript) if self._process is not None else ""
        left_out = len(text) - TRANSCRIPT_CHARACTERS
        if left_out <= 0:
            return text
        half = TRANSCRIPT_CHARACTERS // 2
        return f"{text[:half]}\n… {left_out} characters left out …\n{text[-half:]}"

    def stderr_of_moves(self) -> list[str]:
        """The text on stderr after each genmove of this game, up to the next `play` or genmove.

        The first ones of a long game may be missing.
        """
        texts: list[bytes] = []
        genmove = [self.table.genmove.encode("ascii")]
        counts = False  # True from a genmove to the next `play`
        for event in self._process.engine.transcript if self._process is not None else ():
            if event.kind == "sent":
                word = event.data.split(None, 1)[:1]
                if word == genmove:
                    texts.append(b"")
                counts = word == genmove or (counts and word != [b"play"])
            elif event.kind == "stderr" and counts:
                texts[-1] += event.data
        return [printable_lines(text).strip() for text in texts]

    def with_complaint(self, detail: str) -> str:
        """The detail of a failure, with the line on stderr about an error if the engine wrote one."""
        if self._process is None or ON_STDERR in detail:
            return detail
        wrote = complaint(_stderr(self._process.engine))
        return f"{detail}{ON_STDERR}{wrote})" if wrote else detail

    def stderr_tail(self) -> bytes:
        """The last bytes that the process wrote to stderr; empty if none was started."""
        return self._process.engine.stderr_tail if self._process is not None else b""

    def process_state(self) -> str:
        """The exit of the process in words, or "was running", or "was not started"."""
        if self._process is None:
            return "was not started"
        return str(self._process.engine.exit or "was running")

    # --- commands ------------------------------------------------------------------------------------------

    def ask(self, command: str, longer: float | None = None) -> Exchange:
        """Send a command and wait for an answer. A refusal is an answer.

        longer   seconds by which the time limit is longer than that of other answers
        """
        if self._process is None:
            raise EngineFailureError("crash", "is not running")
        engine = self._process.engine
        exchange = engine.ask(command, timeout=None if longer is None else self._timeout + longer)
        if exchange.answer is None:
            raise _failure(command, exchange, engine)
        return exchange

    def text(self, command: str) -> str:
        """Send a command. Return the text of the answer; empty if the engine refuses the command."""
        exchange = self.ask(command)
        return exchange.text if exchange.ok else ""

    def _set_playouts(self) -> int | None:
        """Set the number of playouts per search, or ask for it; None if it stays unknown."""
        if not self.knows("ref-playouts"):
            return self.table.playouts
        if command := self.table.playouts_command:
            require_success(command, self.ask(command))
        return parse_count(self.text("ref-playouts"), MAX_PLAYOUTS) or self.table.playouts


def require_success(command: str, exchange: Exchange) -> None:
    """Raise EngineFailureError if the engine refused a command that it must obey."""
    if not exchange.ok:
        raise EngineFailureError("protocol", f"refused {command}{quoted_answer(exchange)}")


def quoted_answer(exchange: Exchange) -> str:
    """The text of an answer in a sentence; empty if it has none."""
    return f": {cut(exchange.text, MAX_QUOTED)!r}" if exchange.text else ""


def _stderr(engine: Engine) -> bytes:
    """Everything that the engine wrote to stderr in this game."""
    return b"".join(event.data for event in engine.transcript if event.kind == "stderr")


def _failure(command: str, exchange: Exchange, engine: Engine) -> EngineFailureError:
    """The failure of an exchange without a well-formed answer."""
    wrote = error_line(_stderr(engine))
    on_stderr = f"{ON_STDERR}{wrote})" if wrote else ""
    if exchange.ending == "eof":
        how = str(exchange.exit) if exchange.exit else "closed its output"
        return EngineFailureError("crash", f"{command}: {how}{on_stderr}")
    if exchange.ending == "oversize":
        return EngineFailureError("protocol", f"{command}: the answer does not end")
    fault = exchange.fault
    lacks_empty_line = fault is not None and fault.fault == "one-newline"  # also if we waited for it in vain
    if exchange.ending == "malformed" or lacks_empty_line:
        return EngineFailureError("protocol", f"{command}: the answer {fault}{quoted_answer(exchange)}")
    seconds = exchange.limit.seconds if exchange.limit is not None else exchange.seconds
    limit = f"no answer within {seconds:g} s"
    partial = f", only “{cut(printable(exchange.raw), MAX_QUOTED)}”" if exchange.raw else ""
    stopped = "; the process was stopped by a signal" if is_stopped(engine.pid) else ""
    return EngineFailureError("timeout", f"{command}: {limit}{partial}{stopped}{on_stderr}")
