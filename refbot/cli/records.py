"""Single playouts of `refbot playouts`: their moves for --show, their lengths and results for --records."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from refbot.cli.output import refuse, say
from refbot.deviations.options import Options
from refbot.errors import os_reason

if TYPE_CHECKING:
    from refbot.playouts.stats import Records
    from refbot.rules import Game

NOT_BESIDE_SHOW = {
    "count": "-n",
    "threads": "--threads",
    "device": "--device",
    "records": "--records",
    "as_json": "--json",
}
"""Options of `refbot playouts` that --show cannot obey, by their parameters."""


def refuse_beside_show(context: typer.Context) -> None:
    """End the command by `refuse` if an option is given that has no effect beside --show."""
    for parameter, option in NOT_BESIDE_SHOW.items():
        source = context.get_parameter_source(parameter)
        if source is not None and source.name != "DEFAULT":
            refuse(
                f"{option} has no effect beside --show, which prints single playouts: remove one of the two"
            )


def show_playouts(
    game: Game, to_move: int, count: int, seed: int | None, policy: str, options: Options
) -> None:
    """Print `count` playouts, one per line: the moves, their number, Black's result.

    A `seed` gives the same playouts each time; None draws one at random.
    """
    import secrets

    from refbot.gtp.syntax import format_vertex
    from refbot.playouts import scalar
    from refbot.playouts.rng import stream

    seed = secrets.randbits(64) if seed is None else seed
    position = game.position(to_move)
    if options.cap_from_root:
        position = replace(position, moves_made=0)
    for number in range(count):
        trace = scalar.trace(position, game.komi, stream(seed, number), policy=policy, options=options)
        moves = " ".join(format_vertex(point, game.size) for point in trace.moves)
        say(f"{moves}  ({trace.counted} moves, {trace.black_result:g} for Black)")


def write_records(records: Records, path: Path) -> None:
    """Write the records as CSV. End the command by `refuse` if the file cannot be written."""
    lines = (
        f"{length},{half / 2:g}\n" for length, half in zip(records.lengths, records.half_points, strict=True)
    )
    try:
        with path.open("w", encoding="ascii") as file:
            file.write("length,black_result\n")
            file.writelines(lines)
    except OSError as error:
        refuse(f"cannot write {path}: {os_reason(error)}; choose another file for --records")
