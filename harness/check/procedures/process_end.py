"""How an engine ends: at `quit`, at the end of its input, after a last line without a line feed."""

from __future__ import annotations

from dataclasses import dataclass

from harness.check.bot.session import Session
from harness.check.bot.wording import failure_text
from harness.check.model import Judgement, Outcome, Phase, failed, passed
from harness.check.procedures.conversation import Conversation, short_answer
from harness.gtp import Exchange, printable


@dataclass(frozen=True)
class ProcessEndRecord:
    """The last answer of a process, and what came afterwards until it ended or the time limit was reached."""

    answer: Exchange
    after: Exchange

    @property
    def ended(self) -> bool:
        """True if the session ended: a process that has closed its output may take its time to go."""
        return self.after.ending == "eof"


def _still_runs(expected: str, observed: str) -> Judgement:
    """The judgement of a process that did not end in time: like silence, it depends on the machine."""
    return Judgement(Outcome.TIMEOUT, expected, observed)


class ProcessEnd(Conversation):
    """Base of the procedures that end the process of the bot: held last, since each costs a start."""

    phase = Phase.FINAL


@dataclass(frozen=True)
class Quit(ProcessEnd):
    """`gtp.frame.quit`: an answer, then the end of the process."""

    def observe(self, session: Session) -> ProcessEndRecord:
        """Send quit; another process takes the place of the one that ends."""
        bot = session.bot
        answer = bot.note(bot.engine.ask(b"quit\n", timeout=bot.times.within(bot.limits.answer)))
        after = bot.await_end()
        bot.fresh()
        return ProcessEndRecord(answer, after)

    def judge(self, observation: ProcessEndRecord) -> Judgement:
        """The answer must be complete, and the process must end by itself."""
        expected = "quit → = and the end of the process"
        answer, after = observation.answer, observation.after
        if not answer.ok:
            seen = f"“{printable(answer.raw)}”" if answer.raw else "no answer"
            return failed(expected, f"{seen}; it {failure_text(answer)}" if answer.ending == "eof" else seen)
        if not observation.ended:
            return _still_runs(expected, f"an answer, but the process still runs {after.seconds:.0f} s later")
        return passed(expected, f"=, and it {failure_text(after)}")


@dataclass(frozen=True)
class EndOfInput(ProcessEnd):
    """`gtp.frame.eof`: a process whose input ends must end."""

    def observe(self, session: Session) -> ProcessEndRecord:
        """Close the input after one answer."""
        bot = session.bot
        answer = bot.ask(bot.chaser.line)
        bot.end_input()
        after = bot.await_end()
        bot.fresh()
        return ProcessEndRecord(answer, after)

    def judge(self, observation: ProcessEndRecord) -> Judgement:
        """The process must have ended without another answer."""
        expected = "the end of the process"
        after = observation.after
        if observation.ended:
            return passed(expected, f"it {failure_text(after)}")
        seen = printable(after.raw[:80])
        printing = f", printing {seen!r}" if seen else ""
        return _still_runs(expected, f"it still runs after {after.seconds:.0f} s{printing}")


@dataclass(frozen=True)
class LastLine(ProcessEnd):
    """`gtp.frame.eof-last-line`: the last line counts even without a line feed."""

    def observe(self, session: Session) -> ProcessEndRecord:
        """Send a line without a line feed, and close the input."""
        bot = session.bot
        answer = bot.ask(bot.chaser.line)
        bot.engine.send(b"protocol_version")
        bot.end_input()
        after = bot.await_end()
        bot.fresh()
        return ProcessEndRecord(answer, after)

    def judge(self, observation: ProcessEndRecord) -> Judgement:
        """The line must be answered."""
        expected = "an answer"
        after = observation.after
        if after.ok:
            return passed(expected, short_answer(after))
        return failed(expected, printable(after.raw[:80]) or "no answer")
