"""The commented configs that come with the package."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable

FOLDERS = ("", "seeds/")
"""Where they lie below `configs`: those to start from, and the published experiments."""


def example_names() -> list[str]:
    """Their paths below `configs`, such as "quick.toml" and "seeds/komi-9x9.toml"."""
    return [
        f"{folder}{file.name}"
        for folder in FOLDERS
        for file in sorted(_configs().joinpath(folder).iterdir(), key=lambda file: file.name)
        if file.name.endswith(".toml")
    ]


def example_text(name: str) -> str:
    """The text of one of them."""
    return _configs().joinpath(name).read_text("utf-8")


def _configs() -> Traversable:
    """In a checkout they lie beside the package."""
    package = files("harness")
    packed = package.joinpath("configs")
    return packed if packed.is_dir() else package.joinpath("../configs")
