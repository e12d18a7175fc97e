"""Saved cases: a file format for deviations that explorations found, and the checks that repeat them.

A file is JSON, format `conform-cases/1`: an object with `format` and a list `cases`. Each case has a `kind`
(dialogue or position), the `clause` and the `title` to report, and what its kind needs. An example:

    {"format": "conform-cases/1", "cases": [{"kind": "dialogue", "clause": "gtp", "title": "Saved case: …",
     "lines": ["boardsize 3", "clear_board", "…"], "tries": 1, "together": false}]}
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from harness.check.clauses import CLAUSES
from harness.check.model import Check, Judgement, Level, Procedure
from harness.check.procedures.probe import Probe
from harness.explore.dialogue_case import TRIES, DialogueCase
from harness.explore.position_case import MOST_SEARCHES, PositionCase
from harness.explore.positions import DrawnPosition
from harness.explore.positions import Kind as PositionKind
from harness.go import MAX_SIZE, Colour, Position

FORMAT = "conform-cases/1"
MOST_LINES = 5_000
"""Most lines of a saved session. Chosen: far more than any reduced session has."""

LONGEST_TITLE = 500
"""Most characters of a saved title. Chosen: a report shows it in a few lines."""


class CasesError(ValueError):
    """A file that is not a list of cases. The message gives the reason in one line."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Saved(_Strict):
    clause: str
    title: str = Field(min_length=1, max_length=LONGEST_TITLE)

    @field_validator("clause")
    @classmethod
    def _known(cls, clause: str) -> str:
        if clause not in CLAUSES:
            raise ValueError(f"{clause!r} is no clause of the specification")
        return clause


class SavedDialogue(_Saved):
    """A session whose last line gets a wrong answer. `DialogueCase` describes the fields."""

    kind: Literal["dialogue"] = "dialogue"
    lines: list[Annotated[str, Field(min_length=1, max_length=2_000)]] = Field(
        min_length=1, max_length=MOST_LINES
    )
    tries: int = Field(1, ge=1, le=2 * TRIES)
    together: bool = False

    @field_validator("lines")
    @classmethod
    def _bytes(cls, lines: list[str]) -> list[str]:
        if any(ord(char) > 255 for line in lines for char in line):
            raise ValueError("a line has a character that is no byte")
        return lines

    def procedure(self) -> Procedure:
        """Return the procedure that holds the session."""
        return DialogueCase(tuple(self.lines), self.tries, self.together)


class SavedPosition(_Saved):
    """A position whose searches are wrong, as a `PositionCase`: a board of stones, and the moves from it.

    of      the kind of the position, as it was generated
    board   the highest row first
    """

    kind: Literal["position"] = "position"
    of: PositionKind
    board: list[Annotated[str, Field(pattern=r"^[.XO]+$")]] = Field(min_length=1, max_length=MAX_SIZE)
    moves: list[Annotated[str, Field(pattern=r"^[bw] ([A-HJ-Z][0-9]{1,2}|pass)$")]] = Field(
        max_length=MOST_LINES
    )
    to_move: Literal["b", "w"]
    komi: float = Field(ge=-1e6, le=1e6)
    searches: int = Field(ge=1, le=10 * MOST_SEARCHES)
    cap_of_game: bool

    @field_validator("of", mode="before")
    @classmethod
    def _of(cls, of: object) -> object:
        try:
            return PositionKind(str(of))
        except ValueError:
            raise ValueError(f"{of!r} is no kind of position") from None

    @model_validator(mode="after")
    def _legal(self) -> SavedPosition:
        try:
            self.probe("saved").position  # noqa: B018 (played through once)
        except ValueError as error:
            raise ValueError(f"no game leads to the position: {error}") from None
        return self

    def probe(self, name: str) -> Probe:
        """Return the position as a probe with this name. Raises ValueError for illegal stones or moves."""
        tail: list[tuple[Colour, str]] = [("b" if m[0] == "b" else "w", m[2:]) for m in self.moves]
        board = "\n".join(" ".join(row) for row in self.board)
        return Probe(name, board, self.to_move, self.komi, tuple(tail), turns=False)

    def procedure(self) -> Procedure:
        """Return the procedure that searches the position."""
        drawn = DrawnPosition(self.of, self.probe(f"saved {self.title}"))
        return PositionCase(drawn, self.searches, self.cap_of_game)


SavedCase = SavedDialogue | SavedPosition


class _File(_Strict):
    format: Literal["conform-cases/1"]
    cases: list[Annotated[SavedCase, Field(discriminator="kind")]]


def saved_form(procedure: Procedure, judgement: Judgement) -> SavedCase:
    """Return the saved form of a case that failed with this judgement."""
    title = f"Saved case: {judgement.expected}"[:LONGEST_TITLE]
    if isinstance(procedure, DialogueCase):
        lines, tries, together = list(procedure.lines), procedure.tries, procedure.together
        return SavedDialogue(
            clause=judgement.clause, title=title, lines=lines, tries=tries, together=together
        )
    assert isinstance(procedure, PositionCase), "there is no other kind of case"
    probe = procedure.drawn.probe
    return SavedPosition(
        clause=judgement.clause,
        title=title,
        of=procedure.drawn.kind,
        board=_rows(probe.stones),
        moves=[f"{colour} {vertex}" for colour, vertex in probe.tail],
        to_move=probe.to_move,
        komi=probe.komi,
        searches=procedure.searches,
        cap_of_game=procedure.cap_of_game,
    )


def _rows(stones: Position) -> list[str]:
    """Return the board, highest row first, as diagrams are drawn."""
    text = "".join(".XO"[stone] for stone in stones.fingerprint)
    return [text[start : start + stones.size] for start in reversed(range(0, len(text), stones.size))]


def cases_text(cases: Iterable[SavedCase]) -> str:
    """Return the text of a file with these cases."""
    data = {"format": FORMAT, "cases": [case.model_dump(mode="json") for case in cases]}
    return json.dumps(data, indent=1, ensure_ascii=True) + "\n"


def read_cases(text: str) -> tuple[SavedCase, ...]:
    """Return the cases in a file. Raises CasesError."""
    try:
        return tuple(_File.model_validate_json(text).cases)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise CasesError(
            f"no list of cases ({FORMAT}): {place + ': ' if place else ''}{first['msg']}"
        ) from None


def as_checks(cases: Sequence[SavedCase]) -> tuple[Check, ...]:
    """Return a check for each case: `case.1`, `case.2` and so on."""
    return tuple(
        Check(
            id=f"case.{number}",
            clause=case.clause,
            level=Level.MUST,
            title=case.title,
            procedure=case.procedure(),
        )
        for number, case in enumerate(cases, start=1)
    )
