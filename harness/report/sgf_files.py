"""The games of a match run as SGF: FF[4], one file a game, nodes and score of each search in the comments.

Written by hand, at fifty times the speed of a library: a match has many thousands of games. The tests read
them with one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from harness import __version__
from harness.go import COLUMN_LETTERS
from harness.match import Store
from harness.report.match_files import game_file, replaced

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"

_QUERY = """
    SELECT id, game_id, black, white, size, komi, pair, number, result, reason, detail, moves, started,
        opening
    FROM game ORDER BY number, pair"""


@dataclass(frozen=True)
class _Game:
    id: int
    game_id: str
    black: str
    white: str
    size: int
    komi: float
    pair: int
    number: int
    result: str
    reason: str
    detail: str
    moves: str
    started: str
    opening: str


def write_games(store: Store, folder: Path) -> int:
    """All games of a run; how many were written. A file that is there is left: a game does not change."""
    written = 0
    for game in (_Game(*row) for row in store.each(_QUERY)):
        path = folder / game_file(game.game_id, game.reason)
        if not path.exists():
            with replaced(path) as file:
                file.write(_record(game, _comments(store, game.id)))
            written += 1
    return written


def game_text(store: Store, game_id: str) -> str:
    """One game. Raises KeyError for one that is not stored."""
    rows = store.rows(_QUERY.replace("FROM game", "FROM game WHERE game_id = ?"), (game_id,))
    if not rows:
        raise KeyError(game_id)
    game = _Game(*rows[0])
    return _record(game, _comments(store, game.id))


def _record(game: _Game, comments: dict[int, str]) -> str:
    remark = f"{game.reason}: {game.detail}" if game.detail else game.reason
    head = (
        f"(;FF[4]GM[1]CA[UTF-8]AP[conform:{__version__}]SZ[{game.size}]KM[{game.komi:g}]RU[Chinese]"
        f"PB[{_text(game.black)}]PW[{_text(game.white)}]RO[{game.number} (pair {game.pair})]"
        f"DT[{game.started[:10]}]RE[{game.result}]GN[{game.game_id}]ON[{_text(game.opening)}]C[{_text(remark)}]"
    )
    nodes = [
        f";{move[0].upper()}[{_point(move[1:], game.size)}]{comments.get(number, '')}"
        for number, move in enumerate(game.moves.split(), 1)
    ]
    return "\n".join([head, *nodes]) + ")\n"


def _comments(store: Store, game: int) -> dict[int, str]:
    rows = store.rows("SELECT move, nodes, score, seconds FROM search WHERE game = ?", (game,))
    return {move: _comment(nodes, score, seconds) for move, nodes, score, seconds in rows}


def _comment(nodes: int | None, score: float | None, seconds: float) -> str:
    told = ([] if nodes is None else [f"nodes {nodes}"]) + ([] if score is None else [f"score {score:g}"])
    return f"C[{' '.join([*told, f'seconds {seconds:.3f}'])}]"


def _point(vertex: str, size: int) -> str:
    """SGF counts rows from the top; a pass is empty."""
    if vertex == "pass":
        return ""
    return _LETTERS[COLUMN_LETTERS.index(vertex[0])] + _LETTERS[size - int(vertex[1:])]


def _text(text: str) -> str:
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text).replace("\\", "\\\\").replace("]", "\\]")
