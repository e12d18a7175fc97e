"""`game.*`: the rules of the real game, by dialogues that any GTP engine can hold.

A dialogue is held on every board size that the bot accepts, each time under another symmetry of the board.
Every legality that is expected here is held against the referee in the tests. A bot that refuses too little
with `play` (ko and superko) may do so for the sake of other people's games, so that is SHOULD; what its own
`genmove` plays is MUST.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from harness.checks.judges.moves import judge_colour, judge_moves
from harness.checks.model import Ability, Check, Level, Requirements
from harness.checks.positions.settled import DAME, ONE_POINT_EACH, ONLY_WHITE_MOVES, settled
from harness.checks.positions.superko import SENT_TWO, WINNING
from harness.checks.procedures.chosen_move import KOS, Violation
from harness.checks.procedures.dialogue import Dialogue, Step, dialogue, steps
from harness.checks.procedures.ko_for_ever import KoForEver
from harness.checks.procedures.probe import Probe
from harness.checks.procedures.search import SearchProcedure
from harness.checks.procedures.whole_game import FINAL_SCORE, SIZE, FinalScore, WholeGame
from harness.go import Colour
from harness.gtp import format_vertex

must = partial(Check, level=Level.MUST)
should = partial(Check, level=Level.SHOULD)

NEW = "boardsize {size}\nclear_board\n"
talk = partial(dialogue, turns=True, all_sizes=True, about_rules=True)


def lay(black: str, white: str) -> str:
    """Lines that lay stones in turns, Black first; as many of each colour, or one more black one."""
    colours: list[tuple[str, list[str]]] = [("b", black.split()), ("w", white.split())]
    return "".join(
        f"play {colour} {vertices[number]}\n"
        for number in range(len(black.split()))
        for colour, vertices in colours
        if number < len(vertices)
    )


KO = NEW + lay("B2 C1", "A2 B1") + "play b A1\n"
"""Black has just taken the stone on B1 with A1; White may not take it back at B1."""

SEND_TWO = NEW + lay("A2 B2 G7", "C2 D1 B1") + "play b pass\nplay w A1\nplay b C1\n"
"""White sent two stones, A1 and B1; taking C1 back at B1 would bring the board of the pass back."""

SENT_EARLY = NEW + lay("A2 B2 G7 H5", "A1 B1 C2 D1") + "play b C1\n"
"""The same stones, but A1 was there before B1: taking back at B1 makes a new board."""

TRIPLE_KO = (
    NEW
    + lay("D1 E2 A4 B5 A6 D5 E4 E6 J9", "F2 G1 E1 B6 A7 F4 F6 G5 E5")
    + "play b F1\nplay w A5\nplay b F5\nplay w E1\nplay b A6\n"
)
"""Three kos, then five of the six captures of their cycle: White's E5 would bring the first board back."""

SNAPBACK = NEW + lay("A3 B3 C3 D2 D1 B1", "C1 C2 B2 A2 G7 A1")
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
        id="game.superko.forgets",
        clause="superko",
        title="clear_board forgets the boards of the game before.",
        procedure=dialogue(
            NEW + "play b C3\nplay w D4\nclear_board\nplay b C3 -> =\nplay w D4 -> =",
            before=(Ability.PLAYS,),
            about_rules=True,
        ),
        requires=Requirements(isolated=True),
        hint="clear the history with the board",
        kills=("superko-survives-clear",),
    ),
    must(
        id="game.capture.stone",
        clause="complete-games",
        title="A stone without a liberty is taken off the board.",
        procedure=talk(NEW + lay("E5 A2 B1", "A1 E7 E3") + "play b A1 -> ="),
        hint="after a move, remove the opponent's neighbouring chains that have no liberty left",
        kills=("capture-never", "stones-all-black"),
    ),
    must(
        id="game.capture.chain",
        clause="complete-games",
        title="All stones of a chain without a liberty are taken off the board.",
        procedure=talk(
            NEW + lay("B3 C2 D2 E3 C4 D4", "C3 D3 G7 H5 H2 H8") + "play b C3 -> =\nplay w J6\nplay b D3 -> ="
        ),
        hint="remove every stone of a captured chain, not only the neighbour of the move",
        kills=("capture-one-stone",),
    ),
    must(
        id="game.capture.two-chains",
        clause="complete-games",
        title="One move captures every enemy chain that it leaves without a liberty.",
        procedure=talk(NEW + lay("A2 C2 D1 B1", "A1 C1 G7 H5") + "play b A1 -> =\nplay w G3\nplay b C1 -> ="),
        hint="look at all four neighbours of the move, also after the first capture",
        kills=("capture-one-chain",),
    ),
    must(
        id="game.capture.great",
        clause="complete-games",
        title="All stones of a chain that covers most of the board are taken off when it has no liberty.",
        procedure=Dialogue(
            partial(_great, "play b {last} -> =\nplay w {corner} -> =\nplay b {last} -> ?"),
            all_sizes=True,
            about_rules=True,
        ),
        hint="a chain may be as large as the board: no list or stack of fewer places will do",
        kills=("capture-at-most-32",),
    ),
    must(
        id="game.capture.before-suicide",
        clause="no-suicide",
        title="A move that takes something is no suicide.",
        procedure=talk(NEW + lay("B2 C1", "A2 B1") + "play b A1 -> =\nplay w F5\nplay b B1 -> ="),
        hint="take the opponent's stones first, then look for liberties",
        kills=("suicide-before-capture",),
    ),
    must(
        id="game.capture.snapback",
        clause="simple-ko",
        title="Several stones may be captured where one was just captured (snapback).",
        procedure=talk(SNAPBACK + "play b B1 -> =\nplay w G5\nplay b A2 -> =\nplay w G3\nplay b C2 -> ="),
        hint="a ko is one stone that takes one stone",
        kills=("snapback-as-ko",),
    ),
    must(
        id="game.capture.after-two",
        clause="superko",
        title="A single stone that captured two may be taken back if this repeats no earlier board.",
        procedure=talk(SENT_EARLY + "play w B1 -> =\nplay b G3\nplay w C1 -> ="),
        hint="compare boards, not shapes",
    ),
    must(
        id="game.suicide.stone",
        clause="no-suicide",
        title="A single stone may not be played where it captures nothing and has no liberty.",
        procedure=talk(NEW + lay("A2 B1", "E5") + "play w A1 -> ?\nplay w E7 -> =\nplay b A1 -> ="),
        hint="refuse a move that takes nothing and leaves its own chain without a liberty",
    ),
    must(
        id="game.suicide.centre",
        clause="no-suicide",
        title="A single stone may not be played in the middle of four enemy stones.",
        procedure=talk(
            NEW + lay("D3 D5 C4 E4", "G7 H5 G3") + "play w D4 -> ?\nplay w H8 -> =\nplay b D4 -> ="
        ),
        hint="refuse a move that takes nothing and leaves its own chain without a liberty",
    ),
    must(
        id="game.suicide.chain",
        clause="no-suicide",
        title="A move may not take the last liberty of the mover's own chain.",
        procedure=talk(
            NEW
            + lay("B1 B2 A3", "A1 G7")
            + "play w A2 -> ?\nplay w G5 -> =\nplay b A2 -> =\nplay w G3\nplay b A1 -> ="
        ),
        hint="count the liberties of the whole chain that the move makes",
        kills=("suicide-game", "suicide-game-multi"),
    ),
    must(
        id="game.suicide.great",
        clause="no-suicide",
        title="A move may not take the last liberty of the mover's own chain, even if it is very large.",
        procedure=Dialogue(
            partial(_great, "play w {last} -> ?\nplay b {last} -> ="), all_sizes=True, about_rules=True
        ),
        hint="a chain may be as large as the board: no list or stack of fewer places will do",
        kills=("suicide-game", "suicide-game-multi"),
    ),
    must(
        id="game.ko.ends",
        clause="simple-ko",
        title="A ko may be taken back after a move elsewhere.",
        procedure=talk(KO + "play w F5\nplay b F6\nplay w B1 -> =\nplay b G3\nplay w A1 -> ="),
        hint="the ban lasts for one move",
        kills=("ko-for-ever",),
    ),
    should(
        id="game.ko.play",
        clause="simple-ko",
        title="play refuses to take a ko back at once.",
        procedure=talk(KO + "play w B1 -> ?\nplay w F5 -> ="),
        hint="remember the point where one stone took one stone; nobody may play there in the next move",
    ),
    should(
        id="game.superko.play",
        clause="superko",
        title="play refuses a move that repeats an earlier board, also after passes.",
        procedure=talk(
            KO + "play w pass\nplay b pass\nplay w B1 -> ?\n" + SEND_TWO + "play w B1 -> ?\nplay w A1 -> ="
        ),
        hint="compare the board after the move with every board of the game",
    ),
    should(
        id="game.superko.play-three",
        clause="superko",
        title="play refuses the move that would close the cycle of a triple ko.",
        procedure=talk(TRIPLE_KO + "play w E5 -> ?\nplay w A5 -> ?\nplay w H8 -> ="),
        hint="compare the board after the move with every board of the game",
    ),
    must(
        id="game.superko.undo-capture",
        clause="superko",
        title="A capture that undo took back may be made again.",
        procedure=talk(
            KO + "play w F5\nplay b F6\nplay w B1\nundo\nplay w B1 -> =\nplay b G3\nplay w A1 -> ="
        ),
        hint="cut the history back with the board",
        kills=("superko-survives-undo",),
    ),
    must(
        id="game.superko.undo",
        clause="superko",
        title="undo removes its board from the history, so that a move may make that board again.",
        procedure=talk(
            NEW + "play b C3\nundo\nplay b C3 -> =\nplay w D4\nundo\nplay w D4 -> =\nplay b E5 -> ="
        ),
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


@dataclass(frozen=True)
class _Choice:
    """A position in which a conforming bot has few moves to choose from, and what may go wrong there."""

    id: str
    clause: str
    title: str
    hint: str
    probe: Probe
    allowed: tuple[str, ...]
    own: tuple[Violation, ...]
    kills: tuple[str, ...] = ()

    def check(self) -> Check:
        """The check of the moves that the bot chooses there."""
        many = self.probe.komi == WINNING
        return must(
            id=self.id,
            clause=self.clause,
            title=self.title,
            hint=self.hint,
            procedure=SearchProcedure(
                self.probe,
                judge_moves(self.allowed, self.own),
                least=LEAST_WITH_CHOICE if many else 2,
                most=12,
                least_quick=6 if many else 2,
            ),
            requires=Requirements(optional_size=True),
            kills=self.kills,
        )


LEAST_WITH_CHOICE = 12
"""Searches where a faulty bot has a second candidate that is as good: it stays unseen once in 4,096 times."""

LOST = Probe("lost", DAME[1], "b", WINNING)
HISTORY_HINT = "compare the board after the move with every board of the game, whoever was to move"

_CHOICES = (
    _Choice(
        "game.occupied.genmove",
        "complete-games",
        "genmove plays on an empty point of the board, or passes.",
        "choose among the empty points of the board as it stands, with all moves played so far",
        LOST,
        ("E9",),
        (Violation.OCCUPIED,),
    ),
    _Choice(
        "game.suicide.genmove",
        "no-suicide",
        "genmove plays no suicide, even if it has no other move.",
        "a candidate takes something or leaves its own chain a liberty",
        Probe("only-suicide", settled("J9", black="J8"), "b"),
        ("PASS",),
        (Violation.SUICIDE,),
        ("suicide-game", "suicide-game-multi"),
    ),
    _Choice(
        "game.resign.genmove",
        "complete-games",
        "The bot plays a lost game to its end and does not resign.",
        "answer a move also where every playout is lost",
        LOST,
        ("E9",),
        (Violation.RESIGN,),
        ("genmove-resigns",),
    ),
    _Choice(
        "game.eye.genmove",
        "best-rate",
        "genmove does not fill the bot's own one-point eyes.",
        "leave one-point eyes of the mover out of the candidates; with nothing else left, pass",
        Probe("only-eyes", settled("D5 E9", black="E9"), "b"),
        ("PASS",),
        (Violation.EYE,),
    ),
    _Choice(
        "game.pass.candidate",
        "no-early-pass",
        "The bot passes only when it has no candidate, also when it has lost.",
        "pass only when no point may be played that is no one-point eye of your own",
        LOST,
        ("E9",),
        (Violation.PASS,),
    ),
    _Choice(
        "game.pass.answer",
        "no-early-pass",
        "The bot does not answer a pass with a pass while it has a candidate.",
        "do not look at the opponent's last move when you decide to pass",
        Probe("dame-after-pass", DAME[1], "b", tail=(("b", "pass"), ("w", "pass"))),
        ("E9",),
        (Violation.PASS,),
    ),
    _Choice(
        "game.pass.self",
        "no-early-pass",
        "The bot does not pass because every candidate harms itself.",
        "an eye of two points is no one-point eye: both points are candidates",
        Probe("big-eye", settled("A9 B9"), "b"),
        ("A9", "B9"),
        (Violation.PASS,),
    ),
    _Choice(
        "game.pass.false-eye",
        "no-early-pass",
        "The bot plays into its own false eye rather than pass.",
        "count the enemy's stones on the diagonals of an eye: one is too many on the edge, two in the centre",
        Probe("false-eye", ONLY_WHITE_MOVES, "w"),
        ("G1",),
        (Violation.PASS,),
    ),
    _Choice(
        "game.ko.genmove",
        "superko",
        "genmove does not take a ko back at once, even if it has no other move.",
        HISTORY_HINT,
        Probe("ko-only", KO_TAKEN, "b", tail=(("w", "D5"),)),
        ("PASS",),
        KOS,
        ("superko-none",),
    ),
    _Choice(
        "game.superko.after-passes",
        "superko",
        "genmove repeats no earlier board, also after passes.",
        HISTORY_HINT,
        Probe("ko-passes", KO_TAKEN, "b", tail=(("w", "D5"), ("b", "pass"), ("w", "pass"))),
        ("PASS",),
        KOS,
        ("superko-none", "superko-simple", "superko-situational"),
    ),
    _Choice(
        "game.superko.long-ago",
        "superko",
        "genmove does not repeat a board of many moves ago.",
        HISTORY_HINT,
        Probe("ko-many-passes", KO_TAKEN, "b", tail=(("w", "D5"), ("b", "pass"), *PASSES, ("w", "pass"))),
        ("PASS",),
        KOS,
        ("superko-recent",),
    ),
    _Choice(
        "game.superko.triple-ko",
        "superko",
        "genmove does not close the cycle of a triple ko.",
        HISTORY_HINT,
        Probe("triple-ko", THREE_KOS, "b", WINNING, tail=THREE_KO_CYCLE),
        ("D8",),
        KOS,
        ("superko-simple",),
    ),
    _Choice(
        "game.superko.send-two",
        "superko",
        "genmove does not repeat an earlier board, even if the other side is to move after it this time.",
        HISTORY_HINT,
        Probe("send-two", SENT_TWO, "w", WINNING, tail=(("w", "A1"), ("b", "C1"))),
        ("A1",),
        KOS,
        ("superko-simple", "superko-situational"),
    ),
)
GENMOVE = (
    *(choice.check() for choice in _CHOICES),
    must(
        id="game.colour.genmove",
        clause="complete-games",
        title="genmove moves for the colour that it is given, also out of turn.",
        procedure=SearchProcedure(
            Probe("out-of-turn", ONE_POINT_EACH, "w", tail=(("w", "pass"),)), judge_colour, least=2, most=12
        ),
        requires=Requirements(optional_size=True),
        hint="take the colour from the command, not from whose turn it is",
        kills=("genmove-ignores-colour",),
    ),
    must(
        id="game.superko.ladder",
        clause="superko",
        title="genmove never takes a ko back, however many passes ago it was taken.",
        procedure=KoForEver(KO_TAKEN),
        requires=Requirements(board_size=SIZE),
        hint=HISTORY_HINT,
        kills=("superko-simple", "superko-recent", "superko-last-forty"),
    ),
)

WHOLE = (
    must(
        id="game.whole",
        clause="complete-games",
        title="A game that the bot plays against itself ends.",
        procedure=WholeGame(),
        requires=Requirements(board_size=SIZE),
        hint="pass when no candidate is left: a game without passes never ends",
    ),
    must(
        id="game.final-score",
        clause="area-scoring",
        title="final_score counts area and komi.",
        procedure=FinalScore(((7.5, "B+1.5"), (9.5, "W+0.5"), (9.0, "0"))),
        requires=replace(FINAL_SCORE, abilities=frozenset({Ability.SCORES, Ability.SCORES_WITH_KOMI})),
        hint="Black's area less White's less komi; B+ or W+ and the difference, or 0",
    ),
    must(
        id="game.final-score-komi",
        clause="komi",
        title="final_score counts with the komi that was set last.",
        procedure=FinalScore(
            ((5.5, "B+3.5"), (9.5, "W+0.5"), (9.0, "0")), komi_last=True, differences_only=True
        ),
        requires=replace(FINAL_SCORE, abilities=frozenset({Ability.SCORES})),
        hint="read komi when the score is asked for, keep no score from before",
        kills=("final-score-without-komi", "komi-first-only"),
    ),
)

CHECKS = LEGALITY + WHOLE + GENMOVE
