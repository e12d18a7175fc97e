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

The move is an empty text if the bot may choose among several. A bot without ref-score has two answers.
"""


def _difference(plain: Answers, other: Answers) -> str:
    """Describe the first answer in which two searches differ; empty if there is none."""
    for name, before, after in zip(("genmove", *NUMBERS), plain, other, strict=False):
        if before.upper() != after.upper():
            return f"{name} → {after} instead of {before}"
    return ""


# Lines that an engine refuses.
WRONG_GENMOVES = as_lines("genmove x", "genmove")
WRONG_KOMIS = as_lines("komi abc", "komi", "komi nan", "komi inf", "komi 1e999", "komi 7,5")
WRONG_SIZES = as_lines("boardsize 1000", "boardsize abc", "boardsize 0", "boardsize")


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
class _Place:
    """A position that a bot searches, with the commands of a trial on the way to it.

    before, after   the lines of the set-up before the commands, and those after them
    questions       the lines after a search: ref-nodes and ref-score, if the bot has them
    """

    bot: Bot
    probe: Probe
    before: tuple[bytes, ...]
    after: tuple[bytes, ...]
    questions: tuple[bytes, ...]

    def search(self, commands: Sequence[bytes] = ()) -> Answers:
        """Set up the position, with these commands on the way; return the answers of a search."""
        self.bot.set_up(self.before)
        for line in commands:
            self.bot.ask(line)
        return self.finish()

    def finish(self) -> Answers:
        """Send the rest of the set-up after the commands; return the answers of a search."""
        self.bot.set_up(self.after)
        texts = tuple(_text(self.bot.ask(line)) for line in (self.probe.question(), *self.questions))
        is_forced = len(self.probe.position.candidates(self.probe.to_move)) <= 1
        return texts if is_forced else ("", *texts[1:])


def _search_again(place: _Place, plain: Answers, first: Trial) -> Answers:
    """Return a search that differs from `plain` for another reason than the commands; `plain` if none does.

    first   the trial of all commands, which differs from `plain`
    """
    for _ in range(REPEATS):
        again = place.search()
        if _difference(plain, again):
            return again
    # If the same commands make no difference now, the searches before them made it.
    return plain if _difference(plain, place.search(first.lines)) else first.answers


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
        questions = as_lines(*filter(session.has, NUMBERS))
        return tuple(self._at(self._place(session.bot, probe, questions)) for probe in self.probes)

    def _place(self, bot: Bot, probe: Probe, questions: tuple[bytes, ...]) -> _Place:
        """Return the position of a probe, with its set-up split where the commands come."""
        setup = probe.setup()
        split = NEW_GAME_LINES if self.at_start else len(setup)
        return _Place(bot, probe, setup[:split], setup[split:], questions)

    def _at(self, place: _Place) -> RefusalsAt:
        """Search one position with all lines, then without; if the searches differ, find out why."""
        first = self._try_all(place)
        plain = place.search()
        if not _difference(plain, first.answers):
            return RefusalsAt(place.probe, plain, plain, (first,))
        alone = [(line,) for line in first.lines] if len(first.lines) > 1 else []
        trials = (first, *(Trial(lines, place.search(lines)) for lines in alone))
        return RefusalsAt(place.probe, plain, _search_again(place, plain, first), trials)

    def _try_all(self, place: _Place) -> Trial:
        """Send all lines; return those with the right answer, and the search after these."""
        place.bot.set_up(place.before)
        komi = f"{place.probe.komi:g}".encode("ascii")
        tried = [line.replace(b"{komi}", komi) for line in self.lines]
        answered: list[bytes] = []
        for line in tried:
            if survives(place.bot, line, refused=self.refused):
                answered.append(line)
            else:  # it may have changed something
                place.bot.set_up(place.before)
        answers = place.search(answered) if len(answered) < len(tried) else place.finish()
        return Trial(tuple(answered), answers)

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

    A command that the bot never answers is not sent. After a death or silence the next command starts a new
    process.
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
        """The first answer that differs, as (answer before, answer after) the command; None if none does."""
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
        """Search, ask, and ask again after each command, until an answer differs.

        A command with the other answer is followed by a new search.
        """
        bot = session.bot
        setup = short_search(session.introduction.size)
        questions = as_lines(*filter(session.has, NUMBERS))
        trials: list[NumbersAround] = []
        before: tuple[Exchange, ...] = ()  # the last answers to the questions; empty if a search is needed
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
            # A command that must succeed breaks the clause of ref-nodes or ref-score, which has its name.
            return shown if self.refused else replace(shown, clause=question)
        return passed(expected, ", ".join(map(_text, last.after)))


def _text(exchange: Exchange) -> str:
    return exchange.text.strip() if exchange.ok else answer_text(exchange)
