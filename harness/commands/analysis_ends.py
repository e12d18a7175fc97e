"""Checks of analyses among other commands: ids, several in a row, the board, an empty line.

Most of them end an analysis by the chaser, a command that the bot is known to answer.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass

from harness.check.bot.bot import Bot
from harness.check.bot.chaser import CHASE_WAIT
from harness.check.bot.errors import BotInterruptedError
from harness.check.bot.session import Session
from harness.check.bot.wording import exchange_text, sent_text
from harness.check.model import Ability, Judgement, Outcome, Requirements, failed, passed
from harness.check.procedures.conversation import Conversation
from harness.check.procedures.failures import failure_outcome
from harness.commands.analyses import (
    LINE_WAIT,
    REFUSES,
    SIDE,
    all_forms,
    begin,
    is_legal,
    more_lines,
    requirements_with,
    set_up_lines,
)
from harness.gtp import Exchange, Stream, printable
from harness.gtp.analysis_lines import records_in

FIRST_ID, NEXT_ID = 7, 8
"""Ids of the analysis, and of the command that ends it."""

REFUSED, NOT_ENDED = "analysis-not-by-another", "analysis-not-ended-by-another"
"""Faults that `AnalysesInARow` must catch: an analysis refuses the next one, or is not ended by it. A failure
lists in `unlike` the fault that it does not show."""

TIMES = 3
"""Analyses in a row; chosen: a second one may still be lucky."""

MOST_MOVES = 3
"""Most moves of an analysis that are played after it; chosen: the first is the one that could stand."""

MOST_TIMES = 4
"""Number of lines about one move after an empty line that show that the empty line does not end the analysis.
Chosen: a bot that obeys stops earlier."""

MOST_SHOWN = 160
"""Most characters of stray lines in a report. Chosen: two lines of a terminal."""


def end_by(bot: Bot, line: bytes) -> Exchange:
    """End an analysis by a line; return the exchange of the line, also if it has no answer."""
    try:
        return bot.ask(line)
    except BotInterruptedError as interruption:
        return interruption.exchange


@dataclass(frozen=True)
class IdRecord:
    """The whole analysis with an id (None if it has no end), and the next command, which has another id."""

    analysis: Exchange | None
    after: Exchange


class AnalysisIds(Conversation):
    """An analysis has the id of its command, and the next answer has its own."""

    @property
    def requires(self) -> Requirements:
        """Requirements of the position, and echoed ids."""
        return requirements_with(Ability.ECHOES_IDS, Ability.ENDS_ANALYSES)

    def observe(self, session: Session) -> IdRecord:
        """Analyse with an id; end the analysis by a command with another id."""
        bot = session.bot
        bot.set_up(set_up_lines(session.introduction.size))
        stream, _ = begin(bot, all_forms(session, id_text=str(FIRST_ID)))
        after = end_by(bot, b"%d %b" % (NEXT_ID, bot.chaser.line))
        return IdRecord(stream.exchange, after)

    def judge(self, observation: IdRecord) -> Judgement:
        """Both ids must come back, each with its own answer."""
        analysis, after = observation.analysis, observation.after
        if analysis is None or analysis.answer is None:
            return Judgement(Outcome.SKIP, observed="the analysis has no end")  # another check reports it
        if not analysis.ok:
            return Judgement(Outcome.SKIP, observed=REFUSES)
        expected = f"{sent_text(analysis.sent)} → ={FIRST_ID}"
        if analysis.answer.id != FIRST_ID:
            shown = printable(analysis.raw.split(b"\n", 1)[0])
            return failed(expected, f"{sent_text(analysis.sent)} → {shown}")
        expected = f"{sent_text(after.sent)} → ={NEXT_ID}"
        if not after.is_answered:
            return Judgement(failure_outcome(after), expected, exchange_text(after))
        if after.answer is None or after.answer.id != NEXT_ID:
            return failed(expected, exchange_text(after))
        return passed(f"={FIRST_ID} and ={NEXT_ID}")


@dataclass(frozen=True)
class RowRecord:
    """Analyses that end each other.

    analyses   the exchange of each; None for one without an end
    printed    True for each that printed a line of analysis
    after      the command that ended the last one; empty if an analysis failed before
    """

    analyses: tuple[Exchange | None, ...]
    printed: tuple[bool, ...]
    after: tuple[Exchange, ...] = ()


class AnalysesInARow(Conversation):
    """An analysis ends the analysis before it, as any other command does."""

    @property
    def requires(self) -> Requirements:
        """Requirements of the position, and analyses that end."""
        return requirements_with(Ability.ENDS_ANALYSES)

    def observe(self, session: Session) -> RowRecord:
        """Begin several analyses, each after a line of the one before; end the last by another command."""
        bot = session.bot
        bot.set_up(set_up_lines(session.introduction.size))
        lines = all_forms(session)
        streams: list[Stream] = []
        printed: list[bool] = []
        for _ in range(TIMES):
            try:
                stream, analysed = begin(bot, lines)
            except BotInterruptedError as interruption:
                return RowRecord((*(s.exchange for s in streams), interruption.exchange), (*printed, False))
            streams.append(stream)
            printed.append(bool(analysed))
            lines = (stream.sent,)
        after = end_by(bot, bot.chaser.line)
        return RowRecord(tuple(stream.exchange for stream in streams), tuple(printed), (after,))

    def judge(self, observation: RowRecord) -> Judgement:
        """Each analysis must print a line, and end with one empty line; the last command is answered."""
        if not observation.printed[0]:  # if it was not refused, `AnalysisStarts` reports it
            return Judgement(Outcome.SKIP, observed="the first analysis printed no line")
        expected = (
            f"{TIMES} analyses in a row: each begins with =, prints lines, and ends with one empty line"
        )
        pairs = zip(observation.analyses, observation.printed, strict=True)
        for number, (exchange, printed) in enumerate(pairs, 1):
            if exchange is None:
                return Judgement(Outcome.TIMEOUT, expected, f"number {number}: no end")
            if not exchange.is_answered:
                seen = f"number {number}: {exchange_text(exchange)}"
                return Judgement(failure_outcome(exchange), expected, seen)
            if exchange.ending == "malformed":
                seen = f"number {number} ends without its empty line, as the next begins"
                return failed(expected, seen, unlike=(REFUSED,))
            if not exchange.ok or not printed or exchange.noise:
                seen = f"number {number}: {exchange_text(exchange)}"
                return failed(expected, seen, unlike=(NOT_ENDED,))
        for after in observation.after:
            if after.answer is None:
                return Judgement(failure_outcome(after), expected, exchange_text(after))
        return passed(expected)


@dataclass(frozen=True)
class LaterRecord:
    """The commands after an analysis, and a second analysis.

    after     two commands after the first analysis, one after the second; fewer if one had no answer
    again     the second analysis; None if it was not begun, or has no end
    refused   the first analysis was refused
    """

    after: tuple[Exchange, ...] = ()
    again: Exchange | None = None
    refused: bool = False


class NothingLater(Conversation):
    """After an analysis has ended, no line of it comes any more."""

    @property
    def requires(self) -> Requirements:
        """Requirements of the position, and analyses that end."""
        return requirements_with(Ability.ENDS_ANALYSES)

    def observe(self, session: Session) -> LaterRecord:
        """Analyse, ask, wait some intervals, ask, analyse again, and ask. Stop where no answer comes."""
        bot = session.bot
        bot.set_up(set_up_lines(session.introduction.size))
        stream, _ = begin(bot, all_forms(session))
        if stream.refused:
            return LaterRecord(refused=True)
        after = [end_by(bot, bot.chaser.line)]
        if after[-1].answer is not None:
            bot.wait_until(time.monotonic() + LINE_WAIT)
            after.append(end_by(bot, bot.chaser.line))
        if after[-1].answer is None:
            return LaterRecord(tuple(after))
        try:
            again, _ = begin(bot, (stream.sent,))
        except BotInterruptedError as interruption:
            return LaterRecord(tuple(after), interruption.exchange)
        after.append(end_by(bot, bot.chaser.line))
        return LaterRecord(tuple(after), again.exchange)

    def judge(self, observation: LaterRecord) -> Judgement:
        """Nothing may come between the answers. Another check reports an answer that does not come."""
        if observation.refused:
            return Judgement(Outcome.SKIP, observed=REFUSES)
        exchanges = [*observation.after, *([observation.again] if observation.again else [])]
        stray = next((one for one in exchanges if one.noise.strip()), None)
        expected = "after the end of an analysis: the answers to the next commands alone"
        if stray is not None:
            lines = printable(stray.noise.strip())[:MOST_SHOWN]
            return failed(expected, f"before the answer to {sent_text(stray.sent)}: “{lines}”")
        return passed(expected)


@dataclass(frozen=True)
class KeptRecord:
    """An analysis, and White's plays after it.

    line    the command that began the analysis
    named   the legal moves in its last line that was read
    plays   of the first MOST_MOVES of these moves, up to the first that is refused
    """

    line: bytes
    named: tuple[str, ...]
    plays: tuple[Exchange, ...]


class AnalysisKeepsBoard(Conversation):
    """An analysis leaves the board as it is: a move that it names can be played afterwards."""

    @property
    def requires(self) -> Requirements:
        """Requirements of the position, of moves of one colour in a row, and analyses that end."""
        return requirements_with(Ability.ENDS_ANALYSES, Ability.PLAYS_EITHER_COLOUR)

    def observe(self, session: Session) -> KeptRecord:
        """Analyse for White; then play the first moves that the last line of analysis names."""
        bot, size = session.bot, session.introduction.size
        bot.set_up(set_up_lines(size))
        stream, analysed = begin(bot, all_forms(session))
        analysed += more_lines(bot, stream)
        bot.ask(bot.chaser.line)
        last = analysed[-1] if analysed else b""
        moves = [record.move for record in records_in(last) if not record.fault(size)]
        named = [move for move in moves if move not in ("PASS", "RESIGN") and is_legal(move, size)]
        plays: list[Exchange] = []
        for move in named[:MOST_MOVES]:
            plays.append(bot.ask(f"play {SIDE} {move}\n".encode("ascii")))
            if not plays[-1].ok:
                break
        return KeptRecord(stream.sent, tuple(named), tuple(plays))

    def judge(self, observation: KeptRecord) -> Judgement:
        """Every move must be accepted."""
        if not observation.plays:
            return Judgement(Outcome.SKIP, observed="the analysis names no legal move on the board")
        expected = f"after {sent_text(observation.line)}: a move that it names can be played"
        wrong = next((play for play in observation.plays if not play.ok), None)
        return failed(expected, exchange_text(wrong)) if wrong is not None else passed(expected)


@dataclass(frozen=True)
class BlankRecord:
    """An analysis after which an empty line was sent.

    ended     the analysis ended
    later     number of lines after the empty line that name the move named most often
    refused   the analysis was refused; no empty line was sent
    """

    ended: bool
    later: int
    refused: bool = False


class BlankLineEnds(Conversation):
    """An empty line ends an analysis."""

    @property
    def requires(self) -> Requirements:
        """Requirements of the position, and analyses that end."""
        return requirements_with(Ability.ENDS_ANALYSES)

    def observe(self, session: Session) -> BlankRecord:
        """Analyse, send an empty line, and read until the analysis ends, or some lines more."""
        bot = session.bot
        bot.set_up(set_up_lines(session.introduction.size))
        stream, _ = begin(bot, all_forms(session))
        if stream.refused:
            return BlankRecord(ended=True, later=0, refused=True)
        bot.running_engine().send(b"\n")  # `ask` would wait for an answer, which no bot gives
        later: Counter[str] = Counter()
        while max(later.values(), default=0) < MOST_TIMES:
            line = bot.await_line(stream, CHASE_WAIT)
            if line is None:
                break
            later.update({record.move for record in records_in(line)})
        record = BlankRecord(stream.exchange is not None, max(later.values(), default=0))
        bot.ask(bot.chaser.line)
        return record

    def judge(self, observation: BlankRecord) -> Judgement:
        """The analysis must have ended."""
        if observation.refused:
            return Judgement(Outcome.SKIP, observed=REFUSES)
        expected = "an empty line sent → the empty line that ends the analysis"
        if observation.ended:
            return passed(expected)
        return failed(expected, f"a move was named {observation.later} times more, and no end came")
