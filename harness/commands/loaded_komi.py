"""Check that loadsgf puts the komi of the record in force.

A komi is set, then a record with another komi is loaded: now the komi of the record (KM) must be in force. If
the bot has no get_komi, final_score shows the komi. The record ends with a settled board, where the score is
always the same, even if the bot computes it by playouts.
"""

from __future__ import annotations

from dataclasses import dataclass

from harness.check.bot.session import Session
from harness.check.bot.wording import exchange_text
from harness.check.model import Judgement, Outcome, Requirements, failed, passed
from harness.check.procedures.conversation import Conversation, new_game
from harness.check.procedures.whole_game import leads
from harness.check.stored_records import (
    SETTLED,
    folder,
    is_sendable,
    record_of,
    record_path,
    with_records_folder,
)
from harness.commands.record_dialogues import UNREADABLE, UNSENDABLE
from harness.gtp import Exchange, parse_decimal

BEFORE, AFTER = 7.5, 23.5
"""The komi before the record is loaded, and the last one, which shows if final_score follows the komi.
Chosen: no record of the checks has one of them."""

KEPT = "loadsgf-keeps-komi"
"""The fault of a bot that keeps the komi from before the record."""

ERROR = 0.01
"""Largest difference of equal komi values or scores. Chosen: far below the half point between others."""


@dataclass(frozen=True)
class LoadedKomiRecord:
    """The answers to loadsgf, and to get_komi or else final_score.

    size     of the board
    loaded   None if GTP cannot send the path of the record
    komi     None if loadsgf failed, or without get_komi
    scores   with the komi after loading, with the komi of the record, and with AFTER; empty if loadsgf
             failed, with get_komi, or without final_score
    """

    size: int
    loaded: Exchange | None = None
    komi: Exchange | None = None
    scores: tuple[Exchange, ...] = ()


@dataclass(frozen=True)
class LoadedKomi(Conversation):
    """The komi after loadsgf, shown by get_komi or by three calls of final_score."""

    requires = Requirements(optional_commands=("loadsgf",))

    def observe(self, session: Session) -> LoadedKomiRecord:
        """Set a komi, load a record with another one, and ask for the komi or for the score."""
        bot, size = session.bot, session.introduction.size
        if not is_sendable(str(folder())):
            return LoadedKomiRecord(size)
        line = with_records_folder(f"loadsgf {record_path(SETTLED, size)}\n".encode("ascii"))
        bot.set_up((*new_game(size), _komi(BEFORE)))
        loaded = bot.ask(line)
        if not loaded.ok:
            return LoadedKomiRecord(size, loaded)
        if session.has("get_komi"):
            return LoadedKomiRecord(size, loaded, bot.ask(b"get_komi\n"))
        if not session.has("final_score"):
            return LoadedKomiRecord(size, loaded)
        scores = [bot.ask(b"final_score\n")]
        for komi in (record_of(SETTLED, size).komi or 0.0, AFTER):
            bot.set_up([_komi(komi)])
            scores.append(bot.ask(b"final_score\n"))
        return LoadedKomiRecord(size, loaded, scores=tuple(scores))

    def judge(self, observation: LoadedKomiRecord) -> Judgement:
        """The komi must be that of the record. Skipped if it is not loaded, or no answer shows the komi."""
        if observation.loaded is None:
            return Judgement(Outcome.SKIP, observed=UNSENDABLE)
        if not observation.loaded.ok:
            return Judgement(Outcome.SKIP, observed=f"{exchange_text(observation.loaded)}: {UNREADABLE}")
        right = record_of(SETTLED, observation.size).komi or 0.0
        expected = f"komi {right:g}, as the record says (KM)"
        if observation.komi is not None:
            found = parse_decimal(observation.komi.text) if observation.komi.ok else None
            if found is None:
                return Judgement(Outcome.SKIP, expected, exchange_text(observation.komi))
            observed = f"get_komi → {found:g}"
            if abs(found - right) < ERROR:
                return passed(expected, observed)
            unlike = () if abs(found - BEFORE) < ERROR else (KEPT,)
            return failed(expected, observed, unlike=unlike)
        return self._judge_scores(observation, right, expected)

    def _judge_scores(self, observation: LoadedKomiRecord, right: float, expected: str) -> Judgement:
        """Judge the komi behind the first score by the two others, whose komi values are known."""
        scores = leads([score.text.strip() for score in observation.scores if score.ok])
        if len(scores) < 3 or abs(scores[1] - scores[2] - (AFTER - right)) > ERROR:
            return Judgement(Outcome.SKIP, expected, "no get_komi, and no final_score that follows the komi")
        if abs(scores[0] - scores[1]) < ERROR:
            return passed(expected, "the same final_score as after komi is set to this value")
        if abs(scores[0] - scores[1] - (right - BEFORE)) < ERROR:
            return failed(expected, f"final_score counts komi {BEFORE:g}, which was in force before")
        return Judgement(Outcome.SKIP, expected, "final_score differs for another reason than the komi")


def _komi(komi: float) -> bytes:
    return f"komi {komi:g}\n".encode("ascii")
