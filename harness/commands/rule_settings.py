"""Checks of kata-set-rules, kata-set-rule and kata-get-rules: what one command sets, another shows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from harness.check.bot.bot import Bot
from harness.check.bot.refusals import is_obeyed
from harness.check.bot.session import Session
from harness.check.bot.wording import exchange_text, sent_text
from harness.check.model import Judgement, Outcome, failed, passed
from harness.check.procedures.conversation import Conversation
from harness.check.procedures.reliance import SentLine, requirements
from harness.gtp import Exchange

SHOW = b"kata-get-rules\n"
STONES = (b"clear_board\n", b"play b C3\n", b"play w D4\n")
"""Lines of a game with two stones."""

SHOWN_CHECK = "gtp.rules.shown"
"""The check that reports rules that are no JSON dictionary."""

Rules = Mapping[str, object]

SCORING = {"chinese": "AREA", "japanese": "TERRITORY", "tromp-taylor": "AREA"}
"""The scoring of named rules, where an engine shows it as `scoring`."""

NAMED = ("chinese", "japanese", "tromp-taylor", "chinese")
"""Names to set in turn. The first comes back at the end, and must then mean the same."""

UNKNOWN = ("no-such-rules", '{"ko":', '{"ko":"NO_SUCH_KO"}')
"""Rules that no engine has; the second text is no JSON."""

VALUES: Mapping[str, tuple[object, ...]] = {
    "ko": ("SIMPLE", "SITUATIONAL", "POSITIONAL"),
    "scoring": ("TERRITORY", "AREA"),
    "suicide": (True, False),
}
"""Fields of the rules that are set one by one, with their values."""


def read_rules(exchange: Exchange) -> Rules | None:
    """Return the rules in an answer to kata-get-rules; None if the answer is no JSON dictionary."""
    try:
        rules = json.loads(exchange.text) if exchange.ok else None
    except (ValueError, RecursionError):
        return None
    return rules if isinstance(rules, dict) else None


@dataclass(frozen=True)
class RuleTrial:
    """A command that sets rules, its answer, and the rules shown after it."""

    answer: Exchange
    shown: Exchange


@dataclass(frozen=True)
class RulesRecord:
    """The rules shown at first, and what was tried then."""

    shown: Exchange
    trials: tuple[RuleTrial, ...] = ()


class RuleConversation(Conversation):
    """Base of the conversations about rules: they begin with the rules that the engine shows."""

    unreadable_reported_by = SHOWN_CHECK
    """The check that reports rules that cannot be read; empty if this check does."""

    def observe(self, session: Session) -> RulesRecord:
        """Ask for the rules, send the `commands_to_try` for them, and set the first rules again.

        Without readable rules, nothing is tried.
        """
        bot = session.bot
        shown = bot.ask(SHOW)
        rules = read_rules(shown)
        if rules is None:
            return RulesRecord(shown)
        own = line_of_rules(rules)
        # A # would begin a comment in GTP.
        lines = [line for line in self.commands_to_try(rules, own) if b"#" not in line]
        trials = tuple(_try(bot, line) for line in lines)
        restore_rules(session, own, changed=any(trial.answer.ok for trial in trials))
        return RulesRecord(shown, trials)

    def commands_to_try(self, rules: Rules, own: bytes) -> tuple[bytes, ...]:
        """Return the commands to try. `rules` are shown at first, and the line `own` sets them."""
        raise NotImplementedError

    def judge(self, observation: RulesRecord) -> Judgement:
        """Judge the trials; leave unreadable rules to the check of kata-get-rules."""
        rules = read_rules(observation.shown)
        for exchange in (observation.shown, *(trial.shown for trial in observation.trials)):
            if read_rules(exchange) is None:
                observed = exchange_text(exchange)
                expected, reported_by = "= and a JSON dictionary", self.unreadable_reported_by
                return Judgement(Outcome.FAIL, expected, observed, reported_by=reported_by)
        assert rules is not None
        return self.judge_trials(rules, observation.trials)

    def judge_trials(self, rules: Rules, trials: tuple[RuleTrial, ...]) -> Judgement:
        """Judge trials whose rules can be read; `rules` were shown at first."""
        raise NotImplementedError


class ShownRules(RuleConversation):
    """kata-get-rules shows the rules as a JSON dictionary."""

    unreadable_reported_by = ""

    def commands_to_try(self, rules: Rules, own: bytes) -> tuple[bytes, ...]:
        """Return no commands: the rules that are shown are enough."""
        return ()

    def judge_trials(self, rules: Rules, trials: tuple[RuleTrial, ...]) -> Judgement:
        """Pass: the rules could be read."""
        return passed("= and a JSON dictionary")


class OwnRulesAccepted(RuleConversation):
    """kata-set-rules gets the rules that kata-get-rules shows."""

    def commands_to_try(self, rules: Rules, own: bytes) -> tuple[bytes, ...]:
        """Return the command that sets the rules that are shown."""
        return (own,)

    def judge_trials(self, rules: Rules, trials: tuple[RuleTrial, ...]) -> Judgement:
        """The rules must be accepted and shown again."""
        expected = "the shown rules are accepted, and shown again"
        for trial in trials:
            if not trial.answer.ok:
                return failed(expected, exchange_text(trial.answer))
            if read_rules(trial.shown) != rules:
                return failed(expected, _then_shown(trial))
        return passed(expected)


class NamedRules(RuleConversation):
    """kata-set-rules gets names of rules; kata-get-rules shows what was set."""

    def commands_to_try(self, rules: Rules, own: bytes) -> tuple[bytes, ...]:
        """Return commands that set each of NAMED."""
        return tuple(map(_set_rules, NAMED))

    def judge_trials(self, rules: Rules, trials: tuple[RuleTrial, ...]) -> Judgement:
        """A name that is accepted must be shown with its scoring, and each time in the same way."""
        expected = "an accepted name sets its rules, each time the same"
        known: dict[str, Rules] = {}
        for trial in trials:
            name, shown = trial.answer.sent.decode("ascii").split()[1], read_rules(trial.shown)
            if not trial.answer.ok or shown is None:
                continue
            scoring = shown.get("scoring")
            if isinstance(scoring, str) and scoring.upper() != SCORING[name]:
                return failed(f"{name} rules have scoring {SCORING[name]}", _then_shown(trial))
            if known.setdefault(name, shown) != shown:
                return failed(f"{name} rules as before: {json.dumps(known[name])}", _then_shown(trial))
        return passed(expected, f"accepted: {', '.join(known) or 'none'}")


class RefusedRules(RuleConversation):
    """kata-set-rules gets rules that it may refuse; refused ones change nothing."""

    def commands_to_try(self, rules: Rules, own: bytes) -> tuple[bytes, ...]:
        """Return commands that set NAMED and UNKNOWN, each after the engine's own rules."""
        return tuple(line for text in (*NAMED, *UNKNOWN) for line in (own, _set_rules(text)))

    def judge_trials(self, rules: Rules, trials: tuple[RuleTrial, ...]) -> Judgement:
        """After a refusal, the rules before it must be shown."""
        expected, before = "refused rules leave the rules as they are", rules
        for trial in trials:
            shown = read_rules(trial.shown)
            assert shown is not None
            if not trial.answer.ok and shown != before:
                return failed(expected, f"{_then_shown(trial)}, and before {json.dumps(before)}")
            before = shown
        return passed(expected)


class SingleRules(RuleConversation):
    """kata-set-rule sets one field of the rules to each of its values."""

    def commands_to_try(self, rules: Rules, own: bytes) -> tuple[bytes, ...]:
        """Return commands that set each field to each value, and at last to the value shown at first."""
        return tuple(
            f"kata-set-rule {field} {_word(value)}\n".encode("ascii", "replace")
            for field, values in VALUES.items()
            if _is_known(rules.get(field), values)
            for value in (*values, rules[field])
        )

    def judge_trials(self, rules: Rules, trials: tuple[RuleTrial, ...]) -> Judgement:
        """An accepted value must be shown, with the other fields as before; a refused one changes nothing.

        The value that is in force must be accepted.
        """
        before = dict(rules)
        for trial in trials:
            _, field, word = trial.answer.sent.decode("ascii").split()
            shown = read_rules(trial.shown)
            assert shown is not None
            accepted = trial.answer.ok
            if not accepted and _word(before[field]) == word:
                expected = f"{sent_text(trial.answer.sent)} → =, as {field} is {word}"
                return failed(expected, exchange_text(trial.answer))
            if accepted and _word(shown.get(field)) != word:
                return failed(f"{field} is {word}", _then_shown(trial))
            if shown != ({**before, field: shown.get(field)} if accepted else before):
                return failed(f"other rules as before: {json.dumps(before)}", _then_shown(trial))
            before = dict(shown)
        return passed("an accepted value is shown, and nothing else changes")


@dataclass(frozen=True)
class KeptBoardRecord:
    """The answer to kata-set-rules, and moves on two stones that stand on the board."""

    answer: Exchange
    on_stones: tuple[Exchange, ...]


class RulesKeepBoard(Conversation):
    """kata-set-rules in a game leaves the stones on the board."""

    requires = requirements((*map(SentLine, STONES), SentLine(b"play w C3\n", ("?",))))

    def observe(self, session: Session) -> KeptBoardRecord:
        """Play, set rules that most engines have, and play on the stones."""
        bot, own = session.bot, present_rules(session)
        bot.set_up((f"boardsize {session.introduction.size}\n".encode("ascii"), *STONES))
        answer = bot.ask(_set_rules("chinese"))
        on_stones = tuple(map(bot.ask, (b"play w C3\n", b"play b D4\n")))
        restore_rules(session, own, changed=answer.ok)
        return KeptBoardRecord(answer, on_stones)

    def judge(self, observation: KeptBoardRecord) -> Judgement:
        """Both moves must be refused, whether the rules were accepted or not."""
        expected = "the stones stay, so a move on one of them is refused"
        for move in observation.on_stones:
            if is_obeyed(move):
                return failed(expected, f"{exchange_text(observation.answer)}; then {exchange_text(move)}")
        return passed(expected)


def present_rules(session: Session) -> bytes | None:
    """Return the line that sets the rules in force; None if the engine does not show them."""
    rules = read_rules(session.bot.ask(SHOW)) if session.has("kata-get-rules") else None
    return None if rules is None else line_of_rules(rules)


def restore_rules(session: Session, own: bytes | None, *, changed: bool) -> None:
    """Set rules as they were, by the line `own`; where that is not possible, start a new process.

    changed   some rules were accepted since
    """
    if not changed:
        return
    if own is None or not session.has("kata-set-rules") or not session.bot.ask(own).ok:
        session.bot.fresh()


def line_of_rules(rules: Rules) -> bytes:
    """Return the line that sets these rules: kata-set-rules {"ko":"SIMPLE","suicide":false}."""
    return _set_rules(json.dumps(rules, separators=(",", ":")))


def _is_known(value: object, values: tuple[object, ...]) -> bool:
    """Return True if a shown value is one of `values`, in any case of letters."""
    return any(type(value) is type(known) and _word(value) == _word(known) for known in values)


def _word(value: object) -> str:
    """A value as an argument of kata-set-rule: "true" for True, "AREA" for "area"."""
    return str(value).lower() if isinstance(value, bool) else str(value).upper()


def _set_rules(text: str) -> bytes:
    return f"kata-set-rules {text}\n".encode("ascii", "replace")


def _try(bot: Bot, line: bytes) -> RuleTrial:
    """Send a command, and ask for the rules after it."""
    return RuleTrial(bot.ask(line), bot.ask(SHOW))


def _then_shown(trial: RuleTrial) -> str:
    return f"{exchange_text(trial.answer)}; then {exchange_text(trial.shown)}"
