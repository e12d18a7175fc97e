"""Scores a game that two passes or the move cap ended: asks the players and the referee, and counts itself.

docs/operations.md states which answer decides. An engine that fails while it is asked does not lose the game:
its answer is missing, and its process is replaced.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from harness.arena.config.tables import RunTable
from harness.arena.game.player import EngineFailureError, Player, require_success
from harness.arena.game.rules import send_rules
from harness.arena.records import NO_SCORE, Played, Reason, Scoring
from harness.go import Point, Position, result_text
from harness.gtp import Colour, VertexError, format_vertex, parse_vertex

_RESULT = re.compile(r"([BW])\+(\d{1,6}(?:\.\d{0,6})?)", re.ASCII | re.IGNORECASE)
_WINNERS: Mapping[str, Colour] = {"B": "b", "W": "w"}
_DRAWS = {"0", "draw", "jigo"}
_SCORE, _DEAD = "final_score", "final_status_list dead"
_QUESTIONS = (_SCORE, _DEAD)
"""The commands that ask an engine about the end of a game."""


@dataclass(frozen=True)
class EndedGame:
    """A game that two passes or the move cap have ended.

    bonus   points that White gets for handicap stones, beside the komi
    """

    run: RunTable
    position: Position
    moves: Sequence[Played]
    reason: Reason
    komi: float
    bonus: int = 0

    def count(self, dead: Collection[Point] = ()) -> str:
        """The result by our own count, after these stones were removed."""
        return result_text(self.position.score(dead) - self.komi - self.bonus)


def score(
    ended: EndedGame, players: Mapping[Colour, Player], referee: Player | None
) -> tuple[str, Scoring | None, str]:
    """Return (result, how it was found, a sentence about an engine that failed while it was asked, or "").

    If the config chooses no scorer or "area", nobody is asked about a game of two reference bots, which play
    until no stone is dead, or of players without final_status_list and final_score. The scoring is then None.
    """
    area, scorer = ended.count(), ended.run.scorer
    if scorer in (None, "area") and not _can_differ(players.values()):
        return area, None, ""
    black, white = (_Witness(ended, players[colour]) for colour in ("b", "w"))
    if ended.reason == "score":
        last = ended.moves[-1]  # the opponent of its player does not know it yet
        (black if last.colour == "w" else white).hear(last)
    result, scoring = area, Scoring("area", area, black.result, white.result)
    if scorer == "players":
        result, scoring = _result_of_players(ended, scoring, black, white)
    witnesses = [black, white]
    if referee is not None and scoring.scored_by == "area":
        third = _Witness(ended, referee)
        third.replay()
        witnesses.append(third)
        if third.result is not None:
            result = third.result
            scoring = scoring._replace(scored_by="referee", referee_says=result)
    return result, scoring, "; ".join(witness.problem for witness in witnesses if witness.problem)


def _result_of_players(
    ended: EndedGame, by_area: Scoring, black: _Witness, white: _Witness
) -> tuple[str, Scoring]:
    """Return (result, how it came about): the result on which both players agree.

    If they agree on dead stones alone, it is our own count without these; else it is that of `by_area`.
    """
    if black.result is not None and black.result == white.result:
        return black.result, by_area._replace(scored_by="players")
    if black.dead is not None and black.dead == white.dead:
        dead = " ".join(format_vertex(point) for point in sorted(black.dead))
        return ended.count(black.dead), by_area._replace(scored_by="players", dead=dead)
    return by_area.area_result, by_area


def _can_differ(players: Iterable[Player]) -> bool:
    """True if the players may report another result than our own count.

    False if both are reference bots, or if no player can say who is dead or who has won.
    """
    knows = [player.knows for player in players]
    can_say = any(known("final_score") or known("final_status_list") for known in knows)
    return can_say and not all(known("ref-nodes") for known in knows)


class _Witness:
    """An engine that is asked about the end of a game. `problem`: a sentence, if it fails."""

    def __init__(self, ended: EndedGame, player: Player) -> None:
        self.problem = ""
        self._ended = ended
        self._player = player

    def hear(self, move: Played) -> None:
        """Send the last move of the game. The engine may refuse a pass that ends the game."""
        self._answer(f"play {move.colour} {move.vertex}")

    def replay(self) -> None:
        """Start the engine unless it runs, and send the whole game.

        The engine gets handicap stones as moves, and White's points for them as a part of the komi: engines
        differ in the points that they give by default.
        """
        run, player, komi = self._ended.run, self._player, self._ended.komi + self._ended.bonus
        try:
            player.start()
            player.begin_transcript()
            for command in (f"boardsize {run.size}", "clear_board", f"komi {komi:g}"):
                require_success(command, player.ask(command))
            send_rules(player, run, player.ask, handicap_bonus="none")
            for move in self._ended.moves:
                command = f"play {move.colour} {move.vertex}"
                require_success(command, player.ask(command))
        except EngineFailureError as failure:
            self._fail(failure)

    @cached_property
    def result(self) -> str | None:
        """The result that the engine reports, or that follows from its dead stones; None: unknown."""
        text = self._answer(_SCORE)
        match = _RESULT.fullmatch(text.strip()) if text else None
        if match is not None:
            return result_text(float(match[2]) * (1 if match[1] in "Bb" else -1))
        if text and text.strip().lower() in _DRAWS:
            return "0"
        return None if self.dead is None else self._ended.count(self.dead)

    @cached_property
    def dead(self) -> frozenset[Point] | None:
        """The stones that the engine calls dead, in whole chains; None unless it lists only stones."""
        text = self._answer(_DEAD)
        if text is None:
            return None
        position = self._ended.position
        dead: set[Point] = set()
        try:
            for word in text.split():
                point = parse_vertex(word, position.size)
                if point is None or position.at(point) is None:
                    return None
                dead |= position.chain(point)[0]
        except VertexError:
            return None
        return frozenset(dead)

    def _answer(self, command: str) -> str | None:
        """The text of the answer; None if the engine lacks the command, refuses it, fails or stays silent."""
        known = self._player.knows(command.split(maxsplit=1)[0])
        if self.problem or not known or command in self._player.silent_at:
            return None
        try:
            exchange = self._player.ask(command)
        except EngineFailureError as failure:
            self._fail(failure)
            if failure.reason == "timeout" and command in _QUESTIONS:
                self._player.silent_at.add(command)
                self.problem += ", and it is not asked again"
            return None
        return exchange.text if exchange.ok else None

    def _fail(self, failure: EngineFailureError) -> None:
        """Note a failure as the `problem`, and kill the process; the next game starts another one."""
        self.problem = f"{self._player.name} {NO_SCORE}: {failure.detail}"
        self._player.stop(politely=False)


def winner_of(result: str) -> Colour | None:
    """The winner of a result as in SGF, such as "B+3.5"; None for a draw, "0"."""
    return _WINNERS.get(result[:1])
