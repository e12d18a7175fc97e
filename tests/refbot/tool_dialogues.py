"""Dialogues that show the faults and habits of commands about rules, of KGS and of tools.

Each has what is sent, what an engine with --extensions writes, and what one with the fault or habit writes.
"""

from __future__ import annotations

Dialogues = dict[str, tuple[str, str, str]]

OK = "= \n\n"
ILLEGAL = "? illegal move\n\n"
MISSING = "? missing argument\n\n"
SIZE = "? unacceptable size\n\n"
RULES = (
    '{"hasButton":false,"ko":"POSITIONAL","scoring":"AREA","suicide":false,"tax":"NONE",'
    '"whiteHandicapBonus":"0"}'
)
OTHER_RULES = RULES.replace("POSITIONAL", "SIMPLE")
SHOWN = f"= {RULES}\n\n"
UNSUPPORTED = "? unsupported rules\n\n"
CRASH = "<crash>"

# Black A1 B1 A2 on 2x2: White's only move is B2, capturing all.
CORNER = "boardsize 2\nplay b A1\nplay b B1\nplay b A2\n"
CORNER_OK = OK * 4

FAULTS: Dialogues = {
    "small-sizes-padded": (
        "boardsize 3\nplay b C3\nplay w C4\nboardsize 5\nplay b E5\nplay w E6\n",
        OK * 2 + ILLEGAL + OK * 2 + ILLEGAL,
        OK * 5 + ILLEGAL,
    ),
    "get-komi-whole": ("komi 6.5\nget_komi\n", OK + "= 6.5\n\n", OK + "= 6\n\n"),
    "cleared-komi-shown": (
        "komi 5.5\nkomi 6.5\nget_komi\nclear_board\nget_komi\n",
        OK * 2 + "= 6.5\n\n" + OK + "= 6.5\n\n",
        OK * 2 + "= 6.5\n\n" + OK + "= 5.5\n\n",
    ),
    "refused-komi-shown": (
        "komi abc\nget_komi\nkomi 1\nget_komi\n",
        "? expected a number\n\n= 7.5\n\n" + OK + "= 1.0\n\n",
        "? expected a number\n\n= 0.0\n\n" + OK + "= 1.0\n\n",
    ),
    "shown-size-largest": (
        "query_boardsize\ngogui-rules_board_size\n", "= 9\n\n" * 2, "= 25\n\n" * 2
    ),
    "refused-size-shown": (
        "boardsize 99\nquery_boardsize\nboardsize 9\nquery_boardsize\n",
        SIZE + "= 9\n\n" + OK + "= 9\n\n",
        SIZE + "= 99\n\n" + OK + "= 9\n\n",
    ),
    "rectangle-squared": (
        "rectangular_boardsize 5 5\nrectangular_boardsize 9 5\nquery_boardsize\n",
        OK + SIZE + "= 5\n\n",
        OK * 2 + "= 9\n\n",
    ),
    "shown-rules-named": ("kata-get-rules\n", SHOWN, "= area\n\n"),
    "shown-rules-refused": (f"kata-set-rules {RULES}\n", OK, UNSUPPORTED),
    "set-rules-ignored": (
        "kata-set-rules japanese\nkata-get-rules\n", UNSUPPORTED + SHOWN, OK + SHOWN
    ),
    "refused-rules-shown": (
        "kata-set-rules japanese\nkata-get-rules\n", UNSUPPORTED + SHOWN, f"{UNSUPPORTED}= {OTHER_RULES}\n\n"
    ),
    "set-rules-clears-board": (
        "play b A1\nkata-set-rules japanese\nplay w A1\n", OK + UNSUPPORTED + ILLEGAL, OK + UNSUPPORTED + OK
    ),
    "set-rule-ignored": (
        "kata-set-rule scoring AREA\nkata-set-rule ko SIMPLE\nkata-get-rules\n",
        OK + "? unsupported rule\n\n" + SHOWN,
        OK * 2 + SHOWN,
    ),
    "board-upside-down": (
        "boardsize 2\nplay b A1\ngogui-rules_board\n",
        OK * 2 + "= . .\nX .\n\n",
        OK * 2 + "= X .\n. .\n\n",
    ),
    "side-to-move-black": (
        "gogui-rules_side_to_move\nplay b A1\ngogui-rules_side_to_move\n",
        "= black\n\n" + OK + "= white\n\n",
        "= black\n\n" + OK + "= black\n\n",
    ),
    "legal-moves-occupied": (
        CORNER + "gogui-rules_legal_moves\n",
        CORNER_OK + "= B2 pass\n\n",
        CORNER_OK + "= A1 B1 A2 B2 pass\n\n",
    ),
    "cleanup-passes": (
        CORNER + "kgs-genmove_cleanup w\nundo\nplay w B2\n",
        CORNER_OK + "= B2\n\n" + OK * 2,
        CORNER_OK + "= pass\n\n" + OK * 2,
    ),
    "cleanup-not-played": (
        CORNER + "kgs-genmove_cleanup w\nplay w B2\n",
        CORNER_OK + "= B2\n\n" + ILLEGAL,
        CORNER_OK + "= B2\n\n" + OK,
    ),
    "cleanup-answers-play": (
        CORNER + "kgs-genmove_cleanup w\n", CORNER_OK + "= B2\n\n", CORNER_OK + "= w B2\n\n"
    ),
    "game-over-crashes": ("kgs-game_over\n", OK, CRASH),
    "game-over-closes": (
        "kgs-game_over\nclear_board\nplay b A1\n", OK * 3, OK * 2 + ILLEGAL
    ),
    "kgs-rules-crashes": (
        "kgs-rules chinese\nkgs-rules aga\n", OK + UNSUPPORTED, OK + CRASH
    ),
    "private-chat-crashes": (
        "kgs-chat game ann hello\nkgs-chat private ann hello\n",
        "= Hello ann, I am a program.\n\n" * 2,
        "= Hello ann, I am a program.\n\n" + CRASH,
    ),
    "move-unexplained": (
        "gomill-explain_last_move\n" + CORNER + "genmove w\ngomill-explain_last_move\n",
        OK + CORNER_OK + "= B2\n\n= 10 playouts, score 1.000\n\n",
        OK + CORNER_OK + "= B2\n\n? no comment\n\n",
    ),
    "keywords-unlisted": ("gomill-genmove_ex\n", OK, MISSING),
    "keyword-refused": (
        CORNER + "gomill-genmove_ex w claim\n", CORNER_OK + "= B2\n\n", CORNER_OK + "? unknown keyword\n\n"
    ),
    "setup-all-black": (
        "boardsize 3\ngogui-setup w A1 b A2\ngogui-setup b B1\nplay b B1\nplay b A1\n",
        OK * 2 + "? board not empty\n\n" + OK * 2,
        OK * 2 + "? board not empty\n\n" + OK + ILLEGAL,
    ),
    "sequence-of-one": (
        "gogui-play_sequence b A1 w B1\nplay b B1\n", OK + ILLEGAL, OK * 2
    ),
    "sequence-left-half": (
        "gogui-play_sequence b A1 w A1\nplay w A1\n", ILLEGAL + OK, ILLEGAL * 2
    ),
    "interrupt-refused": ("gogui-interrupt\n", OK, "? nothing to interrupt\n\n"),
    "rule-without-value-crashes": ("kata-set-rule\nkata-set-rule ko\n", MISSING * 2, MISSING + CRASH),
    "chat-without-words-crashes": ("kgs-chat game ann\n", MISSING, CRASH),
    "genmove-ex-colour-crashes": ("gomill-genmove_ex x\n", "? invalid color\n\n", CRASH),
}  # fmt: skip

HABITS: Dialogues = {
    "cleanup-resigns": ("kgs-genmove_cleanup x\n" + CORNER + "kgs-genmove_cleanup w\n",
                        "? invalid color\n\n" + CORNER_OK + "= B2\n\n",
                        "? invalid color\n\n" + CORNER_OK + "= resign\n\n"),
    "ends-with-game": ("kgs-game_over\nname\n", OK + "= refbot\n\n", OK),
    "kgs-rules-ignored": ("kgs-rules japanese\n", UNSUPPORTED, OK),
    "chat-refused": (
        "kgs-chat game ann hello\n",
        "= Hello ann, I am a program.\n\n",
        "? I am a program and do not chat.\n\n",
    ),
}  # fmt: skip
