import string

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from harness.gtp.syntax import (
    MAX_ID,
    Answer,
    AnswerFault,
    Malformed,
    command_id,
    command_line,
    command_name,
    command_words,
    parse_answer,
    printable,
    printable_lines,
)

ids = st.none() | st.integers(0, MAX_ID)
words = st.text(string.ascii_letters + string.digits + "-_.+", min_size=1, max_size=12)


@pytest.mark.parametrize(
    ("raw", "answer"),
    [
        (b"=\n\n", Answer(True, None, "")),
        (b"= \n\n", Answer(True, None, "")),
        (b"= C3\n\n", Answer(True, None, "C3")),
        (b"=  5.0\n\n", Answer(True, None, "5.0")),  # GNU Go's get_komi
        (b"=\t7\n\n", Answer(True, None, "7")),
        (b"=12 C3\n\n", Answer(True, 12, "C3")),
        (b"=0\n\n", Answer(True, 0, "")),
        (b"=007 x\n\n", Answer(True, 7, "x")),
        (b"=2147483647 x\n\n", Answer(True, MAX_ID, "x")),
        (b"? unknown command\n\n", Answer(False, None, "unknown command")),
        (b"?5 illegal move\n\n", Answer(False, 5, "illegal move")),
        (b"= a\r\n\r\n", Answer(True, None, "a")),
        (b"= quit\nname\n\n", Answer(True, None, "quit\nname")),
        (b"= \n A B\n1 . .\n\n", Answer(True, None, "\n A B\n1 . .")),
        (
            b"= 12 x\n\n",
            Answer(True, None, "12 x"),
        ),  # without knowing the command: a text that begins with 12
    ],
)
def test_well_formed_answers(raw: bytes, answer: Answer) -> None:
    assert parse_answer(raw) == answer


@pytest.mark.parametrize(
    ("raw", "fault", "text"),
    [
        (b"", "nothing", None),
        (b"C3\n\n", "no-sign", None),
        (b" = C3\n\n", "no-sign", None),
        (b"\n= C3\n\n", "no-sign", None),
        (b"=", "unfinished", ""),
        (b"= C3", "unfinished", "C3"),
        (b"= C3\n", "one-newline", "C3"),
        (b"= C3\r\n", "one-newline", "C3"),
        (b"= C3\n\n\n", "trailing", "C3"),
        (b"= a\n\nb\n\n", "trailing", "a"),
        (b"=C3\n\n", "no-space", "C3"),
        (b"=12C3\n\n", "no-space", "C3"),
        (b"=2147483648 x\n\n", "id-too-large", "x"),
        (b"=" + b"9" * 5000 + b" x\n\n", "id-too-large", "x"),  # beyond what int() takes
    ],
)
def test_faults(raw: bytes, fault: AnswerFault, text: str | None) -> None:
    judged = parse_answer(raw)
    assert isinstance(judged, Malformed)
    assert judged.fault == fault
    assert (judged.reading and judged.reading.text) == text
    assert str(judged)


def test_a_blank_before_the_id_is_seen_by_who_knows_the_id() -> None:
    assert parse_answer(b"= 12 x y\n\n", 12) == Malformed("id-not-adjacent", Answer(True, 12, "x y"))
    assert parse_answer(b"?  12\n\n", 12) == Malformed("id-not-adjacent", Answer(False, 12, ""))
    assert parse_answer(b"= 120 x\n\n", 12) == Answer(True, None, "120 x")


@pytest.mark.parametrize("raw", [b"=13 x\n\n", b"= x\n\n"])
def test_another_id_or_none_is_well_formed(raw: bytes) -> None:
    assert isinstance(parse_answer(raw, 12), Answer)


@given(
    st.binary() | st.lists(st.sampled_from([b"=", b"?", b"\n", b"\r", b" ", b"12", b"\x00"])).map(b"".join),
    ids,
)
def test_any_bytes_are_an_answer_or_malformed(raw: bytes, own_id: int | None) -> None:
    judged = parse_answer(raw, own_id)
    reading = judged if isinstance(judged, Answer) else judged.reading
    if reading is not None:
        assert all(char.isprintable() or char in "\n\t" for char in reading.text)


@given(st.booleans(), ids, st.lists(words, min_size=1).map(" ".join))
def test_what_is_written_by_the_grammar_is_read_back(ok: bool, own_id: int | None, text: str) -> None:
    sign = "=" if ok else "?"
    raw = f"{sign}{'' if own_id is None else own_id} {text}\n\n".encode()
    assert parse_answer(raw) == Answer(ok, own_id, text)


@given(words.filter(lambda word: not word.isdigit()), st.lists(words), ids)
def test_command_round_trip(name: str, args: list[str], own_id: int | None) -> None:
    line = command_line(name, *args, id=own_id)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert command_id(line) == own_id
    sent = line.decode("ascii").split()
    assert sent == ([] if own_id is None else [str(own_id)]) + [name, *args]


def test_numbers_are_written_with_a_point() -> None:
    assert command_line("komi", 7.5) == b"komi 7.5\n"
    assert command_line("boardsize", 9, id=0) == b"0 boardsize 9\n"


@pytest.mark.parametrize(
    ("name", "args", "own_id"),
    [
        ("", (), None),
        ("play b", (), None),
        ("7", (), None),
        ("play", ("b", "A1\nquit"), None),
        ("play", ("b", "A1 # a comment"), None),
        ("play", ("b", "é1"), None),
        ("play", ("b\t", "A1"), None),
        ("name", (), -1),
        ("name", (), MAX_ID + 1),
    ],
)
def test_what_is_no_command_is_refused(name: str, args: tuple[str, ...], own_id: int | None) -> None:
    with pytest.raises(ValueError, match=r"."):
        command_line(name, *args, id=own_id)


@pytest.mark.parametrize(
    ("line", "own_id"),
    [(b"", None), (b"\n", None), (b"name\n", None), (b" 5 name", 5), (b"17\n", 17), (b"9999999999 x", None)],
)
def test_the_id_of_a_raw_line(line: bytes, own_id: int | None) -> None:
    assert command_id(line) == own_id


@pytest.mark.parametrize(
    ("line", "read"),
    [
        (b"", ()),
        (b"# genmove b\n", ()),
        (b"7\n", ()),
        (b"\x07\n", ()),
        (b"genmove b\n", (b"genmove", b"b")),
        (b" \t12\tgenmove\tb # name\r\n", (b"genmove", b"b")),
        (b"# play b A1\n\n \t\ngen\x07move b\r\n", (b"genmove", b"b")),
        (b"name\ngenmove b\n", (b"name",)),
    ],
)
def test_a_raw_line_is_read_as_an_engine_reads_it(line: bytes, read: tuple[bytes, ...]) -> None:
    assert command_words(line) == read
    assert command_name(line) == (read[0] if read else b"")


@given(st.binary())
@example("\u202eabc\u200b\u2028é".encode())
def test_printable_has_nothing_for_a_terminal_to_obey(raw: bytes) -> None:
    assert printable(raw).isprintable()
    assert all(char.isprintable() or char in "\n\t" for char in printable_lines(raw))


@given(st.binary(), st.binary())
@example(b"\\n", b"\n")
@example(b"\\xff", b"\xff")
@example(b"\\xe9", b"\xe9")
@example(b"\x85", b"\xc2\x85")
def test_printable_gives_different_text_for_different_bytes(one: bytes, two: bytes) -> None:
    assert (printable(one) == printable(two)) == (one == two)


def test_printable_escapes() -> None:
    raw = b"a\x00\x07\x1b[31m\t\n\r\xff\\" + "é\u202e".encode()
    assert printable(raw) == r"a\x00\x07\x1b[31m\t\n\r\xff\\é\u202e"
    assert printable_lines(b"a\tb\n\x1b\\") == "a\tb\n\\x1b\\"


def test_a_cr_is_dropped_before_anything_is_judged() -> None:
    """Found by `make fuzz`: what follows the sign once CRs are gone is another sign."""
    found = parse_answer(b"=\r=\n\n")
    assert isinstance(found, Malformed)
    assert found.fault == "no-space"
    assert parse_answer(b"=1\r2 x\r\n\r\n") == parse_answer(b"=12 x\n\n")
