"""Playouts of other programs and of refbot in turns, on one core: playouts a second, and the ratio.

    python tests/bench/bench_peers.py 9:./go9 13:./go13 19:./go19

A peer is a size and the command of a program that plays random playouts on that size from the empty board,
prints how many it played, as a number before the word "games" or "playouts", and ends. It is to run for a
second or two. `docs/performance.md` says which program was built, and how. `make bench` passes its variable
PEERS on.
"""

# ruff: noqa: T201  # what a script prints is its result

import argparse
import os
import re
import resource
import shlex
import statistics
import subprocess
import time
from dataclasses import dataclass
from typing import NamedTuple

from refbot.playouts import playouts
from refbot.rules import Position

PLAYED = re.compile(r"(\d[\d,]*) (?:games|playouts)\b")
TURNS = 5
FEWEST = 64  # playouts that load the kernel
OWN_SECONDS = 0.5  # of a turn of refbot


@dataclass(frozen=True)
class Peer:
    """A program that plays playouts on one size."""

    size: int
    command: str

    @classmethod
    def parse(cls, text: str) -> "Peer":
        """From SIZE:COMMAND."""
        size, _, command = text.partition(":")
        if not (size.isdigit() and command):
            raise argparse.ArgumentTypeError(f"{text!r} is not SIZE:COMMAND, such as 9:./go9")
        return cls(int(size), command)


class Turn(NamedTuple):
    """Playouts per second of processor time."""

    peer: float
    own: float


def of_peer(peer: Peer) -> float:
    """Playouts a second of the processor time of the whole process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(shlex.split(peer.command), capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise SystemExit(f"{peer.command}: {error}") from None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    counts = PLAYED.findall(done.stdout)
    if not counts:
        raise SystemExit(f"{peer.command} printed no number of games: {done.stdout[:200]!r}")
    return int(counts[-1].replace(",", "")) / seconds


def of_refbot(size: int, count: int) -> float:
    """Time `count` playouts of refbot, on one thread of this process."""
    began = time.process_time()
    playouts(Position.empty(size), count)
    return count / (time.process_time() - began)


def turns(peer: Peer) -> list[Turn]:
    """The peer and refbot, one after the other."""
    of_refbot(peer.size, FEWEST)
    count = round(of_refbot(peer.size, 20 * FEWEST) * OWN_SECONDS)
    return [Turn(of_peer(peer), of_refbot(peer.size, count)) for _ in range(TURNS)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("peers", nargs="*", type=Peer.parse, metavar="SIZE:COMMAND")
    peers = parser.parse_args().peers
    if not peers:
        print('no peers: name built programs, such as PEERS="9:./go9 19:./go19"')
        return
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    print(f"{'board':7} {'peer':>8} {'refbot':>8} {'ratio':>7}   thousand playouts a second, {TURNS} turns")
    for peer in peers:
        measured = turns(peer)
        theirs, ours = (statistics.median(column) / 1e3 for column in zip(*measured, strict=True))
        ratio = statistics.median(turn.own / turn.peer for turn in measured)
        print(f"{peer.size:2}x{peer.size:<4} {theirs:8.1f} {ours:8.1f} {ratio:7.2f}   {peer.command}")


if __name__ == "__main__":
    main()
