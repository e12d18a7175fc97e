"""Checks of the game records that an engine prints, or writes to a file.

printsgf prints the record of the game, savesgf FILE writes it, and loadsgf FILE loads one. Each check plays
or loads a known game, reads the record that comes back with our own reader, and judges one `Aspect` of it.
"""

from __future__ import annotations

import atexit
import secrets
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from harness.check.bot.session import Session
from harness.check.bot.wording import exchange_text
from harness.check.model import Ability, Judgement, Outcome, Requirements, failed, passed
from harness.check.procedures.conversation import Conversation, as_lines, new_game
from harness.check.procedures.reliance import SentLine, requirements
from harness.check.stored_records import folder, is_sendable, record_of, record_path, with_records_folder
from harness.commands.record_dialogues import UNREADABLE, UNSENDABLE
from harness.go import (
    Colour,
    IllegalMoveError,
    Move,
    Point,
    Position,
    SgfError,
    SgfGame,
    play_record,
    read_sgf,
)
from harness.gtp import Exchange, VertexError, format_vertex, parse_vertex, printable
from refbot.sgf import SETS_UP_LATE, SgfFileError, read_file

KOMI = 4.5
KOMI_ERROR = 0.005
"""Largest error of a komi in a record; chosen: a record has two decimals or more."""

MOVES = (
    "b C3", "w E5", "b D5", "w G2", "b E6", "w D7", "b F5", "w pass", "b E4", "w H7", "b pass", "w C8",
)  # fmt: skip
"""A game with a capture (E4 takes E5) and a pass of either side."""

UNDO = b"undo\n"

HANDICAP_MOVES = ("w F5", "b F3", "w E6")
"""Moves after two handicap stones on any of the sizes."""


def recorded_game(size: int) -> tuple[bytes, ...]:
    """Return the lines of a game of MOVES."""
    return (*new_game(size), *as_lines(f"komi {KOMI:g}", *(f"play {move}" for move in MOVES)))


def position_of_game(size: int, undone: int = 0) -> Position:
    """Return the position after MOVES, of which the last `undone` were taken back."""
    position = Position(size)
    for colour, vertex in (move.split() for move in MOVES[: len(MOVES) - undone]):
        position.play("b" if colour == "b" else "w", parse_vertex(vertex, size))
    return position


class Aspect(Enum):
    """A requirement on a record. The value is what a report expects."""

    WHOLE = "one answer, without an empty line inside"
    POSITION = "a record in SGF with the size of the board and the stones on it"
    KOMI = "the komi in force"
    MOVES = "the moves that were played"


@dataclass(frozen=True)
class PrintedRecord:
    """The answer to printsgf.

    printed    printsgf and its answer
    after      the next exchange; its noise is the rest of an answer that an empty line has torn
    handicap   the answer to fixed_handicap; None if it was not sent
    undone     number of moves that were taken back
    """

    size: int
    printed: Exchange
    after: Exchange
    handicap: Exchange | None = None
    undone: int = 0

    @property
    def position(self) -> Position | None:
        """The position of the game; None if fixed_handicap answered no points on which it can be played."""
        if self.handicap is None:
            return position_of_game(self.size, self.undone)
        position = Position(self.size)
        try:
            stones = [parse_vertex(word, self.size) for word in self.handicap.text.split()]
            for point in stones:
                position.play("b", point)
            for colour, vertex in (move.split() for move in HANDICAP_MOVES):
                position.play("b" if colour == "b" else "w", parse_vertex(vertex, self.size))
        except (VertexError, IllegalMoveError):
            return None
        return position if stones else None

    @property
    def rest(self) -> str:
        """The rest of a torn answer, for a terminal; empty if it is blank."""
        return printable(self.after.noise).strip() if self.after.noise.strip() else ""

    @property
    def data(self) -> bytes:
        """The bytes of the answer, from its sign on."""
        return self.printed.raw[len(self.printed.noise) :]


@dataclass(frozen=True)
class Printed(Conversation):
    """printsgf after a game with a capture and passes: the record must be that of the game.

    handicap   number of stones of fixed_handicap, before HANDICAP_MOVES; 0: the game is MOVES instead
    undone     number of moves that are taken back at the end of the game MOVES
    """

    aspect: Aspect
    handicap: int = 0
    undone: int = 0

    @property
    def requires(self) -> Requirements:
        """Requirements of the game."""
        if self.handicap:
            needed = requirements(map(SentLine, new_game(9, HANDICAP_MOVES)))
            return replace(needed, optional_commands=("printsgf", "fixed_handicap"))
        lines = (*recorded_game(9), *[UNDO] * self.undone)
        needed = requirements(map(SentLine, lines))
        return replace(needed, optional_commands=("printsgf", *needed.optional_commands))

    def observe(self, session: Session) -> PrintedRecord:
        """Play the game and ask for its record; a known command after it shows a torn answer."""
        bot, size = session.bot, session.introduction.size
        stones = None
        if self.handicap:
            bot.set_up(new_game(size))
            stones = bot.ask(f"fixed_handicap {self.handicap}\n".encode("ascii"))
            if stones.ok:
                bot.set_up(as_lines(*(f"play {move}" for move in HANDICAP_MOVES)))
        else:
            bot.set_up((*recorded_game(size), *[UNDO] * self.undone))
        return PrintedRecord(size, bot.ask(b"printsgf\n"), bot.ask(bot.chaser.line), stones, self.undone)

    def judge(self, observation: PrintedRecord) -> Judgement:
        """Judge one aspect of the record. A bot may refuse to print."""
        if not observation.printed.ok:
            return Judgement(Outcome.SKIP, observed=exchange_text(observation.printed))
        if observation.rest:
            observed = f"an empty line ends the answer before “{observation.rest[:80]}”"
            reported_by = "" if self.aspect is Aspect.WHOLE else Ability.PRINTS_WHOLE_RECORDS
            return Judgement(Outcome.FAIL, Aspect.WHOLE.value, observed, reported_by=reported_by)
        if self.aspect is Aspect.WHOLE:
            return passed(self.aspect.value)
        position = observation.position
        if position is None:
            return Judgement(Outcome.SKIP, observed="fixed_handicap placed no stones that can be read")
        return judge_record(observation.data, self.aspect, position, KOMI)


@dataclass(frozen=True)
class SavedRecord:
    """The result of savesgf.

    saved   the answer; None if the bot was not asked: it is in a sandbox, or the path cannot be sent
    data    the bytes of the file; None if there is no such file on this machine
    """

    size: int
    saved: Exchange | None = None
    data: bytes | None = None


@dataclass(frozen=True)
class Saved(Conversation):
    """savesgf after a game with a capture and passes: the file must be a record of the position."""

    @property
    def requires(self) -> Requirements:
        """Requirements of the game."""
        return replace(requirements(map(SentLine, recorded_game(9))), optional_commands=("savesgf",))

    def observe(self, session: Session) -> SavedRecord:
        """Play the game, let the bot write a temporary file, read it and remove it.

        A bot in a sandbox has temporary files of its own.
        """
        bot, size = session.bot, session.introduction.size
        path = Path(tempfile.gettempdir()) / f"conform-{secrets.token_hex(4)}.sgf"
        if bot.launch.sandbox or not is_sendable(str(path)):
            return SavedRecord(size)
        atexit.register(path.unlink, missing_ok=True)  # a diagnosis repeats the lines later
        bot.set_up(recorded_game(size))
        try:
            saved = bot.ask(f"savesgf {path}\n".encode("ascii"))
            return SavedRecord(size, saved, read_file(path))
        except SgfFileError:
            return SavedRecord(size, saved)
        finally:
            with suppress(OSError):
                path.unlink(missing_ok=True)

    def judge(self, observation: SavedRecord) -> Judgement:
        """Judge the position in the file. A bot that refuses, or writes elsewhere, is not judged."""
        if observation.saved is None:
            return Judgement(
                Outcome.SKIP, observed="the bot is in a sandbox, or no path of a temporary file can be sent"
            )
        if not observation.saved.ok or observation.data is None:
            found = exchange_text(observation.saved)
            return Judgement(Outcome.SKIP, observed=f"{found}: no file on this machine")
        return judge_record(observation.data, Aspect.POSITION, position_of_game(observation.size), KOMI)


@dataclass(frozen=True)
class ReprintedRecord:
    """The answers to loadsgf and to printsgf after it.

    loaded    None if the path cannot be sent
    printed   None if the record was not loaded
    """

    size: int
    loaded: Exchange | None = None
    printed: Exchange | None = None


@dataclass(frozen=True)
class Reprinted(Conversation):
    """printsgf after loadsgf: the record that is printed must be the record that was loaded."""

    record: str
    aspect: Aspect

    requires = Requirements(optional_commands=("loadsgf", "printsgf"))

    def observe(self, session: Session) -> ReprintedRecord:
        """Load the record, and print it."""
        bot, size = session.bot, session.introduction.size
        if not is_sendable(str(folder())):
            return ReprintedRecord(size)
        line = with_records_folder(f"loadsgf {record_path(self.record, size)}\n".encode("ascii"))
        bot.set_up(new_game(size))
        loaded = bot.ask(line)
        return ReprintedRecord(size, loaded, bot.ask(b"printsgf\n") if loaded.ok else None)

    def judge(self, observation: ReprintedRecord) -> Judgement:
        """Judge one aspect of the record."""
        loaded, printed = observation.loaded, observation.printed
        if loaded is None:
            return Judgement(Outcome.SKIP, observed=UNSENDABLE)
        if printed is None or not printed.ok:
            return Judgement(Outcome.SKIP, observed=f"{exchange_text(printed or loaded)}: {UNREADABLE}")
        record = record_of(self.record, observation.size)
        data = printed.raw[len(printed.noise) :]
        return judge_record(data, self.aspect, play_record(record), record.komi or 0.0)


def judge_record(data: bytes, aspect: Aspect, position: Position, komi: float) -> Judgement:
    """Judge one aspect of a record, other than WHOLE, of a game that led to a position.

    A record that sets up stones is not judged by its moves, nor by its komi: that may make up for prisoners.
    """
    try:
        record = read_sgf(data)
        stones = play_record(record).stones()
    except SgfError as error:
        shown = f"{error}; the record: “{printable(data[:80]).strip()} …”"
        if SETS_UP_LATE in str(error):
            return Judgement(Outcome.SKIP, aspect.value, shown)
        reported_by = "" if aspect is Aspect.POSITION else Ability.PRINTS_RECORDS
        return Judgement(Outcome.FAIL, Aspect.POSITION.value, shown, reported_by=reported_by)
    if aspect is Aspect.POSITION:
        return _judge_position(record, stones, position)
    if record.black_stones or record.white_stones:
        return Judgement(Outcome.SKIP, observed="the record sets up the position, without the moves")
    if aspect is Aspect.KOMI:
        return _judge_komi(record, komi)
    expected, observed = _shown(position.moves), _shown([Move(*move) for move in record.moves])
    return passed(expected) if expected == observed else failed(expected, observed)


def _judge_komi(record: SgfGame, komi: float) -> Judgement:
    """Compare the komi of a record with the komi in force."""
    if record.komi is None:
        return Judgement(Outcome.SKIP, observed="the record has no komi (KM)")
    expected, observed = f"KM[{komi:g}]", f"KM[{record.komi:g}]"
    right = abs(record.komi - komi) <= KOMI_ERROR
    return passed(expected, observed) if right else failed(expected, observed)


def _judge_position(record: SgfGame, stones: Mapping[Point, Colour], position: Position) -> Judgement:
    """Compare the board size and the stones of a record with the position of the game."""
    if record.size != position.size:
        return failed(f"SZ[{position.size}]", f"a board of {record.size}x{record.size}")
    right = position.stones()
    if stones == right:
        return passed(Aspect.POSITION.value, f"{len(right)} stones")
    points = sorted(point for point in {*stones, *right} if stones.get(point) != right.get(point))
    wrong = ", ".join(f"{format_vertex(p)} is {_name(stones.get(p))}" for p in points[:4])
    wanted = ", ".join(f"{format_vertex(p)} is {_name(right.get(p))}" for p in points[:4])
    return failed(f"the stones on the board: {wanted}", f"in the record, {wrong}\n{position.draw()}")


def _name(colour: str | None) -> str:
    """The content of a point in words."""
    return {"b": "black", "w": "white", None: "empty"}[colour]


def _shown(moves: list[Move]) -> str:
    """Moves for a report: "b C3 w E5 b pass"."""
    return " ".join(f"{move.colour} {format_vertex(move.point)}" for move in moves)
