"""Two procedures about the end of a game: a game of the bot against itself, and `final_score` of a set-up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from harness.check.bot.errors import UnreadableAnswerError
from harness.check.bot.session import Session
from harness.check.bot.wording import answer_text
from harness.check.model import Ability, Judgement, Outcome, Requirements, failed, passed
from harness.check.play_rules import REFERENCE_RULES, PlayRules
from harness.check.positions import DAME
from harness.check.procedures.chosen_move import ONLY_PASS, in_words, violation
from harness.check.procedures.conversation import Conversation, as_lines, new_game, read_move
from harness.check.procedures.failures import judge_error
from harness.check.procedures.probe import Probe
from harness.check.procedures.reliance import SentLine, requirements
from harness.go import Colour, Position, opponent, random_game, result_text
from harness.gtp import Exchange, format_vertex, parse_vertex

SIZE = 9
KOMI = 7.5
SEED = 2008
"""Seed of the random moves before the bot takes over."""

OPENINGS = {10: 90.0, 50: 40.0, 70: 11.0, 90: 1.5}
"""By number of random opening moves: the duration of the rest of the game, in searches of the empty board.

The game begins with the fewest opening moves of which the rest takes less than SECONDS, else with the most.
"""

SECONDS = 2.0
"""Time that the generated part of a game should take, in seconds; chosen."""

CAPTURES = (Ability.CAPTURES, Ability.CAPTURES_CHAINS, Ability.CAPTURES_SEVERAL_CHAINS)
"""The abilities that every whole game needs."""

LONGEST = 3 * SIZE * SIZE
"""Limit of the moves: a game in which eyes are not filled ends long before."""

FILLED = Probe("final", DAME[1], "b", tail=(("b", "E9"), ("w", "pass"), ("b", "pass")))
"""The board of `FinalScore`. Both sides have passed with no candidate left: Black 45 points, White 36."""

STRICT_GAME = "legal moves, no own eye filled, no pass before there is nothing else, both passes at the end"
"""The requirements on the moves of a bot that passes by the rules of the reference bot."""

FINAL_SCORE_CHECK = "game.final-score"
"""The check that reports a wrong score."""

FINAL_SCORE = Requirements(optional_commands=("final_score",), board_size=SIZE)

TURNS = (0, 1, 4)
"""Numbers of board symmetries that give three different boards from FILLED, one for each scored komi."""


@dataclass(frozen=True)
class GameRecord:
    """The exchanges of all moves; and of final_score, if the game ended and the bot has the command."""

    moves: tuple[Exchange, ...]
    score: Exchange | None = None
    rules: PlayRules = REFERENCE_RULES


@dataclass(frozen=True)
class WholeGame(Conversation):
    """`game.whole`: the bot plays both sides to the end; the referee judges every generated move."""

    @property
    def requires(self) -> Requirements:
        """Requirements of the game."""
        lines = (*_new_game(KOMI), b"play b C3\n", b"genmove w\n", b"genmove b\n", b"play b J3\n")
        found = requirements(map(SentLine, lines))
        needed = {Ability.PLAYS_ITS_MOVES, Ability.PASSES, *CAPTURES}
        return replace(found, abilities=found.abilities | needed)

    def observe(self, session: Session) -> GameRecord:
        """Play the opening, then generate moves for both colours; ask for the score after two passes.

        The game ends by two passes, a refusal, a resignation, or after LONGEST moves.
        """
        bot = session.bot
        lines = _new_game(KOMI)
        bot.set_up(lines)
        a_search = bot.ask(b"genmove b\n").seconds
        moves = next((n for n, rest in OPENINGS.items() if a_search * rest < SECONDS), max(OPENINGS))
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
        return GameRecord(tuple(record), bot.ask(b"final_score\n") if ended else None, session.rules)

    def judge(self, observation: GameRecord) -> Judgement:
        """Every move must be right, and the game must end. A wrong move is reported by the check of its kind.

        Skip a game that the rules of the bot leave open.
        """
        rules = observation.rules
        expected = "legal moves" if rules.passing == "free" else STRICT_GAME
        position = Position(SIZE, rules.referee_rules)
        generated = 0
        for exchange in observation.moves:
            colour: Colour = "b" if exchange.sent.split()[1].lower().startswith(b"b") else "w"
            if exchange.sent.startswith(b"play"):
                position.play(colour, parse_vertex(exchange.sent.split()[2].decode("ascii"), SIZE))
                continue
            try:
                move = read_move(exchange, SIZE)
            except UnreadableAnswerError as error:
                return judge_error(error)
            wrong_move = _judge_move(position, colour, move, rules)
            if wrong_move is not None:
                return replace(wrong_move, expected=expected)
            if move == "RESIGN":
                return passed(expected, f"{generated + 1} moves, the last of them a resignation")
            point = parse_vertex(move, SIZE)
            if rules.leaves_open(position.legality(colour, point)):
                observed = f"{generated} legal moves, then {colour} {move}: whether it is legal is open"
                return Judgement(Outcome.SKIP, expected, observed)
            position.play(colour, point)
            generated += 1
        return _judge_end(observation, position, generated, expected)


def _judge_end(observation: GameRecord, position: Position, generated: int, expected: str) -> Judgement:
    """Judge a game whose moves are all right, by its end: two passes, and the score after them.

    position    the last one
    generated   number of generated moves
    """
    is_free = observation.rules.passing == "free"
    answers = [exchange.text.strip().upper() for exchange in observation.moves]
    if answers[-2:] != ["PASS", "PASS"]:
        observed = f"no end after {generated} legal moves, at the limit of {LONGEST} moves a game"
        if is_free:  # the bot may go on until only passes are left to it
            open_end = "; a bot that passes freely may play longer"
            return Judgement(Outcome.SKIP, expected, observed + open_end)
        return Judgement(Outcome.FAIL, expected, observed)
    # The score is not judged if the bot passes freely: stones may be dead then.
    wrong_score = None if is_free else _judge_score(position, observation.score)
    return wrong_score or passed(expected, f"{generated} moves, all right")


def _judge_move(position: Position, colour: Colour, move: str, rules: PlayRules) -> Judgement | None:
    """Return the failure by a move that violates the rules; None for a right move."""
    found = violation(position, colour, move, rules)
    if found is None:
        return None
    words = in_words(found, position, colour)
    observed = f"move {len(position.moves) + 1}, {colour} {move}: {words}\n{position.draw()}"
    hint = "answer pass where there is no candidate" if words == ONLY_PASS else ""
    return Judgement(Outcome.FAIL, observed=observed, hint=hint, reported_by=found)


def _judge_score(position: Position, score: Exchange | None) -> Judgement | None:
    """Return the failure if final_score after the game was answered, and wrong; else None."""
    if score is None or not score.ok:
        return None
    wanted = result_text(position.area_score() - KOMI)
    if same_score(score.text.strip(), wanted):
        return None
    observed = f"final_score → {answer_text(score)}\n{position.draw()}"
    return Judgement(Outcome.FAIL, f"final_score → {wanted}", observed, reported_by=FINAL_SCORE_CHECK)


@dataclass(frozen=True)
class FinalScore(Conversation):
    """final_score of a finished game, with several komi values.

    cases             komi, and the right score with it; not more than TURNS has, unless `komi_last`
    komi_last         set komi after both sides have passed, not before the first stone
    form_only         judge the form alone: another clause is about winner and margin
    differences_only  judge only the differences between the scores, which komi makes
    """

    cases: tuple[tuple[float, str], ...]
    komi_last: bool = False
    form_only: bool = False
    differences_only: bool = False

    @property
    def requires(self) -> Requirements:
        """Requirements of setting up the board."""
        return requirements(map(SentLine, FILLED.setup()))

    def observe(self, session: Session) -> tuple[Exchange, ...]:
        """Ask for final_score with each komi, after both sides have passed."""
        bot, record = session.bot, []
        for number, (komi, _) in enumerate(self.cases):
            if not self.komi_last or number == 0:
                probe = FILLED.turned(TURNS[number])
                bot.set_up(replace(probe, komi=0.5 if self.komi_last else komi).setup())
            if self.komi_last:
                bot.set_up([f"komi {komi:g}\n".encode("ascii")])
            record.append(bot.ask(b"final_score\n"))
        return tuple(record)

    def judge(self, observation: tuple[Exchange, ...]) -> Judgement:
        """Winner and margin must be right, as far as the fields ask for them. A bot may refuse to score."""
        refusals = [exchange for exchange in observation if exchange.answer and not exchange.ok]
        if refusals:
            return Judgement(Outcome.SKIP, observed=f"the bot does not score: {answer_text(refusals[0])}")
        scores = [score for _, score in self.cases]
        answers = [exchange.text.strip() if exchange.ok else "" for exchange in observation]
        expected = ", ".join(scores)
        given = zip(answers, observation, strict=True)
        observed = ", ".join(answer or answer_text(exchange) for answer, exchange in given)
        wanted_steps, steps = _differences(leads(scores)), _differences(leads(answers))
        if self.differences_only and steps != wanted_steps and steps == [-step for step in wanted_steps]:
            hint = "B is Black and W is White: a larger komi must be better for White"
            return Judgement(Outcome.FAIL, expected, observed, hint, reported_by=Ability.SCORES)
        hint = "answer Black's area minus White's area minus komi, as B+ or W+ and the difference, or 0"
        if len(leads(answers)) < len(answers):
            return Judgement(Outcome.FAIL, expected, observed, hint, reported_by=Ability.SCORES)
        if self.differences_only:
            right = steps == wanted_steps
        else:
            right = self.form_only or all(map(same_score, answers, scores))
        return passed(expected, observed) if right else failed(expected, observed, hint)


def leads(results: Sequence[str]) -> list[float]:
    """Return Black's lead in each result of the right form; skip others. `B+9.5`, `W+3`, `0`: 9.5, -3, 0."""
    forms = (re.fullmatch(r"([BW]\+)?(\d+(?:\.\d*)?)", result.upper()) for result in results)
    readable = [form for form in forms if form is not None and (form[1] or float(form[2]) == 0.0)]
    return [float(form[2]) * (-1 if form[1] == "W+" else 1) for form in readable]


def _differences(values: Sequence[float]) -> list[float]:
    return [round(later - earlier, 6) for earlier, later in pairwise(values)]


def same_score(answer: str, score: str) -> bool:
    """Return whether an answer has the winner and the margin of `score`, however the number is written."""
    found = leads([answer])
    return bool(found) and abs(found[0] - leads([score])[0]) < 1e-6


def _new_game(komi: float) -> tuple[bytes, ...]:
    return (*new_game(SIZE), *as_lines(f"komi {komi}"))


def _play(colour: Colour, point: tuple[int, int] | None) -> bytes:
    return f"play {colour} {format_vertex(point)}\n".encode("ascii")
