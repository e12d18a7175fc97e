"""The commands of `conform` under one name, and the exit codes that they share."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from copy import copy
from functools import cache
from importlib import import_module
from typing import Annotated, Any

import typer
import typer.core

from harness import __version__
from harness.cli.examples import examples_of
from harness.cli.exits import ExitCode, UsageError
from harness.cli.signals import end_on_sigterm, unblock_signals
from harness.cli.streams import STDOUT, LastingOutput, keep_writing, open_standard_streams
from refbot.cli.help import HelpfulCommand


class Commands(typer.core.TyperGroup):
    """The group of all commands. It changes how an interrupt ends a command."""

    def invoke(self, ctx: Any) -> object:
        """Run a command. Raises typer.Abort for an interrupt, where typer would return an exit code."""
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
COMMANDS = {
    "check": "check",
    "explore": "explore",
    "checks": "reference",
    "explain": "reference",
    "vectors": "reference",
    "spec": "reference",
    "docs": "reference",
    "seeds": "seeds",
    "match": "match",
    "audit": "stored_run",
    "schedule": "schedule",
    "report": "stored_run",
    "verify": "stored_run",
    "status": "status",
    "serve": "status",
    "init": "reference",
    "compare": "compare",
    "selftest": "selftest",
}
"""The module of each command. The function there has the name of the command."""
START_ENGINES = frozenset({"check", "explore", "compare", "match", "schedule", "selftest", "seeds"})
"""Commands that start engines, which may leave orphans (see `harness.gtp.orphans`)."""
ONLY_PRINT = frozenset({"checks", "explain", "vectors", "spec", "docs", "status"})
"""Commands whose only result is the text that they print. The others also have a verdict, files or games."""
LONGEST_LINE = 4_096
"""Characters of a line of a message. Chosen: longer than any path, and than lines to repeat a command."""


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
    """Check Go engines by GTP and the rules of Go, or by the whole reference specification.

    Any GTP engine is checked by the protocol and the rules that it plays by. A Monte-Carlo bot with ref-nodes
    or ref-score is also checked by its playouts and its moves (conform docs spec). The report names what is
    wrong, and what to change.
    """
    if context.invoked_subcommand in START_ENGINES:
        from harness.gtp import claim_orphans, describe_hidden_processes, keep_exit_codes

        if hidden := describe_hidden_processes():
            raise UsageError(
                f"no process of a bot could be found and ended here ({hidden}): mount /proc where conform "
                "runs, as unshare --mount-proc and bwrap --proc /proc do"
            )
        keep_exit_codes()
        claim_orphans()
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
    return ExitCode.CONFORMS


# Each command is loaded with its module; `_group_for` then builds the parser of the wanted one alone.
for command, module in COMMANDS.items():
    app.command(command, cls=HelpfulCommand, epilog=examples_of(command))(
        getattr(import_module(f"{__package__}.{module}"), command)
    )


@cache
def _group_for(command: str) -> Any:
    """Return the group with one command alone, or with all of them for any other word.

    To build all of them takes longer than most commands take to start.
    """
    group = copy(app)
    if command in COMMANDS:
        group.registered_commands = [one for one in app.registered_commands if one.name == command]
    return typer.main.get_command(group)


def main() -> None:
    """Entry point: run the command of this process, and exit with its code."""
    closed = open_standard_streams()
    if STDOUT in closed:
        sys.exit(_print_problem("the output is closed: send it to a terminal, a file or /dev/null"))
    output = keep_writing()
    if os.name == "nt":
        sys.exit(
            _print_problem(
                "Windows is not supported, because engines are run by POSIX pipes and process groups: "
                "use the Windows Subsystem for Linux"
            )
        )
    end_on_sigterm()
    unblock_signals()
    code = run(sys.argv[1:])
    sys.stdout.flush()
    sys.exit(_code_for(output, code))


def run(arguments: list[str]) -> int:
    """Run a command, and return its exit code. A user's mistake: a message on stderr. A bug: a traceback."""
    try:
        words = _expand(arguments)
        group = _group_for(words[0] if words else "")
        return group(words, prog_name="conform", standalone_mode=False) or ExitCode.CONFORMS
    except UsageError as problem:
        return _print_problem(str(problem))
    except typer.TyperException as problem:
        return _print_problem(f"{problem.format_message()} ({_help_hint(problem)})")
    except (KeyboardInterrupt, typer.Abort):  # before there was anything to report
        sys.stderr.write("conform: interrupted\n")
        return ExitCode.INTERRUPTED
    except Exception as error:
        if lack := _describe_shortage(error) or _describe_long_name(error):
            return _print_problem(lack)
        from harness.report.visible import lines

        sys.stderr.write(lines(traceback.format_exc()))
        sys.stderr.write("conform: internal error; please report it with the lines above\n")
        return ExitCode.INTERNAL


def _print_problem(text: str) -> ExitCode:
    """Print a message on stderr, each line shortened, and return exit code 2."""
    from harness.report.visible import one_line

    message = "\n".join(one_line(line, LONGEST_LINE) for line in text.split("\n"))
    sys.stderr.write(f"conform: {message}\n")
    return ExitCode.USAGE


def _describe_shortage(error: Exception) -> str:
    """Name what this machine lacks (see SHORTAGES); empty for any other error, and for one about a file."""
    from harness.gtp import SHORTAGES, ShortageError

    if isinstance(error, ShortageError):
        return str(error)
    number = errno.ENOMEM if isinstance(error, MemoryError) else getattr(error, "errno", None)
    if number not in SHORTAGES or getattr(error, "filename", None) is not None:
        return ""
    lack, hint = SHORTAGES[number]
    return f"this machine has no more {lack} ({hint})"


def _describe_long_name(error: Exception) -> str:
    """Describe a path that is longer than the system allows; empty for any other error."""
    if not isinstance(error, OSError) or error.errno != errno.ENAMETOOLONG:
        return ""
    return f"{error.filename}: {os.strerror(errno.ENAMETOOLONG).lower()}"


def _code_for(output: LastingOutput, code: int) -> int:
    """Return the exit code of this process. `code` is that of the command; `output` may have failed.

    An output that cannot be written, as on a full disk, gives one line on stderr and exit code 2. If a reader
    such as `head` has closed the pipe, a command that only prints was interrupted; any other keeps its code.
    """
    if output.error is None or code in (ExitCode.USAGE, ExitCode.INTERNAL):
        return code
    if output.error.errno != errno.EPIPE:
        reason = os.strerror(output.error.errno or 0).lower()
        return _print_problem(f"the output cannot be written: {reason}")
    command = next((word for word in sys.argv[1:] if not word.startswith("-")), "")
    return ExitCode.INTERRUPTED if command in ONLY_PRINT else code


def _expand(arguments: list[str]) -> list[str]:
    """Expand what typer does not know: `help COMMAND` to `COMMAND --help`; each command takes --version."""
    first, *rest = arguments or [""]
    if rest == ["--version"]:
        return rest
    return [*rest, "--help"] if first == "help" else arguments


def _help_hint(problem: typer.TyperException) -> str:
    """The --help command for a mistake in the options, and a hint if the option may be one of a bot."""
    context = getattr(problem, "ctx", None)  # only the errors of one command have one
    helps = f"{context.command_path if context else 'conform'} --help"
    takes_bots = context is not None and any(each.name in ("bot", "bots") for each in context.command.params)
    if takes_bots and problem.format_message().startswith("No such option"):
        return f"{helps}; an option of the bot belongs to its command line: quote that as one argument"
    return helps
