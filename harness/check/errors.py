"""The base class of the errors of this package."""

from __future__ import annotations


class ChecksError(Exception):
    """Base class of all errors of `harness.check`."""
