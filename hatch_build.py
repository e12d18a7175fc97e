"""Writes the manual pages of conform and refbot into a wheel, from the command line itself."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ManualPages(BuildHookInterface[Any]):
    """Adds `share/man/man1/conform.1` and `refbot.1` to a wheel. An editable install has none."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the pages into a temporary folder before the wheel is packed."""
        if version == "editable":
            return
        sys.path.insert(0, self.root)
        from harness import __version__
        from harness.tools.manual import PROGRAMS, man

        self._folder = tempfile.TemporaryDirectory()
        for program in PROGRAMS:
            page = Path(self._folder.name) / f"{program}.1"
            page.write_text(man(program, __version__), encoding="utf-8")
            build_data["shared_data"][str(page)] = f"share/man/man1/{page.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the temporary folder."""
        if version != "editable":
            self._folder.cleanup()
