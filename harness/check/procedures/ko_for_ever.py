"""`game.superko.ladder`: the superko rule at every distance, in one game."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import cached_property

from harness.check.bot.session import Session
from harness.check.model import Ability, Judgement, Outcome, Requirements, passed
from harness.check.procedures.answers import read_move
from harness.check.procedures.chosen_move import Violation, in_words, violation
from harness.check.procedures.conversation import Conversation
from harness.check.procedures.probe import Probe
from harness.check.procedures.reliance import SentLine, requirements
from harness.gtp import Exchange

ROUNDS = 60
"""Passes of each side: the distances reach from 2 to twice as many moves."""

SECONDS = 5.0
"""After this time no further move is asked for: each takes a slow bot a whole search."""


@dataclass(frozen=True)
class KoRecord:
    """The generated moves of Black, who has nothing to play but the ko."""

    moves: tuple[Exchange, ...]


@dataclass(frozen=True)
class KoForEver(Conversation):
    """Black generates a move, White passes, again and again: the only move left is a ko taken long ago."""

    board: str

    @cached_property
    def probe(self) -> Probe:
        """White has just taken the ko, and Black is to move."""
        return Probe("ko-for-ever", self.board, "b", tail=(("w", "D5"),))

    @property
    def requires(self) -> Requirements:
        """Requirements of the game."""
        lines = (*self.probe.setup(), b"play b pass\n", b"play w pass\n", b"genmove b\n")
        found = requirements(map(SentLine, lines))
        return replace(found, abilities=found.abilities | {Ability.PLAYS_ITS_MOVES, Ability.SEARCHES_AGAIN})

    def observe(self, session: Session) -> KoRecord:
        """Go on as long as the bot passes."""
        bot = session.bot
        bot.set_up(self.probe.setup())
        record: list[Exchange] = []
        began = time.monotonic()
        for _ in range(ROUNDS):
            if record and time.monotonic() - began > SECONDS:
                break
            record.append(bot.ask(b"genmove b\n"))
            if read_move(record[-1], self.probe.size) != "PASS":
                break
            bot.set_up([b"play w pass\n"])
        return KoRecord(tuple(record))

    def judge(self, observation: KoRecord) -> Judgement:
        """Every move must be a pass; taking the ko is what the check is about."""
        size = self.probe.size
        for number, exchange in enumerate(observation.moves):
            move = read_move(exchange, size)
            if move == "PASS":
                continue
            found = violation(self.probe.position, "b", move)
            distance = 2 * number + 2
            observed = f"{move}, which brings back the board of {distance} moves before"
            if found not in (Violation.KO, Violation.SUPERKO):
                words = f"{move}: {in_words(found, self.probe.position, 'b')}" if found is not None else move
                return Judgement(Outcome.FAIL, "PASS", words, reported_by=str(found or ""))
            return Judgement(Outcome.FAIL, "PASS, as long as nothing else is left", observed)
        return passed("PASS, as long as nothing else is left", f"PASS {len(observation.moves)} times")
