"""The table `openings` of a match config: how a game begins."""

from __future__ import annotations

from typing import Annotated, Literal, Union

from pydantic import AliasChoices, BeforeValidator, Discriminator, Field, Tag

from harness.arena.config.base import ConfigTable, kind_of, table_of_kind


class NoOpenings(ConfigTable):
    """Every game begins on the empty board."""

    kind: Literal["none"] = "none"


class RandomOpenings(ConfigTable):
    """`moves` random legal moves, the same for equal seeds. Openings that are already won are not used."""

    kind: Literal["random"] = "random"
    moves: int = Field(
        default=4,
        ge=1,
        le=60,
        validation_alias=AliasChoices("moves", "plies"),
        description="Number of random moves; also written `plies`.",
    )


class SgfOpenings(ConfigTable):
    """The first `moves` moves (default: all) of the games in `files`: paths, wildcards or folders.

    All games of a file are used, and all files `*.sgf` of a folder and of the folders below it.
    """

    kind: Literal["sgf"] = "sgf"
    files: tuple[str, ...] = Field(  # also takes a list
        min_length=1,
        strict=False,
        description="Paths, wildcards or folders, here or else beside the config file.",
    )
    moves: int | None = Field(
        default=None,
        ge=1,
        le=1_000_000,
        validation_alias=AliasChoices("moves", "plies"),
        description="Number of moves that are taken, without set-up stones; also written `plies`; "
        "default: all.",
    )
    order: Literal["given", "random"] = Field(
        default="given",
        description="Order in which the games are used: that of the files, or one drawn by `seed`.",
    )
    komi: Literal["run", "file"] = Field(
        default="run",
        description='Komi of a game: `"file"` takes it from the record (KM), where it has one.',
    )
    strict: bool = Field(
        default=False,
        description="Whether a game that cannot be used ends the command; else it is skipped and listed.",
    )


Openings = Annotated[
    Union[  # noqa: UP007  # each member has its own tag
        Annotated[NoOpenings, Tag("none")],
        Annotated[RandomOpenings, Tag("random")],
        Annotated[SgfOpenings, Tag("sgf")],
    ],
    Discriminator(
        kind_of,
        custom_error_type="openings",
        custom_error_message='must be "none", "random" or a table with kind = "none", "random" or "sgf"',
    ),
    BeforeValidator(table_of_kind),
]
