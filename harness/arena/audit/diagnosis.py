"""Diagnoses bots that an audit found different: names the known faults that explain a bot's results best.

For each fault of the registry (`refbot.deviations.faults`), refbot with this fault searches positions of the
match. The diagnosis compares the likelihoods of the bot's reports and moves under all faults. It works in
rounds of positions. After each round, it drops the faults that are ruled out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple, TypeVar

from harness.arena.audit.audit import Allowance
from harness.arena.audit.evidence import Evidence
from harness.arena.audit.hypotheses import (
    AuditedPosition,
    affected_statistics,
    hypotheses,
    predict_choices,
    predict_reports,
)
from harness.arena.audit.sample import sample_positions
from harness.arena.run.stop import Stop
from harness.arena.store.diagnosis import StoredDiagnosis
from harness.arena.store.store import Store
from harness.arena.verdicts import UNKNOWN_FAULT, Suspect
from harness.stats import CONFORMING, SOMETHING_ELSE, Diagnosis

RULED_OUT = 1e-6
"""A fault is ruled out below this fraction of the largest probability among the faults and "something else".

A larger fraction saves searches, but may drop the right fault after few positions. Chosen.
"""
MOST_NAMED = 3  # faults named for one bot; chosen
LEAST_NAMED = 0.05
"""Least probability of a fault that is named. Chosen."""
LEAST_DEVIATING = 0.9
"""Faults are named only if the bot deviates with at least this probability. Chosen."""
DIGITS = 6  # of a stored probability

Prediction = TypeVar("Prediction")
SearchAll = Callable[..., Iterator[Any]]
"""`Diagnoser._search_all` with its threads: gets a function of a position, and the positions."""


class Rounds(NamedTuple):
    """Total number of searched positions after each round: for reports (lengths, scores) and for moves.

    With (16, 60, 160, 400), the first round searches 16 positions, the second 44 more, and so on. More
    positions distinguish more faults and take longer: for moves, a position takes 15 searches (CHOICES) for
    most faults that are left. Chosen.
    """

    reports: tuple[int, ...] = (16, 60, 160, 400)
    choices: tuple[int, ...] = (12, 40, 100)


ROUNDS = Rounds()


class StoppedError(Exception):
    """A stop was requested. The diagnosis in progress is not stored, and the next start repeats it."""


class OutOfTimeError(Exception):
    """The diagnosis has used up its processor time."""


class Diagnoser:
    """Diagnoses the bots of one run. `complete`: no stop has ended it early."""

    def __init__(
        self,
        store: Store,
        *,
        stop: Stop,
        workers: int = 1,
        seconds: float | None = None,
        rounds: Rounds = ROUNDS,
    ) -> None:
        """Diagnose bots in `store`, in at most `seconds` of processor time (see `Allowance`)."""
        self._store = store
        self._stop = stop
        self._workers = workers
        self._rounds = rounds
        self._searched = self._planned = 0
        self._allowance = Allowance(seconds)
        self.complete = True

    def run(self, differing: Mapping[str, Collection[str]]) -> bool:
        """Diagnose the bots in `differing` that have no final diagnosis. Return False after a stop.

        Stored diagnoses of bots that are not in `differing` are removed.

        differing   by bot that the audit found different, which of "lengths", "scores" and "moves" differ
        """
        for _ in self.steps(differing):
            pass
        return self.complete

    def steps(self, differing: Mapping[str, Collection[str]]) -> Iterator[tuple[int, int]]:
        """Do the work of `run`. After each position, yield the searched and the planned number of them."""
        diagnoses = self._store.diagnoses
        stored = {diagnosis.bot: diagnosis for diagnosis in diagnoses.all()}
        for bot in stored.keys() - set(differing):
            diagnoses.remove(bot)
        audited = diagnoses.audited()
        due = [bot for bot in differing if not self._is_done(stored.get(bot), audited.get(bot, 0))]
        sample = sample_positions(self._store, due, self._rounds.reports[-1]) if due else {}
        cases = {bot: _BotDiagnosis(own, differing[bot], self._rounds) for bot, own in sample.items()}
        self._planned = sum(case.planned for case in cases.values())
        with ThreadPoolExecutor(self._workers) as pool:
            for bot, case in cases.items():
                try:
                    for _ in case.search(partial(self._search_all, pool)):
                        yield self._searched, self._planned
                except StoppedError:
                    self.complete = False
                    return
                if case.positions:
                    suspects = tuple(Suspect(bot, *named) for named in case.likely_faults())
                    diagnoses.put(StoredDiagnosis(bot, audited[bot], case.positions, case.finished, suspects))

    def _is_done(self, stored: StoredDiagnosis | None, audited: int) -> bool:
        """Return True if a new diagnosis would find no more than the stored one.

        audited   number of audited searches of the bot
        """
        if stored is None or stored.searches != audited:
            return audited == 0  # then there is nothing to diagnose
        return stored.finished or self._allowance.has_limit  # a new one would reach the same limit

    def _search_all(
        self,
        pool: ThreadPoolExecutor,
        search: Callable[[AuditedPosition], Prediction],
        searched: Sequence[AuditedPosition],
    ) -> Iterator[tuple[AuditedPosition, Prediction]]:
        """Call `search` for each position, in threads. Yield (position, result) in their order.

        Raises StoppedError and OutOfTimeError.
        """
        waiting = [pool.submit(search, position) for position in searched]
        try:
            for position, future in zip(searched, waiting, strict=True):
                if self._stop.asked:
                    raise StoppedError
                if self._allowance.is_used_up:
                    raise OutOfTimeError
                prediction = future.result()
                self._allowance.count()
                self._searched += 1
                yield position, prediction
        finally:
            for future in waiting:
                future.cancel()


class _BotDiagnosis:
    """The diagnosis of one bot. `finished`: the time was enough for all rounds."""

    def __init__(self, own: Sequence[AuditedPosition], differing: Collection[str], rounds: Rounds) -> None:
        self._rounds = rounds
        self._for_reports = own
        self._for_moves = [position for position in own if position.has_choice]
        self._evidence = Evidence()
        self._faults = [name for name in hypotheses() if affected_statistics(name).issuperset(differing)]
        self.finished = True

    @property
    def positions(self) -> int:
        """The number of positions in which reports were compared."""
        return len(self._evidence.reports)

    @property
    def planned(self) -> int:
        """The number of positions to search; one that is searched for reports and for moves counts twice."""
        for_reports, for_moves = self._rounds.reports[-1], self._rounds.choices[-1]
        return min(for_reports, len(self._for_reports)) + min(for_moves, len(self._for_moves))

    def search(self, search_all: SearchAll) -> Iterator[None]:
        """Search the rounds for reports, then those for moves. Yield after each position.

        A search that is out of time ends the diagnosis, which then has `finished` False. Raises StoppedError.
        """
        reports, choices = self._evidence.reports, self._evidence.choices
        try:
            for count in self._rounds.reports:
                new = self._for_reports[len(reports) : count]
                for result in search_all(partial(predict_reports, faults=self._faults), new):
                    reports.append(result)  # it stays if the time ends in the middle of a round
                    yield
                self._rule_out(self._evidence.diagnose(self._faults))
            for count in self._rounds.choices:
                new = self._for_moves[len(choices) : count]
                for result in search_all(partial(predict_choices, faults=self._faults), new):
                    choices.append(result)
                    yield
                self._rule_out(self._evidence.diagnose(self._faults))
        except OutOfTimeError:
            self.finished = False

    def _rule_out(self, diagnosis: Diagnosis) -> None:
        """Drop the faults that are RULED_OUT, so that no later round searches with them."""
        largest = max(share for name, share in diagnosis.ranked if name != CONFORMING)
        self._faults = [name for name in self._faults if diagnosis.probability(name) >= RULED_OUT * largest]

    def likely_faults(self) -> list[tuple[str, float]]:
        """Return the most probable faults with their probabilities, given that the bot deviates.

        A probable fault that does not fit counts as UNKNOWN_FAULT. The list is empty if the searched
        positions do not show that the bot deviates.
        """
        diagnosis = self._evidence.diagnose(self._faults)
        deviates = 1.0 - diagnosis.probability(CONFORMING)
        if deviates < LEAST_DEVIATING:
            return []
        named = []
        unknown = diagnosis.probability(SOMETHING_ELSE) / deviates
        for name in self._faults:
            share = diagnosis.probability(name) / deviates
            if share >= LEAST_NAMED and not self._evidence.fits(name):
                unknown += share
            elif share >= LEAST_NAMED:
                named.append((name, round(share, DIGITS)))
        if unknown >= LEAST_NAMED:
            named.append((UNKNOWN_FAULT, round(unknown, DIGITS)))
        return sorted(named, key=lambda item: -item[1])[:MOST_NAMED]
