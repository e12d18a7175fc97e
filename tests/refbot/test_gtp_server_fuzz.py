"""Random dialogues: every command is answered exactly once, in form, and nothing breaks the engine.

The tested laws hold for every input, so no test is statistical. The seeds make a failure repeatable.
"""

from __future__ import annotations

import random
import re

import pytest

from refbot.gtp import commands
from tests.refbot.gtp_dialogue import new_server

LINES = 20_000
MANY_LINES = 1_000_000
ANSWER = re.compile(rb"[=?]([0-9]*) [ -~]*\n(?:[ -~]+\n)*\n", re.ASCII)
WORDS = [
    *b"b w BLACK white pass PASS resign A1 a2 B1 b2 C3 I5 Z99 D4 E5 T19 Z25 0 1 2 3 4 5 -1 26".split(),
    *b"7.5 abc nan 1e999 alive dead /nonexistent foo # \xff \xc3\xa9 \x00".split(),
    b"9" * 400,
]
NAMES = [name.encode() for name in commands.names() if name != "quit"]
IDS = [b"0", b"1", b"17", b"2147483647", b"2147483648", b"007", b"-1"]
GAPS = [b" ", b"  ", b"\t", b" \r", b"\x07 "]


def random_line(rng: random.Random) -> bytes:
    if rng.random() < 0.1:
        return bytes(rng.choices(range(256), k=rng.randrange(12))).replace(b"\n", b"")
    parts = [rng.choice(NAMES), *rng.choices(WORDS, k=rng.randrange(4))]
    if rng.random() < 0.5:
        parts.insert(0, rng.choice(IDS))
    return b"".join(part + rng.choice(GAPS) for part in parts)


def expected_id(line: bytes) -> bytes | None:
    """The id of the answer; None for a line without an answer. It uses a regex, independent of the server."""
    kept = re.sub(rb"[\x00-\x08\x0a-\x1f\x7f]", b"", line).split(b"#")[0]
    words = kept.replace(b"\t", b" ").strip(b" ").split(b" ")
    if words == [b""]:
        return None
    return words[0] if re.fullmatch(rb"[0-9]+", words[0]) and int(words[0][:20]) < 2**31 else b""


def fuzz(lines: int, seed: int) -> None:
    rng = random.Random(seed)
    server = new_server(size=3, playouts=1)
    for _ in range(lines):
        line = random_line(rng)
        answer, wanted = server.answer(line + b"\n"), expected_id(line)
        if wanted is None:
            assert answer == b"", line
        else:
            match = ANSWER.fullmatch(answer)
            assert match is not None, (line, answer)
            assert match[1] == wanted, (line, answer)
        assert b"internal error" not in answer, line
        assert not server.ended


def test_fuzz() -> None:
    fuzz(LINES, seed=1)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_fuzz_long() -> None:
    fuzz(MANY_LINES, seed=2)
