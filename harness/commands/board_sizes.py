"""Checks of the sizes that an engine accepts: a far point is on the board, the one above it is not."""

from __future__ import annotations

from dataclasses import dataclass

from harness.check.bot.bot import Bot
from harness.check.bot.errors import BotInterruptedError
from harness.check.bot.refusals import is_obeyed
from harness.check.bot.session import Session
from harness.check.bot.wording import exchange_text, sent_text
from harness.check.model import Judgement, passed
from harness.check.procedures.conversation import Conversation, as_lines, new_game
from harness.check.procedures.failures import failure_outcome
from harness.check.procedures.reliance import SentLine, requirements
from harness.gtp import COLUMNS, Exchange

SIZES = (5, 7, 19, 25, 2, 13, 3, 4, 6, 8, *range(9, 13), *range(14, 19), *range(20, 25))
"""Sizes to try: all from 2 to 25, the usual ones and the extreme ones first."""

ENOUGH = 2.0
"""Seconds of answers to boardsize after which no further size is tried; chosen.

Some engines load a network for each size.
"""

WIDEST = 19
"""The largest column to play in, from 1. A check of its own is about the names of the columns past T."""

WIDTH, HEIGHT = 9, 5
"""The board that rectangular_boardsize is asked for."""

# The requirements of both checks: the bot refuses sizes and moves, and plays others.
NEEDS = requirements(
    (
        SentLine(b"boardsize 1000\n", ("?",)),
        SentLine(b"clear_board\n"),
        SentLine(b"play b C3\n"),
        SentLine(b"play w Z99\n", ("?",)),
    )
)


@dataclass(frozen=True)
class Edge:
    """Two moves that show the size of an empty board: on 9x9 `play b J9`, then `play w J10`.

    inside   the move on the last point of the top row, up to column WIDEST; it must be accepted
    beyond   the move above it, which must be refused; None if `inside` got no answer
    """

    inside: Exchange
    beyond: Exchange | None

    @property
    def wrong(self) -> Exchange | None:
        """The move with a wrong answer: first `inside`, then `beyond`; None if both are right."""
        if not is_obeyed(self.inside) or self.beyond is None:
            return self.inside
        refused = self.beyond.answer is not None and not is_obeyed(self.beyond)
        return None if refused else self.beyond


@dataclass(frozen=True)
class SizeTrial:
    """The answer to a size, and the edge of the board then.

    `size` is the size of the board: the one before if this size was refused.
    """

    answer: Exchange
    size: int
    edge: Edge


@dataclass(frozen=True)
class EveryBoardSize(Conversation):
    """Sizes from 2 to 25 are asked for; a move in the top row and one above it show the size."""

    requires = NEEDS

    def observe(self, session: Session) -> tuple[SizeTrial, ...]:
        """Try each size, until one is wrong or the answers took ENOUGH; then return to the usual size."""
        bot, trials = session.bot, []
        size, seconds = session.introduction.size, 0.0
        bot.set_up(as_lines(f"boardsize {size}"))
        for wanted in SIZES:
            answer = bot.ask(f"boardsize {wanted}\n".encode("ascii"))
            size = wanted if is_obeyed(answer) else size
            trials.append(SizeTrial(answer, size, _edge(bot, min(size, WIDEST), size)))
            seconds += answer.seconds
            if seconds > ENOUGH or trials[-1].edge.wrong is not None:
                break
        bot.set_up(new_game(session.introduction.size))
        return tuple(trials)

    def judge(self, observation: tuple[SizeTrial, ...]) -> Judgement:
        """After each answer, the board must have the size that was accepted last."""
        for trial in observation:
            if trial.edge.wrong is not None:
                answer = exchange_text(trial.answer)
                board = f"{answer}; so the board is {trial.size}x{trial.size}"
                return _judge_edge(trial.edge, board, answer)
        accepted = sorted({trial.size for trial in observation if is_obeyed(trial.answer)})
        return passed("each accepted size is the size of the board", f"sizes accepted: {accepted}")


@dataclass(frozen=True)
class RectangleRecord:
    """The answer to rectangular_boardsize and, if it succeeded, the edge of the board."""

    answer: Exchange
    edge: Edge | None


@dataclass(frozen=True)
class RectangularBoard(Conversation):
    """rectangular_boardsize gets a width and a smaller height; two moves show the board."""

    requires = NEEDS

    def observe(self, session: Session) -> RectangleRecord:
        """Ask for the board; if it is accepted, play on its far corner and above; return to a square one."""
        bot = session.bot
        square = new_game(session.introduction.size)
        bot.set_up(square)
        answer = bot.ask(f"rectangular_boardsize {WIDTH} {HEIGHT}\n".encode("ascii"))
        edge = _edge(bot, WIDTH, HEIGHT) if answer.ok else None
        bot.set_up(square)
        return RectangleRecord(answer, edge)

    def judge(self, observation: RectangleRecord) -> Judgement:
        """A board that is accepted must have this width and height. An engine may refuse it."""
        answer, edge = exchange_text(observation.answer), observation.edge
        if edge is None or edge.wrong is None:
            return passed(f"{WIDTH} columns and {HEIGHT} rows, or a refusal", answer)
        return _judge_edge(edge, f"{answer}; so the board has {WIDTH} columns and {HEIGHT} rows", answer)


def _judge_edge(edge: Edge, board: str, answer: str) -> Judgement:
    """Judge an edge with a wrong point."""
    wrong = edge.wrong
    assert wrong is not None
    wanted = "=" if wrong is edge.inside else "?"
    expected = f"{board}, and {sent_text(wrong.sent)} → {wanted}"
    return Judgement(failure_outcome(wrong), expected, f"{answer}; {exchange_text(wrong)}")


def _edge(bot: Bot, columns: int, rows: int) -> Edge:
    """Clear the board; play in this column of the top row, and on the point above it."""
    bot.set_up(as_lines("clear_board"))
    column = COLUMNS[columns - 1]
    answers: list[Exchange] = []
    for line in as_lines(f"play b {column}{rows}", f"play w {column}{rows + 1}"):
        try:
            answers.append(bot.ask(line))
        except BotInterruptedError as interruption:
            answers.append(interruption.exchange)
            break
    inside, *beyond = answers
    return Edge(inside, beyond[0] if beyond else None)
