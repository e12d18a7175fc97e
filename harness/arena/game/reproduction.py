"""Lines for a shell that bring an engine to a position of a game and ask it for a move."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence

from harness.arena.clock import Clock
from harness.arena.config.clock import time_control
from harness.arena.config.engine_keys import game_commands, genmove_command
from harness.arena.config.tables import EngineTable, MatchConfig
from harness.arena.records import Played
from harness.arena.store.rows import StoredGame
from harness.gtp import Colour
from harness.gtp.shell import dialogue_command


def dialogue_line(
    table: EngineTable, set_up: Sequence[str], moves: Iterable[Played], ending: Sequence[str]
) -> str:
    """The line that starts an engine, sends `set_up`, plays `moves`, and sends `ending` and `quit`.

    For example `printf '…' | bot --fast`, after `cd FOLDER &&` if the engine has a folder.
    """
    launch = table.launch()
    lines = [*set_up, *(f"play {move.colour} {move.vertex}" for move in moves), *ending]
    change_folder = f"cd {shlex.quote(str(launch.cwd))} && " if launch.cwd else ""
    return change_folder + dialogue_command([f"{line}\n".encode() for line in lines], launch.shell_line)


def search_line(game: StoredGame, move: int, colour: Colour, config: MatchConfig) -> str:
    """The line that repeats the search for one move of a stored game, and asks for its report.

    Only for a run that can be audited: its rules are those of the reference, so no command sets them.
    """
    played = [Played("b" if text[0] == "b" else "w", text[1:]) for text in game.moves.split()[: move - 1]]
    own, opponent = (game.black, game.white) if colour == "b" else (game.white, game.black)
    table, control = config.engines[own], time_control(config.engines[own], config.run)
    clock = Clock(control).settings(frozenset({"time_settings"})) if control is not None else ()
    set_up = [
        *start_up_lines(table),
        *(f"boardsize {game.size}", "clear_board", f"komi {game.komi:g}"),
        *clock,
        *game_commands(table.gtp_game, (game.size, game.komi), colour, game.game_id, opponent),
    ]
    ending = [genmove_command(table.genmove, colour), "ref-nodes", "ref-score"]
    return dialogue_line(table, set_up, played, ending)


def start_up_lines(table: EngineTable, *, has_ref_playouts: bool = True) -> list[str]:
    """The commands after each start of an engine: those of `gtp`, and its number of playouts."""
    command = table.playouts_command
    return [*table.gtp, *([command] if command and has_ref_playouts else [])]
