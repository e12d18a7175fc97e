"""Finds the commented example configs of the package."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable

import harness

FOLDERS = ("", "seeds/")
"""Folders below `configs`: the configs to start from, and the published experiments."""


def example_names() -> list[str]:
    """The paths of the configs below `configs`, such as "quick.toml" and "seeds/komi-9x9.toml"."""
    return [
        f"{folder}{file.name}"
        for folder in FOLDERS
        for file in sorted(_configs().joinpath(folder).iterdir(), key=lambda file: file.name)
        if file.name.endswith(".toml")
    ]


def example_text(name: str) -> str:
    """The text of one config."""
    return _configs().joinpath(name).read_text("utf-8")


def _configs() -> Traversable:
    """The folder of the configs. In a checkout it is beside the package."""
    package = files(harness)
    packed = package.joinpath("configs")
    return packed if packed.is_dir() else package.joinpath("../configs")
