"""Searches at a probe: how they are made, recorded and judged."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

from harness.check.bot.bot import Bot
from harness.check.bot.session import Session
from harness.check.effort import STANDARD, Effort
from harness.check.model import Ability, Judgement, Phase, Requirements
from harness.check.procedures.conversation import read_move, read_nodes, read_score
from harness.check.procedures.probe import Probe
from harness.check.procedures.reliance import SentLine, requirements
from harness.gtp import Exchange
from harness.oracle.expected import Expected

SYMMETRIES = 8
TURNS = (0, 5, 3, 6, 1, 4, 2, 7)
"""The order in which a probe is turned: four searches see it at every edge and in every corner."""


@dataclass(frozen=True)
class SearchRecord:
    """A bot's answers about one search. `nodes` and `score` are None where it has no such command."""

    move: str  # upper case, PASS, or RESIGN
    nodes: int | None
    score: float | None
    seconds: float  # from genmove to its answer
    turn: int = 0  # the symmetry under which the bot saw the position


@dataclass(frozen=True)
class Series:
    """The searches made in one probe, in order, and the number of playouts each of them is to have."""

    probe: Probe
    playouts: int
    searches: tuple[SearchRecord, ...]
    effort: Effort = STANDARD

    @property
    def passed_unsearched(self) -> bool:
        """True if the bot passed without a playout, as it may where it has no candidate."""
        passed = all(search.nodes == 0 and search.move == "PASS" for search in self.searches)
        return passed and self.probe.must_pass


SeriesJudge = Callable[[Series, Expected], Judgement]
ExpectedChoices = Callable[[int], dict[str, float]]
"""From the number of playouts to the share of searches in which a conforming bot chooses each vertex."""


class Searcher(Protocol):
    """Makes single searches: a real bot, or a simulated one."""

    def search(self, probe: Probe, turn: int) -> SearchRecord:
        """One search at the probe under a symmetry. Raises what `Procedure.observe` raises."""

    def take_record(self) -> tuple[Exchange, ...]:
        """The exchanges since this was last called."""

    def abort(self) -> None:
        """End a search that runs in another thread."""


READERS: Mapping[str, Callable[[Exchange], float]] = {"ref-nodes": read_nodes, "ref-score": read_score}
"""The private commands that are asked after each search, with the function that reads each answer."""


@dataclass(frozen=True)
class BotSearcher:
    """Searches made by a bot that is led to the probe each time.

    commands    the private commands to ask after each search: those that the bot has and that can be read
    """

    bot: Bot
    commands: frozenset[str]

    def search(self, probe: Probe, turn: int) -> SearchRecord:
        """Lead the bot to the position, turned by a symmetry of the board, and let it search."""
        turned = probe.turned(turn)
        self.bot.set_up(turned.setup())
        answer = self.bot.ask(turned.question())
        asked = [command for command in READERS if command in self.commands]
        answers = self.bot.ask_many([f"{command}\n".encode("ascii") for command in asked])
        move = probe.turned_back(read_move(answer, probe.size), turn)
        values = {name: READERS[name](given) for name, given in zip(asked, answers, strict=True)}
        nodes, score = values.get("ref-nodes"), values.get("ref-score")
        return SearchRecord(move, None if nodes is None else int(nodes), score, answer.seconds, turn)

    def take_record(self) -> tuple[Exchange, ...]:
        """The exchanges since this was last called."""
        return self.bot.take_record()

    def abort(self) -> None:
        """End a search that runs in another thread."""
        self.bot.abort()


def turn_of(number: int, seed: int, probe: Probe) -> int:
    """The symmetry of a search by its number at the probe: rotations or reflections first, by the seed."""
    return TURNS[(number + SYMMETRIES // 2 * (seed % 2)) % SYMMETRIES] if probe.turns else 0


@dataclass(frozen=True)
class SearchProcedure:
    """The procedure of a check that makes a bot search: where, how often, and who judges.

    Every check gets `least` searches (`least_quick` in a quick run), then more while it is undecided, up to
    `most` for a bot of 1,000 playouts a search.
    """

    probe: Probe
    judge_series: SeriesJudge
    least: int = 1
    most: int = 1
    least_quick: int | None = None
    choices: ExpectedChoices | None = None  # what reports draw beside the bot's own choices

    phase = Phase.SEARCH

    @cached_property
    def requires(self) -> Requirements:
        """Requirements of leading the bot to the position repeatedly in one process."""
        lines = (*self.probe.setup(), self.probe.question())
        found = requirements(map(SentLine, lines), self.probe.size)
        again = {Ability.SEARCHES_AGAIN, Ability.CLEARS_THE_BOARD}
        if Ability.GENERATES_AFTER_PASSES in found.abilities:
            again.add(Ability.SEARCHES_AFTER_PASSES)
        return replace(found, abilities=found.abilities | again)

    @property
    def search_plan(self) -> SearchProcedure:
        """The procedure itself."""
        return self

    def describe(self) -> list[str]:
        """The position, and what a conforming playout from it is."""
        probe, wanted = self.probe, self.probe.expected
        return [
            f"{probe.occasion}:",
            *probe.position.draw().splitlines(),
            "",
            f"a conforming playout: {wanted.mean_length:.4f} moves (sd {wanted.sd_length:.4f}), "
            f"score {wanted.mean_result:.4f} (sd {wanted.sd_result:.4f}), {wanted.source}",
        ]

    def expected_choices(self, playouts: int) -> dict[str, float]:
        """The share of each vertex in the choices of a conforming bot; empty where it is not known."""
        return self.choices(playouts) if self.choices is not None and playouts else {}

    def least_under(self, effort: Effort) -> int:
        """The number of searches that are made in any case."""
        return self.least_quick if effort.quick and self.least_quick is not None else self.least

    def observe(self, session: Session) -> Series:
        """Make the least number of searches, for this check alone; the first as the position is drawn."""
        searcher = BotSearcher(session.bot, session.profile.commands)
        turns = (turn_of(number, 0, self.probe) for number in range(self.least_under(session.effort)))
        searches = tuple(searcher.search(self.probe, turn) for turn in turns)
        return Series(self.probe, session.playouts or 0, searches, session.effort)

    def judge(self, observation: Series) -> Judgement:
        """Judge the searches against what is expected at the probe."""
        return self.judge_series(observation, self.probe.expected)
