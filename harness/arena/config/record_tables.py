"""The keys of `[run]` that choose the records of each game beside its moves."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from harness.arena.config.base import ConfigTable


class RecordKeys(ConfigTable):
    """Keys of `[run]` about logs and comments."""

    logs: Literal["all", "failed", "off"] = Field(
        default="failed",
        description="The games whose GTP logs are kept: every game, those with a failure, or none.",
    )
    comments: Literal["off", "asked", "stderr"] = Field(
        default="asked",
        description="Engines' comments on their moves: the answer to `gomill-explain_last_move` where an "
        'engine lists it (`"asked"`), else also its lines on stderr (`"stderr"`), or none.',
    )
