"""Line numbers of tables and keys in a TOML file."""

from __future__ import annotations

from harness.files.toml_tables import Lines


def test_only_a_line_feed_ends_a_line() -> None:
    """A comment may have signs that Python takes for the end of a line."""
    lines = Lines("# a\u2028b\u0085c\r\n[[engine]]\nname = 1\n", "engine")
    assert lines.find(("engine", 0, "name")) == 3
    assert lines.find(("engine", 0, "command")) == 2
    assert lines.find(("run",)) is None
