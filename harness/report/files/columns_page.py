"""Updates the list of CSV columns in `docs/formats.md` from their definitions.

python -m harness.report.files.columns_page > docs/formats.md.new
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from harness.files import read_file
from harness.report.files.csv_columns import FILES, CsvFile

PAGE = Path("docs/formats.md")
BEGIN = "<!-- Written by `make docs` from the columns of the CSV files; do not edit up to the end mark. -->"
END = "<!-- End of the columns. -->"
"""The marks around the part of the page that is written from the code."""


def page(text: str) -> str:
    """The text of the page, with the part between BEGIN and END written anew."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    tables = "\n\n".join("\n".join(_table(file)) for file in FILES)
    return f"{before}{BEGIN}\n\n{tables}\n\n{END}{after}"


def _table(file: CsvFile) -> Iterable[str]:
    yield from (f"### {file.name}", "", "| column | unit | meaning |", "|---|---|---|")
    for column in file.columns:
        yield f"| `{column.name}` | {column.unit} | {column.meaning} |"


if __name__ == "__main__":
    sys.stdout.write(page(read_file(PAGE).decode()))
