"""Refusals in a wrong form: in words behind the sign of a success, or not laid out as GTP wants them."""

from __future__ import annotations

import re

from harness.gtp import Exchange, command_name, command_words, printable

SETTING_UP = frozenset({b"boardsize", b"clear_board", b"komi", b"play", b"undo"})
"""Commands whose success has no text."""

REFUSAL_WORDS = re.compile(r"(?i)\b(illegal|invalid|error|unknown command|unacceptable|cannot|refused)\b")

SIGN = "the text is that of a refusal: begin the answer with ? in place of ="
FORM = "print the sign, the id if the command had one, one blank, then the text"
NO_ID = "only a number is an id: the first word of the command does not belong behind the sign"

FAULTS_OF_HINTS = {
    SIGN: "The bot refuses in words, but begins the answer with =, the sign of a success.",
    FORM: "The answer of a refusal is not written as ?, the id if there was one, a blank, and the text.",
    NO_ID: "The bot repeats the first word of an unknown command behind the sign, where only an id stands.",
}
"""By hint: the fault of the bot, in one sentence."""


def is_refusal_in_words(exchange: Exchange) -> bool:
    """Return whether an answer has the sign of a success and the text of a refusal."""
    return exchange.ok and bool(exchange.text) and REFUSAL_WORDS.search(exchange.text) is not None


def is_obeyed(exchange: Exchange) -> bool:
    """Return whether an answer is a success. A set-up command with the text of a refusal is not obeyed."""
    return exchange.ok and not (is_refusal_in_words(exchange) and command_name(exchange.sent) in SETTING_UP)


def is_malformed_refusal(exchange: Exchange) -> bool:
    """Return whether an answer is a refusal in a form that GTP does not allow."""
    fault = exchange.fault if exchange.ending == "malformed" else None
    return fault is not None and fault.reading is not None and not fault.reading.ok


def form_hint(exchange: Exchange, *, refusal_wanted: bool) -> str:
    """Return a hint about the form of a refusal; empty if the form is right."""
    if refusal_wanted and is_refusal_in_words(exchange):
        return SIGN
    if not is_malformed_refusal(exchange):
        return ""
    words = command_words(exchange.sent)
    return NO_ID if words and exchange.text.startswith(printable(words[0])) else FORM
