"""The tables that `refbot bench` prints: the speed of the playouts, and what each board function costs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from refbot.cli.output import say
from refbot.compile.kernels import choose_fastest

if TYPE_CHECKING:
    from refbot.measure.bench import Speed

HEAD = (
    "size  policy     kernel      threads  playouts     kpps  ns/move  cycles/move  moves/playout     sd"
    "  Black wins"
)
LINE = (
    "{size:4}  {policy:10} {kernel:11} {threads:7}  {playouts:8} {kpps:8.2f} {ns_per_move:>8}"
    " {cycles_per_move:>12} {moves_per_playout:14.2f} {sd:6.2f} {black_wins:11.4f}"
)
COSTS_HEAD = (
    "size  policy     function        calls/playout  found %  accepted %  cycles/call  (scalar kernel)"
)
COSTS_LINE = (
    "{size:4}  {policy:10} {function:14} {calls_per_playout:14.2f} {found_pct:8.1f} {accepted_pct:11.1f}"
    " {cycles_per_call:12.1f}"
)


def line_of(speed: Speed) -> str:
    """Return one speed as a line of the table; "-" in place of the cycles of a GPU, which are not known."""
    cycles = "-" if speed.cycles_per_move is None else f"{speed.cycles_per_move:.1f}"
    ns = f"{speed.ns_per_move:.{1 if speed.ns_per_move >= 1 else 4}f}"
    return LINE.format(**asdict(speed) | {"cycles_per_move": cycles, "ns_per_move": ns})


def say_costs(sizes: Sequence[int], policies: Sequence[str]) -> None:
    """Print the cost of each board function."""
    from refbot.measure.bench import costs
    from refbot.measure.cycles import cycles_per_second

    say("\n" + COSTS_HEAD)
    for size in sizes:
        for name in policies:
            for cost in costs(size, name, cycles_per_second()):
                say(COSTS_LINE.format(**asdict(cost)))


def say_kernels(sizes: Iterable[int]) -> None:
    """Print which kernel plays many random playouts without a seed on each board size, and why."""
    for size in sizes:
        choice = choose_fastest(size)
        say(f"random playouts on {size}x{size}: {choice.kernel} ({choice.why})")
