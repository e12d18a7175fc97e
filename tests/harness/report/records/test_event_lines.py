"""`conform-events/1`: every event has a line, every line keeps to the schema, a cut stream shows."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from harness.arena.config.reader import check_config
from harness.arena.errors import PlayError
from harness.arena.folder.play import MatchSettings, follow, run_match
from harness.arena.judge.live import NewGames
from harness.arena.records import Ending, Game, GameSummary
from harness.arena.run import events as of_match
from harness.arena.store.store import Store
from harness.check.effort import QUICK
from harness.check.phases import events as of_check
from harness.check.phases.run import check_bot, findings_of
from harness.check.phases.settings import RunSettings
from harness.diagnosis.cause import CauseFound, CauseKind
from harness.diagnosis.diagnose import diagnose
from harness.explore.exploration import BotPrepared, DeviationFound, ExplorationEnded, StepEnded
from harness.report.records import check as check_json
from harness.report.records import check_events, match_events
from harness.report.records.events import EventLines, schema
from harness.selftest.hosted_bot import HostedBot
from harness.suite.registry import select
from tests.harness.arena.match_helpers import without_workers
from tests.harness.schedule.scheduler_helpers import INSTANT

CHECKS = select(("gtp.admin.*", "gtp.play.occupied", "ref.nodes.three", "ref.score.mean"))
EFFORT = replace(QUICK, seconds=1e9)


def written(run: Callable[[EventLines], object]) -> list[str]:
    """The stream of a command, with a clock that counts its lines."""
    texts: list[str] = []
    clock = itertools.count()
    lines = EventLines(texts.append, lambda: float(next(clock)))
    lines.begin("2026-11-26T00:00:00+00:00")
    run(lines)
    lines.end()
    return texts


def check_stream(*switches: str) -> list[str]:
    """The stream of a check of one bot."""

    def run(lines: EventLines) -> None:
        handle = check_events.check_lines(lines, 0)
        with HostedBot(*switches) as bot:
            found = findings_of(check_bot(bot, RunSettings(bot.launch, CHECKS, 100, EFFORT)), handle)
        for cause in diagnose(found).causes:
            handle(CauseFound(cause))

    return written(run)


@pytest.fixture(scope="module")
def match_stream(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The stream of a match in which an engine fails, followed by one line of each other kind."""
    folder = tmp_path_factory.mktemp("match")
    engines = [
        {"name": name, "command": command}
        for name, command in (("a", INSTANT), ("b", INSTANT), ("c", "true"))
    ]
    run = {"size": 5, "games": 4, "workers": 1, "bench_after": 1}
    config = check_config({"run": run, "engine": engines, "report": {"formats": []}}, "test")
    game = Game("p001-g00001", 1, 1, "a", "b", 0)
    crash = GameSummary(
        game, Ending("crash", "B+F", "b", "w"), 0, 0, "2026-11-26T00:00:00+00:00", (None, None)
    )

    def play(lines: EventLines) -> None:
        handle = match_events.match_lines(lines)
        with without_workers():
            verdicts = follow(run_match(MatchSettings(config, folder)), handle).verdicts
        for event in (
            of_match.EngineFailed("b", crash, 1),
            of_match.PairDecided(verdicts.parity[0]),
            of_match.MatchJudged(verdicts, NewGames((), (), complete=True)),
            of_match.SearchesAudited("audit", 1, 8),
            of_match.MatchFailed(PlayError("an engine is gone")),
        ):
            handle(event)

    return written(play)


def names(lines: Sequence[str]) -> list[str]:
    return [json.loads(line)["event"] for line in lines]


def assert_valid(lines: Sequence[str]) -> None:
    validator = jsonschema.Draft202012Validator(schema(), format_checker=jsonschema.FormatChecker())
    for line in lines:
        assert line.endswith("\n")
        assert line.count("\n") == 1
        validator.validate(json.loads(line))


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(schema())


@pytest.mark.parametrize("switches", [(), ("play-never-refuses",)])
def test_every_line_of_a_check_keeps_to_the_schema(switches: tuple[str, ...]) -> None:
    lines = check_stream(*switches)
    assert_valid(lines)
    assert ("cause-found" in names(lines)) is bool(switches)
    assert json.loads(lines[0])["format"] == "conform-events/1"
    assert (names(lines)[0], names(lines)[-1]) == ("stream-started", "stream-ended")
    assert names(lines).count("run-ended") == 1
    if switches:  # the results are those of the JSON report
        parsed = map(json.loads, lines)
        last = {line["result"]["id"]: line["result"] for line in parsed if line["event"] == "check-ended"}
        assert sorted(last) == sorted(check.id for check in CHECKS)
        assert last["gtp.play.occupied"]["outcome"] == "fail"


def test_every_kind_of_line_of_a_match_keeps_to_the_schema(match_stream: list[str]) -> None:
    assert_valid(match_stream)
    assert set(names(match_stream)) == {
        "stream-started",
        "stream-ended",
        *(name for name, _ in match_events.LINES.values()),
    }


@pytest.mark.parametrize("at", range(0, 40, 5))
def test_a_line_of_a_match_without_one_of_its_keys_is_refused(match_stream: list[str], at: int) -> None:
    line: dict[str, Any] = json.loads(match_stream[at % len(match_stream)])
    validator = jsonschema.Draft202012Validator(schema())
    for key in line:
        assert not validator.is_valid({name: value for name, value in line.items() if name != key})
    assert not validator.is_valid({**line, "another": 1})


def test_a_follower_can_rely_on_the_order_of_a_match(match_stream: list[str]) -> None:
    lines = [json.loads(line) for line in match_stream]
    order = [line["event"] for line in lines]
    assert order[1] == "match-started"
    end = order.index("match-ended")
    begun: set[str] = set()
    ended: list[str] = []
    for line in lines[:end]:
        if line["event"] == "game-started":
            begun.add(line["game"])
        elif line["event"] == "game-ended":
            assert line["game"] in begun
            ended.append(line["game"])
    assert len(ended) == len(set(ended)) == lines[end]["games"]
    failed = order.index("engine-failed")
    assert order[failed - 1] == "game-ended"
    assert lines[failed]["game"] == lines[failed - 1]["game"]
    benched = order.index("notice-given")
    assert (lines[benched]["kind"], lines[benched]["engine"]) == ("benched", "c")
    assert failed < benched < end


def test_a_match_that_continues_begins_with_the_stored_games(tmp_path: Path) -> None:
    engines = [{"name": name, "command": INSTANT} for name in "ab"]
    for games, stored in ((2, 0), (6, 2)):
        run = {"size": 5, "games": games, "workers": 1}
        config = check_config({"run": run, "engine": engines, "report": {"formats": []}}, "test")
        seen: list[of_match.Event] = []
        with without_workers():
            follow(run_match(MatchSettings(config, tmp_path)), seen.append)
        assert isinstance(started := seen[0], of_match.MatchStarted)
        assert (started.stored, started.total) == (stored, games)
        assert sum(isinstance(event, of_match.GameEnded) for event in seen) == games - stored
    with Store.open(tmp_path, read_only=True) as store:
        assert len(store.played()) == 6


def test_every_event_has_a_name_in_the_schema() -> None:
    def subclasses(event: type) -> set[type]:
        return set(event.__subclasses__()).union(*map(subclasses, event.__subclasses__()))

    of_exploration = {BotPrepared, StepEnded, DeviationFound, ExplorationEnded}  # explore writes no stream
    assert subclasses(of_check.Event) == set(check_events.LINES) | of_exploration
    assert subclasses(of_match.Event) == set(match_events.LINES)
    lines = (*check_events.LINES.values(), *match_events.LINES.values())
    in_schema = {one["properties"]["event"]["const"] for one in schema()["oneOf"]}
    assert in_schema == {*(name for name, _ in lines), "stream-started", "stream-ended"}


def test_a_check_and_a_cause_are_those_of_the_report() -> None:
    report = check_json.schema()["$defs"]
    assert {name: schema()["$defs"][name] for name in ("check", "cause")} == {
        name: report[name] for name in ("check", "cause")
    }
    assert set(report["cause"]["properties"]["kind"]["enum"]) == set(CauseKind)
