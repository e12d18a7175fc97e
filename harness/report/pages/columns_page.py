"""`docs/formats.md` with the columns of `games.csv` and `searches.csv`, written from the schema of the store.

python -m harness.report.pages.columns_page > docs/formats.md.new
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from harness.arena.store.schema import GAMES_CSV, SEARCHES_CSV, Column
from harness.files import read_file

PAGE = Path("docs/formats.md")
BEGIN = "<!-- Written by `make docs` from the schema of the store; do not edit up to the end mark. -->"
END = "<!-- End of the columns. -->"


def page(text: str) -> str:
    """The text of the page with its list of columns up to date."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    tables = "\n".join((*_table("games.csv", GAMES_CSV), "", *_table("searches.csv", SEARCHES_CSV)))
    return f"{before}{BEGIN}\n\n{tables}\n\n{END}{after}"


def _table(file: str, columns: Iterable[Column]) -> Iterable[str]:
    yield from (f"### {file}", "", "| column | unit | meaning |", "|---|---|---|")
    for column in columns:
        yield f"| `{column.csv}` | {column.unit} | {column.meaning} |"


if __name__ == "__main__":
    sys.stdout.write(page(read_file(PAGE).decode()))
