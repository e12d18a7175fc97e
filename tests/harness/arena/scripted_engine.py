"""An engine without a process whose answers take scripted times: no test of a clock waits or measures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from harness.gtp import Engine, Exchange, Exit, Launch, Limits
from harness.gtp.limits import TimeLimit
from harness.gtp.syntax import Answer, command_name
from harness.gtp.transcript import Event

NEVER = float("inf")
CLOCK_COMMANDS = ("time_settings", "time_left")


@dataclass
class Script:
    """The behaviour of the engines of one command.

    moves     seconds of each genmove of a game, and then 0
    times     seconds of each other command by its name
    vertices  the answers to genmove, and then pass
    genmove   the command that asks for a move
    sent      every command line that the engines received
    starts    the launch of each engine
    """

    moves: tuple[float, ...] = ()
    times: Mapping[str, float] = field(default_factory=dict)
    vertices: tuple[str, ...] = ()
    genmove: str = "genmove"
    commands: tuple[str, ...] = CLOCK_COMMANDS
    refuses: str = ""
    sent: list[str] = field(default_factory=list)
    starts: list[Launch] = field(default_factory=list)
    limits: list[Limits] = field(default_factory=list)


class ScriptedEngine(Engine):
    """Answers by a script. The time of an exchange is what the script says; nothing waits."""

    def __init__(self, script: Script, launch: Launch, limits: Limits) -> None:
        self.script = script
        self.launch, self.limits = launch, limits
        self.made = 0  # moves in this game
        self.first = True
        self.dead = False

    def start(self) -> Engine:
        self.script.starts.append(self.launch)
        self.script.limits.append(self.limits)
        return self

    def ask(
        self, line: str | bytes, *, timeout: float | None = None, blank_line: float | None = None
    ) -> Exchange:
        text = line if isinstance(line, str) else line.decode()
        self.script.sent.append(text)
        sent = text.encode() + b"\n"
        limit = self.limits.for_command(sent, first=self.first)
        limit = limit if timeout is None else TimeLimit("call", timeout)
        self.first = False
        seconds, answer = self._answer(text)
        if seconds > limit.seconds:
            return Exchange(sent, b"", None, "timeout", b"", limit.seconds, limit=limit)
        ok = not (self.script.refuses and text.startswith(self.script.refuses))
        raw = f"{'=' if ok else '?'} {answer}\n\n".encode()
        return Exchange(sent, raw, Answer(ok, None, answer), "answer", b"", seconds)

    def _answer(self, line: str) -> tuple[float, str]:
        name = command_name(line.encode()).decode()
        if name == "clear_board":
            self.made = 0
        if name == "list_commands":
            return self.script.times.get(name, 0.0), "\n".join(self.script.commands)
        if name != self.script.genmove:
            return self.script.times.get(name, 0.0), "scripted" if name == "name" else ""
        move, self.made = self.made, self.made + 1
        vertices, moves = self.script.vertices, self.script.moves
        return (
            moves[move] if move < len(moves) else 0.0,
            vertices[move] if move < len(vertices) else "pass",
        )

    def close(self) -> Exit:
        self.dead = True
        return Exit(0, None, forced=False)

    kill = close

    @property
    def pid(self) -> int:
        return 1 << 30  # of no process

    @property
    def exit(self) -> Exit | None:
        return Exit(0, None, forced=False) if self.dead else None

    @property
    def stderr_tail(self) -> bytes:
        return b""

    @property
    def transcript(self) -> tuple[Event, ...]:
        return ()

    def forget_transcript(self) -> None:
        pass
