"""Hosted bots with a fault that depends on the earlier lines of the process, on chance, or on the past.

Each is the reference bot with one `Misdeed`: it decides before each line what the bot does with it.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from harness.gtp import Limits, command_words
from harness.selftest.hosted_bot import INSTANCE_SEEDS, HostedBot, HostedEngine

PLAYOUTS = 30
"""Playouts per search; chosen: few, for speed."""


@dataclass
class Life:
    """The life of one process.

    seen    names of all commands so far, the present one last
    refused number of moves that the bot refused
    dice    random numbers that no other process has
    """

    dice: random.Random
    seen: list[str] = field(default_factory=list)
    refused: int = 0

    def count(self, *names: str) -> int:
        """Return how often the process got these commands."""
        return sum(name in names for name in self.seen)


Misdeed = Callable[[Life], bytes | None]
"""The answer in place of the right one: empty to die, None to behave."""


class ForgetfulEngine(HostedEngine):
    """The engine of the reference bot with a misdeed."""

    misdeed: Misdeed
    life: Life

    def _take(self, line: bytes) -> None:
        words = command_words(line)
        if not words:
            super()._take(line)
            return
        self.life.seen.append(words[0].decode("latin-1"))
        answer = self.misdeed(self.life)
        if answer is None:
            before = len(self.output)
            super()._take(line)
            self.life.refused += words[0] == b"play" and self.output[before : before + 1] == b"?"
        elif answer:
            number = line.split()[0] if line.split()[0].isdigit() else b""
            self.output += answer[:1] + number + b" " + answer[1:] + b"\n\n"
        else:
            self.dead = True


class ForgetfulBot(HostedBot):
    """The reference bot with a misdeed."""

    def __init__(self, misdeed: Misdeed, *, playouts: int = PLAYOUTS, seed: int = 1) -> None:
        super().__init__(playouts=playouts, seed=seed)
        self._misdeed = misdeed

        def engine(names: frozenset[str], limits: Limits, playouts: int, seed: int) -> ForgetfulEngine:
            made = ForgetfulEngine(names, limits, playouts, seed)
            made.misdeed, made.life = misdeed, Life(random.Random(seed))
            return made

        self.engine_type = engine  # type: ignore[misc, assignment]

    def another_instance(self, number: int) -> ForgetfulBot:
        """Return another bot with the same misdeed and another seed."""
        seed = self.seed + INSTANCE_SEEDS * number
        return ForgetfulBot(self._misdeed, playouts=self.playouts, seed=seed)


def third_clear_board(life: Life) -> bytes | None:
    """Every third clear_board of a process leaves the stones on the board."""
    return b"=" if life.seen[-1] == "clear_board" and life.count("clear_board") % 3 == 0 else None


def second_boardsize(life: Life) -> bytes | None:
    """The process dies at its second boardsize."""
    return b"" if life.seen[-1] == "boardsize" and life.count("boardsize") == 2 else None


def command_300(life: Life) -> bytes | None:
    """The process dies at its command 300."""
    return b"" if len(life.seen) == 300 else None


def move_100(life: Life) -> bytes | None:
    """A process takes 99 moves, over all its games."""
    return b"?table full" if life.seen[-1] == "play" and life.count("play") >= 100 else None


def after_illegal_move(life: Life) -> bytes | None:
    """After two refused moves, in any game of the process, genmove fails."""
    return b"?lost" if life.seen[-1] == "genmove" and life.refused >= 2 else None


def at_random(life: Life) -> bytes | None:
    """Komi is refused at random, half of the times."""
    return b"?busy" if life.seen[-1] == "komi" and life.dice.random() < 0.5 else None


def seldom(life: Life) -> bytes | None:
    """Three searches in a hundred end the process."""
    return b"" if life.seen[-1] == "genmove" and life.dice.random() < 0.03 else None


HISTORY = (third_clear_board, second_boardsize, command_300, move_100, after_illegal_move)


def once(name: str, at: int) -> Misdeed:
    """Die at the command `name` number `at`, counted over all processes, and never again."""
    counted = [0]

    def misdeed(life: Life) -> bytes | None:
        counted[0] += life.seen[-1] == name
        return b"" if life.seen[-1] == name and counted[0] == at else None

    return misdeed
