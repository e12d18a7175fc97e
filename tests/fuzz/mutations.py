"""Texts that are nearly right: a right text with a few places changed."""

import random

PIECES = (
    b"", b"\0", b"\n", b"\r\n", b"\t", b" ", b"\x1b[2J", b"\x1b]0;x\x07", b"\xff", b"\xed\xa0\x80",
    b"\xe2\x80\xae", b"[", b"]", b"[/x]", b"{", b"}", b"(", b")", b";", b",", b":", b'"', b"\\", b"\\]",
    b"=", b"?", b"#", b"*", b"/", b"-1", b"0", b"1e999", b"NaN", b"Infinity", b"9" * 25, b"9" * 5_000,
    b"0x1", b"null", b"true", b"[]", b"{}", b"\xd9\xa1", b"../../x", b"A" * 2_000, b"=1+1",
    b"2036-01-01T00:00:00+00:00", b"[" * 3_000, b'{"a":' * 1_500,
)  # fmt: skip


def mutated(text: bytes, rng: random.Random) -> bytes:
    """The text with one to four pieces put in, left out, doubled, moved or with a bit changed."""
    changed = bytearray(text)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        start = rng.randrange(len(changed) + 1)
        end = min(len(changed), start + rng.choice((0, 1, 1, 2, 5, 20)))
        match rng.randrange(5):
            case 0:
                changed[start:end] = rng.choice(PIECES)
            case 1:
                del changed[start:end]
            case 2:
                changed[start:start] = changed[start:end]
            case 3:
                place = rng.randrange(len(changed) + 1)
                changed[place:place] = changed[start:end]
            case 4 if start < len(changed):
                changed[start] ^= 1 << rng.randrange(8)
    return bytes(changed)
