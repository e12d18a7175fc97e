"""Texts about exchanges: a line for a report, a shell command, a transcript, hints about refusals."""

from __future__ import annotations

import re
from collections.abc import Sequence

from harness.gtp import ENDLESS_COMMANDS, Exchange, command_name, command_words, printable

SETTING_UP = frozenset({b"boardsize", b"clear_board", b"komi", b"play", b"undo"})
"""Commands whose success has no text."""

REFUSAL_WORDS = re.compile(r"(?i)\b(illegal|invalid|error|unknown command|unacceptable|cannot|refused)\b")


def sent_text(line: bytes) -> str:
    """Return a sent line for a terminal, without its line feed."""
    return printable(line.removesuffix(b"\n"))


def answer_text(exchange: Exchange) -> str:
    """Return an answer in one line for a terminal."""
    shown = printable(exchange.raw[-200:].removesuffix(b"\n\n").removesuffix(b"\n"))
    if exchange.is_answered:
        fault = f" ({exchange.fault})" if exchange.fault is not None else ""
        return (shown or "an empty answer") + fault
    ended = failure_text(exchange)
    return f"{shown}, then it {ended}" if shown else f"it {ended}"


def exchange_text(exchange: Exchange) -> str:
    """Return a command and its answer in one line for a terminal."""
    return f"{sent_text(exchange.sent)} → {answer_text(exchange)}"


def refused_in_words(exchange: Exchange) -> bool:
    """Return whether the answer to a set-up command has the sign of a success and the text of a refusal."""
    return (
        exchange.ok
        and exchange.text != ""
        and command_name(exchange.sent) in SETTING_UP
        and REFUSAL_WORDS.search(exchange.text) is not None
    )


def by_hand(lines: Sequence[bytes], command: str) -> str:
    """Return a shell command that sends `lines` to the bot: `printf '…' | bot`.

    It waits a second after each command whose answer goes on until the next line.
    """
    parts: list[list[bytes]] = [[]]
    for line in lines:
        parts[-1].append(line)
        if command_name(line) in ENDLESS_COMMANDS:
            parts.append([])
    parts[-1].append(b"quit\n")
    sent = "; sleep 1; ".join(f"printf '{_printf_format(part)}'" for part in parts)
    return f"{sent} | {command}" if len(parts) == 1 else f"({sent}) | {command}"


def _printf_format(lines: Sequence[bytes]) -> str:
    text = b"".join(lines).decode("latin-1").translate(_FOR_PRINTF)
    return "\\055" + text[1:] if text.startswith("-") else text  # no option of printf


def dialogue_text(exchanges: Sequence[Exchange]) -> str:
    """Return a transcript for a terminal: every byte, and the seconds of each answer."""
    return "\n".join(line for exchange in exchanges for line in _lines(exchange))


def sent_words(text: str) -> set[str]:
    """Return all sent words (commands and arguments) in a text of `dialogue_text`."""
    sent = (line.partition(" > ")[2] for line in text.splitlines() if " > " in line)
    return {word for line in sent for word in line.replace("\\n", " ").split()}


def exchanges_in(text: str) -> list[tuple[bytes, bytes]]:
    """Read the sent lines and their answers from a text of `dialogue_text`; b"" for no answer."""
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
    """Undo `printable`; characters beyond ASCII become question marks."""
    return shown.encode("ascii", "replace").decode("unicode_escape").encode("latin-1", "replace")


def _lines(exchange: Exchange) -> list[str]:
    lines = [f"{'':10} > {printable(exchange.sent)}"] if exchange.sent else []
    lines += [f"{exchange.seconds:10.4f} < {printable(exchange.raw)}"] if exchange.raw else []
    if not exchange.is_answered:
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
    """Describe how the engine failed to answer, with the end of its stderr."""
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
"""By hint: the fault that it is about, in one sentence."""


def refuses_with_success_sign(exchange: Exchange) -> bool:
    """Return whether an answer has the sign of a success and the text of a refusal."""
    return exchange.ok and REFUSAL_WORDS.search(exchange.text) is not None


def is_malformed_refusal(exchange: Exchange) -> bool:
    """Return whether an answer is a refusal in a form that GTP does not allow."""
    fault = exchange.fault if exchange.ending == "malformed" else None
    return fault is not None and fault.reading is not None and not fault.reading.ok


def writing_hint(exchange: Exchange, *, refusal_wanted: bool) -> str:
    """Return a hint about the form of a refusal; empty if the form is right."""
    if refusal_wanted and refuses_with_success_sign(exchange):
        return SIGN
    if not is_malformed_refusal(exchange):
        return ""
    words = command_words(exchange.sent)
    return NO_ID if words and exchange.text.startswith(printable(words[0])) else FORM
