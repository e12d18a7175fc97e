"""Computes tasks other than games on a dask cluster: a pool in the form of `concurrent.futures`."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass

from harness import __version__
from harness.match.cluster_connection import check_installed, connected, unable
from harness.match.errors import PlayError


@dataclass(frozen=True)
class ClusterPool:
    """The workers of a cluster. `workers`: tasks that they compute at once."""

    executor: Executor
    workers: int


@contextmanager
def cluster_pool(address: str, workers: int) -> Iterator[ClusterPool]:
    """Connect to the dask scheduler at `address` (tcp://host:8786, or "local", with so many workers).

    dask repeats the tasks of a lost worker elsewhere. Raises PlayError if no scheduler answers, if a worker
    has another version of conform, and when the cluster is gone before the block ends.
    """
    check_installed()
    from distributed import CancelledError, KilledWorker
    from distributed.comm import CommClosedError

    with connected(address, workers) as client:
        try:
            versions = set(client.run(_version).values())
        except Exception as error:  # any error of a worker without conform, or with another dask
            raise PlayError(unable(address, error)) from None
        if versions != {__version__}:
            others = ", ".join(sorted(versions - {__version__}))
            raise PlayError(f"the workers of {address} have conform {others}; install {__version__} there")
        try:
            yield ClusterPool(client.get_executor(pure=False), max(1, sum(client.nthreads().values())))
        except KilledWorker:
            raise PlayError(f"several workers of {address} were lost at one task; see their logs") from None
        except (CommClosedError, CancelledError, TimeoutError):
            raise PlayError(f"the cluster at {address} no longer answers") from None


def _version() -> str:
    return __version__
