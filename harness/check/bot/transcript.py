r"""The transcript of a dialogue in a report: exchanges as text, and the text read again.

The mark in column MARK says what a line is: `>` was sent; `<` was received; `#` says how an answer failed.
The seconds until the answer stand before `<` and `#`. Control characters are escaped:

               > genmove b\n
        0.7312 < = E5\n\n
               > genmove w\n
       10.0000 # was silent for 10 s
"""

from __future__ import annotations

from collections.abc import Sequence

from harness.check.bot.wording import failure_text
from harness.gtp import Exchange, command_name, command_words, printable

MARK = 11
"""Column of the mark of a line, counted from 0. The text may contain marks too."""


def dialogue_text(exchanges: Sequence[Exchange]) -> str:
    """Return a transcript for a terminal: every byte, and the seconds of each answer."""
    return "\n".join(line for exchange in exchanges for line in _lines(exchange))


def sent_words(text: str) -> set[str]:
    """Return all sent words (commands and arguments) in a text of `dialogue_text`."""
    sent = (_text_after(">", line) for line in text.splitlines())
    return {word for line in sent if line is not None for word in line.replace("\\n", " ").split()}


def last_command(text: str) -> str:
    """Return the name of the command in the last sent line of a text of `dialogue_text`; empty for none."""
    sent = [line for line, _ in exchanges_in(text)]
    return printable(command_name(sent[-1])) if sent else ""


def exchanges_in(text: str) -> list[tuple[bytes, bytes]]:
    """Return the sent lines in a text of `dialogue_text`, each with all bytes received after it."""
    found: list[tuple[bytes, bytes]] = []
    for line in text.splitlines():
        sent, received = _text_after(">", line), _text_after("<", line)
        if sent is not None:
            found.append((_bytes_of(sent), b""))
        elif received is not None and found:
            found[-1] = (found[-1][0], found[-1][1] + _bytes_of(received))
    return found


def is_silent_after_refusal(text: str) -> bool:
    """Return whether a text of `dialogue_text` ends with a refusal and a command after which nothing came."""
    answers = [answer for _, answer in exchanges_in(text)]
    return len(answers) > 1 and not answers[-1] and answers[-2][:1] == b"?"


def has_generated_pass(text: str) -> bool:
    """Return whether a genmove is answered by a pass in a text of `dialogue_text`."""
    return any(
        command_name(sent) == b"genmove" and b"pass" in received.lower()
        for sent, received in exchanges_in(text)
    )


def sizes_in(text: str) -> set[int]:
    """Return the board sizes of the boardsize commands in a text of `dialogue_text`."""
    sent = (command_words(line) for line, _ in exchanges_in(text))
    asked = (words[1] for words in sent if words[:1] == (b"boardsize",) and len(words) > 1)
    return {int(size) for size in asked if size.isdigit()}


def _text_after(mark: str, line: str) -> str | None:
    """Return the text of a line with this mark; None for a line with another mark."""
    return line[MARK + 2 :] if line[MARK - 1 : MARK + 2] == f" {mark} " else None


def _bytes_of(shown: str) -> bytes:
    """Undo `printable`; characters beyond ASCII become question marks."""
    return shown.encode("ascii", "replace").decode("unicode_escape").encode("latin-1", "replace")


def _lines(exchange: Exchange) -> list[str]:
    """Return the lines of one exchange: sent, received, and how the answer failed."""
    lines = [f"{'':{MARK - 1}} > {printable(exchange.sent)}"] if exchange.sent else []
    lines += [f"{exchange.seconds:{MARK - 1}.4f} < {printable(exchange.raw)}"] if exchange.raw else []
    if not exchange.is_answered:
        lines.append(f"{exchange.seconds:{MARK - 1}.4f} # {failure_text(exchange)}")
    return lines
