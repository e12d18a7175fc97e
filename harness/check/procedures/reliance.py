"""The abilities that a line of a dialogue needs of a bot, and the check that reports an unexpected answer.

An `Ability` is something that a bot must be able to do before other checks can use it. One check judges it,
and its value is the id of this check. The line and the lines before it show which abilities it needs, so a
check need not state its prerequisites. An example, after `boardsize 9` and `clear_board` (each line also
needs WELL_FORMED_ANSWERS, and each move FORGETS_GAMES); the first ability is the owner of the line:

    play b E5          PLAYS
    play b E4          PLAYS_EITHER_COLOUR, PLACES_BOTH_COLOURS (Black moves twice in a row)
    7 undo             UNDOES, UNDOES_SINGLY, ECHOES_IDS
    play w E5    -> ?  REFUSES_MOVES

So if the bot refuses `play b E4`, the check of PLAYS_EITHER_COLOUR, `gtp.play.either-colour`, reports it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from harness.check.model import COMMAND_ABILITIES, Ability, Requirements
from harness.check.procedures.dialogue_game import DialogueGame
from harness.gtp import MAX_ID, VertexError, parse_vertex

HANDICAPS = frozenset({"fixed_handicap", "place_free_handicap", "set_free_handicap"})
"""Commands that place the stones of a handicap; then White is to move."""

CLOCKS = frozenset({"time_settings", "time_left", "kgs-time_settings"})
OPTIONAL = frozenset({"undo", "final_score", "reg_genmove", "showboard"}) | HANDICAPS | CLOCKS
"""Commands that GTP does not require. The dialogues that use one are skipped for a bot without it."""

USUAL_KOMI = 20.0
"""Largest komi, in points, that every bot accepts; a larger one needs SETS_ANY_KOMI.

Chosen: no game between equals has a larger one.
"""

CAPTURE_ABILITIES = (
    Ability.RETAKES_KO,
    Ability.CAPTURES_BEFORE_SUICIDE,
    Ability.CAPTURES_SEVERAL_CHAINS,
    Ability.CAPTURES_CHAINS,
    Ability.CAPTURES,
)
"""Abilities that captures need, the most special first. The first that a move needs is its owner."""

REMEMBERED = 1 << 12
"""Number of lines in each cache; chosen: a position takes up to a few hundred lines of set-up."""

_REFUSALS = {
    "boardsize": Ability.REFUSES_SIZES,
    "komi": Ability.REFUSES_KOMI,
    "undo": Ability.REFUSES_UNDO,
}
_SUCCESSES = {
    "boardsize": Ability.ACCEPTS_ITS_SIZE,
    "clear_board": Ability.CLEARS_THE_BOARD,
    "komi": Ability.SETS_KOMI,
    "known_command": Ability.KNOWS_ITS_COMMANDS,
    "genmove": Ability.GENERATES_MOVES,
    "undo": Ability.UNDOES,
    "fixed_handicap": Ability.PLACES_FIXED_HANDICAPS,
    "set_free_handicap": Ability.SETS_HANDICAPS,
    "time_settings": Ability.SETS_CLOCKS,
    "time_left": Ability.TAKES_TIME_LEFT,
    **COMMAND_ABILITIES,
}
_ARGUMENTS = {
    "boardsize": 1, "komi": 1, "play": 2, "genmove": 1, "reg_genmove": 1, "fixed_handicap": 1,
    "place_free_handicap": 1, "time_settings": 3, "time_left": 3, "kgs-time_settings": 1,
}  # fmt: skip
"""Fewest arguments of a command."""
_CONTROLS = bytes(code for code in (*range(32), 127) if code not in b"\t\n")
"""Characters that a bot drops from a line."""
_COLOURS = {"b": "b", "black": "b", "w": "w", "white": "w"}
_KNOWN = frozenset(
    {"protocol_version", "name", "version", "known_command", "list_commands", "quit", "boardsize"}
    | {"clear_board", "komi", "play", "genmove"}
    | OPTIONAL
    | set(COMMAND_ABILITIES)
)
"""Commands that a bot may have. If a dialogue expects the refusal of another one, the command is unknown."""


class SentLine(NamedTuple):
    """Bytes to send at once, mostly one command, with the sign of the expected answer to each command.

    signs   `=`, `?` or `*` (either); a command without a sign must succeed
    """

    send: bytes
    signs: tuple[str, ...] = ("=",)


class Reliance(NamedTuple):
    """Requirements of one line.

    owner               the ability whose check reports an unexpected answer to the line; None if none does
    abilities           all abilities that the line needs, with the owner
    commands            those of its commands that are in COMMAND_ABILITIES
    optional_commands   those of its commands that are in OPTIONAL
    """

    owner: Ability | None = None
    abilities: frozenset[Ability] = frozenset()
    commands: tuple[str, ...] = ()
    optional_commands: tuple[str, ...] = ()


class _Move(NamedTuple):
    """A move of the game, as far as the lines show it: they do not give the vertex of a genmove."""

    is_pass: bool  # False for every genmove
    is_generated: bool


class LineReader:
    """Reads the lines of one dialogue in order, since a line may need abilities because of earlier lines."""

    def __init__(self, size: int = 9) -> None:
        self._size = size
        self._to_move = "b"
        self._moves: list[_Move] = []
        self._stone_undone = False  # a stone of this game was taken back
        self._game = DialogueGame(size)  # with the moves of `play` alone

    def read(self, line: SentLine) -> Reliance:
        """Return the requirements of the line. If it has several commands, the last gives the owner."""
        wire = _wire_abilities(line)
        signs = iter(line.signs)
        owner, abilities = None, set(wire)
        commands: list[str] = []
        for text in _commands(line.send):
            words = text.split()
            if words[0].isdigit() and int(words[0]) <= MAX_ID:
                words = words[1:]
            sign = next(signs, "=")
            if words:
                owner, more = self._read_command(words, sign)
                abilities |= more
                commands.append(words[0])
        return Reliance(
            owner,
            frozenset(abilities),
            tuple(name for name in commands if name in COMMAND_ABILITIES),
            tuple(name for name in commands if name in OPTIONAL),
        )

    def _read_command(self, words: list[str], sign: str) -> tuple[Ability | None, set[Ability]]:
        """Return the owner of a command and its abilities; none for the sign `*`.

        A command that is to succeed changes the state of this reader.
        """
        if sign == "=":
            return self._read_success(words)
        owner = self._refusal_owner(words) if sign == "?" else None
        abilities = {owner} if owner is not None else set()
        if owner is Ability.REFUSES_MOVES and self._game.is_suicide(words[1], words[2]):
            # Only with the stones of both colours on its board can the bot see the suicide.
            abilities.add(Ability.PLACES_BOTH_COLOURS)
        return owner, abilities

    def _read_success(self, words: list[str]) -> tuple[Ability | None, set[Ability]]:
        """Do what `_read_command` does, for a command that is to succeed."""
        owner = self._success_owner(words)
        in_game = self._game_abilities(words)
        self._advance(words)
        abilities = in_game if owner is None else in_game | {owner}
        captures = [ability for ability in CAPTURE_ABILITIES if ability in in_game]
        return (captures[0] if captures else owner), abilities

    def _success_owner(self, words: list[str]) -> Ability | None:
        """Return the owner of a command that is to succeed, if it captures nothing; None without one."""
        name = words[0]
        last_two = [move.is_pass for move in self._moves[-2:]]
        if name == "genmove" and last_two == [True, True]:
            return Ability.GENERATES_AFTER_PASSES
        if name == "play" and len(words) > 2:
            if words[2].lower() == "pass":
                return Ability.PASSES
            return Ability.PLAYS if self._is_in_turn(words) else Ability.PLAYS_EITHER_COLOUR
        if name == "komi" and len(words) > 1 and _is_unusual(words[1]):
            return Ability.SETS_ANY_KOMI
        if name == "undo" and last_two[-1:] == [True]:
            return Ability.UNDOES_PASSES
        return _SUCCESSES.get(name)

    def _game_abilities(self, words: list[str]) -> set[Ability]:
        """Return the abilities that a successful command needs because of the game; play a `play` there."""
        name = words[0]
        if name == "play":
            return self._play_abilities(words)
        if name == "genmove":
            return self._genmove_abilities(words)
        if name == "undo":
            return self._undo_abilities()
        return {Ability.FORGETS_HANDICAPS} if name in HANDICAPS else set()

    def _play_abilities(self, words: list[str]) -> set[Ability]:
        abilities = {Ability.FORGETS_GAMES}
        if not self._is_in_turn(words):
            abilities |= {Ability.PLAYS_EITHER_COLOUR, Ability.PLACES_BOTH_COLOURS}
        if len(words) > 2:
            abilities |= self._game.play(words[1], words[2])
        # A bot that does not leave out the letter I names the columns from J on wrongly.
        if words[-1].lower() != "pass" and words[-1][:1].upper() > "H":
            abilities.add(Ability.NAMES_COLUMNS)
        return abilities

    def _genmove_abilities(self, words: list[str]) -> set[Ability]:
        # An earlier dialogue may have searched in this process.
        abilities = {Ability.FORGETS_GAMES, Ability.SEARCHES_AGAIN}
        if len(words[-1]) > 1:
            abilities.add(Ability.READS_COLOUR_NAMES)
        if not self._is_in_turn(words):
            abilities.add(Ability.GENERATES_EITHER_COLOUR)
        if self._stone_undone:
            abilities.add(Ability.SCORES_AFTER_UNDO)
        return abilities

    def _undo_abilities(self) -> set[Ability]:
        abilities = {Ability.UNDOES}
        if len(self._moves) > 1:
            abilities.add(Ability.UNDOES_SINGLY)
        if self._moves and self._moves[-1].is_generated:
            abilities.add(Ability.PLAYS_ITS_MOVES)
        return abilities

    def _is_in_turn(self, words: list[str]) -> bool:
        return len(words) > 1 and _COLOURS.get(words[1].lower()) == self._to_move

    def _advance(self, words: list[str]) -> None:
        """Update size, turn and moves by a successful command. `_play_abilities` has played a `play`."""
        name = words[0]
        if name == "boardsize" and len(words) > 1 and words[1].isdigit():
            self._size = int(words[1])
            self._game = DialogueGame(self._size)
        if name in ("play", "genmove") and len(words) > 1:
            self._to_move = "w" if _COLOURS.get(words[1].lower()) == "b" else "b"
            self._moves.append(_Move(words[-1].lower() == "pass", name == "genmove"))
        elif name in HANDICAPS:
            self._to_move = "w"
        elif name == "undo":
            self._to_move = "w" if self._to_move == "b" else "b"
            if self._moves:
                undone = self._moves.pop()
                self._stone_undone |= not undone.is_pass
                if not undone.is_generated:
                    self._game.undo()
        elif name == "clear_board":
            self._to_move, self._moves, self._stone_undone = "b", [], False
            self._game = DialogueGame(self._size)

    def _refusal_owner(self, words: list[str]) -> Ability | None:
        """Return the owner of a command that is to be refused; None without one."""
        name, *arguments = words
        if name not in _KNOWN:
            return Ability.REFUSES_UNKNOWN_COMMANDS
        if len(arguments) < _ARGUMENTS.get(name, 0):
            return Ability.REFUSES_MISSING_ARGUMENTS
        if name == "play":
            on_board = arguments[0].lower() in _COLOURS and _is_on_board(arguments[1], self._size)
            return Ability.REFUSES_MOVES if on_board else Ability.REFUSES_VERTICES
        return _REFUSALS.get(name)


def reliances(lines: Iterable[SentLine], size: int = 9) -> list[Reliance]:
    """Return for each line, in order, the abilities and commands that it needs, and its owner.

    The owner is the ability whose check reports an unexpected answer to the line.
    """
    reader = LineReader(size)
    return [reader.read(line) for line in lines]


def requirements(lines: Iterable[SentLine], size: int = 9) -> Requirements:
    """Return the requirements of all lines of a dialogue together."""
    found = reliances(lines, size)
    return Requirements(
        commands=tuple(dict.fromkeys(name for one in found for name in one.commands)),
        optional_commands=tuple(dict.fromkeys(name for one in found for name in one.optional_commands)),
        abilities=frozenset(ability for one in found for ability in one.abilities),
    )


def reporter(line: bytes, size: int = 9, before: Sequence[bytes] = ()) -> str:
    """Return the id of the check that reports a failure at a line that had to succeed; empty if none does.

    `before` are the lines that the process got earlier. They matter only for a move that captures and for an
    undo: checks of captures, and of passes taken back, report these. Otherwise the line is read alone, as if
    it were the turn of its colour.
    """
    owner = _owner_in_game(line, before)
    if owner is None:
        colour = re.search(rb"(?i)\b(?:play|genmove)\s+(b|w)", line)
        reader = LineReader(size)
        if colour is not None and colour[1].lower() == b"w":
            reader.read(SentLine(b"play b pass\n"))
        owner = reader.read(SentLine(line)).owner
    return str(owner) if owner is not None else ""


def _owner_in_game(line: bytes, before: Sequence[bytes]) -> Ability | None:
    """Return the owner of an undo, or of a `play` that captures, after the lines `before`.

    None for any other line, without a boardsize in `before`, and for a `play` if a genmove came after the
    last boardsize: its move is not known, and so the captures are not.
    """
    sizes = [number for number, sent in enumerate(before) if sent.startswith(b"boardsize")]
    if not sizes or not line.startswith((b"undo", b"play")):
        return None
    game = before[sizes[-1] :]
    owner = reliances(map(SentLine, (*game, line)))[-1].owner
    if line.startswith(b"undo"):
        return owner
    generated = any(sent.startswith(b"genmove") for sent in game)
    return owner if owner in CAPTURE_ABILITIES and not generated else None


@lru_cache(REMEMBERED)
def _wire_abilities(line: SentLine) -> frozenset[Ability]:
    """Return the abilities that the form of a line needs: ids, comments, blank lines, several lines."""
    abilities = {Ability.WELL_FORMED_ANSWERS}
    if len(_lines(line.send)) > 1:
        abilities.add(Ability.ANSWERS_IN_ORDER)
    if b"#" in line.send:
        abilities.add(Ability.SKIPS_COMMENTS)
    if any(not text.split("#")[0].strip() for text in _lines(line.send)):
        abilities.add(Ability.SKIPS_BLANK_LINES)
    signs = iter(line.signs)
    for text in _commands(line.send):
        sign = next(signs, "=")
        if text.split()[0].isdigit():
            abilities.add(Ability.ECHOES_IDS)
            if sign == "?":
                abilities.add(Ability.ECHOES_IDS_OF_REFUSALS)
    return frozenset(abilities)


@lru_cache(REMEMBERED)
def _commands(send: bytes) -> tuple[str, ...]:
    """Return the lines that are commands, without comments."""
    return tuple(line for text in _lines(send) if (line := text.split("#")[0]).strip())


def _lines(send: bytes) -> list[str]:
    """Return the lines without control characters and line feeds."""
    return send.translate(None, _CONTROLS).decode("latin-1").removesuffix("\n").split("\n")


def _is_unusual(komi: str) -> bool:
    """Return whether a komi is negative or above USUAL_KOMI."""
    return komi.startswith("-") or float(komi) > USUAL_KOMI


def _is_on_board(vertex: str, size: int) -> bool:
    try:
        return parse_vertex(vertex, size) is not None
    except VertexError:
        return False
