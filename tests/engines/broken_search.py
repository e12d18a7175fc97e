"""The pure bot with an error in its search: it dies at the first genmove, and says why on stderr.

It does not know `ref-playouts`.
"""

from __future__ import annotations

import pure_bot


def broken(bot: pure_bot.Engine, *_: object) -> object:
    """What a slip in the author's code does."""
    return bot.nodes / 0


if __name__ == "__main__":
    pure_bot.Engine.search = broken
    pure_bot.NAMES = tuple(name for name in pure_bot.NAMES if name != "ref-playouts")
    pure_bot.main()
