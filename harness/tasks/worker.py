"""Plugins for the workers of a dask cluster: they check the version, and compute tasks in processes."""

from __future__ import annotations

import signal
import threading

from distributed import Worker, WorkerPlugin, get_worker

from harness import __version__
from harness.tasks.errors import ClusterError
from harness.tasks.task_process import LostProcessError, TaskProcess


class CheckedPlugin(WorkerPlugin):  # type: ignore[misc]  # dask ships no types
    """A plugin that checks that the worker has this version of conform.

    dask installs plugins on every worker, also on workers that join later.
    """

    def __init__(self, name: str, *, local: bool) -> None:
        """Create the plugin. `local`: the worker belongs to a cluster of this command, and ignores Ctrl-C."""
        self.name = name
        self._version = __version__
        self._local = local

    def setup(self, worker: Worker) -> None:
        """Called by dask. Raises ClusterError on a worker with another version."""
        if self._local:
            _ignore_interrupts()
        self.require_version()

    def require_version(self) -> None:
        """Raise ClusterError on a worker with another version of conform.

        dask ignores the error of `setup` on a worker that joins later, so each task checks again.
        """
        if self._version != __version__:
            raise ClusterError(f"conform {__version__} is installed there; {self._version} is needed")


class TasksPlugin(CheckedPlugin):
    """The tasks of one command on one worker. Removing the plugin stops them."""

    def setup(self, worker: Worker) -> None:
        """Called by dask. Raises ClusterError if this worker cannot take part."""
        self._lock = threading.Lock()
        self._running: set[TaskProcess] = set()
        self._over = False
        super().setup(worker)

    def teardown(self, worker: Worker) -> None:
        """Called by dask. Does not wait for the tasks to end."""
        with self._lock:
            self._over = True
            for process in self._running:
                process.stop()

    def compute(self, task: bytes) -> bytes:
        """Compute a packed task in a new process, and return its packed result.

        Raises LostProcessError if the process ended early or was stopped, or if the command has ended,
        ClusterError if this worker has another version of conform, and OSError if no process can be started.
        """
        self.require_version()
        with self._lock:
            if self._over:
                raise LostProcessError("the command has ended")
            process = TaskProcess()
            self._running.add(process)
        try:
            return process.compute(task)
        finally:
            with self._lock:
                self._running.discard(process)


def compute(name: str, task: bytes) -> bytes:
    """Compute a task by the plugin with this name. dask calls this function on a worker."""
    plugin: TasksPlugin = get_worker().plugins[name]
    return plugin.compute(task)


def _ignore_interrupts() -> None:
    """Unblock SIGINT, and ignore it: Ctrl-C reaches the whole process group.

    It is ignored by a handler, because engines would inherit SIG_IGN.
    """
    signal.signal(signal.SIGINT, lambda *_: None)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
