"""Random sessions: set-ups, moves, refused commands, and searches where the playouts are known exactly.

A session is a list of lines that depends on the seed, the number of the session and the abilities of the bot
alone. While it is written, a model of a right bot says what each line does. Where the bot chooses a move,
the model takes any; if the bot takes another, the later lines are judged by what it did.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from harness.explore.abilities import Abilities, Feature
from harness.explore.dice import Dice
from harness.explore.game_model import GameModel, Kind, read_line
from harness.explore.laws import laws_at, search_key
from harness.explore.moves import some_candidate
from harness.explore.spelling import spelt
from harness.go import Colour, Point, Position, all_points, neighbours, opponent
from harness.gtp import REQUIRED_COMMANDS, format_vertex

SIZE_WEIGHTS = {2: 6.0, 3: 5.0, 4: 3.0, 5: 3.0, 6: 1.0, 7: 1.0, 9: 2.0, 13: 0.1}
"""How often each size is played, among those that the bot accepts. Small boards are cheap and short."""

OTHER_SIZE = 0.05

LONG_GAMES = (9, 45, 45, 260, 520)
"""Numbers of moves that outgrow some tables of moves and positions."""

TRIED_AFTER = 3
"""Moves after which an enumeration is tried again: one of too many states costs as much as a success."""

KOMIS = (
    *("0", "0.5", "1", "-1", "2", "3", "-3", "5.5", "6", "6.5", "7", "7.5", "-7.5", "8", "9"),
    *("0.25", "-0.5", "400", "-400"),
)
KOMI_SPELLINGS = ["7.50", "07.5", "0.0", "-0", "-2.0"]
BAD_KOMIS = ["abc", "none", "x", "nan"]
BAD_SIZES = ["0", "1000", "abc", "x"]
BAD_COLOURS = ["x", "grey"]
UNKNOWN = ["no_such_command", "playx", "PLAY", "Genmove", "xgenmove"]
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
COLOURS: tuple[Colour, Colour] = ("b", "w")
INCOMPLETE = ("play", "play b", "play w", "komi", "boardsize")


def session(seed: int, number: int, abilities: Abilities) -> tuple[str, ...]:
    """The lines of one session; they are the same for the same arguments."""
    return _Script(Dice("dialogue", seed, number), abilities).written()


class _Script:
    """A session while it is written."""

    def __init__(self, dice: Dice, abilities: Abilities) -> None:
        self.dice = dice
        self.abilities = abilities
        self.model = GameModel(abilities)
        self.lines: list[str] = []
        weights = {size: SIZE_WEIGHTS.get(size, OTHER_SIZE) for size in abilities.sizes}
        self.size = dice.weighted(weights)

    def written(self) -> tuple[str, ...]:
        """The whole session."""
        if self.dice.chance(0.15):
            self._set_up()
            self._some_steps(6)
            self._search()
        self._set_up()
        if self.size <= 9 and self.dice.chance(0.05):
            self._great_capture()
        if self.size >= 3 and self.dice.chance(0.4):
            self._ko_fight()
        self._some_steps(10 if self.size < 5 else 20)
        if self.dice.chance(0.1) and self.model.position is not None:
            self._say("clear_board")
            self._some_steps(4)
        self._complete()
        self._maybe(0.8, self._search_under_ko)
        self._end()
        return tuple(self.lines)

    # --- writing a line ------------------------------------------------------------------------------------

    def _say(self, line: str) -> bool:
        """Write a line unless its answer is open; whether it was written."""
        command = read_line(line)
        assert command is not None, "only lines with a command are written"
        wanted = self.model.wanted(command)
        if wanted is None:
            return False
        self.lines.append(spelt(line, self.dice, self.abilities.features))
        if wanted.kind is Kind.MOVE:
            self._suppose(command.arguments[0])
        elif wanted.kind is not Kind.REFUSAL:
            self.model.succeeded(command)
        return True

    def _suppose(self, colour: str) -> None:
        """Some move of the bot."""
        mover: Colour = "b" if colour == "b" else "w"
        self.model.moved(mover, format_vertex(some_candidate(self._position, mover, self.dice)))

    @property
    def _position(self) -> Position:
        assert self.model.position is not None, "clear_board comes first"
        return self.model.position

    # --- set-up --------------------------------------------------------------------------------------------

    def _set_up(self) -> None:
        """boardsize, then clear_board; komi anywhere; some of it again, some of it wrong first."""
        self._maybe(0.5, lambda: self._say(self._question()))
        self._maybe_komi(0.5)
        self._maybe(0.1, self._refused_set_up)
        self._say(f"boardsize {self.size}")
        self._maybe(0.1, lambda: self._say(f"boardsize {self.size}"))
        self._maybe_komi(0.3)
        self._maybe(0.1, self._refused_set_up)
        self._say("clear_board")
        self._maybe(0.1, lambda: self._say("clear_board"))
        self._maybe_komi(0.4)
        self._maybe(0.1, lambda: self._say("undo"))

    def _maybe(self, probability: float, act: Callable[[], object]) -> None:
        if self.dice.chance(probability):
            act()

    def _maybe_komi(self, probability: float) -> None:
        if self.dice.chance(probability):
            self._say(f"komi {self.dice.pick(KOMIS if self.dice.chance(0.85) else KOMI_SPELLINGS)}")

    def _refused_set_up(self) -> None:
        bad = (*(f"boardsize {size}" for size in BAD_SIZES), *(f"komi {komi}" for komi in BAD_KOMIS))
        self._say(self.dice.pick(bad))

    # --- steps ---------------------------------------------------------------------------------------------

    def _some_steps(self, most: int) -> None:
        steps: dict[Callable[[], object], float] = {
            self._play: 8.0,
            self._play_anywhere: 2.0,
            self._play_same_colour: 1.0,
            self._pass: 0.7,
            self._refused_point: 1.5,
            self._refused_suicide: 1.0,
            self._refused_repetition: 1.0,
            self._refused_words: 1.5,
            self._refused_set_up: 0.7,
            self._undo: 1.0,
            self._undo_and_repeat: 1.0,
            self._ko_fight: 0.4,
            self._many_passes: 0.05,
            self._genmove: 0.7,
            self._genmove_and_undo: 0.7,
            lambda: self._maybe_komi(1.0): 0.7,
            lambda: self._say(self._question()): 0.6,
        }
        for _ in range(self.dice.below(most + 1)):
            self.dice.weighted(steps)()

    def _question(self) -> str:
        known = self.dice.chance(0.2)
        return f"known_command {self.dice.pick(self._names)}" if known else self.dice.pick(QUESTIONS)

    @property
    def _names(self) -> list[str]:
        return sorted({*REQUIRED_COMMANDS, *self.abilities.commands})

    def _play(self, colour: Colour | None = None) -> None:
        """A move that a bot might make, by the side whose turn it is."""
        mover = colour or self._position.to_move
        self._say(f"play {mover} {format_vertex(some_candidate(self._position, mover, self.dice))}")

    def _play_anywhere(self) -> None:
        """Any legal move, own eyes included."""
        mover = self._position.to_move
        points = self._position.legal_points(mover)
        if points:
            self._say(f"play {mover} {format_vertex(self.dice.pick(points))}")

    def _play_same_colour(self) -> None:
        if Feature.SAME_COLOUR in self.abilities.features:
            self._play(opponent(self._position.to_move))

    def _pass(self) -> None:
        self._say(f"play {self._position.to_move} pass")

    def _undo(self) -> None:
        for _ in range(1 + self.dice.below(2)):
            self._say("undo")

    def _undo_and_repeat(self) -> None:
        if Feature.UNDO in self.abilities.features and self._position.moves:
            move = self._position.moves[-1]
            if self._say("undo"):
                self._say(f"play {move.colour} {format_vertex(move.point)}")

    def _genmove(self) -> None:
        self._say(f"genmove {self._mover()}")
        self._maybe(0.5, self._ask)

    def _genmove_and_undo(self) -> None:
        if Feature.UNDO in self.abilities.features:
            self._genmove()
            self._say("undo")

    def _mover(self) -> Colour:
        """Mostly the side whose turn it is."""
        colour = self._position.to_move
        same = Feature.SAME_COLOUR in self.abilities.features and self.dice.chance(0.2)
        return opponent(colour) if same else colour

    # --- kos -----------------------------------------------------------------------------------------------

    def _ko_fight(self) -> None:
        """Lay a ko, take it, and take it back, with anything between that may lift the ban or must not."""
        place = self._place_for_ko()
        if place is None:
            return
        ko, stone = place
        taken: Colour = "b" if self.dice.chance(0.5) else "w"
        taker = opponent(taken)
        wanted = {ko: taken}
        wanted |= {point: taker for point in self._near(ko) if point != stone}
        wanted |= {point: taken for point in self._near(stone) if point != ko}
        for point in self.dice.shuffled(list(wanted)):
            self._play_after_pass(wanted[point], point)
        for colour, point in ((taker, stone), (taken, ko), (taker, stone)):
            for _ in range(self.dice.below(3)):
                self._between(taker, ko)
            self._play_after_pass(colour, point)

    def _place_for_ko(self) -> tuple[Point, Point] | None:
        """Two points side by side with nothing on or around them; None where there are none."""
        position = self._position
        for ko in self.dice.shuffled(all_points(self.size)):
            for stone in self.dice.shuffled(self._near(ko)):
                if all(position.at(point) is None for point in (*self._near(ko), *self._near(stone))):
                    return ko, stone
        return None

    def _near(self, point: Point) -> list[Point]:
        points = all_points(self.size)
        return [points[index] for index in neighbours(self.size)[points.index(point)]]

    def _play_after_pass(self, colour: Colour, point: Point) -> None:
        """A move out of turn, or after a pass of the side whose turn it is."""
        alternates = Feature.SAME_COLOUR not in self.abilities.features or self.dice.chance(0.5)
        if alternates and colour != self._position.to_move:
            self._pass()
        self._say(f"play {colour} {format_vertex(point)}")

    def _between(self, taker: Colour, ko: Point) -> None:
        """Something that the ban of a ko outlives, or that lifts it."""
        acts: dict[Callable[[], object], float] = {
            self._pass: 2.0,
            self._pass_and_undo: 2.0,
            self._many_passes: 0.5,
            self._play: 1.0,
            lambda: self._play_elsewhere(taker, ko): 3.0,
            self._refused_point: 0.5,
            self._refused_words: 0.5,
            self._undo_and_repeat: 1.0,
            lambda: self._maybe_komi(1.0): 0.5,
        }
        self.dice.weighted(acts)()

    def _play_elsewhere(self, taker: Colour, ko: Point) -> None:
        """The side that took the ko plays twice in a row."""
        point = some_candidate(self._position, taker, self.dice)
        if point not in (None, ko) and Feature.SAME_COLOUR in self.abilities.features:
            self._say(f"play {taker} {format_vertex(point)}")

    def _search_under_ko(self) -> None:
        """Take a ko if there is one; a search shows whether its ban outlives what comes between."""
        takes = [(colour, point) for colour in COLOURS for point in self._ko_moves(colour)]
        if not takes:
            return
        taker, point = self.dice.pick(takes)
        self._play_after_pass(taker, point)
        acts: dict[Callable[[], object], float] = {
            self._refused_point: 2.0,
            self._refused_words: 2.0,
            self._refused_repetition: 1.0,
            self._refused_set_up: 1.0,
            self._pass_and_undo: 1.0,
            lambda: self._maybe_komi(1.0): 1.0,
            lambda: self._say(self._question()): 1.0,
        }
        for _ in range(self.dice.below(3)):
            self.dice.weighted(acts)()
        self._say(f"genmove {opponent(taker)}")
        self._ask()

    def _ko_moves(self, colour: Colour) -> list[Point]:
        """The candidates after which the other side may not take back at once."""
        position, found = self._position, []
        for point in position.candidates(colour):
            position.play(colour, point)
            if position.ko_ban(opponent(colour)) is not None:
                found.append(point)
            position.undo()
        return found

    def _pass_and_undo(self) -> None:
        self._pass()
        if Feature.UNDO in self.abilities.features:
            self._say("undo")

    def _many_passes(self) -> None:
        """More moves than a short memory of the game holds."""
        for _ in range(self.dice.pick(LONG_GAMES)):
            self._pass()

    # --- refused moves -------------------------------------------------------------------------------------

    def _refused_point(self) -> None:
        stones = list(self._position.stones())
        if stones:
            self._say(f"play {self.dice.pick('bw')} {format_vertex(self.dice.pick(stones))}")

    def _refused_suicide(self) -> None:
        self._refused_for(("suicide",))

    def _refused_repetition(self) -> None:
        self._refused_for(("ko", "superko"))

    def _refused_for(self, reasons: Sequence[str]) -> None:
        position = self._position
        moves = [
            (colour, point)
            for point in all_points(position.size)
            if position.at(point) is None
            for colour in COLOURS
            if position.legality(colour, point) in reasons
        ]
        if moves:
            colour, point = self.dice.pick(moves)
            self._say(f"play {colour} {format_vertex(point)}")

    def _refused_words(self) -> None:
        """A line that is wrong whatever the board is."""
        dice, size = self.dice, self.size
        vertices = (
            f"A{size + 1}",
            f"{format_vertex((0, size))}" if size < 25 else "A0",
            "A0",
            f"I{1 + dice.below(size)}",
            "D",
            "4",
            "resign",
        )
        lines = (
            f"play {self._position.to_move} {dice.pick(vertices)}",
            f"play {dice.pick(BAD_COLOURS)} {format_vertex(dice.pick(all_points(size)))}",
            f"genmove {dice.pick(BAD_COLOURS)}",
            dice.pick(INCOMPLETE),
            f"{dice.pick(UNKNOWN)} b {format_vertex(dice.pick(all_points(size)))}",
        )
        self._say(dice.pick(lines))

    def _great_capture(self) -> None:
        """One side fills the board but for one point, the other passes, and takes all of it."""
        taken: Colour = "b" if self.dice.chance(0.5) else "w"
        taker = opponent(taken)
        self._say("clear_board")
        points = self.dice.shuffled(all_points(self.size))
        for point in points[:-1]:
            self._say(f"play {taken} {format_vertex(point)}")
            self._say(f"play {taker} pass")
        self._say(f"play {taken} pass")
        self._say(f"play {taker} {format_vertex(points[-1])}")
        self._audit()

    # --- the end -------------------------------------------------------------------------------------------

    def _complete(self) -> None:
        """Play on until the playouts from the position can be enumerated."""
        position = self._position
        for made in range(3 * self.size**2):
            if [move.point for move in position.moves[-2:]] == [None, None] and self.size > 2:
                return
            if made % TRIED_AFTER == 0 and self._enumerable():
                return
            if self.dice.chance(0.03):
                self._refused_point()
            self._play()

    def _enumerable(self) -> bool:
        position = self._position
        key = search_key(position, position.to_move, cap_of_game=self.abilities.cap_of_game)
        return laws_at(key, self.model.komi) is not None

    def _end(self) -> None:
        endings: dict[Callable[[], object], float] = {
            self._search: 3.0,
            self._self_play: 3.0,
            self._search_again: 2.0,
            self._audit: 1.0,
        }
        for _ in range(1 + self.dice.below(2)):
            self.dice.weighted(endings)()

    def _search(self) -> None:
        self._say(f"genmove {self._mover()}")
        self._ask()

    def _ask(self) -> None:
        """What the bot says of its last search, in either order, and not changed by what follows."""
        for line in self.dice.shuffled(("ref-nodes", "ref-score")):
            self._say(line)
        if self.dice.chance(0.2):
            self.dice.pick((self._refused_point, self._refused_words, self._refused_set_up, self._play))()
            self._say(self.dice.pick(("ref-nodes", "ref-score")))

    def _self_play(self) -> None:
        """The bot moves for both sides; after the end of the game too."""
        for _ in range(2 + self.dice.below(7)):
            self._search()
            self._maybe_komi(0.1)
            self._maybe(0.1, self._refused_point)
        if self.dice.chance(0.5):
            for colour in "bw":
                self._say(f"play {colour} pass")
            self._say("final_score")
            self._search()

    def _search_again(self) -> None:
        """The position is searched, the move taken back, the position searched again."""
        self._search()
        if self._say("undo"):
            self._maybe_komi(0.5)
            self._search()

    def _audit(self) -> None:
        """Stones are where they must be: moves on some are refused, moves on empty points are not."""
        stones = self.dice.shuffled(list(self._position.stones()))[:3]
        for point in stones:
            self._say(f"play {self.dice.pick('bw')} {format_vertex(point)}")
        for _ in range(3):
            self._play_anywhere()
