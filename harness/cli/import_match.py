"""`conform init --from FILE` and `--from-cutechess LINE`: translate settings of another match program."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from harness.cli.exits import ExitCode, UsageError
from harness.cli.printing import say
from harness.files import os_reason, read_named, replaced

if TYPE_CHECKING:
    from harness.imports.imported import Imported

MOST_BYTES = 1 << 20
"""Most bytes of a control file; a longer one is refused. Chosen: real files have some kilobytes."""


def import_control(path: Path, folder: Path, *, force: bool) -> ExitCode:
    """Translate a control file of gomill's ringmaster into a config in the folder; return the exit code.

    Raises UsageError if it cannot be read or translated, or if the config cannot be written or has mistakes.
    """
    from harness.imports.imported import ImportSettingsError
    from harness.imports.ringmaster import import_control_file

    try:
        raw = read_named(path, MOST_BYTES)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {os_reason(error)}") from None
    try:
        made = import_control_file(raw.decode("utf-8", "replace"), path.name)
    except ImportSettingsError as error:
        raise UsageError(f"{path}: {error}") from None
    return _write(made, folder, force=force)


def import_command(line: str, folder: Path, *, force: bool) -> ExitCode:
    """Translate a command line of cutechess-cli or fastchess to a config in the folder; return the exit code.

    Raises UsageError if it cannot be translated, or if the config cannot be written or has mistakes.
    """
    from harness.imports.chess_command import import_chess_command
    from harness.imports.imported import ImportSettingsError

    try:
        made = import_chess_command(line)
    except ImportSettingsError as error:
        raise UsageError(f"--from-cutechess: {error}") from None
    return _write(made, folder, force=force)


def _write(made: Imported, folder: Path, *, force: bool) -> ExitCode:
    """Write the config as NAME.toml, print what was not translated, and check the config.

    Raises UsageError if the file exists without `force` or cannot be written. Raises it also if the written
    config has mistakes, which the user must correct by hand.
    """
    from harness.arena.config.reader import ConfigError, parse_config

    target = folder / f"{made.run['name']}.toml"
    if target.exists() and not force:
        raise UsageError(f"{target} exists (--force overwrites it)")
    text = made.as_toml()
    try:
        with replaced(target) as file:
            file.write(text)
    except OSError as error:
        raise UsageError(f"cannot write {target}: {os_reason(error)}") from None
    say(f"wrote {target}")
    for note in made.notes:
        say(f"  note: {note}")
    play = f"conform match {quote(str(target))}"
    try:
        parse_config(text, str(target))
    except ConfigError as error:
        raise UsageError(f"{error}\nmend these lines, then run: {play}") from None
    say(f"next: {play}")
    return ExitCode.CONFORMS
