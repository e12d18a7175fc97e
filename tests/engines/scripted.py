"""An engine that passes, answers further commands from its arguments, and writes down what it gets.

    scripted.py LOG [COMMAND=TEXT …] [--stderr TEXT]

It lists the GTP commands that it must have and each COMMAND, which it answers with TEXT; `?TEXT` refuses.
With --stderr it writes a line before it answers genmove. Nothing but reads and writes.
"""

import os
import sys

BUFFER = 1 << 16
NEEDED = (
    "protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove"
)


def main() -> None:
    log, *answers = sys.argv[1:]
    stderr = ""
    if "--stderr" in answers:
        place = answers.index("--stderr")
        stderr = answers[place + 1]
        del answers[place : place + 2]
    known = dict(answer.split("=", 1) for answer in answers)
    fixed = {
        "list_commands": "\n".join([*NEEDED.split(), *known]),
        "name": "scripted",
        "version": "7",
        "genmove": "pass",
    }
    rest = b""
    with open(log, "a", buffering=1) as file:
        while data := os.read(0, BUFFER):
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                words = line.decode().split()
                file.write(" ".join(words) + "\n")
                if stderr and words[0] == "genmove":
                    os.write(2, f"{stderr}\n".encode())
                text = known.get(words[0], fixed.get(words[0], ""))
                sign, text = ("?", text[1:]) if text.startswith("?") else ("=", text)
                os.write(1, f"{sign} {text}\n\n".encode())
                if words[0] == "quit":
                    return


if __name__ == "__main__":
    main()
