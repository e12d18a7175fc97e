"""Saved cases: a file format for what explorations found, and the checks that hold them again.

A file is JSON, format `conform-cases/1`: an object with `format` and a list `cases`. Each case has a `kind`
(dialogue), the `clause` and the `title` to report, and what its kind needs.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from harness.checks.clauses import CLAUSES
from harness.checks.explore.dialogue_case import TRIES, DialogueCase
from harness.checks.model import Check, Judgement, Level, Procedure

FORMAT = "conform-cases/1"
MOST_LINES = 5_000


class CasesError(ValueError):
    """A file that is no list of cases; the message says what is wrong in one line."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Saved(_Strict):
    clause: str
    title: str = Field(min_length=1, max_length=500)

    @field_validator("clause")
    @classmethod
    def _known(cls, clause: str) -> str:
        if clause not in CLAUSES:
            raise ValueError(f"{clause!r} is no clause of the specification")
        return clause


class SavedDialogue(_Saved):
    """A session: its last line gets a wrong answer."""

    kind: Literal["dialogue"]
    lines: list[Annotated[str, Field(min_length=1, max_length=2_000)]] = Field(
        min_length=1, max_length=MOST_LINES
    )
    tries: int = Field(1, ge=1, le=2 * TRIES)

    @field_validator("lines")
    @classmethod
    def _bytes(cls, lines: list[str]) -> list[str]:
        for line in lines:
            if any(ord(char) > 255 for char in line):
                raise ValueError("a line has a character that is no byte")
        return lines

    def procedure(self) -> Procedure:
        """The procedure that holds the session."""
        return DialogueCase(tuple(self.lines), self.tries)


class _File(_Strict):
    format: Literal["conform-cases/1"]
    cases: list[SavedDialogue]


def saved(procedure: Procedure, judgement: Judgement) -> SavedDialogue:
    """What was found, as it is saved."""
    assert isinstance(procedure, DialogueCase), "there is no other kind of case"
    return SavedDialogue(
        kind="dialogue",
        clause=judgement.clause,
        title=f"Saved case: {judgement.expected}"[:500],
        lines=list(procedure.lines),
        tries=procedure.tries,
    )


def written(cases: Iterable[SavedDialogue]) -> str:
    """The text of a file with these cases."""
    data = {"format": FORMAT, "cases": [case.model_dump() for case in cases]}
    return json.dumps(data, indent=1, ensure_ascii=True) + "\n"


def read(text: str) -> tuple[SavedDialogue, ...]:
    """The cases in a file. Raises CasesError."""
    try:
        return tuple(_File.model_validate_json(text).cases)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise CasesError(
            f"no list of cases ({FORMAT}): {place + ': ' if place else ''}{first['msg']}"
        ) from None


def as_checks(cases: Sequence[SavedDialogue]) -> tuple[Check, ...]:
    """A check for each case: `case.1`, `case.2` and so on."""
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
