"""Writes the skeleton of a new check or a new fault where it belongs, and prints what is left to do.

    python -m harness.tools.skeleton check gtp.handicap.place-all
    python -m harness.tools.skeleton fault handicap-too-few gtp-handicap

The place is behind the last entry of its kind: a check of the same family, a fault of the same clause. The
entry says TODO where an author has to think, so that the tests of the registries fail until it is written.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import harness
import refbot
from harness.suite.registry import CHECKS
from refbot.deviations.faults import FAULTS

FAMILIES = Path(harness.__file__).parent / "suite" / "families"
DEVIATIONS = Path(refbot.__file__).parent / "deviations"

CHECK = """
{kind}("{id}", "TODO: a sentence of what a conforming engine does.",
{pad}{rest},
{pad}hint="TODO: what the author of a failing bot changes", kills="TODO"),"""

FAULT = """
{member} = {kind}(
    {clause}"TODO: what a bot with this fault does",
    "TODO: where it has been seen, or how it comes about"{rest}
)"""

AFTER_CHECK = """\
Then:
1. replace each TODO, and the procedure, which is that of the check before, as the clause is; a MUST becomes
   a SHOULD where the text of the clause is open
2. see it refuse its fault and accept the reference bot:
     .venv/bin/conform check ".venv/bin/refbot gtp --fault FAULT" --strict --only {id}
     .venv/bin/conform check ".venv/bin/refbot gtp" --only {id}
3. name in `tolerates` the harmless habits that look like the fault, and try one:
     .venv/bin/conform check ".venv/bin/refbot gtp --habit HABIT" --only {id}
4. make docs; a check of GTP is named in docs/gtp.md beside the sentence that it judges
5. .venv/bin/python -m pytest tests/harness/check/test_registry.py tests/test_docs_gtp.py \\
     tests/harness/report/test_report_checks_page.py"""

AFTER_FAULT = """\
Then:
1. replace each TODO, and write its branch: `if Faults.{member} in faults` where the right thing is done
2. show it in a test: a fault of the wire or of a command by an entry in DIALOGUES of
   tests/refbot/test_gtp_server_faults.py, one of the playouts beside its clause in tests/refbot
3. name it in `kills` of a check of {clause}; a new one: make new-check ID=...
4. see it refused, and its name come first (--strict: if only a SHOULD catches it):
     .venv/bin/conform check ".venv/bin/refbot gtp --fault {name}" --strict
5. record what it shows: .venv/bin/python -m harness.tools.record_signatures --new
6. .venv/bin/python -m pytest tests/refbot tests/harness/selftest -m "not slow" -k "fault"
   and a line in CHANGELOG.md"""


class NoPlaceError(ValueError):
    """There is no entry of the kind that is asked for. Its text says what there is."""


def write_check(name: str, families: Path = FAMILIES) -> Path:
    """Insert the skeleton of a check behind the last one of its family. Raises NoPlaceError.

    The family is the id up to its last dot. A check counts if a call with its id is an entry of a tuple.
    """
    if name in {check.id for check in CHECKS}:
        raise NoPlaceError(f"there is a check {name} already; choose another name")
    family = name.rpartition(".")[0]
    if not family:
        raise NoPlaceError(f"a check is named FAMILY.NAME, such as gtp.handicap.{name}")
    relatives = {check.id for check in CHECKS if check.id.rpartition(".")[0] == family}
    found = [
        (path, call)
        for path in sorted(families.glob("*.py"))
        for call in _entries(path)
        if _first_argument(call) in relatives
    ]
    if not found:
        if relatives:
            raise NoPlaceError(
                f"no check {family}.* is an entry of a tuple: add yours by hand, for example as a row of the "
                "table from which a function makes them"
            )
        known = sorted({check.id.rpartition(".")[0] for check in CHECKS})
        raise NoPlaceError(
            f"no check is named {family}.*; a new family is a module of harness/suite/families with CHECKS, "
            f"and a line in harness/suite/registry.py; the families are {', '.join(known)}"
        )
    path, last = max(found, key=lambda each: (each[0], each[1].lineno))
    kind = ast.unparse(last.func)
    pad = " " * (len(kind) + 1)
    source = path.read_text(encoding="utf-8")
    kept = [*last.args[2:], *(keyword for keyword in last.keywords if keyword.arg == "clause")]
    parts = (ast.get_source_segment(source, node) or "" for node in kept)
    rest = f",\n{pad}".join(part.replace("\n" + " " * last.col_offset, "\n") for part in parts)
    _insert_after(path, last, CHECK.format(id=name, kind=kind, rest=rest, pad=pad))
    return path


def write_fault(name: str, clause: str, deviations: Path = DEVIATIONS) -> Path:
    """Insert the skeleton of a fault behind the last one of its clause. Raises NoPlaceError."""
    if name in FAULTS:
        raise NoPlaceError(f"there is a fault {name} already; choose another name")
    of_clause = {_member(fault.name) for fault in FAULTS.values() if fault.clause == clause}
    found = [
        (path, entry)
        for path in sorted(deviations.glob("*faults.py"))
        for entry in ast.walk(_parse(path))
        if isinstance(entry, ast.Assign) and ast.unparse(entry.targets[0]) in of_clause
    ]
    if not found:
        clauses = sorted({fault.clause for fault in FAULTS.values()})
        raise NoPlaceError(
            f"no fault breaks {clause!r}; choose a clause with faults ({', '.join(clauses)}), or write the "
            f"first fault of {clause!r} by hand, as an entry in refbot/deviations/faults.py"
        )
    path, last = max(found, key=lambda each: (each[0], each[1].lineno))
    assert isinstance(last.value, ast.Call), "a fault is made by a call"
    # The positional arguments are the fields of `Fault`; a maker such as `_ko` already contains the clause.
    has_clause = ast.unparse(last.value.args[0]) == repr(clause)
    fields = last.value.args[1:] if has_clause else last.value.args
    text = FAULT.format(
        member=_member(name),
        kind=ast.unparse(last.value.func),
        clause=f'"{clause}",\n    ' if has_clause else "",
        rest="".join(f',\n    "{ast.literal_eval(where)}"' for where in fields[2:]),
    )
    _insert_after(path, last, text)
    return path


def _member(name: str) -> str:
    """The name of a fault in the registry."""
    return name.upper().replace("-", "_")


def _parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _entries(path: Path) -> Iterator[ast.Call]:
    """The calls that are entries of a tuple, such as CHECKS."""
    tuples = (node for node in ast.walk(_parse(path)) if isinstance(node, ast.Tuple))
    return (entry for node in tuples for entry in node.elts if isinstance(entry, ast.Call))


def _first_argument(call: ast.Call) -> str:
    """The first argument of a call if it is a text; else empty."""
    first = call.args[0] if call.args else None
    return first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else ""


def _insert_after(path: Path, entry: ast.stmt | ast.expr, text: str) -> None:
    """Insert text after the line on which an entry of a module ends, with the indentation of the entry."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    end, margin = entry.end_lineno or entry.lineno, " " * entry.col_offset
    lines.insert(end, margin + text.lstrip("\n").replace("\n", f"\n{margin}") + "\n")
    path.write_text("".join(lines), encoding="utf-8")


def main(words: list[str]) -> int:
    """Write the skeleton that the arguments name. Returns 2 if they are wrong or it has no place."""
    try:
        match words:
            case ["check", name]:
                path, left = write_check(name), AFTER_CHECK.format(id=name)
            case ["fault", name, clause]:
                path = write_fault(name, clause)
                left = AFTER_FAULT.format(name=name, clause=clause, member=_member(name))
            case _:
                raise NoPlaceError("write `check ID` or `fault NAME CLAUSE`")
    except NoPlaceError as problem:
        sys.stderr.write(f"skeleton: {problem}\n")
        return 2
    sys.stdout.write(f"The skeleton stands in {path}.\n{left}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
