"""The format `gogui-dat`: the results of each pair as gogui-twogtp writes them, for its option -analyze."""

from __future__ import annotations

from pathlib import Path

from harness import __version__
from harness.arena.store.rows import StoredGame
from harness.arena.store.store import Store
from harness.arena.verdicts import MatchVerdicts
from harness.files import replaced

COLUMNS = (
    "GAME", "RES_B", "RES_W", "RES_R", "ALT", "DUP", "LEN", "TIME_B", "TIME_W", "CPU_B", "CPU_W", "ERR",
    "ERR_MSG",
)  # fmt: skip
_EXCHANGED = str.maketrans("BW", "WB")


def write(store: Store, verdicts: MatchVerdicts, folder: Path) -> None:
    """Write `gogui-PAIR.dat` for each pair. Raises OSError.

    In these files "Black" is always the pair's first engine. If it had White in a game, ALT is 1, and result
    and times are exchanged, as gogui does. RES_R is the result of the harness, "?" for a void game. RES_B and
    RES_W, the results that the programs claim, are "?": the harness does not ask for them. DUP is the number
    of the earlier game that a game repeats.
    """
    config = store.config()
    if config is None:  # no games
        return
    for pair in verdicts.pairs:
        conditions = config.run_of(pair.number)
        with replaced(folder / f"gogui-{pair.number:03d}.dat") as file:
            file.write(f"# Black: {_cell(pair.first)}\n# White: {_cell(pair.second)}\n")
            file.write(f"# Size: {conditions.size}\n# Komi: {conditions.komi:g}\n")
            file.write(f"# Referee: conform {__version__}\n#\n")
            file.write("#" + "\t".join(COLUMNS) + "\n")
            numbers: dict[str, int] = {}
            for game in store.games_of_pair(pair.number):
                numbers[game.game_id] = game.number
                earlier = verdicts.duplicates.get(game.game_id)
                duplicate_of = None if earlier is None else numbers.get(earlier, game.number)
                file.write("\t".join(str(cell) for cell in _row(game, pair.first, duplicate_of)) + "\n")


def _row(game: StoredGame, first: str, duplicate_of: int | None) -> tuple[object, ...]:
    """The cells of a game; gogui counts games from 0. `first`: the first engine of the pair."""
    result, black, white = game.result, game.black_seconds, game.white_seconds
    alternated = int(game.black != first)
    if alternated:
        result, black, white = result.translate(_EXCHANGED), white, black
    return (
        game.number - 1, "?", "?", "?" if game.void else result, alternated,
        "-" if duplicate_of is None else duplicate_of - 1, game.move_count, f"{black:.1f}", f"{white:.1f}", 0,
        0, int(game.void), _cell(game.detail) if game.void else "",
    )  # fmt: skip


def _cell(text: str) -> str:
    """A text on one line without tabs."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())
