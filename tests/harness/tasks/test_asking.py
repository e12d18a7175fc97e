"""Requests to a dask scheduler that is slow to answer."""

from __future__ import annotations

from concurrent.futures import Future
from types import SimpleNamespace
from typing import Any

import pytest

from harness.tasks import asking
from harness.tasks.asking import Workers


class LateAnswer(Future[dict[str, int]]):
    """An answer that arrives after the wait for it, just before the question whether it is there."""

    def done(self) -> bool:
        if not super().done():
            self.set_result({"tcp://10.0.0.1:1": 2})
        return super().done()


def test_an_answer_just_after_the_wait_is_read_by_the_next_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must not be taken for a lost scheduler."""
    answer = LateAnswer()
    monkeypatch.setattr(asking, "ask", lambda _client, _call: answer)
    client: Any = SimpleNamespace(nthreads=None)
    workers = Workers(client, "tcp://10.0.0.1:8786")
    assert workers.look() == ([], False)
    assert workers.capacity == 0
    assert answer.done()
    assert workers.look() == ([], False)
    assert workers.capacity == 2
