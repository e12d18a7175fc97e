"""The rules that a bot plays by, found out by asking: what `play` accepts, and how `final_score` counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from harness.check.bot.bot import Bot
from harness.check.bot.errors import BotInterruptedError, CommandRefusedError
from harness.check.bot.introduction import Introduction
from harness.check.bot.refusals import is_obeyed
from harness.check.play_rules import PlayRules, with_given
from harness.check.positions import DAME
from harness.check.procedures.conversation import new_game
from harness.check.procedures.probe import Probe
from harness.check.procedures.whole_game import leads
from harness.check.profile import Profile
from harness.go import Position
from harness.gtp import Exchange

KO = "b B2, w A2, b C1, w B1, b A1"
"""Moves after which Black has just taken the stone on B1; White's B1 would take A1 back."""

AFTER_PASSES = f"{KO}, w pass, b pass"
"""KO after two passes: no simple ko any more, but White's B1 brings back an earlier board."""

NO_KO = "b A2, w C2, b B2, w D1, b E3, w B1, b E4, w G7, b pass, w A1, b C1"
"""Black's C1 took two stones, so no ko is banned. White's B1 brings back the board of White's G7."""

SENT_TWO = "b A2, w C2, b B2, w D1, b E3, w B1, b E4, w A1, b C1"
"""Black's C1 took two stones. White's B1 brings back the board of Black's E4, with Black to move now."""

LAST_LIBERTY = "b B1, w A1, b B2, w G7, b A3"
"""White's A2 takes the last liberty of White's two stones."""

SCORED = Probe("scored", DAME[1], "b", 0.0, tail=(("b", "E9"), ("w", "pass"), ("b", "pass")))
"""Both sides have passed. Black has 45 points of area and White 36; each side has two points of territory."""


def _territory_lead(position: Position) -> int:
    """Return Black's lead by territory in a position where nothing was captured."""
    stones = list(position.stones().values())
    return position.area_score() - (stones.count("b") - stones.count("w"))


def find_rules(bot: Bot, introduction: Introduction, profile: Profile, given: Mapping[str, str]) -> PlayRules:
    """Return the rules of a bot: those that the user gave, else those that its answers show.

    A reference bot and a bot without readable answers are not asked: their rules are those of the profile.
    So are passing and resignation for any bot. If a bot leaves a question open, a repetition counts as
    accepted, suicide as forbidden, and the count as area. Raises UnusableBotError and TimeUpError.
    """
    found = profile.rules
    if profile is Profile.REFERENCE or not introduction.answers_readable:
        return with_given(found, given)
    asked = _Asked(bot, introduction.size)
    if "superko" not in given:
        found = replace(found, superko=asked.superko())
    if "suicide" not in given:
        found = replace(found, suicide=asked.suicide())
    if "scoring" not in given and introduction.has("final_score"):
        found = replace(found, scoring=asked.scoring())
    bot.take_record()
    return with_given(found, given)


class _Asked:
    """Questions to one bot about the rules."""

    def __init__(self, bot: Bot, size: int) -> None:
        self._bot = bot
        self._size = size

    def superko(self) -> str:
        """Return the rule of repetition by which `play` refuses moves; `simple` unless it compares boards.

        A bot that refuses AFTER_PASSES may only keep the ban of a ko over passes; one that refuses NO_KO,
        too, compares boards. A bot that refuses nothing may still obey simple ko in its own moves.
        """
        if not (self._refuses(AFTER_PASSES, "w B1") and self._refuses(NO_KO, "w B1")):
            return "simple"
        return "positional" if self._refuses(SENT_TWO, "w B1") else "situational"

    def suicide(self) -> str:
        """Return "allowed" if `play` accepts a move that leaves two stones no liberty, else "forbidden"."""
        return "forbidden" if self._refuses(LAST_LIBERTY, "w A2", unknown=True) else "allowed"

    def scoring(self) -> str:
        """Return "territory" if final_score scores a settled board by territory, else "area"."""
        if self._size != SCORED.size or not self._set_up(SCORED.setup()):
            return "area"
        answer = self._ask("final_score")
        lead = leads([answer.text.strip()]) if answer is not None and answer.ok else []
        return "territory" if lead == [_territory_lead(SCORED.position)] else "area"

    def _refuses(self, moves: str, last: str, *, unknown: bool = False) -> bool:
        """Return whether `play` refuses the move `last` after `moves`, such as "w B1" after NO_KO.

        If the bot refuses one of `moves`, they are sent to a new process: the old one may remember the boards
        of an earlier question. If the new one refuses them, or the bot dies or is silent, return `unknown`.
        """
        lines = new_game(self._size, moves.split(", "))
        if not self._set_up(lines):
            self._bot.fresh()
            if not self._set_up(lines):
                return unknown
        answer = self._ask(f"play {last}")
        return unknown if answer is None else not is_obeyed(answer)

    def _set_up(self, lines: Sequence[bytes]) -> bool:
        """Send lines; return whether all succeeded. False, too, if the bot dies or is silent."""
        try:
            self._bot.set_up(lines)
        except (BotInterruptedError, CommandRefusedError):
            return False
        return True

    def _ask(self, line: str) -> Exchange | None:
        try:
            return self._bot.ask(f"{line}\n".encode("ascii"))
        except BotInterruptedError:
            return None
