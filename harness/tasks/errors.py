"""The errors of a dask cluster, each one line for the user."""

from __future__ import annotations

MAX_LOST_WORKERS = 3
"""A task is given up after it has lost this many workers. Chosen: one or two may be chance."""


class ClusterError(Exception):
    """A dask cluster is missing or cannot be used. The text is one line for the user."""


class ClusterGoneError(ClusterError):
    """A connected dask cluster no longer answers."""

    def __init__(self, address: str) -> None:
        super().__init__(f"the cluster at {address} no longer answers")


def unfit_workers(address: str, error: BaseException) -> ClusterError:
    """Return the error for workers that cannot take part, with what to do about its cause."""
    # A worker raises a ClusterError for its version. Pickles of another version lack a module or a name.
    is_version = isinstance(error, ClusterError | ImportError | AttributeError)
    todo = "install the same version of conform there" if is_version else "see the logs of its workers"
    reason = str(error).strip().splitlines()[0] if isinstance(error, ClusterError) else in_one_line(error)
    return ClusterError(f"the workers of {address} cannot take part ({reason}); {todo}")


def in_one_line(error: BaseException) -> str:
    """Return the type of an error, and the first line of its text."""
    return ": ".join([type(error).__name__, *str(error).strip().splitlines()[:1]])


def lost_at_task(address: str) -> ClusterError:
    """Return the error for a task during which MAX_LOST_WORKERS workers were lost."""
    cause = "see their logs for the cause, such as a lack of memory"
    return ClusterError(f"{MAX_LOST_WORKERS} workers of {address} were lost at one task; {cause}")
