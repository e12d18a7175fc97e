"""Times and names as pages show them."""

import pytest

from harness.report.visible import clock_text, elided, time_text


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("2026-11-22T08:00:01+00:00", "2026-11-22 08:00:01 UTC"),
        ("2026-11-22T00:30:01+01:00", "2026-11-21 23:30:01 UTC"),
        ("2026-11-22T08:00:01", "2026-11-22 08:00:01"),
        ("yesterday", "yesterday"),
        ("0001-01-01T00:00:00+14:00", "0001-01-01T00:00:00+14:00"),
        ("", ""),
    ],
)
def test_a_time_has_its_zone(written: str, shown: str) -> None:
    assert time_text(written) == shown


def test_the_time_of_the_day_is_in_the_same_zone() -> None:
    assert clock_text("2026-11-22T00:30:01+01:00") == "23:30:01"


def test_a_long_name_keeps_both_ends() -> None:
    name = "an-engine-with-a-long-name-build-00000012"
    short = elided(name, 24)
    assert len(short) == 24
    before, after = short.split("…")
    assert name.startswith(before)
    assert name.endswith(after)
    assert after.endswith("00000012")
    assert elided(name, len(name)) == name
    assert [elided(name, longest) for longest in (1, 2, 3)] == ["…", "a…", "a…2"]
    assert elided("a\x1b[2J", 24) == "a\\x1b[2J"
