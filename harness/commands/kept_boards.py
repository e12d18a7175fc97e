"""Checks that a command leaves the board as it is: reg_genmove, genmove that resigns, undo of a ko."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from harness.check.bot.session import Session
from harness.check.bot.wording import answer_text, exchange_text, sent_text
from harness.check.model import Ability, Judgement, Outcome, Requirements, failed, passed
from harness.check.procedures.conversation import Conversation, new_game
from harness.check.procedures.probe import Probe
from harness.check.procedures.reliance import SentLine, requirements
from harness.gtp import Exchange, VertexError, parse_vertex

NEW_GAME = new_game(9)
STONES = ("C3", "D4")
"""A stone of Black and a stone of White, Black to move."""

TWO_STONES = (b"play b C3\n", b"play w D4\n")


@dataclass(frozen=True)
class RegisteredMove:
    """The answer to reg_genmove, and the moves after it.

    on_stones   moves of the other side on the two stones
    undo        the answer to undo, and a move on the point that it must free; empty without a working undo
    on_point    Black's move on the answered point; None if the answer is no free point of the board
    """

    size: int
    answer: Exchange
    on_stones: tuple[Exchange, ...] = ()
    undo: tuple[Exchange, ...] = ()
    on_point: Exchange | None = None


@dataclass(frozen=True)
class _RegGenmove(Conversation):
    """Two stones, then reg_genmove for Black; moves show the board and its history."""

    requires = requirements(
        (*map(SentLine, (*NEW_GAME, *TWO_STONES)), SentLine(b"reg_genmove b\n", ("*",)))
    ).with_those_of(Requirements(abilities=frozenset({Ability.REFUSES_MOVES, Ability.SEARCHES_AGAIN})))

    def observe(self, session: Session) -> RegisteredMove:
        """Ask for the move; then look at the two stones, at the history and at the answered point."""
        bot, size = session.bot, session.introduction.size
        bot.set_up((*new_game(size), *TWO_STONES))
        answer = bot.ask(b"reg_genmove b\n")
        on_stones = tuple(bot.ask(line) for line in (b"play w C3\n", b"play b D4\n"))
        undo: tuple[Exchange, ...] = ()
        if session.has("undo") and Ability.UNDOES not in session.missing:
            undo = (bot.ask(b"undo\n"), bot.ask(b"play w D4\n"))
        vertex = _point_of(answer, size)
        free = vertex is not None and vertex not in STONES
        on_point = bot.ask(f"play b {vertex}\n".encode("ascii")) if free else None
        return RegisteredMove(size, answer, on_stones, undo, on_point)


@dataclass(frozen=True)
class RegGenmoveAnswers(_RegGenmove):
    """`gtp.reg.move`: reg_genmove answers a legal move, pass or resign."""

    def judge(self, observation: RegisteredMove) -> Judgement:
        """The answer must be pass, resign or a free point of the board: all of them are legal."""
        expected = "reg_genmove b → = and a legal vertex, pass or resign"
        answer = observation.answer
        vertex = _point_of(answer, observation.size)
        if vertex in STONES or (vertex is None and _word_of(answer) not in ("PASS", "RESIGN")):
            return failed(expected, exchange_text(answer))
        return passed(expected, answer_text(answer))


@dataclass(frozen=True)
class RegGenmoveKeepsBoard(_RegGenmove):
    """`gtp.reg.unchanged`: reg_genmove leaves the stones and the history as they are."""

    def judge(self, observation: RegisteredMove) -> Judgement:
        """The two stones stand, undo takes back the last of them, and the answered point is free."""
        asked = answer_text(observation.answer)
        for move in observation.on_stones:
            if move.ok:
                wanted = (
                    f"after reg_genmove b → {asked}: {sent_text(move.sent)} → ?, because the stone stands"
                )
                return failed(wanted, exchange_text(move))
        for exchange in observation.undo:
            if not exchange.ok:
                wanted = f"after reg_genmove b → {asked}: undo takes back White's D4, which is then free"
                return failed(wanted, exchange_text(exchange))
        if observation.on_point is not None and not observation.on_point.ok:
            wanted = f"after reg_genmove b → {asked}: the point is still free"
            return failed(wanted, exchange_text(observation.on_point))
        return passed("the board and the history are as before")


def _word_of(exchange: Exchange) -> str:
    return exchange.text.strip().upper() if exchange.ok else ""


def _point_of(exchange: Exchange, size: int) -> str | None:
    """Return the vertex of an answer in upper case; None for a pass and for any other text."""
    word = _word_of(exchange)
    try:
        return word if word and parse_vertex(word, size) is not None else None
    except VertexError:
        return None


@dataclass(frozen=True)
class ResignationRecord:
    """The answer to genmove in a lost game; if it is resign, a move on the only point that it could play."""

    move: Exchange
    on_point: Exchange | None = None


@dataclass(frozen=True)
class ResignsWithoutMove(Conversation):
    """`gtp.play.resign-unchanged`: genmove that answers resign makes no move.

    probe   a lost position where the side to move has one candidate
    point   this candidate
    """

    probe: Probe
    point: str

    @cached_property
    def requires(self) -> Requirements:
        """Requirements of the position and the search."""
        lines = (*self.probe.setup(), self.probe.question())
        return requirements(map(SentLine, lines))

    def observe(self, session: Session) -> ResignationRecord:
        """Ask for a move; if the answer is resign, play the only candidate, which must still be free."""
        bot = session.bot
        bot.set_up(self.probe.setup())
        move = bot.ask(self.probe.question())
        if _word_of(move) != "RESIGN":
            return ResignationRecord(move)
        return ResignationRecord(move, bot.ask(f"play {self.probe.to_move} {self.point}\n".encode("ascii")))

    def judge(self, observation: ResignationRecord) -> Judgement:
        """The point must be free."""
        move, on_point = observation.move, observation.on_point
        if on_point is None:
            return Judgement(Outcome.SKIP, observed=f"the bot does not resign: {exchange_text(move)}")
        expected = f"after genmove → resign: {self.point}, the only move left, can be played"
        if not on_point.ok:
            return failed(expected, exchange_text(on_point))
        return passed(expected)


KO = tuple(f"play {move}\n".encode("ascii") for move in ("b B2", "w A2", "b C1", "w B1", "b A1"))
"""Black has just taken the stone on B1; White may not take it back at once."""

TAKING_BACK = b"play w B1\n"
ELSEWHERE = b"play w F5\n"
"""A move of White that has nothing to do with the ko."""


@dataclass(frozen=True)
class UndoneKoRecord:
    """White's moves around a ko that Black has just taken.

    at_once     taking the ko back; if this is accepted, the others are None
    undone      taking it back after the move ELSEWHERE and its undo
    elsewhere   the move ELSEWHERE after that
    """

    at_once: Exchange
    undone: Exchange | None = None
    elsewhere: Exchange | None = None


@dataclass(frozen=True)
class UndoneKo(Conversation):
    """`gtp.play.undo-ko`: undo restores the ban of a ko."""

    requires = requirements(
        (
            *map(SentLine, (*NEW_GAME, *KO)),
            SentLine(TAKING_BACK, ("*",)),
            SentLine(ELSEWHERE),
            SentLine(b"undo\n"),
        )
    )

    def observe(self, session: Session) -> UndoneKoRecord:
        """Take back the ko at once; if that is refused, try it again after a move and its undo."""
        bot, beginning = session.bot, (*new_game(session.introduction.size), *KO)
        bot.set_up(beginning)
        at_once = bot.ask(TAKING_BACK)
        if at_once.ok:
            return UndoneKoRecord(at_once)
        bot.set_up((*beginning, ELSEWHERE, b"undo\n"))
        return UndoneKoRecord(at_once, bot.ask(TAKING_BACK), bot.ask(ELSEWHERE))

    def judge(self, observation: UndoneKoRecord) -> Judgement:
        """A bot that forbids to take back a ko must forbid it after the undo, too."""
        undone, elsewhere = observation.undone, observation.elsewhere
        if undone is None or elsewhere is None:
            return Judgement(Outcome.SKIP, observed="play accepts taking back a ko at once")
        expected = "a move, then undo: the ko is banned as before, and the move can be made again"
        if undone.ok:
            return failed(expected, f"after undo: {exchange_text(undone)}")
        if not elsewhere.ok:
            return failed(expected, f"after undo: {exchange_text(elsewhere)}")
        return passed(expected)
