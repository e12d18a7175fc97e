"""Checks that refused commands, and commands that only ask, change nothing in a bot.

The bot searches a position in which every playout has the same length and the same result. It then gets the
same position again, with such commands on the way, and searches again. A command that changed anything
(stones, ko, history, number of moves, komi, size) changes `ref-nodes`, `ref-score` or the move. The values
themselves may be wrong: only differences count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import NamedTuple

from harness.check.bot.bot import Bot
from harness.check.bot.errors import BotInterruptedError
from harness.check.bot.session import Session
from harness.check.bot.wording import answer_text, sent_text
from harness.check.model import Ability, Judgement, Outcome, Requirements, failed, passed
from harness.check.procedures.conversation import Conversation, as_lines
from harness.check.procedures.late_probes import short_search
from harness.check.procedures.probe import Probe
from harness.check.procedures.reliance import SentLine, requirements
from harness.gtp import Exchange

NUMBERS = ("ref-nodes", "ref-score")
NEW_GAME_LINES = 2
"""Number of lines of a set-up that begin the game: boardsize and clear_board."""

REPEATS = 5
"""Searches without the commands, to see whether they differ by themselves; chosen: each costs time."""


Answers = tuple[str, ...]
"""The answers to genmove, ref-nodes and ref-score, as they are printed: ("E9", "3000", "1.000").

The move is an empty text if the bot may choose among several.
"""


def _difference(plain: Answers, other: Answers) -> str:
    """Describe the first answer in which two searches differ; empty if there is none."""
    for name, mine, theirs in zip(("genmove", *NUMBERS), plain, other, strict=False):
        if mine.upper() != theirs.upper():
            return f"{name} → {theirs} instead of {mine}"
    return ""


WRONG_GENMOVES = as_lines("genmove x", "genmove")
WRONG_KOMIS = as_lines("komi abc", "komi", "komi nan", "komi inf", "komi 1e999", "komi 7,5")
WRONG_SIZES = as_lines("boardsize 1000", "boardsize abc", "boardsize 0", "boardsize")
"""Lines that an engine refuses."""


class Trial(NamedTuple):
    """Commands that were answered as they must be, and the search after them."""

    lines: tuple[bytes, ...]
    answers: Answers


@dataclass(frozen=True)
class RefusalsAt:
    """The searches of one position.

    plain      the search without the commands
    trials     all commands first; if the search after them differs from `plain`, then each command alone
    repeated   a search that differs from `plain` for another reason than the commands; `plain` if none did
    """

    probe: Probe
    plain: Answers
    repeated: Answers
    trials: tuple[Trial, ...]


@dataclass(frozen=True)
class NothingChanged(Conversation):
    """Searches of one position, with and without commands before them that change nothing.

    lines     the commands; `{komi}` stands for the komi of the position
    probes    positions in which all playouts are alike
    at_start  send the lines at the start of the game, not at its end
    refused   the commands must be refused; otherwise they must succeed. Commands with the other answer are
              left out: other checks report them
    """

    lines: tuple[bytes, ...]
    probes: tuple[Probe, ...]
    at_start: bool = False
    refused: bool = True

    @cached_property
    def requires(self) -> Requirements:
        """Requirements of the set-ups and the private commands. Of `lines`, only `undo` adds one."""
        optional = tuple({line.split()[0].decode("ascii") for line in self.lines} & {"undo"})
        needed = Requirements(
            optional_commands=optional,
            board_size=self.probes[0].size,
            abilities=frozenset({Ability.SEARCHES_AGAIN, Ability.CLEARS_THE_BOARD}),
        )
        for probe in self.probes:
            needed = needed.with_those_of(_needs_of_search(probe))
        return needed

    def observe(self, session: Session) -> tuple[RefusalsAt, ...]:
        """Search each position after all commands, and without them.

        If the two searches differ, search after each command alone, and again without any: searches of the
        bot may differ by themselves.
        """
        commands = [name for name in NUMBERS if session.has(name)]
        return tuple(self._at(session.bot, probe, commands) for probe in self.probes)

    def _at(self, bot: Bot, probe: Probe, commands: Sequence[str]) -> RefusalsAt:
        """Search one position with all lines, then without; if the searches differ, find out why."""
        lines, first = self._try_all(bot, probe, commands)
        trials = [Trial(lines, first)]
        plain = repeated = self._search(bot, probe, (), commands)
        if _difference(plain, first):
            if len(lines) > 1:
                trials += [Trial((line,), self._search(bot, probe, (line,), commands)) for line in lines]
            once_more = (self._search(bot, probe, (), commands) for _ in range(REPEATS))
            repeated = next((found for found in once_more if _difference(plain, found)), plain)
            if repeated is plain and not _difference(plain, self._search(bot, probe, lines, commands)):
                repeated = first  # earlier searches made the difference, not the lines
        return RefusalsAt(probe, plain, repeated, tuple(trials))

    def _try_all(self, bot: Bot, probe: Probe, commands: Sequence[str]) -> tuple[tuple[bytes, ...], Answers]:
        """Send all lines; return those with the right answer, and the answers of a search after these."""
        before, after = self._parts(probe)
        bot.set_up(before)
        komi = f"{probe.komi:g}".encode("ascii")
        tried = [line.replace(b"{komi}", komi) for line in self.lines]
        answered: list[bytes] = []
        for line in tried:
            if survives(bot, line, refused=self.refused):
                answered.append(line)
            else:
                bot.set_up(before)
        if len(answered) < len(tried):
            return tuple(answered), self._search(bot, probe, answered, commands)
        bot.set_up(after)
        return tuple(answered), self._answers(bot, probe, commands)

    def _search(self, bot: Bot, probe: Probe, lines: Sequence[bytes], commands: Sequence[str]) -> Answers:
        """Set up the position, with these lines on the way; return the answers of a search."""
        before, after = self._parts(probe)
        bot.set_up(before)
        for line in lines:
            bot.ask(line)
        bot.set_up(after)
        return self._answers(bot, probe, commands)

    def _parts(self, probe: Probe) -> tuple[Sequence[bytes], Sequence[bytes]]:
        """Return the lines of the set-up before the commands, and those after them."""
        setup = probe.setup()
        place = NEW_GAME_LINES if self.at_start else len(setup)
        return setup[:place], setup[place:]

    def _answers(self, bot: Bot, probe: Probe, commands: Sequence[str]) -> Answers:
        """Search the position that is on the board."""
        answers = [bot.ask(probe.question()), *map(bot.ask, as_lines(*commands))]
        texts = tuple(map(_text, answers))
        forced = len(probe.position.candidates(probe.to_move)) <= 1
        return texts if forced else ("", *texts[1:])

    def judge(self, observation: tuple[RefusalsAt, ...]) -> Judgement:
        """Fail at the first difference. A position is left out if its searches differ by themselves."""
        kind = "refused command" if self.refused else "command"
        expected = f"the same search with and without the {kind}"
        judged = 0
        for place in observation:
            if _difference(place.plain, place.repeated) or not place.trials[0].lines:
                continue
            judged += 1
            for lines, answers in reversed(place.trials):
                difference = _difference(place.plain, answers)
                if difference:
                    sent = ", ".join(sent_text(line) for line in lines)
                    board = place.probe.position.draw()
                    after = f"after {sent} (refused)" if self.refused else f"after {sent}"
                    return failed(expected, f"{after}: {difference}\n{board}")
        if not judged:
            why = "searches of one position differ by themselves, or no command was answered as it must be"
            return Judgement(Outcome.SKIP, expected, why)
        return passed(expected, f"the same search in {judged} positions")


@cache
def _needs_of_search(probe: Probe) -> Requirements:
    """Return the requirements of the set-up, the search and the numbers after it."""
    lines = (*probe.setup(), probe.question(), b"ref-nodes\n")
    return requirements(SentLine(line) for line in lines)


def survives(bot: Bot, line: bytes, *, refused: bool = True) -> bool:
    """Send a line; return whether it is refused (obeyed, if not `refused`) and the bot answers the next one.

    After a death or silence the next command starts a new process.
    """
    if bot.chaser.is_mute(line):
        return False
    try:
        answer = bot.ask_chased(line) if refused else bot.ask(line)
        return answer.ok is not refused and bot.ask(bot.chaser.line).answer is not None
    except BotInterruptedError:
        return False


@dataclass(frozen=True)
class NumbersAround:
    """The answers to the private commands before and after one other command."""

    line: bytes
    before: tuple[Exchange, ...]
    after: tuple[Exchange, ...]

    @property
    def changed(self) -> tuple[Exchange, Exchange] | None:
        """The first answer that differs, as (answer before, answer after) the commands; None if none does."""
        pairs = zip(self.before, self.after, strict=True)
        return next((pair for pair in pairs if _text(pair[0]) != _text(pair[1])), None)


@dataclass(frozen=True)
class NumbersKept(Conversation):
    """ref-nodes and ref-score before and after other commands.

    lines     commands that change nothing about the last search
    refused   they must be refused; otherwise they must succeed. Commands with the other answer are left out:
              other checks report them
    """

    lines: tuple[bytes, ...]
    refused: bool = True

    @property
    def requires(self) -> Requirements:
        """Requirements of the search, and of the commands after it that must succeed."""
        more = () if self.refused else self.lines
        return requirements(SentLine(line) for line in (*short_search(9), b"ref-nodes\n", *more))

    def observe(self, session: Session) -> tuple[NumbersAround, ...]:
        """Search, ask, and ask again after each command."""
        bot = session.bot
        setup = short_search(session.introduction.size)
        questions = as_lines(*filter(session.has, NUMBERS))
        trials: list[NumbersAround] = []
        before: tuple[Exchange, ...] = ()
        for line in self.lines:
            if not before:
                bot.set_up(setup)
                before = tuple(bot.ask(question) for question in questions)
            if not (survives(bot, line) if self.refused else bot.ask(line).ok):
                before = ()  # a command that did something else may have changed the numbers
                continue
            trials.append(NumbersAround(line, before, tuple(bot.ask(question) for question in questions)))
            if trials[-1].changed:
                break
        return tuple(trials)

    def judge(self, observation: tuple[NumbersAround, ...]) -> Judgement:
        """The numbers before and after each command must be the same."""
        expected = "the numbers of the last search"
        if not observation:
            why = f"none of the commands was {'refused' if self.refused else 'accepted'}"
            return Judgement(Outcome.SKIP, expected, why)
        last = observation[-1]
        if last.changed:
            before, after = last.changed
            question, line = sent_text(after.sent), sent_text(last.line)
            note = " (refused)" if self.refused else ""
            observed = f"{question} → {_text(before)}; after {line}{note}: {question} → {_text(after)}"
            shown = failed(expected, observed)
            return shown if self.refused else replace(shown, clause=question)  # named after the command
        return passed(expected, ", ".join(map(_text, last.after)))


def _text(exchange: Exchange) -> str:
    return exchange.text.strip() if exchange.ok else answer_text(exchange)
