"""The settings of a project: `conform.toml`, or `[tool.conform]` in pyproject.toml, of this folder or above.

The table `[check]` has the bot, and values for the options of `conform check` and `conform explore`. An
option of the command line overrides the value of the file. Paths are relative to the folder of the file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import Field, ValidationError

from harness.arena.config.base import ConfigTable
from harness.cli.exits import UsageError
from harness.files.toml_tables import (
    KeyPath,
    Lines,
    Mistake,
    TomlError,
    as_json,
    in_words,
    nearest,
    parse_toml,
    read_toml,
)

FILE, SHARED_FILE = "conform.toml", "pyproject.toml"
"""A file of its own, and the file of a Python project, where the table is `[tool.conform]`."""

Command = Annotated[str, Field(min_length=1)]
FilePath = Annotated[str, Field(min_length=1)]
Time = Annotated[float, Field(gt=0)] | str
"""A number of seconds, or a duration such as "2m"."""


class ReportPaths(ConfigTable):
    """`[check.reports]`: the files that each check writes."""

    json_file: FilePath | None = Field(default=None, alias="json")
    junit: FilePath | None = None
    html: FilePath | None = None
    markdown: FilePath | None = None
    badge: FilePath | None = None
    events: FilePath | None = None
    transcript: FilePath | None = None


class CheckTable(ConfigTable):
    """`[check]`: the bot or bots, and the values of options."""

    bot: Command | tuple[Command, ...] = ()
    playouts: int | None = None
    size: int | None = None
    budget: Time | None = None
    jobs: int | None = None
    only: tuple[str, ...] | None = None
    skip: tuple[str, ...] | None = None
    strict: bool | None = None
    seed: int | None = None
    startup: Time | None = None
    timeout: Time | None = None
    env: dict[str, str] | None = None
    sandbox: bool | None = None
    cases: FilePath | None = Field(default=None, alias="with")
    known_failures: FilePath | None = None
    reports: ReportPaths = ReportPaths()


class ProjectTable(ConfigTable):
    """The whole file."""

    check: CheckTable = CheckTable()


@dataclass(frozen=True)
class Project:
    """The settings of a project, and the file that they were read from."""

    file: Path
    check: CheckTable

    @property
    def bots(self) -> list[str]:
        """The command lines of the bots."""
        return [self.check.bot] if isinstance(self.check.bot, str) else list(self.check.bot)

    def defaults(self) -> dict[str, object]:
        """The given values by the name of the parameter of `conform check`, as typer takes them."""
        table = self.check
        options: dict[str, object] = {
            name: getattr(table, name)
            for name in ("playouts", "size", "jobs", "strict", "seed", "sandbox", "startup", "timeout")
        }
        options["budget"] = None if table.budget is None else _as_text(table.budget)
        options["only"], options["skip"] = (list(ids) if ids else None for ids in (table.only, table.skip))
        options["env"] = [f"{name}={value}" for name, value in (table.env or {}).items()] or None
        options["with_file"] = self._path(table.cases)
        options["known_failures"] = self._path(table.known_failures)
        options |= {name: self._path(path) for name, path in table.reports}
        options["bots"] = self.bots or None
        return {name: value for name, value in options.items() if value is not None}

    def _path(self, path: str | None) -> str | None:
        """Return a path of the file as a path from the current folder; `-` is standard output."""
        if path is None or path == "-":
            return path
        folder = self.file.parent
        return str(Path(path).expanduser() if folder == Path.cwd() else folder / Path(path).expanduser())


def _as_text(time: float | str) -> str:
    return time if isinstance(time, str) else f"{time:g}"


def find_project(folder: Path) -> Project | None:
    """Read the settings of the nearest project: in this folder, or above. Raises UsageError."""
    for parent in (folder, *folder.parents):
        if (parent / FILE).is_file():
            return read_project(parent / FILE)
        if _is_shared(parent / SHARED_FILE):
            return read_project(parent / SHARED_FILE)
    return None


def _is_shared(file: Path) -> bool:
    """Return True if a pyproject.toml has settings of this program. One that cannot be read has none."""
    with suppress(TomlError, OSError):
        return file.is_file() and "conform" in parse_toml(read_toml(file), str(file)).get("tool", {})
    return False


def read_project(file: Path) -> Project:
    """Read the settings of a file. Raises UsageError with every mistake in it."""
    shared: KeyPath = ("tool", "conform") if file.name == SHARED_FILE else ()
    try:
        text = read_toml(file)
        data: Any = parse_toml(text, str(file))
        for key in shared:
            data = data.get(key, {}) if isinstance(data, dict) else data
        return Project(file.absolute(), ProjectTable.model_validate_json(as_json(data, str(file))).check)
    except TomlError as error:
        raise UsageError(str(error)) from None
    except ValidationError as error:
        lines = Lines(text)
        mistakes = [
            Mistake(lines.find((*shared, *path)), _path_in_words((*shared, *path)), what)
            for path, what in dict(map(_mistake, error.errors(include_url=False))).items()
        ]
        raise UsageError(str(TomlError(str(file), mistakes))) from None


def _mistake(entry: Any) -> tuple[KeyPath, str]:
    """Return the path of a mistake that pydantic has found, and what is wrong."""
    path = tuple(part for part in entry["loc"] if not _is_of_union(part))
    if entry["type"] != "extra_forbidden":
        return path, in_words(entry)
    tables: Mapping[int, type[ConfigTable]] = {1: ProjectTable, 2: CheckTable, 3: ReportPaths}
    return path, "unknown key" + nearest(str(path[-1]), _names(tables[len(path)]))


def _is_of_union(part: str | int) -> bool:
    """Return True for the parts that pydantic adds to a path where a value has one of several types."""
    return isinstance(part, str) and ("[" in part or part in ("str", "float", "tuple"))


def _names(table: type[ConfigTable]) -> list[str]:
    return [field.alias or name for name, field in table.model_fields.items()]


def _path_in_words(path: KeyPath) -> str:
    *tables, key = map(str, path)
    return f"[{'.'.join(tables)}] {key}" if tables else key


def use_project(context: typer.Context, config: Path | None) -> Path | None:
    """Make the settings of the project the defaults of a command: the callback of --config."""
    if context.resilient_parsing:  # a shell completes a line
        return config
    if config is not None and context.params.get("no_config"):
        raise UsageError("--config and --no-config exclude each other: give one of them")
    project = None
    if config is not None:
        project = read_project(config)
    elif not context.params.get("no_config"):
        project = find_project(Path.cwd())
    if project is not None:
        context.obj = project
        context.default_map = _for_command(context, project.defaults())
    return config


def _for_command(context: typer.Context, defaults: Mapping[str, object]) -> dict[str, object]:
    """Keep the values for parameters that the command has; a command for one bot takes the first."""
    names = {parameter.name for parameter in context.command.params}
    kept = {name: value for name, value in defaults.items() if name in names}
    bots = defaults.get("bots")
    if "bot" in names and isinstance(bots, list):
        kept["bot"] = bots[0]
    return kept


NoConfig = Annotated[bool, typer.Option("--no-config", is_eager=True, help="Use no settings of the project.")]
ConfigFile = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        is_eager=True,
        callback=use_project,
        help=f"Settings of the project (default: {FILE}, or [tool.conform] in {SHARED_FILE}, here or above).",
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


def bots_of(context: typer.Context, bots: Sequence[str] | None, command: str) -> list[str]:
    """Return the command lines of the bots. Raises UsageError if there is none."""
    if not bots:
        raise UsageError(
            f"no BOT is given: name its command (conform {command} ./mybot), or write it into {FILE}: "
            "conform init --bot ./mybot"
        )
    return list(bots)


def folder_of_bots(context: typer.Context, parameter: str) -> Path | None:
    """Return the folder in which the bots of the settings run; None for bots of the command line."""
    if not isinstance(context.obj, Project) or not _is_default(context, parameter):
        return None
    folder = context.obj.file.parent
    return None if folder == Path.cwd() else folder


def settings_line(context: typer.Context) -> str:
    """Return a line that names the file of the settings and what comes from it; empty without a file."""
    if not isinstance(context.obj, Project):
        return ""
    used = [
        parameter.opts[0] if parameter.param_type_name == "option" else "BOT"
        for parameter in context.command.params
        if parameter.name is not None and _is_default(context, parameter.name)
    ]
    folder = folder_of_bots(context, "bots") or folder_of_bots(context, "bot")
    where = f"; the bot runs in {folder}" if folder else ""
    return f"settings of {context.obj.file}: {', '.join(used)}{where}"


def _is_default(context: typer.Context, parameter: str) -> bool:
    """Return True if the value of a parameter comes from the settings of the project."""
    source = context.get_parameter_source(parameter)
    return source is not None and source.name == "DEFAULT_MAP"
