"""The report on a terminal: the cause first, one screen for one fault, no markup from outside."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from harness.check.model import (
    NO_SIGHTINGS,
    OUT_OF_TIME,
    Confirmation,
    Judgement,
    Level,
    Outcome,
    Result,
    Sightings,
    failed,
)
from harness.check.phases.confirmation import NO_TIME_HINT, UNSTABLE_HINT, unstable_judgement
from harness.check.phases.findings import Findings
from harness.check.phases.playout_count import PlayoutCount
from harness.check.play_rules import FREE_RULES
from harness.check.procedures.probe import Probe
from harness.check.profile import Profile
from harness.diagnosis.diagnose import diagnose
from harness.report.files.transcripts import write_transcripts
from harness.report.records.check import CheckReport, ReportSettings, as_data
from harness.report.terminal import recorded
from harness.report.text.by_hand import command_for, lines_of
from harness.report.text.console import MOST_IN_FULL, show_report, show_result
from harness.report.text.failure_text import CommandParts, one_line, print_failure
from harness.report.text.playouts import playout_lines
from harness.report.text.undecided import open_lines, seconds_to_decide
from harness.stats import holm
from harness.suite.registry import CHECKS, find
from tests.harness.diagnosis.imagined import imagined, judged

COMMAND = "./mybot"
LINES, COLUMNS = 40, 100
MOST_LINES = 45
"""Lines of the report on any engine that speaks GTP."""

ONE_FAULT = ["eye-edge-as-centre", "komi-truncated", "name-case-ignored"]


@cache
def findings(fault: str) -> Findings:
    """Findings about a fault; what its few searches leave open passes."""
    found = judged(imagined(fault, np.random.default_rng(3)))
    results = tuple(
        replace(r, judgement=r.judgement.with_outcome(Outcome.PASS))
        if r.outcome is Outcome.INCONCLUSIVE
        else replace(r, shell_line=COMMAND)
        for r in found.results
    )
    found = replace(found, results=results)
    return replace(found, command=COMMAND, name="mybot", version="1", count=PlayoutCount(1000, "asked"))


def with_failures(
    *ids: str,
    confirmation: Confirmation = Confirmation.NOT_NEEDED,
    sightings: Sightings = NO_SIGHTINGS,
) -> Findings:
    """Findings of a right bot in which some checks fail."""
    failure = failed("an answer", "no answer", "answer")
    right = findings("")
    results = tuple(
        replace(
            r,
            judgement=failure,
            lines=(b"name\n",),
            shell_line=COMMAND,
            confirmation=confirmation,
            sightings=sightings,
        )
        if r.check.id in ids
        else r
        for r in right.results
    )
    return replace(right, results=results)


def report_of(*found: Findings, strict: bool = False, transcripts: str = "") -> CheckReport:
    said = [diagnose(one, strict=strict) for one in found]
    checks = max(len(one.results) for one in found)
    settings = ReportSettings(1, "quick", checks, strict, transcripts)
    return CheckReport(found, said, "2026-11-22T08:00:00+00:00", 2.0, settings)


@cache
def report_on(fault: str) -> CheckReport:
    return report_of(findings(fault))


@cache
def wire_report() -> CheckReport:
    """A report on a bot with several causes."""
    return report_of(with_failures(*WIRE))


def shown(report: CheckReport, *, width: int = COLUMNS, quiet: bool = False, everything: bool = False) -> str:
    out = io.StringIO()
    console = Console(file=out, width=width, height=LINES, highlight=False)
    show_report(console, report, quiet=quiet, everything=everything)
    return out.getvalue()


def in_full(text: str) -> list[str]:
    """The checks that are shown in full: those with a line `again`."""
    return re.findall(r"again\s+conform check \S+ --only (\S+)", text)


# --- one fault, one screen ---------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", ONE_FAULT)
def test_a_bot_with_one_fault_fits_on_one_screen_the_verdict_and_the_cause_first(fault: str) -> None:
    report = report_on(fault)
    text = shown(report)
    assert len(text.splitlines()) <= LINES
    assert text.startswith(f"deviates  {COMMAND}")
    places = [text.index("Start here"), text.index("FAIL  "), text.index(" checks:")]
    assert places == sorted(places)
    assert in_full(text)[0] == report.diagnoses[0].causes[0].evidence


def test_the_evidence_has_its_position_the_expected_playouts_and_what_was_observed() -> None:
    text = shown(report_on("eye-edge-as-centre"))
    labels = re.findall(r"^ {6}(position|expected|playouts|observed|change|rule|again|by hand)  ", text, re.M)
    assert labels[:4] == ["position", "expected", "playouts", "observed"]
    assert labels[-2:] == ["again", "by hand"]
    assert "printf" not in text


def test_everything_is_shown_in_full_when_asked_for() -> None:
    found = findings("eye-edge-as-centre")
    failing = {r.check.id for r in found.results if r.refuses}
    assert set(in_full(shown(report_of(found), everything=True))) == failing
    assert len(in_full(shown(report_of(found)))) < len(failing)


# --- several causes ----------------------------------------------------------------------------------------

WIRE = [
    "gtp.admin.name",
    "gtp.admin.protocol-version",
    "gtp.admin.name-case",
    "gtp.admin.exact-name",
    "gtp.frame.crlf",
    "gtp.frame.tab",
    "gtp.frame.quit",
    "gtp.score.form",
]


def test_of_many_causes_the_first_is_shown_in_full_and_each_other_in_a_line() -> None:
    report = wire_report()
    text = shown(report)
    assert len(report.diagnoses[0].causes) > MOST_IN_FULL
    assert len(in_full(text)) == 1
    for cause in report.diagnoses[0].causes:
        assert cause.evidence in text


def test_consequences_are_folded_under_their_cause() -> None:
    text = shown(report_on("eye-edge-as-centre"))
    explained = report_on("eye-edge-as-centre").diagnoses[0].causes[0].explains
    assert f"The same cause explains {len(explained) - 1} more failures" in text


def test_checks_that_wait_for_an_ability_are_named_with_it() -> None:
    ability = "ref.nodes.readable"
    found = with_failures(ability)
    blocked = tuple(
        replace(r, judgement=Judgement(Outcome.BLOCKED), blocked_by=(ability,))
        if r.check.requires.commands
        else r
        for r in found.results
    )
    number = sum(result.outcome is Outcome.BLOCKED for result in blocked)
    text = shown(report_of(replace(found, results=blocked, commands=frozenset())))
    assert in_full(text) == [ability]
    assert f"{number} checks depend on it and were not judged" in text


def test_a_death_is_reported_as_it_was_seen() -> None:
    """No fault that gives a wrong answer is named for it."""
    found = with_failures("gtp.play.genmove")
    death = Judgement(Outcome.CRASH, "genmove b → a move", "genmove b → it ended (on stderr: NameError: x)")
    results = tuple(replace(r, judgement=death) if r.refuses else r for r in found.results)
    text = shown(report_of(replace(found, results=results)))
    assert f"Start here, crash: {death.observed}" in text
    assert "probable fault" not in text


def test_a_report_with_many_causes_and_a_long_last_line_fits_a_screen() -> None:
    """The headline is cut, since the failure below has the whole observation; lists name few checks.

    The engine has a long command line, and the screen is narrow, as in a file: a sentence that is two words
    too long takes a line more.
    """
    found = with_failures("gtp.play.genmove", *WIRE)
    last = "Assertion failed in " + "/a/long/path" * 20
    death = Judgement(Outcome.CRASH, "genmove b → a move", f"genmove b → it ended (on stderr: {last})")
    noted = failed("an answer", "no answer", "answer")
    by_id = {
        "gtp.play.genmove": death,
        "gtp.frame.comment-long": Judgement(Outcome.INCONCLUSIVE, observed="interrupted before it was done"),
        "gtp.frame.comment-tail": Judgement(Outcome.INCONCLUSIVE, observed="its answers differ"),
    }
    results = tuple(
        replace(r, judgement=by_id[r.check.id])
        if r.check.id in by_id
        else replace(r, judgement=noted)
        if r.check.level is not Level.MUST
        else replace(r, judgement=Judgement(Outcome.BLOCKED), blocked_by=("gtp.play.genmove",))
        if r.check.id.startswith("game.")
        else r
        for r in found.results
        if Profile.GTP.includes(r.check)
    )
    command = "/usr/games/engine --gtp --playouts 100 --weights /a/long/path/weights.txt --threads 1"
    found = replace(found, results=results, command=command, profile=Profile.GTP, rules=FREE_RULES)
    text = shown(report_of(replace(found, budget=holm({"gtp.explore": 1.0}, 0.001))), width=80)
    lines = text.splitlines()
    (start,) = (number for number, line in enumerate(lines) if line.startswith("Start here"))
    assert lines[start].startswith("Start here, crash: genmove b → it ended")
    assert lines[start + 1].startswith("  ")  # the reason, after a headline of one line
    assert re.sub(r"\s+", "", last) in re.sub(r"\s+", "", text)
    for part in ("by these rules", "more causes", "recommendations", "observations", "open  ", "false alarm"):
        assert part in text
    assert len(lines) <= MOST_LINES


def test_a_requirement_that_is_the_headline_is_not_printed_again() -> None:
    (check,) = find("gtp.admin.known-command")
    text = re.sub(r"\s+", " ", shown(report_of(with_failures(check.id))))
    assert text.count(check.title) == 1


def test_a_single_failure_is_named_by_its_own_requirement() -> None:
    """A fault that would explain it is named behind: others may look the same in one check."""
    (check,) = find("gtp.admin.known-command")
    text = shown(report_of(with_failures(check.id)))
    assert f"Start here, not met: {check.title}" in text
    assert "would explain it is known-command-digits" in text


def test_a_failure_on_one_line_has_no_board() -> None:
    (check,) = find("ref.explore")
    seen = "D6 36 times of 36, as by this rule: smoothed rate"
    failure = Result(check, Judgement(Outcome.FAIL, observed=f"{seen}\n   A  B\n 1 X  O 1"))
    assert one_line(failure, 200).plain.endswith(seen)


def test_what_was_not_selected_and_stops_others_is_named() -> None:
    found = findings("")
    seen = Judgement(Outcome.BLOCKED, "genmove b → a move", "genmove b → it ended")
    eyes = [replace(r, judgement=seen, blocked_by=("gtp.play.genmove",)) for r in found.results[:2]]
    (line,) = open_lines(replace(found, results=tuple(eyes)), "--seed 2")
    named = ", ".join(result.check.id for result in eyes)
    assert line == (
        f"{named}: genmove b → it ended. That is about gtp.play.genmove:\n"
        f"conform check {COMMAND} --seed 2 --only gtp.play.genmove"
    )
    selected = tuple(replace(result, blocked_by=(eyes[0].check.id,)) for result in eyes)
    assert not open_lines(replace(found, results=selected))


# --- what is not a failure of the bot ----------------------------------------------------------------------


def test_a_bot_that_conforms_has_no_cause() -> None:
    text = shown(report_on(""))
    assert text.startswith(f"conforms  {COMMAND}")
    assert "Start here" not in text


def test_quiet_is_one_line() -> None:
    assert shown(report_on("komi-truncated"), quiet=True).count("\n") == 1


def test_an_error_says_why() -> None:
    found = findings("")
    lost = Judgement(Outcome.ERROR, "a match", "refbot has died", "start it again")
    results = (*found.results[:-1], replace(found.results[-1], judgement=lost))
    text = shown(report_of(replace(found, results=results)))
    assert f"ERROR {found.results[-1].check.id}: refbot has died" in text
    assert "start it again" in text


@pytest.mark.parametrize(
    ("confirmation", "sightings", "label"),
    [
        (Confirmation.WITH_HISTORY, Sightings(2, 2), "only after the earlier commands"),
        (Confirmation.CONFIRMED, Sightings(2, 5), "2 of 5"),
    ],
)
def test_how_a_failure_came_back_is_said(
    confirmation: Confirmation, sightings: Sightings, label: str
) -> None:
    failures = with_failures("gtp.admin.name", confirmation=confirmation, sightings=sightings)
    assert label in shown(report_of(failures))


def test_an_unstable_failure_refuses_nothing_and_says_what_to_do_next() -> None:
    found = findings("")
    judgement = unstable_judgement(failed("an answer", "name → ? lost"), Sightings(0, 5))
    first = replace(
        found.results[0],
        judgement=judgement,
        confirmation=Confirmation.UNSTABLE,
        sightings=Sightings(0, 5),
    )
    report = report_of(replace(found, results=(first, *found.results[1:])))
    text = " ".join(shown(report).split())
    assert report.verdicts == ["inconclusive"]
    assert "name → ? lost" in text
    assert "0 of 5 new processes" in text
    assert f"--only {first.check.id}" in text


@pytest.mark.parametrize(
    ("sightings", "hint"), [(Sightings(1, 1), NO_TIME_HINT), (Sightings(1, 3), UNSTABLE_HINT)]
)
def test_a_failure_that_came_back_each_time_shows_no_difference(sightings: Sightings, hint: str) -> None:
    assert unstable_judgement(failed("an answer", "none"), sightings).hint == hint


def test_an_interrupted_run_says_so_and_shows_what_was_found() -> None:
    text = shown(report_of(replace(findings("komi-truncated"), interrupted=True)))
    assert text.startswith(f"interrupted  {COMMAND}")
    assert "Start here" in text
    assert "no MUST check had failed" in shown(report_of(replace(findings(""), interrupted=True)))


def test_how_the_chance_of_a_false_alarm_is_shared_is_shown_on_request_alone() -> None:
    report = report_on("")
    assert ("Holm" in shown(report), "false alarm" in shown(report)) == (
        False,
        bool(report.findings[0].budget.shares),
    )
    assert ("Holm" in shown(report, everything=True)) is bool(report.findings[0].budget.shares)


def test_a_failed_should_is_one_line_and_counts_with_strict() -> None:
    found = with_failures("gtp.frame.leading-space")
    assert "note  1 recommendation not followed: gtp.frame.leading-space" in shown(report_of(found))
    assert "Start here" in shown(report_of(found, strict=True))


# --- text from outside -------------------------------------------------------------------------------------


def test_nothing_from_outside_is_markup_or_reaches_the_terminal_raw() -> None:
    evil = "[bold red]x[/bold red]\x1b[31m\u202e[/]"
    found = with_failures("gtp.admin.name")
    results = tuple(
        replace(r, judgement=replace(r.judgement, observed=evil, expected=evil)) if r.refuses else r
        for r in found.results
    )
    found = replace(found, results=results, command=f"./{evil}", name=evil, unusable="")
    for everything in (False, True):
        text = shown(report_of(found), everything=everything, width=200)
        assert all(char.isprintable() or char == "\n" for char in text)
        assert "[bold red]x[/bold red]" in text


@pytest.mark.parametrize("width", [60, 120])
def test_no_line_but_a_command_is_wider_than_the_terminal(width: int) -> None:
    for report in (report_on("eye-edge-as-centre"), wire_report()):
        lines = shown(report, width=width).splitlines()
        assert all(len(line) <= width or COMMAND in line for line in lines)


def test_a_command_is_one_line_however_narrow_the_terminal_is() -> None:
    text = shown(report_on("eye-edge-as-centre"), width=60)
    (check,) = in_full(text)
    assert f"again      conform check {COMMAND} --only {check}\n" in text
    assert f"by hand    conform explain {check} --gtp | {COMMAND}\n" in text


# --- by hand -----------------------------------------------------------------------------------------------


def test_the_lines_of_a_check_are_those_that_it_sends() -> None:
    (check,) = find("ref.eye.edge")
    plan = check.procedure.search_plan
    assert plan is not None
    probe: Probe = plan.probe
    assert lines_of(check, 1) == (*probe.setup(), b"genmove b\n", b"ref-nodes\n", b"ref-score\n")


def test_no_line_of_a_check_has_a_place_to_be_filled() -> None:
    lines = {check.id: lines_of(check, 1) or () for check in find("*")}
    assert lines["gtp.setup.komi-syntax"] == (b"komi abc\n", b"protocol_version\n")
    assert not [name for name, sent in lines.items() if any(b"{" in line for line in sent)]


def test_a_dialogue_that_explain_prints_is_piped_from_there_and_any_other_from_a_file() -> None:
    (check,) = find("gtp.admin.protocol-version")
    lines = lines_of(check, 1)
    assert lines is not None
    failed = Judgement(Outcome.FAIL)
    same = Result(check, failed, lines, COMMAND)
    assert command_for(same, COMMAND, 1) == f"conform explain {check.id} --gtp | {COMMAND}"
    other = Result(check, failed, (b"name\n", *lines), COMMAND)
    assert command_for(other, COMMAND, 1) == ""
    assert command_for(other, COMMAND, 1, "wire") == f"sh wire/{check.id}.sh"
    assert command_for(other, COMMAND, 1, "my wire") == f'sh "my wire/{check.id}.sh"'
    history = replace(same, confirmation=Confirmation.WITH_HISTORY)
    assert command_for(history, COMMAND, 1) == ""


def test_a_failure_has_a_script_beside_its_transcript(tmp_path: Path) -> None:
    found = with_failures("gtp.admin.name")
    write_transcripts(tmp_path, [found])
    scripts = sorted(path.name for path in tmp_path.glob("*.sh"))
    assert scripts == ["gtp.admin.name.sh"]
    assert "printf 'name\\nquit\\n' | ./mybot" in (tmp_path / scripts[0]).read_text("utf-8")


# --- expected playouts -------------------------------------------------------------------------------------


def probes(ids: Sequence[str]) -> list[Probe]:
    plans = [find(check_id)[0].procedure.search_plan for check_id in ids]
    return [plan.probe for plan in plans if plan is not None]


def test_playouts_are_listed_as_long_as_they_can_be_read() -> None:
    edge, six, empty = probes(["ref.eye.edge", "ref.nodes.six", "ref.empty.length"])
    assert playout_lines(empty) == []
    assert [line.split()[0] for line in playout_lines(edge)] == ["1/2", "1/2"]
    assert len(playout_lines(six)) == 13  # a dozen, and what is left
    assert playout_lines(six)[-1].split() == ["1/2", "other", "playouts"]
    assert all("6 moves, result 0" in line for line in playout_lines(six)[:-1])


# --- what is open ------------------------------------------------------------------------------------------


def undecided(needed: float | None, hint: str = "", seconds: float = 0.5) -> Findings:
    """A right bot whose check of the empty board is undecided, each search having taken some seconds."""
    found = findings("")
    timed = tuple(
        replace(one, searches=tuple(replace(search, seconds=seconds) for search in one.searches))
        for one in found.series
    )
    open_judgement = Judgement(Outcome.INCONCLUSIVE, observed="so far", hint=hint, playouts_needed=needed)
    results = tuple(
        replace(r, judgement=open_judgement) if r.check.id == "ref.empty.length" else r for r in found.results
    )
    return replace(found, results=results, series=timed, seconds=100.0)


def test_what_is_open_has_its_time_and_the_command_that_decides() -> None:
    (line,) = open_lines(undecided(200_000.0))
    assert "ref.empty.length: about 2 min of searches would decide" in line  # 200 searches of half a second
    assert line.endswith("conform check ./mybot --budget 5m")


def test_a_bot_whose_searches_are_long_is_advised_to_make_them_shorter() -> None:
    (line,) = open_lines(replace(undecided(200_000.0), long_search=11.2))
    assert "a search takes up to 11 s: let the bot make about 90 playouts a search" in line


def test_a_bot_that_takes_as_long_everywhere_is_advised_to_take_its_time() -> None:
    """Fewer playouts do not shorten the searches of a bot that waits for something else."""
    slow = replace(undecided(200_000.0, seconds=15.0), long_search=15.1, usual_search=15.0)
    (line,) = open_lines(slow)
    assert "a search takes 15 s wherever it is made" in line
    assert "about 50 min of searches would decide:\nconform check ./mybot --budget 2h" in line
    assert line.endswith("waits rather than computes:\nconform check ./mybot --jobs 8 --budget 15m")


def test_what_did_not_run_for_want_of_time_is_counted_with_the_searches() -> None:
    slow = replace(undecided(200_000.0, seconds=15.0), long_search=15.1, usual_search=15.0)
    cut = tuple(
        replace(result, judgement=OUT_OF_TIME)
        if result.check.id in ("game.ko.ends", "gtp.explore")
        else result
        for result in slow.results
    )
    later = replace(slow, results=cut)
    some = [result for result in cut if result.outcome is Outcome.INCONCLUSIVE]
    all_of_them = seconds_to_decide(later, some)
    assert all_of_them is not None
    # 200 searches of the empty board, one of the dialogue, 250 of the exploration
    assert all_of_them == pytest.approx(15.0 * (200 + 1 + 250))
    eight = seconds_to_decide(later, some, 8)
    assert eight == pytest.approx(15.0 * (1 + (200 + 250) / 8))  # a dialogue has one instance


def test_a_run_without_a_single_search_is_estimated_from_the_dialogues() -> None:
    unsearched = replace(undecided(None), series=(), usual_search=15.0, long_search=15.0)
    (line,) = open_lines(unsearched)
    assert "of searches would decide:\nconform check ./mybot --budget" in line


def test_instances_share_the_time() -> None:
    (line,) = open_lines(replace(undecided(200_000.0), instances=2))
    assert "about 50 s of searches" in line


@pytest.mark.parametrize(
    ("seconds", "interrupted", "said"), [(599.0, False, True), (100.0, False, False), (599.0, True, False)]
)
def test_a_time_limit_that_ended_the_searches_is_named(seconds: float, interrupted: bool, said: bool) -> None:
    found = undecided(200_000.0)
    series = tuple(replace(one, effort=replace(one.effort, seconds=600.0)) for one in found.series)
    (line,) = open_lines(replace(found, series=series, seconds=seconds, interrupted=interrupted))
    assert ("the time limit of 10 min ended the searches" in line) is said


def test_an_own_hint_goes_before_more_time() -> None:
    (line,) = open_lines(undecided(None, "give the number with --playouts N"))
    assert line == "ref.empty.length: so far; give the number with --playouts N"


def test_the_json_has_causes_confirmations_and_what_blocks() -> None:
    report = report_of(with_failures("gtp.admin.name", confirmation=Confirmation.CONFIRMED))
    (entry,) = as_data(report)["bots"]
    (cause,) = entry["causes"]
    assert (cause["evidence"], cause["explains"]) == ("gtp.admin.name", ["gtp.admin.name"])
    assert set(cause) == {"kind", "name", "clause", "probability", "evidence", "explains", "alike"}
    states = {check["id"]: check["confirmation"] for check in entry["checks"]}
    assert states["gtp.admin.name"] == "confirmed"
    assert all(check["blocked_by"] == [] for check in entry["checks"])
    assert len(entry["checks"]) == len(CHECKS)


def test_a_skipped_check_is_listed_with_the_reason_and_others_with_their_title() -> None:
    (check,) = find("ref.parity")
    text = io.StringIO()
    console = Console(width=300, file=text)
    for outcome in (Outcome.SKIP, Outcome.PASS):
        result = Result(check, Judgement(outcome, observed="it has no match"))
        show_result(console, result, strict=False)
    skipped, passed = text.getvalue().splitlines()
    assert skipped.split()[-4:] == ["it", "has", "no", "match"]
    assert passed.endswith(check.title)


@pytest.mark.parametrize(("inline", "option"), [(True, "--json FILE"), (False, "--transcript DIR")])
def test_a_line_that_nobody_would_copy_is_not_printed(inline: bool, option: str) -> None:
    failed = Judgement(Outcome.FAIL, "an answer", "no answer")
    result = Result(find("gtp.explore")[0], failed, (b"genmove b\n" * 1000,), COMMAND)
    text = recorded(100, lambda console: print_failure(console, result, CommandParts(COMMAND, inline=inline)))
    assert f"by hand    the line above with {option} writes the lines to send" in text
    assert "printf" not in text
    short = replace(result, lines=(b"genmove b\n",))
    text = recorded(100, lambda console: print_failure(console, short, CommandParts(COMMAND, inline=inline)))
    assert f"by hand    {short.reproduce}" in text
