"""Work in other processes: in a process of its own, or on the workers of a dask cluster.

`distributed` is an optional dependency and slow to import, so only functions that use it import it.
"""

from harness.tasks.connection import (
    LOCAL,
    MAX_LOST_WORKERS,
    ClusterError,
    ClusterGoneError,
    check_installed,
    connected,
    in_one_line,
    installed,
    unable,
)
from harness.tasks.pool import TICK, ClusterPool, Tasks, Workers, cluster_pool, wait_for_ended

__all__ = [
    "LOCAL",
    "MAX_LOST_WORKERS",
    "TICK",
    "ClusterError",
    "ClusterGoneError",
    "ClusterPool",
    "Tasks",
    "Workers",
    "check_installed",
    "cluster_pool",
    "connected",
    "in_one_line",
    "installed",
    "unable",
    "wait_for_ended",
]
