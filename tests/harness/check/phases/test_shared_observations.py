"""A check may judge what another check has observed; a check that wants its own process is tried without."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from harness.check.bot.session import Session
from harness.check.effort import QUICK
from harness.check.model import Confirmation, Judgement, Outcome, Result
from harness.check.phases.findings import Findings
from harness.check.phases.run import check_bot, findings_of
from harness.check.phases.settings import RunSettings
from harness.check.procedures.conversation import Conversation
from harness.gtp import Exchange
from harness.selftest.hosted_bot import INSTANCE_SEEDS, HostedBot
from harness.suite.registry import select

CLOCK, PROCESSES = "ref.fresh.clock", "ref.fresh.processes"
NEITHER = "gtp.admin.name"


class Counting(HostedBot):
    """A hosted bot that counts its processes and its searches, those of its other instances too.

    repeating   whether all of its processes draw the same random numbers
    """

    def __init__(self, repeating: bool, seed: int = 1, searches: list[bytes] | None = None) -> None:
        super().__init__(seed=seed)
        self.repeating = repeating
        self.searches: list[bytes] = [] if searches is None else searches
        self.starts = 0

    def another_instance(self, number: int) -> Counting:
        seed = self.seed if self.repeating else self.seed + INSTANCE_SEEDS * number
        return Counting(self.repeating, seed, self.searches)

    def ask(self, line: bytes, timeout: float | None = None) -> Exchange:
        if line.startswith(b"genmove"):
            self.searches.append(line)
        return super().ask(line, timeout)

    def fresh(self) -> None:
        self.starts += 1
        super().fresh()


def run(*only: str, repeating: bool = False) -> tuple[Counting, dict[str, Result]]:
    bot = Counting(repeating)
    with bot:
        findings = findings_of(check_bot(bot, RunSettings(bot.launch, select(only), 100, QUICK)))
    return bot, {result.check.id: result for result in findings.results}


def searches_for(*only: str, repeating: bool = False) -> int:
    """Searches that checks make, beside those of every run."""
    with_them, without = (run(*names, repeating=repeating)[0] for names in (only, [NEITHER]))
    return len(with_them.searches) - len(without.searches)


def outcomes(results: dict[str, Result], *names: str) -> Sequence[Outcome]:
    return [results[name].outcome for name in names]


def test_what_another_check_has_observed_is_judged_without_a_search() -> None:
    assert searches_for(CLOCK, PROCESSES) == searches_for(CLOCK) > 0
    _, results = run(CLOCK, PROCESSES)
    assert outcomes(results, CLOCK, PROCESSES) == [Outcome.PASS, Outcome.PASS]


def test_the_sharing_check_observes_by_itself_where_the_other_is_not_selected() -> None:
    assert searches_for(PROCESSES) == searches_for(CLOCK)
    _, results = run(PROCESSES)
    assert outcomes(results, PROCESSES) == [Outcome.PASS]


def test_a_failure_is_seen_again_by_searches_of_its_own() -> None:
    """Judging one observation twice would confirm whatever it was."""
    _, results = run(CLOCK, PROCESSES, repeating=True)
    assert outcomes(results, CLOCK, PROCESSES) == [Outcome.SKIP, Outcome.FAIL]
    assert results[PROCESSES].confirmation is Confirmation.CONFIRMED
    made, needed = (searches_for(*names, repeating=True) for names in ([CLOCK, PROCESSES], [CLOCK]))
    assert made == 2 * needed > 0


class Empty(Conversation):
    """Records nothing, and counts how often."""

    def __init__(self) -> None:
        self.observed = 0

    def observe(self, session: Session) -> tuple[object, ...]:
        self.observed += 1
        return ()

    def judge(self, observation: tuple[object, ...]) -> Judgement:
        return Judgement(Outcome.PASS)


def test_an_empty_record_is_shared_like_any_other() -> None:
    (check,) = select([NEITHER])
    empty = Empty()
    first = replace(check, procedure=empty)
    second = replace(first, id="gtp.admin.other", shares=first.id)
    bot = HostedBot()
    with bot:
        findings_of(check_bot(bot, RunSettings(bot.launch, (first, second), 100, QUICK)))
    assert empty.observed == 1


def test_a_right_bot_needs_no_process_for_a_check_that_is_judged_alone() -> None:
    """Its start may cost seconds; a pass in the process that is there stands."""
    plain, _ = run(NEITHER)
    isolated = [check.id for check in select() if check.needs.isolated]
    assert isolated
    for name in isolated:
        bot, results = run(NEITHER, name)
        assert outcomes(results, name) == [Outcome.PASS]
        assert bot.starts == plain.starts, name


def test_the_observation_of_a_reduced_procedure_is_not_shared(check_hosted: Callable[..., Findings]) -> None:
    """The crash is repeated by a shorter dialogue, whose record the other check cannot judge."""
    shared = ["gtp.admin.arguments-missing", "gtp.admin.missing-refused"]
    found = check_hosted("time-settings-argument-crashes", only=shared)
    outcomes = {result.check.id: result.outcome for result in found.results}
    assert outcomes[shared[0]] is Outcome.CRASH
    assert outcomes[shared[1]] is not Outcome.ERROR
