"""Checks of the commands of KGS: kgs-rules, kgs-genmove_cleanup and kgs-game_over."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest

from harness.check.bot.bot import Bot
from harness.check.bot.errors import BotInterruptedError
from harness.check.bot.session import Session
from harness.check.bot.wording import answer_text, exchange_text
from harness.check.model import Judgement, Outcome, failed, passed
from harness.check.procedures.conversation import Conversation, as_lines, new_game
from harness.check.procedures.failures import failure_outcome
from harness.check.procedures.reliance import SentLine, requirements
from harness.commands.rule_settings import present_rules, restore_rules
from harness.gtp import Exchange, VertexError, format_vertex, parse_vertex

CLEANUP = b"kgs-genmove_cleanup b\n"
GAME_OVER = b"kgs-game_over\n"
ANSWERED = "gtp.kgs.cleanup-answers"
"""The check that reports an answer to kgs-genmove_cleanup that is no move."""


def settled_lines(size: int) -> tuple[bytes, ...]:
    """Return the lines of a settled game: both sides live, one white stone in Black's corner is dead.

    The white stone on A1 has one liberty, B1, and cannot be saved. Black leads and is to move. Except for
    B1 and the eyes every point has a stone. Two rows on 9x9, `O` white:

        5 . X X X X O O O O
        …
        1 O . X X X O O O .
          A B C D E F G H J
    """
    wall, top, middle = size // 2 + 1, size - 1, size // 2
    empty = {(0, 1), (middle, 0), (top, 0), (0, top), (top, top)}
    points = [(row, column) for row in range(size) for column in range(size) if (row, column) not in empty]
    white = [point for point in points if point[1] >= wall or point == (0, 0)]
    black = [point for point in points if point not in set(white)]
    moves = [
        f"play {colour} {format_vertex(point) if point else 'pass'}"
        for pair in zip_longest(black, white)
        for colour, point in zip("bw", pair, strict=True)
    ]
    return (*new_game(size), *as_lines("komi 0", *moves))


@dataclass(frozen=True)
class CleanupRecord:
    """The answer to kgs-genmove_cleanup. After a vertex, `replay` is Black's attempt to play there again."""

    answer: Exchange
    move: str  # the vertex in capitals, PASS or RESIGN; empty for another answer
    replay: Exchange | None = None


@dataclass(frozen=True)
class Cleanup(Conversation):
    """Base of the checks of kgs-genmove_cleanup: one move in a settled position with a dead stone."""

    unreadable_reported_by = ANSWERED
    """The check that reports an answer that is no move; empty if this check does."""

    requires = requirements(map(SentLine, (*settled_lines(9), b"play b C1\n")))

    def observe(self, session: Session) -> CleanupRecord:
        """Set the position up, ask for the move, and try to play it again."""
        bot, size = session.bot, session.introduction.size
        bot.set_up(settled_lines(size))
        answer = bot.ask(CLEANUP)
        text = answer.text.strip().upper()
        if not answer.ok or text in ("PASS", "RESIGN"):
            return CleanupRecord(answer, text if answer.ok else "")
        try:
            vertex = format_vertex(parse_vertex(text, size))
        except VertexError:
            return CleanupRecord(answer, "")
        return CleanupRecord(answer, text, bot.ask(f"play b {vertex}\n".encode("ascii")))

    def judge(self, observation: CleanupRecord) -> Judgement:
        """Fail for an answer that is no move; else `judge_move`."""
        if not observation.move:
            observed = exchange_text(observation.answer)
            return Judgement(Outcome.FAIL, "= and a move", observed, reported_by=self.unreadable_reported_by)
        return self.judge_move(observation)

    def judge_move(self, observation: CleanupRecord) -> Judgement:
        """Judge a move, a pass or a resignation."""
        raise NotImplementedError


class CleanupAnswers(Cleanup):
    """kgs-genmove_cleanup answers like genmove."""

    unreadable_reported_by = ""

    def judge_move(self, observation: CleanupRecord) -> Judgement:
        """Pass: the answer is a move."""
        return passed("= and a vertex, pass or resign", answer_text(observation.answer))


class CleanupCaptures(Cleanup):
    """kgs-genmove_cleanup does not pass while a dead stone stands."""

    def judge_move(self, observation: CleanupRecord) -> Judgement:
        """Any vertex will do, and an engine may resign."""
        expected = "a move: the dead stone on A1 is still on the board, and Black can take it at B1"
        if observation.move == "RESIGN":
            return Judgement(Outcome.SKIP, expected, exchange_text(observation.answer))
        if observation.move == "PASS":
            return failed(expected, exchange_text(observation.answer))
        return passed(expected, observation.move)


class CleanupPlays(Cleanup):
    """kgs-genmove_cleanup makes the move that it answers."""

    def judge_move(self, observation: CleanupRecord) -> Judgement:
        """A vertex must be occupied afterwards."""
        move, replay = observation.move, observation.replay
        if replay is None:
            return Judgement(Outcome.SKIP, observed=exchange_text(observation.answer))
        expected = f"the stone on {move} is on the board, so Black cannot play there again"
        if replay.ok:
            return failed(expected, f"{exchange_text(observation.answer)}; {exchange_text(replay)}")
        return passed(expected)


RULES = ("chinese", "japanese", "aga", "new_zealand", "no_such_rules")
"""The four sets of rules of KGS, and a name that stands for none."""


class ServerRules(Conversation):
    """kgs-rules gets the four names of KGS and an unknown one, and a game begins."""

    requires = requirements(map(SentLine, (b"clear_board\n", b"play b C3\n")))

    def observe(self, session: Session) -> tuple[Exchange, ...]:
        """Set each name and play; then bring the first rules back, or start a new process."""
        bot, own = session.bot, present_rules(session)
        lines = [f"kgs-rules {name}\n".encode("ascii") for name in RULES]
        answers = _answers(bot, (*lines, *new_game(session.introduction.size, ["b C3"])))
        restore_rules(session, own, changed=any(answer.ok for answer in answers[: len(lines)]))
        return answers

    def judge(self, observation: tuple[Exchange, ...]) -> Judgement:
        """Each name must be answered, with a success or a refusal, and the game must be played."""
        expected = "an answer to each name, and then a game"
        for number, exchange in enumerate(observation):
            if exchange.answer is None or (number >= len(RULES) and not exchange.ok):
                return Judgement(failure_outcome(exchange), expected, exchange_text(exchange))
        accepted = [name for name, answer in zip(RULES, observation, strict=False) if answer.ok]
        return passed(expected, f"accepted: {', '.join(accepted) or 'none'}")


class UnknownServerRules(ServerRules):
    """kgs-rules gets an unknown name, after the four names of KGS."""

    def judge(self, observation: tuple[Exchange, ...]) -> Judgement:
        """The unknown name must be refused."""
        expected = f"kgs-rules {RULES[-1]} → ?"
        if len(observation) < len(RULES):  # an earlier name got no answer, which `ServerRules` reports
            return passed(expected)
        unknown = observation[len(RULES) - 1]
        return failed(expected, exchange_text(unknown)) if unknown.ok else passed(expected)


@dataclass(frozen=True)
class GameOverRecord:
    """The answers to kgs-game_over and to the lines after it, up to the first death or silence."""

    answers: tuple[Exchange, ...]

    @property
    def ended_in_order(self) -> bool:
        """True if kgs-game_over succeeded, and the engine then ended by itself, without a signal."""
        ended = self.answers[-1].exit
        return self.answers[0].ok and ended is not None and ended.signal is None and not ended.forced


@dataclass(frozen=True)
class GameOver(Conversation):
    """kgs-game_over ends a game; then another one begins.

    may_end   the engine may end after its answer: some bots of KGS play a single game
    """

    may_end: bool = False

    requires = requirements(map(SentLine, (b"clear_board\n", b"play b C3\n", b"play w D4\n")))

    def observe(self, session: Session) -> GameOverRecord:
        """Play a move, end the game, and begin another one."""
        bot, new = session.bot, new_game(session.introduction.size, ["b C3"])
        bot.set_up(new)
        return GameOverRecord(_answers(bot, (GAME_OVER, *new, b"play w D4\n")))

    def judge(self, observation: GameOverRecord) -> Judgement:
        """Each line must succeed."""
        expected = "kgs-game_over is answered, and the next game can be played"
        if self.may_end and observation.ended_in_order:
            return passed(expected, "kgs-game_over was answered; then the engine ended")
        for number, exchange in enumerate(observation.answers):
            if not exchange.ok:
                after = "after kgs-game_over: " if number else ""
                return Judgement(failure_outcome(exchange), expected, after + exchange_text(exchange))
        return passed(expected)


def _answers(bot: Bot, lines: tuple[bytes, ...]) -> tuple[Exchange, ...]:
    """Send the lines up to the first death or silence; return their exchanges."""
    answers: list[Exchange] = []
    for line in lines:
        try:
            answers.append(bot.ask(line))
        except BotInterruptedError as interruption:
            return (*answers, interruption.exchange)
    return tuple(answers)
