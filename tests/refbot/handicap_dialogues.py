"""Dialogues that show the faults and habits of handicaps, clocks, reg_genmove and undo.

Each has what is sent, what the plain engine writes, and what the engine with the fault or habit writes.
"""

from __future__ import annotations

Dialogues = dict[str, tuple[str, str, str]]

OK = "= \n\n"
ILLEGAL = "? illegal move\n\n"
NUMBER = "? invalid number of stones\n\n"
NOT_EMPTY = "? board not empty\n\n"
LIST = "? bad vertex list\n\n"
TWO = "= C3 G7\n\n"
FOUR = "= C3 G7 C7 G3\n\n"
MISSING = "? missing argument\n\n"
NO_INTEGER = "? expected an integer\n\n"

# Black A1 B1 A2 on 2x2: White's only move is B2, capturing all.
CORNER = "boardsize 2\nplay b A1\nplay b B1\nplay b A2\n"
# With komi 100 Black's only move, B2, is played in a lost game.
LOST = "komi 100\nboardsize 2\nplay w A1\nplay w B1\nplay w A2\n"
# Black has just taken a stone on B1 with A1: White may not take back.
KO = "".join(f"play {move}\n" for move in ("b B2", "w A2", "b C1", "w B1", "b A1"))

FAULTS: Dialogues = {
    "fixed-handicap-unanswered": ("fixed_handicap 2\nplay w C3\n", TWO + ILLEGAL, OK + ILLEGAL),
    "fixed-handicap-in-one-order": (
        "fixed_handicap 4\nclear_board\nfixed_handicap 5\n",
        FOUR + OK + "= C3 G7 C7 G3 E5\n\n",
        FOUR + OK + "= C3 G7 C7 G3 C5\n\n",
    ),
    "fixed-handicap-not-placed": ("fixed_handicap 2\nplay w C3\n", TWO + ILLEGAL, TWO + OK),
    "fixed-handicap-second-line": (
        "boardsize 8\nfixed_handicap 2\nboardsize 9\nfixed_handicap 2\n",
        OK + "= C3 F6\n\n" + OK + TWO,
        OK + "= B2 G7\n\n" + OK + TWO,
    ),
    "fixed-handicap-cut": (
        "boardsize 7\nfixed_handicap -1\nfixed_handicap 11\n",
        OK + NUMBER * 2,
        OK * 2 + "= C3 E5 C5 E3 C4 E4 D3 D5 D4\n\n",
    ),
    "fixed-handicap-above-nine-crashes": (
        "fixed_handicap 1\nfixed_handicap 10\n", NUMBER * 2, NUMBER + "<crash>"
    ),
    "handicap-alternates": (
        "fixed_handicap 2\nfinal_status_list alive\nfinal_score\n",
        TWO + "= C3\nG7\n\n= B+73.5\n\n",
        TWO + "= C3\nG7\n\n= W+7.5\n\n",
    ),
    "handicap-on-stones": (
        "play b E5\nfixed_handicap 2\nplay w C3\n", OK + NOT_EMPTY + OK, OK + TWO + ILLEGAL
    ),
    "handicap-word-is-two": ("fixed_handicap abc\nfixed_handicap\n", NO_INTEGER + MISSING, TWO + MISSING),
    "handicap-argument-crashes": (
        "place_free_handicap\nfixed_handicap\n", MISSING * 2, MISSING + "<crash>"
    ),
    "handicap-once": (
        "fixed_handicap 2\nclear_board\nplay b C3\nclear_board\nfixed_handicap 2\n",
        TWO + OK * 3 + TWO,
        TWO + OK * 3 + NOT_EMPTY,
    ),
    "clear-keeps-handicap": (
        "fixed_handicap 2\nclear_board\nplay w C3\nboardsize 9\nplay w C3\n",
        TWO + OK * 4,
        TWO + OK + ILLEGAL + OK * 2,
    ),
    "place-handicap-repeats": (
        "place_free_handicap 3\nplay w C7\n", "= C3 G7 C7\n\n" + ILLEGAL, "= C3 G7 C3\n\n" + OK
    ),
    "place-handicap-not-placed": ("place_free_handicap 2\nplay w C3\n", TWO + ILLEGAL, TWO + OK),
    "place-handicap-cut": (
        "place_free_handicap -1\nplace_free_handicap abc\n", NUMBER + NO_INTEGER, OK + NO_INTEGER
    ),
    "set-handicap-on-stones": (
        "play b E5\nset_free_handicap C3 G7\nplay w C3\n", OK + NOT_EMPTY + OK, OK * 2 + ILLEGAL
    ),
    "set-handicap-repeats": ("set_free_handicap C3 G7 C3\nplay w C3\n", LIST + OK, OK + ILLEGAL),
    "set-handicap-skips-pass": ("set_free_handicap C3 pass G7\nplay w G7\n", LIST + OK, OK + ILLEGAL),
    "set-handicap-any-vertex": (
        "set_free_handicap C3 Z99\nset_free_handicap C3 K1\n", "? invalid vertex\n\n" + ILLEGAL, OK + ILLEGAL
    ),
    "set-handicap-of-two": ("set_free_handicap C3 G7 E5\nplay w E5\n", OK + ILLEGAL, OK * 2),
    "handicap-move-not-undone": (
        "fixed_handicap 2\nplay w E5\nplay b E4\nundo\nundo\n",
        TWO + OK * 4,
        TWO + OK * 3 + "? cannot undo\n\n",
    ),
    "time-settings-of-two": ("time_settings 1 2\ntime_settings 1\n", MISSING * 2, OK + MISSING),
    "time-settings-argument-crashes": ("time_settings 1\ntime_settings\n", MISSING * 2, MISSING + "<crash>"),
    "time-settings-word-is-zero": (
        "time_settings 1 abc 2\ntime_settings 1 2\n", NO_INTEGER + MISSING, OK + MISSING
    ),
    "no-limit-refused": (
        "time_settings 60 0 0\ntime_settings 0 1 0\n", OK * 2, OK + "? no stones in byo-yomi\n\n"
    ),
    "time-left-any-colour": (
        "time_left q 1 0\ntime_left q a 0\n",
        "? invalid color\n\n" * 2,
        OK + NO_INTEGER,
    ),
    "time-left-without-stones": ("time_left b 1\ntime_left b\n", MISSING * 2, OK + MISSING),
    "time-left-word-is-zero": ("time_left b abc 0\ntime_left b 1\n", NO_INTEGER + MISSING, OK + MISSING),
    "time-left-divides-by-stones": (
        "time_left b 9 1\ntime_left b 9 0\n", OK * 2, OK + "? no stones in byo-yomi\n\n"
    ),
    "time-left-over-crashes": ("time_left b 1 0\ntime_left b 0 0\n", OK * 2, OK + "<crash>"),
    "kgs-time-none-refused": (
        "kgs-time_settings absolute 9\nkgs-time_settings none\n", OK * 2,
        OK + "? expected a time\n\n",
    ),
    "kgs-time-numbers-unread": (
        "kgs-time_settings absolute\nkgs-time_settings foo\n",
        MISSING + "? expected none, absolute, byoyomi or canadian\n\n",
        OK + "? expected none, absolute, byoyomi or canadian\n\n",
    ),
    "undo-lifts-ko": (
        KO + "play w B1\nplay w F5\nundo\nplay w B1\n", OK * 5 + ILLEGAL + OK * 2 + ILLEGAL,
        OK * 5 + ILLEGAL + OK * 3,
    ),
    "reg-genmove-plays": (
        CORNER + "reg_genmove w\nplay w B2\n", OK * 4 + "= B2\n\n" + OK, OK * 4 + "= B2\n\n" + ILLEGAL
    ),
    "reg-genmove-counts": (
        CORNER + "reg_genmove w\nundo\nplay b A2\n",
        OK * 4 + "= B2\n\n" + OK * 2,
        OK * 4 + "= B2\n\n" + OK + ILLEGAL,
    ),
    "reg-genmove-any-colour": (
        "boardsize 2\nplay w A1\nplay w B1\nplay w A2\nreg_genmove x\nreg_genmove\n",
        OK * 4 + "? invalid color\n\n" + MISSING,
        OK * 4 + "= B2\n\n" + MISSING,
    ),
    "reg-genmove-answers-last": (CORNER + "reg_genmove w\n", OK * 4 + "= B2\n\n", OK * 4 + "= A2\n\n"),
    "resignation-played": (
        LOST + "genmove b\nplay b B2\n", OK * 5 + "= B2\n\n" + ILLEGAL, OK * 5 + "= resign\n\n" + ILLEGAL
    ),
}  # fmt: skip

HABITS: Dialogues = {
    "handicap-fewer": ("place_free_handicap 9\n", "= C3 G7 C7 G3 C5 G5 E3 E7 E5\n\n", "= C3 G7 C7\n\n"),
    "handicap-of-one": (
        "set_free_handicap E5\nclear_board\nfixed_handicap 1\n", LIST + OK + NUMBER, OK * 2 + "= C3\n\n"
    ),
    "handicap-on-any-board": (
        "boardsize 8\nfixed_handicap 5\nboardsize 6\nfixed_handicap 2\n",
        OK + NUMBER + OK + NUMBER,
        OK + "= C3 F6 C6 F3 E5\n\n" + OK + NUMBER,
    ),
    "handicap-half-set": ("set_free_handicap C3 pass\nplay w C3\n", LIST + OK, LIST + ILLEGAL),
    "handicap-undone": (
        "fixed_handicap 2\nundo\nplay w G7\n", TWO + "? cannot undo\n\n" + ILLEGAL, TWO + OK * 2
    ),
}  # fmt: skip
