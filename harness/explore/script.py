"""Writer of the lines of one generated GTP session, and of single lines that every right bot must refuse.

A `Script` draws each line with `Dice` (seeded random decisions), applies it to a `GameModel` (a right bot's
state and answers), and spells it in one of the ways that GTP allows. `dialogue_machine` adds whole steps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from harness.explore.abilities import Abilities, Feature
from harness.explore.command_model import CommandModel
from harness.explore.dice import Dice
from harness.explore.moves import some_candidate
from harness.explore.spelling import spell
from harness.explore.wanted import Command, Kind, read_line
from harness.go import Colour, Position, all_points, opponent
from harness.gtp import REQUIRED_COMMANDS, format_vertex

SIZE_WEIGHTS = {2: 6.0, 3: 5.0, 4: 3.0, 5: 3.0, 6: 1.0, 7: 1.0, 9: 2.0, 13: 0.1}
"""Relative weight of each board size in the draw, among the sizes that the bot accepts. Chosen: most sessions
use small boards, where games are short and playouts can be enumerated."""

OTHER_SIZE = 0.05
"""Relative weight of every other size."""

KOMIS = (
    *("0", "0.5", "1", "-1", "2", "3", "-3", "5.5", "6", "6.5", "7", "7.5", "-7.5", "8", "9"),
    *("0.25", "-0.5", "400", "-400"),
)
"""Arguments of komi."""

KOMI_SPELLINGS = ["7.50", "07.5", "0.0", "-0", "-2.0"]
"""Odd but right arguments of komi."""

QUESTIONS = (
    "name",
    "version",
    "protocol_version",
    "list_commands",
    "known_command",
    "known_command NAME",
    "known_command nam",
    "known_command no_such_command",
    "time_settings 0 30 1",
    "time_settings 600 0 0",
)
"""Lines that change nothing in a game."""

# Words of lines that every right bot refuses.
BAD_KOMIS = ("abc", "none", "x", "nan")
BAD_SIZES = ("0", "1000", "abc", "x")
BAD_SET_UPS = (*(f"boardsize {size}" for size in BAD_SIZES), *(f"komi {komi}" for komi in BAD_KOMIS))
BAD_COLOURS = ("x", "grey")
UNKNOWN = ("no_such_command", "playx", "PLAY", "Genmove", "xgenmove")
INCOMPLETE = ("play", "play b", "play w", "komi", "boardsize")
COLOURS: tuple[Colour, Colour] = ("b", "w")


class Script:
    """The lines of one session while it is written. `model` is a right bot that has read these lines."""

    def __init__(self, dice: Dice, abilities: Abilities) -> None:
        self.dice = dice
        self.abilities = abilities
        self.model = CommandModel(abilities)
        self._analysing = False  # the next line ends an analysis, so that it must be plain
        self.lines: list[str] = []
        weights = {size: SIZE_WEIGHTS.get(size, OTHER_SIZE) for size in abilities.sizes}
        self.size = dice.weighted(weights)

    def add_line(self, line: str) -> bool:
        """Add a line to the session and apply it to the model. Return True if it was added.

        A line is left out if its answer is open, or if the bot lacks a feature that the line uses.
        """
        command = read_line(line)
        assert command is not None, "only lines with a command are written"
        wanted = self.model.wanted(command)
        if wanted is None:
            return False
        is_plain = self._analysing or wanted.kind is Kind.ANALYSIS or "{" in line
        self.lines.append(line if is_plain else spell(line, self.dice, self.abilities.features))
        self._analysing = wanted.kind is Kind.ANALYSIS
        if wanted.kind is Kind.MOVE:
            self._assume_move(command)
        elif wanted.kind in (Kind.REFUSAL, Kind.ANSWER):  # most bots refuse a line that they may accept
            self.model.apply_refusal(command)
        else:
            self.model.apply_success(command)
        return True

    def _assume_move(self, command: Command) -> None:
        """Apply a random candidate to the model, in place of the move that the bot will choose."""
        mover: Colour = "b" if command.arguments[0] == "b" else "w"
        self.model.apply_move(command, format_vertex(some_candidate(self.position, mover, self.dice)))

    @property
    def position(self) -> Position:
        """The board after the lines so far."""
        assert self.model.position is not None, "clear_board comes first"
        return self.model.position

    def maybe(self, probability: float, act: Callable[[], object]) -> None:
        """Call `act` with this probability."""
        if self.dice.chance(probability):
            act()

    def maybe_komi(self, probability: float) -> None:
        """Add a komi command with this probability."""
        if self.dice.chance(probability):
            self.add_line(f"komi {self.dice.pick(KOMIS if self.dice.chance(0.85) else KOMI_SPELLINGS)}")

    def question(self) -> str:
        """Return a random command that does not change the game."""
        known = self.dice.chance(0.2)
        return f"known_command {self.dice.pick(self._names)}" if known else self.dice.pick(QUESTIONS)

    @property
    def _names(self) -> list[str]:
        return sorted({*REQUIRED_COMMANDS, *self.abilities.commands})

    def mover(self) -> Colour:
        """Draw the colour of a genmove: mostly the side whose turn it is."""
        colour = self.position.to_move
        same = Feature.SAME_COLOUR in self.abilities.features and self.dice.chance(0.2)
        return opponent(colour) if same else colour

    # --- lines that a right bot refuses --------------------------------------------------------------------

    def add_refused_set_up(self) -> None:
        """Add a boardsize or komi command with an argument that no bot accepts."""
        self.add_line(self.dice.pick(BAD_SET_UPS))

    def add_refused_point(self) -> None:
        """Add a move on an occupied point, if there is one."""
        stones = list(self.position.stones())
        if stones:
            self.add_line(f"play {self.dice.pick('bw')} {format_vertex(self.dice.pick(stones))}")

    def add_suicide(self) -> None:
        """Add a suicide, if one is possible."""
        self._add_illegal_move(("suicide",))

    def add_repetition(self) -> None:
        """Add a move that repeats an earlier board, if one is possible."""
        self._add_illegal_move(("ko", "superko"))

    def _add_illegal_move(self, reasons: Sequence[str]) -> None:
        """Add a move that the referee refuses for one of these reasons, if there is one."""
        position = self.position
        moves = [
            (colour, point)
            for point in all_points(position.size)
            if position.at(point) is None
            for colour in COLOURS
            if position.legality(colour, point) in reasons
        ]
        if moves:
            colour, point = self.dice.pick(moves)
            self.add_line(f"play {colour} {format_vertex(point)}")

    def add_refused_words(self) -> None:
        """Add a line that no position makes right: a bad vertex, colour or command, or a missing argument."""
        dice, size = self.dice, self.size
        beyond = format_vertex((0, size)) if size < 25 else "A0"
        vertices = (f"A{size + 1}", beyond, "A0", f"I{1 + dice.below(size)}", "D", "4", "resign")
        lines = (
            f"play {self.position.to_move} {dice.pick(vertices)}",
            f"play {dice.pick(BAD_COLOURS)} {format_vertex(dice.pick(all_points(size)))}",
            f"genmove {dice.pick(BAD_COLOURS)}",
            dice.pick(INCOMPLETE),
            f"{dice.pick(UNKNOWN)} b {format_vertex(dice.pick(all_points(size)))}",
        )
        self.add_line(dice.pick(lines))
