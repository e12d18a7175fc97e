"""A playout that the move cap cuts short is scored with each region counted once, by every kernel."""

from __future__ import annotations

import pytest

from harness.selftest.hosted_bot import HostedBot

BOARD = ("b A2", "w C3", "b B2", "w C2", "b B1")
KOMI = 1  # White draws with each of three moves: Black has A1 and three stones
PASSES = 22


@pytest.mark.parametrize("fault", ["", "amaf-every-play", "amaf-opponent"])
def test_a_one_point_territory_counts_once(fault: str) -> None:
    with HostedBot(*filter(None, [fault]), playouts=200) as bot:
        moves = [*BOARD, *(f"{'wb'[number % 2]} pass" for number in range(PASSES))]
        lines = ["boardsize 3", "clear_board", f"komi {KOMI}", *(f"play {move}" for move in moves)]
        bot.set_up(f"{line}\n".encode("ascii") for line in lines)
        bot.ask(b"genmove w\n")
        assert float(bot.ask(b"ref-score\n").text) == 0.5
        assert bot.ask(b"ref-nodes\n").text == "200"
