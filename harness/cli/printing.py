"""Prints text without markup: the names of files and bots may have any characters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from harness.report.visible import safe

if TYPE_CHECKING:
    from rich.console import Console


def say(text: str, *, err: bool = False) -> None:
    """Print text with each unprintable character as an escape. `err`: to the standard error."""
    typer.echo(safe(text), err=err)


def print_plain(console: Console, text: str) -> None:
    """Print text as it is, without colours and in one line however long it is; nothing if it is empty."""
    if text:
        console.print(text, markup=False, highlight=False, soft_wrap=True)
