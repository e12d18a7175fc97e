"""The command line of conform: parse, call, print, exit code. One module a command."""

from harness.cli.app import main

__all__ = ["main"]
