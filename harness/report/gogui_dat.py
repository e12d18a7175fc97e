"""The results of each pair as gogui-twogtp and gogui-statistics know them: a table, tabs between columns."""

from __future__ import annotations

from pathlib import Path

from harness import __version__
from harness.match import FAILURES, Judgement, Store
from harness.report.match_files import replaced

COLUMNS = (
    "GAME", "RES_B", "RES_W", "RES_R", "ALT", "DUP", "LEN", "TIME_B", "TIME_W", "CPU_B", "CPU_W", "ERR",
    "ERR_MSG",
)  # fmt: skip


_EXCHANGED = str.maketrans("BW", "WB")


def write_dat(store: Store, judgement: Judgement, folder: Path) -> None:
    """`gogui-PAIR.dat` for each pair. Raises OSError.

    "Black" is the pair's first engine throughout: where ALT is 1 it had White, and result and times are
    exchanged, as gogui has it. RES_R is the referee's result; RES_B and RES_W, what the programs think, are
    never asked for: "?".
    """
    board = store.rows("SELECT size, komi FROM game LIMIT 1")
    if not board:
        return
    ((size, komi),) = board
    for pair in judgement.pairs:
        with replaced(folder / f"gogui-{pair.number:03d}.dat") as file:
            file.write(f"# Black: {_cell(pair.first)}\n# White: {_cell(pair.second)}\n")
            file.write(f"# Size: {size}\n# Komi: {komi:g}\n# Referee: conform {__version__}\n#\n")
            file.write("#" + "\t".join(COLUMNS) + "\n")
            query = (
                "SELECT number, game_id, result, reason, detail, move_count, black_seconds, white_seconds "
                "FROM game WHERE pair = ? ORDER BY number"
            )
            numbers: dict[str, int] = {}
            for row in store.rows(query, (pair.number,)):
                number, game_id, result, reason, detail, moves, black, white = row
                numbers[game_id] = number
                void = reason in FAILURES
                earlier = judgement.duplicates.get(game_id)
                duplicate = "-" if earlier is None else str(numbers.get(earlier, number) - 1)
                alternated = (number + 1) % 2
                if alternated:
                    result, black, white = result.translate(_EXCHANGED), white, black
                cells = (
                    number - 1, "?", "?", "?" if void else result, alternated, duplicate, moves,
                    f"{black:.1f}", f"{white:.1f}", 0, 0, int(void), _cell(detail) if void else "",
                )  # fmt: skip
                file.write("\t".join(str(cell) for cell in cells) + "\n")


def _cell(text: str) -> str:
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())
