"""Game records: what a record must hold, which forms of it are right, and what is not judged."""

from __future__ import annotations

import re
import shlex
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import cast

import pytest

from harness.check.bot.session import Session
from harness.check.model import Outcome
from harness.check.phases.findings import Findings
from harness.check.stored_records import (
    FOLDER,
    GAME,
    KO,
    SETTLED,
    SETUP,
    copy_records,
    is_sendable,
    record_of,
)
from harness.commands import loaded_komi, written_records
from harness.commands.loaded_komi import AFTER, BEFORE
from harness.commands.record_dialogues import UNSENDABLE
from harness.commands.status_lists import settled_position
from harness.commands.written_records import (
    KOMI,
    Aspect,
    Saved,
    SavedRecord,
    judge_record,
    position_of_game,
)
from harness.go import play_record
from harness.gtp import Exchange, format_vertex, parse_answer, parse_vertex
from harness.report.text.by_hand import lines_of
from harness.suite.known_failures import list_of_failures
from harness.suite.registry import find
from tests.command_line import BIN, conform_program

SIZES = (9, 13, 19)
CheckHosted = Callable[..., Findings]


def outcomes(found: Findings) -> dict[str, Outcome]:
    return {result.check.id: result.outcome for result in found.results}


@pytest.mark.parametrize("name", [GAME, SETUP])
def test_a_record_is_the_same_game_on_every_size(name: str) -> None:
    games = [record_of(name, size) for size in SIZES]
    assert [game.size for game in games] == list(SIZES)
    assert len({game.moves for game in games}) == 1
    assert len({(game.black_stones, game.white_stones, game.komi) for game in games}) == 1


def test_the_game_has_a_capture_and_a_pass_and_no_symmetry_of_rows() -> None:
    position = play_record(record_of(GAME, 9))
    stones = {format_vertex(point): colour for point, colour in position.stones().items()}
    assert "E5" not in stones
    assert None in [move.point for move in position.moves]
    refused = {"C3": "b", "G2": "w", "E4": "b"}  # what gtp.record.load looks at
    assert refused.items() <= stones.items()
    assert not any(f"{vertex[0]}{10 - int(vertex[1])}" in stones for vertex in ("C3", "G2"))


@pytest.mark.parametrize("size", SIZES)
def test_the_game_to_its_end_leads_to_the_settled_board(size: int) -> None:
    record = record_of(SETTLED, size)
    assert play_record(record).stones() == settled_position(size).stones()
    assert record.komi not in (None, BEFORE, AFTER)


@pytest.mark.parametrize("size", SIZES)
def test_the_last_move_takes_a_ko(size: int) -> None:
    position = play_record(record_of(KO, size))
    assert position.to_move == "b"
    assert position.ko_ban("b") == parse_vertex("D5", size)


def test_records_are_copied_where_gtp_cannot_name_them(tmp_path: Path) -> None:
    names = sorted(record.name for record in FOLDER.iterdir())
    for _ in range(2):  # again, over the files of an earlier process
        place = copy_records(tmp_path / "records")
        assert place == tmp_path / "records"
        assert sorted(record.name for record in place.iterdir()) == names
    assert (place / "game-9.sgf").read_bytes() == (FOLDER / "game-9.sgf").read_bytes()


def test_records_are_not_copied_into_the_folder_of_others(tmp_path: Path) -> None:
    open_to_all, link = tmp_path / "open", tmp_path / "link"
    open_to_all.mkdir()
    open_to_all.chmod(0o777)
    link.symlink_to(tmp_path)
    for place in (open_to_all, link):
        used = copy_records(place)
        assert used != place
        shutil.rmtree(used)
    assert list(open_to_all.iterdir()) == []


def test_the_files_that_are_no_records() -> None:
    assert (FOLDER / "empty.sgf").read_bytes() == b""
    assert not (FOLDER / "no-such-file.sgf").exists()
    assert not (FOLDER / "no-such-folder").exists()


@pytest.mark.parametrize(
    ("path", "can"),
    [("/a/b.sgf", True), ("/a b/c.sgf", False), ("/a#b.sgf", False), ("/ä.sgf", False), ("/a\tb", False)],
)
def test_file_names_that_gtp_can_send(path: str, can: bool) -> None:
    assert is_sendable(path) is can


@pytest.mark.parametrize(
    ("module", "check_id"), [(loaded_komi, "gtp.record.komi"), (written_records, "gtp.record.again")]
)
def test_a_folder_with_a_blank_is_not_sent(
    monkeypatch: pytest.MonkeyPatch, module: ModuleType, check_id: str
) -> None:
    monkeypatch.setattr(module, "folder", lambda: Path("/a b/records"))
    (check,) = find(check_id)
    session = cast("Session", SimpleNamespace(bot=None, introduction=SimpleNamespace(size=9)))
    judgement = check.procedure.judge(check.procedure.observe(session))
    assert (judgement.outcome, judgement.observed) == (Outcome.SKIP, UNSENDABLE)


@pytest.mark.parametrize("check_id", ["gtp.record.load", "gtp.record.size", "gtp.record.broken"])
def test_lines_by_hand_name_files_of_this_machine(check_id: str) -> None:
    (check,) = find(check_id)
    lines = lines_of(check, 1)
    assert lines is not None
    paths = [line.split()[1] for line in lines if line.startswith(b"loadsgf")]
    assert paths
    assert all(Path(path.decode("ascii")).exists() for path in paths)


HEAD = "(;GM[1]FF[4]SZ[9]"
MOVES = ";B[cg];W[ee];B[de];W[gh];B[ed];W[dc];B[fe];W[];B[ef];W[hc];B[];W[cb]"
STONES = "AB[cg][de][ed][fe][ef]AW[gh][dc][hc][cb]PL[B]"

RECORDS: dict[str, tuple[str, Aspect, Outcome]] = {
    "moves": (f"{HEAD}KM[4.5]{MOVES})", Aspect.POSITION, Outcome.PASS),
    "passes as tt": (f"{HEAD}{MOVES.replace('[]', '[tt]')})", Aspect.MOVES, Outcome.PASS),
    "a node for the game": (f"{HEAD}\n;C[a (game\\]]\n{MOVES}\n)\n\n", Aspect.MOVES, Outcome.PASS),
    "stones alone": (f"{HEAD}{STONES})", Aspect.POSITION, Outcome.PASS),
    "stones alone, moves": (f"{HEAD}{STONES})", Aspect.MOVES, Outcome.SKIP),
    "stones alone, komi for prisoners": (f"{HEAD}KM[5.5]{STONES})", Aspect.KOMI, Outcome.SKIP),
    "no komi": (f"{HEAD}{MOVES})", Aspect.KOMI, Outcome.SKIP),
    "komi in two decimals": (f"{HEAD}KM[4.50]{MOVES})", Aspect.KOMI, Outcome.PASS),
    "another komi": (f"{HEAD}KM[6.5]{MOVES})", Aspect.KOMI, Outcome.FAIL),
    "a pass less": (f"{HEAD}{MOVES.replace(';W[]', '')})", Aspect.MOVES, Outcome.FAIL),
    "a stone less": (f"{HEAD}{MOVES.replace(';W[cb]', '')})", Aspect.POSITION, Outcome.FAIL),
    "no size": (f"(;GM[1]{MOVES})", Aspect.POSITION, Outcome.FAIL),
    "a captured stone stays": (f"{HEAD}{STONES.replace('AW', 'AW[ee]')})", Aspect.POSITION, Outcome.FAIL),
    "no record": ("a game", Aspect.POSITION, Outcome.FAIL),
    "stones set up in mid-game": (f"{HEAD};B[cg];AW[ee])", Aspect.POSITION, Outcome.SKIP),
}


@pytest.mark.parametrize("name", RECORDS)
def test_forms_of_a_record(name: str) -> None:
    text, aspect, expected = RECORDS[name]
    assert judge_record(text.encode("ascii"), aspect, position_of_game(9), KOMI).outcome is expected


def test_a_failure_names_points_and_colours() -> None:
    text = f"{HEAD}{STONES.replace('AW', 'AW[ii]')})"
    judged = judge_record(text.encode("ascii"), Aspect.POSITION, position_of_game(9), KOMI)
    assert "J1 is empty" in judged.expected
    assert "J1 is white" in judged.observed


def test_a_right_bot_passes_all_and_leaves_no_file(check_hosted: CheckHosted) -> None:
    before = set(Path(tempfile.gettempdir()).glob("conform-*.sgf"))
    found = outcomes(check_hosted("extensions", only=["gtp.record.*"]))
    assert set(found.values()) == {Outcome.PASS}
    assert set(Path(tempfile.gettempdir()).glob("conform-*.sgf")) == before


def test_a_bot_that_reads_no_file_is_not_judged_by_records(check_hosted: CheckHosted) -> None:
    found = outcomes(check_hosted("extensions", "loadsgf-refuses-files", only=["gtp.record.*"]))
    loading = (
        "load",
        "setup",
        "before-move",
        "beyond",
        "replaces",
        "size",
        "komi",
        "ko",
        "again",
        "again-moves",
    )
    assert {found[f"gtp.record.{name}"] for name in loading} == {Outcome.SKIP}
    assert found.pop("gtp.record.readable") is Outcome.FAIL
    assert Outcome.FAIL not in found.values()


def test_sentences_name_the_records_and_only_lines_to_copy_have_their_path(
    check_hosted: CheckHosted,
) -> None:
    found = check_hosted("loadsgf-broken-crashes", only=["gtp.record.broken*"])
    (failed,) = [r for r in found.results if r.check.id == "gtp.record.broken"]
    assert failed.outcome is Outcome.CRASH
    assert failed.judgement.expected.startswith("loadsgf {records}/")
    assert "loadsgf {records}/" in failed.judgement.observed
    sent = re.search(r"loadsgf (\S+/text\.sgf)", failed.reproduce)
    assert sent is not None
    assert Path(sent[1]).is_file()
    listed = list_of_failures(found, strict=True)
    assert "\ngtp.record.broken  # loadsgf {records}/" in listed
    assert sent[1] not in listed


@pytest.mark.parametrize(
    ("switches", "expected"),
    [
        ((), Outcome.PASS),  # without get_komi, by final_score
        (("loadsgf-keeps-komi",), Outcome.FAIL),
        (("extensions", "loadsgf-keeps-komi"), Outcome.FAIL),
        (("komi-first-only",), Outcome.SKIP),  # final_score does not follow the komi
        (("final-score-refused",), Outcome.SKIP),
    ],
)
def test_the_komi_of_a_record(
    check_hosted: CheckHosted, switches: tuple[str, ...], expected: Outcome
) -> None:
    assert outcomes(check_hosted(*switches, only=["gtp.record.komi"]))["gtp.record.komi"] is expected


@pytest.mark.parametrize(
    ("fault", "unlike"), [("get-komi-whole", ("loadsgf-keeps-komi",)), ("loadsgf-keeps-komi", ())]
)
def test_a_third_komi_is_not_the_one_that_was_kept(
    check_hosted: CheckHosted, fault: str, unlike: tuple[str, ...]
) -> None:
    (result,) = check_hosted("extensions", fault, only=["gtp.record.komi"]).results
    assert (result.outcome, result.judgement.unlike) == (Outcome.FAIL, unlike)


def test_a_file_that_is_not_on_this_machine_is_not_judged() -> None:
    raw = b"= \n\n"
    answer = parse_answer(raw)
    saved = Exchange(b"savesgf /tmp/x.sgf\n", raw, answer, "answer", b"", 0.0)  # type: ignore[arg-type]
    assert Saved().judge(SavedRecord(9)).outcome is Outcome.SKIP
    assert Saved().judge(SavedRecord(9, saved)).outcome is Outcome.SKIP
    assert Saved().judge(SavedRecord(9, saved, b"")).outcome is Outcome.FAIL
    assert Saved().judge(SavedRecord(9, saved, f"{HEAD}{MOVES})".encode())).outcome is Outcome.PASS


def test_a_failure_leaves_no_file(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The diagnosis sends a short line to simulated bots, too, after the file was read and removed."""
    folder = tmp_path_factory.mktemp("x")
    bot = shlex.join([str(BIN / "refbot"), "gtp", "--fault", "savesgf-empty"])
    found = conform_program(
        "check", bot, "--no-config", "--only", "gtp.record.save", env={"TMPDIR": str(folder)}
    )
    assert "gtp.record.save" in found.stdout
    assert list(folder.iterdir()) == []
