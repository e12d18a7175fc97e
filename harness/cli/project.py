"""The settings of a project: `conform.toml`, or `[tool.conform]` in pyproject.toml, of this folder or above.

The table `[check]` (`[tool.conform.check]` in pyproject.toml) has the bot, and values for the options of
`conform check` and `conform explore`. An option of the command line overrides the value of the file. Paths
are relative to the folder of the file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from harness.cli.exits import UsageError
from harness.cli.paths import PROJECT_FILE, SHARED_FILE

BOTH_GIVEN = "--config and --no-config exclude each other: give one of them"
"""The message of a UsageError."""


def use_project(context: typer.Context, config: Path | None) -> Path | None:
    """Make the settings of the project the defaults of a command: the callback of --config.

    Without --config, the nearest project counts, if any. Return `config`. Raises UsageError.
    """
    from harness.cli.project_file import find_project, read_project

    if context.resilient_parsing:  # a shell completes a line
        return config
    if config is not None and context.params.get("no_config"):
        raise UsageError(BOTH_GIVEN)
    project = None
    if config is not None:
        project = read_project(config)
    elif not context.params.get("no_config"):
        project = find_project(Path.cwd())
    if project is not None:
        context.obj = project
        context.default_map = _select_defaults(context, project.defaults())
    return config


def _check_no_config(context: typer.Context, no_config: bool) -> bool:
    """Raise UsageError if --config stands before --no-config: the callback of --no-config.

    Otherwise return `no_config`. Options are processed in the order of the command line.
    """
    if no_config and context.params.get("config") is not None and not context.resilient_parsing:
        raise UsageError(BOTH_GIVEN)
    return no_config


def _select_defaults(context: typer.Context, defaults: Mapping[str, object]) -> dict[str, object]:
    """Return the values for the parameters that the command has; a command for one bot takes the first."""
    names = {parameter.name for parameter in context.command.params}
    kept = {name: value for name, value in defaults.items() if name in names}
    bots = defaults.get("bots")
    if "bot" in names and isinstance(bots, list):
        kept["bot"] = bots[0]
    return kept


NoConfig = Annotated[
    bool,
    typer.Option(
        "--no-config", is_eager=True, callback=_check_no_config, help="Use no settings of the project."
    ),
]
ConfigFile = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        is_eager=True,
        callback=use_project,
        help=(
            f"Settings of the project (default: {PROJECT_FILE}, or [tool.conform] in {SHARED_FILE}, "
            "here or above)."
        ),
    ),
]


ProjectBots = Annotated[
    list[str] | None,
    typer.Argument(metavar="BOT", help="Command lines, one argument each (default: of the settings)."),
]
ProjectBot = Annotated[
    str | None,
    typer.Argument(metavar="BOT", help="Command line, in one argument (default: of the settings)."),
]


def bots_of(bots: Sequence[str] | None, command: str) -> list[str]:
    """Return the command lines of the bots. Raises UsageError if there is none.

    `command`: name of the command of conform, for the message.
    """
    if not bots:
        raise UsageError(
            f"no BOT is given: name its command (conform {command} ./mybot), or write it into "
            f"{PROJECT_FILE}: conform init --bot ./mybot (conform {command} --help)"
        )
    return list(bots)


def folder_of_bots(context: typer.Context) -> Path | None:
    """Return the folder in which the bots run; None if it is the current folder.

    Bots of the settings run in the folder of the file, bots of the command line in the current folder.
    """
    if context.obj is None or not any(_is_from_settings(context, parameter) for parameter in ("bots", "bot")):
        return None
    folder: Path = context.obj.file.parent
    return None if folder == Path.cwd() else folder


def settings_line(context: typer.Context) -> str:
    """Return a line that names the file of the settings and the options from it; empty if there are none."""
    if context.obj is None:
        return ""
    used = [
        parameter.opts[0] if parameter.param_type_name == "option" else "BOT"
        for parameter in context.command.params
        if parameter.name is not None and _is_from_settings(context, parameter.name)
    ]
    if not used:
        return ""
    folder = folder_of_bots(context)
    where = f"; the bot runs in {folder}" if folder else ""
    return f"settings of {context.obj.file}: {', '.join(used)}{where}"


def _is_from_settings(context: typer.Context, parameter: str) -> bool:
    """Return True if the value of a parameter comes from the settings of the project."""
    source = context.get_parameter_source(parameter)
    return source is not None and source.name == "DEFAULT_MAP"
