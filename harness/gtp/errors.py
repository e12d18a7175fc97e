"""The errors of `harness.gtp`; only `DurationError` is in `numbers`.

A fault of a running engine raises no error: its `Exchange` records it.
"""

from __future__ import annotations

MAX_QUOTED = 500  # characters of a command that a message quotes at most; chosen: a few lines of a terminal


def _quoted(command: str) -> str:
    """Return a command in quotes, cut to MAX_QUOTED characters."""
    return repr(command if len(command) <= MAX_QUOTED else command[:MAX_QUOTED] + "…")


class GtpError(Exception):
    """Base class of all errors of `harness.gtp`."""


class CommandError(GtpError, ValueError):
    """Text that cannot be sent as one GTP command."""


class EngineStartError(GtpError):
    """An engine could not be started. `reason` says why; `hint`, which may be empty, says what to do."""

    def __init__(self, command: str, reason: str, hint: str = "") -> None:
        super().__init__(command, reason, hint)
        self.command = command
        self.reason = reason
        self.hint = hint

    def __str__(self) -> str:
        line = f"cannot start {_quoted(self.command)}: {self.reason}"
        return f"{line} ({self.hint})" if self.hint else line


class ShortageError(GtpError):
    """An engine could not be started because this machine lacks file descriptors, memory, processes or disk.

    `lack` names what it lacks; `hint` says what to do.
    """

    def __init__(self, command: str, lack: str, hint: str) -> None:
        super().__init__(command, lack, hint)
        self.command = command
        self.lack = lack
        self.hint = hint

    def __str__(self) -> str:
        return f"cannot start {_quoted(self.command)}: this machine has no more {self.lack} ({self.hint})"


class VertexError(GtpError, ValueError):
    """`text` is no vertex of a board of `size` lines; `reason` says why in a few words."""

    def __init__(self, text: str, size: int, reason: str) -> None:
        super().__init__(f"{text!r} is no vertex on {size}x{size}: {reason}")
        self.text = text
        self.size = size
        self.reason = reason


class ColourError(GtpError, ValueError):
    """`text` is not the name of a colour."""

    def __init__(self, text: str) -> None:
        super().__init__(f"{text!r} is no colour: expected b, black, w or white")
        self.text = text
