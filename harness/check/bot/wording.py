"""Exchanges in words: one line for a report, lines for a shell, a transcript for a terminal, hints."""

from __future__ import annotations

import re
from collections.abc import Sequence

from harness.gtp import Exchange, command_name, command_words, printable

SETTING_UP = frozenset({b"boardsize", b"clear_board", b"komi", b"play", b"undo"})
"""Commands whose success has nothing to say."""

REFUSAL_WORDS = re.compile(r"(?i)\b(illegal|invalid|error|unknown command|unacceptable|cannot|refused)\b")


def sent_text(line: bytes) -> str:
    """The sent line as a terminal can show it, without the newline that ends it."""
    return printable(line.removesuffix(b"\n"))


def answer_text(exchange: Exchange) -> str:
    """An answer, in one line that a terminal can show."""
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
    """Return whether a success answers a command of a set-up, and its text says that it was refused."""
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
    """Each sent line with its answer, from a text of `dialogue_text`; empty bytes where nothing came."""
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


SIGN = "the text is that of a refusal: begin the answer with ? in place of ="
FORM = "print the sign, the id if the command had one, one blank, then the text"
NO_ID = "only a number is an id: the first word of the command does not belong behind the sign"

WRONG = {
    SIGN: "The bot refuses in words, but begins the answer with =, the sign of a success.",
    FORM: "The answer of a refusal is not written as ?, the id if there was one, a blank, and the text.",
    NO_ID: "The bot repeats the first word of an unknown command behind the sign, where only an id stands.",
}
"""The subject of each hint, in one sentence."""


def refuses_with_success_sign(exchange: Exchange) -> bool:
    """Return whether an answer refuses a command in words, but begins with the sign of a success."""
    return exchange.ok and REFUSAL_WORDS.search(exchange.text) is not None


def is_malformed_refusal(exchange: Exchange) -> bool:
    """Return whether an answer begins as a refusal, and is not written as GTP wants it."""
    fault = exchange.fault if exchange.ending == "malformed" else None
    return fault is not None and fault.reading is not None and not fault.reading.ok


def writing_hint(exchange: Exchange, *, refusal_wanted: bool) -> str:
    """A hint about the form of a refusal; empty where the form is right."""
    if refusal_wanted and refuses_with_success_sign(exchange):
        return SIGN
    if not is_malformed_refusal(exchange):
        return ""
    words = command_words(exchange.sent)
    return NO_ID if words and exchange.text.startswith(printable(words[0])) else FORM
