"""The commands of `conform` and `refbot` as a page of the documentation and as manual pages.

Both are generated from the typer apps, so that no option is missing. `hatch_build.py` writes the manual pages
into the wheel, and `make site` writes the page:

    python -m harness.tools.manual page > commands.md
    python -m harness.tools.manual man conform > conform.1
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any

PROGRAMS = {
    "conform": ("harness.cli.app", "check whether a Monte-Carlo Go bot follows the reference specification"),
    "refbot": ("refbot.cli.app", "the reference bot: a GTP engine and fast uniform playouts"),
}
"""The module of each program's `app`, and what the program is."""

HELP = "-h, --help"


@dataclass(frozen=True)
class Parameter:
    """An argument or an option: how it is written, and what it does."""

    written: str
    text: str


@dataclass(frozen=True)
class Command:
    """One command: "PROGRAM NAME", its usage line, the paragraphs of its help, its arguments and options."""

    name: str
    usage: str
    paragraphs: tuple[str, ...]
    parameters: tuple[Parameter, ...]


def commands_of(program: str) -> Iterator[Command]:
    """The commands of a program, in the order of its help."""
    import typer

    group: Any = typer.main.get_command(import_module(PROGRAMS[program][0]).app)
    for name, command in group.commands.items():
        with group.make_context(program, [], resilient_parsing=True) as above:
            context = command.make_context(name, [], parent=above, resilient_parsing=True)
            usage = " ".join(command.get_usage(context).split()).removeprefix("Usage: ")
            parameters = tuple(
                Parameter(*record)
                for parameter in command.get_params(context)
                if (record := _record(parameter, context)) is not None and record[0] != HELP
            )
        paragraphs = [" ".join(part.split()) for part in (command.help or "").split("\n\n")]
        yield Command(f"{program} {name}", usage, tuple(filter(None, paragraphs)), parameters)


def _record(parameter: Any, context: Any) -> tuple[str, str] | None:
    """The two columns of the help for a parameter; None if the help hides it."""
    found: tuple[str, str] | None = parameter.get_help_record(context)
    return found and (found[0].strip(), " ".join(found[1].split()))


def page() -> str:
    """All commands as Markdown."""
    lines = [
        "# Commands",
        "",
        "This page is written from the command line itself: `conform COMMAND --help` prints the same. A time",
        "is a number of seconds or a duration such as `90s`, `2m`, `1.5h`.",
    ]
    for program in PROGRAMS:
        for command in commands_of(program):
            lines += ["", f"## {command.name}", "", f"    {command.usage}", ""]
            lines += [text for paragraph in command.paragraphs for text in (paragraph, "")]
            if command.parameters:
                lines += ["| | |", "|---|---|"]
                lines += [f"| `{_cell(p.written)}` | {_html(_cell(p.text))} |" for p in command.parameters]
    return "\n".join(lines).rstrip() + "\n"


def _cell(text: str) -> str:
    """Escape text for a cell of a Markdown table, where a bar would end the cell."""
    return text.replace("|", "\\|")


def _html(text: str) -> str:
    """Escape Markdown text outside of code, where an angle bracket would begin a tag."""
    return text.replace("<", "&lt;")


def man(program: str, version: str) -> str:
    """The manual page of a program, for section 1."""
    lines = [
        f'.TH {program.upper()} 1 "" "conform {version}" "User Commands"',
        ".SH NAME",
        f"{program} \\- {_roff(PROGRAMS[program][1])}",
        ".SH SYNOPSIS",
        f".B {program}",
        "COMMAND [OPTIONS] [ARGUMENTS]",
        ".SH COMMANDS",
    ]
    for command in commands_of(program):
        lines += [f'.SS "{command.name}"', ".nf", _roff(command.usage), ".fi"]
        for paragraph in command.paragraphs:
            lines += [".PP", _roff(paragraph)]
        for parameter in command.parameters:
            lines += [".TP", f"\\fB{_roff(parameter.written)}\\fR", _roff(parameter.text) or "\\&"]
    if program == "conform":
        lines += [".SH EXIT STATUS", *_exit_status()]
    return "\n".join(lines) + "\n"


EXIT_STATUS = (
    (0, "every bot conforms, or the command succeeded"),
    (1, "a bot deviates"),
    (2, "wrong usage or a mistake in a config"),
    (3, "inconclusive: the time ended before everything was decided"),
    (4, "a bot could not be run, or is not a GTP engine"),
    (70, "a bug in conform"),
    (130, "interrupted"),
)


def _exit_status() -> Iterator[str]:
    for code, meaning in EXIT_STATUS:
        yield from (".TP", f".B {code}", meaning)


def _roff(text: str) -> str:
    """Escape text for roff: no line begins a request, and options have real hyphens."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + escaped if escaped.startswith((".", "'")) else escaped


def main() -> None:
    """Print the page, or the manual page of a program."""
    from harness import __version__

    write: dict[str, Callable[..., str]] = {"page": page, "man": lambda name: man(name, __version__)}
    sys.stdout.write(write[sys.argv[1]](*sys.argv[2:]))


if __name__ == "__main__":
    main()
