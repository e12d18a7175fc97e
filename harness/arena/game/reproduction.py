"""Lines for a shell that bring an engine to a position of a game and ask it for a move."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence

from harness.arena.records import Played
from harness.arena.store.rows import StoredGame
from harness.gtp import Colour, Launch


def dialogue_line(
    size: int, komi: float, moves: Iterable[Played], ending: Sequence[str], launch: Launch
) -> str:
    """The line that sets up the board, plays `moves`, and sends the commands of `ending` and `quit`."""
    lines = [f"boardsize {size}", "clear_board", f"komi {komi:g}"]
    lines += [f"play {move.colour} {move.vertex}" for move in moves]
    lines += [*ending, "quit"]
    change_folder = f"cd {shlex.quote(str(launch.cwd))} && " if launch.cwd else ""
    dialogue = "".join(f"{line}\\n" for line in lines)
    return f"{change_folder}printf '{dialogue}' | {launch.shell_line}"


def search_line(game: StoredGame, move: int, colour: Colour, launch: Launch) -> str:
    """The line that repeats the search for one move of a stored game, and asks for its report."""
    before = [Played("b" if text[0] == "b" else "w", text[1:]) for text in game.moves.split()[: move - 1]]
    ending = [f"genmove {colour}", "ref-nodes", "ref-score"]
    return dialogue_line(game.size, game.komi, before, ending, launch)
