"""The warning about a question that was changed when results were already known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from harness.report.visible import one_line

LONGEST = 400
"""Characters of a change that a sentence shows. Chosen: room for two questions with all settings."""
MOST = 10
"""Changes that are shown, the first ones. Chosen: more than anybody makes; each takes a line or two."""


def question_sentences(changes: Sequence[str]) -> Iterator[str]:
    """Yield the sentences about the changes of a run's question, such as "after 8 games: elo1: 20 became 40".

    None if the question was never changed.
    """
    for change in changes[:MOST]:
        yield f"the question of this run was changed {one_line(change, LONGEST)}"
    if len(changes) > MOST:
        yield f"it was changed {len(changes):,} times; the events of the run have all changes"
    if changes:
        yield (
            "error probabilities hold for the question that a run begins with: to rely on a verdict on "
            "another question, ask it in a new run"
        )
