"""Connects to a dask scheduler or starts a local cluster, and installs plugins on the workers."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from concurrent.futures import wait
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING

from harness.gtp.interrupts import deferred_interrupt
from harness.tasks.asking import TICK, answer_of, ask
from harness.tasks.errors import MAX_LOST_WORKERS, ClusterError, in_one_line, unfit_workers

if TYPE_CHECKING:
    from distributed import Client, LocalCluster, WorkerPlugin

LOCAL = "local"
"""Address that stands for a cluster of processes on this machine, to try a command."""

CONNECT_SECONDS = 10.0
"""Seconds for the answer of the dask scheduler, and for a first worker. Chosen: a user waits no longer."""

_QUIET = {
    "logging.distributed": "critical",
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
}
"""dask settings of a local cluster: no web pages, no metrics."""


@contextmanager
def connected(address: str, workers: int, seconds: float = CONNECT_SECONDS) -> Iterator[Client]:
    """Yield a client of a cluster that has workers. Raises ClusterError.

    workers   number of processes of a local cluster, which ends with the block
    seconds   time limit for the answer of the scheduler, and for a first worker
    """
    from distributed import Client

    _silence()
    with ExitStack() as stack:
        try:
            cluster: str | LocalCluster = address
            if address == LOCAL:
                cluster = stack.enter_context(start_local_cluster(workers))
            else:
                _try_connection(address, seconds)
            client = Client(cluster, timeout=seconds, set_as_default=False, name="conform")
        except RuntimeError as error:
            raise ClusterError(f"the workers of the cluster at {address} do not start: {error}") from None
        except (OSError, ValueError) as error:
            if address == LOCAL:
                raise ClusterError(f"no local cluster can be started: {in_one_line(error)}") from None
            raise _missing(address) from None
        stack.callback(_close, client)
        try:
            answer_of(client, lambda: client.wait_for_workers(1, timeout=seconds), 2 * seconds)
        except TimeoutError:
            raise ClusterError(
                f"the cluster at {address} has no workers: start some, by dask worker {address}"
            ) from None
        yield client


def _silence() -> None:
    """Let dask log nothing: ClusterError says in one line what dask would log in twenty."""
    for name in ("distributed", *logging.root.manager.loggerDict):
        if name.partition(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL)


def _try_connection(address: str, seconds: float) -> None:
    """Connect to a dask scheduler, and hang up. Raises ClusterError for anything else at its address.

    A `Client` waits for ever for something that takes the connection and says nothing.
    """
    import asyncio

    from distributed.comm import connect
    from distributed.security import Security

    async def connect_once() -> None:
        arguments = Security().get_connection_args("client")
        comm = await connect(address, timeout=seconds, **arguments)
        comm.abort()

    try:
        asyncio.run(asyncio.wait_for(connect_once(), seconds))
    except Exception as error:  # settings of TLS, and whatever another program may send, raise any error
        raise _missing(address, error) from None


def _missing(address: str, error: Exception | None = None) -> ClusterError:
    """Return the error for an address that is not the one of a dask scheduler."""
    if error is not None and address.startswith("tls:"):
        return ClusterError(
            f"no dask scheduler answers with TLS at {address!r} ({in_one_line(error)}): name the "
            "certificates of the cluster in the settings of dask, distributed.comm.tls"
        )
    return ClusterError(
        f"no dask scheduler answers at {address!r}: give --cluster its address, as tcp://host:8786, "
        "tls://host:8786 for one with certificates, or local"
    )


def _close(client: Client) -> None:
    """Close a client. A scheduler that is stopped does not answer, which is reported elsewhere."""
    with suppress(TimeoutError):
        client.close(CONNECT_SECONDS)


def start_local_cluster(workers: int) -> LocalCluster:
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


def require_cluster_packages() -> None:
    """Raise ClusterError if a package that clusters need is not installed."""
    try:
        import cryptography  # noqa: F401  # the keys of a local cluster
        import distributed  # noqa: F401
    except ImportError as error:
        missing = "cryptography" if error.name == "cryptography" else "dask.distributed"
        raise ClusterError(
            f"--cluster needs {missing}, which is not installed: pip install distributed cryptography"
        ) from None


@contextmanager
def plugin_installed(
    client: Client,
    address: str,
    plugin: WorkerPlugin,
    passed: tuple[type[Exception], ...] = (),
    stopped: Callable[[], bool] = lambda: False,
) -> Iterator[None]:
    """Install a plugin on every worker; remove it at the end of the block.

    passed    classes of errors of the installation that are raised unchanged
    stopped   returns True as soon as the command should end: then KeyboardInterrupt is raised
    Raises ClusterError for any other error: a worker has no conform, or another version.
    """
    installing = ask(client, lambda: client.register_plugin(plugin))
    try:
        while not wait([installing], TICK).done:  # no time limit: the plugin of a match starts engines
            if stopped():
                raise KeyboardInterrupt
        installing.result()
    except passed:
        raise
    except Exception as error:  # any error of a worker without conform, or with another dask
        raise unfit_workers(address, error) from None
    finally:
        installing.cancel()
    try:
        yield
    finally:
        with suppress(Exception):  # workers may be gone, which is reported elsewhere
            answer_of(client, lambda: client.unregister_worker_plugin(plugin.name), CONNECT_SECONDS)
