"""A game that the bot plays to its end against itself, and its own count of the result."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass

from harness.checks.bot import Bot, Facts
from harness.checks.model import Judgement, Outcome
from harness.checks.positions import DAME
from harness.checks.probe import Probe, UnreadableAnswer, read_move
from harness.checks.special import Record, failed, passed
from harness.go import Colour, IllegalMove, Position, opponent, random_game
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


@dataclass(frozen=True)
class WholeGame:
    """`game.whole`: every generated move against the referee, until both sides have passed."""

    needs_size = SIZE

    def observe(self, bot: Bot, facts: Facts) -> Record:
        """The opening, then genmove for either colour in turn; ends at two passes or the first oddity."""
        lines = [f"boardsize {SIZE}\n".encode("ascii"), b"clear_board\n", f"komi {KOMI}\n".encode("ascii")]
        bot.tell(lines)
        began = time.monotonic()
        bot.say(b"genmove b\n")
        a_move = time.monotonic() - began
        moves = next((n for n in OPENINGS if a_move * (90 - n) < SECONDS), OPENINGS[-1])
        opening = random_game(SIZE, SEED, moves)
        bot.tell(lines)
        record = [bot.say(_play(move.colour, move.point)) for move in opening.moves]
        colour, passes = opening.to_move, 0
        while passes < 2 and len(record) < LONGEST:
            record.append(bot.say(f"genmove {colour}\n".encode("ascii")))
            text = record[-1].text.strip().upper()
            if not record[-1].ok or text == "RESIGN":
                break
            passes = passes + 1 if text == "PASS" else 0
            colour = opponent(colour)
        return tuple(record)

    def judge(self, record: Record) -> Judgement:
        """Legal moves only, no own eye filled, no pass while there is a candidate, no resignation."""
        expected = (
            "legal moves, no own eye filled, no pass before there is nothing else, both passes at the end"
        )
        position, passes, generated = Position(SIZE), 0, 0
        for exchange in record:
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
        return passed(expected, f"{generated} moves, all as they must be")


def _fault(position: Position, colour: Colour, exchange: Exchange) -> str:
    """What is wrong with a generated move; plays it if nothing is."""
    try:
        move = read_move(exchange, SIZE)
    except UnreadableAnswer:
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
    except IllegalMove as illegal:
        return f"{colour} {move} is not legal: {illegal.reason}"
    return ""


@dataclass(frozen=True)
class FinalScore:
    """`game.final-score`: the count of a board on which there is nothing left to play."""

    needs = ("final_score",)
    needs_size = SIZE

    cases = ((5.5, "B+3.5"), (7.5, "B+1.5"), (9.5, "W+0.5"), (9.0, "0"))

    def observe(self, bot: Bot, facts: Facts) -> Record:
        """final_score at several komi, after both sides have passed."""
        probe = Probe("final", DAME[1], "b", tail=(("b", "E9"), ("w", "pass"), ("b", "pass")))
        bot.tell(probe.setup())
        record = []
        for komi, _ in self.cases:
            bot.tell([f"komi {komi:g}\n".encode("ascii")])
            record.append(bot.say(b"final_score\n"))
        return tuple(record)

    def judge(self, record: Record) -> Judgement:
        """The winner, and by how much."""
        expected = ", ".join(score for _, score in self.cases)
        answers = [exchange.text.strip() if exchange.ok else "" for exchange in record]
        observed = ", ".join(
            answer or printable(e.raw).strip() for answer, e in zip(answers, record, strict=True)
        )
        right = all(
            _same_score(answer, score) for answer, (_, score) in zip(answers, self.cases, strict=True)
        )
        hint = "Black's area less White's less komi; B+ or W+ and the difference, or 0"
        return passed(expected, observed) if right else failed(expected, observed, hint)


def _same_score(answer: str, score: str) -> bool:
    """Whether two results are one: the sign and the number, however it is written."""
    pattern = r"(?:([BW])\+)?(\d+(?:\.\d*)?)"
    mine, theirs = re.fullmatch(pattern, answer.upper()), re.fullmatch(pattern, score)
    if mine is None or theirs is None:
        return False
    same_number = abs(float(mine[2]) - float(theirs[2])) < 1e-6
    return same_number and (mine[1] == theirs[1] or float(theirs[2]) == 0.0)


def _play(colour: Colour, point: tuple[int, int] | None) -> bytes:
    return f"play {colour} {format_vertex(point)}\n".encode("ascii")
