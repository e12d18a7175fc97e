"""Answers in a wrong form: a refusal behind the sign of a success, an answer not laid out as GTP wants it."""

from __future__ import annotations

import re

from harness.gtp import Exchange, command_name, command_words, printable

SETTING_UP = frozenset({b"boardsize", b"clear_board", b"komi", b"play", b"undo"})
"""Commands of set-ups: their success has no text."""

REFUSAL_WORDS = re.compile(r"(?i)\b(illegal|invalid|error|unknown command|unacceptable|cannot|refused)\b")
"""Words that show that a text is that of a refusal."""

REPEATED = re.compile(r"(?s)\n?(.+?)(\n\1)+")
"""A text that is written more than once, such as `B+9.5`, a line feed and `B+9.5`."""

WITH_COMMA = re.compile(r"\S*\d,\d+")
"""A word that ends with a number with a decimal comma, such as `B+9,5`."""

# Hints: what to change in the bot.
SIGN = "the text is that of a refusal: begin the answer with ? in place of ="
FORM = "print the sign, the id if the command had one, one blank, then the text"
ID = "print the id as it was sent: its digits, then a blank"
NEXT_LINE = "print the text on the line of its sign: =, a blank, then the text"
TWICE = "print the text once"
COMMA = "write the decimal point as a point, also where the locale has a comma"
NO_ID = "only a number is an id: the first word of the command does not belong behind the sign"

FAULTS_OF_HINTS = {
    SIGN: "The bot refuses in words, but begins the answer with =, the sign of a success.",
    FORM: "The answer of a refusal is not written as ?, the id if there was one, a blank, and the text.",
    NO_ID: "The bot repeats the first word of an unknown command behind the sign, where only an id stands.",
    ID: "The answer does not begin with the sign, the id as it was sent, and a blank.",
    NEXT_LINE: "The text of an answer begins on the line below its sign.",
    COMMA: "A number is written with a comma in place of the decimal point.",
    TWICE: "The text of an answer is written more than once.",
}
"""By hint: the fault of the bot, in one sentence."""


def is_refusal_in_words(exchange: Exchange) -> bool:
    """Return whether an answer is a success with one of REFUSAL_WORDS in its text, as `= illegal move`."""
    return exchange.ok and bool(exchange.text) and REFUSAL_WORDS.search(exchange.text) is not None


def is_obeyed(exchange: Exchange) -> bool:
    """Return whether an answer is a success. A set-up command with the text of a refusal is not obeyed."""
    return exchange.ok and not (is_refusal_in_words(exchange) and command_name(exchange.sent) in SETTING_UP)


def is_malformed_refusal(exchange: Exchange) -> bool:
    """Return whether an answer is a refusal in a form that GTP does not allow."""
    fault = exchange.fault if exchange.ending == "malformed" else None
    return fault is not None and fault.reading is not None and not fault.reading.ok


def is_on_next_line(exchange: Exchange) -> bool:
    """Return whether an answer has one line of text, below the line of its sign.

    A text of several lines, such as a board, may begin there.
    """
    text = exchange.text
    return text.startswith("\n") and "\n" not in text.strip("\n")


def _has_its_id(exchange: Exchange) -> bool:
    """Return whether a malformed answer begins with the id of its command."""
    reading = exchange.fault.reading if exchange.fault is not None else None
    return reading is not None and exchange.sent.split()[:1] == [str(reading.id).encode("ascii")]


def text_hint(exchange: Exchange) -> str:
    """Return a hint about the form of the text of a well-formed answer; empty if it is right."""
    if is_on_next_line(exchange):
        return NEXT_LINE
    if REPEATED.fullmatch(exchange.text):
        return TWICE
    return COMMA if WITH_COMMA.fullmatch(exchange.text) else ""


def form_hint(exchange: Exchange, *, refusal_wanted: bool) -> str:
    """Return a hint about the form of an unexpected answer; empty for none.

    A malformed success has a hint only if the blank after the id is missing: another check reports it.
    """
    if refusal_wanted and is_refusal_in_words(exchange):
        return SIGN
    if exchange.answer is not None:
        return text_hint(exchange)
    if exchange.fault is not None and exchange.fault.fault == "no-space" and _has_its_id(exchange):
        return ID
    if not is_malformed_refusal(exchange):
        return ""
    words = command_words(exchange.sent)
    in_place_of_id = exchange.fault is not None and exchange.fault.fault == "no-space"
    return NO_ID if in_place_of_id and words and exchange.text.startswith(printable(words[0])) else FORM
