"""The console of all commands. It reads no text as markup, and writes no padding to a pipe."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable
from typing import IO, Any, cast

from rich.console import Console

LINE_SECONDS = 30.0
"""Seconds between two lines of progress if the output is no terminal. Chosen: the log of a CI stays short."""

_PADDING = re.compile(r"[ \t]+((?:\x1b\[[\d;]*m)*)(?=\n)")


def terminal(*, no_color: bool = False, to_stderr: bool = False) -> Console:
    """A console on standard output or standard error.

    Text such as `[/x]` or `:smile:` is printed unchanged. If the output is no terminal, no line ends with
    blanks.
    """
    stream = sys.stderr if to_stderr else sys.stdout
    return _console(stream if stream.isatty() else _without_padding(stream), no_color=no_color)


def recorded(width: int, show: Callable[[Console], object]) -> str:
    """Return the output of `show` on a console of this width, as plain text without padding."""
    stream = io.StringIO()
    show(_console(_without_padding(stream), no_color=True, width=width))
    return stream.getvalue()


def _console(stream: IO[str], *, no_color: bool, width: int | None = None) -> Console:
    """A console that prints text as it is. `width`: columns; None: those of the terminal."""
    return Console(
        file=stream,
        width=width,
        no_color=no_color or None,
        markup=False,
        emoji=False,
        highlight=False,
        soft_wrap=False,
    )


def _without_padding(stream: IO[str]) -> IO[str]:
    return cast("IO[str]", _WithoutPadding(stream))


class _WithoutPadding:
    """A text stream that drops the blanks at the end of each line."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        self._stream.write(_PADDING.sub(r"\1", text))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
