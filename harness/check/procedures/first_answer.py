"""Checks of the very first answer: it ends with an empty line, comes soon, and comes through a pipe."""

from __future__ import annotations

from dataclasses import dataclass

from harness.check.bot.session import Session
from harness.check.model import Judgement, failed, passed
from harness.check.procedures.conversation import Conversation
from harness.gtp import Exchange, printable


@dataclass(frozen=True)
class FirstAnswerRecord:
    """The first exchange of the run, and where the bot answers if it is silent on a pipe."""

    first: Exchange
    speaks_only: str = ""
    wrote: str = ""  # the last line on stderr before the answer


class FirstAnswerConversation(Conversation):
    """Base of the procedures that look at the first answer alone."""

    def observe(self, session: Session) -> FirstAnswerRecord:
        """Take the first exchange from the bot's profile."""
        profile = session.profile
        return FirstAnswerRecord(profile.greeting[0], profile.speaks_only, profile.wrote_first)


@dataclass(frozen=True)
class TwoNewlines(FirstAnswerConversation):
    """`gtp.frame.two-newlines`: without an empty line after it no answer can be read."""

    def judge(self, observation: FirstAnswerRecord) -> Judgement:
        """The answer must have ended with an empty line."""
        expected = "an answer that ends with an empty line"
        first = observation.first
        # The draft lets a controller drop CRs: an engine whose lines end with CR LF is right.
        if first.ending == "timeout" or first.raw.replace(b"\r", b"").endswith(b"\n\n"):
            return passed(expected)
        return failed(expected, f"{printable(first.raw)} and then nothing")


@dataclass(frozen=True)
class StartupTime(FirstAnswerConversation):
    """`gtp.frame.startup-time`: how long a controller waits for the first answer."""

    most: float = 10.0  # seconds that most controllers wait

    def judge(self, observation: FirstAnswerRecord) -> Judgement:
        """The answer must have come within the time limit."""
        seconds = observation.first.seconds
        expected, observed = f"an answer within {self.most:g} s", f"an answer after {seconds:.1f} s"
        if seconds <= self.most:
            return passed(expected, observed)
        meanwhile = f"; meanwhile it wrote on stderr: {observation.wrote}" if observation.wrote else ""
        return failed(expected, observed + meanwhile)


@dataclass(frozen=True)
class FlushedOutput(FirstAnswerConversation):
    """`gtp.frame.flush`: an engine that answers elsewhere but not on a pipe does not flush its output."""

    def judge(self, observation: FirstAnswerRecord) -> Judgement:
        """The first answer must have come through the pipe."""
        expected = "an answer through a pipe"
        first = observation.first
        if first.ending != "timeout":
            return passed(expected)
        silence = f"nothing for {first.seconds:.0f} s on a pipe"
        return failed(expected, f"{silence}; its answers come only {observation.speaks_only}")
