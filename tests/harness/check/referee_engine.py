"""A GTP engine out of the referee: what a bot with nothing but the rules answers to the standard commands.

`genmove` plays a random candidate of clause `best-rate`, so that a dialogue is seen with many games.
"""

from __future__ import annotations

import math
import random

from harness.go import IllegalMoveError, Position
from harness.gtp import Answer, Exchange, format_vertex, parse_colour, parse_vertex

KNOWN = ("name", "boardsize", "clear_board", "komi", "play", "genmove", "undo")


class RefereeEngine:
    """Answers one line at a time; knows the commands that the dialogues about the board make use of."""

    def __init__(self, seed: int = 0) -> None:
        self.position = Position(9)
        self.random = random.Random(seed)
        self.size = 9

    def ask(self, line: bytes) -> Exchange:
        """The exchange that sending `line` gives."""
        try:
            answer = Answer(True, None, self._do(line.decode("ascii").split()))
        except (ValueError, IndexError) as error:
            answer = Answer(False, None, str(error))
        raw = f"{'=' if answer.ok else '?'} {answer.text}\n\n".encode("ascii")
        return Exchange(line, raw, answer, "answer", b"", 0.0)

    def _do(self, words: list[str]) -> str:
        match words:
            case ["name"]:
                return "referee"
            case ["boardsize", size]:
                if size not in map(str, range(2, 26)):
                    raise ValueError("unacceptable size")
                self.size = int(size)
                self.position = Position(self.size)
            case ["clear_board"]:
                self.position = Position(self.size)
            case ["komi", number]:
                if not math.isfinite(float(number)):
                    raise ValueError("no number")
            case ["play", colour, vertex]:
                self._play(colour, vertex)
            case ["genmove", colour]:
                candidates = self.position.candidates(parse_colour(colour))
                point = self.random.choice(candidates) if candidates else None
                self.position.play(parse_colour(colour), point)
                return format_vertex(point)
            case ["undo"]:
                if not self.position.moves:
                    raise ValueError("cannot undo")
                self.position.undo()
            case _:
                raise ValueError("unknown command or missing argument")
        return ""

    def _play(self, colour: str, vertex: str) -> None:
        try:
            self.position.play(parse_colour(colour), parse_vertex(vertex, self.size))
        except IllegalMoveError:
            raise ValueError("illegal move") from None
