"""The command line of conform. `app` has the list of commands and their modules."""

from harness.cli.app import main

__all__ = ["main"]
