"""Plays one game between two engines under a referee, and records it.

docs/operations.md defines which side is to blame for a failure.
"""

from __future__ import annotations

from harness.arena.config.engine_keys import genmove_command
from harness.arena.config.handicap import handicap_bonus
from harness.arena.config.opening import Opening
from harness.arena.config.tables import RunTable
from harness.arena.game.instances import describe_other_instance
from harness.arena.game.player import EngineFailureError, Player
from harness.arena.game.reproduction import dialogue_line, start_up_lines
from harness.arena.game.scoring import EndedGame, score, winner_of
from harness.arena.game.side import Side
from harness.arena.game.snapshot import Camera
from harness.arena.records import (
    Clocks,
    Comment,
    Ending,
    Failure,
    Game,
    GameRecord,
    Played,
    Reason,
    Scoring,
    Search,
    packed_log,
)
from harness.files import Stopwatch
from harness.go import IllegalMoveError, Position
from harness.gtp import Colour, other, parse_vertex

LAST_CHARACTERS = 500
"""Least characters of a transcript's end that are kept with `logs = "off"`. Chosen: the last few commands."""
_LETTERS: dict[Colour, str] = {"b": "B", "w": "W"}
_REPETITIONS = {"ko", "superko"}
"""The referee's reasons for which the game ends by "superko"."""


class _ForfeitError(Exception):
    """A side failed, or lost on time, which ends the game."""

    def __init__(self, offender: Colour, reason: Reason, detail: str) -> None:
        super().__init__(offender, reason, detail)
        self.offender: Colour = offender
        self.reason: Reason = reason
        self.detail = detail


def play_game(
    game: Game,
    run: RunTable,
    opening: Opening,
    black: Player,
    white: Player,
    camera: Camera | None = None,
    referee: Player | None = None,
    slot: int = 1,
) -> GameRecord:
    """Play and referee a whole game. A failure of an engine is part of the record, never raised.

    Raises PlayError if this machine lacks what the start of an engine needs.

    camera      gets the board after each move
    referee     the engine that scores games, if the run has one
    slot        the number of the worker
    """
    sides: dict[Colour, Side] = {"b": Side(black, run, game, "b"), "w": Side(white, run, game, "w")}
    return _GameInPlay(game, run, opening, sides, camera, referee, slot).play()


class _GameInPlay:
    """The state of one game."""

    def __init__(
        self,
        game: Game,
        run: RunTable,
        opening: Opening,
        sides: dict[Colour, Side],
        camera: Camera | None,
        referee: Player | None,
        slot: int,
    ) -> None:
        self.camera = camera
        self.referee = referee
        self.slot = slot
        self.game = game
        self.run = run
        self.opening = opening
        self.sides = sides
        self.komi = run.komi if opening.komi is None else opening.komi
        self.position = Position(run.size, run.rules.rules)
        self.moves: list[Played] = []
        self.searches: list[Search] = []
        self.scoring: Scoring | None = None
        self.is_set_up = False

    def play(self) -> GameRecord:
        """Set up, play and score. A side that fails ends the game."""
        watch = Stopwatch()
        failure = None
        try:
            self._set_up()
            ending = self._play_moves()
        except _ForfeitError as forfeit:
            ending = self._ending_by(forfeit)
            failure = None if ending.offender is None else self._failure(ending.offender)
        seconds = watch.seconds
        return GameRecord(
            game=self.game,
            board=(self.run.size, self.komi),
            opening=self.opening.name,
            opening_moves=len(self.opening.moves) if self.is_set_up else 0,
            moves=tuple(self.moves),
            searches=tuple(self.searches),
            ending=ending,
            started=watch.started,
            finished=watch.after(seconds),
            duration=seconds,
            scoring=self.scoring,
            failure=failure,
            setup=self.opening.setup if self.is_set_up else None,
            bonus=self.bonus if self.is_set_up else 0,
            comments=self._comments() if self.run.comments != "off" else (),
            logs=(self._log("b"), self._log("w")) if self.run.logs == "all" else None,
            programs=(self.sides["b"].player.program, self.sides["w"].player.program),
            clocks=self._clocks(),
            readings=sorted(self.sides["b"].readings + self.sides["w"].readings),
        )

    @property
    def bonus(self) -> int:
        """The points that White gets for the handicap stones. Their number is known after `_set_up`."""
        setup = self.opening.setup
        return handicap_bonus(self.run.handicap_bonus, setup.handicap if setup is not None else None)

    def _times_left(self) -> str:
        """The time left to both sides, in words; empty without a clock."""
        left = {"Black": self.sides["b"].time_left, "White": self.sides["w"].time_left}
        return ", ".join(f"{side} has {time}" for side, time in left.items() if time)

    def _clocks(self) -> Clocks | None:
        """The time controls of both sides; None if no side has one."""
        controls = [self.sides[colour].player.control for colour in _LETTERS]
        if controls == [None, None]:
            return None
        return Clocks(*(None if control is None else str(control) for control in controls))

    def _set_up(self) -> None:
        """Bring both engines to the end of the opening."""
        for side in self.sides.values():  # for both before any set-up, whose failure ends the game
            side.player.begin_transcript()
        for colour, side in self.sides.items():
            try:
                self.opening = side.set_up(self.opening, self.komi, self.slot)
            except EngineFailureError as failure:
                raise _ForfeitError(colour, failure.reason, failure.detail) from None
        for move in self.opening.moves:
            self.position.play(move.colour, parse_vertex(move.vertex, self.run.size))
            self.moves.append(move)
        self.is_set_up = True

    def _play_moves(self) -> Ending:
        """Alternate moves until both sides pass, one resigns, or the move cap is reached."""
        colour, passes = self.opening.to_move, 0
        while passes < 2:
            if len(self.moves) >= self.run.move_cap:
                return self._score("move-cap")
            vertex = self._move(colour)
            if vertex == "resign":
                winner = other(colour)
                return Ending("resign", f"{_LETTERS[winner]}+R", winner)
            passes = passes + 1 if vertex == "pass" else 0
            colour = other(colour)
            if passes < 2:
                self._send_last_move(colour)
        return self._score("score")

    def _move(self, colour: Colour) -> str:
        """Ask for a move and play it. Return its vertex, or "resign".

        Raises _ForfeitError if the engine fails, loses on time, or names an illegal move.
        """
        side, number = self.sides[colour], len(self.moves) + 1
        try:
            vertex, point, seconds = side.genmove(number)
            nodes, score = side.last_search() if self.run.ask_ref else (None, None)
            if self.run.comments != "off":
                side.ask_for_comment(number)
        except EngineFailureError as failure:
            late = side.late_move() if failure.reason == "time" else None
            if late is not None:  # the record keeps the last search of a side that lost on time
                vertex, _, seconds = late
                self.searches.append(Search(number, colour, vertex, None, None, seconds))
            raise _ForfeitError(colour, failure.reason, failure.detail) from None
        self.searches.append(Search(number, colour, vertex, nodes, score, seconds))
        if vertex == "resign":
            return vertex
        try:
            self.position.play(colour, point)
        except IllegalMoveError as illegal:
            reason: Reason = "superko" if illegal.reason in _REPETITIONS else "illegal"
            raise _ForfeitError(colour, reason, f"move {number}, {vertex}: {illegal.reason}") from None
        self.moves.append(Played(colour, vertex))
        if self.camera is not None:
            self.camera.on_move(self.game, self.position, self.moves, self._times_left)
        return vertex

    def _send_last_move(self, colour: Colour) -> None:
        """Send the last move to the side that moves next."""
        try:
            self.sides[colour].play(*self.moves[-1])
        except EngineFailureError as failure:
            raise _ForfeitError(colour, failure.reason, failure.detail) from None

    def _score(self, reason: Reason) -> Ending:
        """Score a game that two passes ("score") or the move cap ("move-cap") have ended."""
        players = {colour: side.player for colour, side in self.sides.items()}
        ended = EndedGame(self.run, self.position, self.moves, reason, self.komi, self.bonus)
        result, self.scoring, problem = score(ended, players, self.referee)
        return Ending(reason, result, winner_of(result), detail=problem)

    def _ending_by(self, forfeit: _ForfeitError) -> Ending:
        """Return the ending of a game in which a side failed, or lost on time, which is no failure."""
        winner = other(forfeit.offender)
        letter = "T" if forfeit.reason in ("time", "timeout") else "F"
        offender = None if forfeit.reason == "time" else forfeit.offender
        detail = self.sides[forfeit.offender].player.with_complaint(forfeit.detail)
        return Ending(forfeit.reason, f"{_LETTERS[winner]}+{letter}", winner, offender, detail)

    def _failure(self, offender: Colour) -> Failure:
        """Return the record of a side's failure. Its engine has just failed, and is still as it was then."""
        offending, opponent = self.sides[offender].player, self.sides[other(offender)].player
        return Failure(
            offender=offending.name,
            command=offending.launch.command,
            exit="; ".join(filter(None, (offending.process_state(), _other_instance(offending, opponent)))),
            reproduce=self._reproduction(offender),
            transcript=self._kept_part(offending.transcript()),
            other_transcript=self._kept_part(opponent.transcript()),
            stderr=offending.stderr_tail(),
        )

    def _kept_part(self, transcript: str) -> str:
        """Return the part of a transcript that is kept with a failure: its last lines if logs are off."""
        if self.run.logs != "off":
            return transcript
        start = transcript.rfind("\n", 0, max(0, len(transcript) - LAST_CHARACTERS)) + 1
        return transcript[start:]

    def _log(self, colour: Colour) -> bytes:
        return packed_log(self.sides[colour].player.transcript())

    def _comments(self) -> list[Comment]:
        """The comments of both sides on their moves, in the order of the moves."""
        comments = [
            comment
            for colour, side in self.sides.items()
            for comment in side.comments([search.move for search in self.searches if search.colour == colour])
        ]
        return sorted(comments)

    def _reproduction(self, offender: Colour) -> str:
        """A command line that repeats the game up to the failure, with `play` for the moves of both sides."""
        side = self.sides[offender]
        table, has_ref_playouts = side.player.table, side.player.knows("ref-playouts")
        start = start_up_lines(table, has_ref_playouts=has_ref_playouts)
        if not self.is_set_up:  # an engine that failed before its first command gets a harmless one
            return dialogue_line(table, [*start, *(side.set_up_lines or ["name"])], (), ())
        moves = self.moves[len(self.opening.moves) :]  # those of the opening are in the set-up
        ending = [*side.clock_lines, genmove_command(table.genmove, offender)]
        return dialogue_line(table, [*start, *side.set_up_lines], moves, ending)


def _other_instance(offending: Player, opponent: Player) -> str:
    """Describe another process of the program of an engine whose start failed; empty if there is none."""
    if offending.pid is None or offending.introduction is not None:
        return ""
    return describe_other_instance(offending.launch, offending.pid, opponent.pid)
