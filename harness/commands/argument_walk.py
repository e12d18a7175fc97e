"""Checks of arguments: the optional commands of a bot get too few of them, and wrong ones, and are answered.

`commands_to_walk` chooses the commands, among those that `harness.gtp.commands` lists. Private commands are
left alone: nobody knows what they do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from harness.check.bot.bot import Bot
from harness.check.bot.errors import BotInterruptedError
from harness.check.bot.refusals import is_refusal_in_words
from harness.check.bot.session import Session
from harness.check.bot.wording import exchange_text, sent_text
from harness.check.model import Judgement, Outcome, Requirements, failed, passed
from harness.check.procedures.conversation import Conversation
from harness.check.procedures.dialogue import dialogue
from harness.check.procedures.failures import failure_outcome
from harness.check.procedures.reliance import SentLine, requirements
from harness.check.procedures.script import NEW, steps
from harness.check.procedures.time_commands import NO_LIMIT
from harness.gtp import Exchange, command_name
from harness.gtp.commands import COMMANDS, GtpCommand, Kind

RIGHT: Mapping[Kind, str] = {
    Kind.INT: "300",
    Kind.FLOAT: "300",
    Kind.STRING: "x",
    Kind.COLOR: "b",
    Kind.VERTEX: "C3",
    Kind.MOVE: "b C3",
}
"""An argument of each type. The numbers leave time to an engine that takes such a line for a clock."""

WRONG: Mapping[Kind, str] = {
    Kind.INT: "abc",
    Kind.FLOAT: "abc",
    Kind.COLOR: "x",
    Kind.VERTEX: "Z99",
    Kind.MOVE: "b Z99",
}
"""A word that is no argument of this type. Any word is a string."""

CRASHES: Mapping[str, str] = {
    "kata-set-rule": "rule-without-value-crashes",
    "kgs-chat": "chat-without-words-crashes",
    "gomill-genmove_ex": "genmove-ex-colour-crashes",
}
"""By command, the fault of an engine that exits at wrong arguments. `ArgumentWalk` must catch each of them; a
failure lists in `unlike` the faults that it does not show."""

NO_FILE = "/no/such/folder/no_such_file.sgf"
"""A path that no engine can write to."""

WRONG_WORDS: Mapping[str, str] = {
    "printsgf": NO_FILE,
    "gomill-savesgf": NO_FILE,
    "kata-time_settings": "no-such-system",
    "kata-set-rule": "no-such-rule 1",
    "kata-get-param": "no-such-param",
    "kata-set-param": "no-such-param 1",
}
"""Wrong arguments of commands that take strings.

Left out are commands with checks of their own about unknown words and files, such as loadsgf and kgs-rules.
"""

LEFT_OUT = frozenset(
    (
        *("level", "set_random_seed", "lz-setoption", "echo", "echo_err", "gomill-passthrough", "heatmap"),
        *("kata-benchmark", "kata-search", "kata-search_cancellable", "kata-search_debug", "genmove_debug"),
    )
)
"""Commands that could change how the engine plays, or search for long, if they took what they get."""

ANY_WORDS = frozenset({"kgs-chat", "is_legal"})
"""Commands that may succeed with any words: kgs-chat takes any text, and is_legal may answer 0."""

GAME = f"{NEW}play b C3\nplay w D4\n"
"""Lines of the game in which the commands are sent."""

NOTHING_LISTED = Judgement(Outcome.SKIP, observed="the bot lists no command for this")

SHOWN = 3
"""Number of accepted lines in a report."""


def commands_to_walk(commands: Iterable[str]) -> list[GtpCommand]:
    """Return the known commands among `commands`, in the order of COMMANDS, searches last.

    Left out are LEFT_OUT, and what has checks of its own: required commands, and those of analysis.
    """
    listed = frozenset(commands) - LEFT_OUT
    found = [
        command
        for name, command in COMMANDS.items()
        if name in listed and not command.required and command.clause != "gtp-analysis"
    ]
    return sorted(found, key=_searches)


def _searches(command: GtpCommand) -> bool:
    """Return True for a command that makes the engine search for a move."""
    return "genmove" in command.name


def missing_arguments(command: GtpCommand) -> Iterator[str]:
    """Yield lines of the command with too few arguments: with none, and with all but the last.

    For example "time_left" and "time_left b 300": `time_left` needs three arguments.
    """
    needed = [argument for argument in command.arguments if not argument.optional]
    if needed:
        yield command.name
    if len(needed) > 1:
        yield " ".join((command.name, *(RIGHT[argument.kind] for argument in needed[:-1])))


def wrong_arguments(command: GtpCommand) -> Iterator[str]:
    """Yield lines of the command, each with one wrong argument, such as "time_left x 300 300".

    A string is wrong only in WRONG_WORDS. An optional whole number may be anything: the command has a meaning
    without it.
    """
    if command.name in WRONG_WORDS:
        yield f"{command.name} {WRONG_WORDS[command.name]}"
        return
    right = [RIGHT[argument.kind] for argument in command.arguments]
    for index, argument in enumerate(command.arguments):
        if argument.kind in WRONG and not (argument.optional and argument.kind is Kind.INT):
            yield " ".join((command.name, *right[:index], WRONG[argument.kind], *right[index + 1 :]))


@dataclass(frozen=True)
class WalkRecord:
    """The answers to the lines, up to the first death or silence.

    alone   without the lines before it, the last line interrupts a new process, too; False if there are none
    """

    answers: tuple[Exchange, ...]
    alone: bool = False

    @property
    def interrupted(self) -> Exchange | None:
        """The line after which the engine died or was silent; None if it answered all."""
        last = self.answers[-1] if self.answers else None
        return None if last is None or last.is_answered else last


@dataclass(frozen=True)
class ArgumentWalk(Conversation):
    """Each of `commands_to_walk` that the bot lists gets missing arguments, or `wrong` ones."""

    wrong: bool = False

    @property
    def requires(self) -> Requirements:
        """Requirements of the game. With `wrong`, `play b Z99` must be refused, too.

        An engine that dies of this vertex there would die of it in the walk.
        """
        off_board = [SentLine(b"play b Z99\n", ("?",))] if self.wrong else []
        return requirements([*(SentLine(step.send) for step in steps(GAME, 9)), *off_board])

    def describe(self) -> list[str]:
        """The lines of all commands that are known."""
        kind = "wrong arguments" if self.wrong else "too few arguments"
        lines = [f"  {line}" for line in self._lines(COMMANDS)]
        return [f"{kind} for each of these commands that the engine lists:", *lines]

    def _lines(self, commands: Iterable[str]) -> list[str]:
        lines_of = wrong_arguments if self.wrong else missing_arguments
        return [line for command in commands_to_walk(commands) for line in lines_of(command)]

    def observe(self, session: Session) -> WalkRecord:
        """Send each line in a game; after a death or a silence, repeat only the last one."""
        bot, size = session.bot, session.introduction.size
        lines = self._lines(session.introduction.commands)
        record = WalkRecord(tuple(_answers(bot, size, lines)))
        if record.interrupted is None and session.has("time_settings"):
            bot.ask(NO_LIMIT)  # one of the lines may have set a clock
        if record.interrupted is None or len(record.answers) == 1:
            return record
        again = WalkRecord(tuple(_answers(bot, size, [lines[len(record.answers) - 1]])))
        return replace(record, alone=again.interrupted is not None)

    def judge(self, observation: WalkRecord) -> Judgement:
        """Each line must be answered, with whatever text."""
        if not observation.answers:
            return NOTHING_LISTED
        last = observation.interrupted
        if last is None:
            return passed(f"an answer to each of {len(observation.answers)} lines")
        name = command_name(last.sent).decode("ascii")
        others = tuple(fault for command, fault in CRASHES.items() if command != name)
        last_step = (replace(step, unlike=others) for step in steps(f"{sent_text(last.sent)} -> *", 9))
        shorter = dialogue(GAME, *last_step) if observation.alone else None
        seen = exchange_text(last)
        return Judgement(failure_outcome(last), "an answer", seen, reduced=shorter, unlike=others)


class ArgumentsRefused(ArgumentWalk):
    """Each of these commands refuses missing arguments, or `wrong` ones."""

    def judge(self, observation: WalkRecord) -> Judgement:
        """No line may succeed, but those of ANY_WORDS. Another check reports a death or a silence."""
        if not observation.answers:
            return NOTHING_LISTED
        answered = [exchange for exchange in observation.answers if exchange.answer is not None]
        if not answered:
            return Judgement(Outcome.SKIP, observed="the bot answered no line")
        accepted = [exchange for exchange in answered if _is_accepted(exchange)]
        if accepted:
            shown = ", ".join(sent_text(exchange.sent) for exchange in accepted[:SHOWN])
            more = f" and {len(accepted) - SHOWN} more lines" if len(accepted) > SHOWN else ""
            return failed("a refusal of each line", f"accepted: {shown}{more}")
        return passed(f"a refusal of each of {len(answered)} lines")


def _is_accepted(exchange: Exchange) -> bool:
    name = exchange.sent.split()[0].decode("ascii")
    return exchange.ok and name not in ANY_WORDS and not is_refusal_in_words(exchange)


def _answers(bot: Bot, size: int, lines: Iterable[str]) -> Iterator[Exchange]:
    """Begin a game, and send the lines up to the first death or silence."""
    bot.set_up(step.send for step in steps(GAME, size))
    for line in lines:
        sent = f"{line}\n".encode("ascii")
        try:
            # Some engines end a search when the next line comes.
            yield bot.ask(sent) if "genmove" in line else bot.ask_chased(sent)
        except BotInterruptedError as interruption:
            yield interruption.exchange
            return
