"""Reads real record files and compares what three readers make of them: ours, sgfmill and the package `sgf`.

    python -m tests.refbot.read_records FOLDER...

Prints the number of games read, the refused ones with reasons, and every game that two readers read
differently. The position after all moves is compared on three boards: the referee's, refbot's and sgfmill's.
The comparison with the package `sgf` needs `pip install --target FOLDER sgf` and PYTHONPATH=FOLDER.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import importlib.util
import os
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from harness.go import GoError, play_record
from refbot.gtp.record import CannotLoadError, replay
from refbot.rules import Game, UnacceptableSizeError
from refbot.sgf import SgfError, SgfFileError, SgfGame, read_file, read_games
from refbot.sgf.values import point_of, points_of

with warnings.catch_warnings():
    warnings.simplefilter("ignore", SyntaxWarning)
    from sgfmill import boards, sgf_grammar
    from sgfmill import sgf as sgfmill_sgf

SHOWN = 12


class Reading(NamedTuple):
    """One reader's view of a game: all of its main line."""

    size: int
    komi: float | None
    black: frozenset[tuple[int, int]]
    white: frozenset[tuple[int, int]]
    moves: tuple[tuple[str, tuple[int, int] | None], ...]
    to_move: str


Witness = Callable[[bytes], Sequence[Callable[[], Reading]]]
"""A reader of a file: for each game, what reads it."""


class LateSetupError(Exception):
    """Stones are set up after the first move."""


def ours(game: SgfGame) -> Reading:
    """The reading of refbot.sgf."""
    moves = tuple((move.colour, move.point) for move in game.moves)
    return Reading(game.size, game.komi, game.black_stones, game.white_stones, moves, game.to_move)


def whole(
    size: int, komi: float | None, handicap: int, nodes: Iterator[tuple[Any, Any, str | None]]
) -> Reading:
    """A reading from nodes of (set-up, moves, PL); set-up is None or (black, white, empty)."""
    stones: dict[tuple[int, int], str] = {}
    moves: list[tuple[str, tuple[int, int] | None]] = []
    stated = None
    for setup, played, player in nodes:
        if setup is not None:
            if moves:
                raise LateSetupError
            for colour, points in zip("bw ", setup, strict=True):
                stones.update(dict.fromkeys(points, colour))
        stated = player or stated
        for move in played:
            moves.append(move)
            stated = None
    black = frozenset(point for point, colour in stones.items() if colour == "b")
    white = frozenset(point for point, colour in stones.items() if colour == "w")
    if stated is None and moves:
        stated = "w" if moves[-1][0] == "b" else "b"
    to_move = stated or ("w" if handicap >= 2 and black else "b")
    return Reading(size, komi, black, white, tuple(moves), to_move)


def by_sgfmill(data: bytes) -> Sequence[Callable[[], Reading]]:
    """The reading of each game by sgfmill."""
    return [partial(_by_sgfmill, tree) for tree in sgf_grammar.parse_sgf_collection(data)]


def _by_sgfmill(tree: Any) -> Reading:
    game = sgfmill_sgf.Sgf_game.from_coarse_game_tree(tree)
    root = game.get_root()
    komi = game.get_komi() if root.has_property("KM") else None

    def nodes() -> Iterator[tuple[Any, Any, str | None]]:
        for node in game.get_main_sequence():
            colour, point = node.get_move()
            setup = node.get_setup_stones() if node.has_setup_stones() else None
            player = node.get("PL") if node.has_property("PL") else None
            yield setup, [] if colour is None else [(colour, point)], player

    return whole(game.get_size(), komi, game.get_handicap() or 0, nodes())


def by_sgf(data: bytes) -> Sequence[Callable[[], Reading]]:
    """The reading of each game by the package `sgf`, which gives the values as texts."""
    package = importlib.import_module("sgf")
    with contextlib.redirect_stdout(None):
        games = package.parse(data.decode("latin-1"))
    return [partial(_by_sgf, game) for game in games]


def _by_sgf(game: Any) -> Reading:
    root = game.root.properties
    size = int(root.get("SZ", ["19"])[0])
    komi = float(root["KM"][0]) if "KM" in root else None

    def nodes() -> Iterator[tuple[Any, Any, str | None]]:
        for node in [game.root, *game.rest] if game.rest else [game.root]:
            given = node.properties
            lists = [
                {point for value in given.get(name, []) for point in points_of(value.encode(), size)}
                for name in ("AB", "AW", "AE")
            ]
            setup = lists if given.keys() & {"AB", "AW", "AE"} else None
            played = [(c.lower(), point_of(v.encode(), size)) for c in "BW" for v in given.get(c, [])]
            yield setup, played, given["PL"][0].lower()[:1] if "PL" in given else None

    return whole(size, komi, int(root.get("HA", ["0"])[0]), nodes())


def files_of(folders: Sequence[Path]) -> Iterator[Path]:
    """All files below some folders."""
    for folder in folders:
        for place, below, names in os.walk(folder):
            below.sort()
            yield from (Path(place, name) for name in sorted(names))


def say(text: str) -> None:
    """Print a line of the result."""
    print(text)  # noqa: T201


def main() -> None:
    """Print what was read, refused and seen differently."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--all", action="store_true", help=f"print all lines, not {SHOWN} of a kind")
    arguments = parser.parse_args()
    witnesses: dict[str, Witness] = {"sgfmill": by_sgfmill}
    if importlib.util.find_spec("sgf"):
        witnesses["sgf"] = by_sgf
    counts: Counter[str] = Counter()
    lines: dict[str, list[str]] = {
        "refused": [],
        "noted": [],
        "boards": [],
        **{f"unlike {name}": [] for name in witnesses},
    }
    for path in files_of(arguments.folders):
        counts["files"] += 1
        try:
            data = read_file(path)
        except SgfFileError as error:
            counts["files refused"] += 1
            lines["refused"].append(f"{path} {error}")
            continue
        _compare(path, data, witnesses, counts, lines)
    for kind, found in lines.items():
        say(f"{kind}: {len(found)}")
        for line in found if arguments.all else found[:SHOWN]:
            say(f"  {line}")
    for name, count in counts.items():
        say(f"{name:40} {count:8,}")


def _compare(
    path: Path,
    data: bytes,
    witnesses: Mapping[str, Witness],
    counts: Counter[str],
    lines: dict[str, list[str]],
) -> None:
    others: dict[str, Sequence[Callable[[], Reading]]] = {}
    for name, read in witnesses.items():
        with contextlib.suppress(Exception):
            others[name] = read(data)
    for game in read_games(data):
        counts["games"] += 1
        mine = None if isinstance(game, SgfError) else ours(game)
        if isinstance(game, SgfError):
            counts["games refused"] += 1
            lines["refused"].append(f"{path}: {game}")
        else:
            counts["games read"] += 1
            lines["noted"] += [f"{path}#{game.number}: {note}" for note in game.notes]
            _compare_boards(f"{path}#{game.number}", game, counts, lines["boards"])
        place = counts["of this file"]
        counts["of this file"] += 1
        all_agree = mine is not None
        for name in witnesses:
            try:
                theirs = others[name][place]()
            except Exception:  # whatever a library raises for what it cannot read
                counts[f"refused by {name}"] += 1
                all_agree = False
                continue
            if mine is None:
                counts[f"read by {name} alone"] += 1
            elif mine != theirs:
                all_agree = False
                counts[f"unlike {name}"] += 1
                lines[f"unlike {name}"].append(f"{path}#{place + 1}: {_difference(mine, theirs)}")
            else:
                counts[f"as {name}"] += 1
        counts["read alike by all"] += all_agree
    del counts["of this file"]


def _compare_boards(name: str, game: SgfGame, counts: Counter[str], lines: list[str]) -> None:
    """Play the record on three boards that share no code."""
    witness = boards.Board(game.size)
    legal = witness.apply_setup(game.black_stones, game.white_stones, ())
    for colour, point in game.moves:
        if point is not None and legal:
            legal = witness.get(*point) is None
            if legal:
                witness.play(*point, colour)
    try:
        referee = play_record(game).stones()
        own = Game(game.size, 0.0)
        replay(own, game)
    except (GoError, CannotLoadError, UnacceptableSizeError) as error:
        counts["not played: illegal, or the size"] += 1
        if legal and "superko" not in str(error) and "(ko)" not in str(error) and "suicide" not in str(error):
            lines.append(f"{name}: {error}")
        return
    found = {divmod(index, game.size): " bw"[stone] for index, stone in enumerate(own.stones) if stone}
    theirs = {point: colour for colour, point in witness.list_occupied_points()}
    counts["one position on three boards"] += legal and referee == found == theirs
    if not (legal and referee == found == theirs):
        lines.append(f"{name}: the boards differ")


def _difference(mine: Reading, theirs: Reading) -> str:
    for name, one, another in zip(Reading._fields, mine, theirs, strict=True):
        if one != another:
            if name == "moves":
                for number, (move, their) in enumerate(zip(mine.moves, theirs.moves, strict=False), 1):
                    if move != their:
                        return f"move {number} is {move}, theirs {their}"
                return f"{len(mine.moves)} moves, theirs {len(theirs.moves)}"
            return f"{name} is {str(one)[:90]}, theirs {str(another)[:90]}"
    return ""


if __name__ == "__main__":
    main()
