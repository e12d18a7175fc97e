"""The crash of an engine with a fault that makes it crash."""

from __future__ import annotations

from refbot.errors import RefbotError


class DeliberateCrashError(RefbotError):
    """Ends the process: a fault in force makes the bot crash here."""
