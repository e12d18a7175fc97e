"""Dialogues that make an engine load a game record, from a file that is part of this package.

`loading` makes a dialogue from a script such as

    loadsgf {game} -> =
    play w C3 -> ?

which sends `loadsgf FOLDER/game-9.sgf` on 9x9 and expects a success, and then the refusal of a move on a
stone of the record. An engine in a container or on another machine may be unable to read the files. A refusal
to load the first record therefore ends a dialogue without a judgement, unless `may_refuse` is False.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from harness.check.bot.session import Session
from harness.check.bot.wording import exchange_text
from harness.check.model import Judgement, Outcome
from harness.check.procedures.dialogue import Dialogue, DialogueRecord
from harness.check.procedures.held_steps import HeldStep, hold
from harness.check.procedures.script import SHOWN_AS, Step, steps
from harness.check.stored_records import (
    GAME,
    KO,
    SETUP,
    folder,
    is_sendable,
    record_path,
    with_records_folder,
)
from harness.gtp import command_name, format_vertex

LARGE = 19
"""The larger of the two board sizes in the description of a dialogue on two sizes; the other is 9."""

# Observations of skipped checks.
UNSENDABLE = "the path of the records has a character that GTP cannot send in a file name"
UNREADABLE = "the bot may be unable to read the files of this machine"


@dataclass(frozen=True)
class RecordDialogue(Dialogue):
    """A dialogue whose lines name files in `{records}`, the folder of the records.

    may_refuse   a refusal of the first record ends the dialogue without a judgement
    compares     the dialogue begins without a record, to compare with: an unexpected answer there is not
                 judged, because it has another cause than the record
    """

    may_refuse: bool = True
    compares: bool = False

    def lines(self, size: int, turn: int) -> tuple[bytes, ...]:
        """Return the lines to send by hand, with the paths of the records.

        `turn`, the number of a symmetry of the board, has no effect: the records are not turned.
        """
        return tuple(map(with_records_folder, super().lines(size, 0)))

    def observe(self, session: Session) -> DialogueRecord:
        """Hold the dialogue."""
        size = session.introduction.size
        return DialogueRecord(self._held(session, self.write(size, 0)), size)

    def _held(self, session: Session, written: Sequence[Step]) -> tuple[HeldStep, ...]:
        """Hold the dialogue with the paths filled in; empty if GTP cannot send the paths."""
        if not is_sendable(str(folder())):
            return ()
        known = session.introduction.known_answer or SHOWN_AS  # such as (name, MyBot)
        filled = (step.filled(*known) for step in written)
        return hold(session.bot, (replace(step, send=with_records_folder(step.send)) for step in filled))

    def judge(self, observation: DialogueRecord) -> Judgement:
        """Judge the steps. Skipped as `may_refuse` and `compares` say, or if GTP cannot send the paths."""
        if not observation.held:
            return Judgement(Outcome.SKIP, observed=UNSENDABLE)
        # The last step held is the first one with an unexpected answer, if there is one.
        last = observation.held[-1]
        if self.may_refuse and _is_refused_load(last) and not any(map(_is_load, observation.held[:-1])):
            return Judgement(Outcome.SKIP, observed=f"{exchange_text(last.exchanges[-1])}: {UNREADABLE}")
        if self.compares and last.unexpected is not None and not any(map(_is_load, observation.held)):
            return Judgement(Outcome.SKIP, observed=f"{exchange_text(last.exchanges[-1])}, without a record")
        return super().judge(observation)


def _is_load(held: HeldStep) -> bool:
    """Return True if the step is a loadsgf that must succeed."""
    return command_name(held.step.send) == b"loadsgf" and held.step.expect[0].sign == "="


def _is_refused_load(held: HeldStep) -> bool:
    """Return True if the bot refused a loadsgf that must succeed."""
    exchange = held.exchanges[-1]
    return _is_load(held) and exchange.answer is not None and not exchange.ok


@dataclass(frozen=True)
class TwoSizes(RecordDialogue):
    """A dialogue on two board sizes that the bot accepts: `write(smaller, larger)` returns its steps."""

    def observe(self, session: Session) -> DialogueRecord:
        """Hold the dialogue on the first two sizes, unless the bot accepts only one."""
        sizes = sorted(session.introduction.sizes[:2])
        if len(sizes) < 2:
            return DialogueRecord((), sizes[0], nothing_known=True)
        return DialogueRecord(self._held(session, self.write(sizes[0], sizes[1])), sizes[0])

    def judge(self, observation: DialogueRecord) -> Judgement:
        """Judge the steps. Skipped if the bot accepts only one size."""
        if observation.nothing_known:
            return Judgement(Outcome.SKIP, observed="the bot accepts only one board size of 9, 13 and 19")
        return super().judge(observation)


def loading(script: str, *, may_refuse: bool = True, compares: bool = False) -> RecordDialogue:
    """Make a dialogue from a script; `{game}`, `{setup}` and `{ko}` are paths of records for its size.

    Raises what `steps` raises for a script that cannot be read.
    """

    def write(size: int, _turn: int) -> list[Step]:
        text = script
        for name in (GAME, SETUP, KO):
            text = text.replace(f"{{{name}}}", record_path(name, size))
        return steps(text, size)

    write(9, 0)
    return RecordDialogue(write, may_refuse=may_refuse, compares=compares)


def loading_sizes(script: str) -> TwoSizes:
    """Make a dialogue from a script on two boards: `{small}` and `{large}` are their sizes.

    `{small-game}` and `{large-game}` are paths of records for these sizes. `{corner}` is a vertex that only
    the larger board has. In a description, where no size is known, the sizes are 9 and LARGE. Raises what
    `steps` raises for a script that cannot be read.
    """

    def write(small: int, large: int) -> list[Step]:
        large = large or LARGE  # 0 in a description
        text = script.replace("{corner}", format_vertex((large - 1, large - 1)))
        for name, size in (("small", small), ("large", large)):
            text = text.replace(f"{{{name}}}", str(size)).replace(f"{{{name}-game}}", record_path(GAME, size))
        return steps(text, small)

    write(9, LARGE)
    return TwoSizes(write)
