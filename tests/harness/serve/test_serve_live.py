"""`conform serve` in a process of its own: what it answers, what it refuses, and what it survives."""

import errno
import http.client
import shutil
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.report.status.run import FILE
from harness.serve.hosts import is_allowed, is_loopback
from tests.command_line import conform
from tests.harness.arena.match_helpers import count
from tests.harness.serve.serve_helpers import (
    HOSTILE,
    Served,
    hostile_run,
    playing,
    serving,
    stored,
    until,
)
from tests.parameters import slow_but

pytest.importorskip("starlette", reason="the extra serve is not installed")
pytest.importorskip("uvicorn", reason="the extra serve is not installed")


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    folder = tmp_path / "runs"
    stored(folder / "first")
    return folder


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server for the tests that change nothing."""
    folder = tmp_path_factory.mktemp("shared")
    stored(folder / "first")
    with serving(folder) as served:
        yield served


def content(folder: Path) -> dict[str, bytes]:
    """All files but those that SQLite makes beside a database while it is read."""
    files = (path for path in folder.rglob("*") if path.is_file() and "run.db-" not in path.name)
    return {str(path): path.read_bytes() for path in files}


def test_pages_and_streams_have_every_header_and_nothing_can_be_changed(shared: Served) -> None:
    served, runs = shared, shared.folder
    before = content(runs)
    for address in ("", served.address_of("first"), served.address_of("first") + "report", "nothing"):
        answer = served.get(address)
        policy = answer.headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'")
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert answer.headers["Cache-Control"] == "no-store"
        assert "Access-Control-Allow-Origin" not in answer.headers
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        assert served.get("", method=method).status == 405
    assert content(runs) == before


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8008", "", "127.0.0.1.evil.example", "[::1].evil", "["]
)
def test_other_names_are_refused(shared: Served, host: str) -> None:
    assert shared.get("", Host=host).status == 421
    assert shared.get(shared.address_of("first") + "events", Host=host).status == 421


@pytest.mark.parametrize(
    "host", ["127.0.0.1:80", "localhost:8008", "LOCALHOST.", "[::1]:9", "192.168.1.5", "[::1]"]
)
def test_own_names_are_answered(host: str) -> None:
    assert is_allowed(host, "127.0.0.1")
    assert not is_allowed("evil.example", "0.0.0.0")
    assert is_allowed("bots.example:80", "bots.example")


def test_only_addresses_of_this_machine_are_loopback() -> None:
    assert all(map(is_loopback, ("127.0.0.1", "127.8.8.8", "::1", "localhost")))
    assert not any(map(is_loopback, ("0.0.0.0", "::", "10.0.0.1", "bots.example", "")))


@pytest.mark.parametrize(
    "path",
    [
        "match/../../../etc/passwd/",
        "match/%2e%2e%2f%2e%2e/",
        "match/00000000/",
        "report/",
        "//x",
        "%00",
    ],
)
def test_no_path_leads_out_of_what_was_found(shared: Served, path: str) -> None:
    answer = shared.get(path)
    assert answer.status == 404
    assert b"root:" not in answer.body


def test_the_stream_brings_the_whole_page_then_only_what_changed(runs: Path) -> None:
    with serving(runs) as served:
        with served.stream(served.address_of("first") + "events") as events:
            whole = next(events)
            assert {"head", "progress", "standings", "parity", "games"} <= set(whole["sections"])
            assert "12 of 12 games" in whole["sections"]["progress"]
            hostile_run(runs / "first")
            changed = next(events)
        assert "parity" in changed["sections"]
        assert "events" not in changed["sections"]
        assert changed["sections"].keys() < whole["sections"].keys()


def test_names_of_others_are_escaped_everywhere(runs: Path) -> None:
    hostile_run(runs / "first")
    with serving(runs) as served:
        for address in ("", served.address_of("first")):
            body = served.get(address).body
            assert b"<script>alert" not in body
            assert b"&lt;script&gt;alert" in body
            assert b"\x1b" not in body
            assert HOSTILE[HOSTILE.index("\u202e")].encode() not in body


def test_a_run_that_is_deleted_under_a_viewer_is_gone_and_the_server_stays(runs: Path) -> None:
    with serving(runs) as served:
        address = served.address_of("first")
        with served.stream(address + "events") as events:
            next(events)
            shutil.rmtree(runs / "first")
            # A look in the middle of the deletion may see a half of the files first.
            assert any(event == {"event": "gone"} for event in events)
        assert served.get(address).status == 404
        assert b"Nothing has run here yet" in served.get("").body
        stored(runs / "second")
        assert served.eventually("", b"second")


@pytest.mark.parametrize(
    "text", slow_but((b"", b"{"), [b"", b"{", b"\x00" * 100, b'{"format":"conform-status/1","kind":"match"}'])
)
def test_half_written_and_damaged_files_cost_a_sentence(runs: Path, text: bytes) -> None:
    (runs / "half").mkdir()
    (runs / "half" / FILE).write_bytes(text)
    (runs / "first" / FILE).write_bytes(text)
    (runs / "worse").mkdir()
    (runs / "worse" / "run.db").write_bytes(text)
    (runs / "check.json").write_bytes(b'{"format": "conform-check/1", ' + text)
    with serving(runs) as served:
        body = served.get("").body
        assert body.count(b"unreadable") == 3
        for name in ("half", "worse", "check.json"):
            assert served.get(served.address_of(name)).status in (200, 503)
        page = served.get(served.address_of("first")).body
        assert b"is damaged" in page
        assert b"12 of 12 games" in page


@pytest.mark.slow  # with a browser it is seen in every run of the tests
def test_a_running_match_moves_and_its_end_is_seen(tmp_path: Path) -> None:
    with serving(tmp_path) as served, playing(tmp_path / "slow") as match:
        assert served.eventually("", b"running</span>")
        with served.stream(served.address_of("slow") + "events") as events:
            boards, counts = [], []
            for change in events:
                boards += change.get("boards", [])
                counts.append(change["sections"].get("progress", ""))
                if len(set(filter(None, counts))) > 3 and boards:
                    match.send_signal(signal.SIGINT)
                if "stopped" in change["sections"].get("head", ""):
                    break
        games = count(tmp_path / "slow")
        assert {board["size"] for board in boards} == {5}
        assert served.eventually(served.address_of("slow"), f"{games} of 1,000 games".encode())
        assert served.get(served.address_of("slow") + "report").body.count(b'"p001-g0') == games


def test_viewers_that_leave_are_forgotten(shared: Served) -> None:
    for _ in range(30):
        with shared.stream(shared.address_of("first") + "events") as events:
            next(events)
    assert shared.get("").status == 200
    until(lambda: len(shared.process.net_connections()) <= 3 or None)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_server_and_the_stream_of_a_viewer(runs: Path, number: signal.Signals) -> None:
    with serving(runs) as served:
        connection = http.client.HTTPConnection("127.0.0.1", served.port)
        connection.request("GET", "/events")
        stream = connection.getresponse()
        stream.readline()
        served.process.send_signal(number)
        stream.read()  # to its proper end: http.client raises IncompleteRead for a stream that is cut off
        served.process.wait()
        connection.close()
    assert served.errors == ""


def test_a_port_that_is_taken_is_one_line(shared: Served) -> None:
    ended = conform("serve", shared.folder, "--port", shared.port)
    assert ended.returncode == 2
    assert "choose another --port" in ended.stderr
    assert ended.stderr.count("\n") == 1


def test_an_address_of_another_machine_is_not_blamed_on_the_port(shared: Served) -> None:
    ended = conform("serve", shared.folder, "--address", "192.0.2.1", "--port", 0)
    assert ended.returncode == 2
    assert "127.0.0.1 is always an address of this machine" in ended.stderr
    assert "--port" not in ended.stderr


def test_an_address_that_no_host_name_can_be_is_one_line(shared: Served) -> None:
    for address in ("a..b", "a" * 64):
        ended = conform("serve", shared.folder, "--address", address, "--port", 0)
        assert ended.returncode == 2
        assert f"{address} is no address and no known name" in ended.stderr


def test_an_address_of_another_protocol_is_not_called_unknown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Linux without IPv6 gives this error for ::1, which is an address."""
    from harness.serve.server import CannotListenError, serve

    def refuse(*_: object) -> None:
        raise OSError(errno.EAFNOSUPPORT, "Address family not supported by protocol")

    monkeypatch.setattr(socket, "socket", refuse)
    with pytest.raises(CannotListenError, match=r"^cannot listen on ::1: address family not supported"):
        serve(tmp_path, "::1", 0, print)


def test_another_address_is_served_with_a_warning(runs: Path) -> None:
    with serving(runs, "--address", "0.0.0.0") as served:
        assert served.get("").status == 200
    assert "everybody who reaches 0.0.0.0 can read" in served.errors


def test_without_the_extra_one_line_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.startswith(("harness.serve.", "starlette."))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "starlette", None)
    ended = conform("serve", tmp_path)
    assert ended.returncode == 2
    assert "pip install starlette uvicorn" in " ".join(ended.stderr.split())
    assert ended.stderr.count("\n") == 1
