"""A run of all checks on one bot, as a stream of events.

Its phases, in order: dialogues, number of playouts, searches, final checks (they may leave the bot in an
unknown state), explorations (for the time that is left), match (in a thorough run).
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from inspect import GEN_CLOSED, getgeneratorstate
from typing import Protocol

from harness.check.bot.bot import Bot
from harness.check.bot.errors import TimeUpError, UnusableBotError
from harness.check.bot.introduction import SIZES, Introduction, introduction_of
from harness.check.model import OUT_OF_TIME, Check, Judgement, Outcome, Phase, Result
from harness.check.phases.context import Context
from harness.check.phases.dialogues import Dialogues, PlayoutNumber
from harness.check.phases.eligibility import READABILITY
from harness.check.phases.events import (
    BotIdentified,
    CheckEnded,
    Event,
    FindingsSoFar,
    PhaseStarted,
    ProfileChosen,
    RunEnded,
    RunStarted,
)
from harness.check.phases.explorations import Explorations
from harness.check.phases.findings import Findings
from harness.check.phases.forecast import forecast
from harness.check.phases.judged_searches import plan_of
from harness.check.phases.machine import THIS_MACHINE, Machine
from harness.check.phases.match import Match
from harness.check.phases.rules_found import find_rules
from harness.check.phases.searches import Searches
from harness.check.phases.settings import RunSettings
from harness.check.profile import Profile, profile_for

INTERRUPTED = "interrupted before it was done"


class StopRun(KeyboardInterrupt):
    """Raised by a handler that needs no more events. The run ends as after Ctrl-C, but is not interrupted."""


class RunPhase(Protocol):
    """One part of a run: it observes and judges its checks, and yields events."""

    @property
    def name(self) -> str:
        """The activity of the phase, in a few words."""

    def run(self, context: Context) -> Iterator[Event]:
        """Observe and judge. The context has all data that phases share."""


Events = Generator[Event, None, None]


def run_check(settings: RunSettings, machine: Machine = THIS_MACHINE) -> Events:
    """Check one bot; yield events, last `RunEnded`. No failure of the bot raises an error.

    Once the bot is identified, a KeyboardInterrupt inside the generator ends the run early, with the results
    until then; before, it is raised. After a StopRun, the findings are not marked as interrupted. `follow`
    passes on what a handler raises.
    """
    with Bot(settings.launch, settings.limits) as bot:
        yield from check_bot(bot, settings, machine)


def check_bot(bot: Bot, settings: RunSettings, machine: Machine = THIS_MACHINE) -> Events:
    """Check a bot as `run_check` does; the caller ends its processes."""
    began = machine.now()
    yield RunStarted(settings.launch.command, settings.checks)
    with bot.times.until(began + settings.effort.seconds):
        try:
            introduction = introduction_of(bot)
            profile = settings.profile or profile_for(introduction)
            settings = _of_profile(settings, profile)
            _require_checkable(introduction, settings)
            rules = find_rules(bot, introduction, profile, settings.rules)
        except UnusableBotError as why:
            seconds = machine.now() - began
            findings = Findings(settings.launch.command, unusable=why.reason, hint=why.hint, seconds=seconds)
            yield RunEnded(findings)
            return
        except TimeUpError:
            results = tuple(Result(check, OUT_OF_TIME) for check in settings.checks)
            seconds = machine.now() - began
            yield RunEnded(Findings(settings.launch.command, results=results, seconds=seconds))
            return
        yield BotIdentified(introduction)
        yield ProfileChosen(profile, rules, settings.checks)
        _prepare_next_process(bot, settings, machine)
        yield from _run_to_end(Context(settings, bot, introduction, machine, began, profile, rules))


def _prepare_next_process(bot: Bot, settings: RunSettings, machine: Machine) -> None:
    """Start the next process of the bot early, if the run needs many: see `Processes.prepares`."""
    # Explorations and final checks start many processes, even if no check fails.
    renews = any(check.procedure.phase in (Phase.EXPLORATION, Phase.FINAL) for check in settings.checks)
    bot.processes.prepares = renews and settings.instances != 1 and machine.cores() > 1
    bot.processes.prepare()


def _run_to_end(context: Context) -> Iterator[Event]:
    """Run all phases; yield `RunEnded` last, also after an interrupt."""
    interrupted = False
    try:
        with context.stack:
            yield from _run_phases(context)
    except KeyboardInterrupt as interrupt:
        interrupted = not isinstance(interrupt, StopRun)
        for check in context.results.unended:
            yield from context.note(check, Judgement(Outcome.INCONCLUSIVE, observed=INTERRUPTED))
    yield RunEnded(context.findings(interrupted=interrupted))


def _run_phases(context: Context) -> Iterator[Event]:
    """Run all phases; yield the findings after each phase with new failures."""
    context.start_explorer()
    yield from forecast(context)
    for phase in phases_of(context.settings.checks):
        yield PhaseStarted(phase.name)
        failed = context.results.refusing
        yield from phase.run(context)
        if context.results.refusing - failed:
            yield FindingsSoFar(context.findings())


def findings_of(events: Events, handle: Callable[[Event], object] = lambda _: None) -> Findings:
    """Pass the events of a run to `handle`; return the findings of the run."""
    ended: list[Findings] = []

    def take(event: Event) -> None:
        if isinstance(event, RunEnded):
            ended.append(event.findings)
        handle(event)

    follow(events, take)
    return ended[0]


def follow(events: Events, handle: Callable[[Event], object]) -> None:
    """Pass each event to `handle`. A KeyboardInterrupt or StopRun that `handle` raises ends the run early.

    It is raised again if it comes before the bot is identified, or with the last event.
    """
    interrupt: KeyboardInterrupt | None = None
    with closing(events):
        while True:
            try:
                event = next(events) if interrupt is None else events.throw(interrupt)
                interrupt = None
                handle(event)
            except StopIteration:
                return
            except KeyboardInterrupt as raised:
                if getgeneratorstate(events) == GEN_CLOSED:
                    raise
                interrupt = raised


def events_of(settings: RunSettings, findings: Findings) -> Events:
    """Yield the events of a finished run that its findings show: its start, each result, its end."""
    yield RunStarted(settings.launch.command, settings.checks)
    for result in findings.results:
        yield CheckEnded(result)
    yield RunEnded(findings)


def phases_of(checks: Sequence[Check]) -> list[RunPhase]:
    """Return the phases of a run over these checks, in order."""
    by_phase: dict[Phase, list[Check]] = {phase: [] for phase in Phase}
    for check in checks:
        by_phase[check.procedure.phase].append(check)
    searches, explorations, matches = (by_phase[p] for p in (Phase.SEARCH, Phase.EXPLORATION, Phase.MATCH))
    return [
        Dialogues(by_phase[Phase.DIALOGUE], searches),
        PlayoutNumber(),
        Searches(searches, explorations, matches, by_phase[Phase.FINAL]),
        Dialogues(by_phase[Phase.FINAL], name="final checks"),
        Explorations(explorations),
        Match(matches),
    ]


def _of_profile(settings: RunSettings, profile: Profile) -> RunSettings:
    """Return the settings with the checks of the profile. Raises UnusableBotError if it has none of them."""
    checks = tuple(check for check in settings.checks if profile.includes(check))
    if settings.checks and not checks:
        reason = f"none of the selected checks belongs to the profile {profile}, {profile.description}"
        raise UnusableBotError(reason, "choose another one with --profile reference, gtp or playouts")
    return replace(settings, checks=checks)


def _require_checkable(introduction: Introduction, settings: RunSettings) -> None:
    """Raise UnusableBotError if the selected checks cannot judge the bot.

    Two reasons: its answers are unreadable and no selected check explains why; or it refuses a larger board
    that the searches need, which no bot has to play on.
    """
    checks = settings.checks
    if not introduction.answers_readable and not any(check.id in READABILITY for check in checks):
        reason = "its answers cannot be read, and the checks that could say why are not selected"
        words = ["conform", "check", settings.launch.command]
        words += [word for item in settings.launch.env.items() for word in ("--env", "=".join(item))]
        words += [word for check in sorted(READABILITY) for word in ("--only", check)]
        raise UnusableBotError(reason, f"they say why: {shlex.join(words)}")
    searches = (check for check in checks if check.procedure.phase is Phase.SEARCH)
    wanted = {plan_of(check).probe.size for check in searches if not check.needs.optional_size}
    for size in wanted.intersection(SIZES[1:]).difference(introduction.sizes):
        hint = "leave --size out to check its playouts on 9x9"
        raise UnusableBotError(f"it does not play on {size}x{size}", hint)
