"""The reader that all viewers share keeps each of them up to date, whenever they come."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from harness.files import timestamp
from harness.report.records.check import as_json
from harness.report.status.check import SUFFIX
from harness.serve.channel import Content
from harness.serve.hub import OVERVIEW, Hub
from harness.serve.places import Finder, Kind, Place
from harness.serve.reading import Reader
from tests.harness.arena.match_helpers import PATIENCE
from tests.harness.report.html.page_helpers import found, report_of
from tests.harness.serve.serve_helpers import check_in_play, stored

PAUSE = 0.04


class CountingHub(Hub):
    """A hub whose overview says how often it was made, and that fails to make it at some times."""

    failing: Collection[int] = ()

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.looks = count()

    def _overview(self) -> Content:
        look = next(self.looks)
        if look in self.failing:
            raise RuntimeError("<the disk is on fire>")
        return Content("", {"head": str(look), "problem": ""})


@pytest.mark.parametrize("after", [share * PAUSE / 2 for share in range(10)])
def test_a_viewer_who_comes_while_the_reader_falls_asleep_is_served(tmp_path: Path, after: float) -> None:
    """The moments go from the first look in vain to well after the last one."""

    async def visit() -> None:
        hub = CountingHub(tmp_path, pause=PAUSE)
        await hub.channel(OVERVIEW)  # a page without a stream: the reader looks, and nobody is there
        await asyncio.sleep(after)
        channel = await hub.channel(OVERVIEW)
        assert channel is not None
        async with asyncio.timeout(PATIENCE):
            seen = 0
            async for _ in channel.follow():
                seen += 1
                if seen == 4:
                    break
        hub.stop()

    asyncio.run(visit())


@pytest.mark.parametrize("of_run", [False, True], ids=["overview", "run"])
def test_viewers_who_come_at_once_follow_the_same_channel(tmp_path: Path, of_run: bool) -> None:
    """A second channel of the same page would be updated, and the first one would not."""
    stored(tmp_path / "run")

    async def visit() -> None:
        hub = Hub(tmp_path)
        key = next(iter(Finder(tmp_path).find())) if of_run else OVERVIEW
        channels = await asyncio.gather(*(hub.channel(key) for _ in range(20)))
        assert channels[0] is not None
        assert len(set(map(id, channels))) == 1
        hub.stop()

    asyncio.run(visit())


def test_an_error_is_reported_and_shown_and_the_streams_go_on(tmp_path: Path) -> None:
    reported: list[str] = []

    async def visit() -> list[str]:
        hub = CountingHub(tmp_path, reported.append, pause=PAUSE)
        hub.failing = (1, 2, 3)
        channel = await hub.channel(OVERVIEW)
        assert channel is not None
        seen: list[str] = []
        async with asyncio.timeout(PATIENCE):
            async for event in channel.follow():
                seen.append(event.decode())
                if len(seen) == 4:
                    break
        hub.stop()
        return seen

    _, whole, failing, working = asyncio.run(visit())
    assert '"head": "0"' in whole
    assert "&lt;the disk is on fire&gt;" in failing
    assert '"head": "4"' in working
    assert '"problem": ""' in working
    assert len(reported) == 1
    assert "<the disk is on fire>" in reported[0]


def test_unknown_addresses_are_looked_up_without_a_search_for_each(tmp_path: Path) -> None:
    stored(tmp_path / "run")
    searches = 0

    class Counted(Finder):
        def find(self) -> dict[str, Place]:
            nonlocal searches
            searches += 1
            return super().find()

    async def ask() -> None:
        hub = Hub(tmp_path, search_seconds=PATIENCE, finder=Counted(tmp_path))
        found = await asyncio.gather(*(hub.place(f"{number:016x}") for number in range(100)))
        assert found == [None] * 100
        (key,) = hub._places
        assert await hub.place(key) is not None

    asyncio.run(ask())
    assert searches == 1


def test_a_new_run_is_found_once_the_index_is_old_enough(tmp_path: Path) -> None:
    async def ask() -> None:
        hub = Hub(tmp_path, search_seconds=0.0)
        assert await hub.place("0" * 16) is None
        stored(tmp_path / "run")
        (key,) = Finder(tmp_path).find()
        async with asyncio.timeout(PATIENCE):
            while await hub.place(key) is None:
                await asyncio.sleep(0)

    asyncio.run(ask())


BESIDE = 0.2
"""Seconds in which another thread gets on if nothing holds it: a slow machine can only miss a fault."""


def test_the_report_that_a_page_links_is_found_although_the_index_is_older(tmp_path: Path) -> None:
    """A check ends between two searches of the folder."""
    report = tmp_path / "one.json"
    check_in_play(report, "./mybot")

    async def visit() -> None:
        hub = Hub(tmp_path, search_seconds=PATIENCE)
        (key,) = Finder(tmp_path).find()
        channel = await hub.channel(key)
        assert channel is not None
        report.with_name(report.name + SUFFIX).unlink()
        report.write_text(as_json(replace(report_of(found("")), started=timestamp())))
        place = next(one for one in Finder(tmp_path).find().values() if one.kind is Kind.REPORT)
        while place.key not in "".join(channel.content.sections.values() if channel.content else ()):
            await channel.update()  # a page is used again for a while
            await asyncio.sleep(0.01)
        assert await hub.place(place.key) == place
        hub.stop()

    asyncio.run(visit())


def test_two_threads_do_not_search_at_once(tmp_path: Path) -> None:
    inside: list[int] = []
    together: list[int] = []

    class Watched(Finder):
        def _places(self) -> Iterator[Place]:
            inside.append(1)
            together.append(len(inside))
            if not others:
                others.append(threading.Thread(target=self.find))
                others[0].start()
                others[0].join(BESIDE)
            yield from super()._places()
            inside.pop()

    others: list[threading.Thread] = []
    Watched(tmp_path).find()
    others[0].join()
    assert together == [1, 1]


def test_a_reader_forgets_while_another_thread_reads(tmp_path: Path) -> None:
    stored(tmp_path / "one")
    stored(tmp_path / "two")
    one, two = sorted(Finder(tmp_path).find().values(), key=lambda place: place.name)
    reader = Reader()
    reader.read(one)
    other = threading.Thread(target=reader.read, args=(two,))

    class Keys(set[str]):
        def __contains__(self, key: object) -> bool:
            if other.ident is None:
                other.start()
                other.join(5 * BESIDE)
            return True

    reader.forget_all_but(Keys())
    other.join()
    assert set(reader._known) == {one.key, two.key}
