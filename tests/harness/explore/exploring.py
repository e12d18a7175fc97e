"""Explorations for tests: events added up, and the first deviation that an explorer finds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from harness.check.phases.events import Event
from harness.explore.coverage import Coverage, Step
from harness.explore.exploration import Exploration

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
