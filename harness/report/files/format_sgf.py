"""The format `sgf`: game records in SGF (FF[4]), with the figures of each search as comments.

This module writes the text itself, because a library takes 50 times as long and a match has many thousands of
games. The tests read the files with a library.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from harness import __version__
from harness.arena.config.tables import MatchConfig
from harness.arena.records import ClockReading, Setup
from harness.arena.store.rows import StoredClocks, StoredGame, StoredSearch
from harness.arena.store.store import Store
from harness.arena.verdicts import MatchVerdicts
from harness.files import is_file, remove_file, replaced
from harness.go import COLUMN_LETTERS
from harness.report.records.run_paths import COLLECTION, VOID_COLLECTION, RunPaths
from harness.report.text.score_text import scored_in_words
from harness.report.visible import safe

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def write(store: Store, verdicts: MatchVerdicts, folder: Path) -> None:
    """Write a file for each game that has none yet, or the collections of all games. Raises OSError."""
    config = store.config()
    assert config is not None, "a store with games has a config"
    records = Records(store, config)
    if records.paths.collection:
        _write_collections(records, folder)
        return
    for game in store.games():
        path = folder / records.paths.game_file(game.game_id, game.reason)
        if is_file(path):  # a stored game never changes
            continue
        flat = folder / RunPaths().game_file(game.game_id, game.reason)
        if flat != path and is_file(flat):  # written while the run had fewer games
            remove_file(flat, within=folder)
        with replaced(path, within=folder) as file:
            file.write(records.text(game))


def _write_collections(records: Records, folder: Path) -> None:
    """Write all games into one file, and void games into another."""
    with (
        replaced(folder / COLLECTION, within=folder) as file,
        replaced(folder / VOID_COLLECTION, within=folder) as void,
    ):
        for game in records.store.games():
            (void if game.void else file).write(records.text(game))


class Records:
    """The game records of a run, as SGF."""

    def __init__(self, store: Store, config: MatchConfig) -> None:
        self.store = store
        self._has_clocks = store.has_clocks
        self._rules = config.run.rules.sgf_name
        self._commands = {name: table.launch().command for name, table in config.engines.items()}
        self._engines = {engine.name: engine for engine in store.engines()}
        self.paths = RunPaths.of(config, self._engines)
        self._newest = store.recorded.newest_programs()

    def text(self, game: StoredGame) -> str:
        """One game as SGF: a node with its properties, then a node for each move, each on its own line."""
        searches, setup = self.store.searches_of_game(game.game_id), self.store.setup_of_game(game.game_id)
        clocks = self.store.clocks_of_game(game.game_id) if self._has_clocks else None
        moves = game.moves.split()
        stones, played = [], moves
        if setup is not None:  # the first moves are stones of the set-up
            stones, played = moves[: setup.stones], moves[setup.stones :]
        head = self._head(game, clocks)
        if setup is not None:
            to_move = played[0][0] if played else searches[0].colour if searches else None
            head += _setup(setup, stones, to_move, game.size)
        texts = {comment.move: comment.text for comment in self.store.recorded.comments_of_game(game.game_id)}
        comments = {search.move: _comment(search, texts.get(search.move, "")) for search in searches}
        shown = {reading.move: reading for reading in clocks.readings} if clocks is not None else {}
        nodes = [
            f";{move[0].upper()}[{_point(move[1:], game.size)}]"
            f"{_shown_time(move[0].upper(), shown.get(number))}{comments.get(number, '')}"
            for number, move in enumerate(played, len(stones) + 1)
        ]
        return "\n".join([head, *nodes]) + ")\n"

    def _head(self, game: StoredGame, clocks: StoredClocks | None) -> str:
        """The properties of the game: board, players, result, names, comment, time."""
        timed, unlike = _time(clocks) if clocks is not None else ("", "")
        return (
            f"(;FF[4]GM[1]CA[UTF-8]AP[conform:{__version__}]SZ[{game.size}]KM[{game.komi:g}]RU[{self._rules}]"
            f"PB[{_text(game.black)}]PW[{_text(game.white)}]RO[{game.number} (pair {game.pair})]"
            f"DT[{game.started[:10]}]RE[{game.result}]GN[{game.game_id}]ON[{_text(game.opening)}]"
            f"C[{_text(self._remark(game) + unlike)}]{timed}"
        )

    def _remark(self, game: StoredGame) -> str:
        """The comment on a game: its end and score, points for a handicap, and the programs of both sides."""
        lines = [f"{game.reason}: {game.detail}" if game.detail else game.reason]
        if game.scoring is not None:
            lines.append(scored_in_words(game.scoring))
        if game.handicap_bonus:
            lines.append(f"White gets {game.handicap_bonus} points for the handicap")
        programs = self.store.recorded.programs_of_game(game.game_id)
        for colour, name in (("Black", game.black), ("White", game.white)):
            engine, command = self._engines.get(name), self._commands.get(name)
            if engine is None or command is None:
                continue
            # The store has the version of the newest program alone; an unknown program is taken for it.
            of_newest = programs[name] in (None, self._newest.get(name))
            reported = (engine.reported_name, engine.reported_version) if of_newest else ()
            words = " ".join(filter(None, reported))
            lines.append(f"{colour}: {words + ', ' if words else ''}{command}")
        return "\n".join(lines)


def _setup(setup: Setup, stones: Sequence[str], to_move: str | None, size: int) -> str:
    """The properties of a set-up: handicap, stones by colour, and the colour to move."""
    text = f"HA[{setup.handicap}]" if setup.handicap is not None else ""
    for colour in "bw":
        points = [f"[{_point(move[1:], size)}]" for move in stones if move[0] == colour]
        text += f"A{colour.upper()}{''.join(points)}" if points else ""
    return text + (f"PL[{to_move.upper()}]" if to_move is not None else "")


def _time(clocks: StoredClocks) -> tuple[str, str]:
    """The properties of the time control, and words for the comment if the sides have different ones.

    SGF has one time control for both sides: one of the two texts is empty.
    """
    black, white = clocks.control("b"), clocks.control("w")
    if black != white or black is None:
        return "", f"\ntime of Black: {black or 'no clock'}, of White: {white or 'no clock'}"
    return f"TM[{black.main_time:g}]" + (f"OT[{black.overtime}]" if black.overtime else ""), ""


def _shown_time(colour: str, shown: ClockReading | None) -> str:
    """The properties of a clock after a move: seconds, and stones or periods of byo-yomi."""
    if shown is None:
        return ""
    counted = f"O{colour}[{shown.counted}]" if shown.counted else ""
    return f"{colour}L[{shown.seconds:.3f}]{counted}"


def _comment(search: StoredSearch, text: str) -> str:
    """The comment on a move: the measured values, then the engine's own comment (`text`)."""
    words = [] if search.nodes is None else [f"nodes {search.nodes}"]
    words += [] if search.score is None else [f"score {search.score:g}"]
    measured = " ".join([*words, f"seconds {search.seconds:.3f}"])
    return f"C[{measured}\n{_text(text)}]" if text else f"C[{measured}]"


def _point(vertex: str, size: int) -> str:
    """A vertex in SGF, which counts rows from the top: C3 on 9x9 is "cg". A pass is empty."""
    if vertex == "pass":
        return ""
    return _LETTERS[COLUMN_LETTERS.index(vertex[0])] + _LETTERS[size - int(vertex[1:])]


def _text(text: str) -> str:
    """A text as SGF has it, with escapes before `]` and the backslash."""
    return safe(text, kept="\n\t").replace("\\", "\\\\").replace("]", "\\]")
