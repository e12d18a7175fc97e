"""The file of the settings of a project: its tables, where it is looked for, and how it is read."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, ValidationError

from harness.arena.config.base import ConfigTable
from harness.cli.exits import UsageError
from harness.cli.paths import PROJECT_FILE, SHARED_FILE
from harness.files.toml_tables import (
    MOST_FOUND,
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

Command = Annotated[str, Field(min_length=1)]
FilePath = Annotated[str, Field(min_length=1)]
Time = Annotated[float, Field(gt=0)] | str
"""A number of seconds, or a duration such as "2m"."""

OF_SEVERAL_TYPES = frozenset({"bot", "budget", "startup", "timeout"})
"""Keys of `[check]` whose value has one of two types. pydantic tries both, and adds the type to the path."""
WRONG_TYPE = frozenset({"string_type", "float_type", "tuple_type"})
"""The kinds of a mistake that a value of OF_SEVERAL_TYPES is not of the type that pydantic tried."""


class ReportPaths(ConfigTable):
    """`[check.reports]`: the files that `conform check` writes."""

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
    profile: str | None = None
    rules: str | None = None
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
        """The given values by the name of the parameter of `conform check`, as typer takes them.

        For `jobs = 2` and `env = {A = "1"}` it is {"jobs": 2, "env": ["A=1"]}.
        """
        table = self.check
        options: dict[str, object] = {
            name: getattr(table, name)
            for name in (
                *("playouts", "size", "jobs", "strict", "seed", "sandbox", "startup", "timeout"),
                *("profile", "rules"),
            )
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
        """Return a path that the file names, from its folder, as a path from the current folder.

        `-`, standard output, and None stay as they are.
        """
        if path is None or path == "-":
            return path
        folder = self.file.parent
        return str(Path(path).expanduser() if folder == Path.cwd() else folder / Path(path).expanduser())


def _as_text(time: float | str) -> str:
    return time if isinstance(time, str) else f"{time:g}"


def find_project(folder: Path) -> Project | None:
    """Read the settings of the nearest project, in this folder or above; None if there is none.

    Raises UsageError if they are wrong or belong to another user. Settings start programs, and in a folder
    above, such as /tmp, anybody can have put them.
    """
    for parent in (folder, *folder.parents):
        for file in (parent / PROJECT_FILE, parent / SHARED_FILE):
            if file.is_file() and (file.name == PROJECT_FILE or _is_shared(file)):
                _check_owner(file)
                return read_project(file)
    return None


def _check_owner(file: Path) -> None:
    """Raise UsageError if settings that nobody has named, or a link to them, belong to another user."""
    owners = {file.lstat().st_uid, file.stat().st_uid} - {os.geteuid(), 0}
    if owners:
        raise UsageError(
            f"{file} belongs to another user (number {owners.pop()}), and settings start programs: name it "
            "with --config if you trust it, or use no settings with --no-config"
        )


def _is_shared(file: Path) -> bool:
    """Return True if a pyproject.toml has settings of this program. One that cannot be read has none."""
    with suppress(TomlError, OSError):
        tools = parse_toml(read_toml(file), str(file)).get("tool")
        return isinstance(tools, dict) and "conform" in tools
    return False


def read_project(file: Path) -> Project:
    """Read the settings of a file. A pyproject.toml without `[tool.conform]` gives empty settings.

    Raises UsageError, which names the first mistake in the form of TOML, or else all wrong keys and values.
    """
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
            for path, what in _mistakes(error.errors(include_url=False)[:MOST_FOUND]).items()
        ]
        raise UsageError(str(TomlError(str(file), mistakes))) from None


def _mistakes(entries: Sequence[Any]) -> dict[KeyPath, str]:
    """Return what is wrong, by the path of the key, from the entries of pydantic.

    A value of several types has an entry for each type. Only those of the type that it has are used; of a
    value that has none of the types, the last one.
    """
    typed = {entry["loc"][:2] for entry in entries if not _has_wrong_type(entry)}
    used = (entry for entry in entries if not (_has_wrong_type(entry) and entry["loc"][:2] in typed))
    return dict(map(_mistake, used))


def _mistake(entry: Any) -> tuple[KeyPath, str]:
    """Return the path of a mistake that pydantic has found, and what is wrong."""
    path: KeyPath = entry["loc"]
    if entry["type"] == "extra_forbidden":  # no value of several types has keys
        # By length of the path of a key: the table that has the key.
        tables: Mapping[int, type[ConfigTable]] = {1: ProjectTable, 2: CheckTable, 3: ReportPaths}
        return path, "unknown key" + nearest(str(path[-1]), _names(tables[len(path)]))
    return (*path[:2], *path[3:]) if _is_of_several_types(path) else path, in_words(entry)


def _is_of_several_types(path: KeyPath) -> bool:
    """Return whether a path of pydantic has the type of the value behind its key."""
    return len(path) > 2 and path[1] in OF_SEVERAL_TYPES


def _has_wrong_type(entry: Any) -> bool:
    """Return whether a value of several types does not have the type of this entry of pydantic."""
    path = entry["loc"]
    return _is_of_several_types(path) and len(path) == 3 and entry["type"] in WRONG_TYPE


def _names(table: type[ConfigTable]) -> list[str]:
    return [field.alias or name for name, field in table.model_fields.items()]


def _path_in_words(path: KeyPath) -> str:
    """A path to a value for a message: "[check.reports] json"."""
    *tables, key = map(str, path)
    return f"[{'.'.join(tables)}] {key}" if tables else key
