"""`ref.state.*`: a search depends on the position and the komi, not on how the bot was led there.

Other checks reach the same positions directly; here a detour leads there (see `setup_paths`).
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from harness.check.judges.moments import judge_cap, judge_moments
from harness.check.judges.moves import judge_moves, judge_ties
from harness.check.model import NODES_AND_SCORE, PLAYOUT_COUNT, Check, Level
from harness.check.positions import (
    DAME,
    ONLY_BLACK_MOVES,
    TWO_WAYS,
    TWO_WAYS_DECIDED,
    TWO_WAYS_LOST,
    settled,
)
from harness.check.procedures.chosen_move import KOS
from harness.check.procedures.late_probes import CAP, late, passed_on
from harness.check.procedures.probe import Probe
from harness.check.procedures.search import SearchProcedure, SeriesJudge

must = partial(Check, level=Level.MUST)

BOTH = judge_moments()
SEARCHES = 24
"""Of a choice among two equal candidates: one is always chosen by chance once in 8 million times."""

HASTY = 12
"""The same under a quick budget."""

BOTH_LOSE = Probe("", TWO_WAYS, "b", TWO_WAYS_LOST, turns=False)
KO_OF_THE_GAME = Probe("", settled("D5 E9", "E6 E4"), "b", tail=(("w", "D5"),))
KO_STILL_TO_COME = Probe("", settled("D5 D2", "E6 E4 E3 E1"), "b")
KO_LONG_AGO = Probe("", settled("D5", "E6 E4"), "b", tail=(("w", "D5"), ("b", "pass"), ("w", "pass")))
ONE_POINT = passed_on(Probe("", ONLY_BLACK_MOVES, "b", -7.5), CAP - 1)
"""Black fills a point: with one move left that is all, without a cap two passes follow."""

KO_ONLY = Probe("", settled("D5", "E6 E4"), "b", tail=(("w", "D5"),))


def led(probe: Probe, setup_path: str, other_komi: float = 0.0, *, name: str) -> Probe:
    """The probe, reached by a detour."""
    return replace(probe, id=f"state-{name}", setup_path=setup_path, other_komi=other_komi)


def _state(
    name: str,
    clause: str,
    title: str,
    probe: Probe,
    judge: SeriesJudge,
    hint: str,
    *,
    least: int = 2,
    kills: tuple[str, ...] = (),
) -> Check:
    needs = PLAYOUT_COUNT if least == SEARCHES else NODES_AND_SCORE
    return must(
        id=f"ref.state.{name}",
        clause=clause,
        title=title,
        procedure=SearchProcedure(
            probe,
            judge,
            least=least,
            most=max(least, 40),
            least_quick=min(least, HASTY),
        ),
        requires=needs,
        hint=hint,
        kills=kills,
    )


CHECKS = (
    _state(
        "komi-last",
        "komi",
        "A search uses a komi that was set in mid-game.",
        led(Probe("", DAME[1], "b", 8.5), "komi-last", 30.5, name="komi-last"),
        BOTH,
        "read komi when a search starts, not when a game does",
    ),
    _state(
        "komi-searched",
        "komi",
        "A search after a change of komi ignores the komi of the search before.",
        led(Probe("", DAME[1], "w", 6.5), "searched", 30.5, name="komi-searched"),
        BOTH,
        "read komi when a search starts; keep no results of an earlier one",
    ),
    _state(
        "komi-before-board",
        "komi",
        "boardsize and clear_board keep the komi that was set before them.",
        led(Probe("", DAME[1], "b", 8.5), "komi-first", 30.5, name="komi-first"),
        BOTH,
        "let boardsize and clear_board change the board and its history only",
    ),
    _state(
        "komi-undo",
        "komi",
        "undo takes back a move; it does not bring back an earlier komi.",
        led(Probe("", DAME[1], "b", 8.5), "komi-before-undo", 30.5, name="komi-undo"),
        BOTH,
        "keep the komi apart from the history of the game",
        kills=("komi-undone",),
    ),
    _state(
        "fresh-records",
        "amaf",
        "A search starts with empty records, also in a position that was searched before.",
        led(BOTH_LOSE, "searched", TWO_WAYS_DECIDED, name="records"),
        judge_ties,
        "set visits and wins to 0 at the start of every search",
        least=SEARCHES,
    ),
    _state(
        "searched",
        "ref-score",
        "ref-nodes and ref-score describe the last search only.",
        led(KO_STILL_TO_COME, "searched", -50.5, name="searched"),
        BOTH,
        "set the sums to 0 at the start of every search",
    ),
    _state(
        "out-of-turn",
        "complete-games",
        "Playouts begin with the colour that genmove names, also if that colour moved last.",
        Probe("state-out-of-turn", ONLY_BLACK_MOVES, "b", -7.5, tail=(("b", "pass"),)),
        BOTH,
        "start each playout with the colour of genmove, not with the one whose turn it is on the board",
        kills=("playouts-follow-turn",),
    ),
    _state(
        "ko-undone",
        "simple-ko",
        "After undo brings back a ko, the first move of a playout may not retake it.",
        led(KO_OF_THE_GAME, "undone", name="ko-undone"),
        BOTH,
        "undo restores the ko as well as the stones",
    ),
    _state(
        "ko-generated",
        "simple-ko",
        "After genmove has taken a ko, the first move of a playout may not retake it.",
        led(KO_ONLY, "generated", name="ko-generated"),
        BOTH,
        "genmove makes its move by the same function as play, which notes the ko",
        kills=("ko-own-forgotten",),
    ),
    _state(
        "ko-undone-genmove",
        "superko",
        "After undo brings back a ko, genmove does not retake it.",
        led(KO_ONLY, "undone", name="ko-only-undone"),
        judge_moves(("PASS",), KOS),
        "undo restores the history as well as the stones",
    ),
    _state(
        "superko-undone",
        "superko",
        "Passes that were undone do not make the bot forget earlier boards (superko).",
        led(KO_LONG_AGO, "undone-all-along", name="superko-undone"),
        judge_moves(("PASS",), KOS),
        "undo removes from the history what the undone move had added, and nothing else",
        kills=("superko-lost-with-pass",),
    ),
    _state(
        "cap-undone",
        "move-cap",
        "Moves that were taken back by undo do not count towards the move cap.",
        led(late(CAP - 3), "undone", name="cap-undone"),
        judge_cap(either=True),
        "count the moves of the game as it stands",
    ),
    _state(
        "cap-another-game",
        "move-cap",
        "The moves of the game before do not count towards the move cap.",
        led(late(CAP - 3), "after-another-game", name="cap-another-game"),
        judge_cap(either=True),
        "let clear_board set the number of moves to 0",
        kills=("clear-keeps-count",),
    ),
    _state(
        "cap-own-moves",
        "move-cap",
        "Moves that genmove played count towards the move cap like moves that play placed.",
        led(ONE_POINT, "generated", name="cap-generated"),
        judge_cap(either=True, natural=3),
        "count every move of the game, whichever command made it",
    ),
    _state(
        "superko-komi",
        "superko",
        "A komi that is set in mid-game does not make the bot forget earlier boards (superko).",
        led(KO_LONG_AGO, "komi-last", 30.5, name="superko-komi"),
        judge_moves(("PASS",), KOS),
        "let the komi command set a number and nothing else",
    ),
    _state(
        "another-game",
        "complete-games",
        "A search after clear_board and a new komi uses no stone and no komi of the previous game.",
        led(
            Probe("", settled("D1 E9 G5 B5", "E2"), "b", 4.0), "after-another-game", 30.5, name="another-game"
        ),
        BOTH,
        "clear_board forgets stones, ko, moves and passes",
    ),
    _state(
        "another-game-ko",
        "complete-games",
        "A search after clear_board obeys no ko ban of the game before.",
        led(KO_STILL_TO_COME, "after-another-game", 30.5, name="another-game-ko"),
        BOTH,
        "clear_board forgets stones, ko, moves and passes",
    ),
)
