"""An engine that plays one given game and reports what it is given about its score.

`scoring_player.py MOVE,MOVE,… [--score TEXT] [--dead VERTICES] [--fail COMMAND] [--has COMMAND,…]
[--refuse WORD]`

MOVE,… is a game of both sides, Black first; the engine plays the moves of its colour. It lists `final_score`
and `final_status_list` if it has an answer. At COMMAND it ends without an answer, and it refuses each command
line that begins with WORD. `--log FILE` keeps the commands. Like instant.py nothing but reads and writes.
"""

import argparse
import os
from pathlib import Path

BASE = (
    "protocol_version",
    "name",
    "version",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("game", type=lambda text: text.split(","))
    parser.add_argument("--score")
    parser.add_argument("--dead")
    parser.add_argument("--fail", default="-")
    parser.add_argument("--has", type=lambda text: text.split(","), default=[])
    parser.add_argument("--refuse", default="-")
    parser.add_argument("--log", type=Path)
    options = parser.parse_args()
    answers = {"final_score": options.score, "final_status_list": options.dead, "name": "scoring player"}
    extra = [name for name in ("final_score", "final_status_list") if answers[name] is not None]
    answers["list_commands"] = "\n".join([*BASE, *extra, *options.has])
    moves = 0
    rest = b""
    while data := os.read(0, 1 << 16):
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            text = line.decode()
            command = text.split()[0]
            if options.log:
                with options.log.open("a") as file:
                    file.write(text + "\n")
            if command == options.fail:
                os._exit(3)
            if command == "clear_board":
                moves = 0
            answer = answers.get(command) or ""
            if command == "genmove":
                answer = options.game[moves]
            moves += command in ("genmove", "play")
            os.write(1, b"? no\n\n" if text.startswith(options.refuse) else f"= {answer}\n\n".encode())
            if command == "quit":
                return


if __name__ == "__main__":
    main()
