"""The pure bot with one fault: `wrong_pure.py FAULT [options of pure_bot.py]`.

It starts in a tenth of the processor time of `refbot gtp --fault FAULT`, for tests of commands.
"""

from __future__ import annotations

import sys

import pure_bot

usual = pure_bot.Engine.obey


def unknown_succeeds(bot: pure_bot.Engine, name: str, words: list[str]) -> str:
    """Answer = to a command that does not exist."""
    return usual(bot, name, words) if name in pure_bot.NAMES else ""


def main() -> None:
    match sys.argv.pop(1):
        case "nodes-one-pass":
            pure_bot.PASSES_AT_END = 1
        case "unknown-succeeds":
            pure_bot.Engine.obey = unknown_succeeds
        case "id-dropped":
            pure_bot.ANSWERS_WITH_ID = False
        case fault:
            sys.exit(f"no such fault: {fault}")
    pure_bot.main()


if __name__ == "__main__":
    main()
