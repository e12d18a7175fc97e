"""Parameters of tests, of which only some are tried in every run."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import pytest

from tests.thorough import Mutant, thorough


def slow_but(often: Collection[Any], values: Iterable[Any]) -> list[Any]:
    """The values as parameters; the tests of all but those `often` tried are slow tests.

    A value that is a tuple stands for several parameters, and is known by the first of them.
    """
    return _marked_but(often, values, pytest.mark.slow)


def thorough_but(often: Collection[Any], values: Iterable[Any], *mutants: Mutant) -> list[Any]:
    """The same, but the tests of the others are thorough tests; a mutant fails by those `often` tried too."""
    return _marked_but(often, values, thorough(*mutants))


def _marked_but(often: Collection[Any], values: Iterable[Any], mark: pytest.MarkDecorator) -> list[Any]:
    rows = [value if isinstance(value, tuple) else (value,) for value in values]
    return [pytest.param(*row, marks=() if row[0] in often else mark) for row in rows]
