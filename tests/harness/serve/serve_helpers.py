"""Runs for the tests of onlookers, and the live page in a process of its own."""

import http.client
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from shlex import quote
from typing import Any, TypeVar

import psutil

from harness.arena.store.store import Store
from harness.cli import main
from harness.files import timestamp
from harness.report.status.check import SUFFIX, BotProgress, CheckStatus, FailedCheck
from harness.report.status.record import as_text, this_process
from harness.report.status.run import FILE
from harness.report.status.stored import stored_status
from harness.serve.places import Finder
from tests.harness.arena.match_helpers import ENGINES, PATIENCE, PROGRAM
from tests.harness.report.html.run_helpers import random_moves, stored_run
from tests.interpreter import PYTHON

Found = TypeVar("Found")

THINK = 0.04
"""Seconds of a search: a game lasts more than a second, so that boards are seen while they are played."""

HOSTILE = "<script>alert(1)</script>\x1b[2J\u202e=cmd|'/C calc'!A0"


def stored(folder: Path, names: list[str] | None = None) -> None:
    """A run of twelve games without a status file; its last game failed."""
    moves = [random_moves(9, 30, seed) for seed in (1, 2)]
    stored_run(folder, names or ["one", "two", "three"], 4, moves).close()


def hostile_run(folder: Path) -> None:
    """Give a stored run a status whose names are hostile."""
    with Store.open(folder, read_only=True) as store:
        whole = stored_status(store)
    assert whole is not None
    bots = tuple(bot.model_copy(update={"bot": HOSTILE * n}) for n, bot in enumerate(whole.bots, 1))
    pairs = tuple(pair.model_copy(update={"bot_a": HOSTILE, "bot_b": HOSTILE * 4}) for pair in whole.pairs)
    changes = {"name": HOSTILE, "bots": bots, "pairs": pairs, "benched": {HOSTILE: HOSTILE}}
    (folder / FILE).write_text(whole.model_copy(update=changes).model_dump_json())


def start_match(run: Path, games: int = 200, name: str = "slow", workers: int = 2) -> subprocess.Popen[bytes]:
    """A match in a process of its own, in a session of its own."""
    bot = f"{PYTHON} {quote(str(ENGINES / 'pure_bot.py'))} --playouts 1 --think {THINK}"
    run.parent.mkdir(parents=True, exist_ok=True)
    config = run.parent / "match.toml"
    settings = f"[run]\nname = {name!r}\nsize = 5\ngames = {games}\nworkers = {workers}\n"
    engines = "".join(f"[[engine]]\nname = {bot_name!r}\ncommand = {bot!r}\n" for bot_name in ("one", "two"))
    config.write_text(settings + engines)
    return subprocess.Popen(
        [*PROGRAM, "match", str(config), "--out", str(run)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    )


@contextmanager
def playing(run: Path, games: int = 1000) -> Iterator[subprocess.Popen[bytes]]:
    """A match that is stopped at the end of the block, unless it has ended."""
    match = start_match(run, games)
    try:
        yield match
    finally:
        if match.poll() is None:
            os.killpg(match.pid, signal.SIGTERM)
        match.wait()


@contextmanager
def checking(report: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A check of a slow bot that takes minutes. It is stopped at the end of the block, if it still runs."""
    bot = f"{PYTHON} {quote(str(ENGINES / 'pure_bot.py'))} --playouts 5 --think {THINK}"
    check = subprocess.Popen(
        [*PROGRAM, "check", bot, "--playouts", "5", "--budget", "10m", "--json", str(report), "--quiet"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield check
    finally:
        if check.poll() is None:
            os.killpg(check.pid, signal.SIGTERM)
        check.wait()


def check_in_play(report: Path, command: str = "./bot gtp") -> None:
    """The status of a check that this process makes: of one bot it has found a failure, another one waits."""
    failed = FailedCheck(id="ref.eye.edge", title="On an edge, one enemy diagonal is enough.", outcome="fail")
    bots = (
        BotProgress(
            command=command,
            doing="searching",
            searches=1234,
            decided=97,
            total=259,
            seconds_left=75.0,
            failed=(failed,),
        ),
        BotProgress(command="./another"),
    )
    now = timestamp()
    status = CheckStatus(writer=this_process(), started=now, at=now, budget="standard", bots=bots)
    report.with_name(report.name + SUFFIX).write_text(as_text(status), "utf-8")


def until(condition: Callable[[], Found | None]) -> Found:
    """What the condition returns once it returns something."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if found := condition():
            return found
        time.sleep(0.05)
    raise AssertionError("it did not happen")


@dataclass(frozen=True)
class Answer:
    """What the server answered."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes


class Served:
    """A running `conform serve`."""

    def __init__(self, process: psutil.Process, folder: Path, port: int) -> None:
        self.process = process
        self.folder = folder
        self.port = port
        self.errors = ""

    @property
    def url(self) -> str:
        """The address of the overview."""
        return f"http://127.0.0.1:{self.port}/"

    def address_of(self, name: str) -> str:
        """The address of the page of a run or check, by its name below the folder."""
        (place,) = [place for place in Finder(self.folder).find().values() if place.name == name]
        return f"{place.kind}/{place.key}/"

    def get(self, path: str, method: str = "GET", **headers: str) -> Answer:
        """One request. `Host` may be given."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.putrequest(method, f"/{path}", skip_host="Host" in headers)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        response = connection.getresponse()
        answer = Answer(response.status, response.headers, response.read())
        connection.close()
        return answer

    def eventually(self, path: str, part: bytes) -> bool:
        """Wait until the page has this part."""
        return until(lambda: part in self.get(path).body or None)

    @contextmanager
    def stream(self, path: str) -> Iterator[Iterator[dict[str, Any]]]:
        """The events of a stream, each with its data; an event without data has its name."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request("GET", f"/{path}")
        response = connection.getresponse()
        assert response.headers["Content-Type"].startswith("text/event-stream")
        try:
            yield _events(response)
        finally:
            connection.close()
            response.close()


def _events(response: http.client.HTTPResponse) -> Iterator[dict[str, Any]]:
    name = ""
    for raw in response:
        field, _, value = raw.decode().rstrip("\n").partition(": ")
        if field == "event":
            name = value
        elif field == "data":
            yield json.loads(value) or {"event": name}


_forked = multiprocessing.get_context("forkserver")
_forked.set_forkserver_preload([__name__, "harness.cli.status", "harness.serve.server"])
"""A process that has loaded the live page, and starts each server as a copy of itself: a second less each."""


def _serve(words: list[str], out: Connection, err: Connection) -> None:
    """Run the command in the process of a server, with its output in pipes."""
    for pipe, number in ((out, 1), (err, 2)):
        os.dup2(pipe.fileno(), number)
        pipe.close()
    sys.argv[1:] = words
    main()


@contextmanager
def serving(folder: Path, *options: str) -> Iterator[Served]:
    """The live page of a folder, on a free port."""
    (reading, out), (complaining, err) = _forked.Pipe(duplex=False), _forked.Pipe(duplex=False)
    words = ["serve", str(folder), "--port", "0", *options]
    process = _forked.Process(target=_serve, args=(words, out, err), daemon=True)
    process.start()
    out.close()
    err.close()
    assert process.pid is not None
    with os.fdopen(os.dup(reading.fileno())) as output, os.fdopen(os.dup(complaining.fileno())) as errors:
        reading.close()
        complaining.close()
        line = output.readline()
        assert "http://" in line, errors.read()
        served = Served(psutil.Process(process.pid), folder, int(line.rpartition(":")[2].partition("/")[0]))
        try:
            yield served
        finally:
            process.terminate()
            process.join()
            served.errors = errors.read()
