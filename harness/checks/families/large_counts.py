"""`ref.nodes.million`: a count above a million, in digits like any other.

Needs a bot that can be told the number of playouts, by ref-playouts: a usual search has 111,000 moves.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from harness.checks.bot.errors import UnreadableAnswerError
from harness.checks.bot.session import Session
from harness.checks.bot.wording import answer_text
from harness.checks.model import Ability, Check, Judgement, Level, Outcome, Requirements, failed, passed
from harness.checks.procedures.answers import read_nodes
from harness.checks.procedures.conversation import Conversation, first_search
from harness.gtp import MAX_PLAYOUTS, Exchange, parse_count

LARGE = 1_100_000
"""Moves of the larger search: more than 2^20, and more than a float prints with six digits."""

LONGEST = 5.0
"""Seconds that the larger search may take, by the time of the usual one."""

TOLERANCE = 0.05
"""Relative difference of the two mean lengths that is no miscount: more than twenty standard errors."""


@dataclass(frozen=True)
class LargeCountRecord:
    """The answers to ref-nodes after a usual search and a larger one; `skipped` says why there is none."""

    playouts: int
    usual: Exchange
    more: int = 0
    large: Exchange | None = None
    skipped: str = ""


@dataclass(frozen=True)
class LargeCount(Conversation):
    """Two searches of a new game, the second with so many playouts that they make a million moves."""

    def observe(self, session: Session) -> LargeCountRecord:
        """Search twice; then restore the number of playouts."""
        bot = session.bot
        playouts = parse_count(bot.ask(b"ref-playouts\n").text, MAX_PLAYOUTS)
        *setup, genmove = first_search(9)
        for _ in range(2):  # the first search of a process may take longer
            bot.set_up(setup)
            seconds = bot.ask(genmove).seconds
        usual = bot.ask(b"ref-nodes\n")
        nodes = read_nodes(usual)
        if not playouts:
            return LargeCountRecord(1, usual, skipped="its ref-playouts answers no number")
        more = math.ceil(LARGE * playouts / max(1, nodes))
        if more <= playouts:
            return LargeCountRecord(playouts, usual, skipped="its usual search has that many moves")
        if seconds * more / playouts > LONGEST:
            return LargeCountRecord(playouts, usual, skipped=f"a search of {more:,} playouts takes too long")
        accepted = bot.ask(f"ref-playouts {more}\n".encode("ascii")).ok
        if not accepted or bot.ask(b"ref-playouts\n").text.strip() != str(more):
            return LargeCountRecord(playouts, usual, skipped="its number of playouts cannot be set that high")
        bot.set_up(setup)
        with bot.patience(more / playouts):
            bot.ask(genmove)
        large = bot.ask(b"ref-nodes\n")
        bot.set_up([f"ref-playouts {playouts}\n".encode("ascii")])
        return LargeCountRecord(playouts, usual, more, large)

    def judge(self, observation: LargeCountRecord) -> Judgement:
        """The larger count must be readable, and in proportion to the usual one."""
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


CHECKS = (
    Check(
        id="ref.nodes.million",
        clause="ref-nodes",
        level=Level.MUST,
        title="ref-nodes counts beyond a million, and answers in digits there too.",
        procedure=LargeCount(),
        requires=Requirements(
            commands=("ref-nodes",),
            optional_commands=("ref-playouts",),
            board_size=9,
            abilities=frozenset({Ability.COUNTS_MOVES, Ability.SEARCHES_AGAIN, Ability.CLEARS_THE_BOARD}),
        ),
        hint="count in integers of 64 bits, and print all their digits",
        tolerates=("playouts-fixed",),
        kills=("nodes-exponent",),
    ),
)
