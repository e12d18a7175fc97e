"""The commands of `conform` under one name, and the exit codes that they share."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from importlib import import_module
from typing import Annotated, Any, NoReturn

import typer
import typer.core

from harness import __version__
from harness.cli.exits import ExitCode, UsageError
from harness.cli.streams import (
    STDOUT,
    LastingOutput,
    end_on_sigterm,
    keep_writing,
    open_standard_streams,
    unblock_signals,
)


class Commands(typer.core.TyperGroup):
    """The commands. An interrupt that none of them handles is an error, as it is not to typer."""

    def invoke(self, ctx: Any) -> object:
        """Run a command. Raises typer.Abort for an interrupt: typer would return its exit code."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise typer.Abort from None


app = typer.Typer(
    name="conform",
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
COMMANDS = (
    "check",
    "explore",
    "checks",
    "explain",
    "vectors",
    "spec",
    "docs",
    "seeds",
    "match",
    "audit",
    "schedule",
    "report",
    "verify",
    "status",
    "serve",
    "init",
    "compare",
    "selftest",
)
"""Modules of this package, each with a function `register`."""
START_ENGINES = frozenset({"check", "explore", "compare", "match", "schedule", "selftest", "seeds"})
"""Commands whose engines may leave orphans."""
ONLY_PRINT = frozenset({"checks", "explain", "vectors", "spec", "docs", "status"})
"""Commands whose result is what they print. All others have another result: a verdict, files, games."""


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"conform {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def options(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version.")
    ] = False,
) -> int:
    """Check whether a Monte-Carlo Go bot follows the reference specification, and name what is wrong."""
    if context.invoked_subcommand in START_ENGINES:
        from harness.gtp import claim_orphans, keep_exit_codes

        keep_exit_codes()
        claim_orphans()
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
    return ExitCode.CONFORMS


for command in COMMANDS:
    import_module(f"harness.cli.{command}").register(app)


def main() -> None:
    """Entry point. A user's mistake: one line and exit code 2. A bug: a traceback and exit code 70."""
    closed = open_standard_streams()
    if STDOUT in closed:
        _exit_with_usage_error("the output is closed: send it to a terminal, a file or /dev/null")
    output = keep_writing()
    if os.name == "nt":
        _exit_with_usage_error(
            "Windows is not supported, because engines are run by POSIX pipes and process groups: "
            "use the Windows Subsystem for Linux"
        )
    try:
        end_on_sigterm()
        unblock_signals()
        code = app(_arguments(), prog_name="conform", standalone_mode=False) or ExitCode.CONFORMS
    except UsageError as problem:
        _exit_with_usage_error(str(problem))
    except typer.TyperException as problem:
        _exit_with_usage_error(f"{problem.format_message()} ({_what_helps(problem)})")
    except (KeyboardInterrupt, typer.Abort):  # before there was anything to report
        sys.stderr.write("conform: interrupted\n")
        sys.exit(ExitCode.INTERRUPTED)
    except Exception as error:
        _exit_if_short(error)
        _report_bug()
    sys.stdout.flush()
    sys.exit(_code_for(output, code))


def _code_for(output: LastingOutput, code: int) -> int:
    """Return the exit code of a command whose output may be lost. A full disk is one line and exit code 2.

    A reader that left, such as `head`, has what it wanted: a command with a result of its own keeps its code.
    """
    if output.error is None:
        return code
    if output.error.errno != errno.EPIPE:
        _exit_with_usage_error(
            f"the output cannot be written: {os.strerror(output.error.errno or 0).lower()}"
        )
    command = next((word for word in _arguments() if not word.startswith("-")), "")
    return ExitCode.INTERRUPTED if command in ONLY_PRINT else code


def _arguments() -> list[str]:
    """The arguments of this process. `help COMMAND` means `COMMAND --help`; each command takes --version."""
    first, *rest = sys.argv[1:] or [""]
    if rest == ["--version"]:
        return rest
    return [*rest, "--help"] if first == "help" else sys.argv[1:]


def _what_helps(problem: typer.TyperException) -> str:
    context = getattr(problem, "ctx", None)  # only the errors of one command have one
    helps = f"{context.command_path if context else 'conform'} --help"
    takes_bots = context is not None and any(one.name in ("bot", "bots") for one in context.command.params)
    if takes_bots and problem.format_message().startswith("No such option"):
        return f"{helps}; an option of the bot belongs to its command line: quote that as one argument"
    return helps


def _exit_if_short(error: Exception) -> None:
    """Exit with a usage error if this machine lacks descriptors, processes or memory."""
    from harness.gtp import SHORTAGES, ShortageError

    if isinstance(error, ShortageError):
        _exit_with_usage_error(str(error))
    number = errno.ENOMEM if isinstance(error, MemoryError) else getattr(error, "errno", None)
    if number in SHORTAGES and getattr(error, "filename", None) is None:
        lack, hint = SHORTAGES[number]
        _exit_with_usage_error(f"this machine has no more {lack} ({hint})")


def _report_bug() -> NoReturn:
    traceback.print_exc()
    sys.stderr.write("conform: internal error; please report it with the lines above\n")
    sys.exit(ExitCode.INTERNAL)


def _exit_with_usage_error(text: str) -> NoReturn:
    from harness.report.visible import safe

    sys.stderr.write(f"conform: {safe(text)}\n")
    sys.exit(ExitCode.USAGE)
