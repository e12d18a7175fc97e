"""Each command: its answers, its refusals with their texts, and the state that it must not change."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from refbot.gtp import Session, placing, syntax
from refbot.gtp.placing import COLOURS
from refbot.rules import BLACK, MAX_SIZE, WHITE
from tests.refbot.gtp_dialogue import answers, new_server, talk

REQUIRED = [
    "protocol_version", "name", "version", "known_command", "list_commands", "quit",
    "boardsize", "clear_board", "komi", "play", "genmove",
]  # fmt: skip
OPTIONAL = [
    "undo", "reg_genmove", "showboard", "final_score", "final_status_list", "time_settings", "time_left",
    "fixed_handicap", "place_free_handicap", "set_free_handicap", "loadsgf",
]  # fmt: skip
PRIVATE = ["ref-nodes", "ref-score", "ref-playouts", "ref-stats", "ref-amaf"]
CORNER = "boardsize 2\nplay b A1\nplay b B1\nplay b A2\n"  # White's only move is B2; Black has none

# Black may take at C2 the stone at B2, and White would retake it.
KO = ["b B1", "b A2", "b B3", "w C1", "w D2", "w C3", "w B2"]


def last(text: str, **settings: int) -> str:
    return answers(text, **settings)[-1]


def test_the_list_is_complete_and_agrees_with_known_command() -> None:
    listed = answers("list_commands\n")[0].removeprefix("= ").split("\n")
    assert sorted(listed) == sorted(REQUIRED + OPTIONAL + PRIVATE)
    for name in listed:
        assert answers(f"known_command {name}\n") == ["= true"]


@pytest.mark.parametrize("word", ["foo", "Name", "name_", "", "play b", "12"])
def test_known_command_is_false_for_others_and_never_fails(word: str) -> None:
    expected = "= true" if word == "play b" else "= false"
    assert answers(f"known_command {word}\n") == [expected]


@pytest.mark.parametrize("name", [*REQUIRED, *OPTIONAL, *PRIVATE])
def test_every_command_answers_once_without_arguments_and_leaves_the_engine_alive(name: str) -> None:
    server = new_server()
    first = server.answer(name.encode())
    assert first.count(b"\n\n") == 1
    assert first.endswith(b"\n\n")
    assert b"internal error" not in first
    assert server.answer(b"8 name\n") == b"=8 refbot\n\n"


def test_limits_are_those_of_the_rules() -> None:
    assert COLOURS == {"b": BLACK, "w": WHITE}
    assert syntax.MAX_SIZE == MAX_SIZE


@pytest.mark.parametrize("size", ["-1", "0", "1", "26", "1000000"])
def test_a_bad_size_is_refused_exactly_and_changes_nothing(size: str) -> None:
    assert answers(f"play b J9\nboardsize {size}\nplay w J9\nplay w H9\n") == [
        "= ", "? unacceptable size", "? illegal move", "= "
    ]  # fmt: skip


@pytest.mark.parametrize("size", range(2, 26))
def test_every_size_from_2_to_25_has_its_far_corner(size: int) -> None:
    far = syntax.format_vertex(size * size - 1, size)
    beyond = f"A{size + 1}" if size < 25 else "A26"
    replies = answers(f"boardsize {size}\nplay b {far}\nplay w {far}\nplay w {beyond}\n")
    assert replies[:3] == ["= ", "= ", "? illegal move"]
    assert replies[3].startswith("?")


def test_boardsize_and_clear_board_empty_the_board_and_forget_superko() -> None:
    # Black takes the ko at C2; White's retaking at B2 would repeat. A cleared board knows nothing of it.
    ko = "".join(f"play {move}\n" for move in [*KO, "b C2"])
    replies = answers(f"{ko}play w B2\nclear_board\n{ko}boardsize 9\n{ko}")
    assert [place for place, reply in enumerate(replies) if reply != "= "] == [len(KO) + 1]


def test_komi_touches_nothing_but_the_score() -> None:
    sent = "play b A1\nkomi 0.5\nplay b A1\nclear_board\nfinal_score\nboardsize 5\nfinal_score\n"
    assert answers(sent) == [
        "= ", "= ", "? illegal move", "= ", "= W+0.5", "= ", "= W+0.5"
    ]  # fmt: skip


@pytest.mark.parametrize("komi", ["abc", "7,5", "", "nan", "inf", "1e999"])
def test_a_komi_that_is_no_number_fails_and_the_old_one_stays(komi: str) -> None:
    replies = answers(f"komi 3.5\nkomi {komi}\nfinal_score\n")
    assert replies[1].startswith("?")
    assert replies[2] == "= W+3.5"


@pytest.mark.parametrize(
    ("moves", "komi", "score"),
    [
        ("", "0", "0"),
        ("", "-3.5", "B+3.5"),
        ("", "10", "W+10"),
        ("play b A1\n", "7.5", "B+73.5"),  # all 81 points are Black's
        ("play w E5\n", "0", "W+81"),
        ("play b A1\nplay w J9\n", "0.5", "W+0.5"),  # a stone each; the empty points reach both
        ("play b A1\n", "81", "0"),
    ],
)
def test_final_score(moves: str, komi: str, score: str) -> None:
    assert last(f"komi {komi}\n{moves}final_score\n") == f"= {score}"


def test_play_takes_either_colour_at_any_time_and_words_in_any_case() -> None:
    assert set(
        answers("play b A1\nplay BLACK a2\nplay White PASS\nplay W j9\nplay w pass\nplay b Pass\n")
    ) == {"= "}


@pytest.mark.parametrize("move", ["b", "", "x A1", "b I1", "b Z99", "b resign", "b A0", "A1 b"])
def test_a_move_that_cannot_be_read_fails_and_is_none(move: str) -> None:
    replies = answers(f"play {move}\nundo\n")
    assert replies[0].startswith("?")
    assert replies[1] == "? cannot undo"


@pytest.mark.parametrize(
    "moves",
    [
        "play b A1\nplay w A1\n",
        "play b K1\n",
        "play w A2\nplay w B1\nplay b A1\n",  # suicide
        "play w A3\nplay w B2\nplay w C1\nplay b A2\nplay b B1\nplay b A1\n",  # of three stones
        "".join(f"play {move}\n" for move in [*KO, "b C2", "w B2"]),
    ],
)
def test_an_illegal_move_is_refused_exactly_and_changes_nothing(moves: str) -> None:
    server = new_server()
    *legal, illegal = moves.splitlines(keepends=True)
    for line in legal:
        assert server.answer(line.encode()) == b"= \n\n"
    before = server.answer(b"showboard")
    assert server.answer(illegal.encode()) == b"? illegal move\n\n"
    assert server.answer(b"showboard") == before
    assert server.answer(b"undo") == (b"= \n\n" if legal else b"? cannot undo\n\n")


def test_undo_takes_back_captures_and_the_superko_history() -> None:
    assert answers(CORNER + "play w B2\nundo\nplay w A1\nplay w B2\nundo\nundo\nundo\nundo\nundo\n")[4:] == [
        "= ", "= ", "? illegal move", "= ", "= ", "= ", "= ", "= ", "? cannot undo"
    ]  # fmt: skip


def test_genmove_plays_a_legal_move_for_either_colour_also_after_two_passes() -> None:
    assert answers(CORNER + "genmove b\nplay w pass\nreg_genmove w\ngenmove w\nplay b B2\n")[4:] == [
        "= pass", "= ", "= B2", "= B2", "? illegal move"
    ]  # fmt: skip


def test_a_game_of_the_engine_against_itself_replays_on_another_engine() -> None:
    server = new_server(size=5, playouts=20)
    witness = new_server(size=5)
    passes, moves = 0, 0
    while passes < 2:
        colour = "bw"[moves % 2]
        vertex = server.answer(f"genmove {colour}".encode()).decode().removeprefix("= ").strip()
        assert witness.answer(f"play {colour} {vertex}".encode()) == b"= \n\n"
        passes = passes + 1 if vertex == "pass" else 0
        moves += 1
        assert moves < 1000
    assert server.answer(b"final_score") == witness.answer(b"final_score")


def test_the_private_commands_fail_before_the_first_search_and_agree_after_it() -> None:
    before = answers("ref-nodes\nref-score\nref-stats\nref-amaf\n")
    assert before == ["? no search yet"] * 4
    replies = answers(
        "ref-playouts\nref-playouts 50\nref-playouts\ngenmove b\nref-nodes\nref-score\nref-stats\nref-amaf\n"
    )
    replies = [reply.removeprefix("= ") for reply in replies]
    assert replies[:3] == ["10", "", "50"]
    nodes, score, stats = int(replies[4]), float(replies[5]), json.loads(replies[6])
    assert stats["playouts"] == 50
    assert stats["nodes"] == nodes
    assert stats["wins"] == pytest.approx(50 * score, abs=1e-6)
    assert nodes**2 / 50 <= stats["squared_lengths"] <= stats["longest"] * nodes
    assert stats["seconds"] >= 0
    records = [line.split() for line in replies[7].split("\n")]
    assert [vertex for vertex, _, _ in records] == [syntax.format_vertex(point, 9) for point in range(81)]
    assert all(0 <= float(wins) <= int(visits) <= 50 for _, visits, wins in records)
    best = max(float(wins) / int(visits) for _, visits, wins in records if int(visits))
    [(visits, wins)] = [(visits, wins) for vertex, visits, wins in records if vertex == replies[3]]
    assert float(wins) / int(visits) == best


def test_the_last_search_outlives_the_board_it_was_made_on() -> None:
    replies = answers("genmove b\nref-nodes\nclear_board\nref-nodes\nboardsize 5\nundo\nref-nodes\n")
    assert replies[1] == replies[3] == replies[6]


def test_a_search_after_both_sides_can_only_pass_has_two_moves_a_playout() -> None:
    # Black's stones leave two eyes at A1 and E5: White may play neither, Black fills neither.
    stones = [f"play b {column}{row}\n" for row in range(1, 6) for column in "ABCDE"]
    played = "".join(line for line in stones if line not in ("play b A1\n", "play b E5\n"))
    replies = answers("boardsize 5\n" + played + "genmove w\nref-nodes\nref-score\nref-amaf\n")
    assert replies[-4:] == ["= pass", "= 20", "= 0.000000000", "= "]


@pytest.mark.parametrize("words", ["0", "-1", "abc", "1000000001", "1.5"])
def test_a_bad_number_of_playouts_is_refused(words: str) -> None:
    replies = answers(f"ref-playouts {words}\nref-playouts\n")
    assert replies[0].startswith("?")
    assert replies[1] == "= 10"


def test_showboard_has_no_empty_line() -> None:
    assert last("boardsize 3\nplay b A1\nplay w C2\nshowboard\n") == (
        "= \n   A B C\n 3 . . . 3\n 2 . . O 2\n 1 X . . 1\n   A B C"
    )


def test_final_status_list() -> None:
    setup = "boardsize 3\nplay b A1\nplay b B1\nplay w C3\n"
    lists = "final_status_list alive\nfinal_status_list dead\nfinal_status_list seki\n"
    assert answers(setup + lists)[4:] == ["= A1 B1\nC3", "= ", "= "]
    assert last("final_status_list foo\n").startswith("?")


@pytest.mark.parametrize(("line", "sign"), [
    ("time_settings 300 10 25", "="), ("time_settings 0 0 0", "="), ("time_settings 1", "?"),
    ("time_settings a b c", "?"), ("time_settings -1 0 0", "?"), ("time_left b 30 0", "="),
    ("time_left w -1 0", "="), ("time_left x 1 0", "?"), ("time_left b", "?"),
])  # fmt: skip
def test_time(line: str, sign: str) -> None:
    assert last(line + "\n").startswith(sign)


@pytest.mark.parametrize(
    ("size", "stones", "points"),
    [
        (19, 2, "D4 Q16"),
        (19, 9, "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10"),
        (13, 5, "D4 K10 D10 K4 G7"),
        (9, 4, "C3 G7 C7 G3"),
        (9, 6, "C3 G7 C7 G3 C5 G5"),
        (9, 8, "C3 G7 C7 G3 C5 G5 E3 E7"),
    ],
)
def test_fixed_handicap(size: int, stones: int, points: str) -> None:
    replies = answers(f"boardsize {size}\nfixed_handicap {stones}\nundo\n")
    assert sorted(replies[1].removeprefix("= ").split()) == sorted(points.split())
    assert replies[2] == "? cannot undo"


@pytest.mark.parametrize(("size", "most"), [(6, 0), (7, 4), (8, 4), (9, 9), (10, 4), (19, 9), (25, 9)])
def test_how_many_fixed_stones_a_board_takes(size: int, most: int) -> None:
    for stones in range(12):
        reply = last(f"boardsize {size}\nfixed_handicap {stones}\n")
        assert reply.startswith("=" if 2 <= stones <= most else "?")


def test_handicap_needs_an_empty_board() -> None:
    for line in ("fixed_handicap 2", "place_free_handicap 2", "set_free_handicap A1 A2"):
        assert last(f"play b E5\n{line}\n") == "? board not empty"


@pytest.mark.parametrize(("size", "stones"), [(2, 3), (2, 9), (5, 24), (5, 100), (9, 20)])
def test_free_handicap_leaves_a_liberty(size: int, stones: int) -> None:
    vertices = last(f"boardsize {size}\nplace_free_handicap {stones}\n").removeprefix("= ").split()
    assert len(set(vertices)) == len(vertices) == min(stones, size * size - 1)
    assert last(f"boardsize {size}\nset_free_handicap {' '.join(vertices)}\n") == "= "


@pytest.mark.parametrize("words", ["", "A1", "A1 A1", "A1 pass", "A1 A2 pass", "A1 K1", "A1 I1"])
def test_a_bad_free_handicap_changes_nothing(words: str) -> None:
    replies = answers(f"set_free_handicap {words}\nfinal_status_list alive\n")
    assert replies[0].startswith("?")
    assert replies[1] == "= "


def test_loadsgf(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    # FF[4] counts from the top left: aa is A5 on 5x5, ee is E1
    path.write_text("(;GM[1]FF[4]SZ[5]KM[3.5]AB[aa]AW[ee];B[ab];W[ed];B[])")
    board = "final_status_list alive\n"
    assert answers(f"loadsgf {path}\n{board}final_score\n")[1:] == ["= E1 E2\nA4 A5", "= W+3.5"]
    assert last(f"loadsgf {path} 1\n{board}") == "= E1\nA5"
    assert last(f"loadsgf {path} 2\n{board}") == "= E1\nA4 A5"
    assert last(f"loadsgf {path} 99\n{board}") == "= E1 E2\nA4 A5"
    assert answers(f"loadsgf {path}\nundo\nundo\nundo\nundo\n")[1:] == ["= ", "= ", "= ", "? cannot undo"]


@pytest.mark.parametrize(
    "content", [b"", b"no game", b"\xff\xfe", b"(;SZ[5];B[aa];W[aa])", b"(;SZ[5];B[zz])",
                b"(;SZ[26])", b"(;SZ[0])", b"(;SZ[1])", b"(;SZ[x])", b"(;SZ[5:6])",
                b"(;SZ[5];B[aa];AB[bb])", b"(;SZ[5]AB[ab][ba]AW[aa])", b"(;SZ[2]AB[aa][ab][ba][bb])"]
)  # fmt: skip
def test_a_bad_file_is_refused_exactly_and_changes_nothing(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bad.sgf"
    path.write_bytes(content)
    assert answers(f"boardsize 3\nplay b B2\nloadsgf {path}\nfinal_status_list alive\n")[2:] == [
        "? cannot load file", "= B2"
    ]  # fmt: skip


def test_loadsgf_sets_up_stones_of_later_nodes_and_ignores_what_it_does_not_need(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_bytes(b"(;CA[x-klingon]SZ[5]KM[x]PW[\x83\x5c];AB[aa];AW[ee];B[ab]")
    assert last(f"loadsgf {path}\nfinal_status_list alive\n") == "= E1\nA4 A5"


@pytest.mark.parametrize("words", ["/nonexistent.sgf", "/", "/dev/zero", "/dev/stdin"])
def test_what_is_no_file_is_refused(words: str) -> None:
    assert last(f"loadsgf {words}\n") == "? cannot load file"


def test_a_file_name_may_be_of_any_bytes(tmp_path: Path) -> None:
    path = tmp_path / "é.sgf"
    path.write_text("(;SZ[3];B[bb])")
    assert talk(f"loadsgf {path}\n".encode()) == b"= \n\n"


def test_a_bug_in_a_command_is_reported_and_survived(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> str:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(Session, "undo", broken)
    assert answers("5 undo\n6 name\n") == ["?5 internal error ZeroDivisionError", "=6 refbot"]
    assert "a bug" in capsys.readouterr().err


def test_after_quit_nothing_is_answered() -> None:
    assert answers("1 quit\n2 name\n") == ["=1 "]


def test_free_points_start_with_the_fixed_ones() -> None:
    assert placing.free_points(9, 4) == placing.fixed_points(9, 4)


@pytest.mark.parametrize("stones", ["b A1 w A2 w B1", "w A2 w B1 b A1", "b A1 b B1 b A2 b B2"])
def test_a_setup_with_a_chain_without_liberties_is_refused(stones: str) -> None:
    sent = f"boardsize 2\ngogui-setup {stones}\nlist_stones b\nlist_stones w\nmove_history\n"
    assert answers(sent, "extensions")[1:] == ["? a chain has no liberty", "= ", "= ", "= "]


def test_a_name_that_is_not_ascii_is_answered_in_ascii() -> None:
    said = answers("kgs-chat game J\u00fcrgen hi\n", "extensions")
    assert said == ["= Hello J??rgen, I am a program."]


def test_the_first_komi_is_shown_only_if_there_was_one() -> None:
    assert answers("clear_board\nget_komi\n", "cleared-komi-shown") == ["= ", "= 7.5"]
