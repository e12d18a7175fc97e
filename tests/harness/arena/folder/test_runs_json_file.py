"""Small JSON files that survive a power cut."""

import os
from pathlib import Path

import pytest

from harness.arena.folder.errors import StateFileError
from harness.arena.folder.json_file import load_json, save_json

FORMAT = "test/1"


def test_what_was_saved_is_loaded_and_nothing_else_is_left(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    assert load_json(path, FORMAT, "remove it") is None
    save_json(path, {"format": FORMAT, "value": 1})
    save_json(path, {"format": FORMAT, "value": 2})
    assert load_json(path, FORMAT, "remove it") == {"format": FORMAT, "value": 2}
    assert list(tmp_path.iterdir()) == [path]


def test_data_that_cannot_be_written_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    save_json(path, {"format": FORMAT})
    with pytest.raises(TypeError):
        save_json(path, {"format": FORMAT, "value": object()})
    assert load_json(path, FORMAT, "remove it") == {"format": FORMAT}
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("text", "reason"),
    [("{", "is damaged"), ("[]", "is not test/1 but something else"), ('{"format": "x/2"}', "but x/2")],
)
def test_a_file_that_is_not_of_the_format_says_what_to_do(tmp_path: Path, text: str, reason: str) -> None:
    (tmp_path / "state.json").write_text(text)
    with pytest.raises(StateFileError) as caught:
        load_json(tmp_path / "state.json", FORMAT, "remove it")
    assert str(caught.value).startswith(f"{tmp_path / 'state.json'}: ")
    assert reason in str(caught.value)
    assert str(caught.value).endswith("; remove it")


@pytest.mark.parametrize("kind", ["link", "FIFO"])
def test_a_file_that_a_stranger_put_there_is_not_read_and_is_replaced(tmp_path: Path, kind: str) -> None:
    outside, path = tmp_path / "outside.json", tmp_path / "state.json"
    save_json(outside, {"format": FORMAT})
    before = outside.read_text()
    if kind == "link":
        path.symlink_to(outside)
    else:
        os.mkfifo(path)
    with pytest.raises(StateFileError, match=rf"state\.json: cannot be read: is a (symbolic )?{kind}"):
        load_json(path, FORMAT, "remove it")
    save_json(path, {"format": FORMAT, "value": 1})
    assert load_json(path, FORMAT, "remove it") == {"format": FORMAT, "value": 1}
    assert outside.read_text() == before
