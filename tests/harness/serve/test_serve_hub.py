"""The reader that all viewers share keeps each of them up to date, whenever they come."""

from __future__ import annotations

import asyncio
from itertools import count
from pathlib import Path

import pytest

from harness.serve import hub as hubs
from harness.serve.channel import Content
from harness.serve.hub import OVERVIEW, Hub
from harness.serve.places import Finder
from tests.harness.match.match_helpers import PATIENCE
from tests.harness.serve.serve_helpers import stored

PAUSE = 0.04


@pytest.mark.parametrize("after", [share * PAUSE / 2 for share in range(10)])
def test_a_viewer_who_comes_while_the_reader_falls_asleep_is_served(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: float
) -> None:
    """The moments go from the first look in vain to well after the last one."""
    monkeypatch.setattr(hubs, "PAUSE", PAUSE)
    looks = count()

    async def visit() -> None:
        hub = Hub(tmp_path)
        monkeypatch.setattr(hub, "_overview", lambda: Content("", {"look": str(next(looks))}))
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
