"""Confirms a failure: it counts only if the printed lines show it again in new processes.

A failure may need earlier lines of its process: they are sent again, and reduced to those that it needs. It
may also come back in some processes only: then two sightings by the same lines are enough. Any other failure
is unstable, and does not refuse the bot.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from harness.check.bot.bot import Bot
from harness.check.bot.errors import BotError, BotInterruptedError, TimeUpError
from harness.check.model import (
    NO_SIGHTINGS,
    OUT_OF_TIME,
    REFUSING,
    Confirmation,
    Judgement,
    Outcome,
    Sightings,
)
from harness.check.procedures.failures import judge_error
from harness.check.shrink import Attempts, shortest
from harness.gtp import Exchange

PATIENCE = 3.0
"""Factor on the time limits of repeated attempts; chosen: a bot that is still silent then has hung."""

HASTE = 0.2
"""Factor on the time limits while the lines before a silence are reduced: each attempt waits for it."""

SIGHTINGS_WANTED = 2
"""Sightings that confirm a failure which does not always come back. Chosen: one may be an accident."""

TRIES = 5
"""New processes that get the same lines, and as many more for each sighting among them.

Chosen: a fault that shows half of the times is then confirmed 96 times in 100.
"""

MOST_SECONDS = 20.0
"""Time limit, in seconds, of the repetitions of a failure that did not come back at once; chosen.

Also the time limit of the earlier lines before one repetition.
"""

MOST_REDUCING = 20.0
"""Time limit, in seconds, of the reduction of the earlier lines; chosen: a fast bot needs less."""

MOST_REDUCTIONS = 150
"""Most attempts of the reduction; chosen: a failure that depends on a count of lines takes that many."""

MOST_REPLAYED = 2_000
"""Most of the last earlier lines that a repeated attempt sends again; chosen: more take too long."""

UNSTABLE_HINT = (
    "look for what differs between two runs: random numbers, uninitialized memory, time, files that the bot "
    "writes. Repeat the check until it comes back; --transcript DIR keeps its lines"
)
"""The hint after a failure that its lines do not show again."""

NO_TIME_HINT = "no time was left to repeat it once more: repeat the check alone, or with more time"
"""The hint after a failure that came back each time, but too seldom within the time for it."""

BUSY_HINT = "other processes keep the machine busy: repeat the check on an idle machine"


@dataclass(frozen=True)
class Attempt:
    """One observation of a check with its judgement.

    record         the exchanges of the observation
    history        the lines that the process got before
    confirmation   result of the repetitions of a failure
    sightings      how often new processes showed the failure, after the history that it needs
    other          exchanges of a repetition that did not show an unstable failure
    """

    judgement: Judgement
    record: tuple[Exchange, ...]
    history: tuple[bytes, ...] = ()
    confirmation: Confirmation = Confirmation.NOT_NEEDED
    sightings: Sightings = NO_SIGHTINGS
    other: tuple[Exchange, ...] = ()

    @property
    def refuses(self) -> bool:
        """True if the outcome counts against the bot."""
        return self.judgement.outcome in REFUSING

    @property
    def lines(self) -> tuple[bytes, ...]:
        """The lines that show the outcome in a new process, in order."""
        needs_history = self.confirmation in (Confirmation.WITH_HISTORY, Confirmation.UNSTABLE)
        before = self.history if needs_history else ()
        return (*before, *(exchange.sent for exchange in self.record if exchange.sent))

    @property
    def is_decided(self) -> bool:
        """True if the attempt could be made: the bot started, and there was time."""
        return self.judgement.outcome is not Outcome.ERROR and self.judgement != OUT_OF_TIME


@dataclass
class _Repetitions:
    """Repetitions of a failure, all after the same earlier lines, each in a new process.

    history   the lines that each process gets before the lines of the check
    tries     most processes without a sighting; each sighting allows as many more
    seen      how many processes showed the failure, of the `tried` so far
    last      the last attempt that showed it
    open      another attempt makes sense: none so far failed to be made
    """

    history: tuple[bytes, ...]
    tries: int = TRIES
    seen: int = 0
    tried: int = 0
    last: Attempt | None = None
    open: bool = True

    @property
    def is_confirmed(self) -> bool:
        """True if `SIGHTINGS_WANTED` processes showed the failure."""
        return self.seen >= SIGHTINGS_WANTED

    @property
    def sightings(self) -> Sightings:
        """How often the failure was seen."""
        return Sightings(self.seen, self.tried)

    @property
    def has_tries(self) -> bool:
        """True if the failure may still be confirmed."""
        return self.open and not self.is_confirmed and self.tried < self.tries * (1 + self.seen)

    def note(self, attempt: Attempt) -> None:
        """Count an attempt. After one that could not be made, no further attempt makes sense."""
        if not attempt.is_decided:
            self.open = False
            return
        self.tried += 1
        if attempt.refuses:
            self.seen += 1
            self.last = attempt


def confirm(
    bot: Bot,
    first: Attempt,
    observe: Callable[[], Judgement],
    is_busy: Callable[[], bool],
    now: Callable[[], float] = time.monotonic,
    tries: int = TRIES,
) -> Attempt:
    """Repeat a failed attempt in new processes, alone and after the earlier lines of its process.

    observe   observes and judges the check on `bot`
    is_busy   returns whether the machine is too busy to judge a silence
    now       clock of the limits, in seconds
    tries     most new processes that get the same lines; each sighting allows as many more

    Return the last attempt that failed again, with the earlier lines that it needs, if enough did: one in the
    first new process, else SIGHTINGS_WANTED. If not, return `first` as unstable and inconclusive; or as not
    tried if the first new process did not start or no time was left. A silence that does not come back is no
    failure; a second silence on a busy machine is inconclusive.
    """
    with bot.times.patience(PATIENCE):
        return _Confirmer(bot, first, observe, is_busy, now, tries).confirm()


@dataclass
class _Confirmer:
    """The repetitions of one failure; see `confirm` for the fields."""

    bot: Bot
    first: Attempt
    observe: Callable[[], Judgement]
    is_busy: Callable[[], bool]
    now: Callable[[], float]
    tries: int
    other: tuple[Exchange, ...] = ()  # record of the last repetition without the failure

    def confirm(self) -> Attempt:
        """Return the attempt that failed again, or the first one with the result of its repetitions."""
        first, alone = self.first, _Repetitions((), self.tries)
        again = self._repeat(alone)
        if again.refuses:  # with the sighting in the run, this is the second one
            return self._confirmed(alone)
        if not again.is_decided:
            return replace(first, confirmation=Confirmation.NOT_TRIED)
        if self._is_silence and again.judgement.outcome is Outcome.INCONCLUSIVE:
            return again
        # Without earlier lines, `after` would repeat `alone`.
        after = _Repetitions(first.history[-MOST_REPLAYED:], self.tries, open=bool(first.history))
        if self._is_silence:
            return self._repeat_silence(after, again)
        if not first.history:  # the first attempt had a new process too
            alone.note(first)
        return self._repeat_in_turn(after, alone)

    def _repeat_in_turn(self, after: _Repetitions, alone: _Repetitions) -> Attempt:
        """Repeat by turns after the earlier lines and alone, until one of the two is confirmed."""
        until = self.now() + MOST_SECONDS
        while self.now() < until and (after.has_tries or alone.has_tries):
            if after.has_tries:
                self._repeat(after)
            if after.is_confirmed:
                return self._reduce(after)
            if alone.has_tries:
                self._repeat(alone)
            if alone.is_confirmed:
                return self._confirmed(alone)
        return self._unstable(max(alone, after, key=lambda repetitions: repetitions.seen))

    def _repeat_silence(self, after: _Repetitions, passed: Attempt) -> Attempt:
        """Repeat a silence after the earlier lines, once unless it comes back: each costs a time limit.

        If it does not come back, return the attempt that `passed`: the bot was slow once.
        """
        until = self.now() + MOST_SECONDS
        while after.has_tries and self.now() < until:
            self._repeat(after)
            if after.is_confirmed:
                return self._reduce(after)
            if not after.seen:
                break
        return self._unstable(after) if after.seen else passed

    @property
    def _is_silence(self) -> bool:
        """True if the failure is a silence of the bot."""
        return self.first.judgement.outcome is Outcome.TIMEOUT

    def _repeat(self, repetitions: _Repetitions) -> Attempt:
        """Observe once more in a new process, after the history of these repetitions; count it there."""
        attempt = self._attempt(repetitions.history)
        if attempt is None:
            repetitions.open = False
            return replace(self.first, judgement=OUT_OF_TIME)
        repetitions.note(attempt)
        if attempt.is_decided and not attempt.refuses:
            self.other = attempt.record
        return attempt

    def _attempt(self, history: tuple[bytes, ...]) -> Attempt | None:
        """Observe in a new process after a history; None if the history could not be sent.

        If the bot ends or falls silent during the history, as it did in the failure, the history shows the
        failure. A silence of the check on a busy machine is inconclusive.
        """
        self.bot.fresh()
        self.bot.take_record()
        until = self.now() + MOST_SECONDS
        try:
            for line in history:
                self.bot.ask(line)
                if self.now() > until:
                    return None
        except BotInterruptedError as error:
            judgement = judge_error(error)
            if judgement.outcome is not self.first.judgement.outcome or self._excused(judgement):
                return None
            return Attempt(judgement, self.bot.take_record())
        except (BotError, TimeUpError):
            return None
        self.bot.take_record()
        judgement = self.observe()
        if self._excused(judgement):
            judgement = Judgement(Outcome.INCONCLUSIVE, judgement.expected, judgement.observed, BUSY_HINT)
        return Attempt(judgement, self.bot.take_record(), history)

    def _excused(self, judgement: Judgement) -> bool:
        """Return whether a judgement is a silence on a busy machine."""
        return judgement.outcome is Outcome.TIMEOUT and self.is_busy()

    def _reduce(self, repetitions: _Repetitions) -> Attempt:
        """Return the failure after the shortest history that still shows it.

        After the whole history, if new processes do not confirm it after the short one.
        """
        attempts = Attempts(MOST_REDUCTIONS, MOST_REDUCING, self.now)

        def shows(lines: tuple[bytes, ...]) -> bool:
            attempt = self._attempt(lines)
            return attempt is not None and attempt.refuses

        with self.bot.times.patience(HASTE if self._is_silence else 1.0):
            lines = shortest(_whole_lines(repetitions.history), shows, attempts)
        reduced = _Repetitions(lines, self.tries)
        while reduced.has_tries and len(lines) < len(repetitions.history):
            self._repeat(reduced)
        return self._confirmed(reduced if reduced.is_confirmed else repetitions)

    @staticmethod
    def _confirmed(repetitions: _Repetitions) -> Attempt:
        """Return the last sighting as a confirmed failure."""
        assert repetitions.last is not None, "only a failure that came back is confirmed"
        confirmation = Confirmation.WITH_HISTORY if repetitions.history else Confirmation.CONFIRMED
        return replace(repetitions.last, confirmation=confirmation, sightings=repetitions.sightings)

    def _unstable(self, repetitions: _Repetitions) -> Attempt:
        """Return the first attempt as an unstable failure, with the sightings after it."""
        sightings = repetitions.sightings
        if not self.first.history:  # `alone` has counted the first attempt
            sightings = Sightings(sightings.seen - 1, sightings.tried - 1)
        return replace(
            self.first,
            judgement=unstable_judgement(self.first.judgement, sightings),
            confirmation=Confirmation.UNSTABLE,
            sightings=sightings,
            other=self.other,
        )


def unstable_judgement(judgement: Judgement, sightings: Sightings) -> Judgement:
    """Return the inconclusive judgement of a failure that its lines do not show again."""
    seen, tried = sightings
    again = f"came back in {seen} of {tried} new processes by the same lines"
    observed = f"{judgement.observed}; seen once in the run, it {again}"
    hint = NO_TIME_HINT if seen == tried > 0 else UNSTABLE_HINT
    return Judgement(Outcome.INCONCLUSIVE, judgement.expected, observed, hint, clause=judgement.clause)


def _whole_lines(pieces: Sequence[bytes]) -> tuple[bytes, ...]:
    r"""Join pieces of lines, so that each item is a whole line: `b"na", b"me\n"` becomes `b"name\n"`."""
    lines = [b""]
    for piece in pieces:
        lines[-1] += piece
        if piece.endswith(b"\n"):
            lines.append(b"")
    return tuple(filter(None, lines))
