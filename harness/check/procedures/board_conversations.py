"""Checks of genmove, undo and boardsize that no fixed dialogue can make.

In most of them the next command depends on an answer of the bot; `SearchAfterUndo` compares two answers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from harness.check.bot.bot import Bot
from harness.check.bot.errors import BotInterruptedError
from harness.check.bot.session import Session
from harness.check.bot.wording import answer_text, exchange_text, sent_text
from harness.check.model import Ability, Judgement, Outcome, Requirements, failed, passed
from harness.check.procedures.chosen_move import WITHOUT_A_STONE
from harness.check.procedures.conversation import Conversation, new_game
from harness.check.procedures.failures import failure_outcome
from harness.check.procedures.late_probes import STONES
from harness.check.procedures.reliance import SentLine, requirements
from harness.go import Colour, opponent
from harness.gtp import COLUMNS, Exchange, parse_decimal


@dataclass(frozen=True)
class GeneratedTurn:
    """A generated move of a side; if it is a vertex, `replay` is the other side's attempt to play there."""

    colour: Colour
    move: Exchange
    replay: Exchange | None = None

    @property
    def vertex(self) -> str:
        """The answer to genmove, which may be no vertex."""
        return self.move.text.strip()

    @property
    def text(self) -> str:
        """Both commands with their answers, for a report about a turn with a replay."""
        replayed = "=" if self.replay is not None and self.replay.ok else "?"
        other = opponent(self.colour)
        return f"genmove {self.colour} → {self.vertex}, then play {other} {self.vertex} → {replayed}"


class GenmovePlays(Conversation):
    """`gtp.play.genmove-plays`: genmove puts a stone on the board, so the other side cannot play there."""

    requires = requirements(
        (
            *map(SentLine, new_game(9)),
            SentLine(b"genmove b\n"),
            SentLine(b"play w C3\n", ("?",)),
            SentLine(b"genmove w\n"),
            SentLine(b"play b C3\n", ("?",)),
        )
    )

    def observe(self, session: Session) -> list[GeneratedTurn]:
        """Generate the first move of each side; let the other side play on the same vertex."""
        bot = session.bot
        bot.set_up(new_game(session.introduction.size))
        turns: list[GeneratedTurn] = []
        sides: tuple[Colour, ...] = ("b", "w")
        for colour in sides:
            turn = GeneratedTurn(colour, bot.ask(f"genmove {colour}\n".encode("ascii")))
            if not re.fullmatch(r"[A-Za-z]\d{1,2}", turn.vertex):
                return [*turns, turn]
            replay = bot.ask(f"play {opponent(colour)} {turn.vertex}\n".encode("ascii"))
            turns.append(replace(turn, replay=replay))
            if replay.ok:
                break
        return turns

    def judge(self, observation: list[GeneratedTurn]) -> Judgement:
        """Each side must generate a vertex, where the bot then refuses a move; White may pass or resign."""
        expected = "a vertex, on which the other side may then not play"
        seen: list[str] = []
        for turn in observation:
            if turn.replay is None:
                without_stone = WITHOUT_A_STONE.get(turn.vertex.upper()) if turn.move.ok else None
                if without_stone and seen:
                    break  # White passed or resigned; Black's move was made
                reported_by = without_stone or Ability.GENERATES_MOVES
                return Judgement(Outcome.FAIL, expected, answer_text(turn.move), reported_by=str(reported_by))
            if turn.replay.ok:
                return failed(expected, turn.text)
            seen.append(turn.text)
        return passed(expected, "; ".join(seen))


@dataclass(frozen=True)
class UndoRecord:
    """The answers to a second undo in a row, and to two moves that show the board after it.

    on_stone   a move on the last stone of the board, which the bot must refuse
    on_free    a move where the next stone of THREE_STONES had stood, which it must accept
    """

    undo: Exchange
    on_stone: Exchange
    on_free: Exchange


THREE_STONES = (*new_game(9), b"play b C3\n", b"play w D4\n", b"play b E5\n", b"undo\n")
"""Lines after which C3 and D4 stand, and a second undo takes D4 away."""

IF_UNDONE, IF_REFUSED = (b"play w C3\n", b"play w D4\n"), (b"play b D4\n", b"play b E5\n")
"""The two moves of `UndoRecord`, by whether the bot accepted or refused the second undo."""


@dataclass(frozen=True)
class UndoTwice(Conversation):
    """`gtp.play.undo-both`: a second undo takes back one move more; if it is refused, nothing changes."""

    requires = requirements((*map(SentLine, THREE_STONES), SentLine(IF_UNDONE[0], ("?",))))

    def observe(self, session: Session) -> UndoRecord:
        """Take back a move, then another one; look at the board by two moves."""
        bot = session.bot
        bot.set_up((*new_game(session.introduction.size), *THREE_STONES[2:]))
        undo = bot.ask(b"undo\n")
        on_stone, on_free = IF_UNDONE if undo.ok else IF_REFUSED
        return UndoRecord(undo, bot.ask(on_stone), bot.ask(on_free))

    def judge(self, observation: UndoRecord) -> Judgement:
        """The first of the two moves must be refused, the second accepted."""
        undo, on_stone, on_free = observation.undo, observation.on_stone, observation.on_free
        moves = IF_UNDONE if undo.ok else IF_REFUSED
        after = "after a second undo" if undo.ok else "after a second undo that was refused"
        wanted = f"{after}: {sent_text(moves[0])} → ?, {sent_text(moves[1])} → ="
        seen = f"{after}: {exchange_text(on_stone)}, {exchange_text(on_free)}"
        return failed(wanted, seen) if on_stone.ok or not on_free.ok else passed(wanted, seen)


PLACED_AND_UNDONE = (b"play b E5\n", b"undo\n")


@dataclass(frozen=True)
class ScoreAroundUndo:
    """The answers to ref-score at one komi: `after` a stone was placed and taken back, and `without` that."""

    wanted: float
    without: Exchange
    after: Exchange

    @property
    def is_right(self) -> bool:
        """True if the bot reports the certain result where nothing is undone."""
        return parse_decimal(self.without.text) == self.wanted

    @property
    def is_kept(self) -> bool:
        """True unless the score is nearer to the other result: the stone, if it stayed, turns every playout.

        Also true for an answer that is no number: other checks report it.
        """
        score = parse_decimal(self.after.text)
        return score is None or abs(score - self.wanted) < 0.5


@dataclass(frozen=True)
class SearchAfterUndo(Conversation):
    """`game.score.undone`: searches of a position that Black wins by one point, at komi around it.

    It is skipped for a bot whose score is wrong without an undo too: that is another fault.
    """

    around = ((0.75, 1.0), (1.25, 0.0))
    """Komi below and above Black's lead of one point, and Black's certain score with it."""

    @staticmethod
    def _lines(komi: float, size: int, *undone: bytes) -> tuple[bytes, ...]:
        stones = STONES.encode("ascii").splitlines(keepends=True)
        return (*new_game(size), f"komi {komi}\n".encode("ascii"), *stones, *undone, b"genmove b\n")

    @property
    def requires(self) -> Requirements:
        """Requirements of the searches, and of a stone that is placed and taken back."""
        return requirements(map(SentLine, (*self._lines(0.75, 9), b"ref-score\n"))).with_those_of(
            requirements(map(SentLine, (*new_game(9), *PLACED_AND_UNDONE)))
        )

    def observe(self, session: Session) -> tuple[ScoreAroundUndo, ...]:
        """Search with and without the undo, at each komi."""
        bot, size = session.bot, session.introduction.size
        found: list[ScoreAroundUndo] = []
        for komi, wanted in self.around:
            answers: list[Exchange] = []
            for undone in ((), PLACED_AND_UNDONE):
                bot.set_up(self._lines(komi, size, *undone))
                answers.append(bot.ask(b"ref-score\n"))
            found.append(ScoreAroundUndo(wanted, *answers))
        bot.set_up([b"komi 7.5\n"])  # the next check of this process gets a usual komi
        return tuple(found)

    def judge(self, observation: tuple[ScoreAroundUndo, ...]) -> Judgement:
        """The undo must not change the score."""
        if not all(score.is_right for score in observation):
            return Judgement(Outcome.SKIP, observed="the score is not the certain one without an undo either")
        for score in observation:
            if not score.is_kept:
                wanted = f"ref-score → {score.wanted:g} after play b E5 and undo, as without them"
                return failed(wanted, exchange_text(score.after))
        return passed("the same score after play b E5 and undo")


@dataclass(frozen=True)
class ColumnsRecord:
    """The answer to the accepted boardsize, None without one; and those to a move in each column past T."""

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
    requires = Requirements(abilities=frozenset({Ability.CHANGES_SIZE, Ability.REFUSES_SIZES})).with_those_of(
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
