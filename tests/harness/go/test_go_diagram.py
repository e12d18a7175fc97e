"""What is drawn can be read again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.go import diagram, random_game


@given(size=st.integers(1, 25), seed=st.integers(0, 2**32), mark=st.booleans())
def test_a_drawing_reads_back(size: int, seed: int, mark: bool) -> None:
    game = random_game(size, seed, moves=min(60, 2 * size * size))
    drawn = game.draw(mark=(size - 1, 0)) if mark else game.draw()
    assert diagram(drawn).fingerprint == game.fingerprint


def test_the_top_line_is_the_highest_row() -> None:
    position = diagram("X . .\n. . .\n. . O")
    assert position.stones() == {(2, 0): "b", (0, 2): "w"}


def test_a_drawing_looks_like_this() -> None:
    assert diagram("X . .\n. . .\n. . O").draw(mark=[(0, 2), (1, 1)]) == "\n".join(
        [
            "  A  B  C",
            "3 X  .  . 3",
            "2 . (.) . 2",
            "1 .  . (O)1",
            "  A  B  C",
        ]
    )


@pytest.mark.parametrize("text", ["", "\n \n", "X .\n.", "X . .\n. . .", "? .\n. .", "X O\nO X"])
def test_what_is_no_position_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"diagram|liberty|board size"):
        diagram(text)
