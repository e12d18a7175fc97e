"""Hooks: what a command and a webhook get, when they are called, and that their failures harm no run."""

import json
import shlex
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from harness.arena.config.reader import ConfigError, parse_config
from harness.arena.config.tables import MatchConfig
from harness.arena.folder.errors import RunError
from harness.arena.run.stop import Stop
from harness.arena.store.errors import StoreError
from harness.schedule import Clock, Job, Log
from harness.schedule.hooks import Hooks
from harness.schedule.state import overview
from tests.harness.schedule.scheduler_helpers import Lines, Setting, make_config

TWO = '[[engine]]\nname = "a"\ncommand = "x"\n[[engine]]\nname = "b"\ncommand = "y"\n'
NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)


def append_to(path: Path) -> str:
    """A command that appends its input to a file."""
    script = f"import sys; open({str(path)!r}, 'a').write(sys.stdin.read())"
    return shlex.join([sys.executable, "-S", "-c", script])


def with_hooks(config: MatchConfig, **hooks: str) -> MatchConfig:
    assert config.schedule is not None
    return config.model_copy(update={"schedule": config.schedule.model_copy(update=hooks)})


@contextmanager
def webhook(status: int, got: list[tuple[str, str]]) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            got.append((self.path, self.rfile.read(int(self.headers["Content-Length"])).decode()))
            self.send_response(status)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # its name there
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/hook?a=b"
        finally:
            server.shutdown()
            thread.join()


def test_a_command_gets_a_line_of_json(tmp_path: Path) -> None:
    log, out = Lines(), tmp_path / "out"
    config = with_hooks(make_config(), on_missed=append_to(out))
    hooks = Hooks("nightly", tmp_path, config.schedule, log)
    hooks.call("missed", NOON, "3 times \x1b[2J missed")
    hooks.call("change", NOON, "nobody listens")
    (line,) = out.read_text().splitlines()
    assert json.loads(line) == {
        "format": "conform-event/1",
        "event": "missed",
        "config": "nightly",
        "run": None,
        "folder": str(tmp_path),
        "time": "2026-01-05T12:00:00+00:00",
        "text": "3 times \\x1b[2J missed",
        "changes": [],
    }
    assert log.lines == []


def test_a_webhook_gets_the_same_line(tmp_path: Path) -> None:
    log = Lines()
    got: list[tuple[str, str]] = []
    for status in (204, 500):
        with webhook(status, got) as address:
            table = with_hooks(make_config(), on_change=address).schedule
            Hooks("nightly", tmp_path, table, log).call("change", NOON, "a: version 1 → 2", "RUN")
    assert [path for path, _ in got] == ["/hook?a=b"] * 2
    assert json.loads(got[0][1])["run"] == "RUN"
    assert log.lines == [f"nightly: on_change ({address}): the webhook answered with status 500"]


def test_a_webhook_that_never_comes_to_an_end_is_given_up(tmp_path: Path) -> None:
    """Each read of its answer brings a byte, so that no read is late."""
    log = Lines()
    with socket.create_server(("127.0.0.1", 0)) as server:

        def trickle() -> None:
            connection, _ = server.accept()
            with connection, suppress(OSError):
                connection.sendall(b"HTTP/1.0 ")
                while True:
                    connection.sendall(b"x")
                    time.sleep(0.05)

        threading.Thread(target=trickle, daemon=True).start()
        address = f"http://127.0.0.1:{server.getsockname()[1]}/"
        table = with_hooks(make_config(), on_missed=address).schedule
        Hooks("nightly", tmp_path, table, log, webhook_seconds=0.5).call("missed", NOON, "x")
    (line,) = log.lines
    assert f"on_missed ({address}): the webhook does not answer" in line


@pytest.mark.parametrize(
    ("command", "problem"),
    [("no-such-program", "cannot be started: no such file"), ("sh -c 'exit 3'", "ended with exit code 3")],
)
def test_a_hook_that_fails_is_logged(tmp_path: Path, command: str, problem: str) -> None:
    log = Lines()
    Hooks("n", tmp_path, with_hooks(make_config(), on_failure=command).schedule, log).call(
        "failure", NOON, "x"
    )
    assert len(log.lines) == 1
    assert f"on_failure ({command}): {problem}" in log.lines[0]


def test_a_command_that_is_not_there_is_reported_at_the_start(tmp_path: Path) -> None:
    config = with_hooks(make_config(), on_failure="no-such-program -x", on_change="sh -c true")
    log = Lines()
    Job(config, tmp_path, Clock(), Stop(), log).load()
    remedy = "correct the command, or install the program"
    problem = f"on_failure (no-such-program -x): no such program; {remedy}"
    assert log.lines == [f"{config.run.name}: {problem}"]
    assert f"  hook  {problem}" in list(overview(config, tmp_path, 1))
    webhook = with_hooks(make_config(), on_failure="http://127.0.0.1:1/", on_change="sh -c true")
    assert not [line for line in overview(webhook, tmp_path, 1) if "hook" in line]


def test_a_hook_whose_blanks_cut_its_path_is_reported(tmp_path: Path) -> None:
    (tmp_path / "my hooks").mkdir()
    (tmp_path / "my hooks/mail").write_text("")
    log = Lines()
    hook = f"{tmp_path}/my hooks/mail"
    Job(with_hooks(make_config(), on_failure=hook), tmp_path, Clock(), Stop(), log).load()
    assert len(log.lines) == 1
    assert f"no such program; a path with a blank needs quotes of its own: \"'{hook}'\"" in log.lines[0]


def test_a_failure_and_a_missed_time_of_the_scheduler_reach_their_hooks(tmp_path: Path) -> None:
    out = tmp_path / "out"
    setting = Setting(tmp_path / "reports")
    config = with_hooks(make_config(), on_failure=append_to(out), on_missed=append_to(out))

    def fail(config: MatchConfig) -> None:
        raise StoreError(tmp_path, "is damaged")

    setting.fails = fail
    setting.keep_running(config, until=NOON.replace(hour=13, minute=30))
    setting.fails = lambda config: None
    setting.clock.time = NOON.replace(hour=17, minute=30)
    setting.keep_running(config, until=NOON.replace(hour=17, minute=50))
    events = [json.loads(line) for line in out.read_text().splitlines()]
    assert [event["event"] for event in events] == ["failure", "missed"]
    assert "is damaged" in events[0]["text"]
    assert events[1]["text"].startswith("4 times missed since 2026-01-05 14:00")


@pytest.mark.parametrize("misfire", ["run", "skip"])
def test_a_start_by_a_timer_reports_the_times_that_passed_before_it(tmp_path: Path, misfire: str) -> None:
    out = tmp_path / "out"
    setting = Setting(tmp_path / "reports")
    config = with_hooks(make_config(misfire=misfire), on_missed=append_to(out))
    for hour, second in ((13, 1), (14, 1), (18, 1), (19, 30)):
        setting.clock.time = NOON.replace(hour=hour, second=second)
        setting.once(config)
    (event,) = map(json.loads, out.read_text().splitlines())
    assert (event["event"], event["text"]) == ("missed", "3 times missed since 2026-01-05 15:00 UTC")
    assert len(setting.times()) == 4  # each start plays a run


@pytest.mark.parametrize(
    "hook",
    [
        "http://example.org/x",
        "https://127.0.0.1/x",
        "file:///etc/passwd",
        "http://127.0.0.1.example.org/",
        "http://127.0.0.1:8000/h\u00fcte",
        "http://127.0.0.1:8000/a b",
        "http://127.0.0.1:8000/a\n",
        "http://127.0.0.1:0/",
        "a\0 b",
        "a 'b",
        " ",
    ],
)
def test_a_hook_that_is_no_command_and_not_on_this_machine_is_refused(hook: str) -> None:
    text = f'{TWO}[schedule]\ncron = "@daily"\non_change = {json.dumps(hook)}\n'
    with pytest.raises(ConfigError, match=r"\[schedule\] on_change"):
        parse_config(text, "my.toml")


def test_a_command_may_have_an_address_among_its_arguments(tmp_path: Path) -> None:
    out, log = tmp_path / "out", Lines()
    hook = f"{append_to(out)} https://example.org/x"
    text = f'{TWO}[schedule]\ncron = "@daily"\non_failure = {json.dumps(hook)}\n'
    table = parse_config(text, "my.toml").schedule
    hooks = Hooks("nightly", tmp_path, table, log)
    hooks.check()
    hooks.call("failure", NOON, "x")
    assert json.loads(out.read_text())["event"] == "failure"
    assert log.lines == []


def test_a_refused_address_is_shown_as_it_must_be_written() -> None:
    text = f'{TWO}[schedule]\ncron = "@daily"\non_change = "http://127.0.0.1:8000/h\u00fcte?a=%20b"\n'
    with pytest.raises(ConfigError, match=r"http://127\.0\.0\.1:8000/h%C3%BCte\?a=%20b"):
        parse_config(text, "my.toml")


@pytest.mark.parametrize("hook", ["http://127.0.0.1:9/h\u00fcte", "sh\0 -c true"])
def test_a_hook_that_raises_ends_no_schedule(tmp_path: Path, hook: str) -> None:
    """These hooks never pass the reader of configs: they stand for a mistake of the scheduler itself."""
    setting = Setting(tmp_path)
    broken = with_hooks(make_config("broken"), on_failure=hook)

    def fail(config: MatchConfig) -> None:
        if config.run.name == "broken":
            raise StoreError(tmp_path, "is damaged")

    setting.fails = fail
    setting.keep_running(broken, make_config("sound"), until=NOON.replace(hour=14, minute=30))
    assert setting.times("sound") == ["05 13:00", "05 14:00"]
    assert setting.log.count("broken: on_failure") >= 1


def test_a_line_of_the_log_may_hold_any_text(capfd: pytest.CaptureFixture[str]) -> None:
    Log(quiet=True).important("a", "half a character \ud800, a byte \udcff")
    assert "half a character \\ud800" in capfd.readouterr().err


def test_a_folder_that_cannot_be_written_at_the_start_is_reported(tmp_path: Path) -> None:
    reports, out = tmp_path / "reports", tmp_path / "out"
    reports.mkdir()
    (reports / "nightly").write_text("")
    config = with_hooks(make_config(), on_failure=append_to(out))
    with pytest.raises(RunError, match="cannot be written"):
        Job(config, reports, Clock(), Stop(), Lines()).load()
    (line,) = out.read_text().splitlines()
    assert "cannot be written" in json.loads(line)["text"]
