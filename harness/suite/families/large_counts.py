"""`ref.nodes.million`: ref-nodes reports a count above a million in digits.

A search of 1,000 playouts from the empty board has only 111,000 moves, so the check raises the number of
playouts by ref-playouts, and restores it. It is skipped for a bot without ref-playouts, and where the larger
search is not possible or not needed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from harness.check.bot.bot import Bot
from harness.check.bot.errors import UnreadableAnswerError
from harness.check.bot.session import Session
from harness.check.bot.wording import answer_text
from harness.check.model import Ability, Judgement, Outcome, Requirements, failed, passed
from harness.check.procedures.conversation import Conversation, first_search, read_nodes
from harness.gtp import MAX_PLAYOUTS, Exchange, parse_count
from harness.suite.statement import must

LARGE = 1_100_000
"""Moves of the larger search. Chosen: above 2^20, and C's %g prints such a number with an exponent."""

USUAL = 1_000
"""Least number of playouts of the usual search, with which the larger one is compared. Chosen: with fewer,
its mean length is too inaccurate."""

LONGEST = 5.0
"""Limit of the predicted time of the larger search, in seconds; beyond it, the check is skipped. Chosen: a
small part of a run."""

TOLERANCE = 0.05
"""Largest relative difference of the two mean lengths that passes; computed: about ten standard errors."""


@dataclass(frozen=True)
class LargeCountRecord:
    """The answers to ref-nodes after a usual search and a larger one."""

    playouts: int  # of the usual search; reliable only with `large`
    usual: Exchange
    more: int = 0  # playouts of the larger search
    large: Exchange | None = None  # None: there is no larger search
    skipped: str = ""  # the reason why there is no larger search


@dataclass(frozen=True)
class LargeCount(Conversation):
    """A usual search of a new game, then one with enough playouts for a million moves."""

    def observe(self, session: Session) -> LargeCountRecord:
        """Make both searches; then restore the number of playouts."""
        bot = session.bot
        own = parse_count(bot.ask(b"ref-playouts\n").text, MAX_PLAYOUTS)
        record = self._make_searches(bot, own)
        if own:
            bot.ask(_set_line(own))
        return record

    def _make_searches(self, bot: Bot, own: int | None) -> LargeCountRecord:
        """Make the usual search, and the larger one unless there is a reason not to.

        The usual one has at least USUAL playouts, if their number can be set. It is made twice, because the
        first search of a process may take longer.

        own   the bot's number of playouts; None if ref-playouts answers no whole number up to MAX_PLAYOUTS
        """
        *setup, genmove = first_search(9)
        playouts = max(own or 1, USUAL)
        settable = bool(own) and (playouts == own or _set_playouts(bot, playouts))
        for _ in range(2):
            bot.set_up(setup)
            seconds = bot.ask(genmove).seconds
        usual = bot.ask(b"ref-nodes\n")
        more = math.ceil(LARGE * playouts / max(1, read_nodes(usual)))
        if not own:
            reason = "its ref-playouts answers no usable number"
        elif more <= playouts:
            reason = f"its usual search already has {LARGE:,} moves or more"
        elif settable and seconds * more / playouts > LONGEST:
            reason = f"a search of {more:,} playouts would take more than {LONGEST:g} s"
        elif not settable or not _set_playouts(bot, more):
            reason = f"its number of playouts cannot be set to {(more if settable else playouts):,}"
        else:
            bot.set_up(setup)
            with bot.times.patience(more / playouts):
                bot.ask(genmove)
            return LargeCountRecord(playouts, usual, more, bot.ask(b"ref-nodes\n"))
        return LargeCountRecord(playouts, usual, skipped=reason)

    def judge(self, observation: LargeCountRecord) -> Judgement:
        """The larger count must be readable, and in proportion to the usual one. Skip without it."""
        if observation.large is None:
            return Judgement(Outcome.SKIP, observed=observation.skipped)
        wanted = read_nodes(observation.usual) * observation.more / observation.playouts
        expected = f"after {observation.more:,} playouts, ref-nodes → about {wanted:.0f}, in digits"
        observed = f"ref-nodes → {answer_text(observation.large)}"
        try:
            nodes = read_nodes(observation.large)
        except UnreadableAnswerError:
            return failed(expected, observed)
        return (passed if abs(nodes - wanted) <= TOLERANCE * wanted else failed)(expected, observed)


def _set_line(playouts: int) -> bytes:
    return f"ref-playouts {playouts}\n".encode("ascii")


def _set_playouts(bot: Bot, playouts: int) -> bool:
    """Set the number of playouts. True if the bot accepts it and then reports it."""
    accepted = bot.ask(_set_line(playouts)).ok
    return accepted and bot.ask(b"ref-playouts\n").text.strip() == str(playouts)


CHECKS = (
    must("ref.nodes.million", "ref-nodes counts beyond a million, and answers in digits there too.",
         LargeCount(),
         requires=Requirements(commands=("ref-nodes",), optional_commands=("ref-playouts",), board_size=9,
                               abilities=frozenset({
                                   Ability.COUNTS_MOVES, Ability.SEARCHES_AGAIN, Ability.CLEARS_THE_BOARD})),
         clause="ref-nodes", hint="count in integers of 64 bits, and print all their digits",
         kills="nodes-exponent", tolerates="playouts-fixed"),
)  # fmt: skip
