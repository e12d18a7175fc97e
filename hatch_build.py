"""Builds the package of a wheel, and its manual pages, which are written from the command line itself."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Package(BuildHookInterface[Any]):
    """Adds the files that a checkout does not have in this form. `harness.tools.packing` has the reason.

    A wheel gets the packages inside one, and `share/man/man1/conform.1` and `refbot.1`. An editable install
    gets modules that lead to the checkout.
    """

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the files into a temporary folder before the wheel is packed."""
        sys.path.insert(0, self.root)
        from harness.tools.packing import PACKAGE, pack, write_entries

        self._folder = tempfile.TemporaryDirectory()
        folder = Path(self._folder.name)
        if version == "editable":
            build_data["force_include_editable"][str(write_entries(folder))] = PACKAGE
            return
        build_data["force_include"][str(pack(Path(self.root), folder))] = PACKAGE
        from harness import __version__
        from harness.tools.manual import write_man

        for page in write_man(folder, __version__):
            build_data["shared_data"][str(page)] = f"share/man/man1/{page.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the temporary folder."""
        self._folder.cleanup()
