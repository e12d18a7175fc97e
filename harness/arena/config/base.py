"""The base class of the tables of a match config, and the types that several tables share."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from harness.gtp.numbers import MAX_SECONDS, DurationError, parse_duration


class ConfigTable(BaseModel):
    """A table of the config: immutable, strict about types, without unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, strict=True)


def _seconds(given: Any) -> Any:
    """`timeout = "2m"` is short for `timeout = 120`."""
    try:
        return parse_duration(given) if isinstance(given, str) else given
    except DurationError:
        raise ValueError('should be a positive number of seconds, or a duration such as "2m"') from None


Seconds = Annotated[float, Field(gt=0, le=MAX_SECONDS), BeforeValidator(_seconds)]
"""A time limit, written as a number of seconds or as a duration such as "2m"."""
SecondsOrZero = Annotated[float, Field(ge=0, le=MAX_SECONDS), BeforeValidator(_seconds)]
"""A time or 0, written as a number of seconds or as a duration."""


def table_of_kind(given: Any) -> Any:
    """Return the table that a value stands for: `{kind = "random"}` for "random". A table stays as it is."""
    return {"kind": given} if isinstance(given, str) else given


def kind_of(given: Any, default: str | None = None) -> Any:
    """The `kind` of a table, which is plain data or checked already; `default` for data without a kind."""
    return given.get("kind", default) if isinstance(given, dict) else getattr(given, "kind", None)
