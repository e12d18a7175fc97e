"""Checks that commands change nothing, seen without the private commands of the reference bot.

The harness looks at a game through commands that the bot has: queries such as showboard, moves that the bot
refuses (on stones, on the point of a ko), and undo up to the first move. Each answer is a `Sight`. It looks
at the same game once more, after commands that must change nothing. The two looks must be the same. For
example, `play w B1` after a game with a ko is refused; after `play b Z99`, which is refused too, it must
still be refused.

The bot is compared with itself: it may refuse what it wants, and show a board in any form. An answer that
differs between two looks without the commands (a clock, a random number) shows nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from harness.check.bot.errors import BotInterruptedError, CommandRefusedError
from harness.check.bot.session import Session
from harness.check.bot.wording import answer_text, sent_text
from harness.check.model import Ability, Judgement, Outcome, Requirements, failed, passed
from harness.check.procedures.conversation import Conversation, new_game
from harness.check.procedures.refused_commands import survives
from harness.check.procedures.reliance import SentLine, requirements
from harness.commands.kept_games import EVERYWHERE, KO_LOOK, Look, Moves, settled_game
from harness.commands.shown_state import (
    ALL_UNDONE,
    QUERIES,
    Sight,
    name_question,
    queries_of,
    read_words,
)
from harness.gtp import command_name

KOMI = 4.5
"""Komi of the games; chosen: no engine begins with it."""

REPEATS = 4
"""Further looks without the commands where two looks differ. Chosen: five equal answers are no accident."""

AGAIN = 2
"""Further looks with the commands where two looks differ; chosen, as REPEATS."""

UNDO = b"undo\n"
UNDOING = frozenset(
    map(str, (Ability.UNDOES, Ability.UNDOES_SINGLY, Ability.UNDOES_PASSES, Ability.REFUSES_UNDO))
)
"""Checks of undo: a bot that fails one is looked at without undo."""

SCORE = b"final_score\n"
SCORING = frozenset(map(str, (Ability.SCORES, Ability.SCORES_ITS_KOMI)))
"""Checks of final_score, as UNDOING."""

MOST_UNDONE = 24
"""Most successes of undo that are counted; chosen: more than the moves of each game that is undone."""

FEW = 12
"""Largest number of moves that a description lists; chosen: they fit in two lines."""

ENDS = "ends"
"""The value of a sight where the process of the bot ended."""

Seen = tuple[Sight, ...]
"""The answers to the questions of a game, in order. If the bot refuses a move of the game after the commands,
this refusal is the only answer. If its process ends at a question, this answer (ENDS) is the last one."""


@dataclass(frozen=True)
class Game:
    """A game to look at: its moves before the commands and after them, and the questions at its end.

    questions  lines whose answers are compared
    """

    size: int
    before: Moves
    after: Moves
    questions: Moves


@dataclass(frozen=True)
class LookRecord:
    """The looks at one game.

    plains   looks without the commands
    trials   pairs (commands, look after them): first all commands; if this look differs from the plain one,
             then each command alone (unless they belong `together`), and all of them again
    """

    game: Game
    plains: tuple[Seen, ...]
    trials: tuple[tuple[Moves, Seen], ...]

    def changes(self) -> Iterator[tuple[Moves, int, Sight]]:
        """Yield what commands change: (commands, index of the question, answer after the commands).

        A change by one command alone comes before a change by all. An answer that is not stable is left out.
        """
        for lines, seen in sorted(self.trials, key=lambda trial: len(trial[0])):
            for index, plain in enumerate(self.plains[0]):
                other = changed_answer(plain, seen, index)
                if other is not None and self._is_stable(plain, index):
                    yield lines, index, other

    def _is_stable(self, plain: Sight, index: int) -> bool:
        """Return True if each look without the commands has the answer `plain`, and each after all, another.

        False if one of these answers cannot be read.
        """
        same_without = all(seen[index:] and seen[index].value == plain.value for seen in self.plains)
        all_lines = self.trials[0][0]
        after_all = [seen for lines, seen in self.trials if lines == all_lines]
        return same_without and all(changed_answer(plain, seen, index) for seen in after_all)


def changed_answer(plain: Sight, seen: Seen, index: int) -> Sight | None:
    """Return the answer to the question with this index if it differs from `plain`; None if it does not.

    A look that ended early has its last answer in place of the missing ones. Answers that cannot be read (a
    value of None) do not differ.
    """
    other = seen[index] if index < len(seen) else seen[-1]
    is_same = other.line == plain.line and other.value in (plain.value, None)
    return None if is_same or plain.value is None else other


@dataclass(frozen=True)
class KeptState(Conversation):
    """Looks at games, with and without commands on the way that change nothing.

    lines       the commands; `{komi}` stands for the komi of the game, `{size}` for the board size
    looks       the games to look at
    refused     the commands must be refused; otherwise they must succeed. Commands with the other answer are
                left out: other checks report them
    at_start    send the commands at the start of the game, not at its end
    scored      look at the score of a finished game, too
    other_size  use the last board size of those that the bot accepts, not the usual one
    asks        add the queries of the bot to the commands
    together    the commands are one sequence, such as a whole game: all of them are used, or none
    """

    lines: tuple[bytes, ...]
    looks: tuple[Look, ...] = EVERYWHERE
    refused: bool = True
    at_start: bool = False
    scored: bool = False
    other_size: bool = False
    asks: bool = False
    together: bool = False

    @cached_property
    def requires(self) -> Requirements:
        """Requirements of the games, and the optional commands among `lines`."""
        games = [new_game(9) + look.lines(9) for look in self.looks]
        found = requirements(SentLine(line) for game in games for line in game)
        optional = {"undo", "final_score"} & {command_name(line).decode("ascii") for line in self.lines}
        sizes = {Ability.CHANGES_SIZE} if self.other_size else set()
        return replace(
            found,
            optional_commands=tuple(sorted(optional)),
            abilities=found.abilities | sizes,
        )

    def describe(self) -> list[str]:
        """The commands; then for each game its moves on 9x9, and the lines whose answers are compared."""
        sent = ", ".join(sent_text(line) for line in self._filled(9))
        every = " and every query of the bot" * self.asks
        place = "start" if self.at_start else "end"
        found = [f"at the {place} of each game, {'refused' if self.refused else 'obeyed'}: {sent}{every}"]
        for look in self.looks:
            lines = look.lines(9)
            moves = ", ".join(map(sent_text, lines)) if len(lines) <= FEW else f"a game of {len(lines)} moves"
            asked = ", ".join(map(name_question, look.question_lines(9)))
            queries = "every query of the bot, " * look.queries
            found += ["", moves or "an empty board", f"  the same answers as without them: {queries}{asked}"]
        return found + ["", "a finished game", "  the same final_score as without them"] * self.scored

    def _filled(self, size: int) -> Moves:
        """Return the commands for a board size."""
        filled = (line.replace(b"{komi}", b"%g" % KOMI) for line in self.lines)
        return tuple(line.replace(b"{size}", b"%d" % size) for line in filled)

    def observe(self, session: Session) -> tuple[LookRecord, ...]:
        """Look at each game with and without the commands; where the looks differ, look again."""
        size = session.introduction.sizes[-1] if self.other_size else session.introduction.size
        viewer = _Viewer(session, size)
        queries = tuple(viewer.readable(queries_of(session.introduction.commands)))
        lines = self._filled(size) + (queries if self.asks else ())
        games = []
        for look in self.looks:
            questions = (queries if look.queries else ()) + look.question_lines(size)
            games.append(self._game(viewer, look.lines(size), questions))
        if self.scored and viewer.scores:
            games.append(self._game(viewer, settled_game(size), (SCORE,)))
        usable = viewer.usable_singly(games[0], lines, refused=self.refused)
        records = (self._compare(viewer, game, usable) for game in games)
        return tuple(record for record in records if record is not None)

    def _game(self, viewer: _Viewer, moves: Moves, questions: Moves) -> Game:
        """Return the game to look at, without questions about undo for a bot that cannot undo."""
        before, after = ((), moves) if self.at_start else (moves, ())
        askable = (line for line in questions if viewer.undoes or command_name(line) != b"undo")
        return Game(viewer.size, before, after, tuple(askable))

    def _compare(self, viewer: _Viewer, game: Game, lines: Moves) -> LookRecord | None:
        """Look without and with the commands; if the looks differ, look again several times.

        Return None if no command is answered in this game as it must be, or not all that belong `together`.
        """
        plains = [viewer.look(game)]
        usable = viewer.usable_in_a_row(game, lines, refused=self.refused)
        if not usable or (self.together and len(usable) < len(self.lines)):
            return None
        trials = [(usable, viewer.look(game, usable))]
        if any(changed_answer(plain, trials[0][1], index) for index, plain in enumerate(plains[0])):
            if not self.together and len(usable) > 1:
                trials += [((line,), viewer.look(game, (line,))) for line in usable]
            for _ in range(AGAIN):
                plains += [viewer.look(game) for _ in range(REPEATS // AGAIN)]
                trials.append((usable, viewer.look(game, usable)))
        return LookRecord(game, tuple(plains), tuple(trials))

    def judge(self, observation: tuple[LookRecord, ...]) -> Judgement:
        """Fail at the first answer that the commands change."""
        expected = f"the same answers with and without the {'refused ' * self.refused}command"
        if not observation:
            return Judgement(Outcome.SKIP, expected, "none of the commands was answered as it must be")
        for record in observation:
            for lines, index, other in record.changes():
                game = replace(record.game, questions=record.game.questions[: index + 1])
                change = KeptOnce(game, lines, record.plains[0][index], self._named(lines))
                return replace(change.failure(other), reduced=change)
        compared = {sight.line for record in observation for sight in record.plains[0] if sight.value}
        names = sorted({command_name(line).decode("ascii") for line in compared})
        return passed(expected, f"the same answers to {', '.join(names)}")

    def _named(self, lines: Moves) -> str:
        """Return the commands for a report."""
        if self.together:
            return f"{len(lines)} commands, the last of them {sent_text(lines[-1])}"
        return ", ".join(sent_text(line) for line in lines) + " (refused)" * self.refused


@dataclass(frozen=True)
class KeptOnce(Conversation):
    """Looks once at a game after commands that changed one of its answers.

    game      the game; its last question is the one whose answer was changed
    commands  the commands
    plain     the answer without them
    named     the commands for a report
    """

    game: Game
    commands: Moves
    plain: Sight
    named: str

    def observe(self, session: Session) -> Seen:
        """Look at the game after the commands."""
        return _Viewer(session, self.game.size).look(self.game, self.commands)

    def judge(self, observation: Seen) -> Judgement:
        """Fail if the answer is changed again."""
        other = changed_answer(self.plain, observation, len(self.game.questions) - 1)
        return passed(self.plain.shown) if other is None else self.failure(other)

    def failure(self, other: Sight) -> Judgement:
        """Return the judgement of a changed answer."""
        expected = f"the answer without {self.named}: {self.plain.shown}"
        return failed(expected, f"after {self.named}: {other.beside(self.plain)}")


class _Viewer:
    """Begins games on one board size, sends commands, and looks at the bot's answers.

    undoes   the bot has an undo that can be trusted
    scores   the bot has a final_score that can be trusted
    """

    def __init__(self, session: Session, size: int) -> None:
        self.size = size
        self._bot = session.bot
        self.undoes = session.has("undo") and not (self._is_mute(UNDO) or UNDOING & session.missing)
        self.scores = session.has("final_score") and not (self._is_mute(SCORE) or SCORING & session.missing)

    def _is_mute(self, line: bytes) -> bool:
        """Return True if the bot is known never to answer this command."""
        return self._bot.chaser.is_mute(line)

    def _begin(self, moves: Moves) -> None:
        """Begin a game with these moves. Raises the errors of `Bot.set_up`."""
        self._bot.set_up(new_game(self.size))
        self._bot.ask(f"komi {KOMI:g}\n".encode("ascii"))
        self._bot.set_up(moves)

    def readable(self, queries: Sequence[bytes]) -> Iterator[bytes]:
        """Yield the queries whose answer can be read. A query that gets no answer is left out."""
        game = KO_LOOK.lines(self.size)
        if queries:
            self._begin(game)
        for line in (line for line in queries if not self._is_mute(line)):
            try:
                answer = self._bot.ask(line)
            except BotInterruptedError:
                self._begin(game)
                continue
            if answer.ok and QUERIES[line](answer.text, self.size) is not None:
                yield line

    def usable_singly(self, game: Game, lines: Moves, *, refused: bool) -> Moves:
        """Return the commands that the process survives and answers as it must.

        They are tried one after the other; the game begins again after each that is left out.
        """
        found = []
        self._begin(game.before)
        for line in lines:
            if survives(self._bot, line, refused=refused):
                found.append(line)
            else:
                self._begin(game.before)
        return tuple(found)

    def usable_in_a_row(self, game: Game, lines: Moves, *, refused: bool) -> Moves:
        """Return the commands that are answered as they must be when all of them are sent in a row."""
        while lines:
            self._begin(game.before)
            wrong = next((line for line in lines if not self._answers(line, refused=refused)), None)
            if wrong is None:
                break
            lines = tuple(line for line in lines if line != wrong)
        return lines

    def _answers(self, line: bytes, *, refused: bool) -> bool:
        """Return True if a line is answered as it must be: refused, or obeyed if not `refused`."""
        try:
            return self._bot.ask(line).ok is not refused
        except BotInterruptedError:
            return False

    def look(self, game: Game, commands: Moves = ()) -> Seen:
        """Play the game with these commands on the way; return the answers as `Seen` describes them."""
        self._begin(game.before)
        for line in commands:
            self._bot.ask(line)
        try:
            self._bot.set_up(game.after)
        except CommandRefusedError as refusal:
            if not commands:
                raise
            return (Sight(refusal.exchange.sent, answer_text(refusal.exchange).strip(), "?"),)
        seen: list[Sight] = []
        for question in game.questions:
            seen.append(self._ask(question))
            if seen[-1].value == ENDS:
                break
        return tuple(seen)

    def _ask(self, question: bytes) -> Sight:
        """Ask one question. Raises BotInterruptedError for a silence, not for an end."""
        if question == ALL_UNDONE:
            return self._undo_all()
        try:
            answer = self._bot.ask(question)
        except BotInterruptedError as interruption:
            if interruption.exchange.ending != "eof":
                raise
            return Sight(question, "the process ends", ENDS)
        shown = answer_text(answer).strip()
        read = QUERIES.get(question, read_words if question == SCORE else None)
        if read is None:
            return Sight(question, shown, "=" if answer.ok else "?")
        return Sight(question, shown, read(answer.text, self.size) if answer.ok else None)

    def _undo_all(self) -> Sight:
        """Send undo until it fails or the process ends; the answer is the number of successes.

        It is at most MOST_UNDONE.
        """
        count = 0
        while count < MOST_UNDONE and self._ask(UNDO).value == "=":
            count += 1
        return Sight(ALL_UNDONE, f"{count} successes", str(count))
