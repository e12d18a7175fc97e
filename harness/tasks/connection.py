"""Connects to a dask scheduler or starts a local cluster, and installs plugins on the workers."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING

from harness.gtp.interrupts import deferred_interrupt

if TYPE_CHECKING:
    from distributed import Client, LocalCluster, WorkerPlugin

LOCAL = "local"
"""Address that stands for a cluster of processes on this machine, to try a command."""

CONNECT_SECONDS = 10.0
"""Seconds for the answer of the dask scheduler, and for a first worker. Chosen: a user waits no longer."""

MAX_LOST_WORKERS = 3
"""A task is given up after it has lost this many workers. Chosen: one or two may be chance."""

_QUIET = {
    "logging.distributed": "critical",
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
}
"""dask settings of a local cluster: no web pages, no metrics."""


class ClusterError(Exception):
    """A dask cluster is missing or cannot be used. The text is one line for the user."""


class ClusterGoneError(ClusterError):
    """A connected dask cluster no longer answers."""

    def __init__(self, address: str) -> None:
        super().__init__(f"the cluster at {address} no longer answers")


@contextmanager
def connected(address: str, workers: int) -> Iterator[Client]:
    """Yield a client of a cluster that has workers. Raises ClusterError.

    workers   number of processes of a local cluster, which ends with the block
    """
    from distributed import Client
    from distributed.comm import get_address_host_port

    # ClusterError says in one line what dask would log in twenty.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with ExitStack() as stack:
        try:
            if address == LOCAL:
                cluster = stack.enter_context(local_cluster(workers))
            else:
                # Raises ValueError. A Client with a wrong address would hang.
                get_address_host_port(cluster := address)
            client = Client(cluster, timeout=CONNECT_SECONDS, set_as_default=False, name="conform")
        except RuntimeError as error:
            raise ClusterError(f"the workers of the cluster at {address} do not start: {error}") from None
        except (OSError, ValueError):
            raise ClusterError(
                f"no dask scheduler answers at {address!r}: give --cluster its address, "
                "as tcp://host:8786, or local"
            ) from None
        stack.enter_context(client)
        try:
            client.wait_for_workers(1, timeout=CONNECT_SECONDS)
        except TimeoutError:
            raise ClusterError(
                f"the cluster at {address} has no workers: start some, by dask worker {address}"
            ) from None
        yield client


def local_cluster(workers: int) -> LocalCluster:
    """Start a cluster of processes on this machine, without a dashboard.

    Other users cannot connect: connections need a TLS key, which is made for this run and kept in memory
    only.
    """
    import dask
    from distributed import LocalCluster
    from distributed.security import Security

    # Workers ignore Ctrl-C until they can handle it; they inherit the settings of dask.
    with deferred_interrupt(), dask.config.set(_QUIET):
        return LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            host="127.0.0.1",
            protocol="tls",
            security=Security.temporary(),
            dashboard_address=None,
            worker_dashboard_address=None,
            memory_limit=0,  # engines have memory limits of their own
            silence_logs=logging.CRITICAL,
            scheduler_kwargs={
                "allowed_failures": MAX_LOST_WORKERS - 1,
                "dashboard_address": "127.0.0.1:0",  # its own port, although nothing is served there
            },
        )


def check_installed() -> None:
    """Raise ClusterError if dask.distributed is not installed."""
    try:
        import cryptography  # noqa: F401  # the keys of a local cluster
        import distributed  # noqa: F401
    except ImportError:
        raise ClusterError(
            "--cluster needs dask.distributed, which is not installed: pip install distributed cryptography"
        ) from None


@contextmanager
def installed(
    client: Client, address: str, plugin: WorkerPlugin, passed: tuple[type[Exception], ...] = ()
) -> Iterator[None]:
    """Install a plugin on every worker; remove it at the end of the block.

    passed   classes of errors of the installation that are raised unchanged
    Raises ClusterError for any other error: a worker has no conform, or another version.
    """
    try:
        client.register_plugin(plugin)
    except passed:
        raise
    except Exception as error:  # any error of a worker without conform, or with another dask
        raise unable(address, error) from None
    try:
        yield
    finally:
        with suppress(Exception):  # workers may be gone, which is reported elsewhere
            client.unregister_worker_plugin(plugin.name)


def unable(address: str, error: BaseException) -> ClusterError:
    """Return the error for a worker that cannot take part."""
    reason = str(error).strip().splitlines()[0] if isinstance(error, ClusterError) else in_one_line(error)
    return ClusterError(
        f"the workers of {address} cannot take part ({reason}); install the same version of conform there"
    )


def in_one_line(error: BaseException) -> str:
    """The type of an error, and the first line of its text."""
    return ": ".join([type(error).__name__, *str(error).strip().splitlines()[:1]])


def lost_at_task(address: str) -> ClusterError:
    """Return the error for a task during which MAX_LOST_WORKERS workers were lost."""
    return ClusterError(f"{MAX_LOST_WORKERS} workers of {address} were lost at one task; see their logs")
