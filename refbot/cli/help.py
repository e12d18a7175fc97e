"""The help of a command: its options in groups, with names for their values, and examples at the end."""

from __future__ import annotations

from typing import Any, NamedTuple

import typer.core

ARGUMENTS, OPTIONS = "Arguments", "Options"
"""Titles of the sections of arguments, and of the options that name no group."""


class Parameter(NamedTuple):
    """An argument or an option: how it is written, and what it does."""

    written: str
    text: str


class HelpfulCommand(typer.core.TyperCommand):
    """A command whose help has a section for each `rich_help_panel` of its options.

    The epilog is printed as it is, under "Examples": shell lines, each below a comment.
    """

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the sections of arguments and options."""
        for title, parameters in sections_of(self, ctx).items():
            with formatter.section(title):
                formatter.write_dl(parameters)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the examples, unwrapped: a line can be copied."""
        if self.epilog:
            with formatter.section("Examples"):
                formatter.write("".join(f"  {line}\n" for line in self.epilog.splitlines()))


def sections_of(command: Any, context: Any) -> dict[str, list[Parameter]]:
    """Return the sections of a command's help by title: arguments, groups, options without a group.

    Groups are in the order of their first options. Hidden parameters and empty sections are left out.
    """
    sections: dict[str, list[Parameter]] = {ARGUMENTS: []}
    for parameter in command.get_params(context):
        if parameter.hidden:
            continue
        is_argument = parameter.param_type_name == "argument"
        title = ARGUMENTS if is_argument else getattr(parameter, "rich_help_panel", None) or OPTIONS
        written = _value(parameter) if is_argument else _written(parameter)
        sections.setdefault(title, []).append(Parameter(written, _text(parameter, context)))
    sections[OPTIONS] = sections.pop(OPTIONS, [])
    return {title: parameters for title, parameters in sections.items() if parameters}


def _written(option: Any) -> str:
    """Return all names of an option, short ones first, and the name of its value unless it is a flag."""
    names = ", ".join(sorted(option.opts, key=lambda name: name.startswith("--")))
    if option.secondary_opts:
        return f"{names} / {', '.join(option.secondary_opts)}"
    return names if option.is_flag else f"{names} {_value(option)}"


def _value(parameter: Any) -> str:
    """Return the name of the value of a parameter, with dots if it takes several values."""
    name = parameter.metavar or parameter.name.upper()
    return name if parameter.nargs == 1 else f"{name}..."


def _text(parameter: Any, context: Any) -> str:
    """Return the help of a parameter, with its default value unless that is None, False or hidden."""
    text: str = parameter.help or ""
    default = parameter.get_default(context, call=False)
    if default is None or default is False or not parameter.show_default:
        return text
    written = f"{default:g}" if isinstance(default, float) else default
    return f"{text.removesuffix('.')} (default: {written})."
