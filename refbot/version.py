"""The version that the engine and the command line report."""

from __future__ import annotations

from importlib import metadata

UNKNOWN = "unknown"
"""The version of a source tree that is not installed."""


def version() -> str:
    """The version of the installed distribution."""
    try:
        return metadata.version("conform")
    except metadata.PackageNotFoundError:
        return UNKNOWN
