"""The difference between two checks of a bot, in its shortest form."""

from harness.report.text.difference import Difference


def test_the_shortest_form_is_one_line_with_every_number() -> None:
    line = Difference(("a", "b"), ("c",), ("d", "e", "f"), (), ("g",)).line("then")
    assert line.startswith("compared with then: ")
    assert "\n" not in line
    for part in ("new failures 2", "mended 1", "failing as before 3", "not judged now 1"):
        assert part in line
    assert "undecided" not in line


def test_two_checks_without_a_failure_have_a_line_too() -> None:
    assert "no failure that counts" in Difference((), (), (), (), ()).line("then")
