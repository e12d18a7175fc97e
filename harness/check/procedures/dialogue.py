"""The procedure of a fixed dialogue: steps (see `script`) that do not depend on the bot's answers.

In a step, `{known}` stands for a command of the bot such as name, and `{answer}` for the answer that the bot
has given to it before.

A dialogue about the rules can be turned by any of the eight symmetries of the board, so that no bot can be
prepared for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from harness.check.bot.bot import Bot
from harness.check.bot.session import Session
from harness.check.model import Ability, Judgement, Outcome, Phase, Requirements
from harness.check.procedures.held_steps import HeldStep, hold, judge_steps
from harness.check.procedures.reliance import requirements
from harness.check.procedures.script import SHOWN_AS, Step, steps
from harness.gtp import printable

SYMMETRIES = 8
"""Number of symmetries of the board."""

NAMELESS = "gtp.admin.protocol-version"
"""The check that reports a bot that answers none of the commands about itself."""


@dataclass(frozen=True)
class DialogueRecord:
    """The observation of a dialogue, on all its sizes: the steps up to the first unexpected answer."""

    held: tuple[HeldStep, ...]
    size: int = 9  # of the board of the last step
    unlike: tuple[str, ...] = ()  # the fault of `unlike_after`, if the bot is shown not to have it
    nothing_known: bool = False  # no dialogue: no command of the bot has an answer for `{answer}`


@dataclass(frozen=True)
class Dialogue:
    """The procedure of a check that is a dialogue with a bot.

    write          returns the steps for a board size and the number of a symmetry of the board (0 to 7, 0
                   for the dialogue as it is written)
    all_sizes      hold the dialogue on every board size that the bot accepts
    final          run late, since the bot may be in an unknown state afterwards
    about_rules    the subject is a rule of the game: a death or silence is left to the check of the command
    not_relied_on  abilities that the lines need, and whose checks come later than this one
    unlike_after   a line, and the name of a fault. A bot with the fault fails a step, and answers it right
                   when it is sent again after this line. A bot that fails it again does not have the fault.
                   An example: a bot on which each size comes one game late refuses `play b N13` after
                   `boardsize 13` and `clear_board`, and accepts it after one more `clear_board`
    """

    write: Callable[[int, int], Sequence[Step]]
    all_sizes: bool = False
    final: bool = False
    about_rules: bool = False
    not_relied_on: frozenset[Ability] = frozenset()
    unlike_after: tuple[bytes, str] | None = None

    search_plan = None  # no searches to plan (see `Procedure`)

    @property
    def phase(self) -> Phase:
        """When the dialogue is held."""
        return Phase.FINAL if self.final else Phase.DIALOGUE

    @cached_property
    def requires(self) -> Requirements:
        """The commands that the lines need, and the abilities, without those `not_relied_on`."""
        found = requirements(step.filled(*SHOWN_AS).line for step in self.write(9, 0))
        sizes = {Ability.CHANGES_SIZE} if self.all_sizes else set()
        return replace(found, abilities=(found.abilities | sizes) - self.not_relied_on)

    def describe(self) -> list[str]:
        """Return each line of the dialogue with the answers that it expects, for 9x9."""
        lines = ["the dialogue, and the answer to each line:"]
        for step in (written.filled(*SHOWN_AS) for written in self.write(9, 0)):
            expected = ", then ".join(map(str, step.expect))
            lines.append(f"  {printable(step.send).rstrip():<40} → {expected}")
        return lines

    def lines(self, size: int, turn: int) -> tuple[bytes, ...]:
        """Return the lines to send by hand, on a board size and under one of its eight symmetries."""
        return tuple(step.filled(*SHOWN_AS).send for step in self.write(size, turn))

    def observe(self, session: Session) -> DialogueRecord:
        """Hold the dialogue, on each board size if `all_sizes`; stop at the first unexpected answer."""
        bot, introduction = session.bot, session.introduction
        sizes = introduction.sizes if self.all_sizes else introduction.sizes[:1]
        known = introduction.known_answer
        if known is None and any(step.expects_answer for step in self.write(sizes[0], 0)):
            return DialogueRecord((), sizes[0], nothing_known=True)
        held: list[HeldStep] = []
        for number, size in enumerate(sizes):
            written = self.write(size, (session.seed + number) % SYMMETRIES)
            filling = known or (_command_for_known(bot), "")  # no step expects the answer
            held += hold(bot, (step.filled(*filling) for step in written))
            if held[-1].unexpected is not None:
                return DialogueRecord(tuple(held), size, self._unlike(bot, held[-1]))
        return DialogueRecord(tuple(held), sizes[-1])

    def _unlike(self, bot: Bot, failed: HeldStep) -> tuple[str, ...]:
        """Return the fault of `unlike_after` if the step fails after its line, too; else nothing.

        Nothing also if the step had no answer, or if the bot refuses the line.
        """
        if self.unlike_after is None or not failed.exchanges[-1].is_answered:
            return ()
        line, fault = self.unlike_after
        again = hold(bot, (Step(line), failed.step))
        return (fault,) if len(again) == 2 and again[1].unexpected is not None else ()

    def judge(self, observation: DialogueRecord) -> Judgement:
        """Judge the answers to the steps."""
        if observation.nothing_known:
            observed = "protocol_version → no success, and none of name and version"
            return Judgement(Outcome.FAIL, "protocol_version → = 2", observed, reported_by=NAMELESS)
        judgement = judge_steps(observation.held, observation.size, about_rules=self.about_rules)
        return replace(judgement, unlike=(*judgement.unlike, *observation.unlike))


def _command_for_known(bot: Bot) -> str:
    """Return a command for `{known}` in a dialogue with a bot without a `known_answer`.

    Every bot must have the first of SHOWN_AS. If the bot never answers some commands, that may be one of
    them; the chaser is a command that it answers.
    """
    return bot.chaser.line.decode("ascii").strip() if bot.chaser.mute else SHOWN_AS[0]


def dialogue(
    *parts: str | Step,
    final: bool = False,
    turns: bool = False,
    all_sizes: bool = False,
    about_rules: bool = False,
    not_relied_on: Iterable[Ability] = (),
) -> Dialogue:
    """Make a dialogue of scripts and single steps.

    turns   each run moves the scripts, but no single `Step`, by a symmetry of the board; its seed selects it

    The other arguments are those of `Dialogue`. Raises ValueError for a script that cannot be read.
    """

    def write(size: int, turn: int) -> list[Step]:
        turn = turn if turns else 0
        return [
            step for part in parts for step in ([part] if isinstance(part, Step) else steps(part, size, turn))
        ]

    write(9, 0)  # raises ValueError now, not at the first run
    return Dialogue(write, all_sizes, final, about_rules, frozenset(not_relied_on))
