"""Random sessions: set-ups, moves, refused commands, and searches where the playouts are known exactly.

A session is a list of lines that depends on the seed, the number of the session and the abilities of the bot
alone. While it is written, a model of a right bot says what each line does. Where the bot chooses a move,
the model takes any; if the bot takes another, the later lines are judged by what it did.
"""

from __future__ import annotations

from collections.abc import Callable

from harness.explore.abilities import Abilities, Feature
from harness.explore.dice import Dice
from harness.explore.laws import laws_at, search_key
from harness.explore.moves import some_candidate
from harness.explore.script import COLOURS, Script
from harness.go import Colour, Point, all_points, neighbours, opponent
from harness.gtp import format_vertex

LONG_GAMES = (9, 45, 45, 260, 520)
"""Numbers of passes in a row. Chosen: 260 and 520 outgrow tables of 2^8 and 2^9 moves; 9 and 45 reach the
move cap of small boards."""

TRIED_AFTER = 3
"""Moves from one attempt at an enumeration to the next. Chosen: an attempt costs as much if it fails."""


def session(seed: int, number: int, abilities: Abilities) -> tuple[str, ...]:
    """Return the lines of one session; they are the same for the same arguments."""
    return _Session(Dice("dialogue", seed, number), abilities).written()


class _Session(Script):
    """The steps of a session.

    `say` writes a line and keeps `model` and `position` up to date. It leaves out a line whose answer is
    open, and returns False then.
    """

    def written(self) -> tuple[str, ...]:
        """Write the whole session, and return its lines."""
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
            self.say("clear_board")
            self._some_steps(4)
        self._complete()
        self.maybe(0.8, self._search_under_ko)
        self._end()
        return tuple(self.lines)

    # --- set-up --------------------------------------------------------------------------------------------

    def _set_up(self) -> None:
        """Write boardsize, clear_board, and komi anywhere. Lines may come twice, or after a wrong one."""
        self.maybe(0.5, lambda: self.say(self.question()))
        self.maybe_komi(0.5)
        self.maybe(0.1, self.refused_set_up)
        self.say(f"boardsize {self.size}")
        self.maybe(0.1, lambda: self.say(f"boardsize {self.size}"))
        self.maybe_komi(0.3)
        self.maybe(0.1, self.refused_set_up)
        self.say("clear_board")
        self.maybe(0.1, lambda: self.say("clear_board"))
        self.maybe_komi(0.4)
        self.maybe(0.1, lambda: self.say("undo"))

    # --- steps ---------------------------------------------------------------------------------------------

    def _some_steps(self, most: int) -> None:
        steps: dict[Callable[[], object], float] = {
            self._play: 8.0,
            self._play_anywhere: 2.0,
            self._play_same_colour: 1.0,
            self._pass: 0.7,
            self.refused_point: 1.5,
            self.refused_suicide: 1.0,
            self.refused_repetition: 1.0,
            self.refused_words: 1.5,
            self.refused_set_up: 0.7,
            self._undo: 1.0,
            self._undo_and_repeat: 1.0,
            self._ko_fight: 0.4,
            self._many_passes: 0.05,
            self._genmove: 0.7,
            self._genmove_and_undo: 0.7,
            lambda: self.maybe_komi(1.0): 0.7,
            lambda: self.say(self.question()): 0.6,
        }
        for _ in range(self.dice.below(most + 1)):
            self.dice.weighted(steps)()

    def _play(self, colour: Colour | None = None) -> None:
        """Write a move that a bot might make, by the side whose turn it is."""
        mover = colour or self.position.to_move
        self.say(f"play {mover} {format_vertex(some_candidate(self.position, mover, self.dice))}")

    def _play_anywhere(self) -> None:
        """Write any legal move, own eyes included."""
        mover = self.position.to_move
        points = self.position.legal_points(mover)
        if points:
            self.say(f"play {mover} {format_vertex(self.dice.pick(points))}")

    def _play_same_colour(self) -> None:
        if Feature.SAME_COLOUR in self.abilities.features:
            self._play(opponent(self.position.to_move))

    def _pass(self) -> None:
        self.say(f"play {self.position.to_move} pass")

    def _undo(self) -> None:
        for _ in range(1 + self.dice.below(2)):
            self.say("undo")

    def _undo_and_repeat(self) -> None:
        if Feature.UNDO in self.abilities.features and self.position.moves:
            move = self.position.moves[-1]
            if self.say("undo"):
                self.say(f"play {move.colour} {format_vertex(move.point)}")

    def _genmove(self) -> None:
        self.say(f"genmove {self.mover()}")
        self.maybe(0.5, self._ask)

    def _genmove_and_undo(self) -> None:
        if Feature.UNDO in self.abilities.features:
            self._genmove()
            self.say("undo")

    # --- kos -----------------------------------------------------------------------------------------------

    def _ko_fight(self) -> None:
        """Lay a ko, take it, and take it back, with anything between that may lift the ban or must not."""
        place = self._place_for_ko()
        if place is None:
            return
        ko, stone = place  # a move on `stone` takes the stone on `ko`; a move on `ko` takes it back
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
        position = self.position
        for ko in self.dice.shuffled(all_points(self.size)):
            for stone in self.dice.shuffled(self._near(ko)):
                if all(position.at(point) is None for point in (*self._near(ko), *self._near(stone))):
                    return ko, stone
        return None

    def _near(self, point: Point) -> list[Point]:
        points = all_points(self.size)
        return [points[index] for index in neighbours(self.size)[points.index(point)]]

    def _play_after_pass(self, colour: Colour, point: Point) -> None:
        """Write a move. Before one out of turn, the other side may pass; it does if the bot needs that."""
        alternates = Feature.SAME_COLOUR not in self.abilities.features or self.dice.chance(0.5)
        if alternates and colour != self.position.to_move:
            self._pass()
        self.say(f"play {colour} {format_vertex(point)}")

    def _between(self, taker: Colour, ko: Point) -> None:
        """Write something that lifts the ban of a ko, or something that does not."""
        acts: dict[Callable[[], object], float] = {
            self._pass: 2.0,
            self._pass_and_undo: 2.0,
            self._many_passes: 0.5,
            self._play: 1.0,
            lambda: self._play_elsewhere(taker, ko): 3.0,
            self.refused_point: 0.5,
            self.refused_words: 0.5,
            self._undo_and_repeat: 1.0,
            lambda: self.maybe_komi(1.0): 0.5,
        }
        self.dice.weighted(acts)()

    def _play_elsewhere(self, taker: Colour, ko: Point) -> None:
        """Let the side that took the ko play twice in a row."""
        point = some_candidate(self.position, taker, self.dice)
        if point not in (None, ko) and Feature.SAME_COLOUR in self.abilities.features:
            self.say(f"play {taker} {format_vertex(point)}")

    def _search_under_ko(self) -> None:
        """Take a ko if there is one; a search shows whether its ban outlives what comes between."""
        takes = [(colour, point) for colour in COLOURS for point in self._ko_moves(colour)]
        if not takes:
            return
        taker, point = self.dice.pick(takes)
        self._play_after_pass(taker, point)
        acts: dict[Callable[[], object], float] = {
            self.refused_point: 2.0,
            self.refused_words: 2.0,
            self.refused_repetition: 1.0,
            self.refused_set_up: 1.0,
            self._pass_and_undo: 1.0,
            lambda: self.maybe_komi(1.0): 1.0,
            lambda: self.say(self.question()): 1.0,
        }
        for _ in range(self.dice.below(3)):
            self.dice.weighted(acts)()
        self.say(f"genmove {opponent(taker)}")
        self._ask()

    def _ko_moves(self, colour: Colour) -> list[Point]:
        """Return the candidates after which the other side may not take back at once."""
        position, found = self.position, []
        for point in position.candidates(colour):
            position.play(colour, point)
            if position.ko_ban(opponent(colour)) is not None:
                found.append(point)
            position.undo()
        return found

    def _pass_and_undo(self) -> None:
        self._pass()
        if Feature.UNDO in self.abilities.features:
            self.say("undo")

    def _many_passes(self) -> None:
        """Write more passes than a short history of the game holds."""
        for _ in range(self.dice.pick(LONG_GAMES)):
            self._pass()

    def _great_capture(self) -> None:
        """Let one side fill all points but one while the other passes; then the other takes all stones."""
        taken: Colour = "b" if self.dice.chance(0.5) else "w"
        taker = opponent(taken)
        self.say("clear_board")
        points = self.dice.shuffled(all_points(self.size))
        for point in points[:-1]:
            self.say(f"play {taken} {format_vertex(point)}")
            self.say(f"play {taker} pass")
        self.say(f"play {taken} pass")
        self.say(f"play {taker} {format_vertex(points[-1])}")
        self._audit()

    # --- the end -------------------------------------------------------------------------------------------

    def _complete(self) -> None:
        """Play on until the playouts from the position can be enumerated."""
        position = self.position
        for made in range(3 * self.size**2):
            if [move.point for move in position.moves[-2:]] == [None, None] and self.size > 2:
                return
            if made % TRIED_AFTER == 0 and self._enumerable():
                return
            if self.dice.chance(0.03):
                self.refused_point()
            self._play()

    def _enumerable(self) -> bool:
        position = self.position
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
        self.say(f"genmove {self.mover()}")
        self._ask()

    def _ask(self) -> None:
        """Ask for the numbers of the last search, in either order; later lines do not change them."""
        for line in self.dice.shuffled(("ref-nodes", "ref-score")):
            self.say(line)
        if self.dice.chance(0.2):
            acts: tuple[Callable[[], object], ...] = (
                self.refused_point,
                self.refused_words,
                self.refused_set_up,
                self._play,
            )
            self.dice.pick(acts)()
            self.say(self.dice.pick(("ref-nodes", "ref-score")))

    def _self_play(self) -> None:
        """Let the bot move for both sides, after the end of the game too."""
        for _ in range(2 + self.dice.below(7)):
            self._search()
            self.maybe_komi(0.1)
            self.maybe(0.1, self.refused_point)
        if self.dice.chance(0.5):
            for colour in "bw":
                self.say(f"play {colour} pass")
            self.say("final_score")
            self._search()

    def _search_again(self) -> None:
        """Search the position, take the move back, search the position again."""
        self._search()
        if self.say("undo"):
            self.maybe_komi(0.5)
            self._search()

    def _audit(self) -> None:
        """Show where the stones are: moves on some must be refused, moves on empty points must not."""
        stones = self.dice.shuffled(list(self.position.stones()))[:3]
        for point in stones:
            self.say(f"play {self.dice.pick('bw')} {format_vertex(point)}")
        for _ in range(3):
            self._play_anywhere()
