"""The sentence about a bot that an audit found different."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from harness.arena.verdicts import UNKNOWN_FAULT, Suspect
from harness.report.text.cause_text import shown
from refbot.deviations.faults import FAULTS


class NamedFault(NamedTuple):
    """A suspect with what the registry says about it; clause and misconception are empty for no fault."""

    bot: str
    fault: str
    probability: float
    clause: str
    misconception: str


def named_fault(suspect: Suspect) -> NamedFault:
    """The suspect beside its entry in the registry. A run may name a fault that another version has."""
    fault = FAULTS.get(suspect.fault)
    return NamedFault(*suspect, *((fault.clause, fault.misconception) if fault is not None else ("", "")))


def suspect_sentences(suspects: Iterable[Suspect]) -> Iterator[tuple[str, str]]:
    """The name of each bot, and the rest of a sentence about it. Takes suspects in the order of the bots."""
    for bot, own in groupby(suspects, attrgetter("bot")):
        first, *others = map(named_fault, own)
        sentence = f"looks like {_described(first)}; probability {shown(first.probability)}"
        sentence += f"; see clause {first.clause}" if first.clause else ""
        for other in others:
            sentence += f"; or like {_described(other)}, probability {shown(other.probability)}"
        yield bot, sentence


def _described(named: NamedFault) -> str:
    if named.fault == UNKNOWN_FAULT:
        return "no known fault"
    return f"{named.fault} ({named.misconception})" if named.misconception else named.fault
