"""The live page of a check: it moves, and its end differs from that of a killed process or a deleted file."""

from __future__ import annotations

import json
import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from harness.check.model import Outcome
from harness.report.numbers import duration_text
from harness.report.records.check import as_json
from harness.report.status.check import SUFFIX
from tests.harness.report.html.page_helpers import Page, found, report_of
from tests.harness.serve.serve_helpers import check_in_play, checking, serving

pytest.importorskip("starlette", reason="the extra serve is not installed")
pytest.importorskip("uvicorn", reason="the extra serve is not installed")

EARLIER = "2026-11-22T08:00:00+00:00"


@pytest.mark.slow  # test_serve_browser sees the same in a browser
def test_a_check_moves_and_its_page_leads_to_the_report_when_it_ends(tmp_path: Path) -> None:
    with serving(tmp_path) as served, checking(tmp_path / "slow.json") as check:
        assert served.eventually("", b"running</span>")
        address, interrupted = served.address_of("slow.json.live"), False
        seen: list[str] = []
        with served.stream(address + "events") as events:
            for change in events:
                seen.append(change["sections"].get("check", ""))
                moved = sum("checks decided" in part for part in seen)
                if moved >= 3 and not interrupted:
                    check.send_signal(signal.SIGINT)  # once: a second one ends it without a report
                    interrupted = True
                if "Open the report" in seen[-1]:
                    break
        assert len(set(seen)) == len(seen)
        assert check.wait() == 130
        bot = json.loads((tmp_path / "slow.json").read_text())["bots"][0]
        assert f"{bot['verdict']}:" in seen[-1]
        report = served.address_of("slow.json")
        assert f'href="../../{report}"' in seen[-1]
        assert b"<h2>Clauses</h2>" in served.get(report).body
        assert not (tmp_path / f"slow.json{SUFFIX}").exists()


def test_a_check_that_is_killed_is_broken_off(tmp_path: Path) -> None:
    with serving(tmp_path) as served, checking(tmp_path / "slow.json") as check:
        assert served.eventually("", b"running</span>")
        address = served.address_of("slow.json.live")
        os.killpg(check.pid, signal.SIGKILL)
        check.wait()
        assert served.eventually(address, b"Its process ended without a report.")
        assert b"broken off" in served.get("").body


@pytest.mark.parametrize("earlier", [False, True], ids=["no report", "the report of an earlier check"])
def test_a_check_without_a_report_of_its_own_is_gone(tmp_path: Path, earlier: bool) -> None:
    if earlier:
        (tmp_path / "one.json").write_text(as_json(report_of(found(""))))
        assert EARLIER in (tmp_path / "one.json").read_text()
    check_in_play(tmp_path / "one.json")
    with serving(tmp_path) as served:
        address = served.address_of("one.json.live")
        with served.stream(address + "events") as events:
            assert "97 of 259" in next(events)["sections"]["check"]
            (tmp_path / f"one.json{SUFFIX}").unlink()
            assert any(event == {"event": "gone"} for event in events)


def test_the_failures_of_a_check_in_play_are_listed_with_the_time_left(tmp_path: Path) -> None:
    check_in_play(tmp_path / "one.json")
    with serving(tmp_path) as served:
        body = served.get(served.address_of("one.json.live")).body
        overview = served.get("").body
    assert b"On an edge, one enemy diagonal is enough." in body
    left = duration_text(75.0)
    assert f"searching, 97 of 259 checks decided, 1,234 searches, about {left} left".encode() in body
    assert b"1 failed so far" in overview


def test_the_report_of_several_bots_folds_those_that_conform(tmp_path: Path) -> None:
    few = found("")
    passing = [replace(r, judgement=replace(r.judgement, outcome=Outcome.PASS)) for r in few.results]
    several = report_of(replace(few, results=tuple(passing)), found("eye-edge-as-centre"))
    (tmp_path / "one.json").write_text(as_json(several))
    with serving(tmp_path) as served:
        page = Page(served.get(served.address_of("one.json")).body.decode())
    assert ["open" in attributes for tag, attributes in page.elements if tag == "details"] == [False, True]
