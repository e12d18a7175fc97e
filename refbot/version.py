"""The version that the engine and the command line report."""

from __future__ import annotations

UNKNOWN = "unknown"
"""The version of a source tree that is not installed."""


def version() -> str:
    """The version of the installed distribution."""
    from importlib import metadata  # a tenth of the start of an engine, most of which are never asked

    try:
        return metadata.version("conform")
    except metadata.PackageNotFoundError:
        return UNKNOWN
