"""Waiting for the tasks of a cluster, and noticing which of its workers are lost."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

from harness.tasks.errors import ClusterGoneError

if TYPE_CHECKING:
    from distributed import Client, Future

TICK = 0.5  # seconds between two updates while no task ends


def wait_for_ended(client: Client, address: str, futures: Collection[Future]) -> Iterable[Future]:
    """The tasks that have ended, after waiting up to TICK for one. Raises ClusterGoneError.

    `wait` asks for the current client, so that this is called within `client.as_current()`.
    """
    from distributed import wait

    found: Iterable[Future] = ()
    with suppress(TimeoutError):
        found = wait(list(futures), timeout=TICK, return_when="FIRST_COMPLETED").done
    if client.status != "running":
        raise ClusterGoneError(address)
    return found


class Workers:
    """The workers of a cluster, as they were at the last look."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._threads: dict[str, int] = {}  # address: tasks at once

    @property
    def room(self) -> int:
        """Number of tasks that the workers compute at once."""
        return sum(self._threads.values())

    def look(self) -> tuple[list[str], bool]:
        """Look again: the addresses of the workers that were lost, and whether the last one was."""
        now = dict(self._client.nthreads())
        lost = sorted(self._threads.keys() - now.keys())
        last = bool(self._threads) and not now
        self._threads = now
        return lost, last
