"""Checks that the komi of a controller is in force, by the scores of finished games.

The same game is scored with several komi values. Whatever the rules of scoring, the differences of the scores
are those of the komi values: if it is B+10 with komi 0, it is B+3.5 with komi 6.5.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from harness.check.bot.session import Session
from harness.check.bot.wording import exchange_text
from harness.check.model import Ability, Judgement, Outcome, Requirements, failed, passed
from harness.check.procedures.conversation import Conversation, new_game
from harness.check.procedures.reliance import SentLine, requirements
from harness.check.procedures.whole_game import leads
from harness.commands.kept_games import nearly_settled_game, settled_game
from harness.gtp import Exchange

TURNS = (0, 1, 4)
"""The symmetry of the board for each game of a round, by number: a bot that stores the score of a board
cannot reuse it for the next game."""

KOMI_PATHS = {
    "new": "board komi moves",
    "cleared": "board komi clear moves",
    "searched": "board komi searches clear moves",
}
"""By name: a way to set komi before a game is scored, as the parts of the game (the keys in `_lines`)."""

ROUNDS = 2
"""Rounds of all games, the last of which counts. Chosen: a bot that estimates scores shows it in two."""


@dataclass(frozen=True)
class ScoredKomi(Conversation):
    """final_score of a finished game with several komi values, each set in a new game.

    cases   three games as (key of KOMI_PATHS, komi). With each komi, the same side should win on every board
            size, by area and by territory: a score that the bot rounds then has the same winner
    """

    cases: tuple[tuple[str, float], tuple[str, float], tuple[str, float]]

    @cached_property
    def requires(self) -> Requirements:
        """Requirements of the games."""
        lines = [line for path, komi in self.cases for line in _lines(9, path, komi, 0)]
        found = requirements(map(SentLine, (*lines, b"final_score\n")))
        return replace(found, abilities=found.abilities | {Ability.SCORES})

    def observe(self, session: Session) -> tuple[Exchange, ...]:
        """Score all games, ROUNDS times."""
        record: list[Exchange] = []
        for _ in range(ROUNDS):
            for (path, komi), turn in zip(self.cases, TURNS, strict=True):
                session.bot.set_up(_lines(session.introduction.size, path, komi, turn))
                record.append(session.bot.ask(b"final_score\n"))
        return tuple(record)

    def judge(self, observation: tuple[Exchange, ...]) -> Judgement:
        """The scores must differ as the komi values do. Skipped if the bot refuses to score, or estimates."""
        refusals = [exchange for exchange in observation if not exchange.ok]
        if refusals:
            why = f"the bot does not score: {exchange_text(refusals[0])}"
            return Judgement(Outcome.SKIP, observed=why)
        texts = [exchange.text.strip() for exchange in observation]
        before, scores = texts[: -len(self.cases)], texts[-len(self.cases) :]
        # The first game of a round follows another game in each round: a late komi may change it.
        if before[1:] != scores[1:]:
            return Judgement(
                Outcome.SKIP, observed=f"the same games scored again: {before[1:]}, then {scores[1:]}"
            )
        komis = [komi for _, komi in self.cases]
        shown = ", ".join(
            f"komi {komi:g}{' and two searches' * (path == 'searched')} → {score}"
            for (path, komi), score in zip(self.cases, scores, strict=True)
        )
        found = leads(scores)
        if len(found) < len(scores):  # unreadable
            return Judgement(Outcome.FAIL, "B+, W+ or 0", shown, reported_by=Ability.SCORES)
        expected = "with each point of komi, the score moves one point to White, and by nothing else"
        if len({lead + komi for lead, komi in zip(found, komis, strict=True)}) == 1:
            return passed(expected, shown)
        # Komi counts for Black: the check of scores reports it.
        if len({lead - komi for lead, komi in zip(found, komis, strict=True)}) == 1:
            return Judgement(Outcome.FAIL, expected, shown, reported_by=Ability.SCORES)
        return failed(expected, shown)


def _lines(size: int, path: str, komi: float, turn: int) -> list[bytes]:
    """Return the lines of a finished game. `path`: a key of KOMI_PATHS; `turn`: number of a symmetry."""
    parts = {
        "board": list(new_game(size)),
        "komi": [f"komi {komi:g}\n".encode("ascii")],
        "clear": [b"clear_board\n"],
        "moves": settled_game(size, turn),
        "searches": [*nearly_settled_game(size), b"genmove b\n", b"genmove w\n"],
    }
    return [line for part in KOMI_PATHS[path].split() for line in parts[part]]
