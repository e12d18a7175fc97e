"""Checks of commands that tools read: seconds of processor time, texts, and lists of commands."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from harness.check.bot.session import Session
from harness.check.bot.wording import exchange_text, sent_text
from harness.check.model import Judgement, Outcome, Requirements, failed, passed
from harness.check.procedures.conversation import Conversation, new_game
from harness.check.procedures.reliance import SentLine, requirements
from harness.gtp import Exchange, parse_decimal, printable, printable_text

MOVES = (b"play b C3\n", b"play w D4\n", b"play b E5\n")

QUERIES = (
    *("help", "showboard", "last_move", "move_history", "get_handicap", "query_orientation", "get_komi"),
    *("get_random_seed", "invariant_hash", "query_boardsize", "cputime", "lz-memory_report"),
    *("gogui-title", "gogui-analyze_commands", "gomill-describe_engine", "gomill-explain_last_move"),
    *("gogui-rules_game_id", "gogui-rules_board", "gogui-rules_legal_moves", "gogui-rules_side_to_move"),
    *("gogui-rules_captured_count", "gogui-rules_final_result", "kata-get-rules", "kata-get-params"),
    *("kata-list_time_settings", "kata-list-params", "kata-get-models", "kata-debug-print-tc"),
)
"""Commands without arguments that are answered at once and change nothing."""

TYPES = frozenset(
    (
        *("bwboard", "cboard", "dboard", "eplist", "gfx", "hpstring", "hstring", "none", "param", "plist"),
        *("pspairs", "pstring", "sboard", "string", "var", "varb", "varc", "varp", "varpo", "varw"),
    )
)
"""The types of answers that GoGui displays."""

MOST_ANALYZED = 300
"""Largest number of analyze commands to check; chosen: some engines list hundreds."""

FALLS, WITH_UNIT = "cpu-time-falls", "cpu-time-with-unit"
"""Faults that `RisingSeconds` must catch. A failure lists in `unlike` the fault that it does not show."""


@dataclass(frozen=True)
class RisingSeconds(Conversation):
    """A command answers seconds of processor time: a number on one line that never falls.

    may_be_refused   an engine that does not know the time may refuse, each time
    """

    command: str
    may_be_refused: bool = False

    requires = requirements(map(SentLine, (b"clear_board\n", *MOVES)))

    def observe(self, session: Session) -> tuple[Exchange, ...]:
        """Ask for the seconds three times, with moves in between."""
        bot, line = session.bot, f"{self.command}\n".encode("ascii")
        bot.set_up(new_game(session.introduction.size))
        answers = [bot.ask(line)]
        for move in MOVES[:2]:
            bot.set_up((move,))
            answers.append(bot.ask(line))
        return tuple(answers)

    def judge(self, observation: tuple[Exchange, ...]) -> Judgement:
        """Each answer must be a number, not below zero nor below the one before."""
        expected, before = "a number of seconds, on one line, that never falls", 0.0
        if self.may_be_refused and not any(exchange.ok for exchange in observation):
            return Judgement(Outcome.SKIP, expected, exchange_text(observation[0]))
        for exchange in observation:
            seconds = parse_decimal(exchange.text) if exchange.ok else None
            if seconds is None or seconds < before:
                earlier = f", and {before:g} before" if seconds is not None and before else ""
                other = FALLS if seconds is None else WITH_UNIT
                return failed(expected, f"{exchange_text(exchange)}{earlier}", unlike=(other,))
            before = seconds
        return passed(expected, f"{before:g} s")


@dataclass(frozen=True)
class TextRecord:
    """The answer to a command whose text is free, and the answer to a known command after it."""

    answer: Exchange
    after: Exchange


@dataclass(frozen=True)
class WholeText(Conversation):
    """A command answers with a text; the next answer shows that the text was one answer.

    before           lines of the set-up; each `{size}` is the size of the board
    may_be_refused   the engine need not have such a text
    """

    command: str
    before: tuple[str, ...] = ()
    may_be_refused: bool = False

    @property
    def requires(self) -> Requirements:
        """Requirements of the set-up."""
        return requirements(SentLine(line.format(size=9).encode("ascii") + b"\n") for line in self.before)

    def observe(self, session: Session) -> TextRecord:
        """Set up, ask for the text, and then for something known."""
        bot, size = session.bot, session.introduction.size
        bot.set_up(f"{line.format(size=size)}\n".encode("ascii") for line in self.before)
        return TextRecord(bot.ask(f"{self.command}\n".encode("ascii")), bot.ask(bot.chaser.line))

    def judge(self, observation: TextRecord) -> Judgement:
        """The command must succeed, unless it may be refused. Nothing may stand between the two answers."""
        answer, after = observation.answer, observation.after
        expected = f"{self.command} → = and a text without an empty line"
        if not answer.ok and not self.may_be_refused:
            return failed(expected, exchange_text(answer))
        if after.noise.strip():
            rest = printable(after.noise[:80])
            return failed(expected, f"“{rest}” after the answer, before that to {sent_text(after.sent)}")
        return passed(expected)


@dataclass(frozen=True)
class WholeAnswers(Conversation):
    """Each listed query is answered in one piece; a known answer after it shows this."""

    requires = requirements(map(SentLine, (b"clear_board\n", *MOVES)))

    def observe(self, session: Session) -> tuple[TextRecord, ...]:
        """Play some moves; send each query, and something known after it."""
        bot, size = session.bot, session.introduction.size
        bot.set_up((*new_game(size), *MOVES))
        lines = [f"{name}\n".encode("ascii") for name in QUERIES if session.has(name)]
        return tuple(TextRecord(bot.ask(line), bot.ask(bot.chaser.line)) for line in lines)

    def judge(self, observation: tuple[TextRecord, ...]) -> Judgement:
        """Nothing may stand between an answer and the next one. A query may be refused."""
        expected = "one answer to each query, without an empty line inside"
        if not observation:
            return Judgement(Outcome.SKIP, expected, "the bot lists no such query")
        for record in observation:
            if record.after.noise.strip():
                rest = printable(record.after.noise[:80])
                return failed(expected, f"“{rest}” after the answer to {sent_text(record.answer.sent)}")
        return passed(expected, f"{len(observation)} answers")


@dataclass(frozen=True)
class AnalyzeRecord:
    """The answer to gogui-analyze_commands, and the answers of known_command for its commands."""

    listed: Exchange
    known: tuple[Exchange, ...] = ()


@dataclass(frozen=True)
class AnalyzeCommands(Conversation):
    """gogui-analyze_commands lists type, label and command on each line: "string/Show komi/get_komi"."""

    requires = requirements([SentLine(b"known_command name\n")])

    def observe(self, session: Session) -> AnalyzeRecord:
        """Ask for the list, then about each command in it."""
        listed = session.bot.ask(b"gogui-analyze_commands\n")
        names = dict.fromkeys(name for name in map(_command_of, _lines(listed)) if name)
        asked = [f"known_command {name}\n".encode("ascii") for name in list(names)[:MOST_ANALYZED]]
        return AnalyzeRecord(listed, tuple(map(session.bot.ask, asked)))

    def judge(self, observation: AnalyzeRecord) -> Judgement:
        """Each line must name a command in its third field; each of the first MOST_ANALYZED must be known."""
        expected = "lines of the form type/label/command, with commands that exist"
        listed = observation.listed
        if not listed.ok:
            return failed(expected, exchange_text(listed))
        for line in _lines(listed):
            if not _command_of(line):
                seen = f"the line {printable_text(line)[:60]!r}"
                return failed(expected, seen, unlike=("analyzes-unknown",))
        for exchange in observation.known:
            if exchange.text.strip() != "true":
                seen = f"{exchange_text(exchange)}, though gogui-analyze_commands has it"
                return failed(expected, seen, unlike=("analyzes-without-label",))
        return passed(expected, f"{len(observation.known)} commands")


class AnalyzeTypes(AnalyzeCommands):
    """gogui-analyze_commands uses the types of GoGui."""

    def judge(self, observation: AnalyzeRecord) -> Judgement:
        """The first field of each line must be a type that GoGui knows. A refusal has no lines and passes."""
        expected = f"one of the types {', '.join(sorted(TYPES))}"
        for line in _lines(observation.listed):
            if line.partition("/")[0].strip() not in TYPES:
                return failed(expected, f"the line {printable_text(line)[:60]!r}")
        return passed(expected)


def _lines(listed: Exchange) -> Iterable[str]:
    return (line for line in (listed.text if listed.ok else "").splitlines() if line.strip())


def _command_of(line: str) -> str:
    """The name of the command in a line of gogui-analyze_commands; empty for a line without one.

    It is "list_stones" in "plist/Black stones/list_stones b".
    """
    fields = line.split("/")
    words = fields[2].split() if len(fields) > 2 else []
    return words[0] if words and re.fullmatch(r"[!-~]+", words[0]) else ""
