"""An engine that passes, and whose stderr says why it fails: `complaining.py --at COMMAND --way WAY`.

It fails at the occurrence --nth of COMMAND in its process, 0 for every one; --at start is before it reads
anything. --stderr is written just before, --early at the start. With --lock FILE a second process of it ends
at once, as engines do that hold a port or a device.
"""

import argparse
import fcntl
import os
import signal
import sys
import time
from pathlib import Path

COMMANDS = (
    "protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove"
)


def say(text: str) -> None:
    if text:
        os.write(2, f"{text}\n".encode())


def fail(options: argparse.Namespace) -> str:
    """The answer of an engine that fails, if it gives one."""
    say(options.stderr)
    match options.way:
        case "exit":
            os._exit(options.code)
        case "signal":
            os.kill(os.getpid(), signal.SIGABRT)
        case "silent":
            while True:
                time.sleep(1000)
        case "prompt":
            return "gtp> =\n\n"
        case "refuse":
            return "? unacceptable\n\n"
        case "resign":
            return "= resign\n\n"
    return "=\n\n"


def answer(words: list[str]) -> str:
    match words:
        case ["genmove", _]:
            return "= pass\n\n"
        case ["name"]:
            return "= complaining\n\n"
        case ["list_commands"]:
            return "= " + COMMANDS.replace(" ", "\n") + "\n\n"
    return "=\n\n"


def take(lock: Path, options: argparse.Namespace) -> object:
    """The open lock file. Ends the process if another one holds it."""
    file = lock.open("w")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        say("cannot bind to port 5000")
        os._exit(options.code)
    return file


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--at", default="")
    parser.add_argument("--way", default="")
    parser.add_argument("--nth", type=int, default=1)
    parser.add_argument("--code", type=int, default=3)
    parser.add_argument("--stderr", default="")
    parser.add_argument("--early", default="")
    parser.add_argument("--load", type=float, default=0.0, help="seconds before it reads anything")
    parser.add_argument("--lock", type=Path)
    parser.add_argument("--tag", default="", help="any text: engines with different commands")
    options = parser.parse_args()
    held = take(options.lock, options) if options.lock is not None else None
    say(options.early)
    time.sleep(options.load)
    if options.at == "start":
        fail(options)
    seen = 0
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        seen += words[0] == options.at
        failing = words[0] == options.at and options.nth in (0, seen)
        sys.stdout.write(fail(options) if failing else answer(words))
        sys.stdout.flush()
        if words[0] == "quit":
            break
    del held


if __name__ == "__main__":
    main()
