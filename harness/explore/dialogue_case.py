"""A session that shows a deviation, as the procedure of a check: held again, it shows it again."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from harness.check.bot.bot import Bot
from harness.check.bot.session import Session
from harness.check.model import Judgement, Outcome, Phase, Requirements, passed
from harness.explore.abilities import Abilities, Feature, lacking_features
from harness.explore.game_model import GameModel, Kind, Wanted, read_line
from harness.explore.spelling import odd_features
from harness.explore.walk import Deviation, Walk, walk

CERTAIN = math.log(1e10)
"""Log of the evidence that counts as certain. Chosen: beyond the number of sessions of any exploration."""

TRIES = 8
"""Number of times that a session is held where the bot's own choices or random numbers matter. Chosen: what
one time in four shows is then seen nine times in ten."""

TOGETHER = "answer every line of the input, also of those that arrive together with others"

AT_RANDOM = "the bot draws at random: send the lines again if they do not show it at once"


@dataclass(frozen=True)
class DialogueCase:
    """Lines whose last one gets an answer that a right bot does not give.

    tries      the number of times that they are sent, each time to a new process
    together   whether lines are sent in one write where their answers are known beforehand
    """

    lines: tuple[str, ...]
    tries: int = 1
    together: bool = False

    phase = Phase.EXPLORATION
    requires = Requirements()
    search_plan = None

    @property
    def abilities(self) -> Abilities:
        """Everything that the lines use, whatever a bot has."""
        commands = [command for line in self.lines if (command := read_line(line)) is not None]
        sizes = {one.arguments[0] for one in commands if one.name == "boardsize" and one.arguments}
        return Abilities(
            tuple(sorted(int(size) for size in sizes if size.isdecimal() and 2 <= int(size) <= 25))
        )

    @property
    def features(self) -> frozenset[Feature]:
        """Optional features that the lines use."""
        found = {feature for line in self.lines for feature in odd_features(line)}
        return frozenset(found | {one.feature for one in self.wanted_answers() if one.feature is not None})

    def wanted_answers(self) -> Iterator[Wanted]:
        """Yield the answers of a right bot, as far as they are known without the bot's own moves."""
        model = GameModel(self.abilities)
        for line in self.lines:
            command = read_line(line)
            wanted = model.wanted(command) if command is not None else None
            if command is not None and wanted is not None:
                yield wanted
                if wanted.kind not in (Kind.MOVE, Kind.REFUSAL):
                    model.succeeded(command)

    def describe(self) -> list[str]:
        """Describe the session by its lines."""
        return ["a session that was found by exploration:", *(f"  {line!r}" for line in self.lines)]

    def observe(self, session: Session) -> Walk:
        """Hold the session, up to `tries` times, until it deviates."""
        abilities = replace(self.abilities, commands=session.profile.commands)
        return self.hold(session.bot, abilities.without(lacking_features(session.has)), session.playouts)

    def hold(self, bot: Bot, abilities: Abilities, playouts: int | None, *, fresh: bool = True) -> Walk:
        """Hold the session; the last walk, with the evidence of all of them.

        fresh   each time in a new process; else in the running one as long as its answers can be read
        """
        ask_many = bot.ask_many if self.together else None
        evidence = 0.0
        for _ in range(self.tries):
            if fresh:
                bot.fresh()
            bot.take_record()
            found = walk(self.lines, abilities, playouts, bot.ask, CERTAIN, ask_many)
            if found.deviation is not None:
                last = found.exchanges[-1]
                if not fresh and (last.answer is None or last.noise):
                    bot.fresh()  # more may come, which would fall on the next session
                return found
            evidence += found.evidence.get(len(found.lines) - 1, 0.0)
            if evidence >= CERTAIN:
                return self._with_evidence(found, abilities, playouts, evidence)
        return found

    def _with_evidence(
        self, found: Walk, abilities: Abilities, playouts: int | None, evidence: float
    ) -> Walk:
        """Return the walk with the deviation that only several tries together have shown."""
        answers = iter(found.exchanges)
        again = walk(found.lines, abilities, playouts, lambda _: next(answers), suspicious=0.0)
        if again.deviation is None:
            return found
        return replace(found, deviation=replace(again.deviation, log_e=evidence))

    def judge(self, observation: Walk) -> Judgement:
        """Fail where the session deviates; skip it for a bot that does not play on its board."""
        deviation = observation.deviation
        if deviation is None:
            sent = len(observation.lines)
            return passed(f"{sent} answers of a right bot")
        if _refuses_a_board(observation, deviation):
            return Judgement(Outcome.SKIP, observed="the bot does not play on the board of this case")
        return self.judge_found(observation, deviation)

    def judge_found(self, observation: Walk, deviation: Deviation) -> Judgement:
        """Fail: the session was held on boards that the bot is known to accept."""
        judgement = judgement_of(observation.lines, deviation, self.tries)
        return replace(judgement, clause="gtp", hint=TOGETHER) if self.together else judgement


def _refuses_a_board(held: Walk, deviation: Deviation) -> bool:
    """Return whether a session ends because a board size is refused that was never accepted.

    After lines in an unusual spelling the refusal may be the answer to another line: that is no such case.
    """
    lines = held.lines[: deviation.number + 1]
    answer = held.exchanges[-1].answer
    refused = read_line(lines[-1])
    if refused is None or refused.name != "boardsize" or deviation.clause != "gtp":
        return False
    if answer is None or answer.ok or any(map(odd_features, lines)):
        return False
    before = [command for line in lines[:-1] if (command := read_line(line)) is not None]
    return all(one.name != "boardsize" or one.arguments != refused.arguments for one in before)


def judgement_of(lines: Sequence[str], deviation: Deviation, tries: int = 1) -> Judgement:
    """Return the judgement of a session with a deviation."""
    hint = deviation.hint or (AT_RANDOM if tries > 1 else "")
    return Judgement(
        deviation.outcome,
        deviation.expected,
        deviation.observed,
        hint,
        numbers={"lines": float(len(lines))},
        clause=clause_of(lines, deviation),
        written_wrong=bool(deviation.hint),
    )


def clause_of(lines: Sequence[str], deviation: Deviation) -> str:
    """Return the clause that a reduced session points to.

    What is left of a session is needed. So wrong numbers or moves after a refused command, an undo, or a line
    that is written in an unusual way, point to the protocol.
    """
    if deviation.clause in ("superko", "simple-ko", "ref-nodes", "area-scoring", "komi"):
        return deviation.clause
    before = DialogueCase(tuple(lines[: deviation.number]))
    names = [command.name for line in before.lines if (command := read_line(line)) is not None]
    if "undo" in names or any(map(odd_features, before.lines)):
        return "gtp"
    known = takewhile(lambda wanted: wanted.kind is not Kind.MOVE, before.wanted_answers())
    return "gtp" if any(wanted.kind is Kind.REFUSAL for wanted in known) else deviation.clause
