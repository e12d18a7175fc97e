"""A game that the bot plays to its end against itself, and its own count of the result."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, replace

from harness.checks.bot.errors import UnreadableAnswerError
from harness.checks.bot.session import Session
from harness.checks.model import Judgement, Outcome, Requirements, failed, passed
from harness.checks.positions.settled import DAME
from harness.checks.procedures.answers import read_move
from harness.checks.procedures.conversation import Conversation, short_answer
from harness.checks.procedures.probe import Probe
from harness.go import Colour, IllegalMoveError, Position, opponent, random_game
from harness.gtp import Exchange, format_vertex, parse_vertex, printable

SIZE = 9
KOMI = 7.5
SEED = 2008
OPENINGS = (10, 50, 70)
"""Random moves before the bot takes over: the fewer, the longer the game that it plays itself."""

SECONDS = 6.0
"""About what a whole game may take; a slow bot begins later in the game."""

LONGEST = 3 * SIZE * SIZE
"""Generated moves after which a game should long have ended."""

FILLED = Probe("final", DAME[1], "b", tail=(("b", "E9"), ("w", "pass"), ("b", "pass")))
"""Nothing left to play, both sides have passed: 45 points to 36."""

FINAL_SCORE = Requirements(optional_commands=("final_score",), board_size=SIZE)

TURNS = (0, 1, 4)
"""Symmetries under which that board looks different: no score kept from an earlier board is found again."""


@dataclass(frozen=True)
class GameRecord:
    """The moves played and generated, and the final_score of a game that ended, if the bot has one."""

    moves: tuple[Exchange, ...]
    score: Exchange | None = None


@dataclass(frozen=True)
class WholeGame(Conversation):
    """`game.whole`: every generated move against the referee, until both sides have passed."""

    def observe(self, session: Session) -> GameRecord:
        """The opening, then genmove for either colour in turn; ends at two passes or the first oddity."""
        bot = session.bot
        lines = [f"boardsize {SIZE}\n".encode("ascii"), b"clear_board\n", f"komi {KOMI}\n".encode("ascii")]
        bot.set_up(lines)
        began = time.monotonic()
        bot.ask(b"genmove b\n")
        a_move = time.monotonic() - began
        moves = next((n for n in OPENINGS if a_move * (90 - n) < SECONDS), OPENINGS[-1])
        opening = random_game(SIZE, SEED, moves)
        bot.set_up(lines)
        record = [bot.ask(_play(move.colour, move.point)) for move in opening.moves]
        colour, passes = opening.to_move, 0
        while passes < 2 and len(record) < LONGEST:
            record.append(bot.ask(f"genmove {colour}\n".encode("ascii")))
            text = record[-1].text.strip().upper()
            if not record[-1].ok or text == "RESIGN":
                break
            passes = passes + 1 if text == "PASS" else 0
            colour = opponent(colour)
        ended = passes == 2 and session.has("final_score")
        return GameRecord(tuple(record), bot.ask(b"final_score\n") if ended else None)

    def judge(self, observation: GameRecord) -> Judgement:
        """Legal moves only, no own eye filled, no early pass, the right score at the end."""
        expected = (
            "legal moves, no own eye filled, no pass before there is nothing else, both passes at the end"
        )
        position, passes, generated = Position(SIZE), 0, 0
        for exchange in observation.moves:
            colour: Colour = "b" if exchange.sent.split()[1].lower().startswith(b"b") else "w"
            if exchange.sent.startswith(b"play"):
                position.play(colour, parse_vertex(exchange.sent.split()[2].decode("ascii"), SIZE))
                continue
            generated += 1
            fault = _fault(position, colour, exchange)
            if fault:
                board = position.draw()
                return failed(expected, f"move {len(position.moves) + 1}, {fault}\n{board}")
            passes = passes + 1 if position.moves[-1].point is None else 0
        if passes < 2:
            return Judgement(Outcome.FAIL, expected, f"no end after {generated} moves")
        score = observation.score
        if score is not None:
            wanted = result_text(position.area_score() - KOMI)
            if not same_score(score.text.strip() if score.ok else "", wanted):
                return failed(f"final_score → {wanted}", short_answer(score))
        return passed(expected, f"{generated} moves, all right")


def _fault(position: Position, colour: Colour, exchange: Exchange) -> str:
    """What is wrong with a generated move; plays it if nothing is."""
    try:
        move = read_move(exchange, SIZE)
    except UnreadableAnswerError:
        return f"{printable(exchange.sent).rstrip()} → {printable(exchange.raw).strip()}"
    if move == "RESIGN":
        return f"{colour} resigns; a conforming bot plays to the end"
    candidates = position.candidates(colour)
    point = parse_vertex(move, SIZE)
    if point is None:
        if candidates:
            return f"{colour} passes and could play {format_vertex(candidates[0])}"
        position.play(colour, None)
        return ""
    if position.is_eye(colour, point):
        return f"{colour} fills its own eye {move}"
    try:
        position.play(colour, point)
    except IllegalMoveError as illegal:
        return f"{colour} {move} is not legal: {illegal.reason}"
    return ""


@dataclass(frozen=True)
class ScoresRecord:
    """The answers to final_score, one for each case."""

    answers: tuple[Exchange, ...]


@dataclass(frozen=True)
class FinalScore(Conversation):
    """The count of a board on which there is nothing left to play, with each komi what it must be.

    komi_last     komi is set once both sides have passed, not before the first stone
    winner_only   the margin may be off: that is another clause
    """

    cases: tuple[tuple[float, str], ...]
    komi_last: bool = False
    winner_only: bool = False

    def observe(self, session: Session) -> ScoresRecord:
        """final_score at each komi, after both sides have passed."""
        bot, record = session.bot, []
        for number, (komi, _) in enumerate(self.cases):
            if not self.komi_last or number == 0:
                probe = FILLED.turned(TURNS[number])
                bot.set_up(replace(probe, komi=0.5 if self.komi_last else komi).setup())
            if self.komi_last:
                bot.set_up([f"komi {komi:g}\n".encode("ascii")])
            record.append(bot.ask(b"final_score\n"))
        return ScoresRecord(tuple(record))

    def judge(self, observation: ScoresRecord) -> Judgement:
        """The winner, and by how much."""
        expected = ", ".join(score for _, score in self.cases)
        answers = [exchange.text.strip() if exchange.ok else "" for exchange in observation.answers]
        observed = ", ".join(
            answer or short_answer(exchange)
            for answer, exchange in zip(answers, observation.answers, strict=True)
        )
        same = same_winner if self.winner_only else same_score
        right = all(same(answer, score) for answer, (_, score) in zip(answers, self.cases, strict=True))
        hint = "Black's area less White's less komi; B+ or W+ and the difference, or 0"
        return passed(expected, observed) if right else failed(expected, observed, hint)


def result_text(score: float) -> str:
    """Black's lead as final_score writes it."""
    return f"{'B' if score > 0 else 'W'}+{abs(score):g}" if score else "0"


def same_score(answer: str, score: str) -> bool:
    """Whether two results are one: the winner and the number, however it is written."""
    if not same_winner(answer, score):
        return False
    return abs(float(answer.rpartition("+")[2]) - float(score.rpartition("+")[2])) < 1e-6


def same_winner(answer: str, score: str) -> bool:
    """Whether an answer has the form of a result, and the winner of `score`."""
    form = re.fullmatch(r"(?:([BW])\+)?(\d+(?:\.\d*)?)", answer.upper())
    if form is None:
        return False
    winner = form[1] if float(form[2]) else None  # B+0 and 0 are one
    return (winner or "") == score.rpartition("+")[0] and (form[1] is not None or float(form[2]) == 0.0)


def _play(colour: Colour, point: tuple[int, int] | None) -> bytes:
    return f"play {colour} {format_vertex(point)}\n".encode("ascii")
