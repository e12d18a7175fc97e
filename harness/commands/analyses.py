"""Checks of analysis: answers that go on until the next line, such as that of lz-analyze.

`lz-analyze w 5` is answered by "=" and then, every five centiseconds, by a line of analysis such as
"info move D4 visits 120 winrate 5310 pv D4 C3". Any next command ends the analysis with an empty line, and is
then answered itself. The base class `_Analyses` observes; each check judges one requirement.

Nothing here depends on the speed of the bot. Its first line of analysis has as much time as a move; more
lines are read if they come soon, and no bot fails if they do not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from harness.check.bot.bot import Bot
from harness.check.bot.errors import BotInterruptedError
from harness.check.bot.session import Session
from harness.check.bot.wording import answer_text, exchange_text, sent_text
from harness.check.model import Ability, Judgement, Outcome, Requirements, failed, passed
from harness.check.procedures.conversation import Conversation, new_game
from harness.check.procedures.failures import failure_outcome
from harness.check.procedures.reliance import SentLine, requirements
from harness.go import Position, Rules
from harness.gtp import Colour, Exchange, Stream, command_name, cut, parse_vertex, printable
from harness.gtp.analysis_commands import ENDLESS
from harness.gtp.analysis_lines import MoveRecord, fall_of_visits, is_analysis, records_in

UNPREFIXED = b"analyze"
"""The command of ENDLESS whose name an engine may use for something else."""

INTERVAL = 5
"""Centiseconds between two lines of analysis; chosen: short, and no flood."""

MORE_LINES, LINE_WAIT = 2, 0.25
"""Most lines that are read after the first, and seconds to wait for each; chosen: five intervals."""

MOST_SKIPPED = 100
"""Most lines before the first line of analysis; chosen: logs are shorter."""

STONES = ("b B2", "w A2", "b C1", "w B1", "b A1")
"""Black has taken a stone with A1. White, whose turn it is, may not play on stones, nor retake at B1."""

SIDE: Colour = "w"
"""White: the side to move, and the side for which the bot analyses."""

SIGN_MISSING, KEPT_BACK = "analysis-sign-missing", "analysis-after-its-end"
"""Faults that `AnalysisStarts` must catch. A failure lists in `unlike` the fault that it does not show."""

# Faults of the end of an analysis: no empty line before the next answer; two empty lines; an empty line
# between two lines of analysis; the command that ends the analysis gets no answer.
GLUED, TWO_EMPTY = "analysis-next-glued", "analysis-two-empty-lines"
BETWEEN, UNANSWERED_ENDER = "analysis-empty-line-between", "analysis-ender-unanswered"
ENDINGS = frozenset({GLUED, TWO_EMPTY, BETWEEN, UNANSWERED_ENDER})
"""Faults that `AnalysisEnds` must catch. A failure lists in `unlike` those that it does not show."""

REFUSES = "the bot refuses each of its analysis commands"
"""Why checks of analysis are skipped: the observation in their judgement."""

MOST_PRINTED = 160
"""Most characters of an analysis in a report; chosen: two lines of a terminal."""


def position() -> Position:
    """The position after STONES, under the mildest rules: suicide of several stones and superko are legal."""
    game = Position(9, Rules("simple", suicide=True))
    for move in STONES:
        colour, vertex = move.split()
        game.play("b" if colour == "b" else "w", parse_vertex(vertex, 9))
    return game


_POSITION = position()


def is_legal(vertex: str, size: int) -> bool:
    """Return True if White may play at `vertex` after STONES, on a board of any size from 9 on.

    On a larger board, a point that 9x9 has is legal if it is on 9x9; all others are far from the stones.
    """
    if vertex in ("PASS", "RESIGN"):
        return True
    row_and_column = parse_vertex(vertex, size)
    assert row_and_column is not None
    return max(row_and_column) >= _POSITION.size or _POSITION.legality(SIDE, row_and_column) is None


def set_up_lines(size: int) -> tuple[bytes, ...]:
    """Return the lines that set up the position after STONES."""
    return new_game(size, STONES)


def forms(command: str, colour: str = SIDE, id_text: str = "") -> tuple[bytes, ...]:
    """Return the lines that begin an analysis: with a colour, and without one for bots that take none.

    With the id "7", they are `7 lz-analyze w 5` and `7 lz-analyze 5`.
    """
    head = f"{id_text} {command}".strip()
    return (f"{head} {colour} {INTERVAL}\n".encode("ascii"), f"{head} {INTERVAL}\n".encode("ascii"))


@cache
def requirements_with(*abilities: Ability) -> Requirements:
    """Return the requirements of an analysis (the set-up, one of the commands) and of these abilities."""
    found = Requirements(one_of_commands=ENDLESS, abilities=frozenset(abilities))
    return found.with_those_of(requirements(map(SentLine, set_up_lines(9))))


@dataclass(frozen=True)
class Analysed:
    """One analysis, and the command that ended it.

    line       the command that began it
    exchange   the command and its answer, as far as it came: the bot may have died or been silent
    analysed   the first lines of analysis in the answer, in order
    after      the exchange of the next command; None if it was not sent, since the bot died or was silent
    by_itself  the answer had ended before that command was sent
    """

    line: bytes
    exchange: Exchange
    analysed: tuple[bytes, ...] = ()
    after: Exchange | None = None
    by_itself: bool = False

    @property
    def is_other_command(self) -> bool:
        """True if the command was refused, or is another one of the same name that analyses nothing."""
        if self.exchange.answer is None:
            return False
        analyses_nothing = self.by_itself and not self.analysed
        return not self.exchange.ok or (analyses_nothing and command_name(self.line) == UNPREFIXED)

    @property
    def is_in_order(self) -> bool:
        """True if the analysis and the next command have well-formed answers, and nothing lies between."""
        after = self.after
        return self.exchange.ok and after is not None and after.ok and not after.noise

    @property
    def records(self) -> Iterator[MoveRecord]:
        """Yield the records of all lines, in order."""
        for line in self.analysed:
            yield from records_in(line)


def all_forms(session: Session, colour: str = SIDE, id_text: str = "") -> tuple[bytes, ...]:
    """Return the `forms` of every analysis command that the bot lists."""
    commands = filter(session.has, ENDLESS)
    return tuple(line for command in commands for line in forms(command, colour, id_text))


def begin(bot: Bot, lines: tuple[bytes, ...]) -> tuple[Stream, tuple[bytes, ...]]:
    """Begin an analysis by the first of `lines` that is not refused, else by the last. There is at least one.

    Return (the answer so far, (its first line of analysis,)). The second item is empty if no such line is
    among the first MOST_SKIPPED lines, or before the end of the answer. Raises BotInterruptedError if
    the bot dies, is silent, or floods.
    """
    for line in lines:
        stream = bot.begin(line)
        first = _first_line(bot, stream)
        if first or not stream.refused:
            return stream, first
        while bot.await_line(stream) is not None:
            pass  # the rest of the refusal
    return stream, ()


def _first_line(bot: Bot, stream: Stream) -> tuple[bytes, ...]:
    """Read up to the first line of analysis and return it; empty if none comes (see `begin`)."""
    for _ in range(MOST_SKIPPED):
        line = bot.await_line(stream)
        if line is not None and is_analysis(line):
            return (line,)
        if line is None or stream.refused:
            break
    return ()


def more_lines(bot: Bot, stream: Stream) -> tuple[bytes, ...]:
    """Return the next lines of analysis: MORE_LINES, or fewer if they do not come soon."""
    lines: list[bytes] = []
    while len(lines) < MORE_LINES:
        line = bot.await_line(stream, LINE_WAIT)
        if line is None:
            break
        if is_analysis(line):
            lines.append(line)
    return tuple(lines)


@dataclass(frozen=True)
class AnalysesRecord:
    """The analyses that `_Analyses.observe` made; none if the bot refuses each of its commands."""

    analyses: tuple[Analysed, ...]
    size: int = 9
    name: str = ""  # the text that the next command must answer; empty if it is not known


class _Analyses(Conversation):
    """Begin an analysis with each command that the bot lists; read some lines; end it by the chaser."""

    @property
    def requires(self) -> Requirements:
        """Requirements of the position, and of one of the commands."""
        return requirements_with()

    def observe(self, session: Session) -> AnalysesRecord:
        """Analyse with each command. Stop at the first analysis that is not answered in order.

        Commands that are refused are left out: an engine may list what its present settings do not allow.
        """
        bot, found = session.bot, []
        for command in filter(session.has, ENDLESS):
            bot.set_up(set_up_lines(session.introduction.size))
            one = _analyse(bot, forms(command))
            if one.is_other_command:
                continue
            found.append(one)
            if not one.is_in_order:
                break
        return AnalysesRecord(tuple(found), session.introduction.size, bot.chaser.text or "")

    def judge(self, observation: AnalysesRecord) -> Judgement:
        """Judge the analyses. Skip if there are none."""
        if not observation.analyses:
            return Judgement(Outcome.SKIP, observed=REFUSES)
        return self.judge_analyses(observation)

    def judge_analyses(self, observation: AnalysesRecord) -> Judgement:
        """Judge one analysis or more."""
        raise NotImplementedError


def _analyse(bot: Bot, lines: tuple[bytes, ...]) -> Analysed:
    """Begin an analysis by one of the lines, read a few lines of analysis, and end it by the chaser."""
    analysed: tuple[bytes, ...] = ()
    try:
        stream, analysed = begin(bot, lines)
        analysed += more_lines(bot, stream)
    except BotInterruptedError as interruption:
        return Analysed(interruption.exchange.sent, interruption.exchange, analysed)
    by_itself = stream.exchange is not None  # before the chaser is sent, which ends each analysis
    try:
        after = bot.ask(bot.chaser.line)
    except BotInterruptedError as interruption:
        after = interruption.exchange
    assert stream.exchange is not None
    return Analysed(stream.sent, stream.exchange, analysed, after, by_itself)


class AnalysisStarts(_Analyses):
    """An analysis begins with its sign, and a line of analysis follows."""

    def judge_analyses(self, observation: AnalysesRecord) -> Judgement:
        """The sign must come first, and a line of analysis must come without another command."""
        for one in observation.analyses:
            exchange = one.exchange
            expected = f"{sent_text(one.line)} → =, then a line that begins with info"
            if not exchange.is_answered and (not one.analysed or one.after is None):
                outcome = failure_outcome(exchange)
                return Judgement(outcome, expected, _shown(exchange), unlike=(SIGN_MISSING,))
            if exchange.noise or not exchange.raw.startswith(b"=") or not one.analysed:
                return failed(expected, _shown(exchange), unlike=(KEPT_BACK,))
        return passed("=, then a line of analysis", _commands(observation))


class AnalysisEnds(_Analyses):
    """The next line ends an analysis with one empty line, and is answered after it."""

    def judge_analyses(self, observation: AnalysesRecord) -> Judgement:
        """One empty line must end the analysis, and the answer to the next command must follow at once."""
        for one in observation.analyses:
            if one.after is None:
                continue  # AnalysisStarts reports it
            expected = _expected_end(one, one.after)
            judgement = self._judge_end(one, one.after, expected)
            judgement = judgement or self._judge_next(one, one.after, expected, observation.name)
            if judgement is not None:
                return judgement
        return passed("one empty line, then the next answer", _commands(observation))

    def _judge_end(self, one: Analysed, after: Exchange, expected: str) -> Judgement | None:
        """Return the failure of an analysis that does not end with one empty line; None if it does.

        after   the exchange of the next command
        """
        exchange, next_line = one.exchange, sent_text(after.sent)
        if not exchange.is_answered:
            seen = _shown(exchange)
            if exchange.ending == "timeout":
                late = f"no empty line {after.seconds:.0f} s after {next_line}"
                seen = f"{sent_text(one.line)} → {_printed(exchange.raw)}, and {late}"
            return Judgement(failure_outcome(exchange), expected, seen, unlike=tuple(ENDINGS))
        if exchange.ending == "malformed":
            if exchange.fault is not None and exchange.fault.fault == "one-newline":
                seen = f"{next_line} → {_printed(after.raw)}, and no empty line before it"
                return _failed_like(GLUED, expected, seen)
            return failed(expected, f"{_shown(exchange)} ({exchange.fault})")
        return None

    def _judge_next(self, one: Analysed, after: Exchange, expected: str, name: str) -> Judgement | None:
        """Return the failure of the answer to the next command; None if it is right, and nothing before it.

        name   the text of the right answer; empty if it is not known
        """
        if not after.is_answered:
            unlike = tuple(ENDINGS - {UNANSWERED_ENDER})
            return Judgement(failure_outcome(after), expected, exchange_text(after), unlike=unlike)
        if after.noise:
            stray = printable(after.noise)
            if one.by_itself:
                first = "the answer ends after its first lines"
                second = f"before that to {sent_text(after.sent)} stands “{stray}”"
                return _failed_like(BETWEEN, expected, f"{first}, and {second}")
            seen = f"between the empty line and the answer stands “{stray}”"
            return _failed_like(TWO_EMPTY, expected, seen)
        if not after.ok or (name and after.text.strip() != name):
            return failed(expected, exchange_text(after))
        return None


def _expected_end(one: Analysed, after: Exchange) -> str:
    begun, next_line = sent_text(one.line), sent_text(after.sent)
    return f"{next_line} after {begun} → one empty line, then the answer to {next_line}"


def _failed_like(fault: str, expected: str, observed: str) -> Judgement:
    """Return the failure that `fault` shows, and no other of ENDINGS."""
    return failed(expected, observed, unlike=tuple(ENDINGS - {fault}))


class AnalysisRecords(_Analyses):
    """Each record of an analysis has a move, its visits and its winrate."""

    def judge_analyses(self, observation: AnalysesRecord) -> Judgement:
        """Every record must be complete; a line of another kind may be anything."""
        for one in observation.analyses:
            expected = f"{sent_text(one.line)} → lines of records: info move V visits N winrate W …"
            faults = (record.fault(observation.size) for record in one.records)
            fault = next(filter(None, faults), None)
            if fault is not None:
                return failed(expected, fault)
        return passed("complete records", _commands(observation))


class AnalysisLegal(_Analyses):
    """The moves of an analysis are legal."""

    def judge_analyses(self, observation: AnalysesRecord) -> Judgement:
        """No record may be about a point with a stone, a single stone's suicide, or the ban of a ko."""
        for one in observation.analyses:
            for record in one.records:
                if record.fault(observation.size):
                    continue
                if not is_legal(record.move, observation.size):
                    reason = _POSITION.legality(SIDE, parse_vertex(record.move, 9))
                    observed = f"{record.move} is illegal ({reason}): “{record.text}”\n{_POSITION.draw()}"
                    return failed(f"{sent_text(one.line)} → only legal moves of White", observed)
        return passed("legal moves", _commands(observation))


class AnalysisVisits(_Analyses):
    """The visits of a move do not fall during an analysis."""

    def judge_analyses(self, observation: AnalysesRecord) -> Judgement:
        """No move may have far fewer visits than in an earlier line of the same analysis."""
        for one in observation.analyses:
            most: dict[str, int] = {}
            for record in one.records:
                fall = fall_of_visits(record, most)
                if fall:
                    expected = f"{sent_text(one.line)} → visits that count from the beginning of the analysis"
                    return failed(expected, fall)
        if all(len(one.analysed) < 2 for one in observation.analyses):
            return Judgement(Outcome.SKIP, observed="no analysis printed a second line soon")
        return passed("visits that do not fall", _commands(observation))


def _commands(record: AnalysesRecord) -> str:
    """The lines that began the analyses, for a report."""
    return ", ".join(sent_text(one.line) for one in record.analyses)


def _shown(exchange: Exchange) -> str:
    """The command and the beginning of its answer, or why no answer came."""
    shown = _printed(exchange.raw) if exchange.is_answered else answer_text(exchange)
    return f"{sent_text(exchange.sent)} → {shown}"


def _printed(raw: bytes) -> str:
    return cut(printable(raw.rstrip(b"\n")), MOST_PRINTED)
