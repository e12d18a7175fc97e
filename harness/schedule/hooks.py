"""The hooks of a config.

A hook is a command or a webhook on this machine, for a change, a failure or missed times of a config.
"""

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
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from harness.arena.config.tables import ScheduleTable, is_webhook
from harness.arena.folder.history import ChangePoint
from harness.files import os_reason
from harness.gtp import Launch, printable_text, torn_path
from harness.schedule.log import Log

FORMAT = "conform-event/1"
COMMAND_SECONDS = 60.0
"""Time limit of a command in seconds. Chosen: enough to send a mail, for which the next run waits."""
WEBHOOK_SECONDS = 10.0
"""Time limit of a webhook, from the connection to the answer. Chosen: it is on this machine."""

Happening = Literal["change", "failure", "missed"]


class Hooks:
    """The hooks of one config. A hook that fails is logged, and changes nothing else."""

    def __init__(
        self,
        name: str,
        folder: Path,
        table: ScheduleTable | None,
        log: Log,
        webhook_seconds: float = WEBHOOK_SECONDS,
    ) -> None:
        self._name = name
        self._folder = folder.resolve()  # now: the working folder may be deleted later
        self._log = log
        self._webhook_seconds = webhook_seconds
        self._hooks = _hooks_of(table) if table is not None else {}

    def check(self) -> None:
        """Log each command whose program is missing, since its first call may be weeks away. Never raises."""
        for happening, hook in self._hooks.items():
            self._log_problem(happening, hook, partial(_find_missing, hook))

    def call(
        self,
        happening: Happening,
        time: datetime,
        sentence: str,
        run: str | None = None,
        changes: Iterable[ChangePoint] = (),
    ) -> None:
        """Pass the event to its hook as one line of JSON, if the config has that hook. Never raises.

        `run`: name of the run that the event is about; None without a run.
        """
        hook = self._hooks.get(happening)
        if hook is None:
            return

        def send() -> str | None:
            event = {
                "format": FORMAT,
                "event": happening,
                "config": self._name,
                "run": run,
                "folder": str(self._folder),
                "time": time.isoformat(timespec="seconds"),
                "text": printable_text(sentence),
                "changes": [asdict(change) for change in changes],
            }
            line = f"{json.dumps(event)}\n".encode()
            return _post(hook, line, self._webhook_seconds) if is_webhook(hook) else _run(hook, line)

        self._log_problem(happening, hook, send)

    def _log_problem(self, happening: Happening, hook: str, step: Callable[[], str | None]) -> None:
        """Log the problem that `step` returns or raises. An exception is a bug; the schedule continues."""
        try:
            problem = step()
        except Exception:
            problem = f"internal error: {traceback.format_exc()}"
        if problem:
            self._log.important(self._name, f"on_{happening} ({hook}): {problem}")


def missing_hooks(table: ScheduleTable) -> Iterator[str]:
    """A sentence about each hook whose program is missing."""
    for happening, hook in _hooks_of(table).items():
        if problem := _find_missing(hook):
            yield f"on_{happening} ({hook}): {problem}"


def _hooks_of(table: ScheduleTable) -> dict[Happening, str]:
    hooks: dict[Happening, str | None]
    hooks = {"change": table.on_change, "failure": table.on_failure, "missed": table.on_missed}
    return {happening: hook for happening, hook in hooks.items() if hook is not None}


def _find_missing(hook: str) -> str | None:
    """The problem of a command whose program is missing; None if it exists, and for a webhook."""
    if is_webhook(hook) or shutil.which(shlex.split(hook)[0]) is not None:
        return None
    hint_at_blank_in_path = torn_path(Launch(hook))
    remedy = hint_at_blank_in_path or "correct the command, or install the program"
    return f"no such program; {remedy}"


def _run(command: str, line: bytes) -> str | None:
    """Run the command with the line as its input. Return the problem, or None if there was none."""
    try:
        process = subprocess.Popen(
            shlex.split(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        return f"cannot be started: {os_reason(error)}"
    try:
        process.communicate(line, COMMAND_SECONDS)
    except subprocess.TimeoutExpired:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return f"was killed after {COMMAND_SECONDS:.0f} s, which is the time limit"
    return f"ended with exit code {process.returncode}" if process.returncode else None


def _post(address: str, line: bytes, seconds: float) -> str | None:
    """Send the line to the webhook, without proxy or redirection. Return the problem, or None."""
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port or 80, timeout=seconds)
    path = parts.path or "/"
    if parts.query:
        path += f"?{parts.query}"
    deadline = threading.Timer(seconds, _hang_up, [connection])  # `timeout` above limits each read only
    deadline.daemon = True
    deadline.start()
    try:
        connection.request("POST", path, line, {"Content-Type": "application/json"})
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
