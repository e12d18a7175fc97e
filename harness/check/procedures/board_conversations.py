"""Two checks of genmove and boardsize whose next command depends on the bot's answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from harness.check.bot.bot import Bot
from harness.check.bot.errors import BotInterruptedError
from harness.check.bot.session import Session
from harness.check.bot.wording import exchange_text
from harness.check.model import Ability, Judgement, Outcome, Requirements, failed, passed
from harness.check.procedures.chosen_move import Violation
from harness.check.procedures.conversation import Conversation, first_search, short_answer
from harness.check.procedures.dialogue import failure_outcome
from harness.check.procedures.reliance import SentLine, requirements
from harness.gtp import COLUMNS, Exchange

_NO_STONE = {"pass": Violation.PASS, "resign": Violation.RESIGN}


@dataclass(frozen=True)
class GenmoveRecord:
    """A generated move; if it is a vertex, `replay` is White's attempt to play on the same vertex."""

    move: Exchange
    replay: Exchange | None = None


@dataclass(frozen=True)
class GenmovePlays(Conversation):
    """`gtp.play.genmove-plays`: genmove puts a stone on the board, so the other side cannot play there."""

    requires = requirements(
        (*map(SentLine, first_search(9)[:2]), SentLine(b"genmove b\n"), SentLine(b"play w C3\n", ("?",)))
    )

    def observe(self, session: Session) -> GenmoveRecord:
        """Generate the first move of a game; let White play on the same vertex."""
        bot = session.bot
        bot.set_up(first_search(session.profile.size)[:2])
        move = bot.ask(b"genmove b\n")
        vertex = move.text.strip()
        if not re.fullmatch(r"[A-Za-z]\d{1,2}", vertex):
            return GenmoveRecord(move)
        return GenmoveRecord(move, bot.ask(f"play w {vertex}\n".encode("ascii")))

    def judge(self, observation: GenmoveRecord) -> Judgement:
        """The move must be a vertex, and White's move must be refused."""
        expected = "a vertex, on which White may then not play"
        move, replay = observation.move, observation.replay
        vertex = move.text.strip()
        if replay is None:
            found = _NO_STONE.get(vertex.lower()) if move.ok else None
            about = found or Ability.GENERATES_MOVES
            return Judgement(Outcome.FAIL, expected, short_answer(move), reported_by=str(about))
        if replay.ok:
            return failed(expected, f"genmove b → {vertex}, then play w {vertex} → =")
        return passed(expected, f"genmove b → {vertex}, refused to White")


@dataclass(frozen=True)
class ColumnsRecord:
    """The answer to the accepted boardsize, None without one; and a move in each column past T."""

    accepted: Exchange | None
    stones: tuple[Exchange, ...] = ()


def _play_in(bot: Bot, columns: str) -> Iterator[Exchange]:
    """Play in each column, the colours in turn; stop at a death or a silence."""
    for number, column in enumerate(columns):
        try:
            yield bot.ask(f"play {'bw'[number % 2]} {column}1\n".encode("ascii"))
        except BotInterruptedError as interruption:
            yield interruption.exchange
            return


@dataclass(frozen=True)
class ColumnsPastT(Conversation):
    """`gtp.play.columns-past-t`: the letters of the columns on the largest board that the bot accepts."""

    sizes = (25, 24, 23, 22, 21, 20)
    requires = Requirements(abilities=frozenset({Ability.CHANGES_SIZE})).with_those_of(
        requirements(map(SentLine, (b"clear_board\n", b"play b J3\n", b"play w K3\n")), 19)
    )

    def observe(self, session: Session) -> ColumnsRecord:
        """Try sizes until the bot accepts one; then play in each column past T, the colours in turn."""
        bot = session.bot
        for size in self.sizes:
            accepted = bot.ask(f"boardsize {size}\n".encode("ascii"))
            if accepted.ok:
                bot.set_up([b"clear_board\n"])
                return ColumnsRecord(accepted, tuple(_play_in(bot, COLUMNS[19:size])))
        return ColumnsRecord(None)

    def judge(self, observation: ColumnsRecord) -> Judgement:
        """Every move must be accepted."""
        if observation.accepted is None:
            return Judgement(Outcome.SKIP, observed="the bot plays on no board larger than 19x19")
        expected = "each column past T can be played in"
        wrong = [exchange for exchange in observation.stones if not exchange.ok]
        if wrong:
            outcome, observed = failure_outcome(wrong[0]), exchange_text(wrong[0])
            return Judgement(outcome, expected, observed)
        return passed(expected, f"{len(observation.stones)} columns")
