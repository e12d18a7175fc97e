"""`game.*`: the rules of the real game, by dialogues that any GTP engine can hold.

A dialogue is held on every board size that the bot accepts, each time under another symmetry of the board.
Every legality that is expected here is held against the referee in the tests. A bot that refuses too little
with `play` (ko and superko) may do so for the sake of other people's games, so that is SHOULD; what its own
`genmove` plays is MUST.
"""

from __future__ import annotations

from functools import partial

from harness.checks.judges.moves import judge_moves
from harness.checks.model import Check, Level, Requirements
from harness.checks.positions.settled import DAME, ONLY_WHITE_MOVES, settled
from harness.checks.positions.superko import SENT_TWO, WINNING
from harness.checks.procedures.dialogue import Dialogue, Step, dialogue, steps
from harness.checks.procedures.probe import Probe
from harness.checks.procedures.search import SearchProcedure
from harness.checks.procedures.whole_game import FINAL_SCORE, SIZE, FinalScore, WholeGame
from harness.go import Colour
from harness.gtp import format_vertex

must = partial(Check, level=Level.MUST)
should = partial(Check, level=Level.SHOULD)

NEW = "boardsize {size}\nclear_board\n"
talk = partial(dialogue, turns=True, all_sizes=True)

KO = NEW + "play b B2\nplay b C1\nplay w A2\nplay w A3\nplay w B1\nplay b A1\n"
"""Black has just taken the stone on B1 with A1; White may not take it back at B1."""

SEND_TWO = NEW + "play b A2\nplay b B2\nplay w C2\nplay w D1\nplay w B1\nplay w A1\nplay b C1\n"
"""White sent two stones, A1 and B1; taking C1 back at B1 would bring the board of one move earlier back."""

SENT_EARLY = NEW + "play w A1\nplay w B1\nplay b A2\nplay b B2\nplay w C2\nplay w D1\nplay b C1\n"
"""The same stones, but White's two were the first on the board: taking back at B1 makes a new board."""

TRIPLE_KO = (
    NEW + "play b D1\nplay b E2\nplay w F2\nplay w G1\nplay w E1\n"
    "play b A4\nplay b B5\nplay w B6\nplay w A7\nplay b A6\n"
    "play b D5\nplay b E4\nplay b E6\nplay w F4\nplay w F6\nplay w G5\nplay w E5\n"
    "play b F1\nplay w A5\nplay b F5\nplay w E1\nplay b A6\n"
)
"""Three kos, then five of the six captures of their cycle: White's E5 would bring the first board back."""

SNAPBACK = (
    NEW
    + "play w C1\nplay w C2\nplay w B2\nplay w A2\nplay b A3\nplay b B3\nplay b C3\nplay b D2\nplay b D1\n"
    "play b B1\nplay w A1\n"
)
"""White took one stone and has five in atari; taking them at B1 is no ko."""


def _great(ending: str, size: int, turn: int) -> list[Step]:
    """White fills the board but for two rows of Black's and one point inside; then `ending`."""
    inside = (size // 2 + 1, size // 2)
    white = [(row, column) for row in range(2, size) for column in range(size) if (row, column) != inside]
    black = [(1, column) for column in range(size)]
    stones = [*(("w", point) for point in white), *(("b", point) for point in black)]
    script = NEW + "".join(f"play {colour} {format_vertex(point)}\n" for colour, point in stones)
    return steps(script + ending.format(last=format_vertex(inside), corner=f"A{size}"), size, turn)


LEGALITY = (
    must(
        id="game.capture.stone",
        clause="complete-games",
        title="A stone without a liberty is taken off the board.",
        procedure=talk(NEW + "play w A1\nplay b A2\nplay b B1\nplay b A1"),
    ),
    must(
        id="game.capture.chain",
        clause="complete-games",
        title="A chain without a liberty is taken off the board, all of it.",
        procedure=talk(
            NEW + "play w C3\nplay w D3\nplay b B3\nplay b C2\nplay b D2\nplay b E3\nplay b C4\nplay b D4\n"
            "play b C3\nplay b D3"
        ),
    ),
    must(
        id="game.capture.two-chains",
        clause="complete-games",
        title="One move takes every chain that it leaves without a liberty.",
        procedure=talk(
            NEW + "play w A1\nplay w C1\nplay b A2\nplay b C2\nplay b D1\nplay b B1\nplay b A1\nplay b C1"
        ),
    ),
    must(
        id="game.capture.great",
        clause="complete-games",
        title="A chain as large as the board is taken off it, all of it.",
        procedure=Dialogue(
            partial(_great, "play b {last}\nplay w {corner}\nplay b {corner} -> ?\nplay w A2 -> ?"),
            all_sizes=True,
        ),
        hint="a chain may be as large as the board: no list or stack of fewer places will do",
        kills=("capture-at-most-32",),
    ),
    must(
        id="game.capture.before-suicide",
        clause="no-suicide",
        title="A move that takes something is no suicide.",
        procedure=talk(KO + "play b B1"),
        hint="take the opponent's stones first, then look for liberties",
    ),
    must(
        id="game.capture.snapback",
        clause="simple-ko",
        title="Taking several stones where one was just taken is no ko.",
        procedure=talk(SNAPBACK + "play b B1\nplay b A2\nplay b C2"),
        hint="a ko is one stone that takes one stone",
        kills=("snapback-as-ko",),
    ),
    must(
        id="game.capture.after-two",
        clause="superko",
        title="Taking back one stone that took two is no ko, where the board was never there before.",
        procedure=talk(SENT_EARLY + "play w B1\nplay w C1"),
        hint="compare boards, not shapes",
    ),
    must(
        id="game.suicide.stone",
        clause="no-suicide",
        title="A single stone may not be played where it has no liberty.",
        procedure=talk(NEW + "play b A2\nplay b B1\nplay w A1 -> ?\nplay b A1"),
    ),
    must(
        id="game.suicide.centre",
        clause="no-suicide",
        title="Nor in the middle of the board.",
        procedure=talk(NEW + "play b D3\nplay b D5\nplay b C4\nplay b E4\nplay w D4 -> ?\nplay b D4"),
    ),
    must(
        id="game.suicide.chain",
        clause="no-suicide",
        title="A chain may not be played where it has no liberty.",
        procedure=talk(
            NEW + "play w A1\nplay b B1\nplay b B2\nplay b A3\nplay w A2 -> ?\nplay b A2\nplay b A1"
        ),
        kills=("suicide-game", "suicide-game-multi"),
    ),
    must(
        id="game.suicide.great",
        clause="no-suicide",
        title="Nor may a chain as large as the board.",
        procedure=Dialogue(partial(_great, "play w {last} -> ?\nplay b {last}"), all_sizes=True),
        hint="a chain may be as large as the board: no list or stack of fewer places will do",
        kills=("suicide-game", "suicide-game-multi"),
    ),
    must(
        id="game.ko.ends",
        clause="simple-ko",
        title="The ko may be taken back once something else was played.",
        procedure=talk(KO + "play w F5\nplay b F6\nplay w B1\nplay w A1"),
        hint="the ban lasts for one move",
    ),
    should(
        id="game.ko.play",
        clause="simple-ko",
        title="play refuses to take a ko back at once.",
        procedure=talk(KO + "play w B1 -> ?\nplay b B1"),
    ),
    should(
        id="game.superko.play",
        clause="superko",
        title="play refuses to bring an earlier board back, after passes too.",
        procedure=talk(
            KO + "play w pass\nplay b pass\nplay w B1 -> ?\n" + SEND_TWO + "play w B1 -> ?\nplay w A1"
        ),
    ),
    must(
        id="game.superko.forgets",
        clause="superko",
        title="clear_board forgets the boards of the game before.",
        procedure=talk((KO + "play w F5\nplay b F6\nplay w B1\n") * 2),
        hint="clear the history with the board",
        kills=("superko-survives-clear",),
    ),
    should(
        id="game.superko.play-three",
        clause="superko",
        title="play refuses the move that would close the cycle of a triple ko.",
        procedure=talk(TRIPLE_KO + "play w E5 -> ?\nplay w A5 -> ?\nplay w H8"),
    ),
    must(
        id="game.superko.undo-capture",
        clause="superko",
        title="A capture that was undone may be made again.",
        procedure=talk(
            KO + "play w F5\nplay b F6\nplay w B1\nundo\nplay w A1 -> ?\nplay w B1\nplay w A1",
        ),
        requires=Requirements(optional_commands=("undo",)),
        hint="cut the history back with the board",
        kills=("superko-survives-undo",),
    ),
    must(
        id="game.superko.undo",
        clause="superko",
        title="undo takes a board out of the history.",
        procedure=talk(
            NEW + "play b C3\nundo\nplay b C3\nplay w D4\nundo\nundo\nplay w D4\nplay b C3\nundo\nplay b C3",
        ),
        requires=Requirements(optional_commands=("undo",)),
        hint="a board that was undone was never there",
        kills=("superko-survives-undo",),
    ),
)

KO_TAKEN = settled("D5", "E6 E4")
THREE_KOS = settled("D8 D2 E5", white="D5 E9 E7 E6 E4 E3 E1")
"""White may take E8 and E2, Black may take D5; each may fill the kos that are its own."""
THREE_KO_CYCLE: tuple[tuple[Colour, str], ...] = (
    ("w", "D8"), ("b", "E5"), ("w", "D2"), ("b", "E8"), ("w", "D5"),
)  # fmt: skip
"""Five of the six captures of the cycle: Black's E2 would bring the first board back, E5 the last but one.

Left to Black is to fill D8; with a komi that loses every playout, no candidate is better than another.
"""
PASSES: tuple[tuple[Colour, str], ...] = (("w", "pass"), ("b", "pass")) * 6

_CHOICES = (
    (
        "suicide.genmove",
        "no-suicide",
        "Where only suicide is left, the bot passes.",
        Probe("only-suicide", settled("J9", black="J8"), "b"),
        ("PASS",),
    ),
    (
        "colour.genmove",
        "complete-games",
        "genmove moves for the colour it is given, also out of turn.",
        Probe("out-of-turn", ONLY_WHITE_MOVES, "w", tail=(("b", "pass"), ("w", "pass"))),
        ("G1",),
    ),
    (
        "resign.genmove",
        "complete-games",
        "A lost game is played to its end.",
        Probe("lost", DAME[1], "b", WINNING),
        ("E9",),
    ),
    (
        "eye.genmove",
        "best-rate",
        "Where only its own eyes are left, the bot passes.",
        Probe("only-eyes", settled("D5 E9", black="E9"), "b"),
        ("PASS",),
    ),
    (
        "pass.candidate",
        "no-early-pass",
        "The bot plays on while it has a candidate, also when it has lost.",
        Probe("lost-with-dame", DAME[1], "b", WINNING),
        ("E9",),
    ),
    (
        "pass.answer",
        "no-early-pass",
        "A pass of the opponent is no reason to pass.",
        Probe("dame-after-pass", DAME[1], "b", tail=(("w", "pass"),)),
        ("E9",),
    ),
    (
        "pass.self",
        "no-early-pass",
        "Harming itself is no reason to pass.",
        Probe("big-eye", settled("A9 B9"), "b"),
        ("A9", "B9"),
    ),
    (
        "pass.false-eye",
        "no-early-pass",
        "A false eye is a candidate.",
        Probe("false-eye", ONLY_WHITE_MOVES, "w"),
        ("G1",),
    ),
    (
        "ko.genmove",
        "superko",
        "A ko is not taken back at once: with nothing else to play, the bot passes.",
        Probe("ko-only", KO_TAKEN, "b", tail=(("w", "D5"),)),
        ("PASS",),
    ),
    (
        "superko.after-passes",
        "superko",
        "A ko is not taken back after passes either: the board has been there before.",
        Probe("ko-passes", KO_TAKEN, "b", tail=(("w", "D5"), ("b", "pass"), ("w", "pass"))),
        ("PASS",),
    ),
    (
        "superko.long-ago",
        "superko",
        "A board of many moves ago is not brought back.",
        Probe("ko-many-passes", KO_TAKEN, "b", tail=(("w", "D5"), ("b", "pass"), *PASSES, ("w", "pass"))),
        ("PASS",),
    ),
    (
        "superko.triple-ko",
        "superko",
        "A cycle of three kos is not closed.",
        Probe("triple-ko", THREE_KOS, "b", WINNING, tail=THREE_KO_CYCLE),
        ("D8",),
    ),
    (
        "superko.send-two",
        "superko",
        "A board is not brought back, whoever was to move then.",
        Probe("send-two", SENT_TWO, "w", WINNING, tail=(("w", "A1"), ("b", "C1"))),
        ("A1",),
    ),
)
_KILLS = {
    "suicide.genmove": ("suicide-game", "suicide-game-multi"),
    "colour.genmove": ("genmove-ignores-colour",),
    "resign.genmove": ("genmove-resigns",),
    "ko.genmove": ("superko-none",),
    "superko.after-passes": ("superko-none", "superko-simple", "superko-situational"),
    "superko.long-ago": ("superko-recent",),
    "superko.triple-ko": ("superko-simple",),
    "superko.send-two": ("superko-simple", "superko-situational"),
}
LEAST_WITH_CHOICE = 12
"""Searches where a faulty bot has a second candidate that is as good: it stays unseen once in 4,096 times."""
GENMOVE = tuple(
    must(
        id=f"game.{name}",
        clause=clause,
        title=title,
        procedure=SearchProcedure(
            probe,
            judge_moves(allowed),
            least=LEAST_WITH_CHOICE if probe.komi == WINNING else 2,
            most=12,
            least_quick=6 if probe.komi == WINNING else 2,
        ),
        requires=Requirements(optional_size=True),
        identifies=True,
        kills=_KILLS.get(name, ()),
    )
    for name, clause, title, probe, allowed in _CHOICES
)

WHOLE = (
    must(
        id="game.whole",
        clause="complete-games",
        title="The bot plays a game to its end, by the rules, on both sides.",
        procedure=WholeGame(),
        requires=Requirements(board_size=SIZE),
    ),
    must(
        id="game.final-score",
        clause="area-scoring",
        title="final_score counts area and komi.",
        procedure=FinalScore(((7.5, "B+1.5"), (9.5, "W+0.5"), (9.0, "0"))),
        requires=FINAL_SCORE,
    ),
    must(
        id="game.final-score-komi",
        clause="komi",
        title="final_score counts with the komi that was set last.",
        procedure=FinalScore(((5.5, "B+3.5"), (9.5, "W+0.5"), (9.0, "0")), komi_last=True),
        requires=FINAL_SCORE,
        hint="read komi when the score is asked for, keep no score from before",
        kills=("final-score-without-komi", "komi-first-only"),
    ),
)

CHECKS = LEGALITY + WHOLE + GENMOVE
