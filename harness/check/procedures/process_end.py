"""Checks of the end of the process: at `quit`, at the end of its input, after an unfinished last line."""

from __future__ import annotations

from dataclasses import dataclass

from harness.check.bot.bot import Bot
from harness.check.bot.session import Session
from harness.check.bot.wording import answer_text, failure_text
from harness.check.model import Judgement, Outcome, Phase, failed, passed
from harness.check.procedures.conversation import Conversation
from harness.gtp import Exchange, printable


@dataclass(frozen=True)
class ProcessEndRecord:
    """The answer to the last full line, and the output `after` it, until the process ends or a time limit.

    A process counts as ended once it has closed its output.
    """

    answer: Exchange
    after: Exchange


@dataclass(frozen=True)
class ProcessEnd(Conversation):
    """Base of the procedures that end the process of the bot. They run late, since each costs a start."""

    phase = Phase.FINAL

    def end(self, bot: Bot) -> Exchange:
        """Make the process end; return the answer to the last full line.

        The default sends a line, awaits its answer, and closes the input.
        """
        answer = bot.ask(bot.chaser.line)
        bot.end_input()
        return answer

    def observe(self, session: Session) -> ProcessEndRecord:
        """Make the process end, and wait for its end. The next command starts a new process."""
        answer, after = self.end(session.bot), session.bot.await_end()
        session.bot.fresh()
        return ProcessEndRecord(answer, after)


class Quit(ProcessEnd):
    """`gtp.frame.quit`: an answer, then the end of the process."""

    def end(self, bot: Bot) -> Exchange:
        """Send quit; return the exchange, also without an answer."""
        return bot.note(bot.running_engine().ask(b"quit\n", timeout=bot.times.within(bot.limits.answer)))

    def judge(self, observation: ProcessEndRecord) -> Judgement:
        """The answer must be a success and the last output, and the process must end by itself.

        A process that still runs after its answer is a timeout: the machine may be slow.
        """
        expected = "quit → = and the end of the process"
        answer, after = observation.answer, observation.after
        if not answer.ok:
            seen = f"“{printable(answer.raw)}”" if answer.raw else "no answer"
            return failed(expected, f"{seen}; it {failure_text(answer)}" if answer.ending == "eof" else seen)
        if after.ending == "eof":
            return passed(expected, f"=, and it {failure_text(after)}")
        if after.ending == "timeout":
            observed = f"an answer, but the process still runs {after.seconds:.0f} s later"
            return Judgement(Outcome.TIMEOUT, expected, observed)
        return failed(expected, f"an answer, and then more output: {answer_text(after)}")


class EndOfInput(ProcessEnd):
    """`gtp.frame.eof`: the process ends when its input ends."""

    def judge(self, observation: ProcessEndRecord) -> Judgement:
        """The process must have ended without another answer. One that still runs is a timeout."""
        expected, after = "the end of the process", observation.after
        if after.ending == "eof":
            return passed(expected, f"it {failure_text(after)}")
        if after.ending == "timeout":
            seen = printable(after.raw[:80])
            printing = f", printing {seen!r}" if seen else ""
            return Judgement(
                Outcome.TIMEOUT, expected, f"it still runs after {after.seconds:.0f} s{printing}"
            )
        return failed(expected, f"more output: {answer_text(after)}")


class LastLine(ProcessEnd):
    """`gtp.frame.eof-last-line`: the bot answers a last line without a line feed."""

    def end(self, bot: Bot) -> Exchange:
        """Send a full line, then one without a line feed; close the input. Return the first answer."""
        answer = bot.ask(bot.chaser.line)
        bot.running_engine().send(b"protocol_version")
        bot.end_input()
        return answer

    def judge(self, observation: ProcessEndRecord) -> Judgement:
        """The bot must answer the last line with a success."""
        expected, after = "protocol_version → = (success)", observation.after
        if after.ok:
            return passed(expected, answer_text(after))
        return failed(expected, printable(after.raw[:80]) or "no answer")
