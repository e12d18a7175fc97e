"""The keys of `[run]` about the rules, about who scores a game, and about what a failure costs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from harness.arena.config.base import ConfigTable
from harness.arena.records import ScoredBy
from harness.go import Counting, Ko, Rules

MIN_SIZE, MAX_SIZE = 2, 25
"""Board sizes: the referee and GTP know these."""
PRESETS: Mapping[str, Rules] = {
    "reference": Rules(),
    "tromp-taylor": Rules(suicide=True),
    "chinese": Rules(),
    "japanese": Rules(ko="simple", counting="territory"),
    "simple-ko": Rules(ko="simple"),
}


SCORERS: Mapping[str, str] = {
    "area": "our own count under `rules`, with every stone alive",
    "players": "what both players report by `final_score`; else our own count without the stones that both "
    "call dead; else what the referee reports, if there is one; else as `area`",
    "referee": "what the engine `referee` reports; else as `area`",
}
"""By scorer, the result of a game that two passes or the move cap end."""


class RulesTable(ConfigTable):
    """The rules of a run."""

    ko: Ko = Field(
        default="positional",
        description="Which repetition is illegal: of the board, of the board with the same side to move, "
        "or only the recapture of a single stone at once.",
    )
    suicide: bool = Field(default=False, description="Whether two or more stones may commit suicide.")
    counting: Counting = Field(
        default="area",
        description="What counts: stones and surrounded points, or surrounded points and prisoners.",
    )

    @property
    def rules(self) -> Rules:
        """The rules for the referee."""
        return Rules(self.ko, self.suicide, self.counting)

    @property
    def name(self) -> str:
        """The first name of these rules in PRESETS, or words such as "area, situational ko, no suicide"."""
        named = (name for name, rules in PRESETS.items() if rules == self.rules)
        suicide = "suicide" if self.suicide else "no suicide"
        return next(named, f"{self.counting}, {self.ko} ko, {suicide}")

    @property
    def sgf_name(self) -> str:
        """The value of RU in a game record."""
        if self.counting == "territory":
            return "Japanese"
        return "Tromp-Taylor" if self.suicide else "Chinese"

    def commands(self, *, dead_stones: bool, handicap_bonus: str = "0") -> Iterator[tuple[str, str]]:
        """Yield (command, argument) by which an engine may accept the rules, the most exact first.

        dead_stones     dead stones may stay on the board when both sides pass
        handicap_bonus  points that White gets for N handicap stones: 0, N-1 or N
        """
        terms = {
            "ko": self.ko.upper(),
            "scoring": self.counting.upper(),
            "suicide": self.suicide,
            "tax": "SEKI" if self.counting == "territory" else "NONE",
            "whiteHandicapBonus": handicap_bonus,
            "hasButton": False,
        }
        for more in ({"friendlyPassOk": dead_stones}, {}):  # earlier versions do not know this key
            yield "kata-set-rules", json.dumps(terms | more, separators=(",", ":"))
        yield "kgs-rules", self._kgs_name

    @property
    def _kgs_name(self) -> str:
        """The nearest of the four names of KGS: the counting first, then suicide, then the ko."""
        if self.counting == "territory":
            return "japanese"
        if self.suicide:
            return "new_zealand"
        return "aga" if self.ko == "situational" else "chinese"


def _rules_table(given: Any) -> Any:
    """`rules = "japanese"` is short for the table of these rules."""
    if not isinstance(given, str):
        return given
    if given not in PRESETS:
        names = ", ".join(f'"{name}"' for name in PRESETS)
        raise ValueError(f"must be {names} or a table with ko, suicide and counting")
    rules = PRESETS[given]
    return {"ko": rules.ko, "suicide": rules.suicide, "counting": rules.counting}


GameRules = Annotated[
    RulesTable,
    BeforeValidator(_rules_table),
    Field(description="Rules of the referee, sent to engines that know `kata-set-rules` or `kgs-rules`."),
]
Scorer = Annotated[
    ScoredBy | None,
    Field(
        description="Who scores a game that two passes or the move cap end: see below; default: "
        '`"area"`, with a warning if a player reports another score.'
    ),
]
Referee = Annotated[
    str | None,
    Field(description="Name of the `[[engine]]` that scores games as their referee, and plays none."),
]
Forfeits = Annotated[
    Literal["void", "loss"],
    Field(description="What a game counts in which an engine failed: nothing, or as a loss of this engine."),
]
