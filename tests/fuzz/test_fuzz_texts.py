"""Any text at each place that reads texts from outside: it is read, or refused by the error of that place."""

import contextlib
import json
import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from harness.arena.config.cron import parse_cron
from harness.arena.folder.errors import StateFileError
from harness.arena.folder.history import read_history
from harness.arena.folder.scheduled_run import scheduled_runs
from harness.explore.cases import CasesError, read_cases
from harness.go import SgfError, SgfGame, play_record, read_sgf, read_sgf_games
from harness.gtp import (
    Answer,
    GtpError,
    parse_answer,
    parse_colour,
    parse_count,
    parse_decimal,
    parse_vertex,
    printable,
    printable_lines,
    printable_text,
)
from harness.gtp.numbers import parse_duration
from harness.report.errors import ReportError
from harness.report.records.stored_check import read_report
from harness.report.status.check import parse_check_status
from harness.report.status.run import parse_run_status
from harness.schedule.state import read_state
from harness.suite.known_failures import read_known
from harness.suite.registry import UnknownCheckError
from refbot.sgf import read_games
from tests.fuzz.cases import Cases
from tests.fuzz.mutations import mutated

Read = Callable[[bytes], object]


def text_of(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def answer(data: bytes) -> None:
    """Everything that is done with an answer before a check or a match judges it."""
    parsed = parse_answer(data, 12)
    text = parsed.text if isinstance(parsed, Answer) else str(parsed)
    parse_count(text)
    parse_decimal(text)
    for parse in (lambda: parse_vertex(text, 9), lambda: parse_colour(text), lambda: parse_duration(text)):
        with suppress(GtpError):
            parse()


def shown(data: bytes) -> None:
    """Text of a bot is shown as it is: it acts on no terminal and is no markup."""
    assert printable(data).isprintable()
    assert printable_text(text_of(data)).isprintable()
    assert all(char.isprintable() or char in "\n\t" for char in printable_lines(data))


def of_bytes(kind: type[Exception], read: Callable[[bytes], object]) -> Read:
    """A reader that may raise this error, which shows nothing that acts on a terminal."""

    def reader(data: bytes) -> None:
        said = ""
        try:
            read(data)
        except kind as error:
            said = str(error)
        assert "\x1b" not in said

    return reader


def of_text(kind: type[Exception], read: Callable[[str], object]) -> Read:
    """Make a reader of texts from a reader of bytes."""
    return of_bytes(kind, lambda data: read(text_of(data)))


STATUS = json.dumps({
    "format": "conform-check-status/1", "state": "running", "started": "2026-11-24T00:00:00+00:00",
    "written": "2026-11-24T00:00:01+00:00", "pid": 1, "budget": "quick", "bots": [],
}).encode()  # fmt: skip
REPORT = {
    "format": "conform-check/1", "started": "2026-11-24", "budget": "quick", "seconds": 1.5, "seed": 1,
    "tool": {"version": "1", "spec": "1", "checks": 3},
    "bots": [{
        "name": "b", "version": "1", "command": "./b", "verdict": "conforms", "playouts": 10,
        "diagnosis": [{"fault": "f", "clause": "eye", "probability": 0.5}],
        "checks": [dict.fromkeys(("id", "clause", "level", "title", "expected", "observed"), "x")
                   | {"outcome": "pass"}],
    }],
}  # fmt: skip
CASES = {
    "format": "conform-cases/1",
    "cases": [{"kind": "dialogue", "clause": "eye", "title": "t", "lines": []}],
}
SGF = b"(;FF[4]GM[1]SZ[9]KM[7.5]PB[a]PW[b]RE[B+2.5]C[x\\]y];B[ee];W[dd]C[nodes 5];B[];W[tt](;B[aa])(;W[bb]))"


def openings(game: SgfGame | SgfError) -> None:
    """The position of a game that is read; refused or played."""
    if not isinstance(game, SgfError):
        with contextlib.suppress(SgfError):
            play_record(game)


COLLECTION = (
    b"mail (x)\n(;GM[1]CA[Shift_JIS]SZ[9:9]PB[\x83\x5c]PW[\x83\x5d\x83\x62]KM[6,5]"
    b";AB[aa:bb][cc]AE[aa]PL[W];W[ee]"
    b";Black[tt](;W[gc])(;W[cg]))\n(;SiZe[19]AddBlack[dp]HA[2]C[\xe9\\]x];W[pp])(SZ[5];B[zz]"
)

PLACES: dict[str, tuple[int, bytes, Read]] = {
    "answer": (4_000, b"=12 E5\nline two\n\n", answer),
    "number": (2_000, b"=12 112345\n\n", answer),
    "stderr": (2_000, b"playout 12 of 1000\nresult [B+3.5]\n", shown),
    "sgf": (400, SGF, of_bytes(SgfError, read_sgf)),
    "sgf collection": (800, COLLECTION, lambda data: list(read_games(data))),
    "sgf openings": (200, COLLECTION, lambda data: list(map(openings, read_sgf_games(data, 2)))),
    "cron": (800, b"*/5 2-4,7 1 jan-mar mon", of_text(ValueError, parse_cron)),
    "duration": (400, b"1.5h", of_text(GtpError, parse_duration)),
    "known failures": (100, b"ref.eye.*  # why\ngtp.frame.id-echo\n", of_text(UnknownCheckError, read_known)),
    "cases": (100, json.dumps(CASES).encode(), of_text(CasesError, read_cases)),
    "report": (
        100,
        json.dumps(REPORT).encode(),
        of_text(ReportError, lambda text: read_report(text, "file")),
    ),
    "check status": (100, STATUS, of_bytes(ReportError, lambda data: parse_check_status(data, "file"))),
    "run status": (100, STATUS, of_bytes(ReportError, parse_run_status)),
}
"""For each place: the number of cases in a run of the tests, a right text, and the reader."""


@pytest.mark.parametrize("place", PLACES)
def test_any_text_is_read_or_refused(place: str, cases: Cases) -> None:
    few, right, read = PLACES[place]
    for seed in cases(few):
        data = mutated(right, random.Random(f"{place}/{seed}"))
        try:
            read(data)
        except Exception as error:
            error.add_note(f"{place}, seed {seed}: {data[:200]!r}")
            raise


HISTORY = 'time,run,bot,version,games\n2026-11-24T00:00:00,20261124T000000Z,a,1.0,6\n2026-11-25,r,b,"x,y",7\n'
STATE = {"format": "conform-schedule/1", "handled": "2026-11-24T00:00:00+00:00", "run": "x", "at": "y"}
RECORD = {
    "format": "conform-scheduled-run/1", "run": "20261124T000000Z", "due": None, "tries": 0, "number": 1,
    "began": "2026-11-24T00:00:00+00:00", "ended": "2026-11-24T00:01:00+00:00", "given_up": None,
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "right", "read"),
    [
        ("history.csv", HISTORY, read_history),
        ("schedule.json", json.dumps(STATE), read_state),
        ("20261124T000000Z/scheduled.json", json.dumps(RECORD), scheduled_runs),
    ],
)
def test_any_file_beside_the_runs_is_read_or_refused(
    name: str, right: str, read: Callable[[Path], Any], tmp_path: Path, cases: Cases
) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    reader = of_bytes(StateFileError, lambda _: read(tmp_path))
    for seed in cases(40):
        data = mutated(right.encode(), random.Random(f"{name}/{seed}"))
        (tmp_path / name).write_bytes(data)
        try:
            reader(data)
        except Exception as error:
            error.add_note(f"{name}, seed {seed}: {data[:200]!r}")
            raise
