"""The output of the commands of `refbot`: results on stdout, messages on stderr."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import typer

from refbot.errors import RefbotError

USAGE_ERROR = 2  # exit code


def shown(value: object) -> str:
    """The text of a value in a table: a float with four decimals."""
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def say(text: str) -> None:
    """Print the result of a command."""
    print(text)  # noqa: T201 - a command's result


def warn(message: str) -> None:
    """Print a message to stderr, if there is one."""
    if sys.stderr is not None:
        print(f"refbot: {message}", file=sys.stderr)  # noqa: T201 - the message of a command


def refuse(message: str) -> NoReturn:
    """End the command with a message and exit code 2, because of an argument that it cannot use."""
    warn(message)
    raise typer.Exit(USAGE_ERROR)


@contextmanager
def refusing() -> Iterator[None]:
    """Turn a RefbotError in the body, such as for the value of an option, into `refuse`."""
    try:
        yield
    except RefbotError as error:
        refuse(str(error))
