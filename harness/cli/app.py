"""The commands of `conform` under one name, and the exit codes that they share."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from importlib import import_module
from typing import NoReturn

import typer

from harness.cli.exits import ExitCode, UsageError

app = typer.Typer(
    name="conform",
    help="Does a Monte-Carlo Go bot conform to the reference specification? And if not, what is wrong?",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
COMMANDS = (
    "check",
    "explore",
    "checks",
    "explain",
    "seeds",
    "match",
    "schedule",
    "report",
    "init",
    "compare",
    "selftest",
)
"""Modules of this package, each with a function `register`."""

for command in COMMANDS:
    import_module(f"harness.cli.{command}").register(app)


def main() -> None:
    """Entry point. A user's mistake: one line and exit code 2. A bug: a traceback and exit code 70."""
    try:
        code = app(standalone_mode=False) or ExitCode.CONFORMS
        sys.stdout.flush()
    except UsageError as problem:
        _exit_with_usage_error(str(problem))
    except typer.TyperException as problem:
        _exit_with_usage_error(problem.format_message())
    except (KeyboardInterrupt, typer.Abort):
        sys.exit(ExitCode.INTERRUPTED)
    except (BrokenPipeError, SystemExit):  # typer and rich exit when the reader of the output is gone
        _drop_output()
        sys.exit(ExitCode.INTERRUPTED)
    except OSError as error:
        if error.errno != errno.ENOSPC or error.filename is not None:
            _report_bug()
        _drop_output()
        _exit_with_usage_error("the output cannot be written: no space left on device")
    except Exception:
        _report_bug()
    sys.exit(code)


def _report_bug() -> NoReturn:
    traceback.print_exc()
    sys.stderr.write("conform: internal error; please report it with the lines above\n")
    sys.exit(ExitCode.INTERNAL)


def _drop_output() -> None:
    """Discard buffered output. Otherwise Python would report at its end that it cannot be written."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _exit_with_usage_error(text: str) -> NoReturn:
    sys.stderr.write(f"conform: {text}\n")
    sys.exit(ExitCode.USAGE)
