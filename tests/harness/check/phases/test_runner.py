"""Whole runs over right, wrong and hostile programs: a verdict, never an exception, nothing left over."""

from __future__ import annotations

import math
import re
import runpy
import shlex
import stat
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from harness.check.bot.bot import Bot
from harness.check.bot.introduction import Introduction
from harness.check.effort import QUICK, STANDARD, Effort
from harness.check.model import REFUSING, Confirmation, Level, Outcome
from harness.check.phases.context import MOST_DEATHS, MOST_SILENCES
from harness.check.phases.findings import Findings
from harness.check.phases.playout_count import PlayoutCount, find_playouts, with_doubt
from harness.check.phases.settings import RunSettings
from harness.check.procedures.late_probes import FOUR, ONE
from harness.check.procedures.search import SearchRecord, Series
from harness.check.verdict import verdict
from harness.gtp import Launch, Limits
from harness.suite.registry import CHECKS, select
from tests.harness.check.idle_machine import findings_about
from tests.parameters import slow_but

ENGINES = Path(__file__).parents[3] / "engines"
MODES = sorted(runpy.run_path(str(ENGINES / "hostile.py"))["MODES"])
BRIEF = Limits(startup=1, answer=0.2, quit=0.2, terminate=0.2, reap=5, blank_line=0.2, max_answer=1 << 18)
PATIENT = Limits(startup=120, answer=120, quit=60, terminate=60, reap=60)
BY_SEARCHES = replace(QUICK, seconds=math.inf)
"""A run ends when its checks are decided or have made their searches, however long that takes."""

STANDARD_SEARCHES = replace(STANDARD, seconds=math.inf)
SOME = ("gtp.frame.*", "gtp.admin.name", "gtp.play.occupied", "game.ko.ends", "game.whole", "ref.nodes.three")


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    me = psutil.Process()
    before = me.children(recursive=True)
    yield
    assert [one for one in me.children(recursive=True) if one not in before] == []


def program(name: str, *words: object) -> str:
    return shlex.join([sys.executable, str(ENGINES / name), *map(str, words)])


def run(
    command: str,
    *only: str,
    limits: Limits = PATIENT,
    effort: Effort = BY_SEARCHES,
    playouts: int | None = None,
    seed: int = 1,
) -> Findings:
    return findings_about(RunSettings(Launch(command), select(only), playouts, effort, limits, seed))


def outcomes(findings: Findings) -> dict[str, Outcome]:
    return {result.check.id: result.outcome for result in findings.results}


# --- programs that are no bots -----------------------------------------------------------------------------


@pytest.fixture
def forbidden(tmp_path: Path) -> str:
    path = tmp_path / "bot"
    path.write_text("#!/bin/sh\n")
    path.chmod(stat.S_IRUSR)
    return str(path)


@pytest.mark.parametrize(
    ("command", "line"),
    [
        ("/bin/cat", r"it only echoes what it is sent: not a GTP engine"),
        ("true", r"it ended with exit code 0 without an answer"),
        ("false", r"it ended with exit code 1 without an answer"),
        (
            "sh -c 'read line; echo 2; sleep 100'",
            r"it answered protocol_version with “2\\n”, without the = of .*",
        ),
        ("yes", r"it prints without end \(“y.*\) and answers nothing: not a GTP engine"),
        ("echo hello", r"it ended with exit code 0 without an answer, after printing “hello\\n”"),
        ("./no-such-bot", r"cannot start './no-such-bot': no such program: './no-such-bot'"),
        ("/tmp", r"cannot start '/tmp': '/tmp' is a directory \(name the program in it\)"),
        ("", r"cannot start '': the command is empty \(.*\)"),
        ("'bot", r"cannot start .*: bad quoting: .*"),
        ("FOO=1 ./bot", r"cannot start .*: no such program: 'FOO=1' \(.*env.*\)"),
    ],
)
def test_a_program_that_is_no_bot_is_reported_in_one_line(command: str, line: str) -> None:
    findings = run(command, limits=BRIEF)
    assert re.fullmatch(line, findings.unusable)
    assert verdict(findings) == "unusable"
    assert findings.results == ()


def test_a_file_that_nobody_may_run(forbidden: str) -> None:
    """Without any x bit not even root may."""
    findings = run(forbidden, limits=BRIEF)
    assert f"no permission to run {forbidden!r} (chmod +x {forbidden})" in findings.unusable


def test_what_a_dying_bot_wrote_is_shown() -> None:
    findings = run(program("hostile.py", "die-at-start", "--code", 9))
    assert findings.unusable == "it ended with exit code 9 without an answer"
    assert findings.hint.startswith("it wrote: no network file")


def test_a_path_without_quotes_of_its_own_is_seen_in_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my bots").mkdir()
    (tmp_path / "my bots/bot.py").write_text("")
    findings = run(f"{shlex.quote(sys.executable)} my bots/bot.py", limits=BRIEF)
    assert findings.unusable == "it ended with exit code 2 without an answer"
    assert "needs quotes of its own" in findings.hint
    assert "'my bots/bot.py'" in findings.hint


CRASHES_ONCE = """
import pathlib, subprocess, sys
memory = pathlib.Path(sys.argv[1])
lines = []
bot = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
for line in sys.stdin:
    lines.append(line)
    if lines[-2:] == ["genmove b\\n", "genmove w\\n"] and not memory.exists():
        memory.touch()
        sys.exit(3)
    bot.stdin.write(line)
    answer = bot.stdout.readline()
    while answer and answer != "\\n":
        print(answer, end="")
        answer = bot.stdout.readline()
    print(flush=True)
    if line.startswith("quit"):
        break
"""


def test_what_went_wrong_once_blocks_nothing(tmp_path: Path) -> None:
    bot = [sys.executable, str(ENGINES / "pure_bot.py"), "--playouts", "10"]
    words = [sys.executable, "-c", CRASHES_ONCE, str(tmp_path / "memory"), *bot]
    findings = run(shlex.join(words), "gtp.play.genmove-again", "game.eye.*", "game.ko.*")
    (crash,) = [result for result in findings.results if result.confirmation is Confirmation.UNSTABLE]
    assert (crash.check.id, crash.outcome) == ("gtp.play.genmove-again", Outcome.INCONCLUSIVE)
    assert {result.outcome for result in findings.results if result is not crash} == {Outcome.PASS}
    assert verdict(findings) == "inconclusive"


# --- hostile engines ---------------------------------------------------------------------------------------


DEAR = {
    "byte-order-mark",
    "chatty",
    "close-stdin",
    "close-stdout",
    "control",
    "daemons",
    "deaf",
    "endless-stderr",
    "flood-stderr",
    "hang",
    "huge",
    "late",
    "memory",
    "no-id",
    "parent",
    "spaced-id",
    "spin",
    "swallow",
    "three-newlines",
    "twice",
    "unbuffered",
    "undead",
}
"""Ways that take a second of the processor or five of waiting; tests of harness.gtp try them in every run."""


@pytest.mark.parametrize("mode", slow_but(set(MODES) - DEAR, MODES))
def test_a_hostile_bot_ends_with_a_verdict(mode: str) -> None:
    """Whatever the machine's speed: a slow one turns some `deviates` into `unusable`."""
    words = ("--size", 1 << 16) if mode in ("flood-stderr", "huge", "memory") else ()
    findings = run(program("hostile.py", mode, *words), *SOME, limits=BRIEF)
    assert verdict(findings) in ("deviates", "unusable")
    assert bool(findings.unusable) is (not findings.results)
    for result in findings.results:
        shown = (result.judgement.expected, result.judgement.observed, result.transcript, result.reproduce)
        assert all(char.isprintable() or char == "\n" for text in shown for char in text)
        if result.outcome in REFUSING:
            assert result.judgement.observed
            assert result.judgement.hint or not result.check.hint


FAILING_LATER = ("die", "hang", "endless-lines", "orphan", "silent", "spin")
"""Ways to fail; the check waits for an engine that is silent or spins as for one that hangs."""


@pytest.mark.parametrize("mode", slow_but(("die",), FAILING_LATER))
def test_a_bot_that_fails_later_is_given_up_after_a_few_checks(mode: str) -> None:
    """It greets (the first 15 commands), then fails in every conversation; not every check waits for that."""
    findings = run(program("hostile.py", mode, "--at", 16), limits=BRIEF)
    silences = [r for r in findings.results if r.outcome in (Outcome.CRASH, Outcome.TIMEOUT)]
    assert verdict(findings) in ("deviates", "unusable")
    if findings.results:
        assert len(silences) <= MOST_SILENCES + MOST_DEATHS
        judged = {check.id for check in CHECKS if findings.profile.includes(check)}
        assert {result.check.id for result in findings.results} == judged


def test_what_depends_on_a_dead_bot_is_skipped_not_failed() -> None:
    findings = run(program("hostile.py", "one-newline"), limits=BRIEF)
    refused = [check_id for check_id, outcome in outcomes(findings).items() if outcome in REFUSING]
    assert findings.unusable or refused == ["gtp.frame.two-newlines"]


def test_lines_that_end_with_cr_lf_are_no_fault() -> None:
    findings = run(
        program("hostile.py", "crlf"), "gtp.frame.two-newlines", "gtp.frame.no-noise", "gtp.admin.name"
    )
    assert set(outcomes(findings).values()) == {Outcome.PASS}


def test_an_engine_without_flushing_is_known_by_its_terminal() -> None:
    limits = Limits(startup=5, answer=5, quit=0.2, terminate=0.2, reap=60)
    findings = run(program("hostile.py", "buffered"), "gtp.frame.*", limits=limits)
    refused = [check_id for check_id, outcome in outcomes(findings).items() if outcome in REFUSING]
    assert findings.unusable or refused == ["gtp.frame.flush"]


# --- right and wrong bots ----------------------------------------------------------------------------------


def test_an_engine_that_says_yes_to_everything() -> None:
    findings = run(program("instant.py"), "gtp.*")
    assert verdict(findings) == "deviates"
    assert outcomes(findings)["gtp.admin.protocol-version"] is Outcome.FAIL


PLAIN_QUICK = ("gtp.*", "game.capture.*", "game.suicide.*", "game.ko.*", "ref.nodes.*", "ref.score.*")


@pytest.mark.slow
def test_a_right_bot_that_is_not_refbot_conforms() -> None:
    """It has none of the private commands but two, so the number of playouts is inferred."""
    findings = run(program("plain_bot.py", "--playouts", 200), *PLAIN_QUICK)
    fine = (Outcome.PASS, Outcome.SKIP)
    strange = [r for r in findings.results if r.check.level is not Level.INFO and r.outcome not in fine]
    assert [(result.check.id, result.judgement) for result in strange] == []
    assert (findings.count.playouts, findings.count.source) == (200, "inferred")
    assert verdict(findings) == "conforms"


def test_a_given_number_is_believed_and_doubted_where_the_searches_show_another() -> None:
    bot = program("pure_bot.py", "--playouts", 20)
    wrong, right = (run(bot, "ref.nodes.three", "ref.nodes.six", playouts=count) for count in (500, 20))
    assert [right.count.source, wrong.count.source] == ["given", "given"]
    assert (verdict(right), verdict(wrong)) == ("conforms", "deviates")
    assert wrong.count.reason == "ref-nodes shows 20 playouts a search, not the 500 that were given"
    assert right.count.reason == ""


REFUSES_TO_COUNT = """
for line in open(0):
    print("= answered" if "ref-playouts" not in line else "? 500", end="\\n\\n", flush=True)
    if line == "quit\\n":
        break
"""


def test_a_number_in_a_refusal_of_ref_playouts_is_no_number_of_playouts() -> None:
    introduction = Introduction("", "", frozenset({"ref-playouts"}), (9,), ())
    with Bot(Launch(shlex.join([sys.executable, "-c", REFUSES_TO_COUNT])), PATIENT) as bot:
        assert find_playouts(bot, introduction, None).playouts is None


def test_a_mean_length_in_place_of_a_sum_casts_no_doubt_on_a_given_number() -> None:
    given = PlayoutCount(200, "given")
    seen = [
        Series(probe, 200, (SearchRecord("E9", length, 1.0, 0.1),)) for probe, length in ((ONE, 3), (FOUR, 6))
    ]
    assert with_doubt(given, seen) == given


def test_long_playouts_where_three_moves_are_possible_cast_no_doubt_on_a_given_number() -> None:
    """A bot that plays suicide: 159 and 165 moves a playout, which differ as those of 400 right playouts."""
    given = PlayoutCount(200, "given")
    seen = [
        Series(probe, 200, (SearchRecord("E9", 200 * length, 1.0, 0.1),))
        for probe, length in ((ONE, 159), (FOUR, 165))
    ]
    assert with_doubt(given, seen) == given
    seen = [
        Series(probe, 200, (SearchRecord("E9", 400 * length, 1.0, 0.1),))
        for probe, length in ((ONE, 3), (FOUR, 6))
    ]
    assert "shows 400 playouts" in with_doubt(given, seen).reason
    assert "the 200 that ref-playouts answers" in with_doubt(PlayoutCount(200, "asked"), seen).reason


def test_a_board_size_that_the_bot_refuses_is_no_deviation() -> None:
    bot = Launch(program("pure_bot.py", "--playouts", 20, "--largest", 13))
    checks = select(["ref.19x19.*", "gtp.setup.size-accepted"], size=19)
    findings = findings_about(RunSettings(bot, checks, limits=PATIENT))
    assert (findings.unusable, verdict(findings)) == ("it does not play on 19x19", "unusable")
    assert "leave --size out" in findings.hint
    dialogues = [check for check in checks if check.id.startswith("gtp.")]
    assert verdict(findings_about(RunSettings(bot, dialogues, limits=PATIENT))) == "conforms"


@pytest.mark.slow  # it compiles a bot of its own
def test_where_sure_playouts_are_not_sure_the_cap_shows_their_number() -> None:
    findings = run(program("wrong_bots.py", "suicide-passes", "--playouts", 200), "ref.nodes.*")
    assert (findings.count.playouts, findings.count.source) == (200, "inferred")
    assert verdict(findings) == "deviates"


def test_one_failure_of_a_clause_is_repeated() -> None:
    """One of the searches that need no statistics; the others of the clause have the same cause."""
    findings = run("refbot gtp --playouts 100 --fault nodes-no-passes", "ref.nodes.*", "ref.score.mean")
    failed = [result for result in findings.results if result.refuses and result.judgement.p_value is None]
    searched = [result for result in failed if result.check.procedure.search_plan is not None]
    assert {result.clause for result in searched} == {"ref-nodes"}
    states = Counter(result.confirmation for result in searched)
    assert states[Confirmation.CONFIRMED] == 1
    assert states[Confirmation.NOT_TRIED] == len(searched) - 1 > 0


def test_refbot_is_asked() -> None:
    findings = run("refbot gtp --playouts 123", "ref.nodes.*", "ref.score.view-*")
    assert (findings.count.playouts, findings.count.source) == (123, "asked")
    assert verdict(findings) == "conforms"


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_a_right_bot_that_is_not_refbot_conforms_in_everything() -> None:
    """The chance that a right bot is refused is alpha = 0.001; the bot's own seed is fixed."""
    findings = run(program("plain_bot.py", "--seed", 11), effort=STANDARD_SEARCHES)
    strange = [r for r in findings.results if r.check.level is Level.MUST and r.outcome in REFUSING]
    assert [(result.check.id, result.judgement) for result in strange] == []


def wrong_bots() -> list[tuple[str, str]]:
    """(name, clause) of each of `wrong_bots.py --list`."""
    listed = subprocess.run(
        [sys.executable, str(ENGINES / "wrong_bots.py"), "--list"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return [(line.split()[0], line.split()[1]) for line in listed.splitlines()]


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.xfail(reason="checks of other clauses refuse some, as ref.end.03 eye-second-line", strict=True)
def test_every_wrong_bot_is_refused_for_its_clause() -> None:
    """They were written without a look at the fault registry; each must be refused for its clause."""
    missed = []
    for name, clause in wrong_bots():
        only = [check.id for check in CHECKS if check.clause == clause]
        findings = run(program("wrong_bots.py", name), *only, effort=STANDARD_SEARCHES)
        if not any(r.outcome in REFUSING for r in findings.results):
            missed.append(name)
    assert missed == []
