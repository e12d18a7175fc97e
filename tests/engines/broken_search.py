"""The plain bot with an error in its search: it dies at the first genmove, and says why on stderr."""

from __future__ import annotations

import plain_bot


def broken(bot: plain_bot.Bot, *_: object) -> object:
    """What a slip in the author's code does."""
    return bot.nodes / 0


if __name__ == "__main__":
    plain_bot.Bot.run_playouts = broken
    plain_bot.run(plain_bot.option_parser().parse_args())
