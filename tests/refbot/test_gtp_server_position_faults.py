"""Faults and habits of shown positions, statuses and game records, each shown by a dialogue.

The tables are as in `test_gtp_server_faults` and `test_gtp_server_habits`. `{dir}` is a folder with RECORDS.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from refbot.deviations.faults import FAULTS
from tests.refbot.gtp_dialogue import talk

OK = "= \n\n"
ILLEGAL = "? illegal move\n\n"
CANNOT_LOAD = "? cannot load file\n\n"
UNKNOWN = "? unknown command\n\n"

RECORDS = {
    # on 5x5, SGF counts rows from the top: [ae] is A1, [ba] is B5
    "game.sgf": "(;SZ[5]KM[3.5];B[ae];W[ba];B[ca])",
    "stones.sgf": "(;SZ[5]AB[ae]AW[ba];B[ca])",
    "large.sgf": "(;SZ[9]KM[7.5];B[ai];W[ia])",
    # White's C3 takes B3 in a ko
    "ko.sgf": "(;SZ[5]AB[bc][cb][cd][dc]AW[bb][bd][ac];W[cc])",
    "text.sgf": "no record",
}
RECORD_OF_TWO = "\n;B[ab]\n;W[ba])\n\n"
HEAD = "(;GM[1]FF[4]CA[UTF-8]AP[refbot]SZ[2]KM[7.5]"
TWO = "boardsize 2\nplay b A1\nplay w B2\n"
TAKEN = "boardsize 2\nplay w A1\nplay b A2\nplay b B1\n"
BOARD = "= \n   A B\n 2 . {} 2\n 1 {} . 1\n   A B\n\n"
BOARD_OF_TWO, BOARD_OF_ONE = BOARD.format("O", "X"), BOARD.format(".", "X")
LISTED = TWO + "play w A1\nlist_stones b\n"

# name: what is sent, what a right engine writes, what the faulty one writes
DIALOGUES: dict[str, tuple[str, str, str]] = {
    "showboard-empty-line": (
        TWO + "showboard\n", OK * 3 + BOARD_OF_TWO, OK * 3 + BOARD_OF_TWO.replace("1\n ", "1\n\n ")
    ),
    "showboard-undoes": (
        TWO + "showboard\nplay b B2\n", OK * 3 + BOARD_OF_TWO + ILLEGAL, OK * 3 + BOARD_OF_TWO + OK
    ),
    "list-stones-any-colour": (
        TWO + "list_stones x\n", OK * 3 + "? invalid color\n\n", OK * 3 + "= B2\n\n"
    ),
    "list-stones-keeps-captured": (
        "boardsize 2\nplay w A1\nplay b A2\nplay b B1\nlist_stones w\n", OK * 5, OK * 4 + "= A1\n\n"
    ),
    "shown-board-late": (
        TWO + "showboard\nlist_stones w\n",
        OK * 3 + BOARD_OF_TWO + "= B2\n\n",
        OK * 3 + BOARD_OF_ONE + OK,
    ),
    "shown-board-keeps-refused": (
        TWO + "play w A1\nlist_stones w\nshowboard\n",
        OK * 3 + ILLEGAL + "= B2\n\n" + BOARD_OF_TWO,
        OK * 3 + ILLEGAL + "= A1 B2\n\n" + BOARD.format("O", "O"),
    ),
    "shown-board-survives-clear": (
        TWO + "clear_board\nplay b A1\nlist_stones w\n", OK * 6, OK * 5 + "= B2\n\n"
    ),
    "color-of-captured": (
        TAKEN + "color A1\ncolor A2\n", OK * 4 + "= empty\n\n= black\n\n", OK * 4 + "= white\n\n= black\n\n"
    ),
    "is-legal-anywhere": (TWO + "is_legal w A1\n", OK * 3 + "= 0\n\n", OK * 3 + "= 1\n\n"),
    "captures-of-other": (
        TAKEN + "captures b\ncaptures w\n", OK * 4 + "= 1\n\n= 0\n\n", OK * 4 + "= 0\n\n= 1\n\n"
    ),
    "last-move-skips-passes": (
        TWO + "play b pass\nlast_move\n", OK * 4 + "= black pass\n\n", OK * 4 + "= white B2\n\n"
    ),
    "move-history-first-first": (
        TWO + "move_history\n", OK * 3 + "= white B2\nblack A1\n\n", OK * 3 + "= black A1\nwhite B2\n\n"
    ),
    "final-status-word-crashes": (
        "final_status_list x\n", "? expected alive, dead or seki\n\n", "<crash>"
    ),
    "final-status-empty-points": (
        TWO + "final_status_list alive\n", OK * 3 + "= A1\nB2\n\n", OK * 3 + "= A1\nB1\nA2\nB2\n\n"
    ),
    "final-status-twice": (TWO + "final_status_list seki\n", OK * 4, OK * 3 + "= A1\nB2\n\n"),
    "final-status-one-stone": (
        "boardsize 3\nplay b A1\nplay b A2\nfinal_status_list alive\n",
        OK * 3 + "= A1 A2\n\n",
        OK * 3 + "= A1\n\n",
    ),
    "final-score-ends-game": (
        "boardsize 2\nfinal_score\nplay b A1\nclear_board\nplay b A1\n",
        OK + "= W+7.5\n\n" + OK * 3,
        OK + "= W+7.5\n\n" + ILLEGAL + OK * 2,
    ),
    "final-score-unfinished": (
        "final_score\nplay b pass\nplay w pass\nfinal_score\n",
        "= W+7.5\n\n" + OK * 2 + "= W+7.5\n\n",
        "= not finished\n\n" + OK * 2 + "= W+7.5\n\n",
    ),
    "loadsgf-crashes": (
        "loadsgf {dir}/none.sgf\nloadsgf {dir}/game.sgf\n", CANNOT_LOAD + OK, CANNOT_LOAD + "<crash>"
    ),
    "loadsgf-broken-crashes": (
        "loadsgf {dir}/none.sgf\nloadsgf {dir}/text.sgf\n", CANNOT_LOAD * 2, CANNOT_LOAD + "<crash>"
    ),
    "loadsgf-missing-succeeds": (
        "loadsgf {dir}/none.sgf\nloadsgf {dir}/text.sgf\n", CANNOT_LOAD * 2, OK + CANNOT_LOAD
    ),
    "loadsgf-no-name-crashes": ("loadsgf\n", "? missing argument\n\n", "<crash>"),
    "loadsgf-refusal-clears": (
        "play b A1\nloadsgf {dir}/none.sgf\nplay w A1\n", OK + CANNOT_LOAD + ILLEGAL, OK + CANNOT_LOAD + OK
    ),
    "loadsgf-keeps-komi": (
        "komi 9\nloadsgf {dir}/game.sgf\nclear_board\nfinal_score\n",
        OK * 3 + "= W+3.5\n\n",
        OK * 3 + "= W+9\n\n",
    ),
    "loadsgf-keeps-size": (
        "boardsize 5\nloadsgf {dir}/large.sgf\nplay b J1\nplay w A1\n",
        OK * 3 + ILLEGAL,
        OK * 2 + ILLEGAL * 2,
    ),
    "loadsgf-keeps-board": (
        "boardsize 5\nplay b E5\nloadsgf {dir}/game.sgf\nplay w E5\n", OK * 4, OK * 3 + ILLEGAL
    ),
    "loadsgf-ignores-setup": (
        "loadsgf {dir}/stones.sgf\nplay w C5\nplay w A1\n", OK + ILLEGAL * 2, OK + ILLEGAL + OK
    ),
    "loadsgf-one-move-more": (
        "loadsgf {dir}/game.sgf 3\nplay b B5\nplay w C5\n", OK + ILLEGAL + OK, OK + ILLEGAL * 2
    ),
    "loadsgf-beyond-refused": (
        "loadsgf {dir}/game.sgf 4\nloadsgf {dir}/game.sgf 5\n", OK * 2, OK + CANNOT_LOAD
    ),
    "loadsgf-forgets-ko": (
        "loadsgf {dir}/ko.sgf\nplay b B3\nundo\n", OK + ILLEGAL + OK, OK * 3
    ),
    "loadsgf-upside-down": ("loadsgf {dir}/game.sgf\nplay w A1\n", OK + ILLEGAL, OK * 2),
    "printsgf-empty-line": (
        TWO + "printsgf\n", OK * 3 + f"= {HEAD}{RECORD_OF_TWO}", OK * 3 + f"= {HEAD}\n{RECORD_OF_TWO}"
    ),
    "printsgf-upside-down": (
        TWO + "printsgf\n",
        OK * 3 + f"= {HEAD}{RECORD_OF_TWO}",
        OK * 3 + f"= {HEAD}\n;B[aa]\n;W[bb])\n\n",
    ),
    "printsgf-komi-fixed": (
        "boardsize 2\nkomi 5\nprintsgf\n",
        OK * 2 + f"= {HEAD.replace('7.5', '5')}PL[B])\n\n",
        OK * 2 + f"= {HEAD}PL[B])\n\n",
    ),
    "printsgf-drops-passes": (
        "boardsize 2\nplay b pass\nplay w B2\nprintsgf\n",
        OK * 3 + f"= {HEAD}\n;B[]\n;W[ba])\n\n",
        OK * 3 + f"= {HEAD}\n;W[ba])\n\n",
    ),
    "printsgf-keeps-undone": (
        TWO + "undo\nprintsgf\n",
        OK * 4 + f"= {HEAD}\n;B[ab])\n\n",
        OK * 4 + f"= {HEAD}{RECORD_OF_TWO}",
    ),
    "printsgf-forgets-setup": (
        "boardsize 2\nset_free_handicap A1 B1\nprintsgf\n",
        OK * 2 + f"= {HEAD}AB[ab][bb]PL[W])\n\n",
        OK * 2 + f"= {HEAD}PL[W])\n\n",
    ),
    "savesgf-unwritable-crashes": (
        "savesgf {dir}/none/game.sgf\nname\n", "? cannot save file\n\n= refbot\n\n", "<crash>"
    ),
}  # fmt: skip

# name of the habit: as above; all engines have the extensions
HABITS: dict[str, tuple[str, str, str]] = {
    "showboard-counts": (
        TWO + "showboard\n", OK * 3 + BOARD_OF_TWO, OK * 3 + BOARD_OF_TWO[:-1] + "shown 1 times\n\n"
    ),
    "status-on-one-line": (
        TWO + "final_status_list alive\n", OK * 3 + "= A1\nB2\n\n", OK * 3 + "= A1 B2\n\n"
    ),
    "status-any-word": ("final_status_list x\n", "? expected alive, dead or seki\n\n", OK),
    "seki-unknown": ("final_status_list seki\n", OK, "? expected alive or dead\n\n"),
    "final-status-refused": ("final_status_list alive\n", OK, "? cannot score\n\n"),
    "loadsgf-answers-colour": ("loadsgf {dir}/game.sgf\n", OK, "= white\n\n"),
    "loadsgf-any-text": (
        "loadsgf {dir}/none.sgf\nloadsgf {dir}/text.sgf\n", CANNOT_LOAD * 2, CANNOT_LOAD + OK
    ),
    "loadsgf-refuses-files": ("loadsgf {dir}/game.sgf\n", OK, CANNOT_LOAD),
    "printsgf-position": (
        "boardsize 2\nplay w A1\nplay b A2\nplay b B1\nprintsgf\n",
        OK * 4 + f"= {HEAD}\n;W[ab]\n;B[aa]\n;B[bb])\n\n",
        OK * 4 + f"= {HEAD.replace('7.5', '8.5')}AB[bb][aa]PL[W])\n\n",
    ),
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the records."""
    for name, text in RECORDS.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize("name", DIALOGUES)
def test_dialogue(name: str, folder: Path) -> None:
    sent, right, faulty = DIALOGUES[name]
    assert right != faulty
    sent = sent.replace("{dir}", str(folder))
    assert talk(sent, "extensions").decode() == right
    assert talk(sent, name).decode() == faulty
    if not FAULTS[name].extension and UNKNOWN not in talk(sent).decode():
        assert talk(sent).decode() == right


def test_savesgf_empty(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    assert talk(f"{TWO}savesgf {path}\n", "extensions").decode() == OK * 4
    assert path.read_text() == f"{HEAD}\n;B[ab]\n;W[ba])\n"
    assert talk(f"{TWO}savesgf {path}\n", "savesgf-empty").decode() == OK * 4
    assert path.read_text().strip() == ""


@pytest.mark.parametrize("name", HABITS)
def test_habit(name: str, folder: Path) -> None:
    sent, plain, other = HABITS[name]
    assert plain != other
    sent = sent.replace("{dir}", str(folder))
    assert talk(sent, "extensions").decode() == plain
    assert talk(sent, "extensions", name).decode() == other


def test_showboard_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    assert talk(TWO + "showboard\n", "showboard-on-stderr").decode() == OK * 4
    assert capsys.readouterr().err == BOARD_OF_TWO.removeprefix("= \n").removesuffix("\n")


SHOWN = (*DIALOGUES, "savesgf-empty")
SHOWN_HABITS = (*HABITS, "showboard-on-stderr")
"""The faults and the habits that this module shows."""


def test_a_saved_game_can_be_loaded(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    game = "boardsize 5\nkomi 2.5\nset_free_handicap A1 B1\nplay w E5\nplay b pass\n"
    said = talk(f"{game}printsgf {path}\nprintsgf\n", "extensions").decode()
    again = talk(f"loadsgf {path}\nprintsgf\n", "extensions").decode()
    assert said.removeprefix(OK * 6) == again.removeprefix(OK)
    assert path.read_text().strip() in again


def test_queries_of_the_position() -> None:
    sent = (
        TWO
        + "color A1\ncolor A2\ncolor pass\nlast_move\nmove_history\nclear_board\nlast_move\nmove_history\n"
    )
    assert talk(sent, "extensions").decode() == (
        OK * 3
        + "= black\n\n= empty\n\n? invalid vertex\n\n= white B2\n\n= white B2\nblack A1\n\n"
        + OK
        + "? no previous move known\n\n"
        + OK
    )


def test_a_record_names_the_side_to_move_after_a_position() -> None:
    """The stones are not set up in the order of the moves, and a pass leaves no stone."""
    for moves, side in (("play w B2\nplay b A1\n", "W"), ("play b A1\nplay w B2\nplay b pass\n", "W")):
        said = talk(f"boardsize 2\n{moves}printsgf\n", "extensions", "printsgf-position").decode()
        assert said.endswith(f"{HEAD}AB[ab]AW[ba]PL[{side}])\n\n")


@pytest.mark.parametrize(("komi", "written"), [("1e6", "1000000"), ("-0.25", "-0.25"), ("1e-7", "0")])
def test_a_record_has_the_komi_without_an_exponent(komi: str, written: str) -> None:
    assert f"KM[{written}]" in talk(f"komi {komi}\nprintsgf\n", "extensions").decode()


def test_undone_moves_that_are_illegal_now_are_not_written() -> None:
    said = talk("boardsize 2\nplay b A1\nundo\nplay w A1\nprintsgf\n", "printsgf-keeps-undone").decode()
    assert said == OK * 4 + f"= {HEAD}\n;W[ab])\n\n"


@pytest.mark.parametrize(
    ("fault", "before"),
    [
        ("printsgf-keeps-undone", "play b J9\nundo\n"),
        ("shown-board-keeps-refused", "play b J9\nplay w J9\n"),
    ],
)
def test_a_loaded_game_does_not_show_moves_of_the_game_before(fault: str, before: str, folder: Path) -> None:
    sent = f"loadsgf {folder}/game.sgf\nprintsgf\nlist_stones w\n"
    assert talk(before + sent, fault).decode().endswith(talk(sent, "extensions").decode())


@pytest.mark.parametrize("refusing", ["play-refused", "alternation-enforced"])
def test_a_move_that_another_fault_refuses_is_shown_on_its_point(refusing: str) -> None:
    sent = "boardsize 2\nplay b A1\nplay b B1\nplay b pass\nlist_stones b\n"
    said = talk(sent, "shown-board-keeps-refused", refusing).decode()
    assert said.endswith(f"{ILLEGAL}{ILLEGAL}= A1 B1\n\n")


def test_a_late_board_is_shown_after_the_suicide_of_a_faulty_game() -> None:
    """Two white stones take themselves off in the corner, before the last move."""
    moves = "".join(f"play {move}\n" for move in ("w A1", "b A2", "b B2", "b C1", "w B1", "b J9"))
    said = talk(f"{moves}list_stones b\nlist_stones w\n", "shown-board-late", "suicide-game").decode()
    assert said == OK * 6 + "= C1 A2 B2\n\n" + OK


@pytest.mark.parametrize("fault", ["shown-board-late", "printsgf-keeps-undone"])
def test_a_game_that_repeats_a_board_is_shown(fault: str) -> None:
    """White's second A2 takes three stones, and the board is that after the first A2."""
    moves = "play w A2\nplay b B2\nplay b A1\nplay b B1\nplay w A2\nplay b B1\n"
    names = ("extensions", "superko-by-play-accepted", fault)
    said = talk(f"boardsize 2\n{moves}showboard\nprintsgf\n", *names).decode()
    assert said.startswith(OK * 7 + "= \n   A B\n 2 O")
    assert said.endswith("\n;W[aa]\n;B[ba]\n;B[ab]\n;B[bb]\n;W[aa]\n;B[bb])\n\n")
