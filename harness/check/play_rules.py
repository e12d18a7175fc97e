"""`PlayRules`: the rules that a bot plays by, as far as checks depend on them.

A check may need some of them: a bot with either rule meets the need `superko=situational|positional`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace

from harness.go import Ko, Reason, Rules

VALUES: Mapping[str, tuple[str, ...]] = {
    "scoring": ("area", "territory"),
    "superko": ("none", "simple", "situational", "positional"),
    "suicide": ("forbidden", "allowed"),
    "passing": ("free", "reference"),
    "resignation": ("allowed", "never"),
}
"""The rules by name, and their values."""

FORBIDS_KO = "superko=simple|situational|positional"
"""The need of a check in which taking a ko back at once is illegal."""

FORBIDS_CYCLES = "superko=situational|positional"
"""The need of a check in which bringing back an earlier board, with the same side to move, is illegal."""


class RulesError(ValueError):
    """A text that is no list of rules, or no need."""


@dataclass(frozen=True)
class PlayRules:
    """Rules of a bot. The defaults are those of the reference bot.

    scoring      how final_score counts
    superko      simple forbids to take a ko back at once; situational also to bring back an earlier board
                 with the same side to move; positional also any earlier board; none forbids nothing
    suicide      allowed: two or more stones may be left without a liberty
    passing      reference: the bot passes only where it has no candidate; free: whenever it likes
    resignation  never: the bot plays every game to its end
    """

    scoring: str = "area"
    superko: str = "positional"
    suicide: str = "forbidden"
    passing: str = "reference"
    resignation: str = "never"

    def meets(self, need: str) -> bool:
        """Return whether a need such as `superko=simple|positional` is met. Raises RulesError."""
        name, _, values = need.partition("=")
        wanted = values.split("|")
        if name not in VALUES or not set(wanted) <= set(VALUES[name]):
            raise RulesError(f"{need!r} is not of the form rule=value or rule=value|value. VALUES lists both")
        return getattr(self, name) in wanted

    def leaves_open(self, reason: Reason | None) -> bool:
        """Return whether a move that the referee refuses for this reason may be legal; False for None.

        Where suicide is allowed, the referee (see `referee_rules`) refuses only that of a single stone, which
        is a pass under some rules and illegal under others.
        """
        if reason == "suicide":
            return self.suicide == "allowed"
        return reason == "ko" and self.superko == "none"

    def unmet(self, needs: Iterable[str]) -> str:
        """Return the bot's rule, such as `passing=free`, that fails the first unmet need; empty for none."""
        for need in needs:
            if not self.meets(need):
                name = need.partition("=")[0]
                return f"{name}={getattr(self, name)}"
        return ""

    @property
    def referee_rules(self) -> Rules:
        """The rules for `Position`, the referee of games. It knows no `none`: then it keeps simple ko."""
        ko: dict[str, Ko] = {"positional": "positional", "situational": "situational"}
        return Rules(
            ko=ko.get(self.superko, "simple"),
            suicide=self.suicide == "allowed",
            counting="territory" if self.scoring == "territory" else "area",
        )

    def __str__(self) -> str:
        return " ".join(f"{field.name}={getattr(self, field.name)}" for field in fields(self))


REFERENCE_RULES = PlayRules()
"""The rules of the reference bot."""

FREE_RULES = PlayRules(passing="free", resignation="allowed")
"""The rules of any other engine, before it was asked."""


def parse_rules(text: str) -> dict[str, str]:
    """Read rules such as `superko=situational,passing=free`; return the values by the names of the rules.

    Blanks may stand in place of commas. The last of two values for a rule holds. Raises RulesError, which
    names the known rules or values.
    """
    rules: dict[str, str] = {}
    for word in text.replace(",", " ").split():
        name, _, value = word.partition("=")
        if name not in VALUES:
            raise RulesError(f"no rule is called {name!r}; known: {', '.join(VALUES)}")
        if value not in VALUES[name]:
            raise RulesError(f"{name} is {' or '.join(VALUES[name])}, not {value!r}")
        rules[name] = value
    return rules


def with_given(rules: PlayRules, given: Mapping[str, str]) -> PlayRules:
    """Return the rules, with the values that the user gave (see `parse_rules`) in their place."""
    return replace(rules, **given)
