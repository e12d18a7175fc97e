"""Conversations about the board that depend on the bot's own answers."""

from __future__ import annotations

import re
from dataclasses import dataclass

from harness.checks.bot.session import Session
from harness.checks.model import Judgement, Outcome, failed, passed
from harness.checks.procedures.conversation import Conversation, command_and_answer, short_answer
from harness.gtp import COLUMNS, Exchange


@dataclass(frozen=True)
class GenmoveRecord:
    """A generated move, and the attempt of the other side to play on the same point, if it is a point."""

    move: Exchange
    replay: Exchange | None = None


@dataclass(frozen=True)
class GenmovePlays(Conversation):
    """`gtp.play.genmove-plays`: the point of a generated move is taken afterwards."""

    def observe(self, session: Session) -> GenmoveRecord:
        """A generated move, and the attempt to play on the same point."""
        bot = session.bot
        for line in (f"boardsize {session.profile.size}\n".encode("ascii"), b"clear_board\n", b"komi 7.5\n"):
            bot.ask(line)
        move = bot.ask(b"genmove b\n")
        vertex = move.text.strip()
        if not re.fullmatch(r"[A-Za-z]\d{1,2}", vertex):
            return GenmoveRecord(move)
        return GenmoveRecord(move, bot.ask(f"play w {vertex}\n".encode("ascii")))

    def judge(self, observation: GenmoveRecord) -> Judgement:
        """The first move of a game is a vertex, and its stone is on the board."""
        expected = "a vertex, on which White may then not play"
        move, replay = observation.move, observation.replay
        vertex = move.text.strip()
        if replay is None and move.ok and vertex.lower() in ("pass", "resign"):
            return Judgement(Outcome.SKIP, observed=f"it answered {vertex}: no stone to look for")
        if replay is None:
            return failed(expected, short_answer(move))
        if replay.ok:
            return failed(expected, f"genmove b → {vertex}, then play w {vertex} → =")
        return passed(expected, f"genmove b → {vertex}, refused to White")


@dataclass(frozen=True)
class ColumnsRecord:
    """The accepted size, None if there is none, and a stone of each colour in each column past T."""

    accepted: Exchange | None
    black: tuple[Exchange, ...] = ()
    white: tuple[Exchange, ...] = ()


@dataclass(frozen=True)
class ColumnsPastT(Conversation):
    """`gtp.play.columns-past-t`: the letters of the columns on the largest board that the bot accepts."""

    sizes = (25, 24, 23, 22, 21, 20)

    def observe(self, session: Session) -> ColumnsRecord:
        """Try sizes until one is accepted; then play in each column past T, twice."""
        bot = session.bot
        for size in self.sizes:
            accepted = bot.ask(f"boardsize {size}\n".encode("ascii"))
            if accepted.ok:
                bot.ask(b"clear_board\n")
                black, white = (
                    tuple(
                        bot.ask(f"play {colour} {column}1\n".encode("ascii")) for column in COLUMNS[19:size]
                    )
                    for colour in "bw"
                )
                return ColumnsRecord(accepted, black, white)
        return ColumnsRecord(None)

    def judge(self, observation: ColumnsRecord) -> Judgement:
        """Black may play in each column, and White then may not."""
        if observation.accepted is None:
            return Judgement(Outcome.SKIP, observed="the bot plays on no board larger than 19x19")
        expected = "each column past T can be played in, once"
        wrong = [
            exchange
            for exchanges, allowed in ((observation.black, True), (observation.white, False))
            for exchange in exchanges
            if exchange.ok != allowed
        ]
        if wrong:
            return failed(expected, command_and_answer(wrong[0]))
        return passed(expected, f"{len(observation.black)} columns")
