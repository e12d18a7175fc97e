"""The faults that would explain why a bot differs from the reference in a match, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from harness.arena.verdicts import UNKNOWN_FAULT, Suspect
from harness.report.numbers import probability_text
from refbot.deviations.faults import FAULTS


class NamedFault(NamedTuple):
    """A suspect (a fault that would explain a bot) with the clause and the misconception of the fault.

    Both are empty for UNKNOWN_FAULT, and for a fault that this version does not know.
    """

    bot: str
    fault: str
    probability: float
    clause: str
    misconception: str


def named_fault(suspect: Suspect) -> NamedFault:
    """Look up the fault of a suspect in the registry of faults."""
    fault = FAULTS.get(suspect.fault)
    return NamedFault(*suspect, *((fault.clause, fault.misconception) if fault is not None else ("", "")))


def suspect_sentences(suspects: Iterable[Suspect]) -> Iterator[tuple[str, str]]:
    """(bot, sentence about it without its name) for each bot. `suspects` must be grouped by bot.

    A sentence is "looks like ko-none (forgets the ko); probability 0.912; see clause ko".
    """
    for bot, own in groupby(suspects, attrgetter("bot")):
        first, *others = map(named_fault, own)
        sentence = f"looks like {_described(first)}; probability {probability_text(first.probability)}"
        sentence += f"; see clause {first.clause}" if first.clause else ""
        for other in others:
            sentence += f"; or like {_described(other)}, probability {probability_text(other.probability)}"
        yield bot, sentence


def _described(named: NamedFault) -> str:
    if named.fault == UNKNOWN_FAULT:
        return "no known fault"
    return f"{named.fault} ({named.misconception})" if named.misconception else named.fault
