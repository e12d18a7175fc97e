"""The errors of this package. Each has a text of one line for the user."""

from __future__ import annotations

MAX_LOST_WORKERS = 3
"""A task is given up when this many workers were lost over it."""


class ClusterError(Exception):
    """A dask cluster is not there, cannot be used, or no longer answers."""


class ClusterGoneError(ClusterError):
    """A dask cluster that was there no longer answers."""

    def __init__(self, address: str) -> None:
        super().__init__(f"the cluster at {address} no longer answers")


class LostProcessError(Exception):
    """The process of a task ended without a result. dask repeats the task."""
