"""Pickles values that contain checks, for another process with the same version of conform.

A check of the registry is sent as its id, because its procedure may hold functions that cannot be pickled. A
check that differs from it only by fields of its search procedure is sent as the id and these fields.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from harness.check.model import Check
from harness.check.phases.judged_searches import plan_of
from harness.check.procedures.search import SearchProcedure
from harness.suite.registry import registered


class _Pickler(pickle.Pickler):
    """Pickles a check of the registry by its id."""

    def persistent_id(self, value: object) -> str | None:
        """Return the id of a check of the registry; None for other values, which are pickled as usual."""
        return value.id if isinstance(value, Check) and registered(value.id) is value else None

    def reducer_override(self, value: object) -> Any:
        """Return (function, arguments) that make a changed check again.

        For other values return NotImplemented: they are pickled as usual.

        A changed check differs from the registry's check of its id only by fields of its search procedure.
        """
        known = registered(value.id) if isinstance(value, Check) else None
        if not isinstance(value, Check) or known is None:
            return NotImplemented
        own, original = value.procedure, known.procedure
        if not (isinstance(own, SearchProcedure) and isinstance(original, SearchProcedure)):
            return NotImplemented
        if replace(value, procedure=original) != known:
            return NotImplemented
        values = {field.name: getattr(own, field.name) for field in fields(own)}
        changed = {name: new for name, new in values.items() if new is not getattr(original, name)}
        return _with_search, (known, changed)


def _with_search(check: Check, changed: Mapping[str, Any]) -> Check:
    """Return the check with these values of fields of its search procedure."""
    return replace(check, procedure=replace(plan_of(check), **changed))


class _Unpickler(pickle.Unpickler):
    """Puts the check of this process in the place of its id."""

    def persistent_load(self, check_id: str) -> Check:
        """Return the check of the registry with this id. Raises UnpicklingError if there is none."""
        check = registered(check_id)
        if check is None:
            raise pickle.UnpicklingError(
                f"there is no check {check_id}: the other process has another version of conform"
            )
        return check


def pack(value: object) -> bytes:
    """Return a value as bytes, for `unpack`."""
    file = io.BytesIO()
    _Pickler(file).dump(value)
    return file.getvalue()


def unpack(data: bytes) -> Any:
    """Return the value that `pack` turned into these bytes. They must come from a trusted process.

    Raises UnpicklingError if they name a check that this version does not have.
    """
    return _Unpickler(io.BytesIO(data)).load()
