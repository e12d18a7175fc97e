"""Lines for a shell that bring an engine to a position of a game and ask it for a move."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence

from harness.arena.config.engine_keys import game_command, genmove_command
from harness.arena.config.tables import EngineTable, MatchConfig
from harness.arena.records import Played
from harness.arena.store.rows import StoredGame
from harness.gtp import Colour

COLOR_NAMES: dict[Colour, str] = {"b": "black", "w": "white"}
"""The names of the colours for an engine: in `gtp_game`, and in its environment."""


def dialogue_line(
    size: int,
    komi: float,
    moves: Iterable[Played],
    ending: Sequence[str],
    table: EngineTable,
    before: Sequence[str] = (),
) -> str:
    """The line that sets up the board, plays `moves`, and sends the commands of `ending` and `quit`.

    before   commands that are sent before the game: of the clock, and `gtp_game` of the engine
    """
    launch = table.launch()
    lines = [*table.gtp, f"boardsize {size}", "clear_board", f"komi {komi:g}", *before]
    lines += [f"play {move.colour} {move.vertex}" for move in moves]
    lines += [*ending, "quit"]
    change_folder = f"cd {shlex.quote(str(launch.cwd))} && " if launch.cwd else ""
    dialogue = "".join(f"{_quoted(line)}\\n" for line in lines)
    return f"{change_folder}printf '{dialogue}' | {launch.shell_line}"


def search_line(game: StoredGame, move: int, colour: Colour, config: MatchConfig) -> str:
    """The line that repeats the search for one move of a stored game, and asks for its report."""
    played = [Played("b" if text[0] == "b" else "w", text[1:]) for text in game.moves.split()[: move - 1]]
    own, opponent = (game.black, game.white) if colour == "b" else (game.white, game.black)
    table = config.engines[own]
    ending = [genmove_command(table.genmove, colour), "ref-nodes", "ref-score"]
    before = commands_of_game(table, (game.size, game.komi), colour, game.game_id, opponent)
    return dialogue_line(game.size, game.komi, played, ending, table, before)


def commands_of_game(
    table: EngineTable, board: tuple[int, float], colour: Colour, game_id: str, opponent: str
) -> list[str]:
    """The commands of `gtp_game` for a side of a game. `board`: size and komi."""
    color = COLOR_NAMES[colour]
    return [game_command(line, *board, color, game_id, opponent) for line in table.gtp_game]


def _quoted(line: str) -> str:
    """A command within a format of `printf` in single quotes."""
    return line.replace("\\", "\\\\").replace("%", "%%").replace("'", "'\\''")
