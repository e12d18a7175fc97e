"""Writes the files of a stored run in the formats that were asked for.

Each module `format_NAME` of this package is a format. `conform report --format NAME` and `formats` in the
config select it by its name; `write_run` calls its function `write(store, verdicts, folder)`. A new format is
a new module.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from pathlib import Path

from harness.arena.store.store import Store
from harness.arena.verdicts import MatchVerdicts
from harness.report.files.bundles import write_bundles
from harness.report.files.game_logs import write_logs


def write_run(store: Store, verdicts: MatchVerdicts, folder: Path, formats: Iterable[str]) -> None:
    """Write the files of these formats, the bundles of failed games and the kept logs. Raises OSError.

    Only the modules of these formats are imported: some take long, and most runs write few formats.
    """
    for name in formats:
        import_module(f"{__package__}.format_{name.replace('-', '_')}").write(store, verdicts, folder)
    config = store.config()
    assert config is not None, "a store with games has a config"
    write_bundles(store.failures(), store, config, folder)
    write_logs(store, config, folder)
