"""Prints lines that name files and bots. A terminal acts on no character of such a name."""

from __future__ import annotations

import typer

from harness.report.visible import safe


def say(text: str, *, err: bool = False) -> None:
    """Print text with each unprintable character as an escape."""
    typer.echo(safe(text), err=err)
