"""Small JSON files that survive a power cut: a file has its whole old or its whole new content."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from harness.arena.folder.errors import StateFileError
from harness.files import os_reason, read_file, replaced

MOST_BYTES = 1 << 20
"""Bytes of a file that are read: a larger one is damaged. Chosen: a thousand times what conform writes."""


def save_json(path: Path, data: Mapping[str, Any]) -> None:
    """Replace `path` by `data`. Raises OSError, and then leaves the old file."""
    with replaced(path, durable=True) as file:
        json.dump(data, file, indent=1)
        file.write("\n")


def load_json(path: Path, file_format: str, remedy: str) -> dict[str, Any] | None:
    """The content of `path`, None if it does not exist.

    Raises StateFileError unless the file is whole and of this format; `remedy` says what to do then.
    """
    try:
        data = json.loads(read_file(path, most=MOST_BYTES).decode("utf-8"))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StateFileError(path, f"cannot be read: {os_reason(error)}") from None
    except (ValueError, RecursionError):  # or nested too deeply
        raise StateFileError(path, f"is damaged; {remedy}") from None
    found = data.get("format") if isinstance(data, dict) else None
    if found != file_format:
        raise StateFileError(path, f"is not {file_format} but {found or 'something else'}; {remedy}")
    return dict(data)
