"""Generator of random GTP sessions: set-up, moves, refused commands, then searches with known playouts.

A session is a list of lines. It depends only on the seed, the number of the session and the abilities of the
bot. The generator follows the game with a `GameModel`, a model of a right bot. The bot's answer to genmove is
not known yet, so the model plays a random candidate (a legal move that fills no own eye). When the session is
held, the bot may move elsewhere: `walk` judges every later line by the bot's real moves.

The chances, weights and numbers of steps in this module are chosen. They set how often a kind of line comes,
never what is right. `Script`, the base class, adds or returns single lines. A short session on 2x2:

    komi 5.5, boardsize 2, clear_board, boardsize x, play b I2, play b B1, undo, play b B1, play w A1,
    genmove b, ref-nodes, ref-score
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

PASSES_IN_A_ROW = (9, 45, 45, 260, 520)
"""Lengths of sequences of passes. Chosen: 260 and 520 outgrow tables of 2^8 and 2^9 moves; 9 and 45 reach
the move cap of small boards."""

TRIED_AFTER = 3
"""Moves between two tries to enumerate the playouts. Chosen: a failed try costs as much as a success."""


def dialogue_session(seed: int, number: int, abilities: Abilities) -> tuple[str, ...]:
    """Return the lines of one session; they are the same for the same arguments."""
    return SessionWriter(Dice("dialogue", seed, number), abilities).write_session()


class SessionWriter(Script):
    """Writes a session step by step. Each step adds one or more lines."""

    def write_session(self) -> tuple[str, ...]:
        """Write the whole session, and return its lines."""
        if self.dice.chance(0.15):
            self.set_up_game()
            self._add_steps(6)
            self._search()
        self.set_up_game()
        if self.size <= 9 and self.dice.chance(0.05):
            self._capture_whole_board()
        if self.size >= 3 and self.dice.chance(0.4):
            self._fight_ko()
        self._add_steps(10 if self.size < 5 else 20)
        if self.dice.chance(0.1):
            self.add_line("clear_board")
            self._add_steps(4)
        self._play_until_enumerable()
        self.maybe(0.8, self._search_under_ko)
        self._end()
        return tuple(self.lines)

    # --- set-up --------------------------------------------------------------------------------------------

    def set_up_game(self) -> None:
        """Add boardsize and clear_board, with komi anywhere, and some of them repeated or refused first."""
        self.maybe(0.5, lambda: self.add_line(self.question()))
        self.maybe_komi(0.5)
        self.maybe(0.1, self.add_refused_set_up)
        self.add_line(f"boardsize {self.size}")
        self.maybe(0.1, lambda: self.add_line(f"boardsize {self.size}"))
        self.maybe_komi(0.3)
        self.maybe(0.1, self.add_refused_set_up)
        self.add_line("clear_board")
        self.maybe(0.1, lambda: self.add_line("clear_board"))
        self.maybe_komi(0.4)
        self.maybe(0.1, lambda: self.add_line("undo"))

    # --- steps ---------------------------------------------------------------------------------------------

    def _add_steps(self, most: int) -> None:
        """Add up to `most` random steps."""
        for _ in range(self.dice.below(most + 1)):
            self.add_any_step()

    def add_any_step(self) -> None:
        """Add one random step, drawn by relative weight."""
        steps: dict[Callable[[], object], float] = {
            self.play_step: 8.0,
            self._play_anywhere: 2.0,
            self._play_same_colour: 1.0,
            self._pass: 0.7,
            self.add_refused_point: 1.5,
            self.add_suicide: 1.0,
            self.add_repetition: 1.0,
            self.add_refused_words: 1.5,
            self.add_refused_set_up: 0.7,
            self._undo: 1.0,
            self._undo_and_repeat: 1.0,
            self._fight_ko: 0.4,
            self._pass_often: 0.05,
            self._genmove: 0.7,
            self._genmove_and_undo: 0.7,
            lambda: self.maybe_komi(1.0): 0.7,
            lambda: self.add_line(self.question()): 0.6,
        }
        self.dice.weighted(steps)()

    def play_step(self, colour: Colour | None = None) -> None:
        """Add a random candidate, or a pass if there is none; by default for the side whose turn it is."""
        mover = colour or self.position.to_move
        self.add_line(f"play {mover} {format_vertex(some_candidate(self.position, mover, self.dice))}")

    def _play_anywhere(self) -> None:
        """Add any legal move, own eyes included."""
        mover = self.position.to_move
        points = self.position.legal_points(mover)
        if points:
            self.add_line(f"play {mover} {format_vertex(self.dice.pick(points))}")

    def _play_same_colour(self) -> None:
        if Feature.SAME_COLOUR in self.abilities.features:
            self.play_step(opponent(self.position.to_move))

    def _pass(self) -> None:
        self.add_line(f"play {self.position.to_move} pass")

    def _undo(self) -> None:
        for _ in range(1 + self.dice.below(2)):
            self.add_line("undo")

    def _undo_and_repeat(self) -> None:
        if Feature.UNDO in self.abilities.features and self.position.moves:
            move = self.position.moves[-1]
            if self.add_line("undo"):
                self.add_line(f"play {move.colour} {format_vertex(move.point)}")

    def _genmove(self) -> None:
        """Add a genmove, and sometimes ask for the numbers of its search."""
        self.add_line(f"genmove {self.mover()}")
        self.maybe(0.5, self._ask_numbers)

    def _genmove_and_undo(self) -> None:
        if Feature.UNDO in self.abilities.features:
            self._genmove()
            self.add_line("undo")

    # --- kos -----------------------------------------------------------------------------------------------

    def _fight_ko(self) -> None:
        """Build a ko, take it, take it back and take it again.

        Between these moves come lines that lift the ban of the ko, and lines that must not lift it.
        """
        points = self._points_for_ko()
        if points is None:
            return
        # `taker` plays on `stone` and captures the stone on `ko`; `taken` recaptures on `ko`.
        ko, stone = points
        taken: Colour = "b" if self.dice.chance(0.5) else "w"
        taker = opponent(taken)
        stones = {ko: taken}
        stones |= {point: taker for point in self.near(ko) if point != stone}
        stones |= {point: taken for point in self.near(stone) if point != ko}
        for point in self.dice.shuffled(list(stones)):
            self._play_after_pass(stones[point], point)
        for colour, point in ((taker, stone), (taken, ko), (taker, stone)):
            for _ in range(self.dice.below(3)):
                self._add_step_between(taker, ko)
            self._play_after_pass(colour, point)

    def _points_for_ko(self) -> tuple[Point, Point] | None:
        """Return two adjacent empty points with only empty neighbours; None if there are no such points."""
        position = self.position
        for ko in self.dice.shuffled(all_points(self.size)):
            for stone in self.dice.shuffled(self.near(ko)):
                if all(position.at(point) is None for point in (*self.near(ko), *self.near(stone))):
                    return ko, stone
        return None

    def near(self, point: Point) -> list[Point]:
        """Return the neighbours of a point."""
        points = all_points(self.size)
        return [points[index] for index in neighbours(self.size)[points.index(point)]]

    def _play_after_pass(self, colour: Colour, point: Point) -> None:
        """Add a move of `colour`. If it is not its turn, a pass of the other side may come first.

        It always comes if the bot refuses two moves of one colour in a row.
        """
        alternates = Feature.SAME_COLOUR not in self.abilities.features or self.dice.chance(0.5)
        if alternates and colour != self.position.to_move:
            self._pass()
        self.add_line(f"play {colour} {format_vertex(point)}")

    def _add_step_between(self, taker: Colour, ko: Point) -> None:
        """Add a step between two moves in the ko: some such steps end the ban, others must not."""
        acts: dict[Callable[[], object], float] = {
            self._pass: 2.0,
            self._pass_and_undo: 2.0,
            self._pass_often: 0.5,
            self.play_step: 1.0,
            lambda: self._play_elsewhere(taker, ko): 3.0,
            self.add_refused_point: 0.5,
            self.add_refused_words: 0.5,
            self._undo_and_repeat: 1.0,
            lambda: self.maybe_komi(1.0): 0.5,
        }
        self.dice.weighted(acts)()

    def _play_elsewhere(self, taker: Colour, ko: Point) -> None:
        """Add a move of `taker` that is not on `ko`. It may be out of turn."""
        point = some_candidate(self.position, taker, self.dice)
        if point not in (None, ko) and Feature.SAME_COLOUR in self.abilities.features:
            self.add_line(f"play {taker} {format_vertex(point)}")

    def _search_under_ko(self) -> None:
        """Take a ko if a move can, add lines that must not lift its ban, and let the other side search."""
        takes = [(colour, point) for colour in COLOURS for point in self._ko_moves(colour)]
        if not takes:
            return
        taker, point = self.dice.pick(takes)
        self._play_after_pass(taker, point)
        acts: dict[Callable[[], object], float] = {
            self.add_refused_point: 2.0,
            self.add_refused_words: 2.0,
            self.add_repetition: 1.0,
            self.add_refused_set_up: 1.0,
            self._pass_and_undo: 1.0,
            lambda: self.maybe_komi(1.0): 1.0,
            lambda: self.add_line(self.question()): 1.0,
        }
        for _ in range(self.dice.below(3)):
            self.dice.weighted(acts)()
        self.add_line(f"genmove {opponent(taker)}")
        self._ask_numbers()

    def _ko_moves(self, colour: Colour) -> list[Point]:
        """Return the candidates that take a ko: the other side may not retake at once."""
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
            self.add_line("undo")

    def _pass_often(self) -> None:
        """Add a long sequence of passes (see PASSES_IN_A_ROW)."""
        for _ in range(self.dice.pick(PASSES_IN_A_ROW)):
            self._pass()

    def _capture_whole_board(self) -> None:
        """Fill all points but one with stones of one colour, then let the other colour capture them all."""
        taken: Colour = "b" if self.dice.chance(0.5) else "w"
        taker = opponent(taken)
        self.add_line("clear_board")
        points = self.dice.shuffled(all_points(self.size))
        for point in points[:-1]:
            self.add_line(f"play {taken} {format_vertex(point)}")
            self.add_line(f"play {taker} pass")
        self.add_line(f"play {taken} pass")
        self.add_line(f"play {taker} {format_vertex(points[-1])}")
        self.show_stones()

    # --- the end -------------------------------------------------------------------------------------------

    def _play_until_enumerable(self) -> None:
        """Add moves until the playouts from the position can be enumerated, or the game is over.

        At most 3 N² moves are added. With these, the move cap leaves playouts of one move.
        """
        position = self.position
        for made in range(3 * self.size**2):
            if position.has_ended:
                return
            if made % TRIED_AFTER == 0 and self._enumerable():
                return
            if self.dice.chance(0.03):
                self.add_refused_point()
            self.play_step()

    def _enumerable(self) -> bool:
        position = self.position
        key = search_key(position, position.to_move, cap_of_game=self.abilities.cap_of_game)
        return laws_at(key, self.model.komi) is not None

    def _end(self) -> None:
        """Add one or two of the ways to end a session."""
        endings: dict[Callable[[], object], float] = {
            self._search: 3.0,
            self._self_play: 3.0,
            self._search_again: 2.0,
            self.show_stones: 1.0,
        }
        for _ in range(1 + self.dice.below(2)):
            self.dice.weighted(endings)()

    def _search(self) -> None:
        """Add a genmove, and ask for the numbers of its search."""
        self.add_line(f"genmove {self.mover()}")
        self._ask_numbers()

    def _ask_numbers(self) -> None:
        """Ask for ref-nodes and ref-score of the last search, in either order, and sometimes once more."""
        for line in self.dice.shuffled(("ref-nodes", "ref-score")):
            self.add_line(line)
        if self.dice.chance(0.2):
            acts: tuple[Callable[[], object], ...] = (
                self.add_refused_point,
                self.add_refused_words,
                self.add_refused_set_up,
                self.play_step,
            )
            self.dice.pick(acts)()
            self.add_line(self.dice.pick(("ref-nodes", "ref-score")))

    def _self_play(self) -> None:
        """Let the bot make several moves; sometimes end the game then, and let it make one more."""
        for _ in range(2 + self.dice.below(7)):
            self._search()
            self.maybe_komi(0.1)
            self.maybe(0.1, self.add_refused_point)
        if self.dice.chance(0.5):
            for colour in "bw":
                self.add_line(f"play {colour} pass")
            self.add_line("final_score")
            self._search()

    def _search_again(self) -> None:
        """Search the position; if the bot knows undo, undo the move and search the same position again."""
        self._search()
        if self.add_line("undo"):
            self.maybe_komi(0.5)
            self._search()

    def show_stones(self) -> None:
        """Show where the stones are: add moves on some stones (refused), then legal moves on empty points."""
        stones = self.dice.shuffled(list(self.position.stones()))[:3]
        for point in stones:
            self.add_line(f"play {self.dice.pick('bw')} {format_vertex(point)}")
        for _ in range(3):
            self._play_anywhere()
