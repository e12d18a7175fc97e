"""The number of playouts per search: given by the user, asked of the bot, or inferred from `ref-nodes`."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from harness.check.bot.bot import Bot
from harness.check.bot.errors import UnreadableAnswerError
from harness.check.bot.introduction import Introduction
from harness.check.model import Ability
from harness.check.procedures.conversation import read_nodes
from harness.check.procedures.late_probes import CAP, FOUR, ONE, late
from harness.check.procedures.probe import Probe
from harness.check.procedures.search import Series
from harness.gtp import MAX_PLAYOUTS, parse_count

LENGTHS = (3, 6, 3, 6)
"""Moves of every playout in the searches of `_infer`: at ONE, FOUR, ONE and FOUR."""

MOST = 2 * LENGTHS[0]
"""Largest mean number of moves of a playout at ONE from which the number is inferred; three are right.

Chosen: some bots count one pass more or less. If there are many more moves, the playouts differ in length.
"""

CAPPED = late(CAP)
"""A position at the move cap: every playout is a single move."""

SAID = {"given": "that were given", "asked": "that ref-playouts answers"}
"""By source of a number that was said, not observed: its description after the number."""


@dataclass(frozen=True)
class PlayoutCount:
    """The number of playouts per search, None if not known.

    source       "given", "asked", "inferred" or "unknown"
    reason       why the number is not known, or why a number that was said is doubted
    reported_by  id of the check that reports the fault because of which the number is not known, if any
    shown        the number that ref-nodes shows in place of one that was said; None without such a doubt
    """

    playouts: int | None
    source: str
    reason: str = ""
    reported_by: str = ""
    shown: int | None = None


def find_playouts(bot: Bot, introduction: Introduction, given: int | None) -> PlayoutCount:
    """Find the number of playouts per search: `given`, else asked of the bot, else inferred.

    Raises BotError and TimeUpError.
    """
    if given is not None:
        return PlayoutCount(given, "given")
    if introduction.has("ref-playouts"):
        answer = bot.ask(b"ref-playouts\n")
        playouts = parse_count(answer.text, MAX_PLAYOUTS) if answer.ok else None
        if playouts:
            return PlayoutCount(playouts, "asked")
    return (
        _infer(bot)
        if introduction.has("ref-nodes")
        else PlayoutCount(None, "unknown", "the bot has no ref-nodes")
    )


def with_doubt(count: PlayoutCount, series: Iterable[Series]) -> PlayoutCount:
    """Return the count; with `shown` and a `reason` for doubt if the searches contradict what was said.

    The searches at ONE and FOUR, where every playout has the same length, show the number, if all searches
    of each position have the same `ref-nodes`.
    """
    if count.source not in SAID:
        return count
    seen = {one.probe.id: {search.nodes for search in one.searches} for one in series}
    short, long = _only(seen.get(ONE.id, ())), _only(seen.get(FOUR.id, ()))
    shown = None if short is None or long is None else _by_slope(short, long)
    # 1 is the sign of a mean in place of a sum: hardly any bot makes a single playout.
    if shown in (None, 1, count.playouts):
        return count
    why = f"ref-nodes shows {shown:,} playouts a search, not the {count.playouts:,} {SAID[count.source]}"
    return replace(count, reason=why, shown=shown)


def _only(values: Collection[int | None]) -> int | None:
    """Return the value, if there is just one; else None."""
    return next(iter(values)) if len(values) == 1 else None


def _by_slope(short: int, long: int) -> int | None:
    """Return the number of playouts by two answers of ref-nodes: for playouts of 3 moves, and of 6 moves.

    An example: 3,000 and 6,000 moves are those of 1,000 playouts; so are 2,000 and 5,000 of a bot that leaves
    out a pass. None if the answers do not show the number: their difference is no multiple of 3, too small or
    too large, or the shorter playouts have far more moves than 3, so they differ.
    """
    playouts, rest = divmod(long - short, 3)
    return playouts if not rest and 1 <= playouts <= MAX_PLAYOUTS and short <= MOST * playouts else None


def _infer(bot: Bot) -> PlayoutCount:
    """Infer the number of playouts P from `ref-nodes`.

    The difference between playouts of 6 and of 3 moves is 3 P, even if the bot does not count the two last
    passes. If that does not show P, since the answers vary or fit no P, search where the move cap allows a
    single move: ref-nodes is then P.
    """
    try:
        seen = [_nodes(bot, probe) for probe in (ONE, FOUR, ONE, FOUR)]
        short, long = seen[:2]
        playouts = _by_slope(short, long)
        if seen[2:] == [short, long] and playouts is not None:
            return PlayoutCount(playouts, "inferred")
        capped = _nodes(bot, CAPPED)
        if capped == _nodes(bot, CAPPED) and 0 < capped <= MAX_PLAYOUTS:
            return PlayoutCount(capped, "inferred")
    except UnreadableAnswerError as unreadable:
        reason = f"ref-nodes answered {unreadable.exchange.text[:40]!r}"
        return PlayoutCount(None, "unknown", reason, Ability.COUNTS_MOVES)  # its value is the id of a check
    answers = ", ".join(
        f"{nodes} after playouts of {moves} moves" for nodes, moves in zip(seen, LENGTHS, strict=True)
    )
    return PlayoutCount(None, "unknown", f"ref-nodes answered {answers}")


def _nodes(bot: Bot, probe: Probe) -> int:
    """Search and return the answer of ref-nodes. Raises BotError."""
    bot.set_up(probe.setup())
    bot.ask(probe.question())
    return read_nodes(bot.ask(b"ref-nodes\n"))
