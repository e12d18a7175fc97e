"""Pickles values that contain checks, for another process with the same version of conform.

A check of the registry is sent as its id, because its procedure may hold functions that cannot be pickled.
"""

from __future__ import annotations

import io
import pickle
from typing import Any

from harness.check.model import Check
from harness.suite.registry import registered


class _Pickler(pickle.Pickler):
    def persistent_id(self, value: object) -> str | None:
        """Return the id of a check of the registry; None for other values, which are pickled as usual."""
        return value.id if isinstance(value, Check) and registered(value.id) is value else None


class _Unpickler(pickle.Unpickler):
    def persistent_load(self, check_id: str) -> Check:
        """Return the check of the registry with this id."""
        check = registered(check_id)
        if check is None:
            raise pickle.UnpicklingError(
                f"there is no check {check_id}: the other process has another version of conform"
            )
        return check


def pack(value: object) -> bytes:
    """Return a value as bytes."""
    file = io.BytesIO()
    _Pickler(file).dump(value)
    return file.getvalue()


def unpack(data: bytes) -> Any:
    """Return the value that `pack` turned into these bytes."""
    return _Unpickler(io.BytesIO(data)).load()
