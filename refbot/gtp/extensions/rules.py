"""Commands about rules, komi and the size of the board, as GNU Go, KataGo and GoGui define them.

The engine plays by one set of rules, so `kata-set-rules` accepts only these. Faults put values into
`session.memory.shown`, which are then shown in place of the real ones.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from refbot.deviations.faults import Faults
from refbot.gtp.extensions.table import Table
from refbot.gtp.placing import COLOURS
from refbot.gtp.session import Session
from refbot.gtp.syntax import Arguments, DeliberateCrashError, GtpError, MissingArgumentError
from refbot.rules import BLACK, MAX_SIZE, WHITE

COMMANDS = Table()

Rules = Mapping[str, object]

RULES: Rules = {
    "hasButton": False,
    "ko": "POSITIONAL",
    "scoring": "AREA",
    "suicide": False,
    "tax": "NONE",
    "whiteHandicapBonus": "0",
}
"""The rules of the engine, with the names that KataGo gives them."""

_SIGNS = {BLACK: "X", WHITE: "O"}


@COMMANDS.command("get_komi")
def _get_komi(session: Session, _: Arguments) -> str:
    komi = session.memory.shown.get("komi", session.komi)
    return str(int(session.komi) if Faults.GET_KOMI_WHOLE in session.faults else komi)


@COMMANDS.command("query_boardsize")
def _query_boardsize(session: Session, arguments: Arguments) -> str:
    return (
        str(session.memory.shown["size"])
        if "size" in session.memory.shown
        else _board_size(session, arguments)
    )


@COMMANDS.command("gogui-rules_board_size")
def _board_size(session: Session, _: Arguments) -> str:
    return str(MAX_SIZE if Faults.SHOWN_SIZE_LARGEST in session.faults else session.size)


@COMMANDS.command("rectangular_boardsize")
def _rectangular_boardsize(session: Session, arguments: Arguments) -> str:
    """Set the size, given as width and height. Only square boards are accepted."""
    width, height = arguments.integer(0), arguments.integer(1)
    if width != height and Faults.RECTANGLE_SQUARED not in session.faults:
        raise GtpError("unacceptable size")
    session.set_size(width)
    return ""


@COMMANDS.command("kata-get-rules")
def _get_rules(session: Session, _: Arguments) -> str:
    """Answer the rules as JSON; see RULES."""
    if Faults.SHOWN_RULES_NAMED in session.faults:
        return "area"
    rules = {field: session.memory.shown.get(field, value) for field, value in RULES.items()}
    return json.dumps(rules, separators=(",", ":"))


@COMMANDS.command("kata-set-rules")
def _set_rules(session: Session, arguments: Arguments) -> str:
    """Accept the rules in the arguments if they are RULES as JSON."""
    arguments.word(0)  # raises MissingArgumentError if there is none
    wanted = _read_rules(" ".join(arguments.words))
    if Faults.SET_RULES_CLEARS_BOARD in session.faults:
        session.clear()
    if Faults.SET_RULES_IGNORED in session.faults:
        return ""
    if wanted != RULES or Faults.SHOWN_RULES_REFUSED in session.faults:
        if Faults.REFUSED_RULES_SHOWN in session.faults:
            session.memory.shown["ko"] = "SIMPLE"
        raise GtpError("unsupported rules")
    session.memory.shown.pop("ko", None)
    return ""


def _read_rules(text: str) -> Rules | None:
    """Return the rules of a JSON dictionary; None for other text, such as the name of a set of rules."""
    try:
        wanted = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return wanted if isinstance(wanted, dict) else None


@COMMANDS.command("kata-set-rule")
def _set_rule(session: Session, arguments: Arguments) -> str:
    """Accept one rule and its value if RULES has the same."""
    rule = arguments.word(0)
    try:
        value = arguments.word(1)
    except MissingArgumentError as error:
        if Faults.RULE_WITHOUT_VALUE_CRASHES in session.faults:
            raise DeliberateCrashError("no value") from error
        raise
    if Faults.SET_RULE_IGNORED in session.faults:
        return ""
    if rule not in RULES or value.lower() != str(RULES[rule]).lower():
        raise GtpError("unsupported rule")
    return ""


# What a referee asks for, as GoGui defines it


@COMMANDS.command("gogui-rules_game_id")
def _game_id(_session: Session, _: Arguments) -> str:
    return "Go"


@COMMANDS.command("gogui-rules_board")
def _board(session: Session, _: Arguments) -> str:
    size, stones = session.size, session.game.stones
    rows = [
        " ".join(_SIGNS.get(stone, ".") for stone in stones[row * size : (row + 1) * size])
        for row in range(size)
    ]
    return "\n".join(rows if Faults.BOARD_UPSIDE_DOWN in session.faults else reversed(rows))


@COMMANDS.command("gogui-rules_side_to_move")
def _side_to_move(session: Session, _: Arguments) -> str:
    always_black = Faults.SIDE_TO_MOVE_BLACK in session.faults
    return "black" if always_black or session.game.to_move == COLOURS["b"] else "white"


@COMMANDS.command("gogui-rules_legal_moves")
def _legal_moves(session: Session, _: Arguments) -> str:
    game = session.game
    points = [point for point in range(session.size**2) if game.legality(game.to_move, point) is None]
    if Faults.LEGAL_MOVES_OCCUPIED in session.faults:
        points = list(range(session.size**2))
    return " ".join([*map(session.vertex, points), session.vertex(None)])


@COMMANDS.command("gogui-rules_final_result")
def _final_result(session: Session, _: Arguments) -> str:
    score = session.score()
    return f"{'Black' if score > 0 else 'White'} wins by {abs(score):g}" if score else "draw"
