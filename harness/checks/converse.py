"""Dialogues held and judged."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from harness.checks.bot import Bot, Interrupted, what_ended
from harness.checks.dialogue import Step, Turn
from harness.checks.model import Judgement, Outcome
from harness.gtp import Exchange, printable


def hold(bot: Bot, steps: Sequence[Step]) -> tuple[Turn, ...]:
    """Take the steps one after the other; stop at the first answer that is not as expected."""
    turns: list[Turn] = []
    for step in steps:
        turns.append(_take(bot, step))
        if _unmet(turns[-1]) is not None:
            break
    return tuple(turns)


def _take(bot: Bot, step: Step) -> Turn:
    """Send what the step sends; listen until an answer is not as expected: after it, more may never come."""
    exchanges: list[Exchange] = []
    try:
        exchanges.append(bot.say(step.send))
        for before, expectation in enumerate(step.expect[:-1]):
            if not expectation.met(exchanges[before]):
                break
            exchanges.append(bot.hear())
    except Interrupted as interruption:
        exchanges.append(interruption.exchange)
    return Turn(step, tuple(exchanges))


def judge_dialogue(turns: Sequence[Turn]) -> Judgement:
    """Pass if every answer was as expected; else what was expected and observed at the first that was not."""
    for turn in turns:
        number = _unmet(turn)
        if number is None:
            continue
        exchange = turn.exchanges[number]
        sent = said(turn.step.send)
        expected = f"{sent} → {turn.step.expect[number]}"
        observed = f"{sent} → {seen(exchange)}"
        return Judgement(_outcome(exchange), expected, observed, turn.step.hint)
    return Judgement(Outcome.PASS, f"{len(turns)} commands answered as they must be", "so they were")


def interrupted(exchange: Exchange) -> Judgement:
    """The judgement of a check during which the bot died or went silent."""
    sent = said(exchange.sent)
    return Judgement(_outcome(exchange), f"{sent} → an answer", f"{sent} → {seen(exchange)}")


def said(line: bytes) -> str:
    """What was sent, in one line that a terminal can show, without the newline that ends it."""
    return printable(line.removesuffix(b"\n"))


def seen(exchange: Exchange) -> str:
    """What came as an answer, in one line that a terminal can show."""
    shown = printable(exchange.raw[-200:].removesuffix(b"\n\n").removesuffix(b"\n"))
    if exchange.ending in ("answer", "malformed"):
        fault = f" ({exchange.fault})" if exchange.fault is not None else ""
        return (shown or "an empty answer") + fault
    ended = what_ended(exchange)
    return f"{shown}, then it {ended}" if shown else f"it {ended}"


def by_hand(lines: Sequence[bytes], command: str) -> str:
    """A line for a shell that sends `lines` to the bot: `printf '…' | bot`."""
    text = "".join(_for_printf(byte) for byte in b"".join(lines))
    if text.startswith("-"):  # no option of printf
        text = "\\055" + text[1:]
    return f"printf '{text}quit\\n' | {command}"


def dialogue_text(exchanges: Sequence[Exchange]) -> str:
    """The exchanges as a terminal may show them: every byte, and the seconds that each answer took."""
    return "\n".join(line for exchange in exchanges for line in _lines(exchange))


def command_word(command: str) -> str:
    """A bot's command line as one argument of a shell."""
    return shlex.quote(command)


def _lines(exchange: Exchange) -> list[str]:
    lines = [f"{'':10} > {printable(exchange.sent)}"] if exchange.sent else []
    lines += [f"{exchange.seconds:10.4f} < {printable(exchange.raw)}"] if exchange.raw else []
    if exchange.ending not in ("answer", "malformed"):
        lines.append(f"{exchange.seconds:10.4f} # {what_ended(exchange)}")
    return lines


def _for_printf(byte: int) -> str:
    if byte == ord("\n"):
        return "\\n"
    if byte in b"'%\\" or byte < 32 or byte > 126:
        return f"\\{byte:03o}" if byte != ord("%") else "%%"
    return chr(byte)


def _unmet(turn: Turn) -> int | None:
    """The number of the first answer that is not as expected; None if all are."""
    for number, expectation in enumerate(turn.step.expect):
        if number >= len(turn.exchanges) or not expectation.met(turn.exchanges[number]):
            return min(number, len(turn.exchanges) - 1)
    return None


def _outcome(exchange: Exchange) -> Outcome:
    if exchange.ending == "eof":
        return Outcome.CRASH
    return Outcome.TIMEOUT if exchange.ending in ("timeout", "oversize") else Outcome.FAIL
