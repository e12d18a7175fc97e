"""Diagnoses a bot that an audit found different: names the faults of the registry that it looks like.

Refbot with each fault searches positions of the match. The likelihood of what the bot reported and chose in
them is compared over all faults. A fault that is ruled out is not searched for any further.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple, TypeVar

from harness.arena.audit.audit import Allowance
from harness.arena.audit.evidence import Evidence
from harness.arena.audit.hypotheses import Place, hypotheses, may_change, shown_choices, shown_reports
from harness.arena.audit.sample import places
from harness.arena.run.coordinator import Stop
from harness.arena.store.diagnosis import StoredDiagnosis
from harness.arena.store.store import Store
from harness.arena.verdicts import UNKNOWN_FAULT, Suspect
from harness.stats import CONFORMING, SOMETHING_ELSE, Diagnosis

RULED_OUT = 1e-6
"""A fault less probable than this, relative to the most probable fault or to something else, is ruled out.

A larger share saves searches, and may drop the right fault after few positions. Chosen.
"""
MOST_NAMED = 3  # faults of a bot; chosen
LEAST_NAMED = 0.05
"""A fault less probable than this is not worth naming. Chosen."""
LEAST_DEVIATING = 0.9
"""The least probability that a bot with a named fault deviates, by the searched positions. Chosen."""
DIGITS = 6  # of a stored probability

Shows = TypeVar("Shows")


class Rounds(NamedTuple):
    """Positions after each round, in which lengths and scores, and in which moves are compared.

    After each round, the faults that the evidence rules out are left out. More positions distinguish more
    faults and take longer: for moves, a position takes 15 searches for each fault that is left. Chosen.
    """

    reports: tuple[int, ...] = (16, 60, 160, 400)
    choices: tuple[int, ...] = (12, 40, 100)


ROUNDS = Rounds()


class StoppedError(Exception):
    """Somebody stopped the diagnosis. Nothing of it is stored, and the next start repeats it."""


class OutOfTimeError(Exception):
    """The diagnosis has used its time."""


class Diagnoser:
    """One start of the diagnoses of a run."""

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
        self.complete = True  # it was not stopped

    def run(self, differing: Mapping[str, Collection[str]]) -> bool:
        """Diagnose these bots unless that is done, and forget all others. False if it was stopped.

        `differing`: lengths, scores and moves, as far as they are different, by bot.
        """
        for _ in self.steps(differing):
            pass
        return self.complete

    def steps(self, differing: Mapping[str, Collection[str]]) -> Iterator[tuple[int, int]]:
        """Do so, and yield the searched and the planned number of positions after each."""
        diagnoses = self._store.diagnoses
        stored = {diagnosis.bot: diagnosis for diagnosis in diagnoses.all()}
        for bot in stored.keys() - set(differing):
            diagnoses.remove(bot)
        audited = diagnoses.audited()
        due = [bot for bot in differing if not self._is_done(stored.get(bot), audited.get(bot, 0))]
        sample = places(self._store, due, self._rounds.reports[-1]) if due else {}
        cases = {bot: _Case(own, differing[bot], self._rounds) for bot, own in sample.items()}
        self._planned = sum(case.planned for case in cases.values())
        with ThreadPoolExecutor(self._workers) as pool:
            for bot, case in cases.items():
                try:
                    for _ in case.search(partial(self._each, pool)):
                        yield self._searched, self._planned
                except StoppedError:
                    self.complete = False
                    return
                if case.positions:
                    suspects = tuple(Suspect(bot, *named) for named in case.named())
                    diagnoses.put(StoredDiagnosis(bot, audited[bot], case.positions, case.finished, suspects))

    def _is_done(self, stored: StoredDiagnosis | None, audited: int) -> bool:
        """Another diagnosis would have the same data, and no more time."""
        if stored is None or stored.searches != audited:
            return audited == 0
        return stored.finished or self._allowance.has_limit

    def _each(
        self, pool: ThreadPoolExecutor, search: Callable[[Place], Shows], searched: Sequence[Place]
    ) -> Iterator[tuple[Place, Shows]]:
        """Each place with the result of its search. Raises StoppedError and OutOfTimeError."""
        waiting = [pool.submit(search, place) for place in searched]
        try:
            for place, future in zip(searched, waiting, strict=True):
                if self._stop.asked:
                    raise StoppedError
                if self._allowance.is_used_up:
                    raise OutOfTimeError
                shows = future.result()
                self._allowance.count()
                self._searched += 1
                yield place, shows
        finally:
            for future in waiting:
                future.cancel()


class _Case:
    """One bot. After each round the faults that the evidence rules out are left out."""

    def __init__(self, own: Sequence[Place], differing: Collection[str], rounds: Rounds) -> None:
        self._rounds = rounds
        self._reporting = own
        self._choosing = [place for place in own if place.compares_choice]
        self._evidence = Evidence()
        self._left = [name for name in hypotheses() if may_change(name).issuperset(differing)]
        self.finished = True  # the time was enough for all of it

    @property
    def positions(self) -> int:
        """The number of positions in which all faults that were left were searched for."""
        return len(self._evidence.reports)

    @property
    def planned(self) -> int:
        """The number of positions to search, for lengths and scores and again for moves."""
        return len(self._reporting[: self._rounds.reports[-1]]) + len(
            self._choosing[: self._rounds.choices[-1]]
        )

    def search(self, each: Callable[..., Iterator[Any]]) -> Iterator[None]:
        """Go through all rounds, and yield after each position. Raises StoppedError."""
        evidence = self._evidence
        try:
            for rounds, searched, shown, found in (
                (self._rounds.reports, self._reporting, shown_reports, evidence.reports),
                (self._rounds.choices, self._choosing, shown_choices, evidence.choices),
            ):
                for count in rounds:
                    new = searched[len(found) : count]
                    for place_and_shown in each(partial(shown, faults=self._left), new):
                        found.append(place_and_shown)  # and stays if the time ends in the middle of a round
                        yield
                    self._rule_out(evidence.diagnosis(self._left))
        except OutOfTimeError:
            self.finished = False

    def _rule_out(self, said: Diagnosis) -> None:
        most = max(share for name, share in said.ranked if name != CONFORMING)
        self._left = [name for name in self._left if said.probability(name) >= RULED_OUT * most]

    def named(self) -> list[tuple[str, float]]:
        """At most three faults worth naming, for a bot that does deviate. What does not fit is unknown.

        None if the bot looks right in the positions that were searched: they do not show what is wrong.
        """
        said = self._evidence.diagnosis(self._left)
        deviates = 1.0 - said.probability(CONFORMING)
        if deviates < LEAST_DEVIATING:
            return []
        unknown, named = said.probability(SOMETHING_ELSE) / deviates, []
        for name in self._left:
            share = said.probability(name) / deviates
            if share >= LEAST_NAMED and not self._evidence.fits(name):
                unknown += share
            elif share >= LEAST_NAMED:
                named.append((name, round(share, DIGITS)))
        if unknown >= LEAST_NAMED:
            named.append((UNKNOWN_FAULT, round(unknown, DIGITS)))
        return sorted(named, key=lambda item: -item[1])[:MOST_NAMED]
