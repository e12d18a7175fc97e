"""What showboard and final_status_list show: which forms are right, and what is left without a judgement."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from harness.check.model import Outcome
from harness.check.phases.findings import Findings
from harness.commands.shown_boards import NAMES_STONES, ListedStones, ShownWhole, StonesRecord, WholeRecord
from harness.commands.status_lists import (
    STATUSES,
    Aspect,
    ListsRecord,
    StatusLists,
    settled_position,
)
from harness.go import opponent
from harness.gtp import Answer, Exchange, format_vertex, parse_answer

SIZES = (9, 13, 19)
CheckHosted = Callable[..., Findings]


def exchange(command: str, answer: str, noise: str = "") -> Exchange:
    raw = f"{noise}{answer}".encode("ascii")
    parsed = parse_answer(answer.encode("ascii"))
    assert isinstance(parsed, Answer)
    return Exchange(f"{command}\n".encode("ascii"), raw, parsed, "answer", noise.encode("ascii"), 0.0)


NAME = "= bot\n\n"


@pytest.mark.parametrize(
    ("shown", "after", "expected"),
    [
        (("= \n 1 . .\n\n", ""), "", Outcome.PASS),
        (("= \n\n", ""), "", Outcome.PASS),  # the board is on stderr
        (("= \n 1 . .\n\n", ""), "\n", Outcome.PASS),  # an empty line more: gtp.frame.no-noise reports it
        (("= \n 2 . .\n\n", ""), " 1 . .\n\n", Outcome.FAIL),
        (("= \n\n", " 1 . .\n"), "", Outcome.FAIL),
    ],
)
def test_a_board_in_one_answer(shown: tuple[str, str], after: str, expected: Outcome) -> None:
    record = WholeRecord(exchange("showboard", *shown), exchange("name", NAME, after))
    assert ShownWhole().judge(record).outcome is expected


BLACK = "C3 D5 E6 F5 E4"


@pytest.mark.parametrize(
    ("black", "expected"),
    [
        (BLACK, Outcome.PASS),
        (BLACK.lower(), Outcome.PASS),
        (BLACK.replace(" ", "\n"), Outcome.PASS),
        (" ".join(reversed(BLACK.split())), Outcome.PASS),
        (BLACK.replace("C3 ", ""), Outcome.FAIL),
        (f"{BLACK} C3", Outcome.FAIL),
        (f"{BLACK} A1", Outcome.FAIL),
        (f"{BLACK} black", Outcome.FAIL),
    ],
)
def test_lists_of_stones(black: str, expected: Outcome) -> None:
    white = exchange("list_stones white", "= G2 C8 H7 B2\n\n")
    record = StonesRecord(9, exchange("list_stones black", f"= {black}\n\n"), white)
    assert ListedStones().judge(record).outcome is expected


def test_a_refused_list_is_of_no_fault_that_lists_stones() -> None:
    refused = exchange("list_stones w", "? syntax error\n\n")
    judgement = ListedStones().judge(StonesRecord(9, exchange("list_stones b", f"= {BLACK}\n\n"), refused))
    assert judgement.unlike == NAMES_STONES
    assert judgement.observed == "list_stones w → ? syntax error"


@pytest.mark.parametrize("size", SIZES)
def test_the_settled_board_is_beyond_dispute(size: int) -> None:
    """Both sides have passed, nobody has a move beside own one-point eyes, and each chain has three."""
    position = settled_position(size)
    assert [move.point for move in position.moves[-2:]] == [None, None]
    assert position.captured() == {"b": 0, "w": 0}
    for point, colour in position.stones().items():
        stones, liberties = position.chain(point)
        assert point in stones
        assert len(liberties) == 3
        assert all(position.is_eye(colour, liberty) for liberty in liberties)
        assert not any(position.is_surrounded(opponent(colour), liberty) for liberty in liberties)
    assert position.candidates("b") == position.candidates("w") == []


def lists(alive: str, dead: str = "", seki: str = "") -> ListsRecord:
    answers = zip(STATUSES, (alive, dead, seki), strict=True)
    return ListsRecord(
        9,
        tuple(
            exchange(f"final_status_list {status}", text if text.startswith("?") else f"= {text}\n\n")
            for status, text in answers
        ),
    )


def chain_of(vertex: str) -> str:
    position = settled_position(9)
    point = next(point for point in position.stones() if format_vertex(point) == vertex)
    return " ".join(map(format_vertex, sorted(position.chain(point)[0])))


LEFT, MIDDLE, RIGHT = map(chain_of, ("A1", "E1", "J1"))
EVERY = f"{LEFT}\n{MIDDLE} \n{RIGHT}"
REFUSAL = "? cannot score\n\n"

STATUS_LISTS: dict[str, tuple[ListsRecord, Aspect, Outcome]] = {
    "all alive": (lists(EVERY), Aspect.ALIVE, Outcome.PASS),
    "on one line": (lists(EVERY.replace("\n", " ")), Aspect.ALIVE, Outcome.PASS),
    "no seki": (lists(EVERY, seki=REFUSAL), Aspect.STONES, Outcome.PASS),
    "refused": (lists(REFUSAL, REFUSAL, REFUSAL), Aspect.STONES, Outcome.SKIP),
    "an empty point": (lists(f"{EVERY} A2"), Aspect.STONES, Outcome.FAIL),
    "a pass": (lists(f"{EVERY} pass"), Aspect.STONES, Outcome.FAIL),
    "twice": (lists(f"{EVERY} A1"), Aspect.STONES, Outcome.FAIL),
    "in two lists": (lists(EVERY, seki=LEFT), Aspect.STONES, Outcome.FAIL),
    "half a chain": (lists(EVERY.replace("A1 ", "", 1)), Aspect.CHAINS, Outcome.FAIL),
    "a chain in dead": (lists(f"{LEFT}\n{MIDDLE}", RIGHT), Aspect.CHAINS, Outcome.PASS),
    "a living chain in dead": (lists(f"{LEFT}\n{MIDDLE}", RIGHT), Aspect.ALIVE, Outcome.FAIL),
    "no answer at all": (lists(""), Aspect.ALIVE, Outcome.FAIL),
}


@pytest.mark.parametrize("name", STATUS_LISTS)
def test_status_lists(name: str) -> None:
    record, aspect, expected = STATUS_LISTS[name]
    assert StatusLists(aspect).judge(record).outcome is expected


@pytest.mark.parametrize(("point", "unreadable"), [("I1", True), ("A2", False)])
def test_a_word_that_is_no_vertex_is_of_no_fault_that_lists_points(point: str, *, unreadable: bool) -> None:
    judgement = StatusLists(Aspect.STONES).judge(lists(f"{EVERY} {point}"))
    assert ("final-status-empty-points" in judgement.unlike) is unreadable


def test_a_board_that_shows_more_is_not_compared(check_hosted: CheckHosted) -> None:
    found = check_hosted("extensions", "showboard-counts", only=["gtp.shown.*"]).results
    assert {r.check.id for r in found if r.outcome is Outcome.SKIP} == {"gtp.shown.same", "gtp.shown.refused"}
    assert Outcome.FAIL not in {r.outcome for r in found}
