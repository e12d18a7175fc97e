"""Compares an answer with the required one, and reads the move in an answer."""

from __future__ import annotations

from dataclasses import replace

from harness.check.procedures.whole_game import same_score
from harness.explore.wanted import Command, Kind, Wanted
from harness.gtp import REQUIRED_COMMANDS, Exchange
from harness.gtp.analysis_commands import GENMOVES, SEARCH


def move_of(command: Command, exchange: Exchange) -> Exchange:
    """Return the answer of a search in the form of genmove; an answer to genmove itself as it is.

    After an analysis (a command of GENMOVES or SEARCH), the last line has the move: `play E5` becomes `E5`. A
    last line of another form becomes a text that is no vertex.
    """
    if exchange.answer is None or command.name not in (*GENMOVES, *SEARCH):
        return exchange
    last = exchange.text.strip().rpartition("\n")[2].strip()
    text = last.removeprefix("play ") if last.startswith("play ") else f"no line “play …”: {last}"
    return exchange._replace(answer=replace(exchange.answer, text=text))


def compare(wanted: Wanted, exchange: Exchange) -> tuple[bool, str]:
    """Return (True if the answer is right, the required answer as text for a report).

    Where the text must be read (`Wanted.reading`), the caller does that. A Kind.RESULT may be refused: an
    engine need not score every position. If any answer is right, the result is (True, "").

    An example: `= false` to `known_command play` gives (False, "= true").
    """
    ok, text = exchange.ok, exchange.text
    match wanted.kind:
        case Kind.SUCCESS | Kind.STONES:
            return ok, "="
        case Kind.READ | Kind.ANALYSIS:
            return ok or wanted.refusable, "="
        case Kind.REFUSAL:
            return not ok, "?"
        case Kind.LINE:
            return ok and "\n" not in text, "="
        case Kind.COMMANDS:
            names = set(map(str.strip, text.split("\n")))
            return ok and set(REQUIRED_COMMANDS) <= names, "= all required commands"
        case Kind.TEXT:
            return ok and text.strip().upper() == wanted.text.upper(), f"= {wanted.text}"
        case Kind.RESULT:
            return not ok or same_score(text.strip(), wanted.text), f"= {wanted.text}"
    return True, ""
