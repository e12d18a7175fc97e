"""Expectations on one answer, and the notation in which dialogues write them.

`=`            the command succeeds, whatever its text
`= text`       it succeeds with exactly this text (`= ''`: with an empty text)
`= a | b`      it succeeds with one of these texts
`= ~REGEX`     it succeeds with a text that the regular expression matches whole
`= #0.5`       it succeeds with this number, within ROUNDING, however it is written: 0.5, .50, 5e-1
`?`            it is refused
`? text`       it is refused with exactly this text
`=7` / `?7`    the answer has this id; a text as above may follow
`@ A1 PASS`    it succeeds with one of these vertices, in either case
`& A1 B2`      it succeeds with these vertices and no others, in any order and in either case
`*`            any answer; `*7` any answer with this id; `* ~REGEX` a refusal, or a success with such a text

An answer must be well-formed. Blanks around its text do not matter. Without an id in the notation, it must
have none, except for `*`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from harness.gtp import Exchange, parse_decimal

_FORM = re.compile(r"(?P<sign>[=?*@&])(?P<id>\d*)(?: (?P<text>.*))?")

ROUNDING = 0.0005
"""Rounding error of a printed number: bots print three decimals or more."""


@dataclass(frozen=True)
class Expectation:
    """Requirements on an answer: its sign, the id to echo, the allowed texts."""

    sign: str  # "=", "?" or "*" for either
    id: int | None = None
    texts: tuple[str, ...] | None = None  # None: any text
    pattern: str | None = None  # of a whole text; None: any text
    any_case: bool = False  # compare in upper case; `texts` are upper case then
    together: bool = False  # the answer lists all `texts`, in any order
    number: float | None = None  # the text is this number, within ROUNDING; None: any text

    def is_met_by(self, exchange: Exchange) -> bool:
        """Return whether the answer of `exchange` is as expected."""
        answer = exchange.answer
        if answer is None or (self.sign != "*" and answer.ok != (self.sign == "=")):
            return False
        if (self.sign != "*" or self.id is not None) and answer.id != self.id:
            return False
        is_any_refusal = self.sign == "*" and not answer.ok  # the text is about a success
        return is_any_refusal or self._allows(answer.text)

    def _allows(self, text: str) -> bool:
        """Return whether the text of an answer is as expected."""
        if self.together:
            return sorted(text.upper().split()) == sorted(self.texts or ())
        if self.texts is not None:
            return (text.strip().upper() if self.any_case else text.strip()) in self.texts
        if self.number is not None:
            value = parse_decimal(text)
            return value is not None and abs(value - self.number) <= ROUNDING
        return self.pattern is None or re.fullmatch(self.pattern, text.strip()) is not None

    def __str__(self) -> str:
        if self.sign == "*":
            if self.pattern is not None:
                return f"= and a text of the form {self.pattern}, or a refusal"
            return "any answer" if self.id is None else f"={self.id} or ?{self.id}"
        head = self.sign + ("" if self.id is None else str(self.id))
        if self.together:
            return f"{head} {' '.join(self.texts or ())}, in any order"
        if self.texts is not None:
            return " or ".join(f"{head} {text}".rstrip() for text in self.texts)
        if self.number is not None:
            return f"{head} {self.number:g}"
        if self.pattern is not None:
            return f"{head} and a text of the form {self.pattern}"
        return f"{head} {'(success)' if self.sign == '=' else '(a refusal)'}"


def expectation(form: str) -> Expectation:
    """Read an expectation from its written form, see the module's docstring.

    Raises ValueError for a form that cannot be read: a mistake in a check, found at import.
    """
    match = _FORM.fullmatch(form.strip())
    if match is None:
        raise ValueError(f"not an expectation: {form!r}")
    sign, text = match["sign"], match["text"]
    number = int(match["id"]) if match["id"] else None
    if sign in "@&":
        if text is None:
            raise ValueError(f"an expectation without a vertex: {form!r}")
        return Expectation("=", number, tuple(text.upper().split()), any_case=True, together=sign == "&")
    if text is None:
        return Expectation(sign, number)
    if text.startswith("#"):
        value = parse_decimal(text[1:])
        if value is None:
            raise ValueError(f"not a number in {form!r}")
        return Expectation(sign, number, number=value)
    if text.startswith("~"):
        try:
            re.compile(text[1:])
        except re.error as error:
            raise ValueError(f"not a regular expression in {form!r}: {error}") from None
        return Expectation(sign, number, pattern=text[1:])
    texts = tuple("" if option.strip() == "''" else option.strip() for option in text.split(" | "))
    return Expectation(sign, number, texts)
