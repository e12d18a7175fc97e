"""Expectations as they are written, and dialogues as they are turned."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.check.procedures.dialogue import dialogue
from harness.check.procedures.expectation import Expectation, expectation
from harness.check.procedures.script import raw, steps, turned
from harness.go import symmetries
from harness.gtp import Exchange, Malformed, command_line, format_vertex, parse_answer, parse_vertex


def exchange(raw_answer: str, sent: bytes = b"name\n") -> Exchange:
    """An exchange with these bytes as its answer, judged well-formed or not by the wire."""
    parsed = parse_answer(raw_answer.encode("ascii"), None)
    answer = None if isinstance(parsed, Malformed) else parsed
    ending = "answer" if answer is not None else "malformed"
    return Exchange(sent, raw_answer.encode("ascii"), answer, ending, b"", 0.0)  # type: ignore[arg-type]


CASES = [
    # form, answers that introduction_of it, answers that do not
    ("=", ["=\n\n", "= \n\n", "= text\n\n"], ["? text\n\n", "=7\n\n", "text\n\n"]),
    ("= ''", ["=\n\n", "= \n\n"], ["= x\n\n", "?\n\n"]),
    ("= 2", ["= 2\n\n"], ["=\n\n", "= 22\n\n", "=2\n\n", "? 2\n\n"]),
    ("= true | false", ["= true\n\n", "= false\n\n"], ["= true | false\n\n", "= True\n\n"]),
    ("= illegal move", ["= illegal move\n\n"], ["= illegal\n\n", "= Illegal move\n\n"]),
    ("= ~[0-9]+", ["= 12\n\n"], ["= 12 x\n\n", "= x12\n\n", "=\n\n"]),
    ("= ~a|b", ["= a\n\n", "= b\n\n"], ["= ab\n\n"]),  # a pattern matches the whole text
    ("?", ["? no\n\n", "?\n\n"], ["= no\n\n", "?3 no\n\n"]),
    ("? illegal move", ["? illegal move\n\n"], ["? Illegal move\n\n", "?\n\n", "= illegal move\n\n"]),
    ("=7", ["=7\n\n", "=7 text\n\n"], ["=\n\n", "=8\n\n", "?7\n\n", "= 7\n\n"]),
    ("=07", ["=7\n\n"], ["=\n\n"]),  # an id is a number
    ("=0", ["=0 x\n\n"], ["= x\n\n"]),
    ("=7 2", ["=7 2\n\n"], ["=7 3\n\n", "= 2\n\n"]),
    ("?43", ["?43 unknown command\n\n"], ["? unknown command\n\n"]),
    ("@ A1 PASS", ["= a1\n\n", "= A1\n\n", "= Pass\n\n"], ["= B1\n\n", "=\n\n", "? A1\n\n"]),
    ("@ pass", ["= PASS\n\n"], ["= A1\n\n"]),
    ("& C3 G7", ["= C3 G7\n\n", "= g7  c3 \n\n"], ["= C3\n\n", "=\n\n", "= C3 G7 G7\n\n", "? C3 G7\n\n"]),
    ("*", ["=\n\n", "?9 x\n\n"], ["text\n\n"]),  # any answer at all, but an answer
]


@pytest.mark.parametrize(("form", "met", "unmet"), CASES, ids=[case[0] for case in CASES])
def test_what_meets_an_expectation(form: str, met: list[str], unmet: list[str]) -> None:
    wanted = expectation(form)
    assert [answer for answer in met if not wanted.is_met_by(exchange(answer))] == []
    assert [answer for answer in unmet if wanted.is_met_by(exchange(answer))] == []


@pytest.mark.parametrize("ending", ["timeout", "eof", "oversize"])
def test_no_answer_meets_nothing(ending: str) -> None:
    silence = Exchange(b"name\n", b"= na", None, ending, b"", 1.0)  # type: ignore[arg-type]
    assert not any(expectation(form).is_met_by(silence) for form, _, _ in CASES)


@pytest.mark.parametrize("form", ["", "text", "=x", "==", "= ~(", "=-1", "!", "@", "@7x", "&"])
def test_a_form_that_cannot_be_read_is_found(form: str) -> None:
    """A mistake in a check ends in an error at import, not in a bot that is refused."""
    with pytest.raises(ValueError, match=r"expectation|regular expression"):
        expectation(form)


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("=", "= (success)"),
        ("?", "? (a refusal)"),
        ("*", "any answer"),
        ("=7", "=7 (success)"),
        ("= true | false", "= true or = false"),
        ("? illegal move", "? illegal move"),
        ("= ''", "="),
        ("& C3 G7", "= C3 G7, in any order"),
        ("= ~[01]", "= and a text of the form [01]"),
    ],
)
def test_an_expectation_in_words(form: str, text: str) -> None:
    assert str(expectation(form)) == text


@settings(max_examples=30)
@given(
    ok=st.booleans(),
    number=st.integers(0, 2**31 - 1),
    text=st.text("abyz ", min_size=1, max_size=11).map(str.strip).filter(bool),
)
def test_an_answer_as_it_is_written_meets_the_form_that_is_written_so(
    ok: bool, number: int, text: str
) -> None:
    line = f"{'=' if ok else '?'}{number} {text.strip()}"
    assert expectation(line).is_met_by(exchange(line + "\n\n"))
    assert not expectation(line).is_met_by(exchange(line.replace(str(number), "", 1) + "\n\n"))


# --- scripts -----------------------------------------------------------------------------------------------


def test_a_line_without_an_arrow_must_succeed() -> None:
    first, second = steps("boardsize {size}\nplay b C3 -> ? illegal move", 13)
    assert (first.send, first.expect) == (b"boardsize 13\n", (Expectation("="),))
    assert (second.send, second.expect) == (b"play b C3\n", (expectation("? illegal move"),))


@given(size=st.integers(2, 25), turn=st.integers(0, 7), data=st.data())
def test_every_vertex_of_a_line_is_moved(size: int, turn: int, data: st.DataObject) -> None:
    place = st.integers(0, size - 1)
    points = data.draw(st.lists(st.tuples(place, place), max_size=4))
    image = symmetries(size)[turn]
    line = " ".join(["play b pass", *map(format_vertex, points)])
    assert turned(line, size, turn) == " ".join(
        ["play b pass", *(format_vertex(image(point)) for point in points)]
    )


@given(size=st.integers(2, 25), row=st.integers(0, 24), column=st.integers(0, 24))
def test_the_eight_turns_of_a_point_are_its_orbit(size: int, row: int, column: int) -> None:
    vertex = format_vertex((row % size, column % size))
    orbit = {turned(vertex, size, turn) for turn in range(8)}
    r, c = parse_vertex(vertex, size) or (0, 0)
    mirrored = {(r, c), (c, r)}
    wanted = {(a, b) for r, c in mirrored for a in (r, size - 1 - r) for b in (c, size - 1 - c)}
    assert {parse_vertex(image, size) for image in orbit} == wanted


def test_only_plays_and_expected_vertices_are_turned() -> None:
    script = "name A1\nplay b A1\ngenmove w -> @ B1 PASS\nshow -> = A1"
    written = steps(script, 9, 4)  # the transposition
    assert [step.send for step in written] == [b"name A1\n", b"play b A1\n", b"genmove w\n", b"show\n"]
    assert str(written[2].expect[0]) == "= A2 or = PASS"
    assert str(written[3].expect[0]) == "= A1"


def test_a_dialogue_stays_as_it_is_unless_it_may_be_turned() -> None:
    script = "play b A1\nplay w B3 -> ?"
    assert dialogue(script).write(9, 3) == dialogue(script).write(9, 0)
    assert dialogue(script, turns=True).write(9, 3) != dialogue(script, turns=True).write(9, 0)


def test_bytes_go_out_as_they_are() -> None:
    step = raw(b"\x01\n1 name\n2 version\n", "=1", "=2", hint="drop them")
    assert dialogue("name", step, "quit").write(19, 0)[1] is step


def test_a_script_that_cannot_be_read_is_found_when_it_is_written() -> None:
    with pytest.raises(ValueError, match="not an expectation: 'refused'"):
        dialogue("play b C3 -> refused")


def test_a_command_line_of_the_wire_is_a_step() -> None:
    """Scripts and the driver mean the same by a line."""
    assert steps("7 name", 9)[0].send == command_line("name", id=7)
