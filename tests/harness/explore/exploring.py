"""Explorations for tests: events added up, the first deviation that an explorer finds, scripted answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from harness.check.phases.events import Event
from harness.explore.coverage import Coverage, Step
from harness.explore.exploration import Exploration
from harness.gtp import Answer, Exchange, parse_answer

Found = TypeVar("Found")


def added_up(events: Iterable[Event]) -> Exploration:
    """The findings of an exploration."""
    exploration = Exploration("bot")
    for event in events:
        exploration.note(event)
    return exploration


def first_found(steps: Iterator[Step[Found]]) -> tuple[Found | None, Coverage, int]:
    """The first deviation, what was gone through, and the number of unconfirmed deviations."""
    coverage, unconfirmed = Coverage(), 0
    found: Found | None = None
    for step in steps:
        coverage.add(step.coverage)
        unconfirmed += step.unconfirmed
        found = step.found
    return found, coverage, unconfirmed


def answered(line: bytes, answer: str) -> Exchange:
    """Return the exchange of a line and a well-formed answer, without the empty line at its end."""
    raw = f"{answer}\n\n".encode("ascii")
    parsed = parse_answer(raw)
    assert isinstance(parsed, Answer)
    return Exchange(line, raw, parsed, "answer", b"", 0.0)
