"""A session that showed a deviation, as the procedure of a check that repeats the session.

Here a session is a list of GTP lines, and a `Walk` is what happened when it was held. (The class `Session` is
another thing: the bot and what a run knows of it, for a procedure.)
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from harness.check.bot.bot import Bot
from harness.check.bot.session import Session
from harness.check.model import Judgement, Outcome, Phase, Requirements, passed
from harness.check.stored_records import with_named_records
from harness.explore.abilities import Abilities, Feature, lacking_features
from harness.explore.command_model import RULES, CommandModel
from harness.explore.command_state import RECORD
from harness.explore.session_judge import Deviation
from harness.explore.spelling import odd_features
from harness.explore.walk import Walk, walk
from harness.explore.wanted import Kind, Wanted, read_line
from harness.gtp.commands import COMMANDS

CERTAIN = math.log(1e10)
"""Log of the e-value that counts as certain. Chosen: 1e10 is more than the sessions of any exploration."""

TRIES = 8
"""Times that a session is held if chance decides. Chosen: one in four is then seen nine times in ten."""

TOGETHER = "answer every line of the input, also of those that arrive together with others"

FINAL_CLAUSES = frozenset({"superko", "simple-ko", "ref-nodes", "area-scoring", "komi"})
"""Clauses that a deviation keeps, whatever lines it needs before it."""

AT_RANDOM = "the bot draws at random: send the lines again if they do not show it at once"


@dataclass(frozen=True)
class DialogueCase:
    """A session whose last line gets an answer that a right bot does not give.

    tries      most times that the session is held, each time with a new process
    together   send lines whose answers can be predicted in one write
    """

    lines: tuple[str, ...]
    tries: int = 1
    together: bool = False

    phase = Phase.EXPLORATION
    requires = Requirements()
    search_plan = None

    @property
    def abilities(self) -> Abilities:
        """The abilities that the lines use: their board sizes (2 to 25) and commands, and all features."""
        commands = [command for line in self.lines if (command := read_line(line)) is not None]
        sizes = {one.arguments[0] for one in commands if one.name == "boardsize" and one.arguments}
        records = (RECORD.fullmatch(word) for one in commands for word in one.arguments)
        sizes |= {record[2] for record in records if record is not None}
        return Abilities(
            tuple(sorted(int(size) for size in sizes if size.isdecimal() and 2 <= int(size) <= 25)),
            frozenset(one.name for one in commands if one.name in COMMANDS),
        )

    @property
    def features(self) -> frozenset[Feature]:
        """Optional features that the lines use."""
        found = {feature for line in self.lines for feature in odd_features(line)}
        return frozenset(found | {one.feature for one in self.wanted_answers() if one.feature is not None})

    def wanted_answers(self) -> Iterator[Wanted]:
        """Yield the required answers, from a model that never makes the bot's own moves (genmove)."""
        model = CommandModel(self.abilities)
        for line in self.lines:
            command = read_line(line)
            wanted = model.wanted(command) if command is not None else None
            if command is not None and wanted is not None:
                yield wanted
                if wanted.kind is Kind.REFUSAL:
                    model.apply_refusal(command)
                elif wanted.kind is not Kind.MOVE:
                    model.apply_success(command)

    def describe(self) -> list[str]:
        """Describe the session by its lines."""
        return ["a session that was found by exploration:", *(f"  {line!r}" for line in self.lines)]

    def observe(self, session: Session) -> Walk:
        """Hold the session, up to `tries` times, until it deviates. Raises UnusableBotError."""
        abilities = replace(self.abilities, commands=session.introduction.commands, rules=session.rules)
        return self.hold(session.bot, abilities.without(lacking_features(session.has)), session.playouts)

    def hold(self, bot: Bot, abilities: Abilities, playouts: int | None, *, fresh: bool = True) -> Walk:
        """Hold the session up to `tries` times, and return the last walk.

        The walk deviates if one try does, or if the evidence of several tries together is certain.
        fresh   hold each try in a new process; else in the running one, as long as its answers can be read
        """
        ask_many = bot.ask_many if self.together else None
        evidence = 0.0
        for _ in range(self.tries):
            if fresh:
                bot.fresh()
            bot.take_record()
            found = walk(self.lines, abilities, playouts, bot.ask, CERTAIN, ask_many, bot.take_analysis)
            if found.deviation is not None:
                last = found.exchanges[-1]
                if not fresh and (last.answer is None or last.noise):
                    bot.fresh()  # late output would be read as an answer of the next session
                return found
            evidence += found.evidence.get(len(found.lines) - 1, 0.0)  # that of the last line
            if evidence >= CERTAIN:
                proven = self._with_evidence(found, abilities, playouts, evidence)
                if proven.deviation is not None:
                    return proven
        return found

    def _with_evidence(
        self, found: Walk, abilities: Abilities, playouts: int | None, evidence: float
    ) -> Walk:
        """Return the walk with the deviation of its last line, which only several tries together prove.

        Return the walk unchanged if an earlier number of this try is as suspicious as that of the last line.
        """
        # Judge the same answers again, with the last number counting as a deviation.
        answers, last = iter(found.exchanges), len(found.lines) - 1
        least = found.evidence.get(last, math.inf)
        again = walk(found.lines, abilities, playouts, lambda _: next(answers), suspicious=least)
        if again.deviation is None or again.deviation.number != last:
            return found
        return replace(found, deviation=replace(again.deviation, log_e=evidence))

    def judge(self, observation: Walk) -> Judgement:
        """Fail if the session deviates; skip if the bot does not play on a board size of the session."""
        deviation = observation.deviation
        if deviation is None:
            sent = len(observation.lines)
            return passed(f"{sent} answers of a right bot")
        if _refuses_a_board(observation, deviation):
            return Judgement(Outcome.SKIP, observed="the bot does not play on the board of this case")
        return self.judge_found(observation, deviation)

    def judge_found(self, observation: Walk, deviation: Deviation) -> Judgement:
        """Return the failure. The caller knows that the bot accepts the board sizes of the session."""
        lines = observation.lines
        clause = "gtp" if self.together else clause_of(lines, deviation)
        random = AT_RANDOM if self.tries > 1 else ""
        judgement = Judgement(
            deviation.outcome,
            deviation.expected,
            deviation.observed,
            TOGETHER if self.together else deviation.hint or random,
            numbers={"lines": float(len(lines))},
            clause=clause,
            written_wrong=bool(deviation.hint),
        )
        return with_named_records(judgement)


def _refuses_a_board(held: Walk, deviation: Deviation) -> bool:
    """Return True if the deviation is the refusal of a board size that the bot had not accepted before.

    False after lines in an unusual spelling: the bot may have counted lines wrongly, so that the refusal
    answers another line.
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


def clause_of(lines: Sequence[str], deviation: Deviation) -> str:
    """Return the clause that a reduced session points to.

    A reduced session has hardly a line that the deviation does not need. So wrong numbers or moves that need
    a refused command, an undo or an unusual spelling before them point to the protocol (clause `gtp`). A
    wrong answer that needs an optional command before it points to the clause of this command.
    """
    if deviation.clause in FINAL_CLAUSES:
        return deviation.clause
    before = DialogueCase(tuple(lines[: deviation.number]))
    names = [command.name for line in before.lines if (command := read_line(line)) is not None]
    if deviation.clause == "complete-games" or deviation.clause.startswith("gtp"):
        optional = [COMMANDS[name].clause for name in names if name in RULES]
        others = [clause for clause in optional if clause not in ("gtp", deviation.clause)]
        if others or deviation.clause.startswith("gtp-"):
            return others[-1] if others else deviation.clause
    if "undo" in names or any(map(odd_features, before.lines)):
        return "gtp"
    known = takewhile(lambda wanted: wanted.kind is not Kind.MOVE, before.wanted_answers())
    return "gtp" if any(wanted.kind is Kind.REFUSAL for wanted in known) else deviation.clause
