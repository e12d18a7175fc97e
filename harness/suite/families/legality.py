"""`game.capture.*`, `game.suicide.*`, `game.ko.*`, `game.superko.*`: which moves `play` accepts.

`harness.suite.families` explains the notation. All dialogues but that of `game.superko.forgets` are held on
every board size that the bot accepts, each time under another symmetry of the board. Tests compare the
answers expected here with the referee. A refusal of ko and superko by `play` is only SHOULD: a bot may accept
games that were played under other rules. The bot's own `genmove` must obey them, see `game_rules`.
"""

from __future__ import annotations

from functools import partial

from harness.check.model import Ability, Requirements
from harness.check.play_rules import FORBIDS_CYCLES, FORBIDS_KO
from harness.check.procedures.dialogue import Dialogue, dialogue
from harness.check.procedures.script import NEW, Step, steps
from harness.gtp import format_vertex
from harness.suite.statement import must, should

talk = partial(dialogue, turns=True, all_sizes=True, about_rules=True)
"""Makes a dialogue about a rule, to hold on every board size, each time under another symmetry."""


def lay(black: str, white: str) -> str:
    """Return lines that play stones in turns, Black first, as one text.

    Black has as many stones as White, or one more. For example, `lay("A2 B1", "E5")` returns the lines
    `play b A2`, `play w E5`, `play b B1`.
    """
    colours: list[tuple[str, list[str]]] = [("b", black.split()), ("w", white.split())]
    return "".join(
        f"play {colour} {vertices[number]}\n"
        for number in range(len(black.split()))
        for colour, vertices in colours
        if number < len(vertices)
    )


KO = NEW + lay("B2 C1", "A2 B1") + "play b A1\n"
"""Black has just taken the stone on B1 with A1; White may not take it back at B1."""

KO_AGAINST_BLACK = NEW + lay("A2 B1 G7", "B2 C1 A1")
"""White has just taken the stone on B1 with A1; Black may not take it back at B1."""

SEND_TWO = NEW + lay("A2 B2 G7", "C2 D1 B1") + "play b pass\nplay w A1\nplay b C1\n"
"""Black's C1 took two stones, A1 and B1. White's B1 would take C1 and repeat the board of Black's pass."""

SENT_EARLY = NEW + lay("A2 B2 G7 H5", "A1 B1 C2 D1") + "play b C1\n"
"""The stones of SEND_TWO, but White played A1 before B1: taking back at B1 makes a new board."""

_FREED = ((2, "D5"), (3, "F5"), (4, "E4"), (5, "E6"))
"""(row of a White move in column J, point that Black plays then): the points of four captured stones."""

TRIPLE_KO = (
    NEW
    + lay("D1 E2 A4 B5 A6 D5 E4 E6 J9", "F2 G1 E1 B6 A7 F4 F6 G5 E5")
    + "play b F1\nplay w A5\nplay b F5\nplay w E1\nplay b A6\n"
)
"""Three kos, then five of the six captures of their cycle: White's E5, the sixth, would bring back the board
from before the first capture."""

SNAPBACK = NEW + lay("A3 B3 C3 D2 D1 B1", "C1 C2 B2 A2 G7 A1")
"""White took one stone, and has five stones in atari. Black takes them at B1, which is not a ko."""


def _great(ending: str, size: int, turn: int) -> list[Step]:
    """Steps of a game, then `ending`: Black fills row 2, White all points above it but one inside.

    ending   script in which `{last}` stands for the empty point, and `{corner}` for a white stone. At
             `{last}` Black captures the white chain, and a white stone would be suicide
    """
    inside = (size // 2 + 1, size // 2)
    white = [(row, column) for row in range(2, size) for column in range(size) if (row, column) != inside]
    black = [(1, column) for column in range(size)]
    stones = [*(("w", point) for point in white), *(("b", point) for point in black)]
    script = NEW + "".join(f"play {colour} {format_vertex(point)}\n" for colour, point in stones)
    return steps(script + ending.format(last=format_vertex(inside), corner=f"A{size}"), size, turn)


CHECKS = (
    must("game.superko.forgets", "clear_board forgets the boards of the game before.",
         dialogue(NEW + "play b C3\nplay w D4\nclear_board\nplay b C3 -> =\nplay w D4 -> =",
                  not_relied_on=(Ability.PLAYS,), about_rules=True), requires=Requirements(isolated=True),
         clause="superko", rules="", hint="clear the history with the board", kills="superko-survives-clear"),
    must("game.capture.stone", "A stone without a liberty is taken off the board.",
         talk(NEW + lay("E5 A2 B1", "A1 E7 E3") + "play b A1 -> ="),
         clause="complete-games",
         hint="after a move, remove the opponent's neighbouring chains that have no liberty left",
         kills="capture-never stones-all-black"),
    must("game.capture.chain", "All stones of a chain without a liberty are taken off the board.",
         talk(NEW + lay("B3 C2 D2 E3 C4 D4", "C3 D3 G7 H5 H2 H8")
              + "play b C3 -> =\nplay w J6\nplay b D3 -> ="),
         clause="complete-games",
         hint="remove every stone of a captured chain, not only the neighbour of the move",
         kills="capture-one-stone"),
    must("game.capture.two-chains", "One move captures every enemy chain that it leaves without a liberty.",
         talk(NEW + lay("A2 C2 D1 B1", "A1 C1 G7 H5") + "play b A1 -> =\nplay w G3\nplay b C1 -> ="),
         clause="complete-games",
         hint="look at all four neighbours of the move, also after the first capture",
         kills="capture-one-chain"),
    must("game.capture.four-chains", "One move captures four enemy chains at once.",
         talk(NEW
              + lay("C5 D4 D6 G5 F4 F6 E3 E7", "D5 F5 E4 E6 A9 A7 A3 J1")
              + "play b E5 -> =\n"
              + "".join(f"play w J{row}\nplay b {vertex} -> =\n" for row, vertex in _FREED)),
         clause="complete-games", hint="a move has four neighbours, and each may be a chain of its own",
         kills="capture-three-chains"),
    must("game.capture.great",
         "A capture takes all stones off, also of a chain that covers most of the board.",
         Dialogue(partial(_great, "play b {last} -> =\nplay w {corner} -> =\nplay b {last} -> ?"),
                  all_sizes=True, about_rules=True),
         clause="complete-games",
         hint="judge a chain as a whole, however large: it stays as long as one stone has a liberty",
         kills="capture-at-most-32"),
    must("game.capture.before-suicide", "play accepts a move that gets its liberty by capturing.",
         talk(NEW
              + lay("B2 C1 E1 H1 G2 C5", "A2 B1 D1 E2 F2 G1")
              + "play b A1 -> =\nplay w F5\nplay b B1 -> =\nplay w F4\n"
              + "play b F1 -> =\nplay w F6\nplay b G1 -> ="),
         clause="no-suicide", rules="", hint="take the opponent's stones first, then look for liberties",
         kills="suicide-before-capture"),
    must("game.capture.snapback", "Several stones may be captured where one was just captured (snapback).",
         talk(SNAPBACK + "play b B1 -> =\nplay w G5\nplay b A2 -> =\nplay w G3\nplay b C2 -> ="),
         clause="simple-ko", hint="ban a recapture only where one stone took one stone",
         kills="snapback-as-ko"),
    must("game.capture.after-two",
         "A single stone that captured two may be taken back if this repeats no earlier board.",
         talk(SENT_EARLY + "play w B1 -> =\nplay b G3\nplay w C1 -> ="),
         clause="superko", rules="", hint="compare whole boards, not the shape of the last capture"),
    must("game.suicide.stone",
         "play refuses a single stone that has no liberty and captures nothing.",
         talk(NEW + lay("A2 B1", "E5") + "play w A1 -> ?\nplay w E7 -> =\nplay b A1 -> ="),
         clause="no-suicide",
         hint="refuse a move that takes nothing and leaves its own chain without a liberty"),
    must("game.suicide.centre", "play refuses a single stone between four enemy stones.",
         talk(NEW + lay("D3 D5 C4 E4", "G7 H5 G3") + "play w D4 -> ?\nplay w H8 -> =\nplay b D4 -> ="),
         clause="no-suicide",
         hint="refuse a move that takes nothing and leaves its own chain without a liberty"),
    must("game.suicide.chain", "play refuses a move that takes the last liberty of the mover's own chain.",
         talk(NEW
              + lay("B1 B2 A3", "A1 G7")
              + "play w A2 -> ?\nplay w G5 -> =\nplay b A2 -> =\nplay w G3\nplay b A1 -> ="),
         clause="no-suicide", hint="count the liberties of the whole chain that the move makes",
         kills="suicide-game suicide-game-multi"),
    must("game.suicide.great",
         "play refuses a move that takes the last liberty of the mover's chain, however large it is.",
         Dialogue(partial(_great, "play w {last} -> ?\nplay b {last} -> ="), all_sizes=True,
                  about_rules=True),
         clause="no-suicide",
         hint="judge a chain as a whole, however large: it stays as long as one stone has a liberty",
         kills="suicide-game suicide-game-multi"),
    must("game.ko.ends", "play accepts taking a ko back after a move elsewhere.",
         talk(KO + "play w F5\nplay b F6\nplay w B1 -> =\nplay b G3\nplay w A1 -> ="),
         clause="simple-ko", hint="lift the ban after the next move, whichever side plays it",
         kills="ko-for-ever"),
    must("game.ko.new-game", "In a new game, play accepts the point that a ko of the game before had banned.",
         talk(KO_AGAINST_BLACK + "clear_board\nplay b B1 -> =\nplay w E5\n"
              + KO_AGAINST_BLACK + NEW + "play b B1 -> ="),
         clause="simple-ko", hint="clear_board forgets the ko point as it forgets the stones",
         kills="clear-keeps-ko", tolerates="boardsize-keeps-position"),
    should("game.ko.play", "play refuses to take a ko back at once.",
           talk(KO + "play w B1 -> ?\nplay w F5 -> ="),
           clause="simple-ko", rules=FORBIDS_KO,
           hint="remember the point where one stone took one stone; nobody may play there in the next move"),
    should("game.superko.play", "play refuses a move that repeats an earlier board, also after passes.",
           talk(KO + "play w pass\nplay b pass\nplay w B1 -> ?\n"
                + SEND_TWO + "play w B1 -> ?\nplay w A1 -> ="),
           clause="superko", hint="compare the board after the move with every board of the game"),
    should("game.superko.play-three", "play refuses the move that would close the cycle of a triple ko.",
           talk(TRIPLE_KO + "play w E5 -> ?\nplay w A5 -> ?\nplay w H8 -> ="),
           clause="superko", rules=FORBIDS_CYCLES,
           hint="compare the board after the move with every board of the game"),
    must("game.superko.undo-capture", "A capture that undo took back may be made again.",
         talk(KO + "play w F5\nplay b F6\nplay w B1\nundo\nplay w B1 -> =\nplay b G3\nplay w A1 -> ="),
         clause="superko", rules="", hint="cut the history back with the board",
         kills="superko-survives-undo"),
    must("game.superko.undo",
         "undo removes its board from the history, so that a move may make that board again.",
         talk(NEW + "play b C3\nundo\nplay b C3 -> =\nplay w D4\nundo\nplay w D4 -> =\nplay b E5 -> ="),
         clause="superko", rules="", hint="remove a board from the history when its move is undone",
         kills="superko-survives-undo"),
)  # fmt: skip
