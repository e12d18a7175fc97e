"""The format `sgf`: one SGF file (FF[4]) per game, with nodes and score of each search as comments.

This module writes the text itself, because a library takes 50 times as long and a match has many thousands of
games. The tests read the files with a library.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from harness import __version__
from harness.arena.config.scoring import RulesTable
from harness.arena.records import Setup
from harness.arena.store.rows import StoredGame, StoredSearch
from harness.arena.store.store import Store
from harness.arena.verdicts import MatchVerdicts
from harness.files import is_file, replaced
from harness.go import COLUMN_LETTERS
from harness.report.records.run_paths import game_file
from harness.report.text.score_text import scored_in_words
from harness.report.visible import safe

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def write(store: Store, verdicts: MatchVerdicts, folder: Path) -> None:
    """Write each game that has no file yet; a stored game never changes. Raises OSError."""
    rules = _rules(store)
    for game in store.games():
        path = folder / game_file(game.game_id, game.reason)
        if not is_file(path):
            with replaced(path, within=folder) as file:
                file.write(_stored_record(store, game, rules))


def game_text(store: Store, game_id: str) -> str:
    """One game as SGF. Raises KeyError for a game that is not stored."""
    return _stored_record(store, store.game(game_id), _rules(store))


def _rules(store: Store) -> str:
    config = store.config()
    return (config.run.rules if config is not None else RulesTable()).sgf_name


def _stored_record(store: Store, game: StoredGame, rules: str) -> str:
    return _record(game, store.searches_of_game(game.game_id), store.setup_of_game(game.game_id), rules)


def _record(game: StoredGame, searches: Sequence[StoredSearch], setup: Setup | None, rules: str) -> str:
    moves = game.moves.split()
    first = setup.stones if setup is not None else 0  # the first moves are stones of the set-up
    comments = {search.move: _comment(search) for search in searches}
    remark = f"{game.reason}: {game.detail}" if game.detail else game.reason
    if game.scoring is not None:
        remark += f"\n{scored_in_words(game.scoring)}"
    head = (
        f"(;FF[4]GM[1]CA[UTF-8]AP[conform:{__version__}]SZ[{game.size}]KM[{game.komi:g}]RU[{rules}]"
        f"PB[{_text(game.black)}]PW[{_text(game.white)}]RO[{game.number} (pair {game.pair})]"
        f"DT[{game.started[:10]}]RE[{game.result}]GN[{game.game_id}]ON[{_text(game.opening)}]C[{_text(remark)}]"
    )
    if setup is not None:
        to_move = moves[first][0] if len(moves) > first else searches[0].colour if searches else None
        head += _setup(setup, moves[:first], to_move, game.size)
    nodes = [
        f";{move[0].upper()}[{_point(move[1:], game.size)}]{comments.get(number, '')}"
        for number, move in enumerate(moves[first:], first + 1)
    ]
    return "\n".join([head, *nodes]) + ")\n"


def _setup(setup: Setup, stones: Sequence[str], to_move: str | None, size: int) -> str:
    """The properties of a set-up: handicap, stones by colour, and the colour to move."""
    text = f"HA[{setup.handicap}]" if setup.handicap is not None else ""
    for colour in "bw":
        points = [f"[{_point(move[1:], size)}]" for move in stones if move[0] == colour]
        text += f"A{colour.upper()}{''.join(points)}" if points else ""
    return text + (f"PL[{to_move.upper()}]" if to_move is not None else "")


def _comment(search: StoredSearch) -> str:
    words = [] if search.nodes is None else [f"nodes {search.nodes}"]
    words += [] if search.score is None else [f"score {search.score:g}"]
    return f"C[{' '.join([*words, f'seconds {search.seconds:.3f}'])}]"


def _point(vertex: str, size: int) -> str:
    """A vertex in SGF, which counts rows from the top. A pass is empty."""
    if vertex == "pass":
        return ""
    return _LETTERS[COLUMN_LETTERS.index(vertex[0])] + _LETTERS[size - int(vertex[1:])]


def _text(text: str) -> str:
    return safe(text, kept="\n\t").replace("\\", "\\\\").replace("]", "\\]")
