"""The procedure of a check that searches: how the bot searches a probe (a position), and who judges it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol

from harness.check.bot.bot import Bot
from harness.check.bot.session import Session
from harness.check.effort import STANDARD, Effort
from harness.check.model import Ability, Judgement, Phase, Requirements
from harness.check.procedures.conversation import as_lines, read_move, read_nodes, read_score
from harness.check.procedures.probe import Probe
from harness.check.procedures.reliance import SentLine, requirements
from harness.gtp import Exchange
from harness.oracle.expected import Expected

OVERHEAD_MOVES = 1_500.0
"""Cost of the set-up of one search, in moves of playouts; chosen: short searches are not free either."""

SYMMETRIES = 8
TURNS = (0, 5, 3, 6, 1, 4, 2, 7)
"""Order of the symmetries of successive searches: the first four show each edge and corner in every place."""


@dataclass(frozen=True)
class SearchRecord:
    """A bot's answers about one search. `nodes` and `score` are None for a bot without the command."""

    move: str  # a vertex in upper case, PASS or RESIGN
    nodes: int | None
    score: float | None
    seconds: float  # from genmove to its answer
    turn: int = 0  # number of the symmetry under which the bot saw the position


@dataclass(frozen=True)
class Series:
    """The searches made at one probe, in order; `playouts` is the number that each should have."""

    probe: Probe
    playouts: int
    searches: tuple[SearchRecord, ...]
    effort: Effort = STANDARD

    @property
    def passed_unsearched(self) -> bool:
        """True if the bot passed without a playout each time, as it may if it has no candidate."""
        passed = all(search.nodes == 0 and search.move == "PASS" for search in self.searches)
        return passed and self.probe.must_pass


SeriesJudge = Callable[[Series, Expected], Judgement]
"""Function that judges the searches at a probe by the moments of a conforming playout."""

ExpectedChoices = Callable[[int], dict[str, float]]
"""Function of the number of playouts: by vertex, the share in the choices of a conforming bot."""

NeededSearches = Callable[[int, Effort], int]
"""Function of the number of playouts and the effort: how many searches the check needs at least."""

ShownFault = Callable[[str, int, Effort], bool]
"""Predicate of a fault, the number of playouts and the effort: whether the searches of the check show it."""


@dataclass(frozen=True)
class EarlierLines:
    """The lines that a process got before a search, without a copy: the first `count` of a growing list."""

    sent: list[bytes] = field(default_factory=list)
    count: int = 0

    @property
    def lines(self) -> tuple[bytes, ...]:
        """The lines, in order."""
        return tuple(self.sent[: self.count])


class Searcher(Protocol):
    """Makes single searches: a real bot, or a simulated one."""

    def search(self, probe: Probe, turn: int) -> SearchRecord:
        """Make one search at the probe, under a symmetry of the board (`turn`, 0 to 7).

        Raises the errors of `Procedure.observe`.
        """

    def take_record(self) -> tuple[Exchange, ...]:
        """Return the exchanges since the last call."""

    def abort(self) -> None:
        """End a search that runs in another thread."""


READERS: Mapping[str, Callable[[Exchange], float]] = {"ref-nodes": read_nodes, "ref-score": read_score}
"""The private commands that are asked after each search, with the function that reads each answer."""


@dataclass(frozen=True)
class BotSearcher:
    """Makes searches with a bot; sets up the position before each.

    commands    commands of the bot; those in READERS are asked after each search
    """

    bot: Bot
    commands: frozenset[str]

    def search(self, probe: Probe, turn: int) -> SearchRecord:
        """Set up the position under a symmetry of the board, and let the bot search it."""
        turned = probe.turned(turn)
        self.bot.set_up(turned.setup())
        answer = self.bot.ask(turned.question())
        asked = [command for command in READERS if command in self.commands]
        answers = self.bot.ask_many(as_lines(*asked))
        move = probe.turned_back(read_move(answer, probe.size), turn)
        values = {name: READERS[name](given) for name, given in zip(asked, answers, strict=True)}
        nodes, score = values.get("ref-nodes"), values.get("ref-score")
        return SearchRecord(move, None if nodes is None else int(nodes), score, answer.seconds, turn)

    @property
    def earlier(self) -> EarlierLines:
        """The lines that the running process got so far; empty if none runs."""
        processes = self.bot.processes
        sent = processes.sent if processes.in_use is not None else []
        return EarlierLines(sent, len(sent))

    def take_record(self) -> tuple[Exchange, ...]:
        """Return the exchanges since the last call."""
        return self.bot.take_record()

    def abort(self) -> None:
        """End a search that runs in another thread."""
        self.bot.abort()


def search_cost(probe: Probe, playouts: int) -> float:
    """Return the cost of one search, in moves of playouts."""
    return OVERHEAD_MOVES + playouts * probe.expected.mean_length


def turn_of(number: int, seed: int, probe: Probe) -> int:
    """Return the symmetry of the search with this number; odd seeds begin with the second half of TURNS.

    0 for a probe that is not turned.
    """
    return TURNS[(number + SYMMETRIES // 2 * (seed % 2)) % SYMMETRIES] if probe.turns else 0


@dataclass(frozen=True)
class SearchProcedure:
    """The procedure of a check that makes a bot search.

    A check gets `least` searches (`least_quick` in a quick run), or as many as `needed` says, then more while
    it is undecided. `most` is their limit at 1,000 playouts per search.
    """

    probe: Probe
    judge_series: SeriesJudge
    least: int = 1
    most: int = 1
    least_quick: int | None = None
    choices: ExpectedChoices | None = None  # for reports, beside the choices of the bot
    needed: NeededSearches | None = None
    first_turn: int = 0  # symmetry of the first search of `observe`: that of a search that failed
    shows: ShownFault | None = None  # None: they show each fault of `kills` at any number of playouts

    phase = Phase.SEARCH

    @cached_property
    def requires(self) -> Requirements:
        """Requirements of setting up and searching the position repeatedly in one process."""
        lines = (*self.probe.setup(), self.probe.question())
        found = requirements(map(SentLine, lines), self.probe.size)
        again = {Ability.SEARCHES_AGAIN, Ability.CLEARS_THE_BOARD}
        if Ability.GENERATES_AFTER_PASSES in found.abilities:
            again.add(Ability.SEARCHES_AFTER_PASSES)
        if self.probe.setup_path == "generated":
            again.add(Ability.PLAYS_ITS_MOVES)
        return replace(found, abilities=found.abilities | again)

    @property
    def search_plan(self) -> SearchProcedure:
        """The procedure itself, since it has searches to plan. Others have None."""
        return self

    @property
    def shown(self) -> Probe:
        """The probe as the bot got it in the search that failed; `probe` itself without a symmetry."""
        return self.probe.turned(self.first_turn) if self.first_turn else self.probe

    def describe(self) -> list[str]:
        """Return the position and the moments of a conforming playout."""
        probe, wanted = self.probe, self.probe.expected
        return [
            f"{probe.occasion}:",
            *probe.position.draw().splitlines(),
            "",
            f"a conforming playout: {wanted.mean_length:.4f} moves (sd {wanted.sd_length:.4f}), "
            f"score {wanted.mean_result:.4f} (sd {wanted.sd_result:.4f}), {wanted.source}",
        ]

    def expected_choices(self, playouts: int) -> dict[str, float]:
        """Return how often a conforming bot chooses each vertex (0 to 1); empty if not known."""
        return self.choices(playouts) if self.choices is not None and playouts else {}

    def least_under(self, effort: Effort, playouts: int) -> int:
        """Return the least number of searches of a bot with this number of playouts (0: not known)."""
        least = self.least_quick if effort.quick and self.least_quick is not None else self.least
        return max(least, self.needed(playouts, effort)) if self.needed is not None and playouts else least

    def observe(self, session: Session) -> Series:
        """Make the least number of searches, for this check alone; the first under `first_turn`."""
        searcher = BotSearcher(session.bot, session.introduction.commands)
        playouts = session.playouts or 0
        first = TURNS.index(self.first_turn)
        numbers = range(first, first + self.least_under(session.effort, playouts))
        searches = tuple(searcher.search(self.probe, turn_of(number, 0, self.probe)) for number in numbers)
        return Series(self.probe, playouts, searches, session.effort)

    def judge(self, observation: Series) -> Judgement:
        """Judge the searches against what is expected at the probe."""
        return self.judge_series(observation, self.probe.expected)
