"""The table `[[pair]]`, and the keys of `[run]` about handicaps and colours, most of which it may replace."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from harness.arena.config.base import ConfigTable
from harness.arena.config.opening_tables import Openings
from harness.arena.config.scoring import MAX_SIZE, MIN_SIZE
from harness.go import MOST_HANDICAP

MOST_GAMES = 1_000_000
Size = Annotated[int, Field(ge=MIN_SIZE, le=MAX_SIZE)]
Komi = Annotated[float, Field(ge=-400, le=400)]
Handicap = Annotated[int, Field(ge=0, le=MOST_HANDICAP)]
Colours = Literal["alternate", "fixed"]
HandicapStyle = Literal["fixed", "free"]
HandicapBonus = Literal["none", "N-1", "N"]


class PairingKeys(ConfigTable):
    """Keys of `[run]` about handicaps, colours and gauntlets."""

    handicap: Handicap = Field(
        default=0,
        description="Number of handicap stones of Black, 2 to 9; White then moves first. 0: an even game.",
    )
    handicap_style: HandicapStyle = Field(
        default="fixed",
        description='Where handicap stones stand: `"fixed"` on the points that GTP lists, `"free"` where '
        "Black's engine wants them (`place_free_handicap`; the fixed points without it).",
    )
    handicap_bonus: HandicapBonus = Field(
        default="none",
        description="Points that White gets for a handicap of N stones when the referee counts the area: "
        '`"N"` as in Chinese rules, `"N-1"` as in AGA rules.',
    )
    colours: Colours = Field(
        default="alternate",
        description='Who has Black: `"alternate"` plays each opening twice, with colours exchanged; with '
        '`"fixed"` the first engine of a pair always has Black.',
    )
    gauntlet_seeds: int = Field(
        default=1,
        ge=1,
        le=1000,
        description="How many of the first engines play all others in a gauntlet (and not each other).",
    )


class PairTable(ConfigTable):
    """One `[[pair]]`: two engines, and keys that replace those of `[run]` for their games."""

    black: str = Field(description="Name of the engine that has Black in the first game.")
    white: str = Field(description="Name of its opponent.")
    games: int | None = Field(
        default=None, ge=1, le=MOST_GAMES, description="Number of games; even, unless colours are fixed."
    )
    size: Size | None = Field(default=None, description="Board size.")
    komi: Komi | None = Field(default=None, description="Komi.")
    handicap: Handicap | None = Field(default=None, description="Number of handicap stones of Black.")
    handicap_style: HandicapStyle | None = Field(default=None, description="Where handicap stones stand.")
    handicap_bonus: HandicapBonus | None = Field(
        default=None, description="Points that White gets for handicap stones."
    )
    openings: Openings | None = Field(default=None, description="How a game begins.")
    colours: Colours | None = Field(default=None, description="Who has Black.")

    def replacements(self) -> dict[str, object]:
        """The keys of `[run]` that this pair replaces, with their values."""
        names = (name for name in type(self).model_fields if name not in ("black", "white"))
        return {name: value for name in names if (value := getattr(self, name)) is not None}
