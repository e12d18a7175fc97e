"""The player of an audit's playouts on a GPU."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock

from harness.arena.audit.reference import PlayMany
from refbot.compile.devices import choose_device
from refbot.playouts import PlayoutStats, Position, playouts_of_many


def gpu_player(device: str, size: int) -> PlayMany | None:
    """A player for all searches of a game together, or None if a CPU is to play on this board size.

    `device` is one of refbot's DEVICES. Raises DeviceError if it is "gpu" and no GPU can play.
    """
    if choose_device(device, size) == "cpu":
        return None
    one_at_a_time = Lock()  # the threads of an audit share the GPU

    def play(
        positions: Sequence[Position], n: int, komi: float, *, seed: int, amaf: bool
    ) -> Sequence[PlayoutStats]:
        with one_at_a_time:
            return playouts_of_many(positions, n, komi, seed=seed, amaf=amaf, device="gpu")

    return play
