"""An engine that answers at once, from a book of games: `book_player.py BOOK [--fail WAY --move K]`.

The book has a game a line, vertices separated by blanks, Black first; no two games begin with the same move.
With the first move the engine plays one game after another, from --first on; later the game that was begun. A
failure comes at its first genmove from move K of the game on; "silent-play" comes at the play of move K. Like
instant.py nothing but reads and writes.
"""

import argparse
import os
import sys
import time
from pathlib import Path

BUFFER = 1 << 16
COMMANDS = """protocol_version
name
version
known_command
list_commands
quit
boardsize
clear_board
komi
play
genmove"""


def hang() -> str:
    while True:
        time.sleep(1000)


def leave() -> str:
    sys.stderr.write("book_player: out of ideas\n")
    sys.stderr.flush()
    os._exit(3)


def kill_me() -> str:
    os.kill(os.getpid(), 9)
    return ""


class Player:
    def __init__(self, options: argparse.Namespace) -> None:
        self.games = [line.split() for line in options.book.read_text().splitlines()]
        self.by_first_move = {game[0]: game for game in self.games}
        self.turn = options.first
        self.game: list[str] = []
        self.moves: list[str] = []
        self.way = options.fail
        self.at = options.move

    def play(self, vertex: str) -> None:
        self.moves.append(vertex)
        if self.way == "silent-play" and len(self.moves) >= self.at:
            hang()

    def genmove(self) -> str:
        number = len(self.moves)
        if self.way not in ("", "silent-play") and number + 1 >= self.at:
            return self.fail()
        if number == 0:
            self.game = self.games[self.turn % len(self.games)]
            self.turn += 1
        else:
            self.game = self.by_first_move[self.moves[0]]
        vertex = self.game[number]
        self.moves.append(vertex)
        return f"= {vertex}\n\n"

    def fail(self) -> str:
        ways = {
            "occupied": lambda: f"= {next(v for v in reversed(self.moves) if v != 'pass')}\n\n",
            "off-board": lambda: "= Z25\n\n",
            "garbage": lambda: "= I think\n\n",
            "resign": lambda: "= resign\n\n",
            "refuse": lambda: "? cannot\n\n",
            "one-newline": lambda: "= A1\n",
            "hang": hang,
            "exit": leave,
            "kill": kill_me,
        }
        return ways[self.way]()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("book", type=Path)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--fail", default="")
    parser.add_argument("--move", type=int, default=1)
    player = Player(parser.parse_args())
    rest = b""
    while data := os.read(0, BUFFER):
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            words = line.decode().split()
            answer = "=\n\n"
            match words:
                case ["play", _, vertex]:
                    player.play(vertex)
                case ["genmove", _]:
                    answer = player.genmove()
                case ["clear_board"]:
                    player.moves = []
                case ["name"]:
                    answer = "= book player\n\n"
                case ["list_commands"]:
                    answer = f"= {COMMANDS}\n\n"
            os.write(1, answer.encode())
            if words == ["quit"]:
                return


if __name__ == "__main__":
    main()
