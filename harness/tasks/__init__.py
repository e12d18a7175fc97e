"""Work in other processes: in a process of its own, or on the workers of a dask cluster.

`distributed` is an optional dependency and slow to import, so only functions that use it import it.
"""

from harness.tasks.asking import TICK, Flight, Workers
from harness.tasks.connection import LOCAL, connected, plugin_installed, require_cluster_packages
from harness.tasks.errors import MAX_LOST_WORKERS, ClusterError, ClusterGoneError, in_one_line, unfit_workers
from harness.tasks.pool import ClusterPool, Tasks, cluster_pool

__all__ = [
    "LOCAL",
    "MAX_LOST_WORKERS",
    "TICK",
    "ClusterError",
    "ClusterGoneError",
    "ClusterPool",
    "Flight",
    "Tasks",
    "Workers",
    "cluster_pool",
    "connected",
    "in_one_line",
    "plugin_installed",
    "require_cluster_packages",
    "unfit_workers",
]
