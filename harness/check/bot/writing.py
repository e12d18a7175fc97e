"""Answers that are wrong only in how they are written: what the bot did is what it had to do."""

from __future__ import annotations

from harness.check.bot.wording import REFUSAL_WORDS
from harness.gtp import Exchange, command_words, printable

SIGN = "the text is that of a refusal: begin the answer with ? in place of ="
FORM = "print the sign, the id if the command had one, one blank, then the text"
NO_ID = "only a number is an id: the first word of the command does not belong behind the sign"

WRONG = {
    SIGN: "The bot refuses in words, but begins the answer with =, the sign of a success.",
    FORM: "The answer of a refusal is not written as ?, the id if there was one, a blank, and the text.",
    NO_ID: "The bot repeats the first word of an unknown command behind the sign, where only an id stands.",
}
"""What each hint is about, in one sentence."""


def refuses_with_success_sign(exchange: Exchange) -> bool:
    """Whether an answer refuses a command in words, but begins with the sign of a success."""
    return exchange.ok and REFUSAL_WORDS.search(exchange.text) is not None


def is_malformed_refusal(exchange: Exchange) -> bool:
    """Whether an answer begins as a refusal, and is not written as GTP wants it."""
    fault = exchange.fault if exchange.ending == "malformed" else None
    return fault is not None and fault.reading is not None and not fault.reading.ok


def writing_hint(exchange: Exchange, *, refusal_wanted: bool) -> str:
    """What to change in how a refusal is written; empty where that is not what is wrong."""
    if refusal_wanted and refuses_with_success_sign(exchange):
        return SIGN
    if not is_malformed_refusal(exchange):
        return ""
    words = command_words(exchange.sent)
    return NO_ID if words and exchange.text.startswith(printable(words[0])) else FORM
