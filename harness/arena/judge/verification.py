"""Verifies stored games: plays them again, and checks moves, results and agreement with the schedule.

Each game is played on two boards that share no code: the referee's and refbot's. After every move they must
agree on the stones and on the number of captures.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from harness.arena.config.scoring import MAX_SIZE, MIN_SIZE
from harness.arena.config.tables import MatchConfig, RunTable
from harness.arena.judge.clock_check import clock_contradictions
from harness.arena.judge.schedule_check import Schedule
from harness.arena.judge.witness import witness
from harness.arena.records import FAILURES, moves_hash
from harness.arena.store.rows import GameResult, StoredGame
from harness.arena.store.store import Store
from harness.go import IllegalMoveError, Point, Position, Rules, result_text
from harness.gtp import VertexError, parse_vertex
from refbot.rules import BLACK, WHITE
from refbot.rules import IllegalMoveError as RefbotIllegalMoveError


@dataclass(frozen=True)
class VerifiedGame:
    """The result of playing a stored game again. `contradictions`: a sentence for each."""

    game_id: str
    moves: int  # that were played again, up to the first contradiction
    captures: int  # stones of both sides
    contradictions: tuple[str, ...]
    reported: bool = False  # engines reported its result, which is not that of our own count


def verify_games(store: Store, config: MatchConfig) -> Iterator[VerifiedGame]:
    """Play every stored game again, in schedule order. Yield the result for each."""
    schedule, has_clocks = Schedule(store.engine_names(), config), store.has_clocks
    for game, result in zip(store.games(), store.results(), strict=True):
        clocks = store.clocks_of_game(game.game_id) if has_clocks else None
        found: list[str] = []
        if clocks is not None or game.reason == "time":
            found += clock_contradictions(game, clocks, store.searches_of_game(game.game_id), config)
        yield verify_game(game, result, schedule, found)


def verify_game(
    game: StoredGame, result: GameResult, schedule: Schedule, about_clocks: Sequence[str] = ()
) -> VerifiedGame:
    """Play one game again. `result`: the game as the judges read it."""
    if not MIN_SIZE <= game.size <= MAX_SIZE:
        return VerifiedGame(game.game_id, 0, 0, (f"a board of size {game.size}",))
    run = schedule.config.run_of(game.pair)
    replay = _Replay(game, run.rules.rules)
    found = list(replay.play())
    if not found:
        found += _about_ending(game, replay, run)
    found += _about_row(game, result)
    found += [*schedule.contradictions(game), *about_clocks]
    scoring = game.scoring
    reported = scoring is not None and scoring.scored_by != "area" and game.result != scoring.area_result
    return VerifiedGame(game.game_id, len(replay.referee.moves), replay.captures, tuple(found), reported)


class _Replay:
    """One game on both boards: that of the referee, and the `witness`, which has refbot's code."""

    def __init__(self, game: StoredGame, rules: Rules) -> None:
        self.game = game
        self.moves = game.moves.split()
        self.referee = Position(game.size, rules)
        self.witness = witness(game.size, game.komi, rules)
        self.captures = 0

    def play(self) -> Iterator[str]:
        """Play all moves. Yield a sentence for the first contradiction, which ends the replay."""
        for number, text in enumerate(self.moves, 1):
            contradiction = self._move(text)
            if contradiction:
                yield f"move {number}, {text[:10]!r}: {contradiction}"
                return

    def _move(self, text: str) -> str:
        """Play one move on both boards. Return the contradiction that it shows, or an empty text."""
        colour = text[:1]
        if colour not in ("b", "w"):
            return "no colour"
        stones = len(self.referee.stones())
        try:
            point = parse_vertex(text[1:], self.game.size)
            self.referee.play("b" if colour == "b" else "w", point)
            taken = self.witness.play(
                BLACK if colour == "b" else WHITE,
                None if point is None else point[0] * self.game.size + point[1],
            )
        except VertexError as error:
            return f"not a vertex ({error.reason})"
        except IllegalMoveError as error:
            return f"illegal ({error.reason})"
        except RefbotIllegalMoveError as error:
            return f"legal for the referee, illegal for refbot ({error.reason})"
        gone = stones + (point is not None) - len(self.referee.stones())
        self.captures += gone
        if gone != taken or self.referee.fingerprint != bytes(self.witness.stones):
            return f"the referee captures {gone}, refbot {taken}, or their boards differ"
        return ""


def _about_ending(game: StoredGame, replay: _Replay, run: RunTable) -> Iterator[str]:
    """Yield the parts of the result that do not follow from the moves."""
    passes = [move[1:] for move in replay.moves[-2:]] == ["pass", "pass"]
    if game.reason == "score" and not passes:
        yield "the reason is score, but the game does not end with two passes"
    cap = 3 * game.size * game.size
    if game.reason == "move-cap" and len(replay.moves) < cap:
        yield f"the reason is move-cap, but the game has {len(replay.moves)} of {cap} moves"
    if game.reason in ("score", "move-cap"):
        yield from _about_scoring(game, replay.referee, run)
        wanted = _scored_result(game, replay.referee)
    else:
        ways = {"resign": "R", "timeout": "T", "time": "T"}
        known = game.reason in ways or game.reason in FAILURES
        wanted = game.result[:2] + ways.get(game.reason, "F") if known else "another reason"
    if game.result != wanted:
        yield f"the result is {game.result}, the moves and the reason give {wanted}"


def _about_scoring(game: StoredGame, position: Position, run: RunTable) -> Iterator[str]:
    """Yield what contradicts the config or another part of the scoring."""
    scoring = game.scoring
    if scoring is None:
        return
    area = _area_result(game, position)
    if scoring.area_result != area:
        yield f"our own count is stored as {scoring.area_result}, the moves give {area}"
    scorers = {"players": {"players"} | ({"referee"} if run.referee else set()), "referee": {"referee"}}
    if scoring.scored_by not in {"area"} | scorers.get(run.scorer or "area", set()):
        yield f"the {scoring.scored_by} scored it, the config has the scorer {run.scorer or 'area'}"
    if scoring.scored_by == "players" and scoring.dead is None and scoring.black_says != scoring.white_says:
        yield f"the players scored it, but report {scoring.black_says} and {scoring.white_says}"


def _scored_result(game: StoredGame, position: Position) -> str:
    """Return the result that follows from the scoring of a game; a text that is no result if none follows."""
    scoring = game.scoring
    if scoring is None or scoring.scored_by == "area":
        return _area_result(game, position)
    if scoring.scored_by == "referee":
        return scoring.referee_says or "unknown: the referee reported none"
    if scoring.dead is None:
        return scoring.black_says or "unknown: the players reported none"
    try:
        dead = [point for word in scoring.dead.split() if (point := parse_vertex(word, game.size))]
        return _area_result(game, position, dead)
    except (VertexError, KeyError):
        return "unknown: no stones are on the dead points"


def _area_result(game: StoredGame, position: Position, dead: Collection[Point] = ()) -> str:
    """Return the result by our own count of the area, after the `dead` stones were removed."""
    return result_text(position.score(dead) - game.komi - (game.handicap_bonus or 0))


def _about_row(game: StoredGame, result: GameResult) -> Iterator[str]:
    """Yield the contradictions within the row of a game."""
    names = {"b": game.black, "w": game.white, None: None}
    letter = {"B": game.black, "W": game.white}.get(game.result[:1])
    if game.winner != letter or names[result.winner] != game.winner:
        yield f"the winner is {game.winner!r}, the result {game.result}"
    if (game.reason in FAILURES) != (game.offender is not None):
        yield f"the reason is {game.reason}, the offender {game.offender!r}"
    if game.move_count != len(game.moves.split()):
        yield f"{game.move_count} moves are counted, {len(game.moves.split())} are stored"
    if game.moves and game.opening_moves > game.move_count:
        yield f"the opening has {game.opening_moves} moves, the game {game.move_count}"
    if result.moves_hash != moves_hash(game.moves):
        yield "the hash of the moves is not that of the moves"
