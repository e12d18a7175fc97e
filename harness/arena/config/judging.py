"""The table `[judge]` of a match config: the question that a match answers about each pair of engines.

The question is about the first engine of each pair: Black of a `[[pair]]`, otherwise the engine that was
added to the run first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Union

from pydantic import BeforeValidator, Discriminator, Field, Tag

from harness.arena.config.base import ConfigTable, kind_of, table_of_kind

Level = Annotated[float, Field(ge=1e-9, lt=0.5)]
Margin = Annotated[float, Field(ge=0.001, lt=0.5)]
Elo = Annotated[float, Field(ge=-1000, le=1000)]
Stop = Literal["never", "decided"]
STOP = 'Whether a pair ends before its last game: `"decided"` once it has a verdict.'


class ParityQuestion(ConfigTable):
    """Asks if both engines are equally strong."""

    kind: Literal["parity"] = "parity"
    margin: Margin | None = Field(default=None, description="As `margin` of `[run]`, which is the default.")
    alpha: Level | None = Field(default=None, description="As `alpha` of `[run]`, for the pairs alone.")
    beta: Level | None = Field(default=None, description="As `beta` of `[run]`, for the pairs alone.")
    stop: Stop | None = Field(default=None, description="As `stop` of `[run]`, which is the default.")

    @property
    def sentence(self) -> str:
        """The question in words."""
        return (
            "Two bots are equal when the score of the first bot is shown to lie within the margin around "
            "50 %."
        )


class SprtQuestion(ConfigTable):
    """Asks if the first engine is `elo1` stronger rather than `elo0`: a sequential probability ratio test."""

    kind: Literal["sprt"] = "sprt"
    elo0: Elo = Field(default=0.0, description="Elo difference of the hypothesis H0: the test failed.")
    elo1: Elo = Field(default=20.0, description="Elo difference of the hypothesis H1: the test passed.")
    alpha: Level = Field(
        default=0.05, description="Probability that an engine passes whose difference is `elo0` or less."
    )
    beta: Level = Field(
        default=0.05, description="Probability that an engine fails whose difference is `elo1` or more."
    )
    model: Literal["logistic", "normalized"] = Field(
        default="logistic", description="The kind of Elo of `elo0` and `elo1`."
    )
    stop: Stop = Field(default="decided", description=STOP)

    @property
    def sentence(self) -> str:
        """The question in words."""
        kind = "normalized Elo" if self.model == "normalized" else "Elo"
        return (
            f"Sequential test of each pair: the first bot passed when {self.elo1:g} {kind} explain its "
            f"games better, and failed when {self.elo0:g} {kind} do (α {self.alpha:g}, β {self.beta:g})."
        )


class StrongerQuestion(ConfigTable):
    """Asks if the first engine is stronger; the answer is valid after any number of games."""

    kind: Literal["stronger"] = "stronger"
    alpha: Level = Field(
        default=0.05, description="Probability that equal engines are called stronger or weaker."
    )
    stop: Stop = Field(default="decided", description=STOP)

    @property
    def sentence(self) -> str:
        """The question in words."""
        return (
            "The first bot of a pair is stronger or weaker when its score is shown to be above or below "
            f"50 %; equal bots are called so with a probability of at most {100 * self.alpha:g} %, after any "
            "number of games."
        )


def _kind_of_question(given: Any) -> Any:
    return kind_of(given, default="parity")


Question = Annotated[
    Union[  # noqa: UP007  # each member has its own tag
        Annotated[ParityQuestion, Tag("parity")],
        Annotated[SprtQuestion, Tag("sprt")],
        Annotated[StrongerQuestion, Tag("stronger")],
    ],
    Discriminator(
        _kind_of_question,
        custom_error_type="judge",
        custom_error_message='must be a table with kind = "parity", "sprt" or "stronger"',
    ),
    BeforeValidator(table_of_kind),
]
QUESTIONS: Mapping[str, type[ConfigTable]] = {
    "parity": ParityQuestion,
    "sprt": SprtQuestion,
    "stronger": StrongerQuestion,
}
"""The tables by kind."""
