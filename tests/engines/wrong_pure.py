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


def known_by_digits(bot: pure_bot.Engine, name: str, words: list[str]) -> str:
    """Answer 1 and 0 to known_command, which asks for true and false."""
    answer: str = usual(bot, name, words)
    return {"true": "1", "false": "0"}[answer] if name == "known_command" else answer


def ban_alone(bot: pure_bot.Engine, point: pure_bot.Point, colour: str) -> pure_bot.Board | None:
    """Return the board after a move that simple ko allows."""
    banned = (point, colour) == bot.board.ko
    return bot.board.after(point, colour) if point & bot.board.empty and not banned else None


def white_not_played(bot: pure_bot.Engine, name: str, words: list[str]) -> str:
    """Answer a move for White and leave the board as it was."""
    game = list(bot.game)
    answer: str = usual(bot, name, words)
    if name == "genmove" and words[0] == "w":
        bot.game = game
    return answer


def main() -> None:
    match sys.argv.pop(1):
        case "nodes-one-pass":
            pure_bot.PASSES_AT_END = 1
        case "unknown-succeeds":
            pure_bot.Engine.obey = unknown_succeeds
        case "known-command-digits":
            pure_bot.Engine.obey = known_by_digits
        case "ban-outlives-passes":
            pure_bot.Engine.legal = ban_alone
            pure_bot.Board.after_pass = lambda board: board
        case "white-not-played":
            pure_bot.Engine.obey = white_not_played
        case "id-dropped":
            pure_bot.ANSWERS_WITH_ID = False
        case fault:
            sys.exit(f"no such fault: {fault}")
    pure_bot.main()


if __name__ == "__main__":
    main()
