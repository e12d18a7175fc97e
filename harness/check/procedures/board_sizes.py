"""Checks of the sizes that an engine accepts: the far corner is on the board, the point beyond it is not."""

from __future__ import annotations

from dataclasses import dataclass

from harness.check.bot.bot import Bot
from harness.check.bot.session import Session
from harness.check.bot.wording import exchange_text
from harness.check.model import Judgement, Outcome, failed, passed
from harness.check.procedures.conversation import Conversation
from harness.check.procedures.reliance import SentLine, requirements
from harness.gtp import COLUMNS, Exchange

SIZES = (5, 7, 19, 25, 2, 13, 3, 4, 6, 8, *range(9, 13), *range(14, 19), *range(20, 25))
"""Sizes to try: all from 2 to 25, the usual ones and the extreme ones first."""

ENOUGH = 2.0
"""Seconds of answers to boardsize after which no further size is tried; chosen.

Some engines load a network for each size.
"""

WIDTH, HEIGHT = 9, 5
"""The board that rectangular_boardsize is asked for."""

NEEDS = requirements(
    (
        SentLine(b"boardsize 1000\n", ("?",)),
        SentLine(b"clear_board\n"),
        SentLine(b"play b C3\n"),
        SentLine(b"play w Z99\n", ("?",)),
    )
)


@dataclass(frozen=True)
class SizeTrial:
    """The answer to a size, and then a move on the far corner and a move above it.

    `size` is the size of the board then: the one before if this size was refused.
    """

    answer: Exchange
    size: int
    corner: Exchange
    beyond: Exchange

    @property
    def is_as_expected(self) -> bool:
        """True if the corner was accepted and the point above it refused."""
        return self.corner.ok and not self.beyond.ok


@dataclass(frozen=True)
class EveryBoardSize(Conversation):
    """Each size from 2 to 25 is asked for; a move on the far corner and one above it show the size."""

    requires = NEEDS

    def observe(self, session: Session) -> tuple[SizeTrial, ...]:
        """Try each size, until one is wrong or the answers took long; then return to the first size."""
        bot, trials = session.bot, []
        size, seconds = session.introduction.size, 0.0
        bot.set_up(_lines(f"boardsize {size}"))
        for wanted in SIZES:
            answer = bot.ask(f"boardsize {wanted}\n".encode("ascii"))
            size = wanted if answer.ok else size
            trials.append(SizeTrial(answer, size, *_edge(bot, size, size)))
            seconds += answer.seconds
            if seconds > ENOUGH or not trials[-1].is_as_expected:
                break
        bot.set_up(_lines(f"boardsize {session.introduction.size}", "clear_board"))
        return tuple(trials)

    def judge(self, observation: tuple[SizeTrial, ...]) -> Judgement:
        """After each answer, the board must have the size that was accepted last."""
        for trial in observation:
            if not trial.is_as_expected:
                wrong = trial.beyond if trial.corner.ok else trial.corner
                wanted = "?" if trial.corner.ok else "="
                board = f"{trial.size}x{trial.size}"
                sent = wrong.sent.decode("ascii").strip()
                expected = f"{exchange_text(trial.answer)}; so the board is {board}, and {sent} → {wanted}"
                return failed(expected, f"{exchange_text(trial.answer)}; {exchange_text(wrong)}")
        accepted = sorted({trial.size for trial in observation if trial.answer.ok})
        return passed("each accepted size is the size of the board", f"sizes accepted: {accepted}")


@dataclass(frozen=True)
class RectangleRecord:
    """The answer to rectangular_boardsize; if it succeeded, a move on the far corner and one above it."""

    answer: Exchange
    corner: Exchange | None = None
    beyond: Exchange | None = None


@dataclass(frozen=True)
class RectangularBoard(Conversation):
    """rectangular_boardsize gets a width and a smaller height; two moves show the board."""

    requires = NEEDS

    def observe(self, session: Session) -> RectangleRecord:
        """Ask for the board; if it is accepted, play on its far corner and above; return to a square one."""
        bot = session.bot
        bot.set_up(_lines(f"boardsize {session.introduction.size}", "clear_board"))
        answer = bot.ask(f"rectangular_boardsize {WIDTH} {HEIGHT}\n".encode("ascii"))
        moves = _edge(bot, WIDTH, HEIGHT) if answer.ok else ()
        bot.set_up(_lines(f"boardsize {session.introduction.size}", "clear_board"))
        return RectangleRecord(answer, *moves)

    def judge(self, observation: RectangleRecord) -> Judgement:
        """A board that is accepted must have this width and height. An engine may refuse it."""
        answer, corner, beyond = observation.answer, observation.corner, observation.beyond
        expected = f"{WIDTH} columns and {HEIGHT} rows: the far corner is on the board, the point above not"
        if corner is None or beyond is None:
            return Judgement(Outcome.PASS, expected, exchange_text(answer))
        wrong = None if corner.ok and not beyond.ok else beyond if corner.ok else corner
        if wrong is not None:
            return failed(expected, f"{exchange_text(answer)}; {exchange_text(wrong)}")
        return passed(expected)


def _edge(bot: Bot, columns: int, rows: int) -> tuple[Exchange, Exchange]:
    """Clear the board; play on its far corner, and on the point above it."""
    bot.set_up(_lines("clear_board"))
    column = COLUMNS[columns - 1]
    corner, beyond = _lines(f"play b {column}{rows}", f"play w {column}{rows + 1}")
    return bot.ask(corner), bot.ask(beyond)


def _lines(*commands: str) -> tuple[bytes, ...]:
    return tuple(f"{command}\n".encode("ascii") for command in commands)
