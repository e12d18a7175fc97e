"""A right bot whose answers to some commands have odd values: `odd_values.py --seed N [--share S]`.

The seed chooses which commands, which of their answers, and the value of each odd answer. Everything else is
answered by pure_bot.py.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from pure_bot import NAMES, Engine, Wrong

VALUES = (
    b"9" * 22, b"9" * 5_000, b"0" * 5_000, b"0" * 30 + b"7", b"-10", b"-0", b"+7", b"0", b"1", b"2",
    str(2**31).encode(), str(2**53 + 1).encode(), str(2**63 - 1).encode(), str(2**63).encode(),
    str(2**64).encode(), b"1" + b"0" * 309, b"1e308", b"-1e308", b"1e-400", b"1e400", b"nan", b"-nan", b"inf",
    b"Infinity", b"0x10", b"1_000", b"1,5", b"1.", b".5", b".", b"1e", b"--1", b"50%", b"0.5 0.5", b"1 2 3",
    b"", b" ", b"\t", b"true", b"None", b"\xff\xfe", b"\xd9\xa1\xd9\xa2", b"\xc2\xb2", b"\xed\xa0\x80",
    b"\x00", b"\x1b[2J\x1b]0;x\x07", b"[/x]", b"[red]", b"<script>", b"=1+1", b"%s%n{0}{x}",
    b"'; DROP TABLE game; --",
    b"../../x", b"x" * 100_000, b"one\ntwo", b"1\n2\n3", b"pass", b"PASS", b"resign", b"A0", b"I5", b"Z25",
    b"A1", b"a1", b"T19", b"A" + b"9" * 5_000, b"A01", b"E5 ", b"W+", b"B+nan", b"B+" + b"9" * 400, b"0-0",
    b"\\n", b"\\", b'"', b"]", b"2", b"quit", b"? no", b"= yes",
)  # fmt: skip
"""What real bots have answered by mistake, and what no program expects."""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--share", type=float, default=0.5)
    parser.add_argument("--playouts", type=int, default=2)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    odd = set(rng.sample(NAMES, rng.choice((1, 1, 2, 4))))
    engine = Engine(9, 7.5, options.playouts, random.Random(options.seed))
    name = ""
    while name != "quit" and (line := sys.stdin.buffer.readline().decode("latin-1")):
        words = "".join(c for c in line.partition("#")[0].replace("\t", " ") if c.isprintable()).split()
        if not words:
            continue
        number = words.pop(0) if words[0].isdecimal() else ""
        name = words.pop(0) if words else ""
        sign, text = "=", b""
        try:
            text = engine.obey(name, words).encode()
        except Wrong as wrong:
            sign, text = "?", str(wrong).encode()
        except (IndexError, ValueError):
            sign, text = "?", b"syntax error"
        if name in odd and rng.random() < options.share:
            sign, text = rng.choice("===?"), rng.choice(VALUES)
            os.write(2, rng.choice(VALUES) + b"\n")
        os.write(1, f"{sign}{number} ".encode() + text + b"\n\n")


if __name__ == "__main__":
    main()
