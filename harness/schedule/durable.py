"""Small JSON files that outlive a power cut: the old one or the new one is there, never half of one."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from harness.match import FileError


class StateError(FileError):
    """A file of the scheduler that cannot be used; the reason says what to do."""


def save(path: Path, data: Mapping[str, Any]) -> None:
    """Write `data` in place of `path`. Raises OSError, and then leaves what was there."""
    beside = path.with_name(f".{path.name}.part")
    try:
        with beside.open("w", encoding="utf-8") as file:
            json.dump(data, file, indent=1)
            file.write("\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    settle(path.parent)


def settle(folder: Path) -> None:
    """What has been renamed or made in a folder stays so after a power cut."""
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def load(path: Path, form: str, remedy: str) -> dict[str, Any] | None:
    """What is stored there, None if nothing is. Raises StateError unless it is whole and of this format."""
    try:
        data = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StateError(path, f"cannot be read: {(error.strerror or str(error)).lower()}") from None
    except ValueError:
        raise StateError(path, f"is damaged; {remedy}") from None
    found = data.get("format") if isinstance(data, dict) else None
    if found != form:
        raise StateError(path, f"is no {form} but {found or 'something else'}; {remedy}")
    return dict(data)
