"""Checks that are no plain dialogue: how an engine begins and ends, and what depends on its own answers.

Each is a pair: `observe` talks to the bot and returns exchanges, `judge` is a pure function of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from harness.checks.bot import Bot, Facts, Interrupted, what_ended
from harness.checks.model import Judgement, Outcome
from harness.gtp import COLUMNS, Exchange, printable

Record = tuple[Exchange, ...]

UNKNOWN_WAIT = 2.0
"""Seconds for an answer to what the bot may not know, where another check asks whether it answers."""

MOST_LISTED = 300
"""How many listed commands are looked at: some engines list hundreds."""


class Special(Protocol):
    """The procedure of a check with a conversation of its own."""

    def observe(self, bot: Bot, facts: Facts) -> Record:
        """Talk to the bot. Raises Interrupted where it dies or is silent and that is not the question."""
        ...

    def judge(self, record: Record) -> Judgement:
        """Judge the exchanges that `observe` returned."""
        ...


def passed(expected: str, observed: str = "") -> Judgement:
    """The judgement of a requirement that is met."""
    return Judgement(Outcome.PASS, expected, observed or expected)


def failed(expected: str, observed: str, hint: str = "") -> Judgement:
    """The judgement of a requirement that is not met."""
    return Judgement(Outcome.FAIL, expected, observed, hint)


@dataclass(frozen=True)
class TwoNewlines:
    """`gtp.frame.two-newlines`: seen at the very first answer, without which nothing else can be seen."""

    def observe(self, bot: Bot, facts: Facts) -> Record:
        """The first exchange."""
        return facts.met[:1]

    def judge(self, record: Record) -> Judgement:
        """An answer must have ended with an empty line."""
        expected = "an answer that ends with an empty line"
        first = record[0]
        # The draft lets a controller drop CRs: an engine whose lines end with CR LF is right.
        if first.ending == "timeout" or first.raw.replace(b"\r", b"").endswith(b"\n\n"):
            return passed(expected)
        return failed(expected, f"{printable(first.raw)} and then nothing")


@dataclass(frozen=True)
class FirstAnswer:
    """`gtp.frame.startup-time`: how long a controller waits for the very first answer."""

    most: float = 10.0  # seconds: the patience of most controllers

    def observe(self, bot: Bot, facts: Facts) -> Record:
        """The first exchange."""
        return facts.met[:1]

    def judge(self, record: Record) -> Judgement:
        """It must have come soon."""
        return (passed if record[0].seconds <= self.most else failed)(
            f"an answer within {self.most:g} s", f"one after {record[0].seconds:.1f} s"
        )


@dataclass(frozen=True)
class UnflushedOutput:
    """`gtp.frame.flush`: an engine that is silent on a pipe and speaks on a terminal does not flush."""

    def observe(self, bot: Bot, facts: Facts) -> Record:
        """The first exchange; a bot with a terminal only is marked by a timeout here."""
        return facts.met[:1]

    def judge(self, record: Record) -> Judgement:
        """The first answer must have come through the pipe."""
        expected = "an answer through a pipe"
        if record[0].ending != "timeout":
            return passed(expected)
        return failed(expected, f"nothing for {record[0].seconds:.0f} s on a pipe, an answer on a terminal")


@dataclass(frozen=True)
class NoNoise:
    """`gtp.frame.no-noise`: the bytes between answers, from the first command on."""

    script = (
        b"name\n",
        b"list_commands\n",
        b"clear_board\n",
        b"komi 7.5\n",
        b"play b C3\n",
        b"genmove w\n",
        b"play b C3\n",
        b"name\n",
        b"version\n",
    )
    may_be_unknown = (b"showboard\n", b"no_such_command\n")

    def observe(self, bot: Bot, facts: Facts) -> Record:
        """The exchanges of the first meeting, and some more of each kind."""
        size = f"boardsize {facts.size}\n".encode("ascii")
        said = [bot.say(line) for line in (size, *self.script)]
        for line in self.may_be_unknown:
            try:
                said.append(bot.say(line, min(UNKNOWN_WAIT, bot.limits.answer)))
            except Interrupted as interruption:  # which is another check's finding
                said.append(interruption.exchange)
        said.append(bot.say(b"name\n"))
        return (*facts.met, *said)

    def judge(self, record: Record) -> Judgement:
        """Nothing may stand before the sign of an answer, not even an empty line."""
        expected = "answers and nothing else"
        for before, exchange in zip((None, *record), record, strict=False):
            if exchange.noise:
                after = f" after the answer to {_said(before)}" if before else " before the first answer"
                hint = ""
                if exchange.noise.strip() == b"":
                    hint = "end an answer with exactly two newlines"
                elif before is not None and exchange.noise.endswith(b"\n\n"):
                    hint = "an empty line ends an answer: none may stand inside one"
                return failed(expected, f"“{printable(exchange.noise[:80])}”{after}", hint)
        return passed(expected)


@dataclass(frozen=True)
class Quit:
    """`gtp.frame.quit`: an answer, then the end of the process."""

    def observe(self, bot: Bot, facts: Facts) -> Record:
        """The answer to quit, and what comes after it until the process ends."""
        bot.fresh()
        engine = bot.engine
        answer = engine.ask(b"quit\n")
        after = engine.receive(bot.limits.quit)
        bot.fresh()
        return answer, after

    def judge(self, record: Record) -> Judgement:
        """Both must be there; a process that lives on would have to be killed."""
        expected = "= and the end of the process"
        answer, after = record
        if not answer.ok:
            seen = f"“{printable(answer.raw)}”" if answer.raw else "no answer"
            return failed(expected, f"{seen}; it {what_ended(answer)}" if answer.ending == "eof" else seen)
        if after.ending != "eof" or after.exit is None:
            return failed(expected, f"an answer, but the process still runs {after.seconds:.0f} s later")
        return passed(expected, f"=, and it {after.exit}")


@dataclass(frozen=True)
class EndOfInput:
    """`gtp.frame.eof`: the end of the input is the end of the engine."""

    def observe(self, bot: Bot, facts: Facts) -> Record:
        """What comes once the input is closed."""
        bot.fresh()
        first = bot.say(b"name\n")
        bot.engine.end_input()
        after = bot.engine.receive(bot.limits.quit)
        bot.fresh()
        return first, after

    def judge(self, record: Record) -> Judgement:
        """The process must be gone, without another answer."""
        expected = "the end of the process"
        after = record[1]
        if after.ending == "eof" and after.exit is not None:
            return passed(expected, f"it {after.exit}")
        seen = printable(after.raw[:80])
        return failed(
            expected, f"it runs on after {after.seconds:.0f} s" + (f", printing {seen!r}" if seen else "")
        )


@dataclass(frozen=True)
class LastLine:
    """`gtp.frame.eof-last-line`: the last line counts, also without its newline."""

    def observe(self, bot: Bot, facts: Facts) -> Record:
        """The answer to a line that ends with the input."""
        bot.fresh()
        first = bot.say(b"name\n")
        bot.engine.send(b"protocol_version")
        bot.engine.end_input()
        after = bot.engine.receive(bot.limits.quit)
        bot.fresh()
        return first, after

    def judge(self, record: Record) -> Judgement:
        """The line must be answered."""
        expected = "= 2"
        after = record[1]
        if after.ok and after.text.strip() == "2":
            return passed(expected)
        return failed(expected, printable(after.raw[:80]) or "no answer")


@dataclass(frozen=True)
class CommandList:
    """`gtp.admin.list-words`: the form of list_commands, and that the required commands stand in it."""

    required: Sequence[str]

    def observe(self, bot: Bot, facts: Facts) -> Record:
        """The list."""
        return (bot.say(b"list_commands\n"),)

    def judge(self, record: Record) -> Judgement:
        """One word a line, the required commands among them."""
        expected = "one command a line, the eleven required ones among them"
        exchange = record[0]
        if not exchange.ok:
            return failed(expected, printable(exchange.raw[:80]))
        lines = [line.strip() for line in exchange.text.splitlines() if line.strip()]
        crowded = [line for line in lines if re.search(r"\s", line)]
        if crowded:
            return failed(expected, f"a line with several words: {printable(crowded[0].encode())[:60]!r}")
        missing = [name for name in self.required if name not in lines]
        if missing:
            return failed(expected, f"{len(lines)} commands, without {', '.join(missing)}")
        return passed(expected, f"{len(lines)} commands")


@dataclass(frozen=True)
class ListedCommandsKnown:
    """`gtp.admin.list-known-agree`: known_command of each listed command."""

    def observe(self, bot: Bot, facts: Facts) -> Record:
        """The list, then a question for each command in it."""
        listed = bot.say(b"list_commands\n")
        names = [name for name in listed.text.split() if re.fullmatch(r"[!-~]+", name)][:MOST_LISTED]
        return (listed, *(bot.say(f"known_command {name}\n".encode("ascii")) for name in names))

    def judge(self, record: Record) -> Judgement:
        """Every answer but the first must be true."""
        expected = "known_command answers true for each listed command"
        for exchange in record[1:]:
            if not (exchange.ok and exchange.text.strip() == "true"):
                return failed(expected, f"{_said(exchange)} → {printable(exchange.raw).strip()}")
        if len(record) == 1:
            return failed(expected, "an empty list")
        return passed(expected, f"{len(record) - 1} commands, all known")


@dataclass(frozen=True)
class GenmovePlays:
    """`gtp.play.genmove-plays`: the point of a generated move is taken afterwards."""

    def observe(self, bot: Bot, facts: Facts) -> Record:
        """A generated move, and the attempt to play on the same point."""
        for line in (f"boardsize {facts.size}\n".encode("ascii"), b"clear_board\n", b"komi 7.5\n"):
            bot.say(line)
        move = bot.say(b"genmove b\n")
        vertex = move.text.strip()
        if not re.fullmatch(r"[A-Za-z]\d{1,2}", vertex):
            return (move,)
        return move, bot.say(f"play w {vertex}\n".encode("ascii"))

    def judge(self, record: Record) -> Judgement:
        """The first move of a game is a vertex, and it is on the board."""
        expected = "a vertex, on which White may then not play"
        move = record[0]
        if len(record) == 1 and move.ok and move.text.strip().lower() in ("pass", "resign"):
            return Judgement(Outcome.SKIP, observed=f"it answered {move.text.strip()}: no stone to look for")
        if len(record) == 1:
            return failed(expected, printable(move.raw).strip())
        if record[1].ok:
            return failed(expected, f"genmove b → {move.text.strip()}, then play w {move.text.strip()} → =")
        return passed(expected, f"genmove b → {move.text.strip()}, refused to White")


@dataclass(frozen=True)
class ColumnsPastT:
    """`gtp.play.columns-past-t`: the letters of the columns on the largest board that the bot accepts."""

    sizes = (25, 24, 23, 22, 21, 20)

    def observe(self, bot: Bot, facts: Facts) -> Record:
        """Sizes until one is accepted; then a stone in each column past T, twice."""
        for size in self.sizes:
            accepted = bot.say(f"boardsize {size}\n".encode("ascii"))
            if accepted.ok:
                bot.say(b"clear_board\n")
                columns = COLUMNS[19:size]
                lines = [f"play {colour} {column}1\n" for colour in "bw" for column in columns]
                return (accepted, *(bot.say(line.encode("ascii")) for line in lines))
        return ()

    def judge(self, record: Record) -> Judgement:
        """Black may play in each column, and White then may not."""
        if not record:
            return Judgement(Outcome.SKIP, observed="the bot plays on no board larger than 19x19")
        expected = "each column past T can be played in, once"
        columns = (len(record) - 1) // 2
        for number, exchange in enumerate(record[1:]):
            if exchange.ok != (number < columns):
                return failed(expected, f"{_said(exchange)} → {printable(exchange.raw).strip()}")
        return passed(expected, f"{columns} columns")


def _said(exchange: Exchange | None) -> str:
    return printable(exchange.sent.removesuffix(b"\n")) if exchange else ""
