"""The page of a comparison."""

from dataclasses import replace

from harness.compare.agreement import Comparison, SearchedBot, judge
from harness.report.html.compare_page import compare_page
from tests.harness.report.html.page_helpers import Page, found


def comparison() -> Comparison:
    """Two bots that are the same, one that is not, one that could not be run."""
    searched = []
    for fault in ("", "", "eye-edge-as-centre"):
        one = found(fault)
        series = {item.probe.id: item for item in one.series}
        searched.append(SearchedBot(one.command, one.name, one.version, one.count, series, {}))
    gone = SearchedBot("./gone <b>", reason="it ended at once\x1b[2J")
    return judge([*searched, gone], seconds=3.0)


def test_the_page_says_who_differs_and_what_tells_them_apart() -> None:
    made = comparison()
    page = Page(compare_page(made, 1, "2026-11-22T08:00:00+00:00"))
    assert "4 bots compared ✗ differ" in page.text
    assert "Bot 1 and bot 3 differ" in page.text
    assert "Bot 1 and bot 2 differ" not in page.text
    links = {a["href"] for tag, a in page.elements if tag == "a" and (a["href"] or "").startswith("#bots-")}
    assert links == {f"#{a['id']}" for tag, a in page.elements if tag == "details"}
    assert links == {"#bots-1-3", "#bots-2-3"}
    different = next(pair for pair in made.pairs if (pair.first, pair.second) == (0, 2)).different
    assert different
    for test in different[:5]:
        assert test.probe in page.text


def test_a_bot_that_could_not_be_compared_does_nothing_to_the_page() -> None:
    made = comparison()
    text = compare_page(made, 1, "now")
    assert "Not compared: it ended at once\\x1b[2J" in text
    assert "./gone &lt;b&gt;" in text
    harmless = replace(made, bots=(*made.bots[:3], SearchedBot("gone", reason="it ended")))
    tags = [tag for tag, _ in Page(text).elements]
    assert tags == [tag for tag, _ in Page(compare_page(harmless, 1, "now")).elements]
