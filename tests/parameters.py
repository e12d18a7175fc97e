"""Parameters of tests, of which only some are tried in every run."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import pytest


def slow_but(often: Collection[Any], values: Iterable[Any]) -> list[Any]:
    """The values as parameters; the tests of all but those `often` tried are slow tests.

    A value that is a tuple stands for several parameters, and is known by the first of them.
    """
    rows = [value if isinstance(value, tuple) else (value,) for value in values]
    return [pytest.param(*row, marks=() if row[0] in often else pytest.mark.slow) for row in rows]
