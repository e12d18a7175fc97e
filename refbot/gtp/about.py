"""The name and the version that the engine answers."""

from __future__ import annotations

NAME = "refbot"
UNKNOWN = "unknown"


def version() -> str:
    """The version of the installed distribution; UNKNOWN for a source tree that is not installed."""
    from importlib import metadata  # here, as it takes a tenth of the start of an engine and is seldom needed

    try:
        return metadata.version("gtp-conform")
    except metadata.PackageNotFoundError:
        return UNKNOWN
