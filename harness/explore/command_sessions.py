"""Generator of random sessions with optional commands: handicaps, clocks, records, questions, analyses.

The steps of `dialogue_machine` come between them: moves, captures, kos, refused lines, undo. A line is left
out by `Script.add_line` if the bot does not list its command, or if its answer is open in the position. The
chances, weights and numbers of steps are chosen; they set how often a kind of line comes. An argument that is
listed twice comes twice as often.
"""

from __future__ import annotations

from collections.abc import Callable

from harness.check.stored_records import (
    BROKEN,
    GAME,
    KO,
    NOT_THERE,
    NOWHERE,
    RECORD_SIZES,
    SETTLED,
    SETUP,
    record_of,
    record_path,
)
from harness.explore.abilities import Abilities
from harness.explore.asking_commands import NO_SUCH_RULES
from harness.explore.command_model import RULES
from harness.explore.command_state import OVERTIME
from harness.explore.dialogue_machine import SessionWriter
from harness.explore.dice import Dice
from harness.explore.moves import some_candidate
from harness.go import all_points, most_handicap
from harness.gtp import format_vertex
from harness.gtp.analysis_commands import ENDLESS, GENMOVES, SEARCH

SIZES = {9: 8.0, 5: 2.0, 7: 2.0, 8: 2.0, 13: 1.0, 4: 1.0, 3: 1.0, 19: 0.3}
"""Relative weight of each size; chosen: most commands work on 9x9, where games are short enough."""

# Arguments of commands of handicaps and clocks. Those named BAD are wrong for every bot, or open.
BAD_NUMBERS = ("-1", "10", "1000", "abc", "")
BAD_LISTS = ("C3 G7 C3", "C3 E5 pass", "C3 Z99", "C3 D4 abc", "pass pass")
GOOD_CLOCKS = ("300 60 25", "0 1 0", "600 0 0", "0 30 1", "0 1 0")
BAD_CLOCKS = ("", "300", "300 60", "abc 0 0", "300 abc 25", "300 60 abc")
TIMES_LEFT = ("b 200 0", "w 50 20", "b 60 25", "white 300 0", "b 0 0", "w -1 0")
BAD_TIMES_LEFT = ("", "b", "b 200", "q 200 0", "b abc 0", "w 200 abc")
KGS_CLOCKS = ("none", "absolute 300", "canadian 300 60 25", "none")
BAD_KGS_CLOCKS = ("", "absolute", "canadian 300", "absolute abc", "canadian 300 60 abc")
NO_LIMIT = "time_settings 0 1 0"  # by GTP, byo-yomi time without stones is no limit

QUESTIONS = (
    *("showboard", "list_stones black", "list_stones white", "list_stones b", "captures black"),
    *("captures white", "last_move", "move_history", "printsgf", "get_komi", "query_boardsize"),
    *("gogui-rules_board_size", "gogui-rules_board", "gogui-rules_side_to_move", "gogui-rules_legal_moves"),
    *("gogui-rules_game_id", "gogui-rules_final_result", "final_score"),
    *("final_status_list alive", "final_status_list dead", "final_status_list seki"),
    *("kata-get-rules", "kata-set-rules {rules}", "cputime", "gomill-cpu_time", "gomill-describe_engine"),
    *("gomill-explain_last_move", "gomill-genmove_ex", "gogui-analyze_commands", "gogui-interrupt"),
    *("kgs-chat game someone Hello", "kgs-chat private someone help"),
)
"""Lines that change nothing. In the line that is sent, `{rules}` is the last answer to kata-get-rules."""

WRONG = (
    *("list_stones x", "final_status_list no_such_status", f"savesgf {NOWHERE}", f"printsgf {NOWHERE}"),
    *(f"kgs-rules {NO_SUCH_RULES}", "kgs-chat", "kata-set-rule", "kata-set-rule ko", "reg_genmove x"),
    *("gomill-genmove_ex x", "lz-genmove_analyze x 5", "kata-genmove_analyze x 5", "kata-search_analyze x 5"),
    *("loadsgf", f"loadsgf {NOT_THERE}"),
)
"""Lines with wrong arguments."""


def has_commands(abilities: Abilities) -> bool:
    """Return True if a bot lists optional commands that the model knows."""
    return not abilities.commands.isdisjoint(RULES)


def command_session(seed: int, number: int, abilities: Abilities) -> tuple[str, ...]:
    """Return the lines of one session; they are the same for the same arguments."""
    return _CommandWriter(Dice("commands", seed, number), abilities).write_session()


class _CommandWriter(SessionWriter):
    """Writes a session with optional commands step by step."""

    def __init__(self, dice: Dice, abilities: Abilities) -> None:
        super().__init__(dice, abilities)
        weights = {size: SIZES[size] for size in abilities.sizes if size in SIZES}
        if weights:  # else the size that `Script` drew remains
            self.size = dice.weighted(weights)

    def write_session(self) -> tuple[str, ...]:
        """Write one to three games, and return the lines."""
        for _ in range(1 + self.dice.below(3)):
            self._begin_game()
            self._add_game_steps()
            self.maybe(0.15, self._play_settled_game)
            self.maybe(0.15, lambda: self.add_line("kgs-game_over"))
        if self._analysing:
            self.add_line("protocol_version")  # ends the analysis
        return tuple(self.lines)

    def _begin_game(self) -> None:
        """Set up a game; sometimes add handicaps, clocks, a record or stones."""
        self.set_up_game()
        beginnings: dict[Callable[[], object], float] = {
            lambda: None: 3.0,
            self._add_handicaps: 4.0,
            self._add_clocks: 2.0,
            self._load_record: 2.0,
            self._set_up_stones: 1.5,
        }
        self.dice.weighted(beginnings)()
        self._clear_unknown_board()

    def _clear_unknown_board(self) -> None:
        """Begin a new game after lines that leave the board unknown."""
        if self.model.position is None:
            self.add_line(f"boardsize {self.size}")
            self.add_line("clear_board")

    def _add_game_steps(self) -> None:
        """Add 5 to 29 random steps, drawn by relative weight."""
        steps: dict[Callable[[], object], float] = {
            self._ask_question: 6.0,
            self.play_step: 5.0,
            self.add_any_step: 5.0,
            self._add_wrong_line: 1.0,
            self._show_move: 1.0,
            self._generate: 1.0,
            self._analyse: 1.5,
            self._play_sequence: 1.0,
            self._add_late_handicap: 0.7,
            self._add_clock_line: 0.5,
            self._load_record: 0.4,
            self._set_own_rules: 0.4,
            self._ask_for_settings: 0.5,
            self._ask_for_reasons: 0.5,
            self._pass_and_ask: 0.4,
        }
        for _ in range(5 + self.dice.below(25)):
            self._clear_unknown_board()
            self.dice.weighted(steps)()

    # --- beginnings of a game ------------------------------------------------------------------------------

    def _add_handicaps(self) -> None:
        """Add wrong handicaps, then a right one, then look at its stones; all of it up to three times."""
        for _ in range(1 + self.dice.below(3)):
            self.add_line("clear_board")
            self.maybe(0.6, self._add_wrong_handicap)
            self.maybe(0.3, self._add_wrong_handicap)
            if self.model.position is None:
                self.add_line("clear_board")
            self._add_right_handicap()
            self.maybe(0.3, self._add_right_handicap)
            self.maybe(0.5, self._ask_question)
            self.maybe(0.7, self.show_stones)
            self.maybe(0.3, self._capture_a_stone)
        self.maybe(0.5, self.play_step)
        self.maybe(0.4, lambda: self.add_line("undo"))

    def _add_right_handicap(self) -> None:
        """Add one of the three handicap commands with arguments that are right on an empty board."""
        most = most_handicap(self.size)
        points = self.dice.shuffled(all_points(self.size))[: 2 + self.dice.below(6)]
        self.add_line(
            self.dice.pick(
                (
                    f"fixed_handicap {2 + self.dice.below(max(1, most - 1))}",
                    f"place_free_handicap {2 + self.dice.below(3)}",
                    f"set_free_handicap {' '.join(map(format_vertex, points))}",
                )
            )
        )

    def _capture_a_stone(self) -> None:
        """Let White surround a black stone and play on its point, which is legal if the stone was taken."""
        stones = [point for point, colour in self.position.stones().items() if colour == "b"]
        for point in stones[:1]:
            for beside in self.near(point):
                self.add_line(f"play w {format_vertex(beside)}")
            self.add_line(f"play w {format_vertex(point)}")

    def _add_wrong_handicap(self) -> None:
        if self.dice.chance(0.5):
            self.add_line(f"set_free_handicap {self.dice.pick(BAD_LISTS)}")
        else:
            name = self.dice.pick(("fixed_handicap", "place_free_handicap"))
            self.add_line(f"{name} {self.dice.pick(BAD_NUMBERS)}".strip())

    def _add_late_handicap(self) -> None:
        """Ask for a handicap in the game: a right one is refused once there are stones."""
        if self.model.position is not None and any(self.position.fingerprint):
            self._add_right_handicap()

    def _add_clocks(self) -> None:
        """Add settings of clocks, right and wrong, and the time that is left; remove the limit at the end."""
        self.maybe(0.6, lambda: self.add_line(f"time_settings {' '.join(OVERTIME)}"))
        for _ in range(1 + self.dice.below(5)):
            self._add_clock_line()
        self.add_line(NO_LIMIT)

    def _add_clock_line(self) -> None:
        self.add_line(
            self.dice.pick(
                (
                    f"time_settings {self.dice.pick(GOOD_CLOCKS)}",
                    f"time_settings {self.dice.pick(GOOD_CLOCKS)}",
                    f"time_settings {self.dice.pick(BAD_CLOCKS)}".strip(),
                    f"time_left {self.dice.pick(TIMES_LEFT)}",
                    f"time_left {self.dice.pick(TIMES_LEFT)}",
                    f"time_left {self.dice.pick(BAD_TIMES_LEFT)}".strip(),
                    f"kgs-time_settings {self.dice.pick(KGS_CLOCKS)}",
                    f"kgs-time_settings {self.dice.pick(BAD_KGS_CLOCKS)}".strip(),
                )
            )
        )

    def _load_record(self) -> None:
        """Load a record, now and then the position before one of its moves; or a file that is no record."""
        if self.dice.chance(0.1):
            self.add_line(f"loadsgf {self.dice.pick(BROKEN)}")
            return
        size = self.size if self.size in RECORD_SIZES and self.dice.chance(0.7) else 9
        name = self.dice.pick((GAME, SETUP, KO, SETTLED))
        moves = len(record_of(name, size).moves)
        before = f" {self.dice.pick((1, 2 + self.dice.below(moves), 999))}" if self.dice.chance(0.5) else ""
        if self.add_line(f"loadsgf {record_path(name, size)}{before if name != SETUP else ''}"):
            self.size = self.model.size or self.size
            self.maybe(0.7, self.show_stones)
            self.maybe(0.5, self._ask_question)
            self.maybe(0.3, self.add_repetition)

    def _set_up_stones(self) -> None:
        points = self.dice.shuffled(all_points(self.size))[: 2 + self.dice.below(6)]
        stones = (f"{self.dice.pick('bw')} {format_vertex(point)}" for point in points)
        if self.add_line(f"gogui-setup {' '.join(stones)}"):
            self.show_stones()

    # --- steps ---------------------------------------------------------------------------------------------

    def _ask_question(self) -> None:
        """Add a question; now and then show the stones after it."""
        dice = self.dice
        taken = self.model.taken if dice.chance(0.5) else []
        point = format_vertex(dice.pick(taken or all_points(self.size)))
        questions = (*QUESTIONS, f"color {point}", f"is_legal {dice.pick('bw')} {point}")
        listed = [line for line in questions if line.split(" ")[0] in self.abilities.commands]
        if listed and self.add_line(dice.pick(listed)):
            self.maybe(0.2, self.show_stones)

    def _add_wrong_line(self) -> None:
        self.add_line(self.dice.pick(WRONG))
        if self.model.position is not None:
            self.maybe(0.4, self.show_stones)

    def _ask_for_settings(self) -> None:
        """Ask for komi and size after a setting that is refused."""
        self.add_refused_set_up()
        for line in ("get_komi", "query_boardsize", "gogui-rules_board_size"):
            self.add_line(line)

    def _pass_and_ask(self) -> None:
        """Pass, and ask about the last move."""
        self.add_line(f"play {self.position.to_move} pass")
        self.add_line(self.dice.pick(("last_move", "move_history", "gogui-rules_side_to_move", "printsgf")))

    def _ask_for_reasons(self) -> None:
        """Let the bot move, and ask for its reasons; nothing if it lacks gomill-explain_last_move."""
        if "gomill-explain_last_move" in self.abilities.commands:
            self.add_line(f"genmove {self.mover()}")
            self.add_line("gomill-explain_last_move")

    def _set_own_rules(self) -> None:
        self.add_line("kata-get-rules")
        self.add_line("kata-set-rules {rules}")

    def _show_move(self) -> None:
        """Ask for a move that the bot does not make; look at the stones after it."""
        name = self.dice.pick(("reg_genmove", *SEARCH))
        interval = " 5" if name in SEARCH else ""  # of the reports, in hundredths of a second
        if self.add_line(f"{name} {self.mover()}{interval}"):
            self.maybe(0.5, self.show_stones)

    def _generate(self) -> None:
        """Let the bot move by another command than genmove."""
        name = self.dice.pick(("kgs-genmove_cleanup", "gomill-genmove_ex", *GENMOVES))
        words = " 5" if name in GENMOVES else self.dice.pick(("", " no_such_keyword"))
        self.add_line(f"{name} {self.mover()}{words if name != 'kgs-genmove_cleanup' else ''}")
        self.maybe(0.3, lambda: self.add_line("gomill-explain_last_move"))

    def _analyse(self) -> None:
        """Begin an analysis; the next step, or a second analysis, ends it."""
        names = sorted(self.abilities.commands & {*ENDLESS})
        twice = self.dice.chance(0.3)
        if not names:
            return
        for _ in range(2 if twice else 1):
            id_text = self.dice.pick(("", "", "7 "))
            self.add_line(f"{id_text}{self.dice.pick(names)} {self.mover()} 5")

    def _play_sequence(self) -> None:
        """Play a few moves in one line; now and then the last one is on a stone."""
        position, moves = self.position.copy(), []
        for _ in range(1 + self.dice.below(4)):
            colour = position.to_move
            point = some_candidate(position, colour, self.dice)
            position.play(colour, point)
            moves.append(f"{colour} {format_vertex(point)}")
        stones = list(position.stones())
        if stones and self.dice.chance(0.4):
            moves.append(f"{position.to_move} {format_vertex(self.dice.pick(stones))}")
        if self.add_line(f"gogui-play_sequence {' '.join(moves)}"):
            self.maybe(0.5, self.show_stones)

    def _play_settled_game(self) -> None:
        """Play a game to its end, on a board where every stone is alive, and ask for its score."""
        size = self.model.size
        if size not in RECORD_SIZES or "final_status_list" not in self.abilities.commands:
            return
        self.add_line("clear_board")
        for colour, point in record_of(SETTLED, size).moves:
            self.add_line(f"play {colour} {format_vertex(point)}")
        for question in self.dice.shuffled(("alive", "dead", "seki")):
            self.add_line(f"final_status_list {question}")
        self.add_line("final_score")
        self.maybe(0.5, lambda: self.add_line("undo"))
