"""Hooks of `[schedule]`: a command, or a POST to a webhook on this machine, started by an event."""

from __future__ import annotations

import http.client
import json
import os
import shlex
import shutil
import signal
import socket
import subprocess
import threading
import traceback
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import asdict
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from harness.arena.config.tables import ScheduleTable
from harness.arena.folder.history import ChangePoint
from harness.gtp import Launch, printable_text, torn_path
from harness.schedule.log import Log

FORMAT = "conform-event/1"
COMMAND_SECONDS = 60.0
WEBHOOK_SECONDS = 10.0

Happening = Literal["change", "failure", "missed"]


class Hooks:
    """The hooks of one config. A hook that fails is logged, and changes nothing else."""

    def __init__(self, name: str, folder: Path, table: ScheduleTable | None, log: Log) -> None:
        self._name = name
        self._folder = folder
        self._log = log
        self._of: dict[Happening, str | None] = {}
        if table is not None:
            self._of = {"change": table.on_change, "failure": table.on_failure, "missed": table.on_missed}

    def call(
        self,
        happening: Happening,
        time: datetime,
        sentence: str,
        run: str | None = None,
        changes: Iterable[ChangePoint] = (),
    ) -> None:
        """Pass one line of JSON to the hook, if the config has one for this. Never raises."""
        hook = self._of.get(happening)
        if hook is None:
            return
        self._report(happening, hook, lambda: self._pass_on(hook, happening, time, sentence, run, changes))

    def _pass_on(
        self,
        hook: str,
        happening: Happening,
        time: datetime,
        sentence: str,
        run: str | None,
        changes: Iterable[ChangePoint],
    ) -> str | None:
        """Send the line; the problem, if there was one."""
        line = json.dumps(
            {
                "format": FORMAT,
                "event": happening,
                "config": self._name,
                "run": run,
                "folder": str(self._folder.resolve()),
                "time": time.isoformat(timespec="seconds"),
                "text": printable_text(sentence),
                "changes": [asdict(change) for change in changes],
            },
        )
        return _post(hook, line) if "://" in hook else _run(hook, line)

    def check(self) -> None:
        """Log each command that is not there: its first call may be weeks away. Never raises."""
        for happening, hook in self._of.items():
            if hook is not None and "://" not in hook:
                self._report(happening, hook, partial(_missing, hook))

    def _report(self, happening: Happening, hook: str, step: Callable[[], str | None]) -> None:
        """Log the problem of a step with a hook. An exception is a bug of ours: the schedule must go on."""
        try:
            problem = step()
        except Exception:
            problem = f"internal error: {traceback.format_exc()}"
        if problem:
            self._log.important(self._name, f"on_{happening} ({hook}): {problem}")


def _missing(command: str) -> str | None:
    """The problem of a command whose program is not there."""
    if shutil.which(shlex.split(command)[0]) is not None:
        return None
    return "; ".join(filter(None, ("no such program", torn_path(Launch(command)))))


def _run(command: str, line: str) -> str | None:
    """Start the command with the line as its input; the problem, if there was one."""
    try:
        process = subprocess.Popen(
            shlex.split(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        return f"cannot be started: {(error.strerror or str(error)).lower()}"
    try:
        process.communicate(f"{line}\n".encode(), COMMAND_SECONDS)
    except subprocess.TimeoutExpired:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return f"ended after {COMMAND_SECONDS:.0f} s, which is the time limit"
    return f"ended with exit code {process.returncode}" if process.returncode else None


def _post(address: str, line: str) -> str | None:
    """Send the line to the webhook, without a proxy and without following it elsewhere."""
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port or 80, timeout=WEBHOOK_SECONDS)
    path = f"{parts.path or '/'}{'?' * bool(parts.query)}{parts.query}"
    deadline = threading.Timer(WEBHOOK_SECONDS, _hang_up, [connection])  # the other limit is for each read
    deadline.daemon = True
    deadline.start()
    try:
        connection.request("POST", path, f"{line}\n".encode(), {"Content-Type": "application/json"})
        status = connection.getresponse().status
    except (OSError, http.client.HTTPException) as error:
        return f"the webhook does not answer: {str(error) or type(error).__name__}"
    finally:
        deadline.cancel()
        connection.close()
    return None if 200 <= status < 300 else f"the webhook answered with status {status}"


def _hang_up(connection: http.client.HTTPConnection) -> None:
    """End a request that another thread is waiting for."""
    if connection.sock is not None:
        with suppress(OSError):
            connection.sock.shutdown(socket.SHUT_RDWR)
