"""The commands of `conform` and `refbot` as a page of the documentation and as manual pages.

Both are generated from the typer apps, so that no option is missing. `hatch_build.py` writes the manual pages
into the wheel, and `make site` writes the page:

    python -m harness.tools.manual page > commands.md
    python -m harness.tools.manual man conform > conform.1
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from refbot.cli.help import Parameter, sections_of

PROGRAMS = {
    "conform": (
        "harness.cli.app",
        "check Go engines by GTP and the rules, or by the reference specification",
    ),
    "refbot": ("refbot.cli.app", "the reference bot: a GTP engine and fast uniform playouts"),
}
"""The module of each program's `app`, and what the program is."""

HELP = "-h, --help"


@dataclass(frozen=True)
class Command:
    """One command.

    name        "PROGRAM NAME"
    usage       its usage line
    paragraphs  those of its help
    sections    its arguments and options, by the title of their section
    examples    lines for a shell; may be empty
    """

    name: str
    usage: str
    paragraphs: tuple[str, ...]
    sections: Mapping[str, Sequence[Parameter]]
    examples: str

    @property
    def parameters(self) -> list[Parameter]:
        """The parameters of all sections."""
        return [parameter for section in self.sections.values() for parameter in section]


def commands_of(program: str) -> Iterator[Command]:
    """The commands of a program, in the order of its help."""
    import typer

    group: Any = typer.main.get_command(import_module(PROGRAMS[program][0]).app)
    for name, command in group.commands.items():
        with group.make_context(program, [], resilient_parsing=True) as above:
            context = command.make_context(name, [], parent=above, resilient_parsing=True)
            usage = " ".join(command.get_usage(context).split()).removeprefix("Usage: ")
            sections = {
                title: shown
                for title, parameters in sections_of(command, context).items()
                if (shown := [parameter for parameter in parameters if parameter.written != HELP])
            }
        paragraphs = [" ".join(part.split()) for part in (command.help or "").split("\n\n")]
        examples = command.epilog or ""
        yield Command(f"{program} {name}", usage, tuple(filter(None, paragraphs)), sections, examples)


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
            for title, parameters in command.sections.items():
                lines += [f"| {title} | |", "|---|---|"]
                lines += [f"| `{_cell(p.written)}` | {_html(_cell(p.text))} |" for p in parameters]
                lines.append("")
            lines += [f"    {line}" for line in command.examples.splitlines()]
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
        for title, parameters in command.sections.items():
            lines += [".PP", f"\\fI{_roff(title)}\\fR"]
            for parameter in parameters:
                lines += [".TP", f"\\fB{_roff(parameter.written)}\\fR", _roff(parameter.text) or "\\&"]
        if command.examples:
            lines += [".PP", "\\fIExamples\\fR", ".nf", *map(_roff, command.examples.splitlines()), ".fi"]
    if program == "conform":
        lines += [".SH EXIT STATUS", *_exit_status()]
    return "\n".join(lines) + "\n"


def write_man(folder: Path, version: str) -> list[Path]:
    """Write the manual page of each program into a folder; return their paths."""
    pages = {folder / f"{program}.1": man(program, version) for program in PROGRAMS}
    for path, text in pages.items():
        path.write_text(text, encoding="utf-8")
    return list(pages)


EXIT_STATUS = (
    (0, "every bot conforms, or the command succeeded"),
    (1, "a bot deviates"),
    (2, "a mistake of the user, or a lack of this machine"),
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
