"""Exchanges in words: one line for a report, lines for a shell, a transcript for a terminal."""

from __future__ import annotations

import re
from collections.abc import Sequence

from harness.gtp import Exchange, command_name, printable

SETTING_UP = frozenset({b"boardsize", b"clear_board", b"komi", b"play", b"undo"})
"""Commands whose success has nothing to say."""

REFUSAL_WORDS = re.compile(r"(?i)\b(illegal|invalid|error|unknown command|unacceptable|cannot|refused)\b")


def sent_text(line: bytes) -> str:
    """What was sent, in one line that a terminal can show, without the newline that ends it."""
    return printable(line.removesuffix(b"\n"))


def answer_text(exchange: Exchange) -> str:
    """What came as an answer, in one line that a terminal can show."""
    shown = printable(exchange.raw[-200:].removesuffix(b"\n\n").removesuffix(b"\n"))
    if exchange.ending in ("answer", "malformed"):
        fault = f" ({exchange.fault})" if exchange.fault is not None else ""
        return (shown or "an empty answer") + fault
    ended = failure_text(exchange)
    return f"{shown}, then it {ended}" if shown else f"it {ended}"


def exchange_text(exchange: Exchange) -> str:
    """A command and its answer, in one line that a terminal can show."""
    return f"{sent_text(exchange.sent)} → {answer_text(exchange)}"


def refused_in_words(exchange: Exchange) -> bool:
    """Whether a command of a set-up has a success as its answer whose text says that it was refused."""
    return (
        exchange.ok
        and exchange.text != ""
        and command_name(exchange.sent) in SETTING_UP
        and REFUSAL_WORDS.search(exchange.text) is not None
    )


def by_hand(lines: Sequence[bytes], command: str) -> str:
    """A line for a shell that sends `lines` to the bot: `printf '…' | bot`."""
    text = b"".join(lines).decode("latin-1").translate(_FOR_PRINTF)
    if text.startswith("-"):  # no option of printf
        text = "\\055" + text[1:]
    return f"printf '{text}quit\\n' | {command}"


def dialogue_text(exchanges: Sequence[Exchange]) -> str:
    """The exchanges as a terminal may show them: every byte, and the seconds that each answer took."""
    return "\n".join(line for exchange in exchanges for line in _lines(exchange))


def sent_words(text: str) -> set[str]:
    """The words that a text of `dialogue_text` shows as sent: names of commands, and arguments."""
    sent = (line.partition(" > ")[2] for line in text.splitlines() if " > " in line)
    return {word for line in sent for word in line.replace("\\n", " ").split()}


def exchanges_in(text: str) -> list[tuple[bytes, bytes]]:
    """What was sent and what came back, from a text of `dialogue_text`; empty bytes where nothing came."""
    found: list[tuple[bytes, bytes]] = []
    for line in text.splitlines():
        _, sent, shown = line.partition(" > ")
        if sent:
            found.append((_bytes_of(shown), b""))
            continue
        _, received, shown = line.partition(" < ")
        if received and found:
            found[-1] = (found[-1][0], found[-1][1] + _bytes_of(shown))
    return found


def _bytes_of(shown: str) -> bytes:
    """The bytes that `printable` shows; those beyond ASCII are not of use here and become question marks."""
    return shown.encode("ascii", "replace").decode("unicode_escape").encode("latin-1", "replace")


def _lines(exchange: Exchange) -> list[str]:
    lines = [f"{'':10} > {printable(exchange.sent)}"] if exchange.sent else []
    lines += [f"{exchange.seconds:10.4f} < {printable(exchange.raw)}"] if exchange.raw else []
    if exchange.ending not in ("answer", "malformed"):
        lines.append(f"{exchange.seconds:10.4f} # {failure_text(exchange)}")
    return lines


def _for_printf(byte: int) -> str:
    if byte == ord("\n"):
        return "\\n"
    if byte in b"'%\\" or byte < 32 or byte > 126:
        return f"\\{byte:03o}" if byte != ord("%") else "%%"
    return chr(byte)


_FOR_PRINTF = {byte: _for_printf(byte) for byte in range(256)}


def failure_text(exchange: Exchange) -> str:
    """In words: how the engine failed to answer, and what it said about that on stderr."""
    if exchange.ending == "eof":
        ended = str(exchange.exit) if exchange.exit else "closed its output"
        return f"{ended} (on stderr: {exchange.wrote})" if exchange.wrote else ended
    return (
        "gave no end of an answer"
        if exchange.ending == "oversize"
        else f"was silent for {exchange.seconds:.0f} s"
    )
