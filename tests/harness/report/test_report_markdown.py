"""The Markdown summary, read by a library."""

from __future__ import annotations

from dataclasses import replace

from markdown_it import MarkdownIt
from markdown_it.token import Token

from harness.check.model import Outcome
from harness.report.ci.markdown import MOST_ROWS, as_markdown
from tests.harness.report.html.page_helpers import Page, found, report_of

FAULT = "eye-edge-as-centre"


def tokens(text: str) -> list[Token]:
    """The blocks of the document, tables among them."""
    return MarkdownIt("commonmark").enable("table").parse(text)


def rendered(text: str) -> str:
    return str(MarkdownIt("commonmark").enable("table").render(text))


def test_verdict_cause_and_a_row_for_each_failure() -> None:
    wrong = found(FAULT)
    text = as_markdown(report_of(wrong))
    html = rendered(text)
    assert html.startswith(f"<h3>✗ deviates: <code>{wrong.command}</code>")
    assert "<strong>Start here, probable fault:</strong>" in html
    failing = [result for result in wrong.results if result.refuses]
    rows = [token for token in tokens(text) if token.type == "tr_open"]
    assert len(rows) == 1 + len(failing)
    for result in failing:
        assert f"<td><code>{result.check.id}</code></td>" in html


def test_a_bot_that_conforms_has_no_table() -> None:
    right = found("")
    passing = tuple(replace(r, judgement=r.judgement.with_outcome(Outcome.PASS)) for r in right.results)
    html = rendered(as_markdown(report_of(replace(right, results=passing))))
    assert html.startswith("<h3>✓ conforms")
    assert "<table>" not in html


def test_several_bots_follow_each_other_and_a_reason_stands_for_a_bot_that_cannot_be_run() -> None:
    unusable = replace(found(""), unusable="no such program", results=(), series=())
    html = rendered(as_markdown(report_of(found(FAULT), unusable)))
    assert html.count("<h3>") == 2
    assert "<code>no such program</code>" in html
    assert "<code></code>" not in html  # there is no hint


def test_a_long_table_is_cut() -> None:
    wrong = found(FAULT)
    many = tuple(result for result in wrong.results if result.refuses) * 40
    text = as_markdown(report_of(replace(wrong, results=many)))
    assert sum(token.type == "tr_open" for token in tokens(text)) == 1 + MOST_ROWS
    assert f"{len(many) - MOST_ROWS} more failures: " in text
    one_more = replace(wrong, results=many[: MOST_ROWS + 1])
    assert "\n1 more failure: " in as_markdown(report_of(one_more))


def test_elements_are_those_of_the_report_alone() -> None:
    tags = {tag for tag, _ in Page(rendered(as_markdown(report_of(found(FAULT))))).elements}
    assert tags <= {
        "h3",
        "p",
        "strong",
        "code",
        "br",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "ul",
        "li",
    }
