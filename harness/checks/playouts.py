"""How many playouts has a search? Given by the user, asked of the bot, or inferred from two positions."""

from __future__ import annotations

from dataclasses import dataclass

from harness.checks.bot import Bot, Facts
from harness.checks.positions import DAME
from harness.checks.probe import Probe, UnreadableAnswer, read_nodes

ONE, FOUR = (Probe(f"dame-{count}", DAME[count]) for count in (1, 4))
"""Every playout lasts exactly 3 and exactly 6 moves, so the difference of `ref-nodes` is 3 P."""


@dataclass(frozen=True)
class PlayoutCount:
    """The number of playouts a search, and how it became known; None with the reason why it is not."""

    playouts: int | None
    source: str  # given, asked, inferred; unknown
    reason: str = ""


def find_playouts(bot: Bot, facts: Facts, given: int | None) -> PlayoutCount:
    """Find the number of playouts. Raises Interrupted and Refused."""
    if given is not None:
        return PlayoutCount(given, "given")
    if facts.has("ref-playouts"):
        text = bot.say(b"ref-playouts\n").text.strip()
        if text.isdecimal() and int(text) > 0:
            return PlayoutCount(int(text), "asked")
    return (
        _infer(bot) if facts.has("ref-nodes") else PlayoutCount(None, "unknown", "the bot has no ref-nodes")
    )


def _infer(bot: Bot) -> PlayoutCount:
    """From the slope, so that a bot that miscounts the closing passes is still understood."""
    seen = []
    for probe in (ONE, FOUR, ONE, FOUR):
        bot.tell(probe.setup())
        bot.say(probe.question())
        exchange = bot.say(b"ref-nodes\n")
        try:
            seen.append(read_nodes(exchange))
        except UnreadableAnswer:
            return PlayoutCount(None, "unknown", f"ref-nodes answered {exchange.text[:40]!r}")
    short, long = seen[0], seen[1]
    if seen[2:] != [short, long]:
        return PlayoutCount(
            None, "unknown", f"ref-nodes said {short}, then {seen[2]} of the same sure playouts"
        )
    playouts, rest = divmod(long - short, 3)
    if rest or playouts < 1:
        return PlayoutCount(None, "unknown", f"ref-nodes said {short} for playouts of 3 moves, {long} for 6")
    return PlayoutCount(playouts, "inferred")
