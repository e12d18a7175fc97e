"""The plain bot, slowed down: `slow_bot.py [--rate R] [--think S] [--start S] [options of plain_bot]`.

--rate   playouts a second from the empty board; shorter playouts are faster in proportion to their moves
--think  seconds that every search takes in addition
--start  seconds before the first answer

It sleeps, so that several of them share a processor without slowing each other down.
"""

from __future__ import annotations

import argparse
import time

import plain_bot

MOVES_FROM_EMPTY_BOARD = 111.06

right_run_playouts = plain_bot.Bot.run_playouts


def main() -> None:
    parser = plain_bot.option_parser()
    parser.add_argument("--rate", type=float, default=0.0)
    parser.add_argument("--think", type=float, default=0.0)
    parser.add_argument("--start", type=float, default=0.0)
    options = parser.parse_args()
    plain_bot.Bot.run_playouts = slowed(options)
    time.sleep(options.start)
    plain_bot.keep_compiled("right", [plain_bot.__file__])
    plain_bot.run(options)


def slowed(options: argparse.Namespace) -> object:
    """The search of the plain bot, followed by a sleep up to the time that it should take."""

    def run_playouts(bot: plain_bot.Bot, *arguments: object) -> object:
        began = time.monotonic()
        result = right_run_playouts(bot, *arguments)
        moves_a_second = options.rate * MOVES_FROM_EMPTY_BOARD
        wanted = options.think + (bot.nodes / moves_a_second if moves_a_second else 0.0)
        time.sleep(max(0.0, wanted - (time.monotonic() - began)))
        return result

    return run_playouts


if __name__ == "__main__":
    main()
