"""Writes the files of a stored run in the formats that were asked for.

Each module `format_NAME` of this package is a format. `conform report --format NAME` and `formats` in the
config select it by its name; `write_run` calls its function `write(store, verdicts, folder)`. A new format is
a new module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path

from harness.arena.config.tables import REPORT_FORMATS
from harness.arena.store.store import Store
from harness.arena.verdicts import MatchVerdicts
from harness.report.files.bundles import write_bundles

WRITERS: dict[str, Callable[[Store, MatchVerdicts, Path], object]] = {
    name: import_module(f"harness.report.files.format_{name.replace('-', '_')}").write
    for name in REPORT_FORMATS
}
"""By the name of a format, the function that writes it."""


def write_run(store: Store, verdicts: MatchVerdicts, folder: Path, formats: Iterable[str]) -> None:
    """Write the files of these formats, and the bundles of failed games, into `folder`. Raises OSError."""
    for name in formats:
        WRITERS[name](store, verdicts, folder)
    write_bundles(store.failures(), store, folder)
