"""Texts of a command: its result on stdout, its messages on stderr."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import typer

from refbot.errors import RefbotError

USAGE_ERROR = 2  # exit code


def shown(value: object) -> str:
    """Return a value as a table shows it."""
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def say(text: str) -> None:
    """Print the result of a command."""
    print(text)  # noqa: T201 - a command's result


def warn(message: str) -> None:
    """Print a message to stderr, if there is one."""
    if sys.stderr is not None:
        print(f"refbot: {message}", file=sys.stderr)  # noqa: T201 - the message of a command


def refuse(message: str) -> NoReturn:
    """End the command, which was given something that it cannot use."""
    warn(message)
    raise typer.Exit(USAGE_ERROR)


@contextmanager
def refusing() -> Iterator[None]:
    """End the command with the message of an error: an option has a value that cannot be used."""
    try:
        yield
    except RefbotError as error:
        refuse(str(error))
