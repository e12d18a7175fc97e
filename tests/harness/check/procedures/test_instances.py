"""Rounds of searches over several instances: every task once, results in the order of the tasks."""

from __future__ import annotations

import math
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.check.bot.errors import UnusableBotError
from harness.check.procedures.instances import Task, TaskResult, search_all
from harness.check.procedures.probe import Probe
from harness.check.procedures.search import SearchRecord
from harness.gtp import Exchange

PROBE = Probe("empty-2x2", ". .\n. .", "b", 0.5)


class Instance:
    """A searcher that answers with its own number and counts its searches."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.turns: list[int] = []
        self.threads: set[int] = set()
        self.aborted = False

    def search(self, probe: Probe, turn: int) -> SearchRecord:
        self.threads.add(threading.get_ident())
        self.turns.append(turn)
        return SearchRecord("PASS", turn, self.number / 10, 0.0)

    def take_record(self) -> tuple[Exchange, ...]:
        return ()

    def abort(self) -> None:
        self.aborted = True


def turn_of(tried: TaskResult | None) -> int | None:
    assert tried is not None
    assert isinstance(tried.result, SearchRecord)
    return tried.result.nodes


@given(costs=st.lists(st.floats(1.0, 100.0), max_size=30), instances=st.integers(1, 4))
def test_every_task_is_made_once_and_answered_in_its_place(costs: list[float], instances: int) -> None:
    searchers = [Instance(number) for number in range(instances)]
    tasks = [Task(PROBE, turn, cost) for turn, cost in enumerate(costs)]
    tried = search_all(tasks, searchers, math.inf)
    assert [turn_of(one) for one in tried] == list(range(len(tasks)))
    assert sorted(turn for searcher in searchers for turn in searcher.turns) == list(range(len(tasks)))
    assert all(searcher.turns == sorted(searcher.turns) for searcher in searchers)


@given(costs=st.lists(st.floats(1.0, 100.0), min_size=2, max_size=30), instances=st.integers(2, 4))
def test_no_instance_has_more_than_one_task_too_many(costs: list[float], instances: int) -> None:
    searchers = [Instance(number) for number in range(instances)]
    search_all([Task(PROBE, turn, cost) for turn, cost in enumerate(costs)], searchers, math.inf)
    loads = [sum(costs[turn] for turn in searcher.turns) for searcher in searchers]
    assert max(loads) - min(loads) <= max(costs) + 1e-9


def test_after_the_deadline_no_search_is_made() -> None:
    tried = search_all([Task(PROBE, turn, 1.0) for turn in range(5)], [Instance(0), Instance(1)], -math.inf)
    assert tried == [None] * 5


def test_a_bot_that_cannot_be_started_ends_the_round_and_the_other_instances() -> None:
    class Gone(Instance):
        def search(self, probe: Probe, turn: int) -> SearchRecord:
            raise UnusableBotError("no such file")

    other = Instance(1)
    with pytest.raises(UnusableBotError, match="no such file"):
        search_all([Task(PROBE, turn, 1.0) for turn in range(4)], [Gone(0), other], math.inf)
    assert other.aborted


def test_the_first_instance_works_in_the_calling_thread() -> None:
    first, second = Instance(0), Instance(1)
    search_all([Task(PROBE, turn, 1.0) for turn in range(4)], [first, second], math.inf)
    assert first.threads == {threading.get_ident()}
    assert second.threads != first.threads
