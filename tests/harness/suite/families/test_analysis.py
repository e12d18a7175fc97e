"""Checks of analyses: what they read, whom they refuse, and whom they leave alone."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import get_args

import pytest

from harness.arena.config.engine_keys import Genmove
from harness.check.bot.bot import Bot
from harness.check.model import REFUSING, Outcome
from harness.check.phases.findings import Findings
from harness.check.phases.run import check_bot, findings_of
from harness.check.phases.settings import RunSettings
from harness.check.verdict import verdict
from harness.commands.analyses import (
    STONES,
    Analysed,
    AnalysesRecord,
    AnalysisStarts,
    is_legal,
    position,
    set_up_lines,
)
from harness.commands.analysis_moves import NamedMove
from harness.go import all_points
from harness.gtp import (
    ENDLESS_COMMANDS,
    GENMOVE_ANALYSES,
    Exchange,
    Launch,
    Limits,
    command_name,
    format_vertex,
)
from harness.gtp.analysis_commands import ENDLESS, GENMOVES, SEARCH
from harness.gtp.analysis_lines import is_analysis, records_in
from harness.gtp.stream import exchange_of
from harness.gtp.syntax import command_id
from harness.selftest.hosted_bot import HostedBot, HostedEngine
from harness.suite.registry import select
from refbot.deviations.habits import HABITS
from refbot.gtp.extensions.analysis import COMMANDS
from tests.command_line import conform
from tests.hosted import hosted_by
from tests.thorough import Mutant, thorough

ONLY = ["gtp.analysis.*"]
BASES = [*ONLY, "gtp.frame.form", "gtp.frame.id-echo", "gtp.play.either-colour", "gtp.play.genmove"]
Check = Callable[..., Findings]


def outcomes(findings: Findings) -> dict[str, Outcome]:
    return {
        result.check.id.removeprefix("gtp.analysis."): result.outcome
        for result in findings.results
        if result.check.id.startswith("gtp.analysis.")
    }


def test_a_bot_without_the_commands_is_not_judged(check_hosted: Check) -> None:
    assert set(outcomes(check_hosted(only=ONLY)).values()) == {Outcome.SKIP}


def test_a_right_bot_passes_every_check(check_hosted: Check) -> None:
    assert set(outcomes(check_hosted("extensions", only=BASES)).values()) == {Outcome.PASS}


@pytest.mark.parametrize(
    ("habit", "noted"),
    [
        *((name, set()) for name in HABITS if name.startswith("analysis-") and "blank" not in name),
        ("analysis-blank-ignored", {"empty-line"}),
        *((name, set()) for name in ("crlf-answers", "trailing-blanks", "vertex-lower-case", "size-9-only")),
        *(
            (name, set())
            for name in ("pass-upper-case", "no-blank-before-nothing", "errors-of-several-lines")
        ),
    ],
)
def test_a_habit_is_tolerated(check_hosted: Check, habit: str, noted: set[str]) -> None:
    findings = check_hosted(habit, "extensions", only=BASES)
    found = outcomes(findings)
    assert {name for name, outcome in found.items() if outcome in REFUSING} == noted
    assert Outcome.BLOCKED not in found.values()
    assert verdict(findings) == "conforms"


@pytest.mark.parametrize(
    ("fault", "failing"),
    [
        ("analysis-sign-missing", {"starts"}),
        ("analysis-after-its-end", {"starts"}),
        ("analysis-two-empty-lines", {"ends"}),
        ("analysis-next-glued", {"ends"}),
        ("analysis-ender-unanswered", {"ends"}),
        ("analysis-goes-on", {"nothing-later"}),
        ("analysis-not-ended-by-another", {"in-a-row"}),
        ("analysis-colour-any", {"colour", "genmove-colour"}),
        ("analysis-genmove-bare", {"genmove"}),
        ("id-dropped", set()),
    ],
)
def test_a_fault_is_refused_once(check_hosted: Check, fault: str, failing: set[str]) -> None:
    """What relies on the ability that the fault takes is blocked."""
    found = outcomes(check_hosted(fault, "extensions", only=BASES))
    assert {name for name, outcome in found.items() if outcome in REFUSING} == failing


class RefusesToAnalyse(HostedEngine):
    """Lists the commands of analysis, and refuses each of them."""

    def _take(self, line: bytes) -> None:
        if b"analyze" in command_name(line):
            self.output += b"? not now\n\n"
        else:
            super()._take(line)


def test_a_bot_that_refuses_to_analyse_is_not_judged() -> None:
    with hosted_by(RefusesToAnalyse, "extensions") as bot:
        found = outcomes(findings_of(check_bot(bot, RunSettings(bot.launch, select(BASES)))))
    judged = {name for name, outcome in found.items() if outcome is not Outcome.SKIP}
    assert judged == {"interval", "no-legal-move", "colour", "genmove-colour"}  # a refusal is right there


class EndsAfterAnalysis(HostedEngine):
    """Ends at the first play after a genmove with analysis."""

    armed = False

    def _take(self, line: bytes) -> None:
        name = command_name(line)
        if self.armed and name == b"play":
            self.dead = True
            return
        self.armed = name.endswith(b"genmove_analyze")
        super()._take(line)


def test_a_death_at_the_move_after_a_genmove_is_that_of_play() -> None:
    with hosted_by(EndsAfterAnalysis, "extensions") as bot:
        settings = RunSettings(bot.launch, select(["gtp.analysis.genmove"]))
        (result,) = findings_of(check_bot(bot, settings)).results
    assert result.outcome is Outcome.CRASH
    assert result.judgement.expected.startswith("play w ")
    assert "play VERTEX" not in result.judgement.expected


def test_a_failure_shows_the_lines(check_hosted: Check) -> None:
    (result,) = [r for r in check_hosted("analysis-next-glued", only=["gtp.analysis.*"]).results if r.refuses]
    assert result.lines[-2:] == (b"lz-analyze w 5\n", b"name\n")
    assert "lz-analyze w 5" in result.judgement.expected
    assert "no empty line" in result.judgement.observed
    assert "> lz-analyze w 5" in result.transcript


def test_a_death_after_the_first_line_is_reported() -> None:
    line = b"info move D4 visits 1 winrate 5000\n"
    exchange = Exchange(b"lz-analyze w 5\n", b"=\n" + line, None, "eof", b"", 0.1)
    record = AnalysesRecord((Analysed(exchange.sent, exchange, (line,)),))
    assert AnalysisStarts().judge(record).outcome is Outcome.CRASH


def test_lines_with_an_analysis_can_be_sent_again(hosted_bot: Callable[..., HostedBot]) -> None:
    """A failure is repeated after the earlier lines of its process, analyses among them."""
    bot = hosted_bot("extensions")
    for line in (b"lz-analyze b 10\n", b"7 kata-analyze 10\n", b"name\n", b"lz-analyze x 10\n", b"name\n"):
        exchange = bot.ask(line)
        assert exchange.answer is not None
    recorded = bot.take_record()
    assert [one.sent for one in recorded] == [
        b"lz-analyze b 10\n", b"7 kata-analyze 10\n", b"name\n", b"lz-analyze x 10\n", b"name\n",
    ]  # fmt: skip
    assert all(one.ending == "answer" for one in recorded)
    assert recorded[1].answer is not None
    assert recorded[1].answer.id == 7


def test_the_lists_of_commands_agree() -> None:
    """The wire, the checks, the match config and refbot know the same commands."""
    genmoves = get_args(get_args(Genmove)[0])
    assert {name.encode() for name in ENDLESS} == ENDLESS_COMMANDS
    assert {name.encode() for name in GENMOVES} == GENMOVE_ANALYSES
    assert set(genmoves) == {"genmove", *GENMOVES}
    assert set(COMMANDS) == {*ENDLESS, *GENMOVES, *SEARCH}


# What is read


LEELA = (
    b"info move D4 visits 7 winrate 4724 prior 1838 lcb 4618 order 0 pv D4 Q16 "
    b"info move pass visits 0 winrate 0\n"
)
KATAGO = (
    b"info move A1 visits 5 edgeVisits 5 utility -0.04 winrate 0.48 order 0 pv A1 B2 pvVisits 5 2 "
    b"info order 1 visits 3 move B3 isSymmetryOf A1 winrate .5 pv rootInfo visits 9 winrate 0.5 "
    b"ownership 0.5 -0.5\n"
)


@pytest.mark.parametrize(
    ("line", "moves", "visits"),
    [
        (LEELA, ["D4", "PASS"], [7, 0]),
        (b"=7 " + LEELA, ["D4", "PASS"], [7, 0]),
        (KATAGO, ["A1", "B3"], [5, 3]),
        (b'{"winrate":0.1,"moves":[{"move":"c3","visits":4,"winrate":0.25,"pv":"D4"}]}\n', ["C3"], [4]),
        (b'{"moves": 3}\n', [], []),
        (b"{not json\n", [], []),
        (b"Thinking at most 3 s\n", [], []),
        (b"=\n", [], []),
        (b"\n", [], []),
        (b"information move D4 visits 3\n", [], []),
        (b"info\n", [""], [None]),
        (b"info move\n", [""], [None]),
    ],
)
def test_records_of_a_line(line: bytes, moves: list[str], visits: list[int | None]) -> None:
    found = records_in(line)
    assert [record.move for record in found] == moves
    assert [record.visits for record in found] == visits


@pytest.mark.parametrize(
    ("record", "word"),
    [
        (b"info move D4 visits 7 winrate 4724", ""),
        (b"info move d4 visits 7 winrate 0.5 pv", ""),
        (b"info move resign visits 7 winrate 0", ""),
        (b"info move Z99 visits 7 winrate 1", "vertex"),
        (b"info visits 7 winrate 1", "vertex"),
        (b"info move D4 winrate 1", "visits"),
        (b"info move D4 visits 1.5 winrate 1", "visits"),
        (b"info move D4 visits 3 winrate nan", "winrate"),
        (b"info move D4 visits 3", "winrate"),
    ],
)
def test_what_a_record_lacks(record: bytes, word: str) -> None:
    (found,) = records_in(record)
    fault = found.fault(9)
    assert (word in fault) if word else fault == ""


def test_logs_are_no_analysis() -> None:
    assert not any(map(is_analysis, (b"=\n", b"\n", b"log\n", b"infos\n", b"=7\n")))
    assert records_in(b"infos " + LEELA) == []
    assert all(map(is_analysis, (LEELA, KATAGO, b"=7 " + LEELA, b'{"moves":[]}\n')))


@pytest.mark.parametrize("size", [9, 13, 19])
def test_the_position_forbids_stones_the_ko_and_nothing_else(size: int) -> None:
    """The referee's legality on 9x9 holds on every size: all stones are in a corner."""
    game = position()
    assert game.to_move == "w"
    illegal = {
        vertex for vertex in map(format_vertex, all_points(size)) if not is_legal(vertex.upper(), size)
    }
    stones = {format_vertex(point) for point in game.stones()}
    assert illegal == stones | {"B1"}
    assert is_legal("PASS", size)
    assert len(set_up_lines(size)) == 2 + len(STONES)


@pytest.mark.parametrize(
    ("text", "vertex"),
    [
        ("= \nplay D4", "D4"),
        ("=\ninfo move D4 visits 1\nplay d4", "D4"),
        ("= play pass", "pass"),
        ("= x\nplay RESIGN", "resign"),
        ("= D4", None),
        ("= play Z9", None),
        ("= ", None),
        ("= play D4 now", None),
        ("= play D4\ninfo move D4", None),
    ],
)
def test_the_move_that_an_answer_names(text: str, vertex: str | None) -> None:
    raw = text.encode() + b"\n\n"
    assert NamedMove(exchange_of(b"lz-genmove_analyze b\n", b"", raw, 0.0)).vertex(9) == vertex


# Real processes


HERE = "tests/harness/suite/families/test_analysis.py::"
REFBOT = shlex.join([sys.executable, "-m", "refbot.cli", "gtp", "--playouts", "10"])


def found_in_process(command: str, only: Iterable[str] = ONLY) -> Findings:
    launch = Launch(command)
    with Bot(launch, Limits(startup=60.0, answer=60.0)) as bot:
        return findings_of(check_bot(bot, RunSettings(launch, select(list(only)))))


def test_a_process_of_the_right_bot_passes() -> None:
    found = outcomes(found_in_process(f"{REFBOT} --extensions"))
    assert {name for name, outcome in found.items() if outcome is not Outcome.PASS} <= {"visits"}


@pytest.mark.parametrize(
    ("fault", "check"),
    [
        pytest.param(
            "analysis-next-glued",
            "ends",
            marks=thorough(
                Mutant(
                    "harness/commands/analyses.py",
                    "judgement = self._judge_end(one, one.after, expected)",
                    "judgement = None",
                    f"{HERE}test_a_fault_is_refused_once[analysis-next-glued-failing3]",
                )
            ),
        ),
        pytest.param(
            "analysis-goes-on",
            "nothing-later",
            marks=thorough(
                Mutant(
                    "harness/commands/analysis_ends.py",
                    "next((one for one in exchanges if one.noise.strip()), None)",
                    "None",
                    f"{HERE}test_a_fault_is_refused_once[analysis-goes-on-failing5]",
                )
            ),
        ),
        ("analysis-interval-crashes", "interval"),
        ("analysis-not-ended-by-another", "in-a-row"),
    ],
)
def test_a_process_with_a_fault_is_refused(tmp_path: Path, fault: str, check: str) -> None:
    done = conform("check", f"{REFBOT} --fault {fault}", "--no-config", "--only", f"gtp.analysis.{check}")
    assert done.returncode == 1, done.stdout + done.stderr
    assert f"gtp.analysis.{check}" in done.stdout


class Altered(HostedBot):
    """The right bot, in front of which some commands are changed."""

    answers: Mapping[bytes, bytes] = {}

    def running_engine(self) -> HostedEngine:  # type: ignore[override]
        """The engine, with a server that answers these commands in its own way."""
        engine = super().running_engine()
        server = engine.server
        if "answer" not in vars(server):
            answer = server.answer

            def altered(line: bytes) -> bytes:
                ended = server.end_analysis()
                own = self.answers.get(command_name(line))
                number = command_id(line)
                own_id = b"" if number is None else b"%d" % number
                return ended + (answer(line) if own is None else own[:1] + own_id + own[1:])

            server.answer = altered  # type: ignore[method-assign]
        return engine


REFUSAL = b"? not with this network\n\n"


@pytest.mark.parametrize(
    ("answers", "judged"),
    [
        ({b"lz-analyze": REFUSAL}, True),
        (dict.fromkeys((b"lz-analyze", b"kata-analyze", b"cgos-analyze", b"analyze"), REFUSAL), False),
        ({b"analyze": b"= the game is even\n\n"}, True),
        (
            {b"analyze": b"= even\n\n"}
            | dict.fromkeys((b"lz-analyze", b"kata-analyze", b"cgos-analyze"), REFUSAL),
            False,
        ),
        (dict.fromkeys((b"lz-genmove_analyze", b"genmove_analyze"), REFUSAL), True),
    ],
)
def test_a_command_that_is_refused_is_left_out(answers: Mapping[bytes, bytes], judged: bool) -> None:
    bot = Altered("extensions")
    bot.answers = answers
    with bot:
        findings = findings_of(check_bot(bot, RunSettings(bot.launch, select(BASES))))
    found = outcomes(findings)
    assert not REFUSING & set(found.values())
    assert Outcome.BLOCKED not in found.values()
    assert found["starts"] is (Outcome.PASS if judged else Outcome.SKIP)
    assert found["genmove"] is Outcome.PASS
