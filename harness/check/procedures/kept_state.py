"""Checks that commands change nothing, seen without the private commands of the reference bot.

The harness looks at a game through commands that the bot has: queries such as showboard, moves that the bot
refuses (on stones, on the point of a ko), and undo up to the first move. It looks at the same game once more,
after commands that must change nothing. The two looks must be the same. The bot is compared with itself: it
may refuse what it wants, and show a board in any form. An answer that differs between two looks without the
commands (a clock, a random number) shows nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from harness.check.bot.bot import Bot
from harness.check.bot.errors import BotInterruptedError, CommandRefusedError
from harness.check.bot.session import Session
from harness.check.bot.wording import answer_text, sent_text
from harness.check.model import Ability, Judgement, Outcome, Requirements, failed, passed
from harness.check.positions import settled_board
from harness.check.procedures.conversation import Conversation
from harness.check.procedures.probe import Probe
from harness.check.procedures.refused_commands import survives
from harness.check.procedures.reliance import SentLine, requirements
from harness.check.procedures.shown_state import ALL_UNDONE, QUERIES, Sight, queries_of, read_words
from harness.gtp import command_name

KOMI = 4.5
"""Komi of the games; chosen: no engine begins with it."""

REPEATS = 4
"""Further looks without the commands where two looks differ. Chosen: five equal answers are no accident."""

AGAIN = 2
"""Further looks with the commands where two looks differ; chosen, as REPEATS."""

UNDO = b"undo\n"
MOST_UNDONE = 24
"""Most successes of undo that are counted; chosen: more than the moves of each game that is undone."""

ENDS = "ends"
"""The value of a sight where the process of the bot ended."""

Moves = tuple[bytes, ...]


@dataclass(frozen=True)
class Look:
    """One look at a game.

    moves      the game; `{size}` stands for the board size, and `{near}` for the size less one
    questions  lines whose answers are compared, in order; those of undo only if the bot has it
    queries    ask every query of the bot first
    """

    moves: tuple[str, ...]
    questions: tuple[str, ...]
    queries: bool = False

    def lines(self, size: int) -> tuple[bytes, ...]:
        """Return the moves of the game as lines."""
        return tuple(_line(f"play {move}", size) for move in self.moves)

    def asked(self, size: int) -> tuple[bytes, ...]:
        """Return the questions as lines."""
        return tuple(_line(question, size) for question in self.questions)


def _line(text: str, size: int) -> bytes:
    past, far = size + 1, "ABCDEFGHJKLMNOPQRSTUVWXYZ"[size - 1]
    filled = text.format(size=size, near=size - 1, past=past, far=far)
    return f"{filled}\n".encode("ascii")


GAME = ("b A{near}", "w E5", "b B{size}", "w D4", "b B2", "w A2", "b C1", "w B1", "b A1")
"""Black has just taken the stone on B1, and White may not take it back. The corner above is suicide for
White.
"""

KO_LOOK = Look(GAME, ("play w B1", "undo", "play b A1"))
"""The ko is in force: the last move is Black's A1, and undo takes it back."""

BOARD_LOOK = Look(
    GAME, ("play w B2", "play b A2", "play b {far}{past}", "play w {far}{size}", "undo all"), True
)
"""The stones, the size, and the number of moves."""

HISTORY_LOOK = Look((*GAME, "w pass", "b pass"), ("play w B1",))
"""Superko forbids B1, also after two passes."""

NEW_LOOK = Look((), ("undo all", "play w B1"), True)
"""The beginning of a game: nothing to undo, and no ko."""

AGAIN_LOOK = Look((), (*(f"play {move}" for move in GAME), "play w B1"))
"""A game from its beginning: no move repeats a board of an earlier game."""

EVERYWHERE = (KO_LOOK, BOARD_LOOK, HISTORY_LOOK)


def settled_game(size: int, turn: int = 0) -> Moves:
    """Return the moves of a finished game, under a symmetry of the board, with a pass of each side."""
    finished = Probe("kept-settled", settled_board(size), "b", tail=(("b", "pass"), ("w", "pass")))
    return _moves(finished.turned(turn))


def nearly_settled_game(size: int) -> Moves:
    """Return the moves of a game with a file of neutral points left, Black to move."""
    return _moves(Probe("kept-neutral", settled_board(size, neutral_file=True), "b"))


def _moves(probe: Probe) -> Moves:
    return tuple(f"play {colour} {vertex}\n".encode("ascii") for colour, vertex in probe.moves)


Seen = tuple[Sight, ...]
"""The answers of one look, in order. After a refused move of the game, that refusal alone."""


@dataclass(frozen=True)
class LookRecord:
    """The looks at one game.

    plains   looks without the commands
    trials   commands, and the look after them: all commands first; if that look differs, then each alone,
             then all again
    """

    plains: tuple[Seen, ...]
    trials: tuple[tuple[tuple[bytes, ...], Seen], ...]

    def changes(self) -> Iterator[tuple[tuple[bytes, ...], Sight, Sight]]:
        """Return what the commands change: commands, the answer without them, and that after them.

        A change by one command alone comes before a change by all.
        """
        for lines, seen in sorted(self.trials, key=lambda trial: len(trial[0])):
            for place, plain in enumerate(self.plains[0]):
                other = _changed(plain, seen, place)
                if other is not None and self._is_stable(plain, place):
                    yield lines, plain, other

    def _is_stable(self, plain: Sight, place: int) -> bool:
        """Return whether every look without the commands has this answer, and none after all of them has."""
        alike = all(seen[place:] and seen[place].value == plain.value for seen in self.plains)
        every = self.trials[0][0]
        return alike and all(_changed(plain, seen, place) for lines, seen in self.trials if lines == every)


def _changed(plain: Sight, seen: Seen, place: int) -> Sight | None:
    """Return the answer at this place if it differs from `plain`; None if it does not."""
    other = seen[place] if place < len(seen) else seen[-1]
    if other.line == plain.line and other.value in (plain.value, None):
        return None
    return other if plain.value is not None else None


@dataclass(frozen=True)
class KeptState(Conversation):
    """Looks at games, with and without commands on the way that change nothing.

    lines       the commands; `{komi}` stands for the komi of the game, `{size}` for the board size
    looks       the games
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
        """Requirements of the games. Of the commands, only an optional one adds one."""
        games = [_new_game(9) + look.lines(9) for look in self.looks]
        found = requirements(SentLine(line) for game in games for line in game)
        optional = {"undo", "final_score"} & {command_name(line).decode("ascii") for line in self.lines}
        sizes = {Ability.CHANGES_SIZE} if self.other_size else set()
        return replace(
            found,
            optional_commands=tuple(sorted(optional)),
            abilities=(found.abilities | sizes) - {Ability.SETS_KOMI},
        )

    def observe(self, session: Session) -> tuple[LookRecord, ...]:
        """Look at each game with and without the commands; where the looks differ, look again."""
        size = session.introduction.sizes[-1] if self.other_size else session.introduction.size
        eye = _Eye(session.bot, session.introduction.commands, size)
        lines = tuple(
            line.replace(b"{komi}", b"%g" % KOMI).replace(b"{size}", b"%d" % size) for line in self.lines
        )
        lines += eye.queries if self.asks else ()
        games = [self._game(eye, look.lines(size), look.asked(size), look.queries) for look in self.looks]
        if self.scored and session.has("final_score"):
            games.append(self._game(eye, settled_game(size), (b"final_score\n",)))
        usable = games[0].usable(lines, refused=self.refused)
        if not usable or (self.together and usable != lines):
            return ()
        records = (game.compare(usable, refused=self.refused, together=self.together) for game in games)
        return tuple(record for record in records if record is not None)

    def _game(self, eye: _Eye, moves: Moves, questions: Moves, queries: bool = False) -> _Game:
        before, after = ((), moves) if self.at_start else (moves, ())
        return _Game(eye, before, after, (*(eye.queries if queries else ()), *questions))

    def judge(self, observation: tuple[LookRecord, ...]) -> Judgement:
        """Fail at the first answer that the commands change."""
        kind = "refused command" if self.refused else "command"
        expected = f"the same answers with and without the {kind}"
        if not observation:
            return Judgement(Outcome.SKIP, expected, "none of the commands was answered as it must be")
        for lines, plain, other in (change for record in observation for change in record.changes()):
            return failed(expected, f"after {self._named(lines)}: {other.beside(plain)}")
        compared = {sight.line for record in observation for sight in record.plains[0] if sight.value}
        names = sorted({command_name(line).decode("ascii") for line in compared})
        return passed(expected, f"the same answers to {', '.join(names)}")

    def _named(self, lines: Moves) -> str:
        """Return the commands for a report."""
        if self.together:
            return f"{len(lines)} commands, the last of them {sent_text(lines[-1])}"
        return ", ".join(sent_text(line) for line in lines) + " (refused)" * self.refused


def _new_game(size: int) -> tuple[bytes, ...]:
    return (f"boardsize {size}\n".encode("ascii"), b"clear_board\n")


class _Eye:
    """A bot as this procedure looks at it: its queries and its board size."""

    def __init__(self, bot: Bot, commands: Iterable[str], size: int) -> None:
        self.bot = bot
        self.size = size
        self.undoes = "undo" in commands
        self.queries = tuple(self._readable(queries_of(commands)))

    def new_game(self, moves: Moves) -> None:
        """Begin a game with these moves. Raises the errors of `Bot.set_up`."""
        self.bot.set_up(_new_game(self.size))
        self.bot.ask(f"komi {KOMI:g}\n".encode("ascii"))
        self.bot.set_up(moves)

    def _readable(self, queries: Sequence[bytes]) -> Iterator[bytes]:
        """Return the queries whose answer can be read. One that ends the bot is left out."""
        game = KO_LOOK.lines(self.size)
        if queries:
            self.new_game(game)
        for line in queries:
            try:
                answer = self.bot.ask(line)
            except BotInterruptedError:
                self.new_game(game)
                continue
            if answer.ok and QUERIES[line](answer.text, self.size) is not None:
                yield line

    def answers(self, line: bytes, *, refused: bool) -> bool:
        """Return whether a line is refused, or obeyed if not `refused`; False if the process ends."""
        try:
            return self.bot.ask(line).ok is not refused
        except BotInterruptedError:
            return False

    def ask(self, question: bytes) -> Sight:
        """Ask one question. Raises BotInterruptedError for a silence, not for an end."""
        if question == ALL_UNDONE:
            return self._undo_all()
        try:
            answer = self.bot.ask(question)
        except BotInterruptedError as interruption:
            if interruption.exchange.ending != "eof":
                raise
            return Sight(question, "the process ends", ENDS)
        shown = answer_text(answer).strip()
        read = QUERIES.get(question, read_words if question == b"final_score\n" else None)
        if read is None:
            return Sight(question, shown, "=" if answer.ok else "?")
        return Sight(question, shown, read(answer.text, self.size) if answer.ok else None)

    def _undo_all(self) -> Sight:
        count = 0
        while count < MOST_UNDONE and self.ask(UNDO).value == "=":
            count += 1
        return Sight(ALL_UNDONE, f"{count} successes", str(count))


class _Game:
    """A game to look at: the moves before the commands, those after them, and the questions."""

    def __init__(self, eye: _Eye, before: Moves, after: Moves, questions: Moves) -> None:
        self._eye = eye
        self._before, self._after = before, after
        self._questions = [line for line in questions if eye.undoes or command_name(line) != b"undo"]

    def usable(self, lines: Sequence[bytes], *, refused: bool) -> tuple[bytes, ...]:
        """Return the commands that are answered as they must be."""
        bot, found = self._eye.bot, []
        self._eye.new_game(self._before)
        for line in lines:
            if survives(bot, line, refused=refused):
                found.append(line)
            else:
                self._eye.new_game(self._before)
        return tuple(found)

    def compare(self, lines: Moves, *, refused: bool, together: bool) -> LookRecord | None:
        """Look without and with the commands; if the looks differ, look again several times.

        Return None if no command is answered in this game as it must be.
        """
        plains = [self._look()]
        usable = self._answered(lines, refused=refused)
        if not usable or (together and usable != lines):
            return None
        lines = usable
        trials = [(lines, self._look(lines))]
        if any(_changed(plain, trials[0][1], place) for place, plain in enumerate(plains[0])):
            if not together and len(lines) > 1:
                trials += [((line,), self._look((line,))) for line in lines]
            for _ in range(AGAIN):
                plains += [self._look() for _ in range(REPEATS // AGAIN)]
                trials.append((lines, self._look(lines)))
        return LookRecord(tuple(plains), tuple(trials))

    def _answered(self, lines: Moves, *, refused: bool) -> Moves:
        """Return the commands that are answered as they must be in this game, one after the other."""
        while lines:
            self._eye.new_game(self._before)
            wrong = next((line for line in lines if not self._eye.answers(line, refused=refused)), None)
            if wrong is None:
                break
            lines = tuple(line for line in lines if line != wrong)
        return lines

    def _look(self, lines: Sequence[bytes] = ()) -> Seen:
        """Play the game with these commands on the way; return the answers to the questions."""
        eye = self._eye
        eye.new_game(self._before)
        for line in lines:
            eye.bot.ask(line)
        try:
            eye.bot.set_up(self._after)
        except CommandRefusedError as refusal:
            if not lines:
                raise
            return (Sight(refusal.exchange.sent, answer_text(refusal.exchange).strip(), "?"),)
        seen: list[Sight] = []
        for question in self._questions:
            seen.append(eye.ask(question))
            if seen[-1].value == ENDS:
                break
        return tuple(seen)
