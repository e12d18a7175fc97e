"""An engine for the soak: a player from a book that now and then does something that no engine should do.

    unreliable_player.py BOOK --share 0.02 --calm FILE

The book has a game a line, vertices separated by blanks, Black first; no two games begin with the same move.
With --share it misbehaves in this share of its games, at a random command, in one of the ways of hostile.py
or in one of its own: it sends random bytes, signals itself, closes a descriptor, plays a wrong move, leaves
helpers that show no sign of it. Where and how is different in every process. While the file of --calm exists,
it does what is right.
"""

import argparse
import os
import random
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.engines import hostile

COMMANDS = (
    "protocol_version", "name", "version", "known_command", "list_commands", "quit", "boardsize",
    "clear_board", "komi", "play", "genmove",
)  # fmt: skip
SIGNALS = (1, 2, 3, 4, 6, 8, 9, 10, 11, 13, 14, 15)
COMMANDS_OF_A_GAME = 45


def random_bytes(rng: random.Random) -> bytes:
    return rng.randbytes(rng.choice((1, 7, 200, 5_000)))


def random_signs(rng: random.Random) -> bytes:
    return bytes(rng.choice(b"=?0123456789 \n\r\t#ABpass\x00\x1b\xff") for _ in range(rng.randrange(1, 60)))


def wrong_move(rng: random.Random) -> bytes:
    vertices = (
        b"A1",
        b"C3",
        b"E5",
        b"Z9",
        b"I1",
        b"A0",
        b"A99",
        b"",
        b"E5 E4",
        b"\xff",
        b"pass pass",
        b"RESIGN",
    )
    return b"= " + rng.choice(vertices) + b"\n\n"


def signalled(rng: random.Random) -> bytes:
    os.kill(os.getpid(), rng.choice(SIGNALS))
    time.sleep(1000)
    return b""


def closed(rng: random.Random) -> bytes:
    os.close(rng.randrange(3))
    return b"=\n\n"


def stopped(rng: random.Random) -> bytes:
    os.kill(os.getpid(), signal.SIGSTOP)
    return b"=\n\n"


def helpers(rng: random.Random) -> bytes:
    """Daemons with a session of their own, no environment, no parent: some that end, some that do not."""
    for seconds in (0, 0, 100_000):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                for number in range(3):
                    os.close(number)
                os.execve("/bin/sleep", [*TAG, str(seconds)], {})
            os._exit(0)
        os.wait()
    return b"=\n\n"


OWN: tuple[Callable[[random.Random], bytes], ...] = (
    random_bytes, random_signs, wrong_move, signalled, closed, stopped, helpers,
)  # fmt: skip
TAG = ["sleep"]


class Player:
    """Plays the games of the book."""

    def __init__(self, book: Path, rng: random.Random) -> None:
        self.games = [line.split() for line in book.read_text().splitlines()]
        self.by_first_move = {game[0]: game for game in self.games}
        self.rng = rng
        self.moves: list[str] = []

    def answer(self, words: list[str]) -> str:
        match words:
            case ["play", _, vertex]:
                self.moves.append(vertex)
            case ["genmove", _]:
                game = self.by_first_move[self.moves[0]] if self.moves else self.rng.choice(self.games)
                known = self.moves == game[: len(self.moves)]  # its opponent may have left the book
                self.moves.append(game[len(self.moves)] if known else "pass")
                return f"= {self.moves[-1]}\n\n"
            case ["clear_board"]:
                self.moves = []
            case ["name"]:
                return "= unreliable\n\n"
            case ["list_commands"]:
                return "= " + "\n".join(COMMANDS) + "\n\n"
        return "=\n\n"


class Mischief:
    """Decides when the engine misbehaves, and how."""

    def __init__(self, rng: random.Random, share: float, calm: Path | None) -> None:
        self.rng = rng
        self.calm = calm
        self.share = share / COMMANDS_OF_A_GAME
        self.options = argparse.Namespace(
            number=1, at=1, seconds=0.05, size=1 << 20, code=3, signal=0, immortal=False, lines=None
        )

    def answer(self, right: bytes) -> bytes:
        if self.rng.random() >= self.share or self.is_calm():
            return right
        names = [name for name in hostile.MODES if name not in hostile.AT_START]
        number = self.rng.randrange(len(OWN) + len(names))
        if number < len(OWN):
            return OWN[number](self.rng)
        return hostile.MODES[names[number - len(OWN)]](self.options, b"", right)

    def is_calm(self) -> bool:
        return self.calm is not None and self.calm.exists()

    def at_start(self) -> None:
        """One process in some misbehaves before its first command."""
        ways = sorted(hostile.AT_START - {"whole-input", "unbuffered", "swallow"})
        if self.share and self.rng.random() < 0.05 and not self.is_calm():
            self.options.size = 2
            hostile.MODES[self.rng.choice(ways)](self.options, b"", b"")
            self.options.size = 1 << 20


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("book", type=Path)
    parser.add_argument("--share", type=float, default=0.0)
    parser.add_argument("--calm", type=Path, default=None)
    parser.add_argument("--tag", default="sleep", help="the name under which its helpers run")
    options = parser.parse_args()
    TAG[0] = options.tag
    rng = random.Random(os.urandom(16))
    player, mischief = Player(options.book, rng), Mischief(rng, options.share, options.calm)
    mischief.at_start()
    rest = b""
    while data := os.read(0, 1 << 16):
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            words = line.decode().split()
            hostile.write(mischief.answer(player.answer(words).encode()))
            if words == ["quit"] and not mischief.options.immortal:
                return
    if mischief.options.immortal:
        hostile.for_ever()


if __name__ == "__main__":
    main()
